"""`python -m isagen disasm`: the part of the command `isagen` that needs Arrow."""

from __future__ import annotations

import argparse
import sys

import isagen
from isagen import _isagen


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m isagen", description=__doc__)
    commands = parser.add_subparsers(required=True)
    disasm = commands.add_parser("disasm", help="write the instructions of object files as columns")
    disasm.add_argument("files", nargs="+", help="object files")
    disasm.add_argument("-o", "--output", required=True, help="the file that is written")
    disasm.add_argument("--format", choices=["parquet", "arrow"], default="parquet")
    disasm.add_argument("--spec", help="the instruction set, where the files do not choose it")
    disasm.add_argument("--no-fields", action="store_true", help="leave the column of fields null")
    disasm.add_argument("--skip", action="store_true", help="leave out what can't be read")
    own = parser.parse_args(arguments)
    try:
        rows = isagen.to_parquet(
            own.files,
            own.output,
            isa=own.spec,
            fields=not own.no_fields,
            errors="skip" if own.skip else "raise",
            format=own.format,
        )
    except (isagen.Error, OSError) as why:
        print(f"error: {why}", file=sys.stderr)
        return 1 if isinstance(why, _isagen.Error) else 2
    print(f"{rows} rows", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
