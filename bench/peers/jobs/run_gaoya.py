"""gaoya: its own analyzer in Rust, bulk insertion and bulk query on all cores."""

import sys

from gaoya.minhash import MinHashStringIndex
from shingles import documents, write

# What its documentation gives for a threshold of 0.5.
BANDS, ROWS = 42, 3


def main(source, target, threshold):
    numbers, texts = zip(*documents(source))
    numbers, texts = list(numbers), list(texts)
    index = MinHashStringIndex(
        hash_size=32,
        jaccard_threshold=threshold,
        num_bands=BANDS,
        band_size=ROWS,
        analyzer="word",
        ngram_range=(5, 5),
        id_container="smallvec",
    )
    index.par_bulk_insert_docs(numbers, texts)
    found = index.par_bulk_query(texts)
    write(target, ((left, right) for left, near in zip(numbers, found) for right in near if left != right))


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
