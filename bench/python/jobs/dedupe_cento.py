"""Cento: `cento.dedupe` on a table in memory; with `approximate`, by sketches."""

import sys

import pyarrow
from table import rows, write

import cento

source, target, threshold, *more = sys.argv[1:]
texts = rows(source)
data = pyarrow.table({"row": range(len(texts)), "text": texts})
kept = cento.dedupe(
    data,
    threshold=float(threshold),
    recipe="words+fold | window:5 | fast:64 | all",
    approximate="approximate" in more,
)
write(target, kept["row"].to_pylist())
