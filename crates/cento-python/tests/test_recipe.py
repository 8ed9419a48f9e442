"""Recipes and fingerprints: the digests of the command line, through Arrow."""

import json
import pickle
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import run
from hypothesis import given, settings
from hypothesis import strategies as st

import cento

RECIPES = ["default", "se", "masaryk", "winnow", "words+fold | window:3 | fast:64 | all"]
TEXTS = ["The town rebuilt its canal in nine years.", "", "žluťoučký kůň 馬 🐎 úpěl ďábelské ódy", "a b"]


@pytest.mark.parametrize("name", RECIPES)
def test_digests_are_those_of_the_command_line(name: str, tmp_path: Path) -> None:
    text = "The town rebuilt its canal in nine years, and it paid for that with a loan. " * 3
    path = tmp_path / "a.txt"
    path.write_text(text)
    shown = json.loads(run("explain", "fingerprint", path, "--recipe", name, "--json").stdout)
    digests = cento.Recipe(name).fingerprint(text).digests.to_pylist()
    assert digests == sorted(digests)
    assert {int(one, 16) for one in shown["digests"]} == set(digests)


@given(st.lists(st.none() | st.text(max_size=200), max_size=20))
@settings(max_examples=60, deadline=None)
def test_a_column_is_its_texts_one_by_one(texts: "list[str | None]") -> None:
    texts = [None if text is None else text.encode("utf-8", "ignore").decode() for text in texts]
    recipe = cento.Recipe("words+fold | window:2 | fast:64 | all")
    expected = [None if one is None else recipe.fingerprint(one).digests.to_pylist() for one in texts]
    assert recipe.fingerprints(texts).to_pylist() == expected


def columns() -> "list[object]":
    import pandas as pd
    import polars as pl

    texts = [*TEXTS, None]
    array = pa.array(texts)
    return [
        texts,
        tuple(texts),
        array,
        pa.array(texts, pa.large_string()),
        pa.array(texts, pa.string_view()),
        pa.array(["before", *texts, "after"]).slice(1, len(texts)),
        pa.chunked_array([texts[:2], [], texts[2:]], pa.string()),
        pl.Series("text", texts),
        pd.Series(texts),
        pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
        pd.Series(texts, index=range(10, 10 + len(texts)), dtype=object),
        (text for text in texts),
    ]


@pytest.mark.parametrize("column", columns(), ids=lambda column: type(column).__name__)
def test_columns_of_any_library(column: object) -> None:
    recipe = cento.Recipe()
    made = recipe.fingerprints(column)
    expected = [recipe.fingerprint(text).digests.to_pylist() for text in TEXTS]
    assert made.to_pylist() == [*expected, None]
    assert made[-1] is None and made[0] == expected[0]


def test_columns_go_out_without_a_copy() -> None:
    import polars as pl

    made = cento.Recipe().fingerprints(TEXTS)
    array = pa.array(made)
    assert array.type == pa.list_(pa.field("item", pa.uint64(), nullable=False))
    again = pa.array(made)
    assert array.values.buffers()[1].address == again.values.buffers()[1].address
    array.validate(full=True)
    assert made.to_pyarrow() == array
    assert pl.Series(made).to_list() == made.to_pylist()
    # The column outlives what it was made of.
    del made, again
    assert len(array[0].as_py()) > 0


def test_no_column_and_empty_columns() -> None:
    recipe = cento.Recipe()
    assert recipe.fingerprints([]).to_pylist() == []
    assert recipe.fingerprints(pa.array([], pa.string())).to_pylist() == []
    assert recipe.fingerprints(pa.nulls(2)).to_pylist() == [None, None]
    for column, message in [
        ("a text", "a str is one text"),
        (b"bytes", "bytes are no column"),
        (pa.array([b"x"]), "a column of bytes"),
        (pa.array([1]), "not of text"),
        (["a", 1], "row 1 is not a text: int"),
        (pa.array([["a"]]), "not of text"),
    ]:
        with pytest.raises(TypeError, match=message):
            recipe.fingerprints(column)


def test_text_that_is_none() -> None:
    broken = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xff")])
    with pytest.raises(Exception, match="(?i)utf"):
        cento.Recipe().fingerprints(broken)
    with pytest.raises(UnicodeEncodeError):
        cento.Recipe().fingerprint("\ud800")


def test_scores_and_what_cannot_be_compared() -> None:
    recipe = cento.Recipe("words | window:1 | fast:64 | all")
    one, other = recipe.fingerprint("a b c"), recipe.fingerprint("b c d")
    assert one.score(other) == 0.5
    assert one.score(other, "containment") == pytest.approx(2 / 3)
    assert one.score(one) == 1.0 and one == recipe.fingerprint("a b c") and one != other
    assert (len(one), one.tokens) == (3, 3)
    with pytest.raises(cento.OptionError, match="measure: "):
        one.score(other, "beauty")
    with pytest.raises(cento.Error, match="recipe"):
        one.score(cento.Recipe("words | window:2 | fast:64 | all").fingerprint("a b c"))


def test_recipes_are_values(tmp_path: Path) -> None:
    recipe = cento.Recipe("winnow")
    again = pickle.loads(pickle.dumps(recipe))
    assert again == recipe and hash(again) == hash(recipe) and str(again) == str(recipe)
    assert recipe != cento.Recipe() and cento.Recipe(str(recipe)) == recipe
    assert not recipe.is_keyed and cento.Recipe("sift").is_keyed
    key = tmp_path / "key"
    key.write_text("00112233445566778899aabbccddeeff\n")
    text = "the town rebuilt its canal in nine years and paid for it " * 20
    assert cento.Recipe("sift").fingerprint(text) != cento.Recipe("sift", key_file=key).fingerprint(text)
    key.write_text("no key")
    with pytest.raises(cento.OptionError, match="key_file: .*a key is 32 hex digits"):
        cento.Recipe("sift", key_file=key)
