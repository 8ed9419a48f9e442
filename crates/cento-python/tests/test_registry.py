"""Registries: those of the command line."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import run

import cento


def test_registering_verifying_and_forgetting(essays: Path, tmp_path: Path) -> None:
    place = tmp_path / "registry"
    with cento.Registry(place, create=True, retain="text") as registry:
        done = registry.register(essays, submitter="class", set="2026")
        assert done["new"] == 4 and len(registry) == 4
        # The same registry, by the command line.
        status = json.loads(run("registry", "status", "--registry", place, "--json").stdout)
        assert registry.status() == status
        suspect = tmp_path / "suspect.txt"
        suspect.write_text((essays / "anna.txt").read_text().replace("First of all", "To begin with"))
        report = registry.verify(suspect)
        assert report.json() == run("verify", suspect, "--registry", place, "--json", "-q").stdout
        assert [pair["right"] for pair in report.pairs.to_pylist()] == ["registry:anna.txt", "registry:ben.txt"]
        texts = registry.verify({"suspect.txt": suspect.read_text()})
        assert texts.pairs.to_pylist() == report.pairs.to_pylist()
        assert registry.forget("anna.txt") == 1
        assert [pair["right"] for pair in registry.verify(suspect).pairs.to_pylist()] == ["registry:ben.txt"]
        assert registry.forget(set="2026") == 3
    with pytest.raises(ValueError, match="closed"):
        registry.status()


def test_what_cannot_be_done(essays: Path, tmp_path: Path) -> None:
    place = tmp_path / "registry"
    done = run("registry", "status", "--registry", place, check=False)
    with pytest.raises(cento.Error) as caught:
        cento.Registry(place)
    words = str(caught.value).split(";")[0]
    assert words in done.stderr and "Registry(path, create=True) makes one" in str(caught.value)
    with cento.Registry(place, create=True) as registry:
        with pytest.raises(cento.Error, match="nothing is registered as nobody"):
            registry.forget("nobody")
        with pytest.raises(cento.OptionError, match="name ids"):
            registry.forget()
        with pytest.raises(cento.OptionError, match="expire: "):
            registry.register(essays, expire="soon")
        assert registry.register({"empty": "..."})["skipped"][0]["reason"] == "no words in it"
    with pytest.raises(TypeError, match="retain can only be said when a registry is made"):
        cento.Registry(place, retain="text")
    (place / "key").unlink()
    with pytest.raises(cento.Error, match="give it by key_file or in CENTO_KEY"):
        cento.Registry(place)


def test_texts_without_names_are_not_registered_over_others(tmp_path: Path) -> None:
    """Numbers as names would make the second batch the next version of the first."""
    with cento.Registry(tmp_path / "registry", create=True) as registry:
        text = pa.table({"text": ["one text in a registry", "another one that is in it"]})
        for batch in (["one text in a registry"], text, text.to_pandas()):
            with pytest.raises(cento.Error, match="known by its id"):
                registry.register(batch)
        some = text.append_column("id", [["a", None]])
        with pytest.raises(cento.Error, match="row 1 needs an id, and its column id has none"):
            registry.register(some)
        assert len(registry) == 0
        assert registry.register(text, id_prefix="monday/")["new"] == 2
        assert registry.register(["one text more"], id_prefix="tuesday/")["new"] == 1
        missing = pa.table({"id": ["a", "b"], "text": ["a text with an id", None]})
        done = registry.register(missing)
        assert done["new"] == 1 and [one["id"] for one in done["skipped"]] == ["b"]
        # Questions need no names.
        assert registry.verify(["one text in a registry"]).is_found
        with pytest.raises(TypeError, match="list is no id; give ids one by one"):
            registry.forget(["a"])  # type: ignore[arg-type]
