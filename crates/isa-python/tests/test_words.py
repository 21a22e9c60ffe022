"""Words and texts: the same as the command's, both ways."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path

import isagen
import pytest
from conftest import isagen_command, vectors

WORD = 0x000FC00003FEE0560000007834127210


def test_an_instruction() -> None:
    isa = isagen.load("sm80")
    assert (isa.name, isa.lengths, isa.architectures) == ("sm80", (128,), ("sm_80",))
    insn = isa.disasm(WORD)
    assert (insn.text, insn.mnemonic, insn.form) == ("IADD3 R18, R52, R120, R86", "IADD3", "IADD3.reg")
    rd = insn.fields["rd"]
    assert (rd.value, rd.text, rd.bits, rd.is_default, int(rd)) == (18, "R18", [(23, 16)], False, 18)
    assert insn.reads == ("PT", "R120", "R52", "R86") and insn.writes == ("PT", "R18")
    assert insn.control == {"wait": [], "read": None, "write": None, "yield": True, "stall": 0, "reuse": []}
    assert insn.word == WORD and insn.bytes == WORD.to_bytes(16, "little") and (insn.length, insn.end) == (128, 16)
    assert isa.assemble(insn.full) == insn and hash(isa.assemble(insn.full)) == hash(insn)
    assert str(insn) == insn.text and repr(insn) == f'Insn({WORD:#034x}, "{insn.text}")'


@pytest.mark.parametrize(("spec", "files"), [("sm80", ["sm80.tsv", "sm80-rare.tsv"]), ("rv64gc", ["rv64gc.tsv"])])
def test_every_word_has_the_text_of_its_vector_and_assembles_back(spec: str, files: list[str]) -> None:
    isa = isagen.load(spec)
    for columns in (columns for file in files for columns in vectors(file)):
        digits, address = columns[0], int(columns[1], 16)
        text = columns[2] if spec == "rv64gc" else columns[3]
        insn = isa.disasm(int(digits, 16), address)
        assert " ".join(insn.text.split()) == " ".join(text.split()), digits
        assert insn.length == 4 * len(digits)
        back = isa.assemble(insn.full, address)
        assert (back.word, back.form) == (insn.word, insn.form), insn.full
        again = isa.assemble(insn.text, address)
        assert again.text == insn.text, digits


@pytest.mark.parametrize("file", ["sm80.tsv", "rv64gc.tsv"])
def test_fields_are_those_of_the_command(file: str) -> None:
    spec = file.removesuffix(".tsv")
    isa = isagen.load(spec)
    lines = "".join(f"{columns[1]}: {columns[0]}\n" for columns in vectors(file))
    objects = [json.loads(line) for line in isagen_command("disasm", "--json", spec, stdin=lines).splitlines()]
    assert len(objects) == lines.count("\n")
    for own in objects:
        insn = isa.disasm(int(own["word"], 16), own["address"])
        assert (insn.text, insn.mnemonic, insn.form, insn.length) == (own["text"], own["mnemonic"], own["form"], own["length"])
        fields = [(name, field.value) for name, field in insn.fields.items()]
        assert fields == [(field["name"], field["value"]) for field in own["fields"]]


def test_registers_are_those_that_nvdisasm_says() -> None:
    isa = isagen.load("sm80")
    constant = {"PT", "RZ", "UPT", "URZ"}
    wrong = 0
    for digits, _, reads, writes in vectors("sm80-accesses.tsv"):
        insn = isa.disasm(int(digits, 16))
        wrong += set(insn.reads) - constant != set(reads.split()) or set(insn.writes) - constant != set(writes.split())
    assert wrong == 0


def test_streams_and_words() -> None:
    isa = isagen.load("rv64gc")
    stream = bytes.fromhex("0145 13000000 ffffffff".replace(" ", ""))
    kept = isa.disasm(stream, 0x100, errors="keep")
    assert [str(getattr(each, "text", each)) for each in kept[:2]] == ["li a0,0", "nop"]
    assert [each.address for each in kept] == [0x100, 0x102, 0x106, 0x108]
    refused = kept[2]
    assert isinstance(refused, isagen.Refused) and (refused.word, refused.size, refused.reason) == (0xFFFF, 2, "no word begins like this")
    with pytest.raises(isagen.DecodeError, match="0xffff at 0x106: no word begins like this") as caught:
        isa.disasm(stream, 0x100)
    assert (caught.value.word, caught.value.address) == (0xFFFF, 0x106)
    for same in (bytearray(stream[:6]), memoryview(stream[:6]), iter([0x4501, 0x13])):
        assert [insn.text for insn in isa.disasm(same)] == ["li a0,0", "nop"]
    assert isa.disasm(b"") == [] and isa.disasm([]) == []


def test_errors_say_where() -> None:
    isa = isagen.load("sm80")
    with pytest.raises(isagen.AssemblyError, match=r"<text>:1:1: there is no instruction `IADD`; did you mean `IADD3`\?") as caught:
        isa.assemble("IADD R1, R2")
    assert caught.value.faults == [isagen.Fault("<text>", 1, 1, "IADD R1, R2", "there is no instruction `IADD`; did you mean `IADD3`?")]
    with pytest.raises(isagen.AssemblyError) as caught:
        isa.words("EXIT\nEXITT\n BRA nowhere\n")
    assert [(fault.line, fault.column) for fault in caught.value.faults] == [(2, 1), (3, 6)]
    with pytest.raises(isagen.SpecError, match="did you mean `sm80`"):
        isagen.load("sm8")
    with pytest.raises(isagen.Error, match="text-only"):
        isagen.load("ptx-vop4").disasm(0)
    for bad in (-1, 1 << 256, 1 << 128):
        with pytest.raises((OverflowError, isagen.DecodeError)):
            isa.disasm(bad)
    for bad_type in (1.5, "000fc000", None, [1.5]):
        with pytest.raises(TypeError):
            isa.disasm(bad_type)  # type: ignore[call-overload]


def test_programs() -> None:
    isa = isagen.load("rv64gc")
    program = isa.program("start: li a0, N\n j start\n .data\n .word 7\n", defines={"N": 5})
    assert program.symbols["start"] == 0 and program.symbols["N"] == 5
    assert [section.name for section in program.sections] == [".text", ".data"]
    assert program.sections[1].bytes == b"\7\0\0\0"
    assert [insn.text for insn in isa.disasm(program.words)] == ["li a0,5", "j 0x0"]
    assert program.to_bytes("elf")[:4] == b"\x7fELF" and program.to_bytes("ihex").startswith(b":")
    with pytest.raises(isagen.Error, match="there is no format `exe`"):
        program.to_bytes("exe")  # type: ignore[arg-type]
    text = "nop\nret\nli a0, 100000\n"
    assert isa.words(text) == [int(word, 16) for word in isagen_command("asm", "rv64gc", stdin=text).split()]


def test_specifications_and_images(tmp_path: Path) -> None:
    spec = tmp_path / "tiny.yaml"
    spec.write_text(
        'isa: tiny\nword: 8\nregisters: { R: { index: 2, text: "r{n}" } }\n'
        'instructions: { add: { fix: { 7..4: 0 }, fields: { d: 3..2 R, a: 1..0 R }, text: "add {d}, {a}" } }\n'
    )
    assert isagen.load(spec).disasm(0x06).text == "add r1, r2"
    isagen_command("build", str(spec), "-o", str(tmp_path))
    assert isagen.load(tmp_path / "tiny.isat").assemble("add r1, r2").word == 0x06
    spec.write_text("isa: tiny\nword: 8\ninstuctions: {}\n")
    with pytest.raises(isagen.SpecError, match="instuctions"):
        isagen.load(spec)
    (tmp_path / "bad.isat").write_bytes(b"isagen" * 100)
    with pytest.raises(isagen.SpecError):
        isagen.load(tmp_path / "bad.isat")
    with pytest.raises(isagen.SpecError, match="directory"):
        isagen.load(tmp_path)


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(isagen.load("sm80"))).disasm(WORD).mnemonic == "IADD3"


def test_threads_share_an_instruction_set() -> None:
    isa = isagen.load("sm80")
    words = [int(columns[0], 16) for columns in vectors("sm80.tsv")]
    expected = [insn.text for insn in isa.disasm(words)]
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append([i.text for i in isa.disasm(words)])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_notebooks() -> None:
    shown = isagen.load("sm80").disasm(WORD)._repr_html_()
    assert shown.count("<tr>") > 12 and ">rd</td>" in shown and "23..16" in shown and ">00010010</td>" in shown
