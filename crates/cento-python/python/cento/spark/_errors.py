"""What executors say, in the words in which they said it."""

import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar

from cento._errors import CentoError, OptionError

Function = TypeVar("Function", bound=Callable[..., Any])

# The last line of a traceback of Python, whatever Spark has put around it.
SAID = re.compile(r"^\s*cento\.(Error|OptionError): (.*?)(?=\n\s*\n|\n\s*at |\n\s*\.\.\. |\Z)", re.MULTILINE | re.DOTALL)


def in_own_words(function: Function) -> Function:
    """The function with errors of executors as Cento's own: Spark wraps them into tracebacks of its own."""

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        try:
            return function(*given, **options)
        except Exception as error:
            said = own_words(error)
            if said is None:
                raise
            raise said from error

    return call  # type: ignore[return-value]


def own_words(error: BaseException) -> CentoError | None:
    """What Cento said in an executor, if an error of Spark is about that."""
    if type(error).__module__.split(".")[0] not in ("pyspark", "py4j"):
        return None
    found = SAID.search(str(error))
    if found is None:
        return None
    kind = OptionError if found[1] == "OptionError" else CentoError
    return kind(found[2].strip())
