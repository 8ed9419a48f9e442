"""datatrove: its four stages of MinHash deduplication, in this process, as its example has them."""

import json
import pathlib
import sys
import tempfile

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter
from datatrove.utils.hashing import HashConfig
from table import write

source, target, _ = sys.argv[1:]
# Fourteen buckets of eight values: a threshold of about 0.72, and its default.
config = MinhashConfig(hash_config=HashConfig(precision=64), num_buckets=14, hashes_per_bucket=8, n_grams=5)


def run(*blocks, tasks=1):
    LocalPipelineExecutor(list(blocks), tasks=tasks, workers=1, logging_dir=tempfile.mkdtemp(dir=folder)).run()


with tempfile.TemporaryDirectory() as folder:
    data = pathlib.Path(source)
    reader = lambda: JsonlReader(str(data.parent), glob_pattern=data.name)  # noqa: E731
    run(reader(), MinhashDedupSignature(output_folder=f"{folder}/signatures", config=config))
    run(
        MinhashDedupBuckets(f"{folder}/signatures", f"{folder}/buckets", config=config),
        tasks=config.num_buckets,
    )
    run(MinhashDedupCluster(f"{folder}/buckets", f"{folder}/remove", config=config))
    kept = JsonlWriter(f"{folder}/kept", output_filename="kept.jsonl", compression=None)
    run(reader(), MinhashDedupFilter(f"{folder}/remove"), kept)
    with open(f"{folder}/kept/kept.jsonl", encoding="utf-8") as lines:
        write(target, (int(json.loads(line)["id"]) for line in lines))
