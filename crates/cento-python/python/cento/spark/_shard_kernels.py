"""What executors do with shards, in Rust. Each function makes one for Spark to run.

Slices are written under names of their attempts, which nobody looks at: an executor that is lost, or that does its
work twice, leaves nothing twice and nothing missing.
"""

import uuid
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cento import _cento
from cento.spark._kernels import Batches, Kernel, sliced, table


class Place:
    """Where shards are, as every machine sees them, and where the key is. The key itself is never sent."""

    def __init__(self, path: str, key_file: str | None) -> None:
        self.path = path
        self.key_file = key_file

    def work(self) -> Any:
        """The shards, opened in this process."""
        return _cento.ShardWork(self.path, key_file=self.key_file)


def documents(place: Place, passed: list[str]) -> Kernel:
    """Texts → what each shard gets of them, and what the catalogue has."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work = place.work()
        for batch in sliced(batches):
            yield from beside(batch.select(passed), work.documents(batch))

    return run


def questions(place: Place, asking: str) -> Kernel:
    """Texts → what each shard is asked."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work = place.work()
        for batch in sliced(batches):
            yield from beside(batch.select(["id"]), work.questions(batch, asking))

    return run


def beside(batch: Any, found: Any) -> Batches:
    """The columns of a batch and those that were found."""
    made = table(found).combine_chunks()
    columns = [*batch.columns, *[column.combine_chunks() for column in made.columns]]
    yield from pa.table(columns, names=[*batch.schema.names, *made.schema.names]).to_batches()


def built(place: Place, order: str) -> Kernel:
    """The portions of new documents → the slice of each shard, written; what was built."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        portions: dict[int, Any] = {}
        for shard, batch in by_shard(batches):
            portions.setdefault(shard, _cento.NewDocuments()).add(batch)
        work = place.work() if portions else None
        for shard in sorted(portions):
            yield told(work.build(shard, order, attempt(), portions.pop(shard)))  # type: ignore[union-attr]

    return run


def merged(place: Place, order: str) -> Kernel:
    """Numbers of shards → the slice of each, of several segments that become one."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for shard in batch.column("shard").to_pylist():
                yield told(place.work().merge(shard, order, attempt()))

    return run


def counted(place: Place, asking: str) -> Kernel:
    """The portions of questions → what each shard says about them."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        counters: dict[int, Any] = {}
        for shard, batch in by_shard(batches):
            if shard not in counters:
                counters[shard] = place.work().counter(shard, asking)
            yield from beside(batch.drop_columns(["portion"]), counters[shard].count(batch))

    return run


def answers(place: Place, asking: str) -> Kernel:
    """What all shards say about questions → the documents that are listed."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work: Any = None
        for batch in sliced(batches, 4096):
            work = work or place.work()
            yield from table(work.answers(batch, asking)).to_batches()

    return run


def by_shard(batches: Batches) -> Iterator[tuple[int, Any]]:
    """The rows of each shard: where the engine brought them to has no meaning."""
    for batch in sliced(batches):
        for shard in pc.unique(batch.column("shard")).to_pylist():
            yield shard, batch.filter(pc.equal(batch.column("shard"), shard))


def told(built: list[str]) -> Any:
    """What was built, for the one who puts it in place."""
    return pa.record_batch([pa.array(built, pa.string())], names=["built"])


def attempt() -> str:
    """A name that no other attempt has."""
    return uuid.uuid4().hex
