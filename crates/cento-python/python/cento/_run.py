"""How people follow a job."""

import logging
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cento._command import program
from cento._errors import CentoError, CentoWarning


@contextmanager
def followed(given: Mapping[str, object], *, reads_files: bool = False) -> Iterator[dict[str, Any]]:
    """The options of a job, with who is told how far it is."""
    options: dict[str, Any] = dict(given)
    progress = options.pop("progress", None)
    bars = None
    if progress is True:
        bars = Bars()
        progress = bars
    if progress is not None and progress is not False:
        if not callable(progress):
            raise TypeError(
                "progress: give True, or a function of the step, what is done, and what there is to do"
            )
        options["progress"] = progress
    options["_remarks"] = remark
    if reads_files:
        options["_program"] = program()
    try:
        yield options
    finally:
        if bars is not None:
            bars.close()


def remark(text: str, is_warning: bool) -> None:
    """Passes on what a person should know."""
    if is_warning:
        warnings.warn(text, CentoWarning, stacklevel=depth_of_caller())
    else:
        logging.getLogger("cento").info(text)


def depth_of_caller() -> int:
    """How many calls below the function that asks the program is that called: a warning names its line."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "cento":
        depth, frame = depth + 1, frame.f_back
    return depth


class Bars:
    """A bar of tqdm for every step."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise CentoError(
                "progress=True shows bars with tqdm, which is not installed; `pip install tqdm`, "
                "or give a function"
            ) from error
        self._tqdm: Any = tqdm
        self._bar: Any = None
        self._step: str | None = None

    def __call__(self, step: str, done: int, total: int | None) -> None:
        if step != self._step:
            self.close()
            self._bar = self._tqdm(desc=step, total=total, unit_scale=True, unit="")
            self._step = step
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()
        if done == total:
            self.close()

    def close(self) -> None:
        """Nothing more will be heard of this step."""
        if self._bar is not None:
            self._bar.close()
        self._bar = self._step = None
