"""Values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypedDict


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a line."""

    file: str
    line: int
    """From 1; 0 if the error concerns all of the text."""
    column: int
    """From 1, in characters."""
    text: str
    """All of the line."""
    message: str


@dataclass(frozen=True, slots=True)
class Label:
    """A place in a specification that a finding shows."""

    file: str
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    end_line: int
    end_column: int
    """The column after the place."""
    text: str
    """The remark at the place; it may be empty."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An error or a warning about a specification."""

    severity: str
    """`error` or `warning`."""
    code: str
    """Its code, as in docs/errors.md."""
    message: str
    help: str | None
    text: str
    """All of it, as `isagen check` shows it."""
    labels: tuple[Label, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Relocation:
    """A relocation: a value that a linker puts at a place of a section."""

    offset: int
    """Bytes from the beginning of the section."""
    kind: int
    """The number that the machine has for it."""
    kind_name: str | None
    symbol: str
    """Empty if there is none."""
    addend: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel."""

    ordinal: int
    """Its place, from 0."""
    offset: int
    """Bytes from the beginning of the parameters."""
    size: int
    """Its bytes."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The requirements of a kernel."""

    registers: int | None
    """General registers of a thread."""
    barriers: int
    """Barriers of a block."""
    shared: int
    """Bytes of shared memory, without those that a launch adds."""
    frame: int
    """Bytes of the stack frame."""
    min_stack: int | None
    """Bytes of the stack with those of functions that it calls; `None` if that is not known."""
    constants: list[tuple[int, int]]
    """Sizes of constant banks of its own: bank and bytes."""
    param_base: int
    """Where the parameters begin in constant bank 0."""
    params: tuple[Parameter, ...]
    max_threads: tuple[int, int, int] | None
    """The most threads that a block can have, in x, y and z."""
    required_threads: tuple[int, int, int] | None
    """The threads that a block must have."""


class Look(TypedDict, total=False):
    """The options of a listing; each is false unless it is given."""

    control: bool
    """Each line has the fields that its text omits, as with `isagen disasm --control`."""
    hex: bool
    """Each line has its word."""
    raw: bool
    """Only the instructions, without heads, labels and comments."""
    demangle: bool
    """Names are those of the source."""


class ArrowArray(Protocol):
    """An object with `__arrow_c_array__`: an array of pyarrow, Polars, nanoarrow, …"""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """An object with `__arrow_c_stream__`: a chunked array, a series of Polars, a reader of batches, …"""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowSchema(Protocol):
    """An object with `__arrow_c_schema__`."""

    def __arrow_c_schema__(self) -> object: ...
