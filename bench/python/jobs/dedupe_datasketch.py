"""datasketch: a document is kept if its MinHashLSH has none like it yet."""

import sys

from datasketch import MinHash, MinHashLSH
from table import rows, shingles, write

source, target, threshold = sys.argv[1:]
index = MinHashLSH(threshold=float(threshold), num_perm=128)
kept = []
for row, text in enumerate(rows(source)):
    minhash = MinHash(num_perm=128)
    minhash.update_batch([shingle.encode() for shingle in shingles(text)])
    if not index.query(minhash):
        index.insert(row, minhash)
        kept.append(row)
write(target, kept)
