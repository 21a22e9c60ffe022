"""Object files, and programs that run."""

from __future__ import annotations

from pathlib import Path

import isagen
import pytest
from conftest import ROOT, SAXPY, isagen_command

CRC = ROOT / "tests/cubins/crc32"


def test_a_cubin() -> None:
    file = isagen.open(SAXPY)
    assert (file.arch, list(file.kernels), list(file.functions)) == ("sm_80", ["saxpy"], ["saxpy"])
    kernel = file.kernels["saxpy"]
    assert (kernel.kind, kernel.size, kernel.section, kernel.offset) == ("kernel", 512, ".text.saxpy", 0)
    assert kernel.resources.registers == 12 and [param.size for param in kernel.resources.params] == [4, 4, 8, 8]
    assert kernel.instructions[0].address == 0 and len(kernel.instructions) == 32
    assert file.resources["saxpy"] == kernel.resources
    assert "<pre" in kernel._repr_html_() and "IMAD.WIDE" in kernel._repr_html_()


@pytest.mark.parametrize("control", [False, True])
def test_listings_are_those_of_the_command(control: bool) -> None:
    paths = [SAXPY, *sorted((ROOT / "tests/cubins").glob("*/*.cubin")), ROOT / "tests/programs/collatz"]
    for path in paths:
        command = isagen_command("disasm", *(["--control"] if control else []), str(path))
        assert isagen.open(path).listing(control=control) == command, path


def test_relocations() -> None:
    found = {}
    for path in sorted((ROOT / "crates/isa-object/tests/data").iterdir()):
        try:
            found[path.name] = [each for all in isagen.open(path).relocations.values() for each in all]
        except isagen.ObjectError:
            continue
    some = [each for all in found.values() for each in all]
    assert some and all(each.offset >= 0 for each in some) and any(each.kind_name and each.symbol for each in some)


def test_edits(tmp_path: Path) -> None:
    file = isagen.open(SAXPY)
    listing = file.listing(control=True)
    assert file.edit(listing).data == file.data
    new = file.edit(listing.replace("FFMA R7, R2,", "FFMA R7, R3,"))
    changed = [n for n, (a, b) in enumerate(zip(file.data, new.data, strict=True)) if a != b]
    assert len(changed) == 1 and new.kernels["saxpy"].instructions[15].address == 0xF0
    assert str(new.kernels["saxpy"].instructions[15]) == "FFMA R7, R3, c[0x0][0x164], R7"
    new.save(tmp_path / "new.cubin")
    assert isagen.open(tmp_path / "new.cubin").data == new.data
    with pytest.raises(isagen.AssemblyError, match="did you mean `EXIT`") as caught:
        file.edit(listing.replace("@P0 EXIT ", "@P0 EXITT"))
    assert caught.value.faults[0].line == 1 + next(n for n, line in enumerate(listing.splitlines()) if "@P0 EXIT" in line)
    with pytest.raises(isagen.AssemblyError, match="no section|no `.section`"):
        file.edit("nothing")


def test_a_kernel_runs() -> None:
    numpy = pytest.importorskip("numpy")
    p = numpy.fromfile(CRC / "p.bin", dtype=numpy.uint8)
    expected = numpy.fromfile(CRC / "out.expect.bin", dtype=numpy.uint32)
    for n in (61, numpy.int32(61), (61).to_bytes(4, "little")):
        out = numpy.zeros(210, dtype=numpy.uint32)
        result = isagen.run(CRC / "crc32.sm_80.cubin", p, out, n, 70, grid=2, block=40)
        assert isinstance(result, isagen.KernelResult) and result.thread_instructions > 100_000
        assert (out == expected).all()
    plain = bytearray(840)
    isagen.run(isagen.open(CRC / "crc32.sm_80.cubin").kernels["crc32"], bytearray(p), plain, 61, 70, grid=(2, 1), block=[40])
    assert plain == expected.tobytes()


def test_arguments_that_a_kernel_does_not_take() -> None:
    numpy = pytest.importorskip("numpy")
    file = isagen.open(CRC / "crc32.sm_80.cubin")
    p, out = bytearray(4290), bytearray(840)

    def run(*args: object, **launch: object) -> None:
        isagen.run(file, *args, **{"grid": 2, "block": 40, **launch})  # type: ignore[arg-type]

    with pytest.raises(isagen.RunError, match="it takes 4 arguments, and 3 are given"):
        run(p, out, 61)
    with pytest.raises(isagen.RunError, match="there is no kernel `crc`"):
        run(p, out, 61, 70, kernel="crc")
    with pytest.raises(TypeError, match="the high byte first"):
        run(numpy.zeros(10, dtype=">u4"), out, 61, 70)
    with pytest.raises(TypeError, match="ascontiguousarray"):
        run(numpy.zeros(8580, dtype=numpy.uint8)[::2], out, 61, 70)
    with pytest.raises(TypeError, match="neither a number nor a buffer"):
        run("text", out, 61, 70)
    with pytest.raises(OverflowError, match="does not fit into 4 bytes"):
        run(p, out, 1 << 40, 70)
    with pytest.raises(isagen.RunError, match="a write of 4 bytes"):
        run(p, bytearray(8), 61, 70)
    with pytest.raises(isagen.RunError, match="at most 1024 threads"):
        run(p, out, 61, 70, block=2048)
    for bad in ((), 0, (1, 2, 3, 4), -1):
        with pytest.raises(ValueError, match="one to three numbers"):
            run(p, out, 61, 70, grid=bad)


def test_a_program_runs() -> None:
    result = isagen.run(ROOT / "tests/programs/collatz", 1000)
    assert isinstance(result, isagen.ProgramResult)
    assert (result.status, result.stdout, result.stderr) == (0, b"871 takes 178 steps\n", b"")
    with pytest.raises(isagen.RunError, match="has not ended after 1000 instructions"):
        isagen.run(ROOT / "tests/programs/collatz", 1000, limit=1000)
    test = isagen.run(ROOT / "tests/programs/riscv-tests/rv64um-mulhsu")
    assert isinstance(test, isagen.ProgramResult) and test.status == 0
