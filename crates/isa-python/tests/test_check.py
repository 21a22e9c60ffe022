"""Findings about specifications: those of `isagen check`, byte for byte."""

from __future__ import annotations

import json
import subprocess

import isagen
import pytest
from conftest import ROOT, isagen_path

REFUSED = ROOT / "tests/specs/refused"
WARNED = ROOT / "tests/specs/warned"
SPECS = [
    "compact",
    "rv32imac",
    REFUSED / "many-faults.yaml",
    REFUSED / "pseudo-does.yaml",
    WARNED / "unused.yaml",
]


def of_command(spec: str, *options: str) -> str:
    """What the command writes on standard error."""
    run = subprocess.run([isagen_path(), *options, "--all", "check", spec], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stderr


@pytest.mark.parametrize("spec", list(map(str, SPECS)))
def test_the_findings_are_those_of_the_command(spec: str) -> None:
    found = isagen.check(spec)
    shown = "".join(f"{finding}\n\n" for finding in found)
    # A spec with errors ends with their number.
    own = of_command(spec)
    assert own[: len(shown)] == shown
    assert own[len(shown) :].count("\n") == any(finding.severity == "error" for finding in found)
    lines = of_command(spec, "--diagnostics", "json").splitlines()
    assert len(lines) == len(found)
    for line, finding in zip(lines, found, strict=True):
        told = json.loads(line)
        assert (told["severity"], told["code"], told["message"]) == (finding.severity, finding.code, finding.message)
        assert told.get("help") == finding.help
        places = [(label.file, label.line, label.column, label.end_line, label.end_column, label.text) for label in finding.labels]
        assert [tuple(label.values()) for label in told["labels"]] == places


def test_broken_specs_have_findings() -> None:
    counts = [len(isagen.check(spec)) for spec in SPECS]
    assert counts[:2] == [0, 0] and all(counts[2:])


def test_what_is_no_specification() -> None:
    with pytest.raises(isagen.SpecError, match="there is no file `compakt` and no shipped instruction set of that name; did you mean `compact`"):
        isagen.check("compakt")
