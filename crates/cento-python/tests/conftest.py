"""Data that the tests write, and the command line that they hold the module against."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from cento._command import program

WORDS = (
    "town canal bridge water years loan paid price bread war essay library river stone letter winter "
    "harvest market road school teacher history council harbour mill tower garden field street church"
).split()


def run(*arguments: object, check: bool = True) -> "subprocess.CompletedProcess[str]":
    """The command line."""
    command = [str(program()), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check)


def corpus(documents: int, seed: int = 1) -> list[dict[str, object]]:
    """Rows with near-duplicates, equal texts, short ones, and columns of other kinds."""
    chance = random.Random(seed)
    rows: list[dict[str, object]] = []
    for number in range(documents):
        kind = chance.random()
        if rows and kind < 0.3:
            words = str(chance.choice(rows)["text"]).split()
            for _ in range(chance.randint(0, 4)):
                words[chance.randrange(len(words))] = chance.choice(WORDS)
            text = " ".join(words)
        elif rows and kind < 0.4:
            text = str(chance.choice(rows)["text"])
        else:
            text = " ".join(chance.choices(WORDS, k=chance.randint(1, 120)))
        rows.append(
            {
                "id": f"d{number}",
                "text": text,
                "score": chance.randint(0, 9),
                "note": None if number % 7 == 0 else f"naïve {number}",
            }
        )
    return rows


@pytest.fixture(scope="session")
def rows() -> list[dict[str, object]]:
    return corpus(300)


@pytest.fixture(scope="session")
def jsonl(rows: list[dict[str, object]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def essays(tmp_path: Path) -> Path:
    """Four essays, two of which share a passage."""
    folder = tmp_path / "essays"
    folder.mkdir()
    shared = "the town rebuilt its canal in nine years and paid for it with a loan from the council"
    for name, text in {
        "anna.txt": f"First of all {shared}. That is what my essay is about.",
        "ben.txt": f"Everybody says that {shared}. I do not think so.",
        "cleo.txt": "This essay is about the price of bread before the war and in the winter after it.",
        "dora.txt": "Towers and gardens, streets and churches: a walk through the old harbour.",
    }.items():
        (folder / name).write_text(text)
    return folder
