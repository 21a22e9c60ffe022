"""Instruction sets: words to instructions and back, object files, programs that run, columns of Arrow.

>>> import isagen
>>> isa = isagen.load("sm80")
>>> insn = isa.disasm(0x000fc00003fee0560000007834127210)
>>> insn.text, insn.fields["rd"].value
('IADD3 R18, R52, R120, R86', 18)
>>> isa.assemble("IADD3 R1, R2, R3, RZ").mnemonic
'IADD3'
"""

from isagen._columns import disasm, read_words, scan_object, schema, to_parquet
from isagen._isagen import (
    NAMES,
    AssemblyError,
    DecodeError,
    Error,
    Field,
    Insn,
    Isa,
    ObjectError,
    Program,
    Refused,
    RunError,
    Section,
    SpecError,
    __version__,
    check,
    load,
)
from isagen._object import Function, Kernel, ObjectFile, Part, open
from isagen._run import KernelResult, ProgramResult, run
from isagen._types import Fault, Finding, Label, Look, Parameter, Relocation, Resources

__all__ = [
    "NAMES",
    "AssemblyError",
    "DecodeError",
    "Error",
    "Fault",
    "Field",
    "Finding",
    "Function",
    "Insn",
    "Isa",
    "Kernel",
    "KernelResult",
    "Label",
    "Look",
    "ObjectError",
    "ObjectFile",
    "Parameter",
    "Part",
    "Program",
    "ProgramResult",
    "Refused",
    "Relocation",
    "Resources",
    "RunError",
    "Section",
    "SpecError",
    "__version__",
    "check",
    "disasm",
    "load",
    "open",
    "read_words",
    "run",
    "scan_object",
    "schema",
    "to_parquet",
]
