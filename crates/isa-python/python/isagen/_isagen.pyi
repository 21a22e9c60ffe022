"""The compiled part of isagen."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, SupportsIndex, overload

from isagen._types import ArrowArray, ArrowStream, Fault, Finding

__version__: str
NAMES: list[str]

class Error(ValueError):
    """An input that isagen refuses."""

class SpecError(Error):
    """A specification or an image that can't be loaded."""

class DecodeError(Error):
    """A word that is no instruction."""

    word: int
    address: int
    reason: str

class AssemblyError(Error):
    """A text that is no instruction or no program."""

    faults: list[Fault]

class ObjectError(Error):
    """An object file that can't be read, or a listing that does not fit it."""

class RunError(Error):
    """A program that can't be run, or that has not come to its end."""

class Array:
    """An array of Arrow."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...

class ChunkedArray:
    """A column of Arrow in chunks."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...

class RecordBatchReader:
    """Batches of Arrow, one after the other. They can be read once."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

class Schema:
    """A schema of Arrow."""

    def __arrow_c_schema__(self) -> object: ...

class Field:
    """A field of an instruction."""

    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int:
        """Its bits as a number."""
    @property
    def text(self) -> str:
        """Its text."""
    @property
    def bits(self) -> list[tuple[int, int]]:
        """Its ranges of bits, the high part first: `[(31, 24)]`."""
    @property
    def is_default(self) -> bool:
        """True if it has the value that texts leave out."""
    def __index__(self) -> int: ...

class Insn:
    """An instruction: a word that has been decoded."""

    @property
    def word(self) -> int: ...
    @property
    def bytes(self) -> bytes:
        """Its bytes in memory."""
    @property
    def length(self) -> int:
        """Bits of its word."""
    @property
    def address(self) -> int: ...
    @property
    def end(self) -> int:
        """The address after it."""
    @property
    def mnemonic(self) -> str: ...
    @property
    def form(self) -> str:
        """The name of its form."""
    @property
    def text(self) -> str: ...
    @property
    def full(self) -> str:
        """Its text with all that the plain one leaves open, which assembles back to the very same word."""
    @property
    def fields(self) -> dict[str, Field]:
        """Its fields by name, in the order of the form."""
    @property
    def fixed(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Fixed values of its form: name and ranges of bits."""
    @property
    def reads(self) -> tuple[str, ...]:
        """The registers that it reads, by name."""
    @property
    def writes(self) -> tuple[str, ...]:
        """The registers that it writes."""
    @property
    def control(self) -> dict[str, Any]:
        """The values that its text leaves open, such as scheduling, by name: as in `control` of `isagen disasm --json`."""
    def _repr_html_(self) -> str: ...

class Refused:
    """A word of a stream that is no instruction."""

    @property
    def word(self) -> int: ...
    @property
    def size(self) -> int:
        """Bytes that it takes in the stream."""
    @property
    def address(self) -> int: ...
    @property
    def reason(self) -> str: ...

class Section:
    """A section of a program."""

    @property
    def name(self) -> str: ...
    @property
    def address(self) -> int: ...
    @property
    def bytes(self) -> bytes: ...

class Program:
    """A program that has been assembled."""

    @property
    def words(self) -> list[int]:
        """The words of its instructions, one behind the other."""
    @property
    def sections(self) -> list[Section]: ...
    @property
    def symbols(self) -> dict[str, int]: ...
    @property
    def warnings(self) -> list[str]: ...
    def to_bytes(self, format: Literal["bin", "ihex", "srec", "mem8", "mem16", "mem32", "elf"]) -> bytes:
        """The file of a format."""

class Isa:
    """An instruction set: it decodes words and assembles texts. Threads can share it."""

    @property
    def name(self) -> str: ...
    @property
    def lengths(self) -> tuple[int, ...]:
        """Bits of its words, ascending."""
    @property
    def architectures(self) -> tuple[str, ...]:
        """The architectures whose object files it reads."""
    @property
    def mnemonics(self) -> list[str]: ...
    @overload
    def disasm(self, words: SupportsIndex, address: int = 0, *, errors: Literal["raise"] = "raise") -> Insn: ...
    @overload
    def disasm(self, words: SupportsIndex, address: int = 0, *, errors: Literal["keep"]) -> Insn | Refused: ...
    @overload
    def disasm(
        self, words: bytes | bytearray | memoryview | Iterable[SupportsIndex], address: int = 0, *, errors: Literal["raise"] = "raise"
    ) -> list[Insn]: ...
    @overload
    def disasm(
        self, words: bytes | bytearray | memoryview | Iterable[SupportsIndex], address: int = 0, *, errors: Literal["keep"]
    ) -> list[Insn | Refused]:
        """Decodes a word, a stream of words (`bytes`), or words."""
    def assemble(self, text: str, address: int = 0, symbols: Mapping[str, int] | None = None) -> Insn:
        """The instruction that a text is, at an address; `symbols` are names that it may use."""
    def program(
        self,
        text: str,
        *,
        name: str = "<text>",
        defines: dict[str, object] | None = None,
        include: Sequence[str | PathLike[str]] | None = None,
    ) -> Program:
        """Assembles a program: directives, labels, macros, as `isagen asm` does."""
    def words(self, text: str) -> list[int]:
        """The words of the instructions of a program."""

def load(spec: str | PathLike[str], aliases: bool = True) -> Isa:
    """Loads an instruction set: the name of a shipped one, or the path of a specification or of an image."""

def check(spec: str | PathLike[str]) -> list[Finding]:
    """The findings of `isagen check` about a specification, the path of one or the name of a shipped one, in its order."""

def is_object(data: bytes) -> bool: ...
def reader(machine: int, arch: str) -> str | None: ...
def inspect(data: bytes) -> tuple[list[dict[str, Any]], list[str]]: ...
def listing(
    isa: Isa,
    data: bytes,
    name: str,
    number: int,
    functions: Sequence[str],
    *,
    control: bool = False,
    hex: bool = False,
    raw: bool = False,
    demangle: bool = False,
) -> str: ...
def put_back(isa: Isa, data: bytes, name: str, listing: str) -> bytes: ...
def program(
    isa: Isa,
    data: bytes,
    name: str,
    *,
    args: Sequence[bytes],
    stdin: bytes,
    env: Sequence[bytes],
    root: str | PathLike[str] | None,
    write: bool,
    limit: int | None,
) -> dict[str, Any]: ...
def kernel(
    isa: Isa,
    data: bytes,
    name: str,
    kernel: str,
    *,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    shared: int,
    args: Sequence[tuple[bool, bytes]],
    limit: int | None,
    threads: int,
) -> tuple[dict[str, Any], list[bytes]]: ...
def schema(of: str = "words") -> Schema: ...
def disasm(
    isa: Isa,
    words: ArrowArray | ArrowStream,
    *,
    addresses: ArrowArray | ArrowStream | None,
    fields: bool,
    byteorder: str,
) -> Array | ChunkedArray: ...
def scan_object(data: bytes, *, isa: Isa | None, fields: bool, lenient: bool, file: str | None) -> RecordBatchReader: ...
def write_corpus(
    paths: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    isa: Isa | None,
    fields: bool,
    lenient: bool,
    format: str,
) -> int: ...
def write_words(batches: ArrowStream, output: str | PathLike[str], format: str) -> int: ...
