"""Hostile input: exceptions, no crash, no leak."""

from __future__ import annotations

import gc
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
    # Numbers are numbers, whatever the order of their bytes.
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


HUGE = """
import isagen, numpy, pyarrow as pa
insn = isagen.load("sm80").assemble("HFMA2.MMA R5, -RZ, RZ, 0, 2.384185791015625e-07")
count = (1 << 27) + 1
words = numpy.tile(numpy.frombuffer(insn.word.to_bytes(16, "big"), dtype=numpy.uint64), count)
column = pa.FixedSizeBinaryArray.from_buffers(pa.binary(16), count, [None, pa.py_buffer(words)])
assert column.nbytes > 1 << 31
try:
    isagen.disasm("sm80", column, fields=False)
except OverflowError as why:
    assert "several arrays" in str(why)
    print("refused")
"""


@pytest.mark.skipif("ISAGEN_HUGE" not in os.environ, reason="takes some gigabytes of memory: ISAGEN_HUGE=1")
def test_two_gigabytes_of_words_are_refused() -> None:
    run = subprocess.run([sys.executable, "-c", HUGE], capture_output=True, text=True, check=False)
    assert run.stdout == "refused\n", run.stderr


def grown(work: Callable[[], object], times: int) -> int:
    """By how many KiB the process has grown, after it was warm."""
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
