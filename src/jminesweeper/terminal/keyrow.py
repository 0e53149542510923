"""The row of keys that every screen ends with, and messages above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.lines import Line, Spot, centred, gap, span
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.text import wrapped
from jminesweeper.terminal.words import key_entry

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
