"""Which columns of a DataFrame have the text, the id and the order."""

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    BinaryType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

from cento import _cento
from cento._errors import CentoError, OptionError

ORDERED = (
    StringType,
    ByteType,
    ShortType,
    IntegerType,
    LongType,
    DecimalType,
    DateType,
    TimestampType,
    TimestampNTZType,
)


class Columns:
    """The columns of a DataFrame that are looked at."""

    def __init__(self, text: str, id_: str | None, order: list[str]) -> None:
        self.text = text
        self.id = id_
        self.order = order

    @staticmethod
    def of(
        data: Any,
        text_key: str | None,
        id_key: str | None,
        order_by: "str | Sequence[str] | None" = None,
        *,
        of_tests: bool = False,
        needs_order: bool = True,
    ) -> "Columns":
        """The columns by their names, or by the usual ones."""
        frame = expect_frame(data)
        text, id_ = _cento.columns_among(frame.columns, text_key, id_key, of_tests)
        expect_text(frame, text)
        order: list[str] = []
        if needs_order:
            given = [order_by] if isinstance(order_by, str) else list(order_by or [])
            order = given or ([id_] if id_ is not None else [])
            expect_order(frame, order)
        return Columns(text, id_, order)


def column(name: str) -> Column:
    """A column, whatever characters its name has."""
    return F.col("`" + name.replace("`", "``") + "`")


def kind(frame: DataFrame, name: str) -> DataType:
    """The type of a column."""
    return next(field.dataType for field in frame.schema.fields if field.name == name)


def expect_frame(data: Any) -> DataFrame:
    """Refuses what is no DataFrame of Spark."""
    if not (hasattr(data, "mapInArrow") and hasattr(data, "schema")):
        raise TypeError(
            f"a {type(data).__name__} is no DataFrame of Spark; cento.dedupe takes tables of other libraries"
        )
    names: list[str] = data.columns
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise CentoError(f"several columns are called {twice[0]}; rename them")
    frame: DataFrame = data
    return frame


def expect_new(frame: DataFrame, columns: Sequence[str]) -> None:
    """Refuses a DataFrame that has one of the columns that are to be added."""
    for name in columns:
        if name in frame.columns:
            raise OptionError(f"annotate: there is a column {name} already; rename it")


def expect_text(frame: DataFrame, name: str) -> None:
    """Refuses a column that has no text."""
    found = kind(frame, name)
    if isinstance(found, BinaryType):
        raise TypeError(f"the column {name} has bytes, not text; decode it first")
    if not isinstance(found, StringType):
        raise TypeError(f"the column {name} has {found.simpleString()}, not text; cast it to string first")


def expect_order(frame: DataFrame, order: list[str]) -> None:
    """Refuses columns that give rows no order."""
    if not order:
        raise OptionError(
            "order_by: rows of a DataFrame have no order, and there is no id; name columns that no two rows have "
            "the same values in"
        )
    for name in order:
        if name not in frame.columns:
            raise OptionError(f"order_by: there is no column {name}; there are {', '.join(frame.columns)}")
        found = kind(frame, name)
        if not isinstance(found, ORDERED):
            raise OptionError(
                f"order_by: the column {name} has {found.simpleString()}; rows are ordered by text, whole numbers "
                "and dates"
            )
