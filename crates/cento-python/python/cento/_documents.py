"""Documents: a `str` is a text, and a path is a file or a folder."""

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cento import _cento
from cento._columns import expect_text
from cento._errors import CentoError, CentoWarning
from cento._run import depth_of_caller, followed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cento._options import CompareOptions, Reading, ScanOptions


def scan(documents: Any, **options: "Unpack[ScanOptions]") -> _cento.Report:
    """Compare every document with every other one.

    `documents` are a path or several, texts by their names, a list of texts, or a table with a column of
    texts. The options are those of `cento scan`.

    >>> import cento
    >>> report = cento.scan(["One and the same sentence stands in both of these texts.",
    ...                      "One and the same sentence stands in both of these texts, too."])
    >>> report
    <cento.Report: 1 pair of 2 documents>
    >>> report.families
    [['0', '1']]
    >>> cento.scan(["a text"], threshold=7)
    Traceback (most recent call last):
    cento.OptionError: threshold: 7 is not a share from 0 to 1 (10 % is 0.1)
    """
    paths, texts = sorted_out(documents, options.get("text_key"), options.get("id_key"))
    with followed(options, reads_files=True) as given:
        return _cento.scan(paths, texts, **given)


def compare(
    left: "str | os.PathLike[str]",
    right: "str | os.PathLike[str]",
    **options: "Unpack[CompareOptions]",
) -> _cento.Report:
    """Compare two documents: how much of each is in the other, and where.

    Each is a text or a path. The options are those of `cento compare`.

    >>> import cento
    >>> report = cento.compare("The town rebuilt its canal in nine years.",
    ...                        "In nine years the town rebuilt its canal.")
    >>> pair = report.pairs.to_pylist()[0]
    >>> pair["left"], pair["right"], round(pair["containment_left"], 2)
    ('left', 'right', 0.25)
    """
    sides: list[str | tuple[str, str]] = []
    for name, side in (("left", left), ("right", right)):
        if isinstance(side, str):
            sides.append((name, given_text(name, side)))
        else:
            sides.append(given_path(name, side))
    with followed(options, reads_files=True) as given:
        return _cento.compare(sides[0], sides[1], **given)


def read(path: "str | os.PathLike[str]", **options: "Unpack[Reading]") -> str:
    """The text of a document, whatever format it is in.

    Formats other than plain text are read by a process of their own, so that a broken file costs that file
    only. The options are those that `cento explain text` has for reading.

    >>> import cento, pathlib, tempfile
    >>> page = pathlib.Path(tempfile.mkdtemp()) / "page.html"
    >>> _ = page.write_text("<html><body><p>A page needs <b>words</b>.</p></body></html>")
    >>> cento.read(page)
    'A page needs words.'
    """
    with followed(options, reads_files=True) as given:
        return _cento.read(os.fspath(path), **given)


def sorted_out(
    documents: Any, text_key: str | None, id_key: str | None, *, need_names: bool = False
) -> tuple[list[str], list[tuple[str, str]]]:
    """The paths and the texts among documents; of a table these columns are read.

    Texts that have no names are called by their numbers, unless they `need_names`.
    """
    if isinstance(documents, str):
        raise TypeError(
            f"a str is a text, and one text has no pairs; give pathlib.Path({documents[:40]!r}) for a "
            "file or a folder, or a list of texts"
        )
    if isinstance(documents, (bytes, bytearray)):
        raise TypeError("bytes are neither a text nor a path; decode them, or give a pathlib.Path")
    if isinstance(documents, os.PathLike):
        return [os.fspath(documents)], []
    if isinstance(documents, Mapping):
        for name, text in documents.items():
            expect_text("the name of a document", str(name))
            expect_text(f"the document {name}", text)
        return [], [(str(name), text) for name, text in documents.items()]
    if not isinstance(documents, (list, tuple)):
        from cento._tables import Rows, is_table

        if is_table(documents):
            rows = Rows.of(documents, text_key, id_key)
            if need_names:
                rows.expect_names()
            return [], rows.named_texts()
    if not isinstance(documents, Iterable):
        kind = type(documents).__name__
        raise TypeError(f"documents: {kind} is neither paths nor texts; give a list, or texts by their names")
    paths: list[str] = []
    texts: list[tuple[str, str]] = []
    for number, document in enumerate(documents):
        if isinstance(document, str):
            texts.append((str(number), given_text(f"document {number}", document)))
        else:
            paths.append(given_path(f"document {number}", document))
    if texts and need_names:
        raise CentoError(
            "what is registered is known by its id, and these texts have none; give texts by their names, "
            "{name: text}, or an id_prefix that only these have"
        )
    return paths, texts


def given_path(name: str, document: object) -> str:
    """A path, and nothing else that is no text."""
    path = os.fspath(document) if isinstance(document, os.PathLike) else None
    if not isinstance(path, str):
        raise TypeError(f"{name} is neither a text nor a path: {type(document).__name__}")
    return path


def given_text(name: str, text: str) -> str:
    """A text. One that is the name of a file may be meant as a path, which is warned of."""
    expect_text(name, text)
    is_short = len(text) <= 255 and text.strip() and not {" ", "\n", "\0"} & set(text)
    if is_short and Path(text).exists():
        warnings.warn(
            f"{text!r} is taken as a text, and there is a file of this name; give "
            f"pathlib.Path({text!r}) for the file",
            CentoWarning,
            stacklevel=depth_of_caller(),
        )
    return text
