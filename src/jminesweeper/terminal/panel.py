"""A framed panel in the middle of the screen, and what every screen ends with: words and keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.lines import Line, Screen, Spot, centred, gap, span
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.symbols import Symbols
from jminesweeper.terminal.text import wrapped
from jminesweeper.terminal.words import key_entry

NARROWEST = 36


class Panel(NamedTuple):
    """What is inside a frame, and what is on the frame's lines."""

    title: str
    rows: Sequence[Line]
    width: int
    has_more_above: bool = False
    has_more_below: bool = False
    place: str = ""
    """Which lines of a long text are shown."""


class Placed(NamedTuple):
    """A screen, and where the first row inside the panel begins."""

    screen: Screen
    top: int
    left: int


def place_panel(
    panel: Panel, below: Sequence[Line], names: Iterable[str], keys: KeyMap, canvas: Canvas
) -> Placed:
    """Put a panel in the middle, and its words and keys underneath."""
    columns, left = canvas.columns, (canvas.columns - panel.width - 2) // 2
    framed = [gap(left) + line for line in _framed(panel, canvas.symbols)]
    air = [Line()] * min(2, max(0, canvas.rows - len(framed) - len(below) - 1))
    words = [*air[:1], *(centred(line, columns) for line in below), *air[1:]]
    block = [*framed, *words, Line()][: canvas.rows]
    top = (canvas.rows - len(block)) // 2
    lines = [Line()] * canvas.rows
    lines[top : top + len(block)] = block
    keys_row = top + len(block) - 1
    lines[keys_row], spots = compose_keys(names, keys, columns, keys_row)
    return Placed(Screen(lines, spots=spots), top + 1, left + 1)


def _framed(panel: Panel, symbols: Symbols) -> Iterator[Line]:
    corners = [span(corner, Style.FRAME) for corner in symbols.corners]
    side = span(symbols.vertical, Style.FRAME)
    title = span(f" {panel.title} ", Style.TITLE)
    place = span(f" {panel.place} " if panel.place else "", Style.ASIDE)
    above = symbols.up if panel.has_more_above else ""
    below = symbols.down if panel.has_more_below else ""
    yield corners[0] + _edge(title, above, symbols.horizontal, panel.width) + corners[1]
    yield from (side + row + side for row in panel.rows)
    yield corners[2] + _edge(place, below, symbols.horizontal, panel.width) + corners[3]


def _edge(told: Line, more: str, line: str, width: int) -> Line:
    """Draw a line of the frame: words at its left end, at its right a sign if there is more."""
    end = f"{more}{line}" if more else ""
    words = told.cut(width - 1 - len(end))
    fill = line * (width - 1 - len(words) - len(end)) + end
    return span(line, Style.FRAME) + words + span(fill, Style.FRAME)


# Words and keys

_TONES: Final = {"good": Style.GOOD, "bad": Style.BAD, "warning": Style.WARNING}
_BETWEEN, _CLOSER = 3, 2


def compose_message(text: str, tone: str, width: int) -> list[Line]:
    """Compose a message in as many lines as it takes."""
    style = _TONES.get(tone, Style.PLAIN)
    return [span(line, style) for line in wrapped(text, width)] if text else []


def compose_keys(
    names: Iterable[str], keys: KeyMap, width: int, row: int
) -> tuple[Line, Sequence[Spot]]:
    """Compose what can be done, the most important first, in the middle of the last row.

    Without enough room the keys move closer, then the last are left out.
    """
    entries = [(name, *entry) for name in names if (entry := key_entry(name, keys)) is not None]
    between = _BETWEEN
    while entries and _width(entries, between) > width:
        entries = entries[:-1] if between == _CLOSER else entries
        between = _CLOSER
    line, spots = Line(), []
    margin = (width - _width(entries, between)) // 2
    for name, key, does in entries:
        line += gap(between if len(line) else 0) + span(key, Style.KEY) + gap(1)
        line += span(does, Style.ASIDE)
        end = margin + len(line)
        spots.append(Spot(row, range(end - len(key) - 1 - len(does), end), name))
    return centred(line, width), spots


def _width(entries: Sequence[tuple[str, str, str]], between: int) -> int:
    widths = [len(key) + 1 + len(does) for _, key, does in entries]
    return sum(widths) + between * max(0, len(widths) - 1)
