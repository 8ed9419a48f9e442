"""Archives of pages: those of the command line."""

import json
from pathlib import Path

import pytest
from conftest import run

import cento

PAGE = "http://example.org/"


def lines(*arguments: object) -> list[object]:
    return [json.loads(line) for line in run(*arguments).stdout.splitlines()]


def test_versions_come_back(tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(300))
    files = []
    for number, content in enumerate([text, text.replace("word7 ", "word8 "), "something else entirely"]):
        files.append(tmp_path / f"{number}.html")
        files[-1].write_text(f"<html><body><p>{content}</p></body></html>")
    place = tmp_path / "archive"
    with cento.Archive(place, create=True, level=0.8) as archive:
        done = archive.add(PAGE, *files, time="2026-03-01T12:00:00Z")
        assert [version["version"] for version in done["added"]] == [1, 2, 3] and done["skipped"] == []
        for number, file in enumerate(files):
            assert archive.get(f"{PAGE}@{number + 1}") == file.read_bytes()
        # The same archive, by the command line.
        assert archive.log(PAGE) == lines("archive", "log", PAGE, "--archive", place, "--json")
        assert archive.log() == lines("archive", "log", "--archive", place, "--json")
        assert archive.stats() == json.loads(run("archive", "stats", "--archive", place, "--json").stdout)
        shown = json.loads(run("archive", "diff", f"{PAGE}@1", 2, "--archive", place, "--json").stdout)
        assert archive.diff(f"{PAGE}@1", 2) == shown
        assert archive.check()["faults"] == []
        assert archive.forget(f"{PAGE}@3")["versions"] == 1
        assert archive.forget(PAGE)["pages"] == 1
    with pytest.raises(ValueError, match="closed"):
        archive.stats()


def test_what_cannot_be_done(tmp_path: Path) -> None:
    with pytest.raises(cento.Error):
        cento.Archive(tmp_path / "nowhere")
    place = tmp_path / "archive"
    with cento.Archive(place, create=True) as archive:
        with pytest.raises(TypeError, match="pathlib.Path"):
            archive.add(PAGE, "page.html")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="name a file"):
            archive.add(PAGE)
        with pytest.raises(cento.OptionError, match="time: "):
            archive.add(PAGE, Path(__file__), time="soon")
        with pytest.raises(cento.Error):
            archive.get("nothing@1")
    with pytest.raises(TypeError, match="level can only be said when an archive is made"):
        cento.Archive(place, level=0.5)
