"""What the scripts for the tables of Finkel et al. share: the RFCs, the program, rounding."""

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """Why a table could not be made."""


def find_corpus(folder):
    """All rfcN.txt in the folder, or in its subfolder `rfc`: number to path."""
    for place in (folder, folder / "rfc"):
        names = ((re.fullmatch(r"rfc(\d+)\.txt", path.name), path) for path in place.glob("rfc*.txt"))
        files = {int(match[1]): path.resolve() for match, path in names if match}
        if files:
            return files
    raise Failed(f"no rfcN.txt files in {folder} or {folder / 'rfc'}")


def find_cento(path):
    """The program to measure; the project's own is built if it is not there."""
    if path is None:
        path = PROJECT / "target" / "release" / "cento"
        if not path.is_file():
            subprocess.run(["cargo", "build", "--release", "-p", "cento-cli"], cwd=PROJECT, check=True)
    program = shutil.which(path)
    if program is None:
        raise Failed(f"no such program: {path}")
    return Path(program).absolute()


class Rfcs:
    """The RFCs and the program, which always runs in the same empty folder: a cento.toml in the
    caller's folder would change the settings, and with them the numbers."""

    def __init__(self, files, program, folder):
        self.files, self.program, self.folder = files, program, folder

    def cento(self, command, numbers, *options):
        """The report of one run on some RFCs."""
        missing = [f"rfc{number}.txt" for number in numbers if number not in self.files]
        if missing:
            raise Failed(f"not in the corpus: {', '.join(missing)}")
        files = [self.files[number] for number in numbers]
        line = [self.program, command, "--quiet", "--json", *options, *files]
        done = subprocess.run(line, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"cento {command} {' '.join(options)} failed: {done.stderr.strip()}")
        # Decimal, so that a half is rounded as printed and not as binary has it.
        return json.loads(done.stdout, parse_float=Decimal)


def percent(share):
    """A share in whole percent."""
    return int((100 * Decimal(share)).quantize(Decimal(1), ROUND_HALF_UP))


def run(description, table):
    """The main function of a script: `table` prints and says whether the paper's numbers came out.

    Exit code: 0 if they did, 1 if not, 2 if the table could not be made."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--corpus", type=Path, required=True, metavar="DIR", help="folder of rfcN.txt files")
    parser.add_argument("--cento", metavar="PATH", help="program to run (default: the release build)")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as empty:
            rfcs = Rfcs(find_corpus(arguments.corpus), find_cento(arguments.cento), empty)
            return 0 if table(rfcs) else 1
    except (Failed, OSError, ValueError, subprocess.CalledProcessError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
