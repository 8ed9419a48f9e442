"""Packs a folder as an archive with one folder, cento, in it.

    python3 tarball.py STAGE OUT.tar.gz [LEVEL]
"""

import pathlib
import sys

import archives


def main():
    stage, out = sys.argv[1:3]
    level = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    data = archives.tar(lambda archive: archives.add_tree(archive, stage, "cento"))
    pathlib.Path(out).write_bytes(archives.packed(data, level))


if __name__ == "__main__":
    main()
