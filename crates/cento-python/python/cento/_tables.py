"""Tables of any library: near-duplicates, repeated passages and the text of tests are taken out.

Only the column with the text is looked at. The rows that stay are taken by the library that the table comes
from, so that all other columns, their types and their order are as they were.
"""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cento import _cento
from cento._columns import chunks, is_from, texts
from cento._errors import CentoError, OptionError
from cento._kinds import Table, table_of
from cento._run import followed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cento._options import DecontaminateFilesOptions, DedupeFilesOptions

# Columns that annotate adds.
OF_CLUSTERS = ("cluster_id", "is_kept", "similarity_to_kept")
OF_PASSAGES = ("is_kept", "spans")


def dedupe(
    table: Any,
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    passages: bool = False,
    annotate: bool = False,
    output: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[DedupeFilesOptions]",
) -> Any:
    """Keep one of several documents that are alike.

    `table` is a table of pandas, Polars, PyArrow, DuckDB or Hugging Face datasets, or a list of texts, and what
    is kept of it is returned as the same kind of table, with all of its columns. The options are those of
    `cento dedupe`, and the result is the same, document for document:

    * `threshold=0.8`, `measure="resemblance"`, `recipe`, `clusters="star"`, `keep="first"`, `drop_all`, `exact`,
      `approximate`
    * `passages=True` cuts out passages that occur earlier, of `min_words=50` or more, instead
    * `annotate=True` keeps all rows, and says in new columns what was found about each

    Paths instead of a table are files that are written to `output`, as the command does; the result is then what
    `--json` prints.

    >>> import cento
    >>> cento.dedupe(["one text in two copies", "another one", "One text, in two copies!"])
    ['one text in two copies', 'another one']
    """
    given = paths(table)
    if given is not None:
        more = {"text_key": text_key, "id_key": id_key, "annotate": annotate, "passages": passages}
        return of_files("dedupe", given, output, {**options, **more})
    expect_no_output(output)
    if not passages and "min_words" in options:
        raise TypeError("min_words is about passages; give passages=True, too")
    rows = Rows.of(table, text_key, id_key)
    if annotate:
        rows.expect_new(*(OF_PASSAGES if passages else OF_CLUSTERS))
    if passages:
        with followed(options) as job:
            found = _cento.dedupe_passages(rows.texts(), rows.text_key, rows.ids(), **job)
        return rows.cut(found, annotate)
    with followed(options) as job:
        numbers = rows.numbers(options.get("keep"))
        found = _cento.dedupe_near_duplicates(rows.texts(), rows.text_key, numbers, **job)
    fates = found.to_pylist()
    if not annotate:
        kept = [row for row, fate in enumerate(fates) if fate["is_kept"]]
        return rows.table.take(kept).result()
    ids = rows.names()
    read = [row for row, fate in enumerate(fates) if fate["kept"] is not None]
    return rows.table.take(read).with_columns(
        {
            "cluster_id": [ids[fates[row]["kept"]] for row in read],
            "is_kept": [fates[row]["is_kept"] for row in read],
            "similarity_to_kept": [fates[row]["similarity_to_kept"] for row in read],
        }
    ).result()


def decontaminate(
    table: Any,
    against: Any,
    *,
    text_key: str | None = None,
    id_key: str | None = None,
    against_text_key: str | None = None,
    against_id_key: str | None = None,
    passages: bool = False,
    annotate: bool = False,
    output: "str | os.PathLike[str] | None" = None,
    **options: "Unpack[DecontaminateFilesOptions]",
) -> Any:
    """Remove documents that contain text of test documents.

    `table` and `against` are tables as `dedupe` takes them. With `passages=True` the text is cut out, and the
    documents stay; `annotate=True` keeps all rows and says in new columns what was found. A passage has
    `min_words=13` or more, and `min_share` is the least share of a test document. The options and the result are
    those of `cento dedupe --against`.

    >>> import cento
    >>> test = "how many years did it take the town to rebuild its canal and who paid for it"
    >>> cento.decontaminate(["a clean text", "the question was " + test], against=[test])
    ['a clean text']
    """
    given = paths(table)
    if given is not None:
        files = paths(against)
        if files is None:
            raise TypeError("against: the data are files, so give the tests as paths, too")
        more = {"text_key": text_key, "id_key": id_key, "annotate": annotate, "passages": passages}
        tests_are = {"against_text_key": against_text_key, "against_id_key": against_id_key}
        all_options = {**options, **more, **tests_are, "against": files}
        return of_files("decontaminate", given, output, all_options)
    expect_no_output(output)
    rows = Rows.of(table, text_key, id_key)
    if annotate:
        rows.expect_new(*OF_PASSAGES)
    tests = Rows.of(
        against, against_text_key or text_key, against_id_key or id_key, of_tests=True
    )
    with followed({**options, "passages": passages}) as job:
        found = _cento.dedupe_against(
            rows.texts(),
            rows.text_key,
            rows.ids(),
            tests.texts(),
            tests.text_key,
            tests.ids(),
            **job,
        )
    return rows.cut(found, annotate)


class Rows:
    """The rows of a table, and which columns have the text and the id."""

    def __init__(self, table: Table, text_key: str, id_key: str | None) -> None:
        self.table = table
        self.text_key = text_key
        self.id_key = id_key

    @staticmethod
    def of(
        given: Any, text_key: str | None, id_key: str | None, *, of_tests: bool = False
    ) -> "Rows":
        """The rows of a table of any library."""
        table = table_of(given)
        text, id_ = _cento.columns_among(table.names(), text_key, id_key, of_tests)
        return Rows(table, text, id_)

    def texts(self) -> list[Any]:
        """The texts, as Arrow has them."""
        return chunks(self.table.column(self.text_key))

    def ids(self) -> list[str] | None:
        """The ids, if there is a column of them; a row without one is called by its number."""
        if self.id_key is None:
            return None
        values = self.table.values(self.id_key)
        return [named(value, row) for row, value in enumerate(values)]

    def names(self) -> list[str]:
        """The ids, or else the numbers of the rows."""
        ids = self.ids()
        return [str(row) for row in range(self.table.length())] if ids is None else ids

    def named_texts(self) -> list[tuple[str, str]]:
        """The texts with their names. One that is missing is empty, and so is skipped with a reason."""
        found = texts(self.table.values(self.text_key))
        return [(name, "" if text is None else text) for name, text in zip(self.names(), found)]

    def expect_names(self) -> None:
        """Refuses rows without an id of their own."""
        if self.id_key is None:
            names = ", ".join(self.table.names())
            raise CentoError(
                f"what is registered is known by its id, and no column of {names} has ids; id_key names one, "
                "or give an id_prefix that only these rows have"
            )
        for row, value in enumerate(self.table.values(self.id_key)):
            if own_name(value) is None:
                raise CentoError(f"row {row} needs an id, and its column {self.id_key} has none")

    def expect_new(self, *columns: str) -> None:
        """Refuses a table that has one of the columns that are to be added."""
        for name in columns:
            if name in self.table.names():
                raise OptionError(f"annotate: there is a column {name} already; rename it")

    def numbers(self, keep: Any) -> list[float | None] | None:
        """The numbers of the field that decides which one is kept, if one does."""
        kind, _, field = keep.partition(":") if isinstance(keep, str) else ("", "", "")
        if kind not in ("max", "min") or not field:
            return None
        if field not in self.table.names():
            names = ", ".join(self.table.names())
            raise OptionError(
                f"keep: no document has a number in the field {field}; the fields are {names}"
            )
        return [number(value) for value in self.table.values(field)]

    def cut(self, found: _cento.Table, annotate: bool) -> Any:
        """The rows that stay, with what is left of their texts; or all, with what was found."""
        fates = found.to_pylist()
        if annotate:
            read = [row for row, fate in enumerate(fates) if fate["is_kept"] is not None]
            added = {name: [fates[row][name] for row in read] for name in OF_PASSAGES}
            return self.table.take(read).with_columns(added).result()
        kept = [row for row, fate in enumerate(fates) if fate["is_kept"]]
        taken = self.table.take(kept)
        if any(fates[row]["changed"] is not None for row in kept):
            old = taken.values(self.text_key)
            new = [fates[row]["changed"] for row in kept]
            texts = [one if other is None else other for one, other in zip(old, new)]
            taken = taken.with_column_replaced(self.text_key, texts)
        return taken.result()


def is_table(given: Any) -> bool:
    """Whether this is a table of one of the libraries that are known, or of any that speaks Arrow."""
    known = (
        is_from(given, "pandas", "DataFrame")
        or is_from(given, "datasets", "Dataset")
        or is_from(given, "duckdb", "DuckDBPyRelation")
    )
    return known or hasattr(given, "__arrow_c_stream__")


def paths(given: Any) -> list[str] | None:
    """Paths, if this is one or several of them."""
    if isinstance(given, os.PathLike):
        return [os.fspath(given)]
    is_list = isinstance(given, (list, tuple)) and len(given) > 0
    if is_list and all(isinstance(one, os.PathLike) for one in given):
        return [os.fspath(one) for one in given]
    if isinstance(given, str):
        raise TypeError(
            f"a str is a text; give pathlib.Path({given[:40]!r}) for a file, or a table"
        )
    return None


def of_files(
    function: str, given: Sequence[str], output: Any, options: Mapping[str, object]
) -> dict[str, Any]:
    """The job of the command line: files in, files out."""
    if output is None:
        raise TypeError(f"{function}: files are written as files; give output, a new folder or file")
    with followed(options, reads_files=True) as job:
        done: dict[str, Any] = json.loads(
            _cento.dedupe_files(list(given), os.fspath(output), **job)
        )
        return done


def expect_no_output(output: Any) -> None:
    """A table is returned, and written nowhere."""
    if output is not None:
        raise TypeError("output: a table in memory is returned; only files are written")


def named(value: Any, row: int) -> str:
    """The id of a row as the command line reads it from a table."""
    own = own_name(value)
    return str(row) if own is None else own


def own_name(value: Any) -> str | None:
    """The id that a row has, if it has one."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value:
        return str(value)
    return None


def number(value: Any) -> float | None:
    """The number in a field: also one that is written as text."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
