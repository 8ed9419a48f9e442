"""text-dedup: its command, then every two documents of a cluster are a pair; it tells no others."""

import pickle
import subprocess
import sys
import tempfile

from shingles import write


def main(source, target, threshold):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "text_dedup.minhash"]
        command += ["--path", "json", "--data_files", source, "--split", "train"]
        command += ["--cache_dir", f"{folder}/cache", "--output", f"{folder}/output", "--debug"]
        command += ["--column", "text", "--ngram", "5", "--threshold", threshold]
        command += ["--hash_func", "xxh3", "--num_proc", "2"]
        subprocess.run(command, check=True)
        with open(f"{folder}/output/uf.pkl", "rb") as stored:
            clusters = pickle.load(stored)
    members = {}
    for document in clusters.parent:
        members.setdefault(clusters.find(document), []).append(document)
    pairs = (
        (left, right)
        for family in members.values()
        for place, left in enumerate(family)
        for right in family[place + 1 :]
    )
    write(target, pairs)


main(sys.argv[1], sys.argv[2], sys.argv[3])
