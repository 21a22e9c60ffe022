"""Columns of Arrow."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import isagen
import pytest
from conftest import ROOT, SAXPY, isagen_bytes, isagen_command, vectors

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def rows(spec: str, words: object, **options: object) -> list[dict[str, object] | None]:
    found: list[dict[str, object] | None] = pa.chunked_array(isagen.disasm(spec, words, **options)).to_pylist()  # type: ignore[call-overload]
    return found


def array(spec: str, words: object, **options: object) -> list[dict[str, object] | None]:
    found: list[dict[str, object] | None] = pa.array(isagen.disasm(spec, words, **options)).to_pylist()  # type: ignore[call-overload]
    return found


def test_columns_say_what_instructions_say() -> None:
    for spec, file in (("sm80", "sm80.tsv"), ("rv64gc", "rv64gc.tsv")):
        isa = isagen.load(spec)
        lines = vectors(file)[:5000]
        insns = [isa.disasm(int(line[0], 16), int(line[1], 16)) for line in lines]
        addresses = pa.array([insn.address for insn in insns], pa.uint64())
        if spec == "sm80":
            words = pa.array([insn.word.to_bytes(16, "big") for insn in insns], pa.binary(16))
        else:
            words = pa.array([insn.word for insn in insns], pa.uint32())
        for insn, row in zip(insns, array(spec, words, addresses=addresses), strict=True):
            assert row is not None
            assert (row["text"], row["mnemonic"], row["form"], row["error"]) == (insn.text, insn.mnemonic, insn.form, None)
            fields = [{"name": name, "value": field.value, "text": field.text} for name, field in insn.fields.items()]
            assert row["fields"] == fields


def test_types_of_words() -> None:
    word = 0x00500513
    for kind in (pa.uint32(), pa.uint64()):
        assert array("rv64gc", pa.array([word, None, 0x4501], kind))[0]["text"] == "li a0,5"  # type: ignore[index]
    assert array("rv64gc", pa.array([0x4501], pa.uint16()))[0]["text"] == "li a0,0"  # type: ignore[index]
    for kind in (pa.binary(4), pa.binary(), pa.large_binary(), pa.binary_view()):
        big, little = pa.array([word.to_bytes(4, "big")], kind), pa.array([word.to_bytes(4, "little")], kind)
        assert array("rv64gc", big) == array("rv64gc", little, byteorder="little")
        assert array("rv64gc", big)[0]["text"] == "li a0,5"  # type: ignore[index]
    assert array("rv64gc", pa.nulls(3)) == [None] * 3


def test_refused_words_say_why() -> None:
    row = array("rv64gc", pa.array([0xFFFFFFFF, None], pa.uint32()))
    assert row == [{"text": None, "mnemonic": None, "form": None, "fields": None, "error": "no word begins like this"}, None]
    long = array("sm80", pa.array([bytes(40)], pa.binary()))[0]
    assert long is not None and long["error"] == "40 bytes: no word has more than 32"


def test_the_schema_is_one() -> None:
    schema = pa.schema(isagen.schema())
    assert schema.names == ["text", "mnemonic", "form", "fields", "error"]
    assert schema.field("fields").type == pa.list_(
        pa.field("item", pa.struct([pa.field("name", pa.string(), False), pa.field("value", pa.uint64()), pa.field("text", pa.string(), False)]), False)
    )
    for spec, kind in (("sm80", pa.binary(16)), ("rv64gc", pa.uint32()), ("compact", pa.uint64()), ("fermi", pa.uint64())):
        assert pa.array(isagen.disasm(spec, pa.nulls(1, kind))).type == pa.struct(list(schema))
        assert pa.array(isagen.disasm(spec, pa.nulls(0, kind), fields=False)).type == pa.struct(list(schema))


def test_slices_and_chunks() -> None:
    words = pa.array([0x13, 0x00500513, None, 0x4501, 0x8067], pa.uint32())
    expected = array("rv64gc", words)
    for start in range(6):
        for stop in range(start, 6):
            assert array("rv64gc", words[start:stop]) == expected[start:stop]
    chunks = pa.chunked_array([words[:2], words[2:2], words[2:]])
    assert rows("rv64gc", chunks) == expected
    where = pa.chunked_array([pa.array([0, 4, 8], pa.uint64()), pa.array([12, None], pa.uint64())])
    assert rows("rv64gc", chunks, addresses=where) == [*expected[:4], None]


def test_scans() -> None:
    table = pa.table(isagen.scan_object(SAXPY))
    assert table.schema == pa.schema(isagen.schema("scan")) and table.num_rows == 32
    insns = isagen.open(SAXPY).kernels["saxpy"].instructions
    assert table["text"].to_pylist() == [str(insn) for insn in insns]
    assert table["word"].to_pylist() == [insn.word.to_bytes(16, "big") for insn in insns]
    assert set(table["function"].to_pylist()) == {"saxpy"} and table["address"].to_pylist() == list(range(0, 512, 16))
    assert pa.table(isagen.scan_object(SAXPY.read_bytes(), fields=False))["fields"].null_count == 32
    program = pa.table(isagen.scan_object(ROOT / "tests/programs/collatz"))
    assert program.num_rows > 100 and {len(word) for word in program["word"].to_pylist()} == {2, 4}


def test_files(tmp_path: Path) -> None:
    paths = [SAXPY, ROOT / "tests/programs/collatz"]
    rows = isagen.to_parquet(paths, tmp_path / "all.parquet")
    table = pq.read_table(tmp_path / "all.parquet")
    assert table.num_rows == rows and table.schema == pa.schema(isagen.schema("scan"))
    assert sorted(set(table["file"].to_pylist())) == sorted(str(path) for path in paths)
    assert table.filter(pa.compute.equal(table["file"], str(SAXPY)))["text"].to_pylist() == pa.table(isagen.scan_object(SAXPY))["text"].to_pylist()
    command = [sys.executable, "-m", "isagen", "disasm", "--format", "arrow", "-o", str(tmp_path / "all.arrow"), *map(str, paths)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == f"{rows} rows\n"
    assert pa.ipc.open_stream(tmp_path / "all.arrow").read_all().equals(table.combine_chunks())
    assert list(tmp_path.iterdir()) and not [path for path in tmp_path.iterdir() if path.suffix == ".part"]


@pytest.mark.parametrize("format", ["arrow", "parquet"])
def test_the_command_writes_the_same(format: str, tmp_path: Path) -> None:
    if "--format" not in isagen_command("disasm", "--help"):
        pytest.skip("the command was built without the feature `arrow`")

    def read(*args: str) -> object:
        data = isagen_bytes("disasm", "--format", format, *args)
        return pa.ipc.open_stream(data).read_all() if format == "arrow" else pq.read_table(io.BytesIO(data))

    for path in (SAXPY, ROOT / "tests/programs/collatz"):
        assert read(str(path)) == pa.table(isagen.scan_object(path)).combine_chunks()
    words = tmp_path / "words.hex"
    words.write_text("00500513\n0x40: 4501\nffffffff\nzz\n")
    table = read("rv64gc", str(words))
    assert table["text"].to_pylist() == ["li a0,5", "li a0,0", None, None]  # type: ignore[index]
    assert table["address"].to_pylist()[:2] == [0, 0x40]  # type: ignore[index]
    assert table["error"].to_pylist()[3] == "`z` is not a hexadecimal digit"  # type: ignore[index]
