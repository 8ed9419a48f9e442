"""datasketch: MinHashLSH as its documentation shows it; with `containment`, its LSH Ensemble."""

import sys

from datasketch import MinHash, MinHashLSH, MinHashLSHEnsemble
from shingles import documents, shingles, write

PERMUTATIONS = 128


def main(source, target, threshold, measure):
    hashes, sizes = {}, {}
    for number, text in documents(source):
        own = shingles(text)
        hashes[number] = MinHash(num_perm=PERMUTATIONS)
        hashes[number].update_batch([shingle.encode() for shingle in own])
        sizes[number] = len(own)
    if measure == "containment":
        index = MinHashLSHEnsemble(threshold=threshold, num_perm=PERMUTATIONS, num_part=16)
        index.index((number, hashes[number], max(sizes[number], 1)) for number in hashes)
        found = (index.query(hashes[number], max(sizes[number], 1)) for number in hashes)
    else:
        index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        for number, minhash in hashes.items():
            index.insert(number, minhash)
        found = (index.query(minhash) for minhash in hashes.values())
    pairs = ((left, right) for left, near in zip(hashes, found) for right in near if left != right)
    write(target, pairs)


main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
