"""Where results of steps lie: files that all machines see, so that no step is done twice."""

import atexit
import shutil
import tempfile
import uuid
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from cento._errors import OptionError


class Work:
    """A new folder for one run."""

    def __init__(self, spark: SparkSession, place: str | None) -> None:
        self.spark = spark
        self.path = f"{folder(spark, place)}/cento-{uuid.uuid4().hex[:12]}"

    def keep(self, name: str, frame: DataFrame) -> DataFrame:
        """Writes a step down, and goes on with what was written."""
        path = f"{self.path}/{name}"
        frame.write.parquet(path)
        return self.spark.read.schema(frame.schema).parquet(path)

    def remove(self) -> None:
        """Removes the folder. What rests on it cannot be read any more."""
        remove(self.spark, self.path)


def folder(spark: SparkSession, place: str | None) -> str:
    """The folder that was named, or one of this machine if there is no other."""
    if place is not None:
        return str(place).rstrip("/")
    try:
        context = spark.sparkContext
    except Exception as error:
        raise needed() from error
    checkpoints = context.getCheckpointDir()
    if checkpoints is not None:
        return str(checkpoints).rstrip("/")
    if not str(context.master).startswith("local"):
        raise needed()
    own = tempfile.mkdtemp(prefix="cento-")
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    return f"file://{own}"


def needed() -> OptionError:
    """Nobody knows a folder that all machines see."""
    return OptionError(
        "work: name a folder that all machines see, such as hdfs:///tmp or s3a://bucket/tmp; what is in between "
        "is written there"
    )


def file_system(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """The file system that a path belongs to, and the path as it knows it."""
    context: Any = spark.sparkContext
    hadoop = context._jvm.org.apache.hadoop.fs.Path(path)
    return hadoop.getFileSystem(context._jsc.hadoopConfiguration()), hadoop


def remove(spark: SparkSession, path: str) -> None:
    """Removes a folder with all that is in it."""
    system, place = file_system(spark, path)
    system.delete(place, True)
