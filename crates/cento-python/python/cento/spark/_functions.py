"""What people call."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import BooleanType, StringType, StructField, StructType

from cento import _cento
from cento._columns import chunks
from cento._errors import CentoError
from cento._options import DecontaminateOptions, DedupeOptions
from cento._tables import OF_CLUSTERS, OF_PASSAGES, Rows, named
from cento.spark import _documents
from cento.spark import _kernels as kernels
from cento.spark._clusters import MAX_ERRORS, Settings, clusters, equal
from cento.spark._columns import Columns, column, expect_frame, expect_new
from cento.spark._errors import in_own_words
from cento.spark._work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack


def dedupe(
    df: DataFrame,
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    order_by: "str | Sequence[str] | None" = None,
    annotate: bool = False,
    work: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[DedupeOptions]",
) -> DataFrame:
    """Keep one of several documents that are alike.

    The result is, document for document, that of `cento.dedupe` and `cento dedupe` on the same rows in the order of
    `order_by`: columns that no two rows have the same values in, or the id without it. The options are those of
    `cento.dedupe`; `work` is a folder that all machines see.
    """
    if annotate:
        expect_new(expect_frame(df), OF_CLUSTERS)
    found = clusters(df, text_key=text_key, id_key=id_key, order_by=order_by, work=work, **options)
    return found.annotated() if annotate else found.kept()


@in_own_words
def pairs(
    df: DataFrame,
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    order_by: "str | Sequence[str] | None" = None,
    work: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[DedupeOptions]",
) -> DataFrame:
    """All pairs of documents that are alike: `left`, `right` (their ids) and `similarity`.

    The left one comes first in the order of `order_by`. None is left out, so a thousand copies of one document are
    half a million pairs; `dedupe` does not make them.
    """
    for name in ("keep", "clusters", "drop_all", "exact"):
        if options.get(name) not in (None, False):
            raise TypeError(f"pairs() has no option {name}; dedupe() has it")
    settings = Settings.of(dict(options))
    frame = expect_frame(df)
    columns = Columns.of(frame, text_key, id_key, order_by)
    method = kernels.Method(settings.method)
    place = Work(_documents.session(frame), None if work is None else os.fspath(work))
    documents = _documents.read(frame, columns, method, place, settings.max_errors)
    sets, copies = equal(documents, place)
    search = settings.search(sets, documents.digests, place)
    return expanded(documents, copies, search.all_pairs())


def expanded(documents: Any, copies: DataFrame, alike: DataFrame) -> DataFrame:
    """Pairs of sets → pairs of all documents that have them, with their names."""
    numbered = documents.numbered.filter("size > 0").select("number", "name")
    members = numbered.join(copies, "number", "left").withColumn("first", F.coalesce("first", "number"))
    one = members.select(F.col("first").alias("left"), F.col("number").alias("one"), F.col("name").alias("one_name"))
    other = members.select(
        F.col("first").alias("right"), F.col("number").alias("other"), F.col("name").alias("other_name")
    )
    firsts = copies.select("first").distinct()
    same = firsts.select(F.col("first").alias("left"), F.col("first").alias("right"), F.lit(1.0).alias("similarity"))
    every = alike.union(same).join(one, "left").join(other, "right")
    every = every.filter((F.col("left") != F.col("right")) | (F.col("one") < F.col("other")))
    is_before = F.col("one") < F.col("other")
    return every.select(
        F.when(is_before, F.col("one_name")).otherwise(F.col("other_name")).alias("left"),
        F.when(is_before, F.col("other_name")).otherwise(F.col("one_name")).alias("right"),
        "similarity",
    )


def decontaminate(
    df: DataFrame,
    test: Any,
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    against_text_key: str | None = None,
    against_id_key: str | None = None,
    passages: bool = False,
    annotate: bool = False,
    **options: "Unpack[DecontaminateOptions]",
) -> DataFrame:
    """Remove documents that contain text of test documents.

    `test` is a DataFrame of Spark or a table as `cento.decontaminate` takes it; the test documents are in memory on
    every machine. With `passages=True` the text is cut out, and the documents stay; `annotate=True` keeps all rows
    and says in new columns what was found. The result is that of `cento.decontaminate`, row for row.
    """
    frame = expect_frame(df)
    columns = Columns.of(frame, text_key, id_key, needs_order=False)
    settings: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    for name in ("progress", "threads"):
        if settings.pop(name, None):
            raise TypeError(f"{name} is not for Spark; cento.decontaminate has it")
    max_errors = settings.get("max_errors", MAX_ERRORS)
    tests = test_documents(test, against_text_key or text_key, against_id_key or id_key)
    settings["passages"] = passages
    # What is wrong with tests and options is said here, and not by a machine far away.
    _cento.Tests([tests["texts"]], tests["text_key"], tests["ids"], **settings)
    expect_texts(frame, columns.text, max_errors)
    expect_new(frame, OF_PASSAGES)
    schema = StructType(
        [*frame.schema.fields, StructField("is_kept", BooleanType()), StructField("spans", StringType())]
    )
    with_text = frame.filter(column(columns.text).isNotNull())
    found = with_text.mapInArrow(kernels.cleaned(tests, settings, columns.text, columns.id, annotate), schema)
    return found if annotate else found.filter("is_kept").drop("is_kept", "spans")


def test_documents(test: Any, text_key: str | None, id_key: str | None) -> dict[str, Any]:
    """The test documents, in this process."""
    if hasattr(test, "mapInArrow"):
        columns = Columns.of(test, text_key, id_key, of_tests=True, needs_order=False)
        wanted = [column(columns.text)] + ([] if columns.id is None else [column(columns.id)])
        table = test.select(*wanted).toArrow()
        ids = None
        if columns.id is not None:
            ids = [named(value, row) for row, value in enumerate(table.column(columns.id).to_pylist())]
        return {"texts": table.column(columns.text).to_pylist(), "text_key": columns.text, "ids": ids}
    rows = Rows.of(test, text_key, id_key, of_tests=True)
    texts = rows.table.values(rows.text_key)
    chunks(texts)
    return {"texts": texts, "text_key": rows.text_key, "ids": rows.ids()}


def expect_texts(frame: DataFrame, text_key: str, max_errors: float) -> None:
    """Refuses rows of which too many have no text."""
    seen: Any = frame.agg(F.count("*"), F.count(column(text_key))).first()
    rows, read = seen
    if rows == 0:
        raise CentoError("there are no documents in it")
    if rows - read > max_errors * rows:
        raise CentoError(
            f"{rows - read} of {rows} documents cannot be read, and a share of {max_errors:g} is allowed: their "
            f"column {text_key} is empty"
        )
