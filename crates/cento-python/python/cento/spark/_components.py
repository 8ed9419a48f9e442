"""Components: documents that a chain of similar ones connects."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from cento.spark import _kernels as kernels
from cento.spark._search import Search, renamed


class Components:
    """The first document that each set is connected with."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.steps = 0
        self.trees = self.run()

    def run(self) -> DataFrame:
        """Goes on until all that are alike are connected: `number`, `root`."""
        search = self.search
        sets = search.sets.select("number", "digests")
        is_open = F.lit(1).cast("long").alias("open")
        participants = sets.select("number", F.col("number").alias("mark"), is_open, "digests")
        while True:
            _, late = search.round(participants, "components")
            trees = self.connected()
            if late is None:
                return trees
            # Those that were late nowhere have met everybody.
            marked = sets.join(late, "number").join(trees, "number", "left")
            mark = F.coalesce("root", "number").alias("mark")
            participants = marked.select("number", mark, is_open, "digests")

    def connected(self) -> DataFrame:
        """Trees of all pairs so far: first in every partition, then of fewer and fewer."""
        search = self.search
        assert search.alike is not None
        trees = search.alike.select(F.col("left").alias("number"), F.col("right").alias("root"))
        partitions = search.parts
        while True:
            partitions = max(1, partitions // 8)
            self.steps += 1
            trees = trees.repartition(partitions).mapInArrow(kernels.forest, "number long, root long")
            if partitions == 1:
                return search.work.keep(f"round-{search.rounds}-trees", trees)

    def joins(self) -> DataFrame:
        """Every set that is not the first of its component with that one: `number`, `star`, `similarity`."""
        search = self.search
        digests = search.sets.select("number", "digests")
        pairs = self.trees.filter("number != root").select(F.col("number").alias("left"), F.col("root").alias("right"))
        pairs = pairs.join(renamed(digests, "left"), "left").join(renamed(digests, "right"), "right")
        scored = pairs.mapInArrow(kernels.scored(search.method), "left long, right long, similarity double")
        return scored.select(F.col("left").alias("number"), F.col("right").alias("star"), "similarity")
