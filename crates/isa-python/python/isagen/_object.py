"""Object files: kernels, functions, listings, and edited copies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Unpack

from isagen import _isagen
from isagen._columns import isa_of
from isagen._isagen import Insn, Isa, ObjectError, Refused
from isagen._types import Look, Parameter, Relocation, Resources

StrPath = str | PathLike[str]


@dataclass(frozen=True)
class Function:
    """A function of an object file."""

    part: Part
    """The file inside the file."""
    name: str
    source_name: str | None
    """The name in the source, if it is mangled."""
    section: str
    offset: int
    """Bytes from the beginning of its section."""
    size: int
    kind: Literal["kernel", "function", "local", "label"]
    address: int
    code: bytes
    relocations: tuple[Relocation, ...]

    def __repr__(self) -> str:
        return f"<{self.kind} {self.source_name or self.name}, {self.size} bytes>"

    @property
    def instructions(self) -> list[Insn | Refused]:
        """Its instructions; a word that is not an instruction is a `Refused`."""
        return self.part.isa.disasm(self.code, self.address, errors="keep")

    def listing(self, **look: Unpack[Look]) -> str:
        """Its lines of the listing."""
        return self.part.listing(functions=[self.name], **look)

    def _repr_html_(self) -> str:
        from isagen import _html

        return _html.listing(self.listing(control=True), self.source_name or self.name)


@dataclass(frozen=True, repr=False)
class Kernel(Function):
    """A kernel of a cubin."""

    resources: Resources


class Part:
    """A file inside an object file: a cubin, an ELF file."""

    def __init__(self, file: ObjectFile, about: dict[str, Any], isa: Isa | None) -> None:
        self.file = file
        self.number: int = about["number"]
        """Its place in the file, from 1."""
        self.name: str = about["part"]
        """Where it is inside the file; empty if it is the file itself."""
        self.arch: str = about["arch"]
        self.machine: int | None = about["machine"]
        self.kind: str = about["kind"]
        self.size: int = about["size"]
        self._sections: list[dict[str, Any]] = about["sections"]
        self._isa = isa

    def __repr__(self) -> str:
        return f"<{self.kind} {self.arch}, {self.size} bytes{', ' + self.name if self.name else ''}>"

    @cached_property
    def isa(self) -> Isa:
        """The instruction set that reads its code."""
        if self._isa is not None:
            return self._isa
        name = None if self.machine is None else _isagen.reader(self.machine, self.arch)
        if name is None:
            raise ObjectError(f"{self.file.name}: no shipped instruction set is for {self.arch}: open it with isa=")
        return isa_of(name)

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Functions and kernels by name; of several with one name, the first."""
        found: dict[str, Function] = {}
        for section in self._sections:
            data: bytes = section["data"]
            symbols = [symbol for symbol in section["functions"] if symbol[4] != "label"]
            starts = sorted({symbol[2] for symbol in symbols} | {len(data)})
            for name, source, offset, size, kind in symbols:
                # A function without a size in the file ends where the next begins.
                end = offset + size if size else next((start for start in starts if start > offset), len(data))
                relocations = tuple(each for each in relocations_of(section) if offset <= each.offset < end)
                own: dict[str, Any] = {
                    "part": self,
                    "name": name,
                    "source_name": source,
                    "section": section["name"],
                    "offset": offset,
                    "size": end - offset,
                    "kind": kind,
                    "address": section["address"] + offset,
                    "code": data[offset:end],
                    "relocations": relocations,
                }
                resources = section["resources"]
                if kind == "kernel" and resources is not None:
                    found.setdefault(name, Kernel(**own, resources=resources_of(resources)))
                else:
                    found.setdefault(name, Function(**own))
        return found

    @property
    def kernels(self) -> dict[str, Kernel]:
        """The kernels by name."""
        return {name: function for name, function in self.functions.items() if isinstance(function, Kernel)}

    @cached_property
    def relocations(self) -> dict[str, tuple[Relocation, ...]]:
        """The relocations of code, by section."""
        return {section["name"]: relocations_of(section) for section in self._sections}

    def listing(self, *, functions: list[str] | None = None, **look: Unpack[Look]) -> str:
        """The listing, as `isagen disasm` prints it, of all functions or of some; with `control=True`, the one that `edit` reads."""
        asked = functions or []
        text = _isagen.listing(self.isa, self.file.data, self.file.name, self.number, asked, **look)
        if asked and not text:
            raise ObjectError(f"{self.file.name}: there is no function `{'`, `'.join(asked)}`")
        return text


def relocations_of(section: dict[str, Any]) -> tuple[Relocation, ...]:
    return tuple(Relocation(*each) for each in section["relocations"])


def resources_of(own: dict[str, Any]) -> Resources:
    params = tuple(Parameter(*each) for each in own["params"])
    threads = {name: None if own[name] is None else tuple(own[name]) for name in ("max_threads", "required_threads")}
    return Resources(**{**own, "params": params, **threads})


class ObjectFile:
    """A cubin, a fatbin, an ELF file, or an archive or a host file that holds some."""

    def __init__(self, data: bytes, name: str = "<bytes>", isa: Isa | StrPath | None = None) -> None:
        if not _isagen.is_object(data):
            raise ObjectError(f"{name}: neither an ELF file nor a fatbin nor an archive")
        self.data = data
        """Its bytes."""
        self.name = name
        own = None if isa is None else isa_of(isa)
        entries, faults = _isagen.inspect(data)
        if faults:
            raise ObjectError("\n".join(f"{name}: {fault}" for fault in faults))
        self.parts = [Part(self, entry, own) for entry in entries]
        """The files inside the file."""

    def __repr__(self) -> str:
        return f"<ObjectFile {self.name}: {', '.join(sorted({part.arch for part in self.parts}))}>"

    @property
    def _code(self) -> list[Part]:
        return [part for part in self.parts if part.kind == "elf"]

    @property
    def arch(self) -> str:
        """The architecture of the first part that has code."""
        if not self._code:
            raise ObjectError(f"{self.name}: there is no code in it")
        return self._code[0].arch

    @property
    def functions(self) -> dict[str, Function]:
        """Functions of all parts by name; of several with one name, the first."""
        return {name: own for part in reversed(self._code) for name, own in part.functions.items()}

    @property
    def kernels(self) -> dict[str, Kernel]:
        """Kernels of all parts by name; of several with one name, the first."""
        return {name: own for part in reversed(self._code) for name, own in part.kernels.items()}

    @property
    def resources(self) -> dict[str, Resources]:
        """The requirements of each kernel."""
        return {name: kernel.resources for name, kernel in self.kernels.items()}

    @property
    def relocations(self) -> dict[str, tuple[Relocation, ...]]:
        """The relocations of code, by section, of the first part that has code."""
        return self._code[0].relocations if self._code else {}

    def listing(self, *, functions: list[str] | None = None, **look: Unpack[Look]) -> str:
        """The listings of all parts, of all functions or of some; with `control=True`, the text that `edit` reads."""
        texts = []
        for part in self._code:
            own = [name for name in functions or [] if name in part.functions]
            if functions and not own:
                continue
            texts.append(part.listing(functions=own, **look))
        if functions and not texts:
            raise ObjectError(f"{self.name}: there is no function `{'`, `'.join(functions)}`")
        return "\n".join(texts)

    def edit(self, listing: str) -> ObjectFile:
        """A copy with the code of an edited listing of `listing(control=True)`. Errors in it raise `AssemblyError`."""
        if not self._code:
            raise ObjectError(f"{self.name}: there is no code in it")
        part = self._code[0]
        return ObjectFile(_isagen.put_back(part.isa, self.data, self.name, listing), self.name, part.isa)

    def save(self, path: StrPath) -> None:
        """Writes its bytes to a file."""
        Path(path).write_bytes(self.data)


def open(path: StrPath | bytes | bytearray | memoryview, *, isa: Isa | StrPath | None = None) -> ObjectFile:
    """Opens an object file, given by its path or its bytes. Its architecture chooses the instruction set, unless there is an `isa`."""
    if not isinstance(path, (str, PathLike)):
        return ObjectFile(bytes(path), isa=isa)
    return ObjectFile(Path(path).read_bytes(), str(path), isa)
