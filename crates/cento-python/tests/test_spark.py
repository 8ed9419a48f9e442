"""DataFrames of Spark: what `cento.dedupe` makes of the same rows, whatever the partitions are."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import WORDS, corpus, run

import cento

pyspark = pytest.importorskip("pyspark")
os.environ["PYSPARK_PYTHON"] = sys.executable

import cento.spark  # noqa: E402
from cento.spark import _kernels as kernels  # noqa: E402
from cento.spark._command import Run, arguments  # noqa: E402

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def ordered() -> Rows:
    """Rows in the order of their ids, with equal texts, chains of similar ones, and texts without digests."""
    rows: Rows = corpus(240)
    chance = random.Random(7)
    base = chance.choices(WORDS, k=150)
    for step in range(40):
        # Each is like the next few; the first is not like the last.
        base[chance.randrange(len(base))] = chance.choice(WORDS)
        rows.append({"id": "", "text": " ".join(base), "score": step % 5, "note": None})
    rows += [{"id": "", "text": text, "score": None, "note": None} for text in ("", " ", "?!")]
    rows += [dict(row) for row in rows[60:90]]
    for number, row in enumerate(rows):
        row["id"] = f"d{number:04}"
    return rows


def frame(spark: Any, rows: Rows, partitions: int = 3, seed: int = 1) -> Any:
    """The rows in any order."""
    shuffled = rows[:]
    random.Random(seed).shuffle(shuffled)
    schema = "id string, text string, score long, note string"
    values = [tuple(row[name] for name in ("id", "text", "score", "note")) for row in shuffled]
    return spark.createDataFrame(values, schema).repartition(partitions)


def listed(found: Any) -> Rows:
    return sorted((row.asDict() for row in found.collect()), key=lambda row: row["id"])


CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"threshold": 0.5, "keep": "last"}, {"_first": 1, "_here": 0}),
    ({"threshold": 0.6, "clusters": "components"}, {"_first": 2}),
]
IS_LONG = bool(os.environ.get("CENTO_LONG"))
if IS_LONG:
    CASES += [
        ({}, {}),
        ({"keep": "longest", "measure": "containment", "threshold": 0.7}, {"_first": 2, "_here": 5}),
        ({"keep": "last", "exact": True}, {}),
        ({"keep": "max:score", "threshold": 0.4}, {"_first": 3}),
        ({"keep": "min:score", "drop_all": True, "clusters": "components", "threshold": 0.9}, {}),
        ({"recipe": "winnow", "keep": "shortest", "threshold": 0.5}, {"_first": 1}),
        ({"measure": "max-containment", "threshold": 0.9, "clusters": "components"}, {"_first": 1}),
        ({"measure": "symmetric", "threshold": 0.3}, {"_first": 2, "_here": 0}),
    ]


@pytest.mark.parametrize(("options", "ours"), CASES)
def test_the_same_documents_as_on_one_machine(
    options: dict[str, Any], ours: dict[str, Any], spark: Any, ordered: Rows
) -> None:
    expected = cento.dedupe(pa.Table.from_pylist(ordered), annotate=True, **options).to_pylist()
    assert len({row["cluster_id"] for row in expected}) < len(expected)
    seed = len(repr(options))
    partitions = 1 + seed % 5
    found = cento.spark.clusters(frame(spark, ordered, partitions, seed), _parts=1 + seed % 4, **options, **ours)
    assert listed(found.annotated()) == expected
    assert listed(found.kept()) == [
        {name: row[name] for name in ("id", "text", "score", "note")} for row in expected if row["is_kept"]
    ]
    counts = found.counts()
    assert (counts["documents"], counts["kept"]) == (len(expected), sum(row["is_kept"] for row in expected))
    if ours.get("_first") == 1:
        assert found.rounds > 1


def test_empty_partitions_make_no_difference(spark: Any, ordered: Rows) -> None:
    rows = ordered[235:255]
    expected = cento.dedupe(pa.Table.from_pylist(rows), threshold=0.6, annotate=True).to_pylist()
    assert listed(cento.spark.dedupe(frame(spark, rows, 40), threshold=0.6, annotate=True, _parts=7)) == expected


def test_a_line_that_all_documents_have_is_not_squared(spark: Any) -> None:
    chance = random.Random(3)
    line = " ".join(f"footer{number}" for number in range(20))
    rows: Rows = []
    for number in range(400):
        words = [f"w{chance.randrange(5000)}" for _ in range(60)]
        copies = 3 if number % 50 == 0 else 1
        for copy in range(copies):
            words[0] = f"copy{copy}"
            rows.append({"id": f"{len(rows):04}", "text": " ".join(words) + " " + line, "score": 0, "note": ""})
    expected = cento.dedupe(pa.Table.from_pylist(rows), annotate=True).to_pylist()
    found = cento.spark.clusters(frame(spark, rows))
    assert listed(found.annotated()) == expected
    assert found.rounds == 1
    met = spark.read.parquet(f"{found._work.path}/round-1-met")
    assert met.count() < 5 * len(rows)


def test_a_cluster_of_many_that_all_differ_is_not_squared(spark: Any) -> None:
    words = [f"w{number}" for number in range(200)]
    rows: Rows = []
    for number in range(260):
        own = words[:]
        own[number % 200] = f"own{number}"
        rows.append({"id": f"{number:04}", "text": " ".join(own), "score": 0, "note": ""})
    for clusters in ("star", "components"):
        expected = cento.dedupe(pa.Table.from_pylist(rows), clusters=clusters, annotate=True).to_pylist()
        found = cento.spark.clusters(frame(spark, rows), clusters=clusters, _first=4)
        assert listed(found.annotated()) == expected
        alike = spark.read.parquet(f"{found._work.path}/round-1-alike")
        assert alike.count() < 20 * len(rows)


def test_pairs_are_those_that_are_alike(spark: Any, ordered: Rows) -> None:
    recipe = cento.Recipe()
    rows = ordered[:80] + ordered[240:260] + ordered[-30:]
    made = [(row["id"], recipe.fingerprint(row["text"])) for row in rows]
    expected = [
        (left, right, one.score(other))
        for place, (left, one) in enumerate(made)
        for right, other in made[place + 1 :]
        if len(one) and len(other) and one.score(other) >= 0.5
    ]
    found = cento.spark.pairs(frame(spark, rows), threshold=0.5)
    assert sorted((row["left"], row["right"], row["similarity"]) for row in found.collect()) == sorted(expected)
    assert len(expected) > 50
    with pytest.raises(TypeError, match="pairs\\(\\) has no option keep"):
        cento.spark.pairs(frame(spark, rows), keep="last")


@pytest.mark.parametrize("passages", [False, True])
def test_tests_are_taken_out(passages: bool, spark: Any, ordered: Rows) -> None:
    tests = [{"id": f"t{number}", "text": ordered[number]["text"]} for number in (3, 40, 77, 120)]
    table = pa.Table.from_pylist(ordered)
    expected = cento.decontaminate(table, pa.Table.from_pylist(tests), passages=passages)
    data = frame(spark, ordered)
    assert listed(cento.spark.decontaminate(data, rows_of_tests(spark, tests), passages=passages)) == expected.to_pylist()
    assert expected.num_rows < len(ordered)
    noted = cento.decontaminate(table, pa.Table.from_pylist(tests), passages=passages, annotate=True)
    found = cento.spark.decontaminate(data, pa.Table.from_pylist(tests), passages=passages, annotate=True)
    assert listed(found) == noted.to_pylist()


def rows_of_tests(spark: Any, tests: Rows) -> Any:
    return spark.createDataFrame([(test["id"], test["text"]) for test in tests], "id string, text string")


def test_odd_input(spark: Any, ordered: Rows) -> None:
    data = frame(spark, ordered)
    with pytest.raises(cento.Error, match="no field named text, .*; there are words; text_key says which"):
        cento.spark.dedupe(spark.createDataFrame([("a",)], "words string"))
    with pytest.raises(cento.OptionError, match="order_by: rows of a DataFrame have no order"):
        cento.spark.dedupe(spark.createDataFrame([("a",)], "text string"))
    with pytest.raises(cento.OptionError, match="order_by: there is no column age; there are id, text"):
        cento.spark.dedupe(data, order_by="age")
    with pytest.raises(TypeError, match="the column text has bytes"):
        cento.spark.dedupe(spark.createDataFrame([("a", b"b")], "id string, text binary"))
    with pytest.raises(TypeError, match="the column text has int, not text"):
        cento.spark.dedupe(spark.createDataFrame([("a", 1)], "id string, text int"))
    with pytest.raises(TypeError, match="list is no DataFrame of Spark"):
        cento.spark.dedupe(["a"])
    with pytest.raises(cento.OptionError, match="approximate: .* is exact"):
        cento.spark.dedupe(data, approximate=True)
    with pytest.raises(cento.OptionError, match="keep: .* one source"):
        cento.spark.dedupe(data, keep="source")
    with pytest.raises(cento.OptionError, match="keep: no document has a number in the field age; the fields are id"):
        cento.spark.dedupe(data, keep="max:age")
    with pytest.raises(cento.OptionError, match="keep: no document has a number in the field note"):
        cento.spark.dedupe(data, keep="max:note")
    with pytest.raises(cento.OptionError, match="threshold: 0 is not a share"):
        cento.spark.dedupe(data, threshold=0)
    with pytest.raises(TypeError, match="dedupe\\(\\) has no option treshold"):
        cento.spark.dedupe(data, treshold=0.5)
    with pytest.raises(TypeError, match="progress is not for Spark"):
        cento.spark.dedupe(data, progress=True)
    with pytest.raises(cento.Error, match="there are no documents in it"):
        cento.spark.dedupe(data.limit(0))
    # Said before the work, and not after it: there are two rows with the same id.
    taken = data.union(data).withColumnRenamed("note", "is_kept")
    with pytest.raises(cento.OptionError, match="annotate: there is a column is_kept already; rename it"):
        cento.spark.dedupe(taken, annotate=True)
    with pytest.raises(cento.OptionError, match="annotate: there is a column is_kept already; rename it"):
        cento.spark.decontaminate(taken, ["a test"], annotate=True)


def test_the_command_says_what_is_wrong_in_one_line(spark: Any, tmp_path: Path) -> None:
    def refused(words: str, *given: object) -> None:
        options = arguments().parse_args([*map(str, given), "-o", str(tmp_path / "out")])
        with pytest.raises(cento.Error, match=words) as caught:
            Run(spark, options).run()
        assert "\n" not in str(caught.value)

    refused("Path does not exist: file:.*missing.jsonl", tmp_path / "missing.jsonl")
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 and nothing more")
    refused("damaged.parquet", damaged)
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "a", "text": "b", "cluster_id": "c"}\n')
    refused("annotate: there is a column cluster_id already", rows, "--annotate")
    refused("its name does not say what it is", tmp_path / "rows.csv")


def test_rows_without_a_text_or_an_id(spark: Any) -> None:
    schema = "id string, text string"
    nulls = spark.createDataFrame([("a", None), ("b", "one text"), ("c", None)], schema)
    with pytest.raises(cento.Error, match="2 of 3 documents cannot be read.* column text is empty"):
        cento.spark.dedupe(nulls)
    with pytest.raises(cento.Error, match="2 of 3 documents cannot be read"):
        cento.spark.decontaminate(nulls, ["a test"])
    assert listed(cento.spark.dedupe(nulls, max_errors=0.9)) == [{"id": "b", "text": "one text"}]
    nameless = spark.createDataFrame([("a", "x"), (None, "y")], schema)
    with pytest.raises(cento.Error, match="the column id, which gives rows their order, is empty in 1 of 2 rows"):
        cento.spark.dedupe(nameless)


def test_ids_that_several_rows_have(spark: Any) -> None:
    schema = "id string, page int, `the text` string"
    values = [("x", 1, "one text in two copies"), ("x", 2, "another one"), ("y", 3, "One text, in two copies!")]
    twice = spark.createDataFrame(values, schema)
    with pytest.raises(cento.Error, match="2 rows have x in the column id, .*; order_by names"):
        cento.spark.dedupe(twice, text_key="the text")
    found = cento.spark.clusters(twice, text_key="the text", order_by=["id", "page"])
    assert sorted(row["page"] for row in found.kept().collect()) == [1, 2]
    noted = found.annotated().collect()
    assert sorted((row["page"], row["cluster_id"]) for row in noted) == [(1, "x"), (2, "x"), (3, "x")]


def batches(*tables: dict[str, list[Any]]) -> Iterator[Any]:
    return iter([pa.RecordBatch.from_pydict(table) for table in tables])


def test_an_engine_that_does_not_sort_is_found_out() -> None:
    place = kernels.placed(["o0"], False)
    good = list(place(batches({"rank": [0, 0], "o0": ["a", "b"]}, {"rank": [0, 1], "o0": ["c", "a"]})))
    assert [one for batch in good for one in batch.column("place").to_pylist()] == [0, 1, 2, 3]
    for wrong in (
        [{"rank": [0, 0], "o0": ["b", "a"]}],
        [{"rank": [0], "o0": ["b"]}, {"rank": [0], "o0": ["a"]}],
        [{"rank": [1, 0], "o0": ["a", "b"]}],
        [{"rank": [0, 0], "o0": ["a", "a"]}],
    ):
        with pytest.raises(cento.Error, match="did not sort the documents, or a row came twice"):
            list(place(batches(*wrong)))


def test_an_engine_that_brings_things_twice_or_damaged_is_found_out() -> None:
    method = kernels.Method({"threshold": 0.5})
    text = "one text of a few words that is long enough"
    digests = pa.table(method.settled().documents([[text, text + " and more"]], None)).column("digests").to_pylist()
    data = {"number": [0, 1], "mark": [0, 1], "open": [1, 1], "digests": digests}
    entries = list(kernels.scattered_entries(method, 1)(batches(data)))
    met = kernels.met(method, "star", 64)
    # Groups are sorted by the kernel: the order of rows has no meaning.
    packed = entries[0].column("packed")[0].as_py()
    records = [packed[at : at + 33] for at in range(0, len(packed), 33)]
    random.Random(1).shuffle(records)
    shuffled = pa.RecordBatch.from_pydict({"packed": [b"".join(records[:3]), b"".join(records[3:])]})
    once = pa.Table.from_batches(met(iter(entries)))
    assert once.num_rows == 1 and pa.Table.from_batches(met(iter([shuffled]))) == once
    with pytest.raises(cento.Error, match="document . came twice"):
        list(met(iter(entries * 2)))
    cut = pa.RecordBatch.from_pydict({"packed": [packed[:-1]]})
    with pytest.raises(cento.Error, match="damaged on their way"):
        list(met(iter([cut])))
    backwards = b"".join(digests[0][at : at + 8] for at in range(len(digests[0]) - 8, -1, -8))
    with pytest.raises(cento.Error, match="damaged on their way"):
        list(kernels.scattered_entries(method, 1)(batches({**data, "digests": [backwards, digests[1]]})))
    other = kernels.Method({"threshold": 0.5})
    other.check = b"of another key"
    with pytest.raises(cento.Error, match="the recipe or the key is another one here"):
        list(kernels.scattered_entries(other, 1)(batches(data)))


@pytest.mark.skipif(not IS_LONG, reason="starts Spark three times; CENTO_LONG=1 runs it")
def test_the_command_writes_what_the_command_line_keeps(ordered: Rows, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ordered))
    pq.write_table(pa.Table.from_pylist(ordered), tmp_path / "rows.parquet")
    run("dedupe", tmp_path / "rows.jsonl", "-o", tmp_path / "kept.jsonl", "--lists", tmp_path / "lists", "-q")
    kept = [json.loads(line)["id"] for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    script = submitted("--script").stdout.strip()
    assert script.endswith("__main__.py")
    done = submitted(tmp_path / "rows.jsonl", "-o", tmp_path / "out", "--pairs")
    assert done.returncode == 0, done.stderr
    assert f"{len(kept)} of {len(ordered)} documents kept, in 1 round" in done.stdout
    rows = [json.loads(line) for file in (tmp_path / "out/data").glob("*.json") for line in file.read_text().splitlines()]
    assert sorted(row["id"] for row in rows) == kept
    record = json.loads((tmp_path / "out/run.json").read_text())
    whole = json.loads((tmp_path / "lists/run.json").read_text())
    for name in ("documents", "kept", "removed", "identical", "repeated_ids", "skipped"):
        assert record["counts"][name] == whole["counts"][name]
    assert record["options"]["recipe"] == whole["options"]["recipe"]
    clusters = pq.read_table(tmp_path / "out/clusters").sort_by("doc_id").to_pylist()
    assert [row["doc_id"] for row in clusters if row["is_kept"]] == kept
    assert pq.read_table(tmp_path / "out/pairs").num_rows == record["counts"]["pairs"]
    assert not (tmp_path / "out.work").exists()
    again = submitted(tmp_path / "rows.parquet", "-o", tmp_path / "out")
    assert again.returncode == 2 and "it exists already; name a new folder" in again.stderr


def submitted(*given: object) -> "subprocess.CompletedProcess[str]":
    """What a user types, on two cores of this machine."""
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=3 "
        "--conf spark.driver.host=127.0.0.1 pyspark-shell",
    }
    command = [sys.executable, "-m", "cento.spark", *map(str, given)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_the_documentation_is_true(spark: Any) -> None:
    import doctest

    page = Path(__file__).parents[3] / "docs" / "spark.md"
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    done = doctest.testfile(str(page), module_relative=False, globs={"spark": spark}, optionflags=flags)
    assert done.attempted >= 9 and done.failed == 0
