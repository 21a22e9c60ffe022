"""A program for a leak checker: all functions that pass memory to Python or take it, and all that fail.

    PYTHONMALLOC=malloc valgrind --leak-check=full --show-leak-kinds=definite python leaks.py FILE.cubin

One of the records of definitely lost memory names `_isagen`: the 80 bytes of a table of types, which is created once, when the module is loaded.
"""

from __future__ import annotations

import sys

import isagen
import pyarrow as pa


def main(path: str) -> None:
    isa = isagen.load("sm80")
    data = open(path, "rb").read()
    for _ in range(3):
        insn = isa.disasm(0x000FC00003FEE0560000007834127210)
        assert insn.fields["rd"].value == 18 and insn.reads and insn.control and insn.full
        assert isa.assemble(insn.full) == insn
        file = isagen.open(data)
        assert file.edit(file.listing(control=True)).data == data
        rows = isagen.disasm("rv64gc", memoryview(bytes(64)).cast("I"))
        assert len(rows) == 16
        assert pa.table(isagen.scan_object(data)).num_rows == 32
        isagen.scan_object(data)
        for work in (
            lambda: isa.disasm(1),
            lambda: isa.assemble("NOPE"),
            lambda: isa.words("NOPE\n" * 30),
            lambda: isagen.open(data[:300]),
            lambda: isagen.disasm("sm80", memoryview(bytes(64)).cast("i")),
            lambda: isagen.load("nothing"),
            lambda: file.edit("nothing"),
        ):
            try:
                work()
            except (ValueError, TypeError):
                continue
            raise AssertionError("it did not fail")


if __name__ == "__main__":
    main(sys.argv[1])
