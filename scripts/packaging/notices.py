"""Prints the licences of everything that is built in, each text once, with the packages that it is for.

    python3 notices.py
"""

import pathlib

import packages

NAMES = ("licen", "copying", "notice", "unlicense", "copyright")


def texts(package):
    """The licence files of a package, as its source has them."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name.lower().startswith(NAMES):
            text = path.read_text(encoding="utf-8", errors="replace")
            yield "\n".join(line.rstrip() for line in text.strip().splitlines())


def main():
    found = [package for package in packages.built_in()[0] if not packages.is_ours(package)]
    users = {}
    for package in found:
        for text in texts(package):
            users.setdefault(text, []).append(f"{package['name']} {package['version']}")
    print("Cento is under MIT OR Apache-2.0. It is built with these packages, whose licences follow.\n")
    for package in found:
        print(f"{package['name']} {package['version']}: {packages.licence(package)}")
    for text, names in users.items():
        print(f"\n{'=' * 80}\n{', '.join(names)}\n{'-' * 80}\n{text}")


if __name__ == "__main__":
    main()
