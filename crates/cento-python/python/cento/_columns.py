"""Columns of texts, whoever made them, as what Arrow's C interface hands over."""

import sys
from typing import Any

from cento._errors import CentoError


def chunks(column: Any) -> list[Any]:
    """A column as Arrow arrays, tables of one column, or lists of strings."""
    if isinstance(column, str):
        raise TypeError("a str is one text, not a column of texts; give a list")
    if isinstance(column, (bytes, bytearray)):
        raise TypeError("bytes are no column of texts; decode them, and give a list")
    if isinstance(column, (list, tuple)):
        return [texts(column)]
    if hasattr(column, "__arrow_c_array__"):
        return [column]
    if is_from(column, "pandas", "Series", "Index"):
        return of_pandas(column)
    if is_from(column, "polars", "Series"):
        return [column.to_frame()]
    if is_from(column, "pyarrow", "ChunkedArray"):
        return list(column.iterchunks())
    if hasattr(column, "__arrow_c_stream__"):
        return of_stream(column)
    return [texts(list(column))]


def of_pandas(column: Any) -> list[Any]:
    """A series of pandas: with pyarrow without copying it, where it is kept as Arrow."""
    try:
        import pyarrow
    except ImportError:
        return [texts(values_of_pandas(column))]
    try:
        return of_arrow(pyarrow.Array.from_pandas(column))
    except (pyarrow.ArrowException, UnicodeEncodeError):
        # Says which row it is, in our own words.
        return [texts(values_of_pandas(column))]


def values_of_pandas(column: Any) -> list[Any]:
    """The values of a series, with None for what is missing."""
    return [None if missing else value for value, missing in zip(column, column.isna())]


def of_arrow(column: Any) -> list[Any]:
    """An array of pyarrow, in one piece or in several."""
    return list(column.iterchunks()) if hasattr(column, "iterchunks") else [column]


def of_stream(column: Any) -> list[Any]:
    """Any other column; pyarrow takes what it is made of apart."""
    try:
        import pyarrow
    except ImportError as error:
        raise TypeError(
            f"a {type(column).__name__} comes in pieces that only pyarrow takes apart; `pip install "
            "pyarrow`, or give a list of strings"
        ) from error
    return of_arrow(pyarrow.chunked_array(column))


def texts(column: Any) -> list[Any]:
    """A list of strings and missing ones, and nothing else."""
    for number, text in enumerate(column):
        if text is not None:
            expect_text(f"row {number}", text)
    return list(column)


def expect_text(name: str, text: object) -> None:
    """Refuses what is no text, and says which one it is."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is not a text: {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = ord(text[error.start])
        raise CentoError(
            f"{name} has half of a surrogate pair, U+{found:04X}, as character {error.start + 1}; "
            'text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") makes it a text'
        ) from None


def is_from(value: Any, library: str, *classes: str) -> bool:
    """Whether a value is of a class of a library, which is not loaded for the question."""
    loaded = sys.modules.get(library)
    if loaded is None:
        return False
    return any(isinstance(value, getattr(loaded, name, ())) for name in classes)
