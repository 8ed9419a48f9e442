"""Prints the notes of a release from CHANGELOG.md.

    python3 notes.py VERSION           the section of the version; nothing may be left under Unreleased
    python3 notes.py VERSION --draft   what is under Unreleased, if there is anything
"""

import pathlib
import re
import sys

CHANGELOG = pathlib.Path(__file__).resolve().parent.parent.parent / "CHANGELOG.md"


def sections(changelog):
    """The text of every section by its name; what stands behind the version is its date."""
    parts = re.split(r"^## (.+)$", changelog, flags=re.M)
    return {heading.split()[0].strip("[]"): body.strip() for heading, body in zip(parts[1::2], parts[2::2])}


def notes(changelog, version, is_draft):
    found = sections(changelog)
    unreleased = found.get("Unreleased", "")
    if is_draft and unreleased:
        return f"# Cento after {version}, not released\n\n{unreleased}\n"
    if unreleased:
        raise ValueError(f"CHANGELOG.md has entries under Unreleased; move them to a section {version}, or make a draft")
    if not found.get(version):
        raise ValueError(f"CHANGELOG.md has no section {version}, or an empty one")
    return f"# Cento {version}\n\n{found[version]}\n"


def main():
    try:
        print(notes(CHANGELOG.read_text(), sys.argv[1], "--draft" in sys.argv[2:]), end="")
    except ValueError as error:
        sys.exit(f"scripts/release: {error}")


if __name__ == "__main__":
    main()
