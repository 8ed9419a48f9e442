"""A block for datatrove that removes near-duplicates.

datatrove runs a pipeline of blocks; each gets documents and gives documents. This one reads all documents of
its task, and passes on one of each cluster:

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    LocalPipelineExecutor([JsonlReader("data"), CentoDedupe(threshold=0.8), JsonlWriter("clean")], tasks=1).run()

    python examples/python/datatrove_block.py
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cento

try:
    from datatrove.data import Document
    from datatrove.pipeline.base import PipelineStep
except ImportError:
    # Enough of datatrove to try the block without it.
    class PipelineStep:  # type: ignore[no-redef]
        type = name = ""

        def __init__(self) -> None:
            pass

        def stat_update(self, *labels: str, value: int = 1) -> None:
            pass

    @dataclass
    class Document:  # type: ignore[no-redef]
        text: str
        id: str
        metadata: dict[str, Any] = field(default_factory=dict)


class CentoDedupe(PipelineStep):
    """Keeps one of several documents that are alike. Options are those of `cento.dedupe`."""

    type = "🫂 - DEDUPS"
    name = "🧵 Cento"

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.options = options

    def run(
        self, data: Iterable[Document], rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        if world_size > 1:
            raise ValueError("duplicates may be in other tasks; run this block with tasks=1")
        documents = list(data)
        noted = cento.dedupe([one.text for one in documents], annotate=True, **self.options)
        for document, found in zip(documents, noted):
            document.metadata["cento_cluster"] = documents[int(found["cluster_id"])].id
            if found["is_kept"]:
                self.stat_update("kept")
                yield document
            else:
                self.stat_update("removed")


def main() -> None:
    text = "The town rebuilt its canal in nine years, and it paid for that with a loan."
    documents = [Document(text, "a"), Document("Something else.", "b"), Document(text.upper(), "c")]
    print([document.id for document in CentoDedupe(threshold=0.8).run(documents)])


if __name__ == "__main__":
    main()
