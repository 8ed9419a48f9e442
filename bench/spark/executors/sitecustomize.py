"""Measures the processor seconds inside the kernels: every process of an executor writes its own into a file."""

import os
import time

FOLDER = os.environ.get("CENTO_KERNEL_TIMES")
total = [0.0]


def timed(function):
    """A function that counts its time."""

    def call(*arguments, **more):
        start = time.thread_time()
        try:
            given = [getattr(one, "_timed", one) for one in arguments]
            made = function(*given, **more)
        finally:
            total[0] += time.thread_time() - start
            with open(os.path.join(FOLDER, str(os.getpid())), "w") as out:
                print(total[0], file=out)
        return made

    return call


class Timed:
    """An object all of whose methods count their time."""

    def __init__(self, timed):
        self._timed = timed

    def __getattr__(self, name):
        value = getattr(self._timed, name)
        return timed(value) if callable(value) else value


def measure():
    """Puts timed ones in the place of the kernels."""
    from cento import _cento

    for name in ("Parts", "Scatter", "Groups", "Tests"):
        made = getattr(_cento, name)
        setattr(_cento, name, (lambda made: lambda *given, **more: Timed(timed(made)(*given, **more)))(made))
    for name in ("spark_frequent", "spark_settle", "spark_forest"):
        setattr(_cento, name, timed(getattr(_cento, name)))


if FOLDER:
    measure()
