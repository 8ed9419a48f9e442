"""Documents that are alike, round by round.

A round brings documents together that have a digest in common at which similar ones must meet (exchange by
digest), counts how often two of them met (exchange by pair), and compares those that may be alike by all of
their digests. A digest that very many documents have does not cost the square of their number: only the first
documents of such a group are held against the others, and those that came late are looked at in the next round,
in which four times as many come first. By then most of them have found their cluster.
"""

from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from cento import _cento
from cento.spark import _kernels as kernels
from cento.spark._work import Work

MET = (
    "left long, right long, met long, left_size long, left_rest long, right_size long, right_rest long, "
    "left_open long, right_open long"
)
PAIR = "left long, right long, left_open long, right_open long"

# Of a group of documents that meet, so many come first in the first round.
FIRST = 64
# More of the frequent digests than this need not be known.
FREQUENT = 1 << 21
# Bytes of entries that a task holds in memory.
TASK = 64 << 20


class Search:
    """A search among sets of digests: `sets` has `number`, `last` (the last document with the same digests) and
    `digests`."""

    def __init__(
        self, sets: DataFrame, digests: int, options: dict[str, Any], work: Work, *, first: int, parts: int | None
    ) -> None:
        self.sets = sets
        self.work = work
        self.spark: SparkSession = work.spark
        self.first = first
        usual = int(str(self.spark.conf.get("spark.sql.shuffle.partitions", "200")))
        self.parts = parts or max(usual, digests * 33 // TASK)
        self.method = kernels.Method(options)
        self.method = kernels.Method(options, self.frequent(digests))
        self.rounds = 0
        self.alike: DataFrame | None = None

    def frequent(self, digests: int) -> bytes:
        """The digests that many documents have, as far as a sample tells: they are looked at last."""
        step, least = _cento.spark_sample(digests)
        sample = self.sets.filter(F.col("number") % step == 0).select("digests")
        packed = sample.mapInArrow(kernels.scattered_digests(self.parts), "part int, packed binary")
        counted = packed.groupBy("part").applyInArrow(kernels.frequent(least), "digest long, documents long")
        most = counted.orderBy(F.desc("documents"), "digest").limit(FREQUENT).select("digest")
        found = kernels.whole(most.toArrow().column("digest"))
        return b"".join(value.to_bytes(8, "little", signed=True) for value in found.to_pylist())

    def round(self, participants: DataFrame, meeting: str) -> tuple[DataFrame, DataFrame | None]:
        """One round among documents with `number`, `mark`, `open` and `digests`: the pairs that are alike, and
        the documents that were late."""
        self.rounds += 1
        name = f"round-{self.rounds}"
        first = self.first * 4 ** (self.rounds - 1)
        entries = participants.mapInArrow(
            kernels.scattered_entries(self.method, self.parts), "part int, packed binary"
        )
        met = entries.groupBy("part").applyInArrow(kernels.met(self.method, meeting, first), MET)
        met = self.work.keep(f"{name}-met", met)
        late: DataFrame | None = met.filter(F.col("right").isNull()).select(F.col("left").alias("number")).distinct()
        pairs = met.filter(F.col("right").isNotNull())
        same = [one for one in pairs.columns if one != "met"]
        counted = pairs.groupBy(*same).agg(F.sum("met").alias("met"))
        probable = counted.mapInArrow(kernels.probable(self.method), PAIR)
        if meeting == "all" or met.filter(F.col("right").isNull()).limit(1).count() == 0:
            late = None
        else:
            late = self.work.keep(f"{name}-late", late)  # type: ignore[arg-type]
            probable = complete(probable, late)
        digests = self.sets.select(F.col("number"), F.col("digests"))
        with_right = probable.join(renamed(digests, "right"), "right")
        with_both = with_right.join(renamed(digests, "left"), "left")
        alike = with_both.mapInArrow(kernels.alike(self.method), PAIR + ", similarity double")
        alike = self.work.keep(f"{name}-alike", alike)
        self.alike = alike if self.alike is None else self.alike.unionByName(alike)
        return alike, late

    def all_pairs(self) -> DataFrame:
        """All pairs that are alike."""
        mark, is_open = F.col("number").alias("mark"), F.lit(1).cast("long").alias("open")
        alike, _ = self.round(self.sets.select("number", mark, is_open, "digests"), "all")
        return alike.select("left", "right", "similarity")


def renamed(digests: DataFrame, side: str) -> DataFrame:
    """The digests of documents on one side of pairs."""
    return digests.select(F.col("number").alias(side), F.col("digests").alias(f"{side}_digests"))


def complete(pairs: DataFrame, late: DataFrame) -> DataFrame:
    """Pairs that met wherever they could: one of them may be kept, and was late nowhere."""
    for side in ("left", "right"):
        is_late = late.select(F.col("number").alias(side), F.lit(1).alias(f"{side}_late"))
        pairs = pairs.join(is_late, side, "left")
    is_whole = F.lit(False)
    for side in ("left", "right"):
        is_whole = is_whole | ((F.col(f"{side}_open") == 1) & F.col(f"{side}_late").isNull())
    return pairs.filter(is_whole).select("left", "right", "left_open", "right_open")
