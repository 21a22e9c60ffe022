"""The instructions of a folder of wheels, libraries and cubins, and their stalls, counted in one process."""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import isagen
import pyarrow as pa
import pyarrow.compute as pc

SCHEMA = pa.schema([("arch", pa.string()), ("mnemonic", pa.string()), ("stall", pa.uint64()), ("rows", pa.int64())])
"""The counts: rows by architecture, mnemonic and stall."""
USAGE = pa.schema([*SCHEMA, ("pid", pa.int64()), ("peak", pa.int64()), ("bytes", pa.int64())])
"""The counts, with the process that has counted, its peak memory in KiB, and the bytes of the rows."""


def paths(folder: str | os.PathLike[str]) -> list[str]:
    """The files of a folder, in order."""
    return sorted(str(path) for path in Path(folder).rglob("*") if path.is_file())


def members(path: str) -> Iterator[bytes]:
    """The file itself, or the files inside a wheel, one after the other."""
    if not path.endswith(".whl"):
        yield Path(path).read_bytes()
        return
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            yield wheel.read(name)


def stalls(batch: pa.RecordBatch) -> pa.Array:
    """The field `stall` of each row; null where there is none."""
    lists = batch["fields"]
    fields = lists.flatten()
    is_stall = pc.equal(fields.field("name"), "stall")
    of = pc.filter(pc.list_parent_indices(lists), is_stall)
    values = pc.filter(fields.field("value"), is_stall)
    # A row without the field keeps its place.
    places = pc.index_in(pa.array(range(len(batch)), pa.int64()), of)
    return pc.take(values, places)


def counts(path: str) -> Iterator[pa.RecordBatch]:
    """Counts of one file, in parts of 8,192 rows. Files that are not object files, or are for other machines, have none."""
    for data in members(path):
        for batch in pa.RecordBatchReader.from_stream(isagen.scan_object(data, errors="skip")):
            table = pa.table({"arch": batch["arch"], "mnemonic": batch["mnemonic"], "stall": stalls(batch)})
            counted = table.group_by(["arch", "mnemonic", "stall"]).aggregate([([], "count_all")])
            counted = counted.rename_columns({"count_all": "rows"}).select(SCHEMA.names).cast(SCHEMA)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            usage = [pa.array([value] * len(counted), pa.int64()) for value in (os.getpid(), peak, 0)]
            # Only the first row has the bytes, so that they can be added.
            usage[2] = pa.array([batch.nbytes] + [0] * (len(counted) - 1), pa.int64())
            yield from pa.table([*counted.columns, *usage], schema=USAGE).combine_chunks().to_batches()


def total(batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """The sum of counts, in a fixed order."""
    table = pa.Table.from_batches(list(batches), USAGE)
    summed = table.group_by(["arch", "mnemonic", "stall"]).aggregate([("rows", "sum")]).rename_columns({"rows_sum": "rows"})
    return summed.select(SCHEMA.names).sort_by([(name, "ascending") for name in ("arch", "mnemonic", "stall")])


def report(name: str, batches: list[pa.RecordBatch], started: float) -> pa.Table:
    """Prints time and memory; returns the answer."""
    seconds = time.perf_counter() - started
    table = pa.Table.from_batches(batches, USAGE)
    answer = total(batches)
    rows, size = pc.sum(answer["rows"]).as_py() or 0, pc.sum(table["bytes"]).as_py() or 0
    peaks = table.group_by("pid").aggregate([("peak", "max")])["peak_max"].to_pylist()
    memory = ", ".join(f"{peak / 1024:.0f} MiB" for peak in sorted(peaks))
    print(f"{name}: {rows:,} rows, {size / 1e9:.2f} GB, {seconds:.1f} s, {rows / seconds / 1e6:.2f} M rows/s; peak of each worker: {memory}")
    return answer


def one_process(folder: str) -> pa.Table:
    """The answer of one process."""
    started = time.perf_counter()
    return report("one process", [batch for path in paths(folder) for batch in counts(path)], started)


def plot(answer: pa.Table, output: str) -> None:
    """Draws the twenty most frequent mnemonics, with the mean stall of each."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    weighted = answer.append_column("cycles", pc.multiply(pc.fill_null(answer["stall"], 0).cast(pa.int64()), answer["rows"]))
    by = weighted.group_by("mnemonic").aggregate([("rows", "sum"), ("cycles", "sum")])
    top = by.sort_by([("rows_sum", "descending")]).slice(0, 20)
    names, rows = top["mnemonic"].to_pylist(), top["rows_sum"].to_pylist()
    means = [cycles / count for cycles, count in zip(top["cycles_sum"].to_pylist(), rows, strict=True)]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 5), sharey=True)
    left.barh([str(name) for name in names], rows, color="#4878a8")
    left.set_xlabel("instructions")
    left.invert_yaxis()
    right.barh([str(name) for name in names], means, color="#a86048")
    right.set_xlabel("mean stall, cycles")
    figure.tight_layout()
    figure.savefig(output, dpi=110)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--plot", help="the file of a plot")
    arguments = parser.parse_args()
    answer = one_process(arguments.folder)
    if arguments.plot:
        plot(answer, arguments.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
