"""Data that the tests write, and the command line that they hold the module against."""

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def segments(path: Path) -> dict[str, bytes]:
    """The files of a registry."""
    return {file.name: file.read_bytes() for file in sorted((path / "segments").iterdir())}


def catalogue(path: Path) -> list[tuple[str, Any]]:
    """All rows, without the times of registering, and without checksums that depend on them."""
    rows: list[tuple[str, Any]] = []
    with sqlite3.connect(path / "catalog.sqlite") as catalog:
        for name in ("settings", "documents", "segments", "keepsakes", "ignored", "sqlite_sequence"):
            found = catalog.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in found.description]
            left_out = ("registered", "checksum") if name == "documents" else ()
            kept = [place for place, column in enumerate(columns) if column not in left_out]
            rows += [(name, tuple(row[place] for place in kept)) for row in found.fetchall()]
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


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session of Spark on this machine, for all tests."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("cento tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.default.parallelism": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
        # Many small jobs: what makes long ones fast takes longer than they do.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
