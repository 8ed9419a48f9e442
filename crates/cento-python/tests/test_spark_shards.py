"""Shards of a registry, filled and asked by Spark: what one registry has, and what it answers."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import WORDS, catalogue, corpus, run, segments

import cento

pytest.importorskip("pyspark")

import cento.spark  # noqa: E402
from cento.spark import _shard_kernels as kernels  # noqa: E402
from cento.spark._errors import in_own_words  # noqa: E402

Rows = list[dict[str, Any]]
SCHEMA = "id string, text string, who string"
# What reports and Spark have in common.
COLUMNS = (
    "left right score shared containment_left containment_right symmetric resemblance max_containment"
).split()


def documents(count: int, seed: int, first: int = 0) -> Rows:
    """Documents with near-duplicates, and with a line that most of them have."""
    rows: Rows = []
    line = " ".join(f"footer{number}" for number in range(14))
    for number, row in enumerate(corpus(count, seed)):
        text = f"{row['text']} {line}" if number % 4 else str(row["text"])
        rows.append({"id": f"d{first + number:04}", "text": text, "who": None if number % 3 else "anna"})
    return rows


def frame(spark: Any, rows: Rows, partitions: int = 3) -> Any:
    shuffled = rows[:]
    random.Random(len(rows)).shuffle(shuffled)
    values = [(row["id"], row["text"], row["who"]) for row in shuffled]
    return spark.createDataFrame(values, SCHEMA).repartition(partitions)


def table(rows: Rows) -> Any:
    return pa.Table.from_pylist(rows).select(["id", "text"])


class Registries:
    """The same registry twice: in one piece, and cut into shards."""

    def __init__(self, folder: Path, commits: int, **options: Any) -> None:
        self.whole, self.shards = folder / "whole", folder / "shards"
        self.joined = folder / "joined"
        self.key = folder / "key"
        with cento.Registry(self.whole, create=True, key_file=self.key, **options) as registry:
            for commit in range(commits):
                registry.register(table(documents(6, commit, 6 * commit)))
        cut = ["registry", "shard", "--registry", self.whole, "--key-file", self.key, "--into", self.shards]
        run(*cut, "-n", 3)

    def register(self, spark: Any, rows: Rows, **options: Any) -> dict[str, Any]:
        """Registers documents in both, and says what Spark said."""
        done: dict[str, Any] = cento.spark.register(frame(spark, rows), self.shards, key_file=self.key, **options)
        with cento.Registry(self.whole, key_file=self.key) as registry:
            expected = registry.register(table(rows), **options)
        for name in ("new", "versions", "unchanged", "registered", "skipped"):
            assert done[name] == expected[name], name
        return done

    def check_same(self) -> None:
        """Segments byte for byte, and rows of the catalogue."""
        shutil.rmtree(self.joined, ignore_errors=True)
        run("registry", "join", self.shards, "--into", self.joined, "--key-file", self.key)
        assert segments(self.joined) == segments(self.whole)
        assert catalogue(self.joined) == catalogue(self.whole)
        run("registry", "check", "--registry", self.joined, "--key-file", self.key)
        for shard in self.shards.glob("0*/segments/*"):
            assert "new" not in shard.name

    def verify(self, spark: Any, rows: Rows, **options: Any) -> Rows:
        """Asks both; the answer has the same rows in the same order."""
        found = cento.spark.verify(frame(spark, rows), self.shards, key_file=self.key, **options)
        ours = [row.asDict() for row in found.collect()]
        options = {"measure": "max-containment", **options}
        with cento.Registry(self.whole, key_file=self.key) as registry:
            report = registry.verify(table(rows), **options)
        pairs = report.pairs.to_pylist()
        assert [{name: row[name] for name in COLUMNS} for row in ours] == [
            {name: pair[name] for name in COLUMNS} for pair in pairs
        ]
        rarity = [pair["registry"]["rarity"] for pair in json.loads(report.json())["pairs"]]
        assert [{name: row[name] for name in ("rare", "some", "common")} for row in ours] == rarity
        thin = [pair.get("thin", False) for pair in json.loads(report.json())["pairs"]]
        assert [row["thin"] for row in ours] == thin
        return ours


@pytest.fixture(scope="module")
def registries(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Registries:
    """Both after documents of all kinds were registered by Spark."""
    both = Registries(tmp_path_factory.mktemp("registries"), commits=3)
    rows = documents(40, 17, 100) + [{"id": "empty", "text": "", "who": None}, {"id": "marks", "text": "?!", "who": None}]
    # A text that is there already, and one that is another version.
    rows += [documents(6, 0)[2], {"id": "d0003", "text": "This text is not the one that was there before.", "who": None}]
    done = both.register(spark, rows, set="2026", expire="2090-01-01")
    assert (done["new"], done["versions"], done["unchanged"], len(done["skipped"])) == (40, 1, 1, 2)
    both.check_same()
    return both


def test_segments_are_merged_as_on_one_machine(spark: Any, tmp_path: Path) -> None:
    both = Registries(tmp_path, commits=6, retain="text")
    before = len(segments(both.whole))
    both.register(spark, documents(6, 99, 900), id_prefix="more/", submitter="class")
    assert len(segments(both.whole)) < before
    both.check_same()


def test_answers_are_those_of_one_registry(spark: Any, registries: Registries) -> None:
    rows = documents(25, 17, 500) + documents(5, 3, 600)
    rows += [{"id": "none", "text": "", "who": None}, {"id": "other", "text": " ".join(WORDS), "who": None}]
    # Documents that are short come late, and those with too few digests last.
    for words in (4, 5, 30):
        for row in documents(9, 17, 100)[:9]:
            part = str(row["text"]).split()[:words]
            rows.append({"id": f"{words} words of {row['id']}", "text": " ".join(part), "who": None})
    listed = registries.verify(spark, rows)
    assert len(listed) > 20 and any(row["thin"] for row in listed)
    # The line that most have is standard text.
    everything = registries.verify(spark, rows[:12], include_standard=True, threshold=0.05, measure="containment")
    others = registries.verify(spark, rows[:12], threshold=0.05, measure="containment", set="2026")
    few = registries.verify(spark, rows[:12], top=2, threshold=0.05, measure="containment")
    assert len(few) < len(others) < len(everything)


def test_who_and_what_is_in_columns(spark: Any, registries: Registries) -> None:
    rows = documents(6, 40, 2000)
    data = frame(spark, rows, 20)
    done = cento.spark.register(data, registries.shards, key_file=registries.key, submitter_key="who", submitter="ben")
    assert done["new"] == 6
    again = cento.spark.register(data, registries.shards, key_file=registries.key, submitter="ben")
    assert (again["new"], again["unchanged"], len(again["skipped"])) == (0, 4, 2)
    assert "the id is registered with submitter anna" in again["skipped"][0]["reason"]
    listed = run("registry", "list", "--registry", registries.shards, "--key-file", registries.key, "--json").stdout
    owners = {one["id"]: one["submitter"] for one in map(json.loads, listed.splitlines())}
    assert [owners[row["id"]] for row in rows] == [row["who"] or "ben" for row in rows]
    # The one in one piece has them, too, so that others can ask both.
    with cento.Registry(registries.whole, key_file=registries.key) as registry:
        for who in ("anna", "ben"):
            registry.register(table([row for row in rows if (row["who"] or "ben") == who]), submitter=who)


def test_bad_input(spark: Any, registries: Registries, tmp_path: Path) -> None:
    place, key = registries.shards, registries.key
    before = run("registry", "status", "--registry", place, "--key-file", key, "--json").stdout
    for function in (cento.spark.register, cento.spark.verify):
        with pytest.raises(cento.Error, match="no field named text, .*; there are words; text_key says which"):
            function(spark.createDataFrame([("a",)], "words string"), place, key_file=key)
        with pytest.raises(cento.OptionError, match="id_key: documents are registered and listed by their ids"):
            function(spark.createDataFrame([("a",)], "text string"), place, key_file=key)
        with pytest.raises(TypeError, match="the column text has bytes"):
            function(spark.createDataFrame([("a", b"b")], "id string, text binary"), place, key_file=key)
        nulls = spark.createDataFrame([("a", None), ("b", "one text"), (None, "two texts")], "id string, text string")
        with pytest.raises(cento.Error, match="1 of 3 documents cannot be read.* column text is empty"):
            function(nulls, place, key_file=key)
        with pytest.raises(cento.Error, match="the column id, which documents are known by, is empty in 1 of 3 rows"):
            function(nulls, place, key_file=key, max_errors=0.5)
        twice = spark.createDataFrame([("a", "one text"), ("a", "two texts")], "id string, text string")
        with pytest.raises(cento.Error, match="the id a is given twice|2 rows have a in the column id"):
            function(twice, place, key_file=key)
        with pytest.raises(TypeError, match="has no option treshold"):
            function(twice, place, key_file=key, treshold=0.5)
        with pytest.raises(TypeError, match="list is no DataFrame of Spark"):
            function(["a"], place, key_file=key)
        with pytest.raises(cento.Error, match="give it by key_file or in CENTO_KEY"):
            function(twice, place)
        with pytest.raises(cento.Error, match="there are no shards; cut a registry first"):
            function(twice, registries.whole, key_file=key)
    with pytest.raises(cento.Error, match="there are no documents in it"):
        cento.spark.register(twice.limit(0), place, key_file=key)
    with pytest.raises(cento.OptionError, match="expire: soon is not a time"):
        cento.spark.register(twice, place, key_file=key, expire="soon")
    with pytest.raises(cento.OptionError, match="submitter_key: there is no column who; there are id, text"):
        cento.spark.register(twice, place, key_file=key, submitter_key="who")
    with pytest.raises(cento.OptionError, match="measure: .* ranks all documents"):
        cento.spark.verify(twice, place, key_file=key, measure="identity-5")
    assert run("registry", "status", "--registry", place, "--key-file", key, "--json").stdout == before
    by_documents = tmp_path / "by-documents"
    run("registry", "shard", "--registry", registries.whole, "--key-file", key, "--by", "documents", "-n", 2, "--into", by_documents)
    with pytest.raises(cento.Error, match="cut by documents; cut the registry by digests"):
        cento.spark.register(twice, by_documents, key_file=key)


def test_a_missing_shard_is_an_error_that_names_its_range(spark: Any, registries: Registries, tmp_path: Path) -> None:
    shards = tmp_path / "shards"
    shutil.copytree(registries.shards, shards)
    shutil.rmtree(shards / "0002")
    data = frame(spark, documents(4, 50, 3000))
    words = r"shard 2 of 3 \(digests from 5555555555555555 to below aaaaaaaaaaaaaaaa\) is missing"
    for function in (cento.spark.register, cento.spark.verify):
        with pytest.raises(cento.Error, match=words):
            function(data, shards, key_file=registries.key)
    # It may be missing on one machine only.
    asking, count = kernels._cento.shards_asking(str(registries.shards), key_file=str(registries.key))
    assert count == 3
    counted = kernels.counted(kernels.Place(str(shards), str(registries.key)), asking)
    asked = {"id": ["a"], "shard": pa.array([1], pa.int32()), "portion": [bytes(8)]}
    with pytest.raises(cento.Error, match=words):
        list(counted(iter([pa.RecordBatch.from_pydict(asked)])))


def test_an_engine_that_brings_things_twice_or_loses_them_is_found_out(registries: Registries) -> None:
    place = kernels.Place(str(registries.shards), str(registries.key))
    filling = kernels._cento.Shards(place.path, key_file=place.key_file)
    try:
        with pytest.raises(cento.Error, match="process .*`cento spark register`"):
            kernels._cento.Shards(place.path, key_file=place.key_file)
        names = ["id", "label", "submitter", "set", "date", "expire", "text"]
        rows = [[f"n{number}", *[None] * 5, f"a new text with the number {number}"] for number in range(3)]
        given = pa.table([pa.array(values, pa.string()) for values in zip(*rows)], names=names)
        made = list(kernels.documents(place, names[:-1])(iter(given.to_batches())))
        for batch in made:
            filling.add(batch)
        order, places = filling.plan()
        first = {row["unit"]: row["first_block"] for row in places.to_pylist()}
        assert sorted(first) == [0, 1, 2]
        portions = [row for batch in made for row in batch.to_pylist()]
        sent = [
            {
                "shard": 1,
                "unit": unit,
                "first_block": first[unit],
                "tokens": row["tokens"],
                "weight": row["weight"],
                "portion": row["portions"][1],
            }
            for unit, row in enumerate(portions)
        ]
        for wrong in (sent[:2], [*sent, sent[0]]):
            with pytest.raises(cento.Error, match=r"shard 2 of 3 .* did not get every new document once; run it again"):
                list(kernels.built(place, order)(brought(wrong)))
        # One of three shards was written, and said so twice: nothing is registered.
        told = [one for batch in kernels.built(place, order)(brought(sent)) for one in batch.column("built").to_pylist()]
        with pytest.raises(cento.Error, match=r"shard 1 of 3 .* was not written; nothing was changed"):
            filling.commit(told * 2)
    finally:
        filling.close()
    with pytest.raises(cento.Error, match="the shards are closed"):
        filling.plan()


def brought(rows: Rows) -> Iterator[Any]:
    schema = pa.schema(
        [("shard", pa.int32()), ("unit", pa.int64()), ("first_block", pa.int64()), ("tokens", pa.int64())]
        + [("weight", pa.float64()), ("portion", pa.binary())]
    )
    return iter(pa.Table.from_pylist(rows, schema).to_batches())


def test_errors_of_executors_are_our_own(spark: Any, tmp_path: Path) -> None:
    def fails(batches: Iterator[Any]) -> Iterator[Any]:
        raise cento.OptionError("threshold: too\nmany words")
        yield from batches

    broken = spark.range(3).mapInArrow(fails, "id long")
    for act in (broken.count, lambda: broken.write.parquet(str(tmp_path / "out"))):
        with pytest.raises(cento.OptionError) as caught:
            in_own_words(act)()
        assert str(caught.value) == "threshold: too\nmany words"
    with pytest.raises(ValueError, match="of somebody else"):
        in_own_words(lambda: (_ for _ in ()).throw(ValueError("of somebody else")))()
