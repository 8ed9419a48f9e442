"""DataFrame → documents with digests, numbered in the order in which they are preferred."""

from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, IntegerType, LongType, StructField, StructType

from cento._errors import CentoError, OptionError
from cento.spark import _kernels as kernels
from cento.spark._columns import Columns, column, kind
from cento.spark._work import Work


class Documents:
    """The documents of a DataFrame, written down.

    `numbered` has a row for each: `number`, `size` (how many digests), `digests`, `hash` (what only documents
    with the same digests have), `name` (the id), `characters`, and the columns of the order, `o0` and so on.
    """

    def __init__(self, numbered: DataFrame, keys: list[str], count: int, skipped: int, digests: int) -> None:
        self.numbered = numbered
        self.keys = keys
        self.count = count
        self.skipped = skipped
        self.digests = digests


def read(
    frame: DataFrame, columns: Columns, method: kernels.Method, work: Work, max_errors: float
) -> Documents:
    """Makes fingerprints, checks the rows, and numbers them."""
    settled = method.settled()
    keys = [f"o{place}" for place in range(len(columns.order))]
    named = F.concat_ws("/", *[column(name).cast("string") for name in columns.order])
    if columns.id is not None:
        id_ = column(columns.id).cast("string")
        named = F.when(id_.isNotNull() & (id_ != ""), id_).otherwise(named)
    wanted = [column(name).alias(key) for name, key in zip(columns.order, keys)]
    wanted += [named.alias("name"), column(columns.text).alias("text")]
    if settled.field is not None:
        if settled.field not in frame.columns:
            raise OptionError(
                f"keep: no document has a number in the field {settled.field}; the fields are "
                + ", ".join(frame.columns)
            )
        wanted.append(column(settled.field).alias("field"))
    selected = frame.select(*wanted)
    passed = [*keys, "name"]
    fields = [StructField(key, kind(selected, key)) for key in passed]
    fields += [
        StructField("rank", LongType()),
        StructField("digests", BinaryType()),
        StructField("hash", BinaryType()),
        StructField("characters", LongType()),
    ]
    is_exact = settled.clusters == "exact"
    made = selected.mapInArrow(kernels.documents(method, passed, is_exact), StructType(fields))
    documents = work.keep("documents", made)
    count, skipped = expect_rows(documents, columns, keys, settled, max_errors)
    numbered, digests = number(documents.filter(F.col("rank").isNotNull()), keys, settled.is_last, work)
    return Documents(numbered, keys, count, skipped, digests)


def expect_rows(
    documents: DataFrame, columns: Columns, keys: list[str], settled: Any, max_errors: float
) -> tuple[int, int]:
    """Refuses rows that cannot be told apart, or of which too many have no text."""
    is_read = F.col("rank").isNotNull()
    lacks_order = F.lit(False)
    for key in keys:
        lacks_order = lacks_order | F.col(key).isNull()
    # Without a number in the field all documents have the rank of those that come last.
    seen: Any = documents.agg(
        F.count("*"), F.count("rank"), F.count_if(is_read & lacks_order), F.min("rank"), F.max("rank")
    ).first()
    rows, read_rows, nameless, least, most = seen
    skipped = rows - read_rows
    order = ", ".join(columns.order)
    if rows == 0:
        raise CentoError("there are no documents in it")
    if skipped > max_errors * rows:
        raise CentoError(
            f"{skipped} of {rows} documents cannot be read, and a share of {max_errors:g} is allowed: their column "
            f"{columns.text} is empty"
        )
    if read_rows == 0:
        raise CentoError(f"there are no documents in it: the column {columns.text} is empty")
    if nameless:
        raise CentoError(f"the column {order}, which gives rows their order, is empty in {nameless} of {rows} rows")
    if settled.field is not None and least == most == settled.rank_without_field:
        raise OptionError(f"keep: no document has a number in the field {settled.field}")
    groups = documents.filter(is_read).groupBy(*keys).count()
    twice = groups.filter("count > 1").orderBy(*keys).limit(1).collect()
    if twice:
        example = ", ".join(str(twice[0][key]) for key in keys)
        times = twice[0]["count"]
        raise CentoError(
            f"{times} rows have {example} in the column {order}, which gives rows their order; order_by names "
            "columns that no two rows have the same values in"
        )
    return read_rows, skipped


def number(documents: DataFrame, keys: list[str], is_last: bool, work: Work) -> tuple[DataFrame, int]:
    """Numbers documents in the order in which they are preferred, whatever the partitions are."""
    order = [F.col(key).desc() if is_last else F.col(key) for key in keys]
    ordered = documents.sort(F.col("rank"), *order)
    fields = [*documents.schema.fields, StructField("partition", IntegerType()), StructField("place", LongType())]
    placed = work.keep("placed", ordered.mapInArrow(kernels.placed(keys, is_last), StructType(fields)))
    size = (F.octet_length("digests") / 8).cast("long")
    spans = F.struct("rank", *keys)
    parts = placed.groupBy("partition").agg(
        F.count("*").alias("rows"),
        F.max("place").alias("last"),
        F.countDistinct("place").alias("places"),
        F.sum(size).alias("digests"),
        F.min(spans).alias("least"),
        F.max(spans).alias("most"),
    )
    found = sorted(parts.collect(), key=lambda part: part["partition"])
    starts = [0] * (found[-1]["partition"] + 1)
    total = 0
    before: Any = None
    for part in found:
        least, most = (tuple(part[name]) for name in ("least", "most"))
        if part["rows"] != part["last"] + 1 or part["rows"] != part["places"] or not follows(before, least, most, is_last):
            raise CentoError("the engine did not sort the documents across its partitions; nothing can be said of them")
        before = (least, most)
        starts[part["partition"]] = total
        total += part["rows"]
    offset = F.element_at(F.array(*[F.lit(start).cast("long") for start in starts]), F.col("partition") + 1)
    numbered = placed.withColumn("number", offset + F.col("place")).withColumn("size", size)
    return numbered, sum(part["digests"] for part in found)


def follows(before: Any, least: Any, most: Any, is_last: bool) -> bool:
    """Whether one partition comes behind another."""
    if before is None:
        return True
    return bool(most < before[0] if is_last else before[1] < least)


def session(frame: DataFrame) -> SparkSession:
    """The session of a DataFrame."""
    return frame.sparkSession
