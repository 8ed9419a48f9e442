"""rensa: RMinHash and RMinHashLSH; candidates are kept if their estimate reaches the threshold."""

import sys

from rensa import RMinHash, RMinHashLSH
from shingles import documents, shingles, write

PERMUTATIONS = 128
BANDS = 32


def main(source, target, threshold):
    index = RMinHashLSH(threshold=threshold, num_perm=PERMUTATIONS, num_bands=BANDS)
    hashes = {}
    for number, text in documents(source):
        minhash = RMinHash(num_perm=PERMUTATIONS, seed=42)
        minhash.update(list(shingles(text)))
        index.insert(number, minhash)
        hashes[number] = minhash
    pairs = []
    for left, minhash in hashes.items():
        for right in index.query(minhash):
            if left < right and minhash.jaccard(hashes[right]) >= threshold:
                pairs.append((left, right))
    write(target, pairs)


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
