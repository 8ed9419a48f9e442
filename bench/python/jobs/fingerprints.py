"""How fast `recipe.fingerprints` is on one thread, in megabytes per second."""

import sys
import time

import pyarrow

import cento

with open(sys.argv[1], encoding="utf-8") as lines:
    column = pyarrow.array([line.rstrip("\n") for line in lines])
size = column.nbytes
recipe = cento.Recipe(sys.argv[2])
best = float("inf")
for _ in range(5):
    start = time.perf_counter()
    recipe.fingerprints(column, threads=1)
    best = min(best, time.perf_counter() - start)
print(f"{size / 1e6 / best:.1f}")
