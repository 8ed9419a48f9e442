"""What is built into Cento, by `cargo metadata`: the packages of the command and of the Python module."""

import functools
import json
import pathlib
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The two things that are shipped.
SHIPPED = ("cento-cli", "cento-python")


@functools.cache
def metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features",
               "--filter-platform", "x86_64-unknown-linux-gnu"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def checksums():
    """The SHA-256 of every package that comes from the registry, by name and version."""
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    return {(package["name"], package["version"]): package["checksum"]
            for package in lock["package"] if "checksum" in package}


def built_in():
    """The packages that end up in what is shipped, and for each the ids of those that it needs."""
    packages = {package["id"]: package for package in metadata()["packages"]}
    needs = {}
    for node in metadata()["resolve"]["nodes"]:
        # What only tests and build scripts need is in no binary.
        needs[node["id"]] = sorted(dependency["pkg"] for dependency in node["deps"]
                                   if any(kind["kind"] is None for kind in dependency["dep_kinds"]))
    waiting = [package["id"] for package in packages.values() if package["name"] in SHIPPED]
    reached = set()
    while waiting:
        package = waiting.pop()
        if package not in reached:
            reached.add(package)
            waiting.extend(needs[package])
    found = sorted((packages[package] for package in reached), key=lambda package: (package["name"], package["version"]))
    return found, needs


def is_ours(package):
    return package["source"] is None


def licence(package):
    """An SPDX expression; older packages write a slash for OR."""
    return (package["license"] or "").replace("/", " OR ")
