"""Scans and comparisons: the reports of the command line."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import run

import cento


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        (["--threshold", "0.01"], {"threshold": 0.01}),
        (["--recipe", "winnow", "--measure", "resemblance"], {"recipe": "winnow", "measure": "resemblance"}),
        (["--with-text", "--advise"], {"with_text": True, "advise": True}),
        (["--compress", "gzip"], {"compress": "gzip"}),
        (["--exclude", "d*", "--aligner", "none"], {"exclude": "d*", "aligner": "none"}),
        (["--approximate", "--measure", "resemblance"], {"approximate": True, "measure": "resemblance"}),
    ],
)
def test_scans_are_those_of_the_command_line(essays: Path, flags: list[str], options: dict[str, object]) -> None:
    report = cento.scan(essays, **options)
    assert report.json() == run("scan", essays, "--json", "-q", *flags).stdout


def test_comparisons_are_those_of_the_command_line(essays: Path, tmp_path: Path) -> None:
    left, right = essays / "anna.txt", essays / "ben.txt"
    report = cento.compare(left, right)
    assert report.json() == run("compare", left, right, "--json").stdout
    page = tmp_path / "page.html"
    run("compare", left, right, "-o", page, "-q")
    assert report.html() == page.read_text()
    assert "anna.txt" in report.text()


def test_texts_are_like_files(essays: Path) -> None:
    texts = {path.name: path.read_text() for path in essays.iterdir()}
    given = json.loads(cento.scan(texts).json())
    read = json.loads(cento.scan(essays).json())
    assert given["pairs"] == read["pairs"] and given["families"] == read["families"]
    table = pa.table({"id": list(texts), "text": list(texts.values())})
    assert json.loads(cento.scan(table).json())["pairs"] == read["pairs"]
    both = cento.compare(texts["anna.txt"], texts["ben.txt"])
    files = cento.compare(essays / "anna.txt", essays / "ben.txt")
    assert both.pairs.to_pylist()[0]["score"] == files.pairs.to_pylist()[0]["score"]
    mixed = cento.compare(texts["anna.txt"], essays / "ben.txt")
    assert mixed.pairs.to_pylist()[0]["score"] == files.pairs.to_pylist()[0]["score"]


def test_rows_without_a_text_are_skipped_and_said() -> None:
    text = "the town rebuilt its canal in nine years and paid for it with a loan"
    table = pa.table({"id": ["a", "b", "c", "d"], "text": [text, None, text, ""]})
    report = cento.scan(table)
    assert report.read == 2 and len(report) == 1
    assert [one for one, _ in report.skipped] == ["b", "d"]


def test_what_is_neither_a_text_nor_a_path_is_named() -> None:
    with pytest.raises(TypeError, match="document 1 is neither a text nor a path: NoneType"):
        cento.scan(["a", None])
    with pytest.raises(TypeError, match="the document ben is not a text: bytes"):
        cento.scan({"anna": "a", "ben": b"b"})
    with pytest.raises(TypeError, match="int is neither paths nor texts"):
        cento.scan(7)
    with pytest.raises(TypeError, match="right is neither a text nor a path: bytes"):
        cento.compare("a", b"b")  # type: ignore[arg-type]
    for odd in ({"anna": "\udc80"}, {"\udc80": "a"}):
        with pytest.raises(cento.Error, match="has half of a surrogate pair, U\\+DC80, as character 1"):
            cento.scan(odd)
    with pytest.raises(cento.Error, match="left has half of a surrogate pair"):
        cento.compare("\udc80", "b")


def test_warnings_name_the_line_that_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "essay.txt").write_text("one of the essays")
    message = "a.eml"
    (tmp_path / message).write_text(MESSAGE)
    for call in (lambda: cento.scan(["essay.txt"]), lambda: cento.compare("essay.txt", "a"), lambda: cento.read(message)):
        with pytest.warns(cento.CentoWarning) as caught:
            call()
        assert [one.filename for one in caught] == [__file__]


MESSAGE = """MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

One of the essays.
--b
Content-Disposition: attachment; filename=notes.txt
Content-Type: application/octet-stream

notes
--b--
"""


def test_a_text_is_taken_as_it_is() -> None:
    shared = "<p>the town rebuilt its canal in nine years and paid for it with a loan</p>"
    report = cento.scan({"a": f"<html>{shared}", "b": f"%PDF-1.4 {shared}"})
    assert report.read == 2 and len(report) == 1 and report.skipped == []


def test_pairs_are_a_table(essays: Path) -> None:
    report = cento.scan(essays)
    expected = run("scan", essays, "-f", "csv", "-q").stdout.splitlines()
    assert report.pairs.column_names == expected[0].split(",")[:17]
    table = pa.table(report.pairs)
    assert table.num_rows == len(report) == len(expected) - 1
    assert table.to_pylist() == report.pairs.to_pylist()
    assert f"{table['score'][0].as_py():.6f}" == expected[1].split(",")[2]
    assert list(report.pairs.to_pandas()["left"]) == ["anna.txt"]
    assert report.pairs.to_polars()["right"].to_list() == ["ben.txt"]
    assert report.families == [["anna.txt", "ben.txt"]] and report.is_found


def test_notebooks_show_names_and_no_markup() -> None:
    text = "one and the same sentence stands in both of these texts, word for word"
    shown = cento.scan({"<script>alert(1)</script>": text, "b&b": text})._repr_html_()
    assert "&lt;script&gt;" in shown and "<script>" not in shown and "b&amp;b" in shown


def test_notebooks_show_the_numbers_of_the_command_line(essays: Path) -> None:
    report = cento.scan(essays)
    shown = report._repr_html_()
    (pair,) = report.pairs.to_pylist()
    shares = [f"<td>{round(100 * pair[side])} %</td>" for side in ("share_left", "share_right")]
    assert "".join(shares) in shown and "<th>of left</th><th>of right</th>" in shown and "score" not in shown
    asked = cento.scan(essays, measure="resemblance")
    assert "<th>score</th>" in asked._repr_html_()
    assert f"<td>{round(100 * asked.pairs.to_pylist()[0]['score'])} %</td>" in asked._repr_html_()


def test_what_was_not_read_is_said_where_nothing_was_found() -> None:
    report = cento.scan({"anna": "one text that is read", "ben": "another one that is read", "cleo": ""})
    assert repr(report) == "<cento.Report: 0 pairs of 2 documents, 1 skipped>"
    assert report._repr_html_() == "<p>cento.Report: 0 pairs of 2 documents, 1 skipped</p>"


def test_many_pairs_are_not_all_shown() -> None:
    text = "one and the same sentence stands in all of these texts, word for word"
    shown = cento.scan([text] * 8)._repr_html_()
    assert shown.count("<tr>") == 21 and "8 more" in shown


def test_reading_any_format(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html><body><p>Žlutý kůň</p></body></html>")
    assert cento.read(page) == cento.read(str(page)) == "Žlutý kůň"
    old = tmp_path / "old.txt"
    old.write_bytes("Žlutý kůň".encode("windows-1250"))
    assert cento.read(old, encoding="windows-1250") == "Žlutý kůň"


def test_errors_have_the_words_of_the_command_line(essays: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for call, arguments in [
        (lambda: cento.scan(missing), ["scan", missing]),
        (lambda: cento.compare(essays, essays), ["compare", essays, essays]),
        (lambda: cento.read(missing), ["explain", "text", missing]),
    ]:
        done = run(*arguments, check=False)
        assert done.returncode == 2
        with pytest.raises(cento.Error) as caught:
            call()
        assert f"error: {caught.value}\n" == done.stderr
    done = run("scan", essays, "--threshold", "7", "--measure", "beauty", check=False)
    with pytest.raises(cento.OptionError) as refused:
        cento.scan(essays, threshold=7, measure="beauty")
    lines = [line.strip().removeprefix("error: ").removeprefix("--") for line in done.stderr.splitlines()]
    assert str(refused.value).splitlines() == lines
    assert isinstance(refused.value, ValueError)


def test_slips_are_named(essays: Path) -> None:
    with pytest.raises(TypeError, match="scan\\(\\) has no option treshold; it has .*threshold"):
        cento.scan(essays, treshold=0.5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="threshold: str is not what it takes"):
        cento.scan(essays, threshold="half")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pathlib.Path\\('essays'\\)"):
        cento.scan("essays")
    with pytest.raises(TypeError, match="decode them"):
        cento.scan(b"essays")
    with pytest.raises(cento.OptionError, match="max_file_size: much is not a size"):
        cento.scan(essays, max_file_size="much")
    with pytest.raises(cento.Error, match="two documents are called anna.txt"):
        cento.scan(pa.table({"id": ["anna.txt"] * 2, "text": ["one", "two"]}))
    with pytest.warns(cento.CentoWarning, match="there is a file of this name"):
        cento.compare(str(essays / "anna.txt"), "another text")


def test_alignment_counts_characters() -> None:
    shared = "žluťoučký kůň úpěl ďábelské ódy a město přestavělo svůj kanál za devět let"
    left, right = f"🐎🐎 nejprve {shared} a konec", f"jak známo {shared}"
    passages = cento.align(left, right, "maximal:3words")
    assert len(passages) == 1
    (passage,) = passages
    assert left[passage.left] == shared == right[passage.right]
    assert passage.kind == "exact" and passage.similarity == 1.0
    assert left[passage.left_start : passage.left_end] == shared
    assert cento.align("", "") == []
    with pytest.raises(cento.OptionError, match="aligner: "):
        cento.align("a", "b", "magic")


def test_evaluation(essays: Path, tmp_path: Path) -> None:
    shown = run("eval", essays, "--self", "--recipe", "default", "--json").stdout
    assert cento.eval(essays, by_itself=True, recipe="default") == json.loads(shown)
