"""Figures as tables of Markdown that can also be read as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

DOCUMENT: Final = Path(__file__).parents[1] / "docs" / "benchmarks.md"


class Run(NamedTuple):
    """A run: quick or thorough, and the other checkout that takes turns, if any."""

    is_quick: bool = True
    beside: Path | None = None


class Table(NamedTuple):
    """Rows of text first, then figures; the name says where the document has its place."""

    name: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]

    def __str__(self) -> str:
        lines = [self.head, *([_text(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        rule = "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])])
        head, *body = (_line(line, widths) for line in lines)
        return "\n".join([head, f"|{rule}|", *body])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    figures = (f"{cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True))
    return f"| {' | '.join([cells[0].ljust(widths[0]), *figures])} |"


def _text(cell: str | float | None) -> str:
    """Write a figure with as many digits as mean anything."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"


def write(table: Table) -> None:
    """Put a table where the document has the one of the last run."""
    begin, end = f"<!-- {table.name} -->", f"<!-- end of {table.name} -->"
    place = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    text = DOCUMENT.read_text(encoding="utf-8")
    if not place.search(text):
        raise SystemExit(f"{DOCUMENT} has no place for {table.name}")
    written = place.sub(lambda _: f"{begin}\n{table}\n{end}", text)
    DOCUMENT.write_text(written, encoding="utf-8")
