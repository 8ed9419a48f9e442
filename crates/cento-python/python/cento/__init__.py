"""Cento finds the text that documents share.

A `str` is a text, and a `pathlib.Path` is a file or a folder:

>>> import cento
>>> report = cento.scan({
...     "anna": "The town rebuilt its canal in nine years, and paid for it with a loan.",
...     "ben": "Everybody knows that the town rebuilt its canal in nine years.",
...     "cleo": "This essay is about the price of bread before the war.",
... })
>>> [(pair["left"], pair["right"]) for pair in report.pairs.to_pylist()]
[('anna', 'ben')]

Options have the names of the flags of the command line, with underscores: `cento scan --help` explains
them all. An option that cannot be followed raises `cento.OptionError`, everything else that goes wrong
`cento.Error`. Long work stops at Ctrl-C, and tells how far it is: `progress=True` shows it with tqdm, and
a function of your own is called with the step, what is done and what there is to do.
"""

from cento._archive import Archive
from cento._cento import Column, Fingerprint, Passage, Report, Table, __version__, align
from cento._documents import compare, read, scan
from cento._errors import CentoError as Error
from cento._errors import CentoWarning, OptionError
from cento._recipe import Recipe
from cento._registry import Registry
from cento._reports import eval  # noqa: A004
from cento._tables import decontaminate, dedupe

__all__ = [
    "Archive",
    "CentoWarning",
    "Column",
    "Error",
    "Fingerprint",
    "OptionError",
    "Passage",
    "Recipe",
    "Registry",
    "Report",
    "Table",
    "__version__",
    "align",
    "compare",
    "decontaminate",
    "dedupe",
    "eval",
    "read",
    "scan",
]
