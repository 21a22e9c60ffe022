"""Words per second on one core: columns of Arrow, objects of Python, the command, and the binding of capstone, on the same words of RISC-V."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import isagen
import pyarrow as pa

WORDS = 500_000
RUNS = 5
BATCH = 1 << 13
"""Words of a batch, as in `scan_object`; a batch is dropped before the next one is created."""


def best(work: Callable[[], object]) -> float:
    """Words per second of the run that took the least processor time."""
    least = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return WORDS / least


def command(isagen_command: str, spec: str, lines: str, *options: str) -> float:
    """Words per second of the command, which reads hexadecimal lines and writes text: its own processor time, including its start."""
    with tempfile.NamedTemporaryFile("w", suffix=".hex") as file:
        file.write(lines)
        file.flush()
        least = float("inf")
        for _ in range(RUNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            call = [isagen_command, "disasm", "--threads", "1", *options, spec, file.name]
            subprocess.run(call, stdout=subprocess.DEVNULL, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return WORDS / least


def show(spec: str, what: str, speed: float) -> None:
    print(f"| {spec} | {what} | {speed / 1e6:.2f} |")


def main(vectors: str, isagen_command: str) -> None:
    """Measures the words of the files of vectors."""
    for spec, files, size in (("rv64gc", ["rv64gc.tsv"], 4), ("sm80", ["sm80.tsv", "sm80-rare.tsv"], 16)):
        found = [line.split("\t")[0] for name in files for line in (Path(vectors) / name).read_text().splitlines() if line[0] != "#"]
        rng = random.Random(1)
        digits = [rng.choice(found) for _ in range(WORDS)]
        numbers = [int(word, 16) for word in digits]
        if spec == "rv64gc":
            column = pa.array(numbers, pa.uint32())
        else:
            column = pa.array([number.to_bytes(size, "big") for number in numbers], pa.binary(size))
        isa = isagen.load(spec)
        batches = [column.slice(at, BATCH) for at in range(0, WORDS, BATCH)]

        def columns(fields: bool, isa: isagen.Isa = isa, batches: list[pa.Array] = batches) -> None:
            for batch in batches:
                isagen.disasm(isa, batch, fields=fields)

        lines = "\n".join(digits) + "\n"
        show(spec, "`isagen disasm`", command(isagen_command, spec, lines))
        show(spec, "`isagen disasm --json`", command(isagen_command, spec, lines, "--json"))
        show(spec, "`isagen.disasm(…, fields=False)`: text, mnemonic, form", best(lambda: columns(False)))
        show(spec, "`isagen.disasm(…)`: with fields, value and text", best(lambda: columns(True)))
        show(spec, "`isa.disasm(…)`: objects, with their texts", best(lambda: [str(insn) for insn in isa.disasm(numbers)]))
        if spec == "rv64gc":
            import capstone

            engine = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV64 | capstone.CS_MODE_RISCVC)
            code = [bytes.fromhex(word)[::-1] for word in digits]

            def texts() -> int:
                """One word at a time, because some words stop a stream."""
                return sum(len(f"{insn.mnemonic} {insn.op_str}") for word in code for insn in engine.disasm(word, 0, 1))

            def lite() -> int:
                return sum(len(mnemonic) + len(rest) for word in code for *_, mnemonic, rest in engine.disasm_lite(word, 0, 1))

            stream = b"".join(code)
            engine.skipdata = True

            def as_stream() -> int:
                return sum(len(mnemonic) + len(rest) for *_, mnemonic, rest in engine.disasm_lite(stream, 0))

            show(spec, "capstone, `disasm`", best(texts))
            show(spec, "capstone, `disasm_lite`", best(lite))
            show(spec, "capstone, `disasm_lite` of a stream", best(as_stream))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ISAGEN", "isagen"))
