"""Registers documents and asks about others, in one process or on a cluster of this machine: what it cost, as JSON."""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.json as arrow_json
from job import seconds, session
from standalone import Cluster, wait_for

import cento
import cento.spark

MEASURE = "max-containment"
COLUMNS = (
    "left right score shared containment_left containment_right symmetric resemblance max_containment"
).split()


def main():
    where, data, questions, work, workers = sys.argv[1:]
    work = Path(work)
    costs, new, answers = (one if where == "one" else spark)(data, questions, work, int(workers))
    with open(work / f"{where}.answers", "w") as out:
        for row in answers:
            out.write(json.dumps([row[name] for name in COLUMNS]) + "\n")
    print(json.dumps({"register": costs[0], "verify": costs[1], "new": new}))


def one(data, questions, work, _workers):
    """In this process, on one thread for each worker."""
    used = lambda: seconds(os.getpid())  # noqa: E731
    with cento.Registry(work / "whole", key_file=work / "key") as registry:
        with_id = lambda path: arrow_json.read_json(path, arrow_json.ReadOptions(block_size=64 << 20))  # noqa: E731
        done, registering = timed(used, lambda: registry.register(with_id(data)))
        report, asking = timed(used, lambda: registry.verify(with_id(questions), measure=MEASURE))
    return (registering, asking), done["new"], report.pairs.to_pylist()


def spark(data, questions, work, workers):
    """On a cluster."""
    with tempfile.TemporaryDirectory(dir=work) as name:
        folder = Path(name)
        cluster = Cluster(folder, workers)
        try:
            running = session(cluster)
            wait_for(lambda: cluster.executors() == workers, "the executors are there")
            running.range(1000).repartition(4).mapInArrow(lambda batches: batches, "id long").count()
            used = lambda: seconds(os.getpid()) + sum(seconds(one.pid) for one in cluster.workers)  # noqa: E731
            more = {"key_file": work / "key", "work": f"file://{folder}/work"}
            register = lambda: cento.spark.register(running.read.json(data), work / "shards", **more)  # noqa: E731
            done, registering = timed(used, register)
            asked = running.read.json(questions)
            verify = lambda: cento.spark.verify(asked, work / "shards", measure=MEASURE, **more).collect()  # noqa: E731
            answers, asking = timed(used, verify)
            running.stop()
        finally:
            cluster.close()
    return (registering, asking), done["new"], [row.asDict() for row in answers]


def timed(used, act):
    """What something comes to, and what it cost."""
    start, begin = used(), time.monotonic()
    done = act()
    return done, {"wall": time.monotonic() - begin, "cpu": used() - start}


if __name__ == "__main__":
    main()
