"""The scripts in examples/python do what they say, and the documentation is true."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples" / "python"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("deduplicate.py", "of 400 documents kept"),
        ("decontaminate.py", "2 of 3 documents are clean"),
        ("class.py", "brandt.txt"),
        ("datatrove_block.py", "['a', 'b']"),
    ],
)
def test_examples_run(script: str, expected: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_every_example_is_run() -> None:
    scripts = {path.name for path in EXAMPLES.glob("*.py")}
    assert scripts == {"deduplicate.py", "decontaminate.py", "class.py", "datatrove_block.py"}


def test_the_histogram_is_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "histogram.png"
    subprocess.run([sys.executable, str(EXAMPLES / "deduplicate.py"), "-o", str(picture)], check=True)
    assert picture.read_bytes().startswith(b"\x89PNG")
