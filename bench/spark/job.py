"""One run on a cluster of this machine: what it cost, as JSON."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from standalone import Cluster, children, wait_for

import cento.spark

TICKS = os.sysconf("SC_CLK_TCK")


def seconds(process):
    """The processor seconds of a process, of those that it has started, and of those that are over."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(seconds(child) for child in children(process))


def main():
    data, work, workers, executors = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    with tempfile.TemporaryDirectory(dir=work) as name:
        folder = Path(name)
        times = folder / "times"
        times.mkdir()
        # Executors measure the kernels: see executors/sitecustomize.py.
        os.environ["CENTO_KERNEL_TIMES"] = str(times)
        own = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = f"{executors}{os.pathsep}{own}"
        cluster = Cluster(folder, workers)
        try:
            spark = session(cluster)
            wait_for(lambda: cluster.executors() == workers, "the executors are there")
            spark.range(1000).repartition(4).mapInArrow(lambda batches: batches, "id long").count()
            used = lambda: seconds(os.getpid()) + sum(seconds(one.pid) for one in cluster.workers)  # noqa: E731
            start, begin = used(), time.monotonic()
            rows = spark.read.json(data)
            found = cento.spark.clusters(rows, threshold=0.5, work=f"file://{folder}/work")
            found.kept().write.parquet(f"file://{folder}/kept")
            wall, cpu = time.monotonic() - begin, used() - start
            kept = spark.read.parquet(f"file://{folder}/kept").count()
            ours = sum(float(file.read_text()) for file in times.iterdir())
            spark.stop()
        finally:
            cluster.close()
        cost = {"wall": wall, "cpu": cpu, "ours": ours, "start": start, "kept": kept, "rounds": found.rounds}
        print(json.dumps(cost))


def session(cluster):
    """A session as somebody would have it who has read docs/spark.md."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(cluster.url).appName("cento benchmark")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "8",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "800m",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
        "spark.log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


if __name__ == "__main__":
    main()
