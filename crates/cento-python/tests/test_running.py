"""How jobs run inside Python: without its lock, with progress, until Ctrl-C."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import corpus

import cento

TEXTS = [str(row["text"]) * 20 for row in corpus(400, seed=5)]


def test_other_threads_run_meanwhile() -> None:
    counted, is_over = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_over.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    recipe = cento.Recipe("sift")
    deadline = time.monotonic() + 20
    # A job that holds the lock lets nobody count, however long it takes.
    while counted - before < 20 and time.monotonic() < deadline:
        recipe.fingerprints(TEXTS)
    is_over.set()
    thread.join()
    assert counted - before >= 20


def test_jobs_in_many_threads() -> None:
    expected = cento.dedupe(TEXTS)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(cento.dedupe(TEXTS))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    assert cento.dedupe(TEXTS, threads=threads) == cento.dedupe(TEXTS)
    with pytest.raises(cento.OptionError, match="threads: 0 is not a number of threads"):
        cento.dedupe(TEXTS, threads=0)


def test_progress_comes_to_its_end() -> None:
    told: list[tuple[str, int, "int | None"]] = []
    cento.dedupe(TEXTS, progress=lambda *one: told.append(one))
    steps = {step for step, _, _ in told}
    assert steps >= {"reading", "comparing"}
    reading = [(done, of) for step, done, of in told if step == "reading"]
    assert reading[-1][0] == reading[-1][1] == sum(len(text.encode()) for text in TEXTS)
    assert [done for done, _ in reading] == sorted(done for done, _ in reading)
    with pytest.raises(TypeError, match="progress: give True, or a function"):
        cento.dedupe(TEXTS, progress=7)  # type: ignore[arg-type]


def test_bars(capsys: pytest.CaptureFixture[str]) -> None:
    cento.dedupe(TEXTS, progress=True)
    assert "reading" in capsys.readouterr().err


def test_what_a_callback_raises_ends_the_job() -> None:
    def refuse(step: str, done: int, of: "int | None") -> None:
        raise LookupError(step)

    with pytest.raises(LookupError):
        cento.dedupe(TEXTS, progress=refuse)


PROGRAM = """
    import sys, cento
    texts = ["the town rebuilt its canal " * 1000 + str(number) for number in range(4000)]
    print("ready", flush=True)
    try:
        # However fast it is, the interrupt comes in the middle.
        while True:
            cento.{call}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        # Everything works afterwards.
        print(len(cento.dedupe(["a b c", "a b c"])), flush=True)
"""


@pytest.mark.parametrize("call", ["dedupe(texts)", "Recipe('sift').fingerprints(texts)", "scan(texts)"])
def test_an_interrupt_ends_a_job(call: str) -> None:
    code = textwrap.dedent(PROGRAM).format(call=call)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert rest.splitlines() == ["interrupted", "1"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nobody forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes_that_are_forked_have_threads_of_their_own() -> None:
    expected = cento.dedupe(TEXTS)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(cento.dedupe, [TEXTS] * 3).get(timeout=120) == [expected] * 3
