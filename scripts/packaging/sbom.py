"""Prints what is in a release, as CycloneDX 1.5: every package that is built in, its licence and its checksum.

    python3 sbom.py VERSION COMMIT
"""

import datetime
import json
import sys
import uuid

import archives
import packages

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "pkg:cargo/cento")


def address(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, checksums):
    entry = {
        "type": "library",
        "bom-ref": address(package),
        "name": package["name"],
        "version": package["version"],
        "licenses": [{"expression": packages.licence(package)}],
        "purl": address(package),
    }
    if package["description"]:
        entry["description"] = " ".join(package["description"].split())
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        entry["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return entry


def document(version, commit):
    found, needs = packages.built_in()
    checksums = packages.checksums()
    by_id = {package["id"]: address(package) for package in found}
    root = f"pkg:generic/cento@{version}"
    shipped = [address(package) for package in found if package["name"] in packages.SHIPPED]
    graph = [{"ref": root, "dependsOn": shipped}]
    graph += [{"ref": address(package), "dependsOn": sorted(by_id[need] for need in needs[package["id"]])}
              for package in found]
    when = datetime.datetime.fromtimestamp(archives.epoch(), datetime.timezone.utc)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, f'{version} {commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "cento",
                "version": version,
                "description": "Finds the text that documents share",
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
                "purl": root,
                "properties": [{"name": "cento:commit", "value": commit}],
            },
        },
        "components": [component(package, checksums) for package in found],
        "dependencies": graph,
    }


def main():
    json.dump(document(*sys.argv[1:3]), sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
