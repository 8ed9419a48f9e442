"""Cento on Spark: the same results, beyond one machine.

The functions take and return DataFrames of Spark. `pip install pycento[spark]` installs what they need, which
has to be installed on all machines of a cluster. docs/spark.md explains them.
"""

try:
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401
except ImportError as _error:
    raise ImportError(
        "cento.spark needs pyspark and pyarrow on all machines; `pip install pycento[spark]`"
    ) from _error

from cento.spark._clusters import Clusters, clusters
from cento.spark._functions import decontaminate, dedupe, pairs
from cento.spark._shards import register, verify

__all__ = ["Clusters", "clusters", "decontaminate", "dedupe", "pairs", "register", "verify"]
