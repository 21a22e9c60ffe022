"""The answer of corpus.py, by PySpark: `mapInArrow` on two executors of one gigabyte."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import corpus
import pyarrow as pa
from pyspark.sql import SparkSession

HERE = str(Path(__file__).parent)


def counts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The counts of the files of a partition."""
    sys.path.insert(0, HERE)
    import corpus

    for batch in batches:
        for path in batch["path"].to_pylist():
            for part in corpus.counts(path):
                # Spark has no unsigned integers.
                yield part.cast(pa.schema([field.with_type(pa.int64()) if field.name == "stall" else field for field in part.schema]))


def start(master: str = "local-cluster[2,1,1024]") -> SparkSession:
    """Starts a cluster on this machine: two executors with a core and 1,024 MiB each."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    path = os.pathsep.join(path for path in sys.path if path)
    builder = SparkSession.builder.master(master).appName("corpus")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.executorEnv.PYTHONPATH": path,
        "spark.executor.memory": "1024m",
        "spark.driver.host": "127.0.0.1",
        "spark.task.maxFailures": "8",
        "spark.executor.processTreeMetrics.enabled": "false",
    }.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def answer(spark: SparkSession, folder: str, task: object = counts) -> pa.Table:
    """The answer of the executors."""
    started = time.perf_counter()
    files = corpus.paths(folder)
    rows = spark.sparkContext.parallelize([(path,) for path in files], max(1, len(files)))
    schema = "arch string, mnemonic string, stall long, rows long, pid long, peak long, bytes long"
    counted = rows.toDF("path string").mapInArrow(task, schema).toArrow()  # type: ignore[arg-type]
    return corpus.report("Spark, 2 executors", counted.cast(corpus.USAGE).to_batches(), started)


if __name__ == "__main__":
    session = start()
    answer(session, sys.argv[1])
    session.stop()
