"""The answer of corpus.py, by Ray Data: a task for each file, on as many processes as there are processors."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import corpus
import pyarrow as pa
import ray


def counts(batch: pa.Table) -> Iterator[pa.Table]:
    """The counts of the files of a batch."""
    sys.path.insert(0, str(Path(__file__).parent))
    import corpus

    found = [part for path in batch["path"].to_pylist() for part in corpus.counts(path)]
    yield pa.Table.from_batches(found, corpus.USAGE)


def answer(folder: str, workers: int = 2, task: Callable[[pa.Table], Iterator[pa.Table]] = counts) -> pa.Table:
    """The answer of a number of workers."""
    started = time.perf_counter()
    files = ray.data.from_items([{"path": path} for path in corpus.paths(folder)], override_num_blocks=len(corpus.paths(folder)))
    # A worker that dies is started again, with its task.
    counted = files.map_batches(task, batch_size=1, batch_format="pyarrow", compute=ray.data.TaskPoolStrategy(workers), num_cpus=1)
    tables: list[Any] = [table for table in counted.iter_batches(batch_format="pyarrow", batch_size=None) if len(table)]
    batches = [part for table in tables for part in table.cast(corpus.USAGE).to_batches()]
    return corpus.report(f"Ray, {workers} workers", batches, started)


def start(workers: int = 2) -> None:
    """Starts a cluster on this machine."""
    ray.init(num_cpus=workers, object_store_memory=256 << 20, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False


if __name__ == "__main__":
    start()
    answer(sys.argv[1])
    ray.shutdown()
