"""A cluster of Spark on this machine: a master and workers, each a process of its own, on loopback.

`python standalone.py` runs the long test: a worker is killed while texts become digests, and one after that, and
the result is that of `cento.dedupe` each time. The same while documents are registered in shards: the result is the
registry that one process makes.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyspark
from conftest import catalogue, corpus, run, segments

import cento
import cento.spark


class Cluster:
    """A master and workers with one core each."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen[bytes]] = []
        master = ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0"]
        self.master = self.start("org.apache.spark.deploy.master.Master", *master)
        wait_for(lambda: is_open(self.port), "the master listens")
        for _ in range(workers):
            self.add_worker()

    def start(self, main: str, *arguments: str) -> "subprocess.Popen[bytes]":
        """Starts a process of Spark."""
        environment = {**os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1"}
        log = open(self.folder / f"{main.rsplit('.', 1)[1]}-{time.monotonic_ns()}.log", "wb")
        command = [str(self.home / "bin/spark-class"), main, *arguments]
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)

    def add_worker(self) -> None:
        """One more worker."""
        more = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0"]
        place = str(self.folder / "workers")
        worker = self.start("org.apache.spark.deploy.worker.Worker", *more, "--work-dir", place, self.url)
        self.workers.append(worker)

    def executors(self) -> int:
        """How many workers have an executor."""
        return sum(1 for worker in self.workers if children(worker.pid))

    def kill_worker(self) -> None:
        """Kills a worker with its executors, as a machine that loses power does."""
        worker = next(one for one in self.workers if children(one.pid))
        for process in [worker.pid, *children(worker.pid)]:
            os.kill(process, signal.SIGKILL)
        worker.wait()
        self.workers.remove(worker)

    def close(self) -> None:
        """Ends all processes."""
        for process in [*self.workers, self.master]:
            process.terminate()
            process.wait()


def children(process: int) -> list[int]:
    """The processes that one has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def is_open(port: int) -> bool:
    """Whether somebody listens at a port."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition: Callable[[], bool], what: str, seconds: float = 300) -> None:
    """Looks again and again until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


def session(cluster: Cluster) -> Any:
    """A session on a cluster."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(cluster.url).appName("cento long test")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.executor.cores": "1",
        "spark.log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def is_running(spark: Any) -> bool:
    """Whether a stage is under way: some of its tasks are done, and others run."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    return any(stage and stage.numCompletedTasks >= 1 and stage.numActiveTasks >= 1 for stage in stages)


def check(cluster: Cluster, spark: Any, rows: list[dict[str, Any]], folder: Path, *, in_map_stage: bool) -> None:
    """Deduplicates while a worker is killed."""
    table = pa.Table.from_pylist(rows)
    expected = cento.dedupe(table, threshold=0.6, annotate=True).to_pylist()
    values = [(row["id"], row["text"]) for row in reversed(rows)]
    data = spark.createDataFrame(values, "id string, text string").repartition(48)
    found: list[Any] = []

    def job() -> None:
        found.append(cento.spark.clusters(data, threshold=0.6, work=f"file://{folder}", _first=2, _here=0))

    wait_for(lambda: cluster.executors() == 2, "both workers have an executor")
    thread = threading.Thread(target=job)
    thread.start()
    if in_map_stage:
        ready = lambda: any(folder.glob("cento-*/documents/_temporary")) and is_running(spark)  # noqa: E731
    else:
        ready = lambda: any(folder.glob("cento-*/placed/_SUCCESS")) and is_running(spark)  # noqa: E731
    wait_for(lambda: ready() or not thread.is_alive(), "the stage is under way")
    assert thread.is_alive(), "the run was over before a worker could be killed"
    is_mapped = any(folder.glob("cento-*/documents/_SUCCESS"))
    assert is_mapped != in_map_stage
    cluster.kill_worker()
    thread.join()
    assert found, "the run failed"
    noted = found[0].fates.collect()
    ours = sorted((row["doc_id"], row["cluster_id"], row["is_kept"], row["similarity_to_kept"]) for row in noted)
    theirs = [(row["id"], row["cluster_id"], row["is_kept"], row["similarity_to_kept"]) for row in expected]
    assert ours == theirs
    kept = sorted(row["id"] for row in found[0].kept().collect())
    assert kept == [row["id"] for row in expected if row["is_kept"]]
    when = "in the map stage" if in_map_stage else "after the map stage"
    print(f"a worker killed {when}: {len(kept)} of {len(rows)} documents kept, as on one machine", flush=True)


def check_register(cluster: Cluster, spark: Any, rows: list[dict[str, Any]], folder: Path, *, in_map_stage: bool) -> None:
    """Registers documents in shards while a worker is killed."""
    folder.mkdir()
    whole, shards, joined = (folder / name for name in ("whole", "shards", "joined"))
    key = folder / "key"
    with cento.Registry(whole, create=True, key_file=key):
        pass
    run("registry", "shard", "--registry", whole, "--key-file", key, "-n", 4, "--into", shards)
    with cento.Registry(whole, key_file=key) as registry:
        expected = registry.register(pa.Table.from_pylist(rows).select(["id", "text"]))
    values = [(row["id"], row["text"]) for row in reversed(rows)]
    data = spark.createDataFrame(values, "id string, text string").repartition(48)
    done: list[Any] = []

    def job() -> None:
        done.append(cento.spark.register(data, shards, key_file=key, work=f"file://{folder}"))

    wait_for(lambda: cluster.executors() == 2, "both workers have an executor")
    thread = threading.Thread(target=job)
    thread.start()
    if in_map_stage:
        ready = lambda: any(folder.glob("cento-*/documents/_temporary")) and is_running(spark)  # noqa: E731
    else:
        # Some slices are written, and others are not.
        ready = lambda: any(shards.glob("0*/segments/*new")) and is_running(spark)  # noqa: E731
    wait_for(lambda: ready() or not thread.is_alive(), "the stage is under way")
    assert thread.is_alive(), "the run was over before a worker could be killed"
    cluster.kill_worker()
    thread.join()
    assert done, "the run failed"
    for name in ("new", "versions", "unchanged", "registered", "skipped"):
        assert done[0][name] == expected[name], name
    run("registry", "join", shards, "--into", joined, "--key-file", key)
    assert segments(joined) == segments(whole)
    assert catalogue(joined) == catalogue(whole)
    assert not any(shards.glob("0*/segments/*new"))
    when = "texts become digests" if in_map_stage else "slices are written"
    print(f"a worker killed while {when}: {done[0]['new']} documents registered, as on one machine", flush=True)


def main() -> None:
    """The long test."""
    rows: list[dict[str, Any]] = corpus(6000, seed=11)
    for number, row in enumerate(rows):
        row["id"] = f"d{number:05}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cluster = Cluster(folder)
        try:
            spark = session(cluster)
            for in_map_stage in (True, False):
                place = folder / f"work-{in_map_stage}"
                check(cluster, spark, rows, place, in_map_stage=in_map_stage)
                cluster.add_worker()
            for in_map_stage in (True, False):
                place = folder / f"shards-{in_map_stage}"
                check_register(cluster, spark, rows, place, in_map_stage=in_map_stage)
                cluster.add_worker()
            spark.stop()
        finally:
            cluster.close()


if __name__ == "__main__":
    main()
