"""gaoya: its own analyzer in Rust; a document is kept if no earlier one is like it."""

import sys

from gaoya.minhash import MinHashStringIndex
from table import rows, write

source, target, threshold = sys.argv[1], sys.argv[2], float(sys.argv[3])
texts = rows(source)
numbers = list(range(len(texts)))
# The bands that its documentation gives for a threshold of 0.8.
index = MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=threshold,
    num_bands=20,
    band_size=5,
    analyzer="word",
    ngram_range=(5, 5),
    id_container="smallvec",
)
index.par_bulk_insert_docs(numbers, texts)
removed = set()
for row, near in zip(numbers, index.par_bulk_query(texts)):
    if any(other < row and other not in removed for other in near):
        removed.add(row)
write(target, (row for row in numbers if row not in removed))
