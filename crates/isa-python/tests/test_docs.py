"""The lines of Python in the README and the docs run as they are printed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import ROOT

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def blocks(page: str) -> list[str]:
    """The blocks of Python of a page."""
    return BLOCK.findall((ROOT / page).read_text())


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_lines_print_what_is_behind_them(page: str) -> None:
    pytest.importorskip("pyarrow")
    here = os.getcwd()
    os.chdir(ROOT)
    shown: list[str] = []
    scope: dict[str, object] = {"print": lambda *values: shown.append(" ".join(map(str, values)))}
    expected: list[str] = []
    try:
        for block in blocks(page):
            exec(compile(block, page, "exec"), scope)
            expected += [line.rsplit("# ", 1)[1].strip() for line in block.splitlines() if line.startswith("print(")]
    finally:
        os.chdir(here)
    assert expected and shown == expected


def test_the_stubs_name_what_there_is() -> None:
    import isagen
    from isagen import _isagen

    stubs = (Path(isagen.__file__).parent / "_isagen.pyi").read_text()
    declared = set(re.findall(r"^(?:class|def) (\w+)", stubs, re.MULTILINE)) | {"NAMES", "__version__"}
    there = {name for name in dir(_isagen) if not name.startswith("__") or name == "__version__"}
    assert there == declared
    assert all(getattr(isagen, name).__doc__ for name in isagen.__all__ if name not in ("NAMES", "__version__"))
