"""Programs that run without their machine: ELF files, and kernels of cubins."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Protocol

from isagen import _isagen
from isagen._isagen import Isa, RunError
from isagen._object import Kernel, ObjectFile, StrPath, open


class Buffer(Protocol):
    """An object with the buffer protocol: an array of numpy, a `bytearray`, …"""

    def __buffer__(self, flags: int, /) -> memoryview: ...


@dataclass(frozen=True)
class ProgramResult:
    """The end of a program."""

    status: int
    """Its exit status; 128 and the number of the signal that has ended it."""
    signal: str | None
    stdout: bytes
    stderr: bytes
    instructions: int


@dataclass(frozen=True)
class KernelResult:
    """The cost of the run of a kernel."""

    warp_instructions: int
    thread_instructions: int
    seconds: float


def run(
    file: StrPath | bytes | ObjectFile | Kernel,
    *args: Any,
    isa: Isa | StrPath | None = None,
    kernel: str | None = None,
    grid: int | Sequence[int] = 1,
    block: int | Sequence[int] = 1,
    shared: int = 0,
    threads: int = 1,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    root: StrPath | None = None,
    write: bool = False,
    limit: int | None = None,
) -> ProgramResult | KernelResult:
    """Runs a program.

    An ELF file is a program of its own: `args` are its arguments, `root` is the folder that it sees as `/`, which it changes with `write`.

    A cubin has kernels: `args` are those of the kernel, `grid` and `block` its launch. Arrays (the buffer protocol: numpy, `bytearray`) are
    buffers, which the kernel reads and writes in place; numbers take the size of the parameter, a `float` of four or eight bytes; numpy's
    scalars and `bytes` are passed as they are.
    """
    if isinstance(file, Kernel):
        kernel, file = file.name, file.part.file
    opened = file if isinstance(file, ObjectFile) else open(file, isa=isa)
    if not opened._code:
        raise RunError(f"{opened.name}: there is no code in it")
    if kernel is not None or opened.kernels:
        return run_kernel(opened, args, kernel, grid, block, shared, threads, limit)
    texts = [arg if isinstance(arg, bytes) else str(arg).encode() for arg in args]
    pairs = [f"{name}={value}".encode() for name, value in (env or {}).items()]
    own = _isagen.program(
        opened._code[0].isa,
        opened.data,
        opened.name,
        args=texts,
        stdin=stdin,
        env=pairs,
        root=root,
        write=write,
        limit=limit,
    )
    return ProgramResult(**own)


def run_kernel(
    opened: ObjectFile,
    args: Sequence[Any],
    kernel: str | None,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    shared: int,
    threads: int,
    limit: int | None,
) -> KernelResult:
    kernels = opened.kernels
    if kernel is None:
        if len(kernels) != 1:
            raise RunError(f"{opened.name}: kernel= says which kernel: {', '.join(kernels)}")
        kernel = next(iter(kernels))
    if kernel not in kernels:
        raise RunError(f"{opened.name}: there is no kernel `{kernel}`; there are {', '.join(kernels)}")
    chosen = kernels[kernel]
    params = sorted(chosen.resources.params, key=lambda param: param.ordinal)
    if len(params) != len(args):
        raise RunError(f"kernel {kernel}: it takes {len(params)} arguments, and {len(args)} are given")
    given: list[tuple[bool, bytes]] = []
    buffers: list[memoryview] = []
    for place, (arg, param) in enumerate(zip(args, params, strict=True)):
        number = scalar(arg, param.size, f"kernel {kernel}: argument {place}")
        if number is not None:
            given.append((False, number))
            continue
        view = buffer(arg, f"kernel {kernel}: argument {place}")
        buffers.append(view)
        given.append((True, view.tobytes()))
    # A cubin inside another file is run on its own.
    part = chosen.part
    data = opened.data if len(opened.parts) == 1 and not part.name else None
    if data is None:
        raise RunError(f"{opened.name}: take the cubin out of the file that holds it, and run that")
    counts, after = _isagen.kernel(
        part.isa,
        data,
        opened.name,
        kernel,
        grid=size(grid, "grid"),
        block=size(block, "block"),
        shared=shared,
        args=given,
        limit=limit,
        threads=threads,
    )
    for view, content in zip(buffers, after, strict=True):
        if not view.readonly:
            view[:] = content
    return KernelResult(**counts)


def size(given: int | Sequence[int], name: str) -> tuple[int, int, int]:
    """One to three numbers as three."""
    numbers = [given] if isinstance(given, int) else [int(number) for number in given]
    if not 1 <= len(numbers) <= 3 or any(not 0 < number < 1 << 32 for number in numbers):
        raise ValueError(f"{name} is one to three numbers above 0, not {given!r}")
    x, y, z = [*numbers, 1, 1][:3]
    return x, y, z


def scalar(arg: Any, size: int, what: str) -> bytes | None:
    """The bytes of a number; `None` for a buffer."""
    if isinstance(arg, bytes):
        return arg
    if isinstance(arg, bool):
        return int(arg).to_bytes(size, "little")
    if isinstance(arg, int):
        least, most = -(1 << 8 * size - 1), (1 << 8 * size) - 1
        if not least <= arg <= most:
            raise OverflowError(f"{what}: {arg} does not fit into {size} bytes")
        return arg.to_bytes(size, "little", signed=arg < 0)
    # numpy's scalars have a size; numpy.float64 is also a float.
    if hasattr(arg, "dtype") and getattr(arg, "shape", None) == () and not isinstance(arg, memoryview):
        content: bytes = arg.newbyteorder("<").tobytes() if hasattr(arg, "newbyteorder") else arg.tobytes()
        if len(content) == size:
            return content
        if not isinstance(arg, float):
            raise TypeError(f"{what}: it has {len(content)} bytes, and the kernel takes {size}")
    if isinstance(arg, float):
        if size not in (4, 8):
            raise TypeError(f"{what}: a float has four or eight bytes, and the kernel takes {size}")
        return struct.pack("<f" if size == 4 else "<d", arg)
    return None


def buffer(arg: Any, what: str) -> memoryview:
    """The bytes of a buffer."""
    try:
        view = memoryview(arg)
    except TypeError:
        raise TypeError(f"{what}: neither a number nor a buffer: {type(arg).__name__}") from None
    if view.format[:1] in (">", "!") and view.itemsize > 1:
        raise TypeError(f"{what}: its numbers have the high byte first, and those of the machine the low one")
    if view.format in ("O", "P"):
        raise TypeError(f"{what}: a buffer of objects")
    if not view.c_contiguous:
        raise TypeError(f"{what}: its items are not one behind the other: numpy.ascontiguousarray makes a copy")
    return view.cast("B") if view.nbytes else memoryview(bytearray())
