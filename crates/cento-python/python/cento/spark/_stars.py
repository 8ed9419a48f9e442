"""Stars: a document is kept unless one that is kept already is alike."""

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from cento import _cento
from cento.spark._kernels import whole
from cento.spark._search import Search

# So many pairs are settled by the process that began the run; more of them by the machines, round by round.
HERE = 2_000_000


class Stars:
    """Which sets are kept, and which ones each of the others is like."""

    def __init__(self, search: Search, here: int) -> None:
        self.search = search
        self.here = here
        self.steps = 0
        self.removed = self.empty("number long")
        self.run()

    def run(self) -> None:
        """Goes on until everything is settled."""
        search = self.search
        sets = search.sets.select("number", F.col("last").alias("mark"), "digests")
        participants = sets.withColumn("open", F.lit(1).cast("long"))
        while True:
            name = f"round-{search.rounds + 1}"
            alike, late = search.round(participants, "star")
            between = alike.filter("left_open = 1 and right_open = 1").select("left", "right")
            kept, removed, blocked = self.settle(between, late, name)
            self.removed = self.removed.union(search.work.keep(f"{name}-removed", removed))
            if late is None:
                return
            settled = kept.union(removed)
            undecided = late.union(blocked).distinct().join(settled, "number", "left_anti")
            undecided = search.work.keep(f"{name}-undecided", undecided)
            # Those that are removed may yet find one that they are more like.
            still = undecided.withColumn("open", F.lit(1).cast("long"))
            others = self.removed.withColumn("open", F.lit(0).cast("long"))
            participants = sets.join(still.union(others), "number")

    def settle(self, pairs: DataFrame, late: DataFrame | None, name: str) -> tuple[DataFrame, DataFrame, DataFrame]:
        """Who is kept and who is removed of the documents of pairs, and for whom it is not known yet."""
        kept, removed = self.empty("number long"), self.empty("number long")
        while (count := pairs.count()) > self.here:
            self.steps += 1
            # Nobody comes before these, so they are kept, and all that are like them are removed.
            is_behind = pairs.select(F.col("right").alias("number")).distinct()
            first = pairs.select(F.col("left").alias("number")).distinct()
            now_kept = first.join(is_behind, "number", "left_anti")
            if late is not None:
                now_kept = now_kept.join(late, "number", "left_anti")
            step = f"{name}-step-{self.steps}"
            now_kept = self.search.work.keep(f"{step}-kept", now_kept)
            now_removed = pairs.join(now_kept.withColumnRenamed("number", "left"), "left")
            now_removed = now_removed.select(F.col("right").alias("number")).distinct()
            now_removed = self.search.work.keep(f"{step}-removed", now_removed)
            kept, removed = kept.union(now_kept), removed.union(now_removed)
            for side in ("left", "right"):
                pairs = pairs.join(now_removed.withColumnRenamed("number", side), side, "left_anti")
            pairs = pairs.join(now_kept.withColumnRenamed("number", "left"), "left", "left_anti")
            pairs = self.search.work.keep(f"{step}-pairs", pairs.select("left", "right"))
            if pairs.count() == count:
                # All of them wait for somebody who is late.
                vertices = pairs.select(F.col("left").alias("number")).union(pairs.select("right"))
                return kept, removed, vertices.distinct()
        if count == 0:
            return kept, removed, self.empty("number long")
        self.steps += 1
        table = pairs.toArrow()
        left, right = (whole(table.column(name)) for name in ("left", "right"))
        vertices = pa.concat_arrays([left, right]).unique()
        known = self.frame(pa.table({"number": vertices}))
        late_ones = pa.array([], pa.int64())
        if late is not None:
            late_ones = whole(late.join(known, "number").toArrow().column("number"))
        found: Any = pa.table(_cento.spark_settle(left, right, late_ones))
        is_kept = found.column("is_kept")
        now_kept = self.frame(found.filter(is_kept).select(["number"]))
        now_removed = self.frame(found.filter(pc.invert(is_kept)).select(["number"]))
        return kept.union(now_kept), removed.union(now_removed), known

    def joins(self) -> DataFrame:
        """Sets that are removed with all those that are kept and alike: `number`, `star`, `similarity`."""
        alike = self.search.alike
        assert alike is not None
        removed = self.removed.select(F.col("number").alias("gone"))
        directions = []
        for one, other in (("left", "right"), ("right", "left")):
            pairs = alike.select(F.col(one).alias("star"), F.col(other).alias("number"), "similarity")
            pairs = pairs.join(removed, pairs["number"] == removed["gone"], "left_semi")
            directions.append(pairs.join(removed, pairs["star"] == removed["gone"], "left_anti"))
        return directions[0].union(directions[1]).distinct()

    def empty(self, schema: str) -> DataFrame:
        """No rows."""
        return self.search.spark.createDataFrame([], schema)

    def frame(self, table: Any) -> DataFrame:
        """A table of this process for all machines."""
        if table.num_rows == 0:
            return self.empty("number long")
        frame: DataFrame = self.search.spark.createDataFrame(table)
        return frame
