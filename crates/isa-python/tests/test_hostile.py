"""Hostile input: exceptions, no crash, no leak."""

from __future__ import annotations

import gc
import mmap
import os
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import isagen
import pytest
from conftest import SAXPY

pa = pytest.importorskip("pyarrow")


def test_columns_that_are_no_words() -> None:
    wrong = [
        pa.array([1], pa.int32()),
        pa.array([1.5]),
        pa.array(["13"]),
        pa.array([True]),
        pa.array([[1]]),
        pa.array([{"a": 1}]),
        pa.array(["a"]).dictionary_encode(),
    ]
    for column in wrong:
        with pytest.raises(TypeError, match="a column of words has unsigned integers"):
            isagen.disasm("sm80", column)
    for no_column in (1, "text", object()):
        with pytest.raises((TypeError, ValueError)):
            isagen.disasm("sm80", no_column)  # type: ignore[call-overload]
    words = pa.array([1, 2], pa.uint32())
    with pytest.raises(TypeError, match="fewer addresses"):
        isagen.disasm("rv64gc", words, addresses=pa.array([1], pa.uint64()))
    with pytest.raises(TypeError, match="addresses are uint64"):
        isagen.disasm("rv64gc", words, addresses=pa.array([1, 2]))
    with pytest.raises(isagen.Error, match="byteorder"):
        isagen.disasm("rv64gc", words, byteorder="native")  # type: ignore[call-overload]
    with pytest.raises(isagen.Error, match="text-only"):
        isagen.disasm("ptx-vop4", words)


def test_numbers_of_other_machines() -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match="in the order of another machine"):
        isagen.disasm("rv64gc", numpy.array([0x13], dtype=">u4"))
    assert pa.array(isagen.disasm("rv64gc", numpy.array([0x13], dtype="<u4"))).to_pylist()[0]["text"] == "nop"
    isa = isagen.load("rv64gc")
    # The values of numbers are independent of their byte order.
    assert [insn.text for insn in isa.disasm(numpy.array([0x13], dtype=">u4"))] == ["nop"]


def test_damaged_files() -> None:
    good = SAXPY.read_bytes()
    rng = random.Random(1)
    for cut in [*range(0, 64), *range(64, len(good), 97)]:
        for work in (lambda data: isagen.open(data).listing(), lambda data: pa.table(isagen.scan_object(data))):
            try:
                work(good[:cut])
            except (isagen.ObjectError, pa.ArrowException, OSError, ValueError):
                continue
    for _ in range(300):
        bad = bytearray(good)
        for _ in range(rng.randrange(1, 8)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try:
            file = isagen.open(bytes(bad))
            listing = file.listing(control=True)
            file.edit(listing)
        except (isagen.ObjectError, isagen.AssemblyError):
            pass
        try:
            pa.table(isagen.scan_object(bytes(bad), errors="skip"))
        except (pa.ArrowException, OSError, ValueError):
            pass
    with pytest.raises(isagen.ObjectError):
        isagen.open(b"")
    with pytest.raises(Exception, match="neither an ELF file"):
        pa.table(isagen.scan_object(b"nothing"))
    assert pa.table(isagen.scan_object(b"nothing", errors="skip")).num_rows == 0


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    bad = tmp_path / "bad.cubin"
    bad.write_bytes(SAXPY.read_bytes()[:300])
    with pytest.raises(isagen.ObjectError, match="bad.cubin"):
        isagen.to_parquet([SAXPY, bad], tmp_path / "out.parquet")
    with pytest.raises(FileNotFoundError, match="none.cubin"):
        isagen.to_parquet([tmp_path / "none.cubin"], tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == [bad]
    assert isagen.to_parquet([SAXPY, bad], tmp_path / "out.parquet", errors="skip") == 32


def test_nothing() -> None:
    for kind in (pa.uint32(), pa.binary(4), pa.binary(), pa.null()):
        assert len(pa.array(isagen.disasm("rv64gc", pa.array([], kind)))) == 0
    assert len(pa.chunked_array(isagen.disasm("rv64gc", pa.chunked_array([], pa.uint32())))) == 0


def test_streams_of_batches_can_be_left() -> None:
    for _ in range(20):
        reader = pa.RecordBatchReader.from_stream(isagen.scan_object(SAXPY))
        next(iter(reader))
        del reader


HUGE = 1 << 31


huge = pytest.mark.skipif("ISAGEN_HUGE" not in os.environ, reason="takes 6 GB of memory: ISAGEN_HUGE=1")


def test_texts_of_two_gigabytes_are_refused(tmp_path: Path) -> None:
    spec = tmp_path / "tiny.yaml"
    spec.write_text(f'isa: tiny\nword: 8\ninstructions: {{ nop: {{ fix: {{ 7..0: 0 }}, text: "{"nop" * 100}" }} }}\n')
    # In a process of its own, so that its memory is released.
    script = f"""
import isagen, pyarrow as pa
words = pa.array([0], pa.uint8()).take(pa.repeat(pa.scalar(0, pa.int32()), {HUGE // 300 + 1}))
try:
    isagen.disasm({str(spec)!r}, words, fields=False)
except OverflowError as why:
    print(why)
halves = pa.chunked_array([words.slice(0, len(words) // 2), words.slice(len(words) // 2)])
print(pa.chunked_array(isagen.disasm({str(spec)!r}, halves, fields=False)).num_chunks)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    why, chunks = run.stdout.splitlines()
    assert "several arrays" in why and chunks == "2"


def test_long_streams_are_refused() -> None:
    isa = isagen.load("rv64gc")
    for long in (bytes((1 << 26) + 2), bytearray((1 << 26) + 2)):
        with pytest.raises(isagen.Error, match="decoded in parts, or as a column"):
            isa.disasm(long)


@huge
def test_bytes_of_two_gigabytes() -> None:
    with mmap.mmap(-1, HUGE + 2) as zeros, memoryview(zeros) as view:
        with pytest.raises(isagen.Error, match="decoded in parts"):
            isagen.load("rv64gc").disasm(view)
        with pytest.raises(isagen.ObjectError, match="neither an ELF file"):
            isagen.open(view)
        with pytest.raises(Exception, match="neither an ELF file"):
            pa.table(isagen.scan_object(view))


@huge
def test_columns_of_two_gigabytes() -> None:
    script = f"""
import isagen, mmap, pyarrow as pa
count = {HUGE // 16 + 1}
words = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), count, [pa.py_buffer(bytes(count // 8 + 1)), pa.py_buffer(mmap.mmap(-1, 16 * count))])
assert words.nbytes > {HUGE} and words.null_count == count
rows = pa.array(isagen.disasm("sm80", words))
print(len(rows) == count, rows.null_count == count)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.stdout == "True True\n", run.stderr


def grown(work: Callable[[], object], times: int) -> int:
    """The growth of the process in KiB, after a warm-up."""
    for _ in range(times // 4):
        work()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(times):
        work()
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def test_nothing_leaks(tmp_path: Path) -> None:
    isa = isagen.load("sm80")
    words = pa.array([0x13, 0x00500513, 0xFFFFFFFF, None] * 2000, pa.uint32())
    spec = tmp_path / "tiny.yaml"
    spec.write_text('isa: tiny\nword: 8\ninstructions: { nop: { fix: { 7..0: 0 }, text: "nop" } }\n')

    def fails() -> None:
        with pytest.raises(isagen.DecodeError):
            isa.disasm(1)
        with pytest.raises(TypeError):
            isagen.disasm("sm80", pa.array([1.5]))

    cases: dict[str, Callable[[], object]] = {
        "columns": lambda: isagen.disasm("rv64gc", words),
        "scans": lambda: pa.table(isagen.scan_object(SAXPY)),
        "files": lambda: isagen.open(SAXPY).listing(control=True),
        "loads": lambda: isagen.load(spec).disasm(0),
        "words": lambda: isa.disasm(bytes.fromhex("10721234780000005" + "6e0fe0300c00f00")).pop().fields,
        "failures": fails,
    }
    for name, work in cases.items():
        assert grown(work, 400) < 4096, name
