"""rensa: RMinHash and RMinHashLSH; a document is kept if none that is kept reaches the threshold."""

import sys

from rensa import RMinHash, RMinHashLSH
from table import rows, shingles, write

source, target, threshold = sys.argv[1], sys.argv[2], float(sys.argv[3])
index = RMinHashLSH(threshold=threshold, num_perm=128, num_bands=16)
hashes = {}
for row, text in enumerate(rows(source)):
    minhash = RMinHash(num_perm=128, seed=42)
    minhash.update(list(shingles(text)))
    if any(minhash.jaccard(hashes[other]) >= threshold for other in index.query(minhash)):
        continue
    index.insert(row, minhash)
    hashes[row] = minhash
write(target, hashes)
