"""Columns of texts, whoever made them, as what Arrow's C interface hands over."""

import sys
from typing import Any


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
        return [texts([None if value != value else value for value in column])]
    return of_arrow(pyarrow.Array.from_pandas(column))


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
        if text is not None and not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"row {number} is not a text: {kind}")
    return list(column)


def is_from(value: Any, library: str, *classes: str) -> bool:
    """Whether a value is of a class of a library, which is not loaded for the question."""
    loaded = sys.modules.get(library)
    if loaded is None:
        return False
    return any(isinstance(value, getattr(loaded, name, ())) for name in classes)
