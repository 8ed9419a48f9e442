"""What is reported."""

import json
import os
from typing import TYPE_CHECKING, Any

from cento import _cento
from cento._run import followed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cento._options import EvalOptions


def eval(  # noqa: A001
    collection: "str | os.PathLike[str]", **options: "Unpack[EvalOptions]"
) -> dict[str, Any]:
    """Measure how well methods find related documents.

    `collection` is a folder with documents/ and truth.tsv; with `by_itself=True` any folder. The options are
    those of `cento eval`, and the result is what `cento eval --json` prints.

    >>> import cento, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> (folder / "documents").mkdir()
    >>> for name in ["a", "b", "c"]:
    ...     text = "the town rebuilt its canal in nine years" if name != "c" else "bread before the war"
    ...     _ = (folder / "documents" / f"{name}.txt").write_text(text)
    >>> _ = (folder / "truth.tsv").write_text("a.txt\\tb.txt\\n")
    >>> cento.eval(folder, recipe="default")["schema"]
    'cento.eval/1'
    """
    with followed(options, reads_files=True) as given:
        done: dict[str, Any] = json.loads(_cento.eval(os.fspath(collection), **given))
        return done
