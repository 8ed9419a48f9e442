"""The libraries that tables come from, and go back to."""

from typing import Any

from cento._columns import is_from, values_of_pandas


class Table:
    """A table of some library: its columns are looked at, and its rows are taken by that library."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def names(self) -> list[str]:
        """The names of the columns."""
        raise NotImplementedError

    def column(self, name: str) -> Any:
        """A column, as `chunks` takes it."""
        raise NotImplementedError

    def values(self, name: str) -> list[Any]:
        """The values of a column, as Python has them."""
        raise NotImplementedError

    def length(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def take(self, rows: list[int]) -> "Table":
        """Some rows."""
        raise NotImplementedError

    def with_columns(self, columns: dict[str, list[Any]]) -> "Table":
        """The same with more columns behind the others."""
        raise NotImplementedError

    def with_column_replaced(self, name: str, values: list[Any]) -> "Table":
        """The same with other values in a column."""
        raise NotImplementedError

    def result(self) -> Any:
        """The table, as whoever gave it knows it."""
        return self.data


def table_of(data: Any) -> Table:
    """A table of any library."""
    if isinstance(data, (list, tuple)):
        return TextList(list(data))
    if is_from(data, "pandas", "DataFrame"):
        return PandasTable(data)
    if is_from(data, "polars", "LazyFrame"):
        raise TypeError("a LazyFrame has no rows yet; collect() it first")
    if is_from(data, "polars", "DataFrame"):
        return PolarsTable(data)
    if is_from(data, "datasets", "Dataset"):
        return DatasetTable(data)
    if is_from(data, "datasets", "DatasetDict"):
        raise TypeError("a DatasetDict is several tables; give one of its splits")
    if is_from(data, "duckdb", "DuckDBPyRelation"):
        return DuckTable.of(data)
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        try:
            return ArrowTable(arrow().table(data))
        except arrow().ArrowInvalid as error:
            raise TypeError(
                f"a {type(data).__name__} is one column; give the table that it is from, or a list of its texts"
            ) from error
    raise TypeError(
        f"a {type(data).__name__} is no table; give one of pandas, Polars, PyArrow, DuckDB or datasets, "
        "or a list of texts"
    )


def arrow() -> Any:
    """pyarrow, which tables of Arrow need."""
    try:
        import pyarrow
    except ImportError as error:
        raise TypeError("tables of Arrow need pyarrow; `pip install pyarrow`") from error
    return pyarrow


class TextList(Table):
    """A list of texts."""

    def names(self) -> list[str]:
        return ["text"]

    def column(self, name: str) -> Any:
        return self.data

    def values(self, name: str) -> list[Any]:
        return list(self.data)

    def length(self) -> int:
        return len(self.data)

    def take(self, rows: list[int]) -> Table:
        return TextList([self.data[row] for row in rows])

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        names = list(columns)
        rows = zip(self.data, *columns.values())
        return TextList([{"text": text, **dict(zip(names, rest))} for text, *rest in rows])

    def with_column_replaced(self, name: str, values: list[Any]) -> Table:
        return TextList(values)


class PandasTable(Table):
    """A table of pandas. Rows keep their index."""

    def names(self) -> list[str]:
        return [str(name) for name in self.data.columns]

    def column(self, name: str) -> Any:
        return self.data[name]

    def values(self, name: str) -> list[Any]:
        return values_of_pandas(self.data[name])

    def length(self) -> int:
        return len(self.data)

    def take(self, rows: list[int]) -> Table:
        return PandasTable(self.data.iloc[rows])

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        return PandasTable(self.data.assign(**columns))

    def with_column_replaced(self, name: str, values: list[Any]) -> Table:
        return PandasTable(self.data.assign(**{name: values}))


class PolarsTable(Table):
    """A table of Polars."""

    def names(self) -> list[str]:
        return list(self.data.columns)

    def column(self, name: str) -> Any:
        return self.data[name]

    def values(self, name: str) -> list[Any]:
        return list(self.data[name].to_list())

    def length(self) -> int:
        return int(self.data.height)

    def take(self, rows: list[int]) -> Table:
        return PolarsTable(self.data[rows])

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        import polars

        added = [polars.Series(name, values) for name, values in columns.items()]
        return PolarsTable(self.data.with_columns(added))

    def with_column_replaced(self, name: str, values: list[Any]) -> Table:
        return self.with_columns({name: values})


class ArrowTable(Table):
    """A table of PyArrow, or of anybody who speaks Arrow."""

    def names(self) -> list[str]:
        return list(self.data.column_names)

    def column(self, name: str) -> Any:
        return self.data.column(name)

    def values(self, name: str) -> list[Any]:
        return list(self.data.column(name).to_pylist())

    def length(self) -> int:
        return int(self.data.num_rows)

    def take(self, rows: list[int]) -> Table:
        try:
            taken = self.data.take(arrow().array(rows, arrow().int64()))
        except arrow().ArrowNotImplementedError:
            # Not every type of column can be taken from; every one can be cut into pieces.
            pieces = [self.data.slice(start, length) for start, length in stretches(rows)]
            taken = arrow().concat_tables([self.data.slice(0, 0), *pieces]).combine_chunks()
        return type(self)(taken)

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        data = self.data
        for name, values in columns.items():
            data = data.append_column(name, [values])
        return type(self)(data)

    def with_column_replaced(self, name: str, values: list[Any]) -> Table:
        place = self.data.schema.get_field_index(name)
        field = self.data.schema.field(place)
        column = arrow().array(values, field.type)
        return type(self)(self.data.set_column(place, field, column))


def stretches(rows: list[int]) -> list[tuple[int, int]]:
    """Rows that follow one another: where each stretch begins, and how long it is."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and sum(found[-1]) == row:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((row, 1))
    return found


class DuckTable(ArrowTable):
    """A relation of DuckDB."""

    @staticmethod
    def of(data: Any) -> "DuckTable":
        """What a relation comes to."""
        return DuckTable(arrow().table(data))

    def result(self) -> Any:
        import duckdb

        return duckdb.from_arrow(self.data)


class DatasetTable(Table):
    """A dataset of Hugging Face."""

    def names(self) -> list[str]:
        return list(self.data.column_names)

    def column(self, name: str) -> Any:
        return self.data.select_columns([name]).with_format("arrow")[:].column(name)

    def values(self, name: str) -> list[Any]:
        return list(self.column(name).to_pylist())

    def length(self) -> int:
        return len(self.data)

    def take(self, rows: list[int]) -> Table:
        return DatasetTable(self.data.select(rows))

    def with_columns(self, columns: dict[str, list[Any]]) -> Table:
        data = self.data
        for name, values in columns.items():
            data = data.add_column(name, values)
        return DatasetTable(data)

    def with_column_replaced(self, name: str, values: list[Any]) -> Table:
        order = self.names()
        data = self.data.remove_columns([name]).add_column(name, values)
        return DatasetTable(data.select_columns(order))
