"""Shards of a registry, filled and asked by the executors. Spark moves portions; who calls makes the one commit."""

import json
import os
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, StringType

from cento import _cento
from cento._errors import CentoError, OptionError
from cento._options import SparkRegisterOptions, SparkVerifyOptions
from cento.spark import _documents
from cento.spark import _shard_kernels as kernels
from cento.spark._clusters import MAX_ERRORS
from cento.spark._columns import Columns, column, expect_frame, kind
from cento.spark._errors import in_own_words
from cento.spark._work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack

# What may be said of each document in a column of its own.
FACTS = ("label", "submitter", "set", "date", "expire")
READ = (
    "reason string, content binary, words long, digests long, ignored long, blocks long, tokens long, weight double, "
    "extractor string, retained binary, portions array<binary>"
)
QUESTION = "id string, reason string, words long, digests long, portions array<binary>"
SHARES = ("containment_left", "containment_right", "symmetric", "resemblance", "max_containment")
LISTED = ("left", "right", "score", "shared", *SHARES, "rare", "some", "common", "thin")
ANSWER = (
    "left string, right string, score double, shared long, "
    + ", ".join(f"{name} double" for name in SHARES)
    + ", rare long, some long, common long, thin boolean, rank int, exact_score double"
)


@in_own_words
def register(
    df: DataFrame,
    shards: "str | os.PathLike[str]",
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    work: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[SparkRegisterOptions]",
) -> dict[str, Any]:
    """Register the documents of a DataFrame in shards by digests, all of them in one commit.

    `shards` is a folder that all machines see, made by `cento registry shard`. The options are those of
    `cento register`: submitter, set, date, expire, id_prefix, on_change; label_key, submitter_key, set_key, date_key
    and expire_key name columns with those of each document. The result says how many documents are `new`, `versions`
    of registered ones and `unchanged`, and which were `skipped` and why.
    """
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    frame = expect_frame(df)
    columns = Columns.of(frame, text_key, id_key, needs_order=False)
    facts = {name: fact_column(frame, name, given.pop(f"{name}_key", None)) for name in FACTS}
    max_errors = given.pop("max_errors", MAX_ERRORS)
    path = os.path.abspath(os.fspath(shards))
    place = kernels.Place(path, own_path(given.pop("key_file", None)))
    work_folder = Work(_documents.session(frame), None if work is None else os.fspath(work))
    filling = _cento.Shards(path, key_file=place.key_file, **given)
    try:
        of_set = F.coalesce(facts["set"], F.lit(given.get("set")).cast("string")).alias("set")
        known = [of_set if name == "set" else facts[name].alias(name) for name in FACTS]
        selected = frame.select(document_id(columns), *known, column(columns.text).alias("text"))
        passed = ["id", *FACTS]
        schema = ", ".join(f"{name} string" for name in passed) + ", " + READ
        made = selected.mapInArrow(kernels.documents(place, passed), schema)
        documents = work_folder.keep("documents", made)
        expect_rows(documents, columns, max_errors)
        fill(filling, place, documents, work_folder, str(given.get("id_prefix", "")))
        outcome: dict[str, Any] = json.loads(filling.outcome())
        return outcome
    finally:
        filling.close()
        work_folder.remove()


def fill(filling: Any, place: kernels.Place, documents: DataFrame, work: Work, id_prefix: str) -> None:
    """Has all slices written, puts them in place, and commits; then has segments merged as one machine would."""
    # All but digests: these never come here.
    for batch in documents.drop("portions", "tokens", "weight").toArrow().to_batches():
        filling.add(batch)
    order, places = filling.plan()
    if len(places) == 0:
        filling.commit([])
    else:
        # A table of Arrow is sent as it is.
        numbered = work.spark.createDataFrame(places.to_pyarrow()).withColumnRenamed("id", "registered")
        name = F.concat(F.lit(id_prefix), F.col("id"))
        placed = documents.filter("reason is null").join(numbered, name == F.col("registered"))
        portions = placed.select("unit", "first_block", "tokens", "weight", F.posexplode("portions"))
        portions = portions.withColumnRenamed("pos", "shard").withColumnRenamed("col", "portion")
        sent = portions.repartitionById(filling.shards, F.col("shard"))
        filling.commit(told(sent.mapInArrow(kernels.built(place, order), "built string")))
    while (order := filling.due()) is not None:
        every = work.spark.range(filling.shards).select(F.col("id").cast("int").alias("shard"))
        every = every.repartitionById(filling.shards, F.col("shard"))
        filling.replace(order, told(every.mapInArrow(kernels.merged(place, order), "built string")))


def told(built: DataFrame) -> list[str]:
    """What executors have built."""
    return [row["built"] for row in built.collect()]


@in_own_words
def verify(
    df: DataFrame,
    shards: "str | os.PathLike[str]",
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    work: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[SparkVerifyOptions]",
) -> DataFrame:
    """Find what the documents of a DataFrame share with those that are registered in shards by digests.

    The rows are those that `cento verify --measure` lists, in its order: `left` (the document), `right` (the
    registered one), `score`, `shared`, the shares of both, and how many of the shared digests are `rare`, `some` or
    `common`. The options are `measure`, `threshold`, `top`, `set` and `include_standard`, as `cento verify` has them.
    """
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    frame = expect_frame(df)
    columns = Columns.of(frame, text_key, id_key, needs_order=False)
    max_errors = given.pop("max_errors", MAX_ERRORS)
    path = os.path.abspath(os.fspath(shards))
    place = kernels.Place(path, own_path(given.pop("key_file", None)))
    named = document_id(columns)
    asking, count = _cento.shards_asking(path, key_file=place.key_file, **given)
    folder = Work(_documents.session(frame), None if work is None else os.fspath(work))
    selected = frame.select(named, column(columns.text).alias("text"))
    asked = folder.keep("questions", selected.mapInArrow(kernels.questions(place, asking), QUESTION))
    expect_rows(asked, columns, max_errors)
    expect_different(asked, columns)
    whole = asked.filter("reason is null")
    sent = whole.select("id", "words", "digests", F.posexplode("portions"))
    sent = sent.withColumnRenamed("pos", "shard").withColumnRenamed("col", "portion")
    sent = sent.repartitionById(count, F.col("shard"))
    counts = "id string, words long, digests long, shard int, counts binary"
    said = sent.mapInArrow(kernels.counted(place, asking), counts)
    together = said.groupBy("id", "words", "digests").agg(F.collect_list(F.struct("shard", "counts")).alias("said"))
    together = together.select(
        "id", "words", "digests", F.col("said.shard").alias("shards"), F.col("said.counts").alias("counts")
    )
    found = folder.keep("answers", together.mapInArrow(kernels.answers(place, asking), ANSWER))
    ordered = found.orderBy("rank", F.desc("exact_score"), "left", "right")
    return ordered.select(*LISTED)


def document_id(columns: Columns) -> Column:
    """The ids, which documents are known by in a registry."""
    if columns.id is None:
        raise OptionError("id_key: documents are registered and listed by their ids; name the column that has them")
    return column(columns.id).cast("string").alias("id")


def fact_column(frame: DataFrame, name: str, given: str | None) -> Column:
    """The column that says something of each document, or nothing."""
    if given is None:
        return F.lit(None).cast("string")
    if given not in frame.columns:
        raise OptionError(f"{name}_key: there is no column {given}; there are {', '.join(frame.columns)}")
    found = kind(frame, given)
    if not isinstance(found, StringType) or isinstance(found, BinaryType):
        raise OptionError(f"{name}_key: the column {given} has {found.simpleString()}, not text; cast it to string first")
    return F.nullif(column(given), F.lit(""))


def own_path(path: Any) -> str | None:
    """A path that is the same wherever a process was started."""
    return None if path is None else os.path.abspath(os.fspath(path))


def expect_rows(rows: DataFrame, columns: Columns, max_errors: float) -> None:
    """Refuses rows without ids, and rows of which too many have no text."""
    is_empty = F.col("reason") == "no text in it"
    nameless = F.col("id").isNull() | (F.col("id") == "")
    seen: Any = rows.agg(F.count("*"), F.count_if(is_empty), F.count_if(nameless)).first()
    count, empty, without = seen
    if count == 0:
        raise CentoError("there are no documents in it")
    if empty > max_errors * count:
        raise CentoError(
            f"{empty} of {count} documents cannot be read, and a share of {max_errors:g} is allowed: their column "
            f"{columns.text} is empty"
        )
    if without:
        raise CentoError(f"the column {columns.id}, which documents are known by, is empty in {without} of {count} rows")


def expect_different(rows: DataFrame, columns: Columns) -> None:
    """Refuses rows that are called alike."""
    twice = rows.groupBy("id").count().filter("count > 1").orderBy("id").limit(1).collect()
    if twice:
        times, name = twice[0]["count"], twice[0]["id"]
        raise CentoError(f"{times} rows have {name} in the column {columns.id}, which documents are known by")
