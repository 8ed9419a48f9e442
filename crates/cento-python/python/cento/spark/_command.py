"""`cento-spark`: files of any Hadoop file system in, files out."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import cento
from cento._errors import CentoError, OptionError
from cento._tables import OF_CLUSTERS
from cento.spark._clusters import clusters
from cento.spark._columns import expect_new
from cento.spark._functions import decontaminate, pairs
from cento.spark._work import file_system, remove

HELP = """Takes near-duplicates, or the text of tests, out of Parquet or JSONL files.

  cento-spark hdfs:///crawl/*.parquet -o hdfs:///clean
  spark-submit --master spark://host:7077 "$(cento-spark --script)" s3a://bucket/*.jsonl -o s3a://bucket/clean

The output is a new folder with data/, clusters/ and run.json, and pairs/ if they are asked for. The options are
those of `cento dedupe`, which docs/dedupe.md explains; docs/spark.md has the rest."""

METHOD = ["threshold", "measure", "recipe", "dictionary", "key_file", "keep", "clusters", "drop_all", "exact"]
OF_TESTS = ["against_text_key", "against_id_key", "passages", "min_words", "min_share"]
FORMATS = {"parquet": "parquet", "jsonl": "json"}


def arguments() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    parser = argparse.ArgumentParser(
        prog="cento-spark", description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="a file, a folder or a pattern, as Spark reads them")
    add("-o", "--output", required=True, metavar="FOLDER", help="a new folder for the results")
    add("--format", choices=FORMATS, help="what the input is; by default as the first name ends")
    add("--text-key", metavar="COLUMN", help="the column with the text")
    add("--id-key", metavar="COLUMN", help="the column with the id")
    add("--order-by", metavar="COLUMN", action="append", help="a column that gives rows their order; again for more")
    add("--annotate", action="store_true", help="keep all rows, and say in new columns what was found")
    add("--pairs", action="store_true", help="also write all pairs that are alike")
    add("--max-errors", type=float, metavar="SHARE", help="how many rows may be without a text (0.001)")
    add("--work", metavar="FOLDER", help="where results in between are written (beside the output)")
    add("--script", action=Script, nargs=0, help="print the path that spark-submit takes")
    add("--version", action="version", version=f"cento-spark {cento.__version__}")
    method = parser.add_argument_group("near-duplicates").add_argument
    method("--threshold", type=float, metavar="SHARE", help="from which score on documents are alike (0.8)")
    method("--measure", metavar="NAME", help="what makes the score (resemblance)")
    method("--recipe", metavar="RECIPE", help="how texts become fingerprints")
    method("--dictionary", metavar="FILE", help="words that a recipe names; the same file on all machines")
    method("--key-file", metavar="FILE", help="the key of a keyed recipe; the same file on all machines")
    method("--keep", metavar="WHICH", help="first, last, longest, shortest, max:COLUMN or min:COLUMN (first)")
    method("--clusters", choices=["star", "components"], help="what belongs together (star)")
    method("--drop-all", action="store_true", default=None, help="keep none of several")
    method("--exact", action="store_true", default=None, help="only texts that are equal, byte for byte")
    tests = parser.add_argument_group("the text of tests").add_argument
    tests("--against", nargs="+", metavar="TEST", help="test documents, in the same format")
    tests("--against-text-key", metavar="COLUMN", help="their column with the text")
    tests("--against-id-key", metavar="COLUMN", help="their column with the id")
    tests("--passages", action="store_true", default=None, help="cut the text out, and keep the rest")
    tests("--min-words", type=int, metavar="N", help="the fewest words of a passage (13)")
    tests("--min-share", type=float, metavar="SHARE", help="the least share of a test document")
    return parser


class Script(argparse.Action):
    """Prints where the script is, for spark-submit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(Path(__file__).with_name("__main__.py"))
        parser.exit()


def main(given: list[str] | None = None) -> int:
    """Runs the command."""
    options = arguments().parse_args(given)
    spark = SparkSession.builder.appName("cento").getOrCreate()
    try:
        print(Run(spark, options).run())
    except (CentoError, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


class Run:
    """One run of the command."""

    def __init__(self, spark: SparkSession, options: argparse.Namespace) -> None:
        self.spark = spark
        self.options = options
        self.output = options.output.rstrip("/")
        self.format = format_of(options)

    def run(self) -> str:
        """Does what was asked for; says what was done."""
        options = self.options
        unused = METHOD if options.against else OF_TESTS
        for name in unused + (["pairs", "order_by", "work"] if options.against else []):
            if getattr(options, name):
                flag = "--" + name.replace("_", "-")
                reason = "has no meaning with --against" if options.against else "needs --against"
                raise OptionError(f"{flag} {reason}; leave one of them out")
        system, place = file_system(self.spark, self.output)
        if system.exists(place):
            raise CentoError(f"{self.output}: it exists already; name a new folder")
        data = self.read(options.inputs)
        return self.decontaminate(data) if options.against else self.dedupe(data)

    def dedupe(self, data: DataFrame) -> str:
        """Near-duplicates."""
        options = self.options
        if options.annotate:
            expect_new(data, OF_CLUSTERS)
        keys = {"text_key": options.text_key, "id_key": options.id_key, "order_by": options.order_by}
        work = options.work or f"{self.output}.work"
        method = {name: getattr(options, name) for name in METHOD}
        method["max_errors"] = options.max_errors
        found = clusters(data, work=work, **keys, **method)
        self.write(found.annotated() if options.annotate else found.kept(), "data")
        found.fates.write.parquet(f"{self.output}/clusters")
        counts = found.counts()
        if options.pairs:
            shared = {name: method[name] for name in METHOD[:5]}
            every = pairs(data, work=work, max_errors=options.max_errors, **keys, **shared)
            every.write.parquet(f"{self.output}/pairs")
            counts["pairs"] = self.spark.read.parquet(f"{self.output}/pairs").count()
        self.record(found.options(), counts, {"rounds": found.rounds, "steps": found.steps})
        found.remove_work()
        if not options.work:
            remove(self.spark, work)
        rounds = "1 round" if found.rounds == 1 else f"{found.rounds} rounds"
        return f"{counts['kept']} of {counts['documents']} documents kept, in {rounds}; {self.output}"

    def decontaminate(self, data: DataFrame) -> str:
        """The text of tests."""
        options = self.options
        wanted = {name: getattr(options, name) for name in OF_TESTS}
        wanted["passages"] = bool(wanted["passages"])
        tests = self.read(options.against)
        keys = {"text_key": options.text_key, "id_key": options.id_key, "max_errors": options.max_errors}
        noted = decontaminate(data, tests, annotate=True, **keys, **wanted)
        found = noted.filter(F.col("spans") != "[]").select(*[one for one in noted.columns if one != options.text_key])
        found.write.parquet(f"{self.output}/found")
        clean = noted if options.annotate else decontaminate(data, tests, **keys, **wanted)
        self.write(clean, "data")
        seen: Any = noted.agg(F.count("*"), F.count_if("is_kept"), F.count_if(F.col("spans") != "[]")).first()
        counts = dict(zip(("documents", "kept", "contaminated"), seen))
        counts["removed"] = counts["documents"] - counts["kept"]
        described = {"kind": "against", **{name: value for name, value in wanted.items() if value is not None}}
        self.record(described, counts, {"tests": options.against})
        return f"{counts['kept']} of {counts['documents']} documents kept; {self.output}"

    def read(self, paths: list[str]) -> DataFrame:
        """The rows of files."""
        reader = self.spark.read
        try:
            return reader.parquet(*paths) if self.format == "parquet" else reader.json(paths)
        except (PySparkException, Py4JJavaError) as error:
            said = error.java_exception.getMessage() if isinstance(error, Py4JJavaError) else str(error)
            # Its first line says what is wrong with which path; the others are the insides of Spark.
            reason, _, _ = str(said).strip().partition("\n")
            raise CentoError(reason) from error

    def write(self, frame: DataFrame, name: str) -> None:
        """Rows as the input has them."""
        frame.write.format(FORMATS[self.format]).save(f"{self.output}/{name}")

    def record(self, options: dict[str, Any], counts: dict[str, int], more: dict[str, Any]) -> None:
        """The record of the run: whoever finds it knows that everything is there."""
        record = {
            "schema": "cento.spark-run/1",
            "version": cento.__version__,
            "inputs": self.options.inputs,
            "options": options,
            "counts": counts,
            **more,
        }
        system, place = file_system(self.spark, f"{self.output}/run.json")
        out = system.create(place)
        out.write(bytearray(json.dumps(record, indent=2).encode() + b"\n"))
        out.close()


def format_of(options: argparse.Namespace) -> str:
    """What the input is."""
    if options.format:
        return str(options.format)
    name = options.inputs[0].lower()
    for ending in (".gz", ".bz2", ".zst"):
        name = name.removesuffix(ending)
    if name.endswith(".parquet"):
        return "parquet"
    if name.endswith((".jsonl", ".json", ".ndjson")):
        return "jsonl"
    raise OptionError(f"{options.inputs[0]}: its name does not say what it is; --format parquet or --format jsonl does")
