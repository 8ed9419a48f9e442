"""text-dedup: its MinHash command; the first of each cluster is kept."""

import pickle
import subprocess
import sys
import tempfile

from table import rows, write

source, target, threshold = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    command = [sys.executable, "-m", "text_dedup.minhash"]
    command += ["--path", "json", "--data_files", source, "--split", "train"]
    command += ["--cache_dir", f"{folder}/cache", "--output", f"{folder}/output", "--debug"]
    command += ["--column", "text", "--ngram", "5", "--threshold", threshold]
    command += ["--hash_func", "xxh3", "--num_proc", "2"]
    subprocess.run(command, check=True)
    with open(f"{folder}/output/uf.pkl", "rb") as stored:
        clusters = pickle.load(stored)
first, kept = {}, []
for row in range(len(rows(source))):
    cluster = clusters.find(row) if row in clusters.parent else row
    if first.setdefault(cluster, row) == row:
        kept.append(row)
write(target, kept)
