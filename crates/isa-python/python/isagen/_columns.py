"""Columns of Arrow, for any library that supports its PyCapsule interface."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Literal, overload

from isagen import _isagen
from isagen._isagen import Array, ChunkedArray, Isa, RecordBatchReader, Schema
from isagen._types import ArrowArray, ArrowStream

StrPath = str | PathLike[str]


@functools.lru_cache(maxsize=64)
def loaded(spec: str) -> Isa:
    """An instruction set that is loaded once in each process."""
    return _isagen.load(spec)


def isa_of(isa: Isa | StrPath) -> Isa:
    """The instruction set itself, or that of a name or a path."""
    return isa if isinstance(isa, Isa) else loaded(str(isa))


def schema(of: Literal["words", "scan"] = "words") -> Schema:
    """The fields of the struct that `disasm` returns, or the columns of scanned object files; the same for every instruction set."""
    return _isagen.schema(of)


@overload
def disasm(
    isa: Isa | StrPath,
    words: ArrowStream,
    *,
    addresses: ArrowArray | ArrowStream | None = None,
    fields: bool = True,
    byteorder: Literal["big", "little"] = "big",
) -> ChunkedArray: ...
@overload
def disasm(
    isa: Isa | StrPath,
    words: ArrowArray,
    *,
    addresses: ArrowArray | ArrowStream | None = None,
    fields: bool = True,
    byteorder: Literal["big", "little"] = "big",
) -> Array: ...
def disasm(
    isa: Isa | StrPath,
    words: ArrowArray | ArrowStream,
    *,
    addresses: ArrowArray | ArrowStream | None = None,
    fields: bool = True,
    byteorder: Literal["big", "little"] = "big",
) -> Array | ChunkedArray:
    """A column of words to a column `struct(text, mnemonic, form, fields, error)`.

    Words are unsigned integers, or bytes (`fixed_size_binary`, `binary`) with the most significant first; with `byteorder="little"`, with the
    least significant first. A null remains a null; a word that is not an instruction has nulls and the reason in `error`. Each word is at address 0
    unless `addresses` has its address. Without `fields`, that part is null, and the rest takes a fraction of the time.
    """
    for column in (words, addresses):
        check_order(column)
    return _isagen.disasm(isa_of(isa), words, addresses=addresses, fields=fields, byteorder=byteorder)


def check_order(column: object) -> None:
    """Refuses a buffer whose numbers have the other byte order: its reader would not swap their bytes."""
    if hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__"):
        return
    try:
        view = memoryview(column)  # type: ignore[arg-type]
    except TypeError:
        return
    if view.itemsize > 1 and view.format[:1] in ((">", "!") if sys.byteorder == "little" else ("<",)):
        raise TypeError(f"numbers of the format {view.format!r} have their bytes in the order of another machine")


def scan_object(
    data: bytes | bytearray | memoryview | StrPath,
    *,
    isa: Isa | StrPath | None = None,
    fields: bool = True,
    errors: Literal["raise", "skip"] = "raise",
    file: str | None = None,
) -> RecordBatchReader:
    """Batches of all instructions of an object file, given by its bytes or its path; the columns are those of `schema("scan")`.

    The file's architecture chooses the instruction set, unless there is an `isa`. With `errors="skip"`, parts that can't be read, and code for
    which there is no instruction set, are left out.
    """
    if isinstance(data, (str, PathLike)):
        file = str(data) if file is None else file
        data = Path(data).read_bytes()
    own = None if isa is None else isa_of(isa)
    return _isagen.scan_object(bytes(data), isa=own, fields=fields, lenient=lenient(errors), file=file)


def lenient(errors: str) -> bool:
    """True if parts that can't be read are left out."""
    if errors not in ("raise", "skip"):
        raise ValueError('errors is "raise" or "skip"')
    return errors == "skip"


def to_parquet(
    paths: StrPath | Iterable[StrPath],
    output: StrPath,
    *,
    isa: Isa | StrPath | None = None,
    fields: bool = True,
    errors: Literal["raise", "skip"] = "raise",
    format: Literal["parquet", "arrow"] = "parquet",
) -> int:
    """Writes all instructions of object files into one file; returns its number of rows.

    The memory that it takes is that of the largest file and of one row group, however many files there are. The file exists when all of it has
    been written.
    """
    all_paths = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    own = None if isa is None else isa_of(isa)
    return _isagen.write_corpus(all_paths, output, isa=own, fields=fields, lenient=lenient(errors), format=format)


def read_words(path: StrPath, bits: int) -> list[int]:
    """The words of a text file of hexadecimal words, one per line; text after `#` is ignored."""
    lines = (line.split("#", 1)[0].strip() for line in Path(path).read_text().splitlines())
    words = [int(line, 16) for line in lines if line]
    for word in words:
        if word >> bits:
            raise ValueError(f"{word:#x} has more than {bits} bits")
    return words
