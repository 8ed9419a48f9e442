"""What executors do with their parts of the data, in Rust. Each function makes one for Spark to run.

An engine is not trusted: whatever must be sorted is sorted or checked here, and what comes twice or out of its
order is an error.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cento import _cento
from cento._errors import CentoError
from cento._tables import named, number

Batches = Iterator[pa.RecordBatch]
Kernel = Callable[[Batches], Batches]

# Documents that are looked at together: their digests have to fit into a column.
ROWS = 256

_parts: dict[Any, Any] = {}


class Method:
    """When documents are alike: options that every process settles for itself, and what must come of them."""

    def __init__(self, options: dict[str, Any], frequent: bytes = b"") -> None:
        self.options = {name: value for name, value in options.items() if value is not None}
        self.frequent = frequent
        self.check: bytes = self.settled().check()

    def settled(self) -> Any:
        """The method as Rust has it; made once in a process."""
        key = (repr(sorted(self.options.items())), self.frequent)
        if key not in _parts:
            _parts.clear()
            _parts[key] = _cento.Parts(self.frequent, **self.options)
        parts = _parts[key]
        if getattr(self, "check", None) not in (None, parts.check()):
            raise CentoError(
                "the recipe or the key is another one here than where the run began; key_file and dictionary "
                "must be the same files on all machines, and CENTO_KEY the same in all environments"
            )
        return parts


def sliced(batches: Batches, rows: int = ROWS) -> Batches:
    """The same rows in smaller batches, and none without rows."""
    for batch in batches:
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def table(found: Any) -> Any:
    """A table of Rust as one of pyarrow."""
    return pa.table(found)


def documents(method: Method, keys: list[str], is_exact: bool) -> Kernel:
    """Texts → ranks, digests and hashes of what makes documents equal."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        parts = method.settled()
        for batch in sliced(batches):
            texts = batch.column("text")
            fields = None
            if "field" in batch.schema.names:
                fields = [number(value) for value in batch.column("field").to_pylist()]
            found = table(parts.documents([texts], fields)).combine_chunks()
            digests = found.column("digests")
            equal = texts if is_exact else digests
            hashes = [hashed(one) for one in equal.to_pylist()]
            if is_exact:
                digests = pa.array([None if one is None else b"" for one in hashes], pa.binary())
            columns = [batch.column(key) for key in keys]
            columns += [found.column("rank"), digests, pa.array(hashes, pa.binary()), found.column("characters")]
            names = [*keys, "rank", "digests", "hash", "characters"]
            yield from pa.table(columns, names=names).to_batches()

    return run


def hashed(value: Any) -> bytes | None:
    """What only equal values have. Documents without digests are like no other, and have none."""
    if value is None or value == b"":
        return None
    return hashlib.sha256(value.encode() if isinstance(value, str) else value).digest()


def placed(order: list[str], is_descending: bool) -> Kernel:
    """Rows of a partition that are sorted → their places in it; an error if they are not."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        partition = 0 if context is None else context.partitionId()
        place = 0
        last: Any = None
        for batch in batches:
            if batch.num_rows == 0:
                continue
            together = [batch] if last is None else [last, batch]
            expect_ascending(pa.Table.from_batches(together), order, is_descending)
            last = batch.slice(batch.num_rows - 1)
            rows = batch.num_rows
            parts = pa.array([partition] * rows, pa.int32())
            places = pa.array(range(place, place + rows), pa.int64())
            place += rows
            columns = [*batch.columns, parts, places]
            names = [*batch.schema.names, "partition", "place"]
            yield pa.record_batch(columns, names=names)

    return run


def expect_ascending(table: Any, order: list[str], is_descending: bool) -> None:
    """Each row comes behind the one before it: by its rank, then by the other columns."""
    rows = table.num_rows - 1
    follows: Any = pa.array([False] * rows, pa.bool_())
    same: Any = pa.array([True] * rows, pa.bool_())
    for name in ["rank", *order]:
        column = whole(table.column(name))
        before, behind = column.slice(0, rows), column.slice(1)
        if is_descending and name != "rank":
            before, behind = behind, before
        follows = pc.or_(follows, pc.and_(same, pc.less(before, behind)))
        same = pc.and_(same, pc.equal(before, behind))
    if not pc.all(follows, min_count=0).as_py():
        raise CentoError("the engine did not sort the documents, or a row came twice; nothing can be said of them")


def scattered_digests(parts: int) -> Kernel:
    """Documents → all of their digests, packed for the parts that they belong to."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        scatter = _cento.Scatter(parts)
        for batch in sliced(batches):
            scatter.add_digests(batch)
            yield from given_away(scatter)
        yield from given_away(scatter, at_end=True)

    return run


def scattered_entries(method: Method, parts: int) -> Kernel:
    """Documents → the digests at which others have to meet them, packed for the parts that they belong to."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        steps = method.settled()
        scatter = _cento.Scatter(parts)
        for batch in sliced(batches):
            scatter.add_entries(steps, batch)
            yield from given_away(scatter)
        yield from given_away(scatter, at_end=True)

    return run


def given_away(scatter: Any, at_end: bool = False) -> Batches:
    """What has come together."""
    found = scatter.take(at_end)
    if found is not None:
        yield from table(found).to_batches()


def frequent(least: int) -> Kernel:
    """All digests of a part → those that many documents have."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from table(_cento.spark_frequent(list(batches), least)).to_batches()

    return run


def met(method: Method, meeting: str, first: int) -> Kernel:
    """All entries of a part → pairs of documents that meet, and documents that are late."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        steps = method.settled()
        groups = _cento.Groups(list(batches), meeting, first)
        while (found := groups.meet(steps)) is not None:
            yield from table(found).to_batches()

    return run


def probable(method: Method) -> Kernel:
    """Pairs with how often they met → those that may be alike."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        steps = method.settled()
        for batch in batches:
            mask = pa.array(steps.may_be_alike(batch))
            yield batch.filter(mask).select(["left", "right", "left_open", "right_open"])

    return run


def alike(method: Method) -> Kernel:
    """Pairs with their digests → those that are alike, and how much."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        steps = method.settled()
        for batch in sliced(batches):
            similarity = pa.array(steps.alike(batch))
            columns = [batch.column(name) for name in ("left", "right", "left_open", "right_open")]
            names = ["left", "right", "left_open", "right_open", "similarity"]
            every = pa.record_batch([*columns, similarity], names=names)
            yield every.filter(similarity.is_valid())

    return run


def scored(method: Method) -> Kernel:
    """Pairs with their digests → how alike they are, whatever that is."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        steps = method.settled()
        for batch in sliced(batches):
            similarity = pa.array(steps.score(batch))
            columns = [batch.column("left"), batch.column("right"), similarity]
            yield pa.record_batch(columns, names=["left", "right", "similarity"])

    return run


def forest(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pairs → each document with the first one that they connect it with."""
    every = list(batches)
    if every:
        pairs = pa.Table.from_batches(every).combine_chunks()
        left, right = (whole(pairs.column(name)) for name in ("number", "root"))
        yield from table(_cento.spark_forest(left, right)).to_batches()


def whole(column: Any) -> Any:
    """A column in one piece."""
    if isinstance(column, pa.Array):
        return column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def cleaned(
    tests: dict[str, Any], options: dict[str, Any], text_key: str, id_key: str | None, annotate: bool
) -> Kernel:
    """Rows → what is left of them without the text of tests; their texts stay if it is only to be noted."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        prepared = _cento.Tests([tests["texts"]], tests["text_key"], tests["ids"], **options)
        for batch in sliced(batches):
            texts = batch.column(text_key)
            ids = None
            if id_key is not None:
                ids = [named(value, row) for row, value in enumerate(batch.column(id_key).to_pylist())]
            found = table(prepared.clean([texts], ids)).combine_chunks()
            changed = found.column("changed").cast(texts.type)
            left = texts if annotate else whole(pc.if_else(changed.is_valid(), changed, texts))
            columns = [left if name == text_key else batch.column(name) for name in batch.schema.names]
            names = [*batch.schema.names, "is_kept", "spans"]
            columns += [whole(found.column("is_kept")), whole(found.column("spans").cast(pa.string()))]
            yield pa.record_batch(columns, names=names)

    return run
