"""Near-duplicates of a DataFrame: which rows are kept, and which one each of the others is like."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from cento._options import DedupeOptions
from cento._tables import OF_CLUSTERS
from cento.spark import _documents, _search
from cento.spark import _kernels as kernels
from cento.spark._columns import Columns, column, expect_frame, expect_new
from cento.spark._components import Components
from cento.spark._errors import in_own_words
from cento.spark._stars import HERE, Stars
from cento.spark._work import Work

if TYPE_CHECKING:
    from typing_extensions import Unpack

MAX_ERRORS = 0.001
# So many copies are no longer sent to every task.
MANY = 200_000


class Clusters:
    """What was found in a DataFrame.

    * `fates`: a DataFrame with a row for each document: `doc_id`, `cluster_id`, `is_kept` and
      `similarity_to_kept`, as clusters.csv has them
    * `kept(df)` and `annotated(df)`: the rows that are kept, and all rows with these columns
    * `rounds` and `steps`: how often documents were brought together, and how often clusters were made of pairs
    * `counts()`: how many documents were read, kept and removed
    """

    def __init__(self, frame: DataFrame, columns: Columns, settled: Any, documents: Any, work: Work) -> None:
        self._frame = frame
        self._columns = columns
        self._settled = settled
        self._documents = documents
        self._work = work
        self._rows: DataFrame = frame
        self.rounds = 0
        self.steps = 0

    @property
    def fates(self) -> DataFrame:
        """What becomes of each document."""
        return self._rows.select(F.col("name").alias("doc_id"), *OF_CLUSTERS)

    def kept(self, frame: DataFrame | None = None) -> DataFrame:
        """The rows that are kept."""
        frame = self._frame if frame is None else frame
        gone = self._rows.filter("not is_kept").select(*self._documents.keys)
        with_text = frame.filter(column(self._columns.text).isNotNull())
        return with_text.join(gone, self._same(frame, gone), "left_anti")

    def annotated(self, frame: DataFrame | None = None) -> DataFrame:
        """All rows with a text, and what was found of each."""
        frame = self._frame if frame is None else frame
        expect_new(frame, OF_CLUSTERS)
        found = self._rows.select(*self._documents.keys, *OF_CLUSTERS)
        joined = frame.join(found, self._same(frame, found), "inner")
        return joined.drop(*[found[key] for key in self._documents.keys])

    def counts(self) -> dict[str, int]:
        """How many documents there are of each kind."""
        identical = (~F.col("is_first")) & (F.col("similarity_to_kept") >= 1.0)
        names = self._rows.groupBy("name").count().filter("count > 1").count()
        kept, same = self._rows.agg(F.count_if("is_kept"), F.count_if(identical)).first()  # type: ignore[misc]
        documents = self._documents.count
        return {
            "documents": documents,
            "kept": kept,
            "removed": documents - kept,
            "identical": same,
            "repeated_ids": names,
            "skipped": self._documents.skipped,
        }

    def options(self) -> dict[str, Any]:
        """The options that the result depends on."""
        described: dict[str, Any] = self._settled.described()
        return {"kind": "near-duplicates", **described, "order_by": self._columns.order}

    def remove_work(self) -> None:
        """Removes what was written in between; what rests on it cannot be read any more."""
        self._work.remove()

    def _same(self, frame: DataFrame, found: DataFrame) -> Any:
        conditions = [
            frame[column_name(name)] == found[key] for name, key in zip(self._columns.order, self._documents.keys)
        ]
        whole = conditions[0]
        for one in conditions[1:]:
            whole = whole & one
        return whole


def column_name(name: str) -> str:
    """A name as Spark parses it."""
    return "`" + name.replace("`", "``") + "`"


@in_own_words
def clusters(
    df: DataFrame,
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    order_by: "str | Sequence[str] | None" = None,
    work: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[DedupeOptions]",
) -> Clusters:
    """Find near-duplicates: what `dedupe` does, with all that is known of each row."""
    settings = Settings.of(dict(options))
    frame = expect_frame(df)
    columns = Columns.of(frame, text_key, id_key, order_by)
    method = kernels.Method(settings.method)
    settled = method.settled()
    place = Work(_documents.session(frame), None if work is None else os.fspath(work))
    documents = _documents.read(frame, columns, method, place, settings.max_errors)
    found = Clusters(frame, columns, settled, documents, place)
    sets, copies = equal(documents, place)
    if settled.clusters == "exact":
        joins = None
    else:
        search = settings.search(sets, documents.digests, place)
        chosen: Stars | Components
        if settled.clusters == "star":
            chosen = Stars(search, settings.here)
        else:
            chosen = Components(search)
        joins = place.keep("joins", chosen.joins())
        found.rounds, found.steps = search.rounds, chosen.steps
    found._rows = place.keep("fates", fates(documents, copies, joins, settled))
    return found


class Settings:
    """Options of the method, and of how it is carried out."""

    def __init__(self, method: dict[str, Any], max_errors: float, first: int, here: int, parts: int | None) -> None:
        self.method = method
        self.max_errors = max_errors
        self.first = first
        self.here = here
        self.parts = parts

    @staticmethod
    def of(options: dict[str, Any]) -> "Settings":
        """Those that were given, and the usual ones."""
        for name in ("progress", "threads", "min_words", "passages", "annotate"):
            if options.pop(name, None) not in (None, False):
                raise TypeError(f"{name} is not for Spark; cento.dedupe has it")
        first = options.pop("_first", None) or _search.FIRST
        here = options.pop("_here", None)
        parts = options.pop("_parts", None)
        max_errors = options.get("max_errors")
        for name in ("dictionary", "key_file"):
            if options.get(name) is not None:
                options[name] = os.path.abspath(os.fspath(options[name]))
        return Settings(
            options,
            MAX_ERRORS if max_errors is None else max_errors,
            first,
            HERE if here is None else here,
            parts,
        )

    def search(self, sets: DataFrame, digests: int, work: Work) -> _search.Search:
        """A search with them."""
        return _search.Search(sets, digests, self.method, work, first=self.first, parts=self.parts)


def equal(documents: Any, work: Work) -> tuple[DataFrame, DataFrame]:
    """Documents with the same digests are looked at once: the sets, and which documents are copies of which.

    Sets have `number`, that of the first document, `last` and `digests`; copies `number` and `first`.
    """
    numbered: DataFrame = documents.numbered
    hashed = numbered.filter(F.col("hash").isNotNull()).select("number", "hash")
    groups = hashed.groupBy("hash").agg(
        F.min("number").alias("first"), F.max("number").alias("last"), F.count("*").alias("documents")
    )
    several = work.keep("several", groups.filter("documents > 1").drop("documents"))
    copies = hashed.join(several, "hash").filter("number != first").select("number", "first")
    copies = work.keep("copies", copies)
    sets = numbered.filter(F.col("size") > 0).select("number", "digests")
    sets = sets.join(copies.select("number"), "number", "left_anti")
    last = several.select(F.col("first").alias("number"), "last")
    sets = sets.join(last, "number", "left")
    sets = sets.select("number", F.coalesce("last", "number").alias("last"), "digests")
    if copies.count() > MANY:
        # They are read several times, and few copies go along with every reading.
        sets = work.keep("sets", sets)
    return sets, copies


def fates(documents: Any, copies: DataFrame, joins: DataFrame | None, settled: Any) -> DataFrame:
    """What becomes of each document."""
    rows = documents.numbered.select("number", "name", "characters", *documents.keys)
    rows = rows.join(copies, "number", "left").withColumn("first", F.coalesce("first", "number"))
    if joins is None:
        rows = rows.withColumn("star", F.col("first")).withColumn("similarity", F.lit(1.0))
    else:
        # A copy may come behind one that is kept, and that its first one does not come behind.
        best = F.min(F.struct((-F.col("similarity")).alias("less"), F.col("star"))).alias("best")
        chances = joins.withColumnRenamed("number", "first")
        behind = rows.select("number", "first").join(chances, "first")
        if settled.clusters == "star":
            behind = behind.filter("star < number")
        behind = behind.groupBy("number").agg(best)
        rows = rows.join(behind, "number", "left")
        star = F.coalesce(F.col("best.star"), F.col("first"))
        rows = rows.withColumn("star", star).withColumn("similarity", F.coalesce(-F.col("best.less"), F.lit(1.0)))
        rows = rows.drop("best")
    is_first = F.col("star") == F.col("number")
    rows = rows.withColumn("is_first", is_first).withColumn("is_kept", is_first)
    if settled.drop_all:
        members = F.count("*").over(Window.partitionBy("star"))
        rows = rows.withColumn("is_kept", is_first & (members == 1))
    names = documents.numbered.select(F.col("number").alias("star"), F.col("name").alias("cluster_id"))
    rows = rows.join(names, "star")
    # As it is written: rounded half away from zero, to millionths.
    rounded: Column = F.floor(F.col("similarity") * 1e6 + 0.5).cast("double") / 1e6
    written: DataFrame = rows.withColumn("similarity_to_kept", rounded).drop("similarity")
    return written
