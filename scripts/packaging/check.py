"""Checks a release without installing anything of it.

    python3 check.py DIR
"""

import gzip
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile

import notes
import packages

OFFERS = [
    "cento/cento", "cento/README.md", "cento/LICENSE-MIT", "cento/LICENSE-APACHE", "cento/THIRD-PARTY.txt",
    "cento/man/cento.1", "cento/man/cento-scan.1", "cento/completions/cento.bash", "cento/completions/_cento",
    "cento/completions/cento.fish", "cento/docs/starts/class.md", "cento/examples/template.txt",
    "cento/deploy/cento.service",
]
INSTALLS = [
    "./usr/bin/cento", "./usr/share/man/man1/cento.1.gz", "./usr/share/bash-completion/completions/cento",
    "./usr/share/zsh/vendor-completions/_cento", "./usr/share/fish/vendor_completions.d/cento.fish",
    "./lib/systemd/system/cento.service", "./lib/systemd/system/cento-milter.service",
    "./usr/lib/sysusers.d/cento.conf", "./usr/share/doc/cento/copyright", "./usr/share/doc/cento/changelog.gz",
    "./usr/share/doc/cento/THIRD-PARTY.txt.gz", "./usr/share/doc/cento/docs/starts/class.md",
    "./usr/share/doc/cento/examples/template.txt",
]


def sums(release):
    lines = (release / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    there = {path.name for path in release.iterdir()} - {"SHA256SUMS"}
    assert set(listed) == there, set(listed) ^ there
    for name, digest in listed.items():
        assert hashlib.sha256((release / name).read_bytes()).hexdigest() == digest, name


def archive(path):
    with tarfile.open(path) as opened:
        members = {member.name: member for member in opened}
    for name in OFFERS:
        assert name in members, f"{path.name}: {name}"
    assert members["cento/cento"].mode == 0o755
    assert {(member.uid, member.mtime) for member in members.values()} == {(0, members["cento/cento"].mtime)}


def package(path):
    def field(name):
        return subprocess.run(["dpkg-deb", "--field", path, name], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    assert field("Package") == "cento" and field("Section") == "text"
    assert re.fullmatch(r"\d+\.\d+\.\d+", field("Version")), field("Version")
    assert field("Architecture") == path.stem.rsplit("_", 1)[1]
    assert re.fullmatch(r".+ <.+@.+>", field("Maintainer")), field("Maintainer")
    # It is static, so it needs nothing.
    assert field("Depends") == ""
    files = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(files)) as opened:
        members = {member.name: member for member in opened}
        for name in INSTALLS:
            assert name in members, f"{path.name}: {name}"
        assert {(member.uid, member.gid) for member in members.values()} == {(0, 0)}
        unit = opened.extractfile("./lib/systemd/system/cento.service").read().decode()
        assert "ExecStart=/usr/bin/cento serve" in unit


def image(path):
    with tarfile.open(path) as opened:
        files = {member.name: opened.extractfile(member).read() for member in opened if member.isfile()}
    assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}

    def blob(entry):
        algorithm, digest = entry["digest"].split(":")
        data = files[f"blobs/{algorithm}/{digest}"]
        assert hashlib.sha256(data).hexdigest() == digest and len(data) == entry["size"]
        return data

    manifests = json.loads(files["index.json"])["manifests"]
    assert len(manifests) == 1
    if "index" in manifests[0]["mediaType"]:
        manifests = json.loads(blob(manifests[0]))["manifests"]
    for entry in manifests:
        manifest = json.loads(blob(entry))
        config = json.loads(blob(manifest["config"]))
        layer = gzip.decompress(blob(manifest["layers"][0]))
        assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(layer).hexdigest()}"]
        assert config["architecture"] == entry["platform"]["architecture"]
        assert config["config"]["User"] == "10001:10001"
        with tarfile.open(fileobj=io.BytesIO(layer)) as opened:
            members = {member.name: member for member in opened}
        assert members["usr/bin/cento"].mode == 0o755
        assert (members["data"].uid, members["data"].mode) == (10001, 0o700)


def built_in(path):
    found = json.loads(path.read_text())
    components = {component["bom-ref"]: component for component in found["components"]}
    assert len(components) == len(found["components"]) > 200, len(components)
    names = {component["name"] for component in components.values()}
    assert {"cento", "cento-python", "tree-sitter-swift", "rusqlite", "pyo3"} <= names
    # What only tests need is in no binary.
    assert not {"proptest", "trycmd", "assert_cmd"} & names
    ours = {package["name"] for package in packages.built_in()[0] if packages.is_ours(package)}
    for component in components.values():
        assert component["licenses"][0]["expression"], component["name"]
        assert component["name"] in ours or component["hashes"][0]["alg"] == "SHA-256", component["name"]
    known = {*components, found["metadata"]["component"]["bom-ref"]}
    for entry in found["dependencies"]:
        assert {entry["ref"], *entry["dependsOn"]} <= known, entry


def changes():
    changelog = "# Changelog\n\n## Unreleased\n\n{}\n## 1.2.0 – 2026-01-01\n\n- New.\n\n## 1.1.0\n\n- Old.\n"
    assert notes.notes(changelog.format(""), "1.2.0", False) == "# Cento 1.2.0\n\n- New.\n"
    assert notes.notes(changelog.format("- Newer.\n"), "1.2.0", True) == "# Cento after 1.2.0, not released\n\n- Newer.\n"
    for text, version in [(changelog.format("- Newer.\n"), "1.2.0"), (changelog.format(""), "1.3.0")]:
        try:
            notes.notes(text, version, False)
        except ValueError:
            continue
        raise AssertionError(f"notes of {version} from\n{text}")


def main():
    release = pathlib.Path(sys.argv[1])
    sums(release)
    for check, pattern in [(archive, "cento-*.tar.gz"), (package, "cento_*.deb"), (image, "cento-*.oci.tar"), (built_in, "cento-*.cdx.json")]:
        found = sorted(release.glob(pattern))
        assert found, pattern
        for path in found:
            check(path)
    changes()
    print(f"{release}: checksums, archive, package, image, what is built in and notes are right")


if __name__ == "__main__":
    main()
