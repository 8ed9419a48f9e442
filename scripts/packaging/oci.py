"""Makes a container image from static binaries and nothing else, as an archive in the OCI layout.

    python3 oci.py VERSION COMMIT OUT.tar LEVEL NOTICES ARCHITECTURE=BINARY...

Podman, skopeo and newer versions of Docker read it; no daemon makes it and nothing is fetched.
"""

import datetime
import hashlib
import json
import pathlib
import sys

import archives

# What may not be owned by root: the server's own folder.
CENTO = 10001
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def layer(binary, notices):
    """The whole file system: the command, a user, a folder for data, and one for temporary files."""
    def write(archive):
        archives.add_folder(archive, "data", 0o700, CENTO)
        archives.add_folder(archive, "etc")
        archives.add_file(archive, "etc/group", f"root:x:0:\ncento:x:{CENTO}:\n".encode())
        users = f"root:x:0:0:root:/:/sbin/nologin\ncento:x:{CENTO}:{CENTO}:Cento:/data:/sbin/nologin\n"
        archives.add_file(archive, "etc/passwd", users.encode())
        archives.add_folder(archive, "tmp", 0o1777)
        for folder in ("usr", "usr/bin", "usr/share", "usr/share/doc", "usr/share/doc/cento"):
            archives.add_folder(archive, folder)
            if folder == "usr/bin":
                archives.add_file(archive, "usr/bin/cento", pathlib.Path(binary).read_bytes(), 0o755)
        archives.add_file(archive, "usr/share/doc/cento/THIRD-PARTY.txt", pathlib.Path(notices).read_bytes())
    return archives.tar(write)


def config(version, commit, architecture, diff_id):
    when = datetime.datetime.fromtimestamp(archives.epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "created": when,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": f"{CENTO}:{CENTO}",
            "ExposedPorts": {"8077/tcp": {}},
            "Env": ["PATH=/usr/bin", "CENTO_REGISTRY=/data/registry", "CENTO_DATA=/data/server"],
            "Entrypoint": ["/usr/bin/cento"],
            # All addresses of the container, so it refuses to start until there is an account.
            "Cmd": ["serve", "--listen", "0.0.0.0:8077", "--name", "localhost:8077", "--name", "127.0.0.1:8077"],
            "Volumes": {"/data": {}},
            "WorkingDir": "/data",
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "cento",
                "org.opencontainers.image.description": "Finds the text that documents share",
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.revision": commit,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [diff_id]},
        "history": [{"created": when, "created_by": "scripts/release"}],
    }


class Blobs:
    """What the archive holds, by its digest."""

    def __init__(self):
        self.data = {}

    def add(self, media_type, data, **more):
        if not isinstance(data, bytes):
            data = json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
        digest = hashlib.sha256(data).hexdigest()
        self.data[digest] = data
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(data), **more}


def image(blobs, version, commit, level, notices, architecture, binary):
    plain = layer(binary, notices)
    diff_id = f"sha256:{hashlib.sha256(plain).hexdigest()}"
    settings = blobs.add("application/vnd.oci.image.config.v1+json", config(version, commit, architecture, diff_id))
    files = blobs.add("application/vnd.oci.image.layer.v1.tar+gzip", archives.packed(plain, level))
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": settings, "layers": [files]}
    return blobs.add(MANIFEST, manifest, platform={"architecture": architecture, "os": "linux"})


def main():
    version, commit, out, level, notices, *binaries = sys.argv[1:]
    blobs = Blobs()
    images = [image(blobs, version, commit, int(level), notices, *one.split("=", 1)) for one in binaries]
    # One name for all architectures: whoever takes the image takes what fits.
    entry = images[0]
    if len(images) > 1:
        entry = blobs.add(INDEX, {"schemaVersion": 2, "mediaType": INDEX, "manifests": images})
    entry["annotations"] = {"org.opencontainers.image.ref.name": f"cento:{version}"}
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [entry]}

    def write(archive):
        archives.add_folder(archive, "blobs")
        archives.add_folder(archive, "blobs/sha256")
        for digest, data in sorted(blobs.data.items()):
            archives.add_file(archive, f"blobs/sha256/{digest}", data)
        archives.add_file(archive, "index.json", json.dumps(index, sort_keys=True).encode())
        archives.add_file(archive, "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
    pathlib.Path(out).write_bytes(archives.tar(write))


if __name__ == "__main__":
    main()
