"""Tables of any library: what `cento dedupe` makes of a file of the same rows."""

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import run

import cento

NEAR = [
    ([], {}),
    (["--threshold", "0.5"], {"threshold": 0.5}),
    (["--clusters", "components", "--threshold", "0.6"], {"clusters": "components", "threshold": 0.6}),
    (["--keep", "longest", "--measure", "containment"], {"keep": "longest", "measure": "containment"}),
    (["--keep", "max:score"], {"keep": "max:score"}),
    (["--keep", "min:score", "--drop-all"], {"keep": "min:score", "drop_all": True}),
    (["--keep", "last", "--exact"], {"keep": "last", "exact": True}),
    (["--recipe", "winnow", "--approximate"], {"recipe": "winnow", "approximate": True}),
]


def written(folder: Path) -> list[dict[str, Any]]:
    (file,) = folder.glob("*.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize(("flags", "options"), NEAR)
def test_the_same_documents_as_the_command_line(
    flags: list[str], options: dict[str, Any], rows: list[dict[str, Any]], jsonl: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    lists = tmp_path / "lists"
    run("dedupe", jsonl, "-o", out, "--lists", lists, "-q", *flags)
    table = pa.Table.from_pylist(rows)
    kept = cento.dedupe(table, **options)
    assert kept.to_pylist() == [json.loads(line) for line in out.read_text().splitlines()]
    assert kept.schema == table.schema
    all_of_them = cento.dedupe(table, annotate=True, **options).to_pylist()
    with open(lists / "clusters.csv") as file:
        clusters = list(csv.DictReader(file))
    found = [
        {
            "doc_id": row["id"],
            "cluster_id": row["cluster_id"],
            "is_kept": str(row["is_kept"]).lower(),
            "similarity_to_kept": f"{row['similarity_to_kept']:.6f}",
        }
        for row in all_of_them
    ]
    assert found == clusters


@pytest.mark.parametrize("passages", [False, True])
def test_tests_are_taken_out_as_by_the_command_line(
    passages: bool, rows: list[dict[str, Any]], jsonl: Path, tmp_path: Path
) -> None:
    tests = [{"id": f"t{number}", "text": rows[number]["text"]} for number in (3, 40, 77, 120)]
    file = tmp_path / "tests.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in tests))
    out = tmp_path / "out.jsonl"
    flags = ["--passages"] if passages else []
    run("dedupe", jsonl, "-o", out, "--against", file, "-q", *flags)
    kept = cento.decontaminate(pa.Table.from_pylist(rows), pa.Table.from_pylist(tests), passages=passages)
    expected = [json.loads(line) for line in out.read_text().splitlines()]
    assert kept.to_pylist() == expected and len(expected) < len(rows)
    noted = tmp_path / "noted.jsonl"
    run("dedupe", jsonl, "-o", noted, "--against", file, "--annotate", "-q", *flags)
    expected = [json.loads(line)["cento"] for line in noted.read_text().splitlines()]
    found = cento.decontaminate(
        pa.Table.from_pylist(rows), pa.Table.from_pylist(tests), passages=passages, annotate=True
    )
    assert [{"is_kept": row["is_kept"], "spans": json.loads(row["spans"])} for row in found.to_pylist()] == expected


def test_passages_are_cut_as_by_the_command_line(rows: list[dict[str, Any]], jsonl: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    run("dedupe", jsonl, "-o", out, "--passages", "--min-words", "10", "-q")
    kept = cento.dedupe(pa.Table.from_pylist(rows), passages=True, min_words=10)
    assert kept.to_pylist() == [json.loads(line) for line in out.read_text().splitlines()]


def kinds(rows: list[dict[str, Any]]) -> dict[str, Any]:
    import datasets
    import duckdb
    import pandas as pd
    import polars as pl

    table = pa.Table.from_pylist(rows)
    datasets.disable_progress_bars()
    return {
        "pyarrow": table,
        "chunks": pa.concat_tables([table.slice(0, 7), table.slice(7, 0), table.slice(7)]),
        "batches": table.to_reader(),
        "pandas": pd.DataFrame(rows, index=range(1000, 1000 + len(rows))),
        "polars": pl.DataFrame(rows),
        "duckdb": duckdb.from_arrow(table),
        "datasets": datasets.Dataset.from_list(rows),
        "selected": datasets.Dataset.from_list(rows[:1] * 3 + rows).select(range(3, len(rows) + 3)),
    }


def listed(table: Any) -> list[dict[str, Any]]:
    if hasattr(table, "to_dicts"):
        return list(table.to_dicts())
    if type(table).__name__ == "DataFrame":
        return list(table.astype(object).where(table.notna(), None).to_dict("records"))
    if type(table).__name__ == "DuckDBPyRelation":
        return list(pa.table(table).to_pylist())
    return list(table.to_list() if hasattr(table, "to_list") else table.to_pylist())


@pytest.mark.parametrize("kind", ["pyarrow", "chunks", "batches", "pandas", "polars", "duckdb", "datasets", "selected"])
def test_tables_of_any_library(kind: str, rows: list[dict[str, Any]]) -> None:
    expected = cento.dedupe(pa.Table.from_pylist(rows)).to_pylist()
    given = kinds(rows)[kind]
    kept = cento.dedupe(given)
    assert listed(kept) == expected
    if kind != "batches":
        assert type(kept) is type(given)
    if kind == "pandas":
        first = {row["id"]: 1000 + place for place, row in enumerate(rows)}
        assert [first[one] for one in kept["id"]] == list(kept.index)
    noted = listed(cento.dedupe(kinds(rows)[kind], annotate=True))
    assert [row["id"] for row in noted if row["is_kept"]] == [row["id"] for row in expected]
    tests = [rows[3]["text"]]
    clean = cento.decontaminate(kinds(rows)[kind], tests, passages=True)
    assert listed(clean) == cento.decontaminate(pa.Table.from_pylist(rows), tests, passages=True).to_pylist()


def test_lists_of_texts() -> None:
    texts = ["one text in two copies here", "another one", "One text, in two copies here!"]
    assert cento.dedupe(texts) == texts[:2]
    assert cento.dedupe(tuple(texts), keep="last") == texts[1:]
    noted = cento.dedupe(texts, annotate=True)
    assert [row["cluster_id"] for row in noted] == ["0", "1", "0"]


def test_odd_tables(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(cento.Error, match="no field named text, .*; there are words; text_key says which"):
        cento.dedupe(pa.table({"words": ["a"]}))
    with pytest.raises(cento.Error, match="test documents: no field named x.*; against_text_key says"):
        cento.decontaminate(["a"], pa.table({"text": ["a"]}), against_text_key="x")
    assert cento.dedupe(pa.table({"words": ["a", "a"]}), text_key="words").num_rows == 1
    with pytest.raises(cento.Error, match="2 of 3 documents cannot be read.*row 0: its field text is empty"):
        cento.dedupe(pa.table({"text": [None, "a", None]}))
    assert cento.dedupe(pa.table({"text": [None, "a"]}), max_errors=0.5).to_pylist() == [{"text": "a"}]
    with pytest.raises(cento.Error, match="there are no documents in it"):
        cento.dedupe(pa.table({"text": pa.array([], pa.string())}))
    with pytest.raises(TypeError, match="a column of bytes"):
        cento.dedupe(pa.table({"text": [b"bytes"]}))
    with pytest.raises(TypeError, match="int is no table"):
        cento.dedupe(7)
    with pytest.raises(TypeError, match="collect\\(\\) it first"):
        import polars

        cento.dedupe(polars.LazyFrame({"text": ["a"]}))
    with pytest.raises(cento.OptionError, match="keep: no document has a number in the field age; the fields are id"):
        cento.dedupe(pa.Table.from_pylist(rows), keep="max:age")
    with pytest.raises(cento.OptionError, match="keep: best is none of first, last"):
        cento.dedupe(pa.Table.from_pylist(rows), keep="best")
    with pytest.raises(cento.OptionError, match="threshold: 0 is not a share"):
        cento.dedupe(pa.Table.from_pylist(rows), threshold=0)
    # Ids that several rows have are theirs all the same.
    twice = cento.dedupe(pa.table({"id": ["x", "x"], "text": ["one text", "another one"]}))
    assert twice.num_rows == 2


def test_columns_of_types_that_arrow_cannot_take_rows_of() -> None:
    texts = ["a b c", "x", "a b c", "y", "z"]
    table = pa.table(
        {
            "text": pa.array(texts, pa.string_view()),
            "nested": pa.array([["a"], None, [], ["b"], ["c"]], pa.list_(pa.string_view())),
        }
    )
    kept = cento.dedupe(table)
    assert kept.schema == table.schema
    assert kept.to_pylist() == [row for place, row in enumerate(table.to_pylist()) if place != 2]
    assert cento.decontaminate(table, texts, min_words=1).num_rows == 0


@pytest.mark.parametrize("kind", ["pyarrow", "pandas", "polars", "duckdb", "datasets"])
def test_columns_of_the_table_are_not_written_over(kind: str, rows: list[dict[str, Any]]) -> None:
    table = kinds([{**row, "is_kept": "mine"} for row in rows[:20]])[kind]
    for annotate in (
        lambda: cento.dedupe(table, annotate=True),
        lambda: cento.dedupe(table, annotate=True, passages=True),
        lambda: cento.decontaminate(table, ["a"], annotate=True),
    ):
        with pytest.raises(cento.OptionError, match="annotate: there is a column is_kept already; rename it"):
            annotate()
    assert {row["is_kept"] for row in listed(cento.dedupe(table))} == {"mine"}


def test_what_is_no_text_is_named() -> None:
    import pandas as pd
    import polars as pl

    mixed = pd.DataFrame({"text": ["a text", None, 7]}, dtype=object)
    for read in (cento.dedupe, cento.scan):
        with pytest.raises(TypeError, match="row 2 is not a text: int"):
            read(mixed)
    with pytest.raises(cento.Error, match="row 1 has half of a surrogate pair, U\\+D800, as character 3"):
        cento.dedupe(["a text", "a \ud800 b"])
    for column in (pd.Series(["a"]), pl.Series(["a"]), pa.array(["a"]), pa.chunked_array([["a"]])):
        with pytest.raises(TypeError, match="is one column; give the table that it is from, or a list of its texts"):
            cento.dedupe(column)


def test_files(jsonl: Path, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    done = cento.dedupe(jsonl, output=out)
    shown = run("dedupe", jsonl, "-o", other, "--json", "-q").stdout
    assert done == json.loads(shown)
    for name in ["clusters.csv", "removed.txt"]:
        assert (out / name).read_bytes() == (other / name).read_bytes()
    parquet = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(rows), parquet)
    cento.dedupe([parquet], output=tmp_path / "kept.parquet")
    assert pq.read_table(tmp_path / "kept.parquet").to_pylist() == cento.dedupe(pq.read_table(parquet)).to_pylist()
    clean = cento.decontaminate(jsonl, [jsonl], output=tmp_path / "clean")
    assert clean["schema"] == "cento.dedupe.against/1"
    with pytest.raises(TypeError, match="give output"):
        cento.dedupe(jsonl)
    with pytest.raises(TypeError, match="pathlib.Path\\('rows.jsonl'\\)"):
        cento.dedupe("rows.jsonl")
