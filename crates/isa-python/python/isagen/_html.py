"""The output of notebooks: the bits of an instruction, and listings."""

from __future__ import annotations

from html import escape

from isagen._isagen import Insn

COLOURS = ["#cfe3f7", "#d9f0d3", "#fde2c4", "#e6dcf4", "#fbd9df", "#d3eeee", "#f5efc2", "#e5e5e5"]
"""Backgrounds of fields, in turn."""
ROW = 32
"""Bits of a row of the diagram."""


def insn(of: Insn) -> str:
    """The bits of an instruction, with its fields, and a table of them."""
    length, word = of.length, of.word
    owner: list[tuple[str, str] | None] = [None] * length
    # By place, so that neighbours have different colours.
    for number, (name, field) in enumerate(sorted(of.fields.items(), key=lambda item: item[1].bits[:1])):
        for high, low in field.bits:
            for bit in range(low, high + 1):
                owner[bit] = (name, COLOURS[number % len(COLOURS)])
    for name, ranges in of.fixed:
        for high, low in ranges:
            for bit in range(low, high + 1):
                owner[bit] = owner[bit] or (name or "fixed", "#f6f6f6")
    rows = []
    for top in range((length - 1) // ROW, -1, -1):
        bits = range(min(length, (top + 1) * ROW) - 1, top * ROW - 1, -1)
        numbers, digits, names = [], [], []
        cells: list[list[int]] = []
        for bit in bits:
            if cells and owner[cells[-1][-1]] == owner[bit]:
                cells[-1].append(bit)
            else:
                cells.append([bit])
        for cell in cells:
            name, colour = owner[cell[0]] or ("", "#ffffff")
            at = f"{cell[0]}" if len(cell) == 1 else f"{cell[0]}..{cell[-1]}"
            style = f"background:{colour};border:1px solid #999;padding:1px 2px;text-align:center;font-family:monospace"
            numbers.append(f'<td colspan="{len(cell)}" style="text-align:center;font-size:70%">{at}</td>')
            value = "".join(str(word >> bit & 1) for bit in cell)
            digits.append(f'<td colspan="{len(cell)}" style="{style}">{value}</td>')
            names.append(f'<td colspan="{len(cell)}" style="text-align:center;font-size:75%">{escape(name)}</td>')
        rows += [f"<tr>{''.join(line)}</tr>" for line in (numbers, digits, names)]
    fields = "".join(
        f"<tr><td>{escape(name)}</td><td>{', '.join(places(field.bits))}</td><td>{field.value:#x}</td>"
        f"<td><code>{escape(field.text)}</code></td></tr>"
        for name, field in of.fields.items()
    )
    return (
        f'<div class="isagen"><code><b>{escape(of.text)}</b></code> <small>{escape(of.form)}, {word:#0{length // 4 + 2}x}</small>'
        f'<table style="border-collapse:collapse">{"".join(rows)}</table>'
        f"<table><tr><th>field</th><th>bits</th><th>value</th><th>text</th></tr>{fields}</table></div>"
    )


def places(ranges: list[tuple[int, int]]) -> list[str]:
    """Ranges of bits as texts."""
    return [str(high) if high == low else f"{high}..{low}" for high, low in ranges]


def listing(text: str, title: str) -> str:
    """A listing, with its comments in grey and its labels in bold."""
    lines = []
    for line in text.splitlines():
        code, mark, comment = line.partition("//")
        shown = escape(code)
        if code.rstrip().endswith(":") and not code.startswith(" "):
            shown = f"<b>{shown}</b>"
        elif code.startswith("! "):
            shown = f'<span style="color:#b00">{shown}</span>'
        lines.append(shown + (f'<span style="color:#777">{escape(mark + comment)}</span>' if mark else ""))
    body = "\n".join(lines)
    return f'<div class="isagen"><b>{escape(title)}</b><pre style="line-height:1.25">{body}</pre></div>'
