"""A framed panel in the middle of the screen, the words and keys under it, and a page to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from jminesweeper.protocol.view import Listing
from jminesweeper.terminal.keys import KeyAction, KeyMap
from jminesweeper.terminal.lines import (
    Screen,
    Spot,
    StyledLine,
    centred,
    gap,
    span,
    table_lines,
    wrapped,
)
from jminesweeper.terminal.looks import Canvas, Style, Symbols
from jminesweeper.terminal.words import key_entry

NARROWEST = 36


class Panel(NamedTuple):
    """The inside of a frame, and the words on the frame's lines."""

    title: str
    rows: Sequence[StyledLine]
    width: int
    has_more_above: bool = False
    has_more_below: bool = False
    place: str = ""
    """Numbers of the lines in sight of a long text."""


class Placed(NamedTuple):
    """A screen, and where the first row inside the panel begins."""

    screen: Screen
    top: int
    left: int


def place_panel(
    panel: Panel, below: Sequence[StyledLine], names: Iterable[str], keys: KeyMap, canvas: Canvas
) -> Placed:
    """Put a panel in the middle, and its words and keys underneath."""
    columns, left = canvas.columns, (canvas.columns - panel.width - 2) // 2
    framed = [gap(left) + line for line in _framed(panel, canvas.symbols)]
    air = [StyledLine()] * min(2, max(0, canvas.rows - len(framed) - len(below) - 1))
    words = [*air[:1], *(centred(line, columns) for line in below), *air[1:]]
    block = [*framed, *words, StyledLine()][: canvas.rows]
    top = (canvas.rows - len(block)) // 2
    lines = [StyledLine()] * canvas.rows
    lines[top : top + len(block)] = block
    keys_row = top + len(block) - 1
    lines[keys_row], spots = compose_keys(names, keys, columns, keys_row)
    return Placed(Screen(lines, spots=spots), top + 1, left + 1)


def _framed(panel: Panel, symbols: Symbols) -> Iterator[StyledLine]:
    corners = [span(corner, Style.FRAME) for corner in symbols.corners]
    side = span(symbols.vertical, Style.FRAME)
    title = span(f" {panel.title} ", Style.TITLE)
    place = span(f" {panel.place} " if panel.place else "", Style.ASIDE)
    above = symbols.up if panel.has_more_above else ""
    below = symbols.down if panel.has_more_below else ""
    yield corners[0] + _edge(title, above, symbols.horizontal, panel.width) + corners[1]
    yield from (side + row + side for row in panel.rows)
    yield corners[2] + _edge(place, below, symbols.horizontal, panel.width) + corners[3]


def _edge(told: StyledLine, more: str, line: str, width: int) -> StyledLine:
    """Draw a line of the frame: words at its left end, at its right a sign if there is more."""
    end = f"{more}{line}" if more else ""
    words = told.cut(width - 1 - len(end))
    fill = line * (width - 1 - len(words) - len(end)) + end
    return span(line, Style.FRAME) + words + span(fill, Style.FRAME)


# Words and keys

_TONES: Final = {"good": Style.GOOD, "bad": Style.BAD, "warning": Style.WARNING}
_BETWEEN, _CLOSER = 3, 2
_STAYING: Final = frozenset({"back", "give_up", "leave", "ready"})
"""Named as long as any key is: ways out, and the way to the next round."""


def compose_message(text: str, tone: str, width: int) -> list[StyledLine]:
    """Compose a message in as many lines as it takes."""
    style = _TONES.get(tone, Style.PLAIN)
    return [span(line, style) for line in wrapped(text, width)] if text else []


def compose_keys(
    names: Iterable[str], keys: KeyMap, width: int, row: int
) -> tuple[StyledLine, Sequence[Spot]]:
    """Compose what can be done, the most important first, in the middle of the last row.

    Without enough room the keys move closer, then the last are left out, but for those that stay.
    """
    entries = [(name, *entry) for name in names if (entry := key_entry(name, keys)) is not None]
    between = _BETWEEN
    while entries and _width(entries, between) > width:
        if between == _CLOSER:
            others = [entry for entry in entries if entry[0] not in _STAYING]
            entries.remove((others or entries)[-1])
        between = _CLOSER
    line, spots = StyledLine(), []
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


_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
"""Between the columns of a line."""
_HANGING: Final = "  "
_ALL: Final = 1 << 30
_SCROLLS: Final = {
    KeyAction.UP: -1,
    KeyAction.DOWN: 1,
    KeyAction.JUMP_UP: -5,
    KeyAction.JUMP_DOWN: 5,
    KeyAction.ROW_START: -_ALL,
    KeyAction.ROW_END: _ALL,
}
_TURNS: Final = {KeyAction.PAGE_UP: -1, KeyAction.PAGE_DOWN: 1, KeyAction.FLAG: 1}
"""A whole screen at a time."""


class Reading:
    """A page that is open before a player."""

    def __init__(self, title: str, lines: Sequence[str | Listing]) -> None:
        self.title = title
        self.lines = lines
        self._first = 0
        self._shown = 1
        """Number of lines that fitted the last screen."""

    def press(self, action: KeyAction) -> bool:
        """Scroll, if that is what a key does here."""
        lines = _SCROLLS.get(action, 0) + _TURNS.get(action, 0) * max(1, self._shown - 1)
        self._first = max(0, self._first + lines)
        return lines != 0

    def compose(
        self, text: str, tone: str, names: Sequence[str], keys: KeyMap, canvas: Canvas
    ) -> Screen:
        """Compose the part that is read; scrolling stops at the end."""
        below = compose_message(text, tone, canvas.columns)
        width = canvas.columns - 4
        texts: list[str] = []
        for line in self.lines:
            if isinstance(line, Listing):
                texts += table_lines(line, width)
            elif len(line) > width and _GAP.search(line):
                # Without room for columns the second one follows, indented where it is broken.
                texts += wrapped(_GAP.sub("  ", line, count=1), width, _HANGING)
            else:
                texts += wrapped(line, width)
        self._shown = count = min(len(texts), max(1, canvas.rows - 3 - len(below)))
        self._first = first = max(0, min(self._first, len(texts) - count))
        width = min(canvas.columns - 2, max(NARROWEST, 2 + max(map(len, texts), default=0)))
        rows = [
            span(f" {text}".ljust(width)[:width], Style.ITEM)
            for text in texts[first : first + count]
        ]
        panel = Panel(self.title, rows, width)
        if count < len(texts):
            names = ("scroll", "pages", *names)
            place = f"{first + 1}-{first + count} of {len(texts)}"
            has_more = first > 0, first + count < len(texts)
            panel = Panel(self.title, rows, width, *has_more, place)
        return place_panel(panel, below, names, keys, canvas).screen
