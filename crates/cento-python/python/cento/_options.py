"""The options of functions: the flags of the command line, with underscores. `--help` explains them."""

import os
from collections.abc import Callable, Sequence
from typing import Literal, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
Strings = Union[str, Sequence[str]]
Size = Union[int, str]
Progress = Callable[[str, int, "int | None"], object]


class Following(TypedDict, total=False):
    """How far a job is, and on how many threads it runs."""

    progress: Union[bool, Progress, None]
    threads: "int | None"


class Files(TypedDict, total=False):
    """Which files make a document, and how large they may be."""

    per_folder: bool
    per_file: bool
    include: "Strings | None"
    exclude: "Strings | None"
    follow_links: bool
    language: "str | None"
    encoding: "str | None"
    max_file_size: "Size | None"
    max_text_size: "Size | None"
    max_ratio: "int | None"
    max_nesting: "int | None"
    max_entries: "int | None"
    max_time: "float | None"
    max_reader_memory: "Size | None"


class Reading(Files, total=False):
    """The same, and which fields of tables are read."""

    text_key: "str | None"
    id_key: "str | None"


class Method(TypedDict, total=False):
    """How texts become fingerprints, and what makes the score."""

    recipe: "str | None"
    measure: "str | None"
    threshold: "float | None"
    dictionary: "Path | None"
    key_file: "Path | None"


class Evidence(TypedDict, total=False):
    """How shared text is found, and which of it counts."""

    aligner: "str | None"
    synonyms: "Path | None"
    vectors: "Path | None"
    base: "Paths | None"
    count_quotes: bool
    count_bibliography: bool
    with_text: bool


class Sketches(TypedDict, total=False):
    """An approximate run."""

    approximate: bool
    num_perm: "int | None"
    bands: "int | None"
    rows: "int | None"
    sketch_seed: "int | None"


class CompareOptions(Following, Reading, Method, Evidence, total=False):
    """The options of `compare`."""

    compress: "str | None"


class ScanOptions(Following, Reading, Method, Evidence, Sketches, total=False):
    """The options of `scan`."""

    old: "Paths | None"
    author: "str | None"
    base_from: "Literal['common'] | None"
    passage: "int | None"
    passage_threshold: "float | None"
    top: "int | None"
    top_documents: "int | None"
    max_df: "int | None"
    advise: bool
    compress: "str | None"


class DedupeOptions(Following, Method, Sketches, total=False):
    """The options of `dedupe`."""

    keep: "str | None"
    clusters: "Literal['star', 'components'] | None"
    drop_all: bool
    exact: bool
    min_words: "int | None"
    max_errors: "float | None"


class DedupeFilesOptions(DedupeOptions, Files, total=False):
    """The options of `dedupe` on files."""

    lists: "Path | None"
    registry: "Path | None"
    max_memory: "Size | None"
    work: "Path | None"


class DecontaminateOptions(Following, total=False):
    """The options of `decontaminate`."""

    min_words: "int | None"
    min_share: "float | None"
    max_errors: "float | None"


class DecontaminateFilesOptions(DecontaminateOptions, Files, total=False):
    """The options of `decontaminate` on files."""

    lists: "Path | None"


class RegistryOptions(Following, total=False):
    """What is settled when a registry is made."""

    recipe: "str | None"
    dictionary: "Path | None"
    retain: "Literal['digests', 'spans', 'text'] | None"
    unkeyed: bool
    keep_bits: "int | None"


class RegisterOptions(Following, Reading, total=False):
    """The options of `register`."""

    manifest: "Path | None"
    submitter: "str | None"
    set: "str | None"
    date: "str | None"
    expire: "str | None"
    id_prefix: "str | None"
    on_change: "Literal['version', 'refuse'] | None"


class VerifyOptions(Following, Reading, Evidence, total=False):
    """The options of `verify`."""

    submitter: "str | None"
    set: "str | None"
    id_prefix: "str | None"
    measure: "str | None"
    threshold: "float | None"
    top: "int | None"
    query_recipe: "str | None"
    passage_threshold: "float | None"
    exclude_submitter: "Strings | None"
    exclude_set: "Strings | None"
    include_own: bool
    include_standard: bool
    base_from: "Literal['common'] | None"
    texts: "Path | None"
    exact: bool


class SparkRegisterOptions(TypedDict, total=False):
    """The options of `spark.register`; `*_key` names the column with what is said of each document."""

    submitter: "str | None"
    set: "str | None"
    date: "str | None"
    expire: "str | None"
    id_prefix: "str | None"
    on_change: "Literal['version', 'refuse'] | None"
    label_key: "str | None"
    submitter_key: "str | None"
    set_key: "str | None"
    date_key: "str | None"
    expire_key: "str | None"
    key_file: "Path | None"
    max_errors: "float | None"


class SparkVerifyOptions(TypedDict, total=False):
    """The options of `spark.verify`."""

    measure: "str | None"
    threshold: "float | None"
    top: "int | None"
    set: "str | None"
    include_standard: bool
    key_file: "Path | None"
    max_errors: "float | None"


class ForgetOptions(Following, total=False):
    """Which documents are forgotten besides those that are named."""

    set: "Strings | None"
    submitter: "Strings | None"
    expired: bool


class ArchiveOptions(Following, total=False):
    """What is settled when an archive is made."""

    recipe: "str | None"
    level: "float | None"
    patch_share: "float | None"


class ArchiveAddOptions(Following, total=False):
    """The options of `Archive.add`."""

    time: "str | None"
    level: "float | None"
    encoding: "str | None"
    max_file_size: "Size | None"
    max_text_size: "Size | None"
    max_ratio: "int | None"
    max_time: "float | None"
    max_reader_memory: "Size | None"


class EvalOptions(Following, Reading, total=False):
    """The options of `eval`."""

    recipe: "Strings | None"
    measure: "Strings | None"
    query_recipe: "str | None"
    passage_threshold: "float | None"
    query_terms: "Sequence[int] | None"
    by_itself: bool
    detail: bool
    top: "int | None"
    key_file: "Path | None"
