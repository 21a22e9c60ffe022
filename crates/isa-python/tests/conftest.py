"""Shared parts of the tests: the repository, the command `isagen`, vectors."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
"""The repository."""
SAXPY = ROOT / "crates/isa-object/tests/data/saxpy.cubin"


def isagen_path() -> Path:
    """The command: that of `ISAGEN`, or the one that has been built here."""
    built = [ROOT / f"target/{profile}/isagen" for profile in ("debug", "release")]
    names = [Path(os.environ["ISAGEN"])] if "ISAGEN" in os.environ else [name for name in built if name.exists()]
    if not names:
        pytest.skip("the command isagen has not been built: cargo build -p isagen, or ISAGEN=PATH")
    return names[0]


def isagen_command(*args: str, stdin: str | None = None) -> str:
    """The text that the command prints."""
    run = subprocess.run([isagen_path(), *args], input=stdin, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def isagen_bytes(*args: str) -> bytes:
    """The bytes that the command prints."""
    run = subprocess.run([isagen_path(), *args], capture_output=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def vectors(name: str) -> list[list[str]]:
    """The lines of a file of vectors, in columns. Those that are not in the repository are in the folder `ISAGEN_VECTORS`."""
    folders = [ROOT / "tests/vectors"]
    if "ISAGEN_VECTORS" in os.environ:
        folders.insert(0, Path(os.environ["ISAGEN_VECTORS"]))
    path = next((folder / name for folder in folders if (folder / name).exists()), None)
    if path is None:
        pytest.skip(f"{name} is in the folder of ISAGEN_VECTORS")
    lines = path.read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
