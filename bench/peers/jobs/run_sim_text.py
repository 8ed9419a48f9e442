"""sim_text: documents as files, runs of five words or more, percentages; "consists for N % of"."""

import pathlib
import re
import subprocess
import sys
import tempfile

from shingles import documents, write

LINE = re.compile(r"(\d+) consists for (\d+) % of (\d+) material")


def main(program, source, target, threshold):
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, text in documents(source):
            names.append(f"{number:07d}")
            pathlib.Path(folder, names[-1]).write_text(text.replace(" ", "\n") + "\n")
        percent = str(round(100 * threshold))
        result = subprocess.run(
            [program, "-p", "-a", "-T", "-i", "-r", "5", "-t", percent],
            input="\n".join(names) + "\n",
            cwd=folder,
            text=True,
            check=True,
            stdout=subprocess.PIPE,
        )
    found = (LINE.search(line) for line in result.stdout.splitlines())
    write(target, ((int(match[1]), int(match[3])) for match in found if match))


main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
