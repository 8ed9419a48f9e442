"""What is in the package: the command, the readers, the types."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import get_type_hints

import pytest
from conftest import run

import cento
from cento import _options
from cento._command import program


def test_the_command_is_inside() -> None:
    place = program()
    assert place is not None and os.access(place, os.X_OK)
    assert f"cento {cento.__version__}" == run("--version").stdout.strip()
    script = Path(sysconfig.get_path("scripts")) / "cento"
    for command in ([str(script)], [sys.executable, "-m", "cento"]):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == f"cento {cento.__version__}"
        assert subprocess.run([*command, "nothing"], capture_output=True).returncode == 2


@pytest.mark.parametrize("fault", ["exit", "stack", "panic", "spin"])
def test_a_reader_that_dies_costs_one_file(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = "the town rebuilt its canal in nine years and paid for it with a loan"
    for name in ["a.html", "b.html", f"fault-{fault}.html"]:
        (tmp_path / name).write_text(f"<html><body><p>{shared}</p></body></html>")
    monkeypatch.setenv("CENTO_TEST_FAULTS", "1")
    report = cento.scan(tmp_path, max_time=2)
    if report.read == 3:
        pytest.skip("this build has no faults to ask for")
    assert [one for one, _ in report.skipped] == [f"fault-{fault}.html"]
    assert report.read == 2 and len(report) == 1
    monkeypatch.setenv("CENTO_PROGRAM", str(tmp_path / "nowhere"))
    assert cento.scan(tmp_path).read == 0


KNOWN = {
    "scan": (lambda **options: cento.scan([], **options), _options.ScanOptions, ()),
    "compare": (lambda **options: cento.compare("a", "b", **options), _options.CompareOptions, ()),
    "dedupe": (lambda **options: cento.dedupe(["a"], **options), _options.DedupeOptions, ("min_words",)),
    "decontaminate": (
        lambda **options: cento.decontaminate(["a"], ["b"], **options),
        _options.DecontaminateOptions,
        (),
    ),
    "eval": (lambda **options: cento.eval("x", **options), _options.EvalOptions, ("by_itself",)),
}


@pytest.mark.parametrize("function", KNOWN)
def test_types_name_the_options_that_there_are(function: str) -> None:
    call, kind, elsewhere = KNOWN[function]
    with pytest.raises(TypeError) as caught:
        call(nonsense=1)
    _, _, known = str(caught.value).partition("; it has ")
    typed = set(get_type_hints(kind)) - set(elsewhere)
    assert typed - set(known.split(", ")) == set()
    assert set(known.split(", ")) - typed <= {"passages", "by_itself"}


FLAGS = {"scan": _options.ScanOptions, "compare": _options.CompareOptions, "dedupe": _options.DedupeFilesOptions,
         "register": _options.RegisterOptions, "verify": _options.VerifyOptions, "forget": _options.ForgetOptions}


@pytest.mark.parametrize("verb", FLAGS)
def test_options_have_the_names_of_flags(verb: str) -> None:
    shown = run(verb, "--help").stdout
    ours = {"progress", "dictionary"} if verb == "dedupe" else {"progress"}
    for name in set(get_type_hints(FLAGS[verb])) - ours:
        assert f"--{name.replace('_', '-')}" in shown, name


def test_types(tmp_path: Path) -> None:
    """The package as a type checker sees them."""
    check = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports"]
    done = subprocess.run([*check, "-p", "cento"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    code = "import cento\nreveal_type(cento.scan(['a']).pairs)\ncento.scan(['a'], treshold=0.1)\n"
    done = subprocess.run([*check, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert "cento._cento.Table" in done.stdout and 'Unexpected keyword argument "treshold"' in done.stdout


