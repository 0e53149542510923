"""Menus and pages: framed panels in the middle of the screen.

Menus are composed and painted once for each value: all players with terminals of one kind see the
same main menu, and moving through a menu soon returns to where it began.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from jminesweeper.screen.captions import HANGING, compose_keys, compose_message, key_at
from jminesweeper.screen.diff import paint_all
from jminesweeper.screen.layout import Canvas
from jminesweeper.screen.lines import (
    BLANK,
    Line,
    Screen,
    centre,
    cut,
    indent,
    join,
    pad,
    span,
    spread_out,
)
from jminesweeper.screen.models import Listing, MenuItem, MenuScreen, Message, PageScreen, Typing
from jminesweeper.screen.preview import compose_preview
from jminesweeper.screen.styles import Style
from jminesweeper.screen.text import align_right, clean, listing_lines, wrapped
from jminesweeper.screen.themes import Theme

_FRAME_ROWS = 2
_BESIDE = 2
_NARROWEST = 36
_MARK = "> "
_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
"""Between the columns of a line."""
_FIELD: Final = 40
"""Columns to type in, if there is room; of a longer text the end is shown."""
_SHORTEST_LABEL: Final = 10
"""How much of a label remains beside figures where there is little room."""


class Panel(NamedTuple):
    """What is inside a frame, and the words on the frame's lines."""

    title: str
    rows: Sequence[Line]
    more_above: bool
    more_below: bool
    place: str = ""
    """Which lines of a long text are shown, for the last line of the frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """A screen, and which row of it is which item of a menu, or how far a page is scrolled."""

    screen: Screen
    keys: Sequence[tuple[str, str]]
    items: Sequence[int | None] = ()
    columns: range = range(0)
    first_line: int = 0

    def locate(self, column: int, row: int) -> int | str | None:
        """Find the item of a menu at a place on the screen, or the key that is explained there."""
        if column in self.columns and 0 <= row < len(self.items) and self.items[row] is not None:
            return self.items[row]
        return key_at(self.screen.lines, self.keys, column, row)


def compose_menu(model: MenuScreen, canvas: Canvas) -> Composed:
    """Compose a list to choose from, scrolled so that the selected item is seen."""
    return _menu(model._replace(items=tuple(model.items), keys=tuple(model.keys)), canvas)


@lru_cache(maxsize=128)
def paint_menu(composed: Composed, theme: Theme) -> bytes:
    """Paint the whole screen of a menu."""
    return paint_all(composed.screen.lines, theme)


@lru_cache(maxsize=128)
def _menu(model: MenuScreen, canvas: Canvas) -> Composed:
    message = compose_message(model.message, canvas.columns, has_unicode=canvas.has_unicode)
    note = _note(model, canvas)
    below = [*note, *message]
    room = max(1, canvas.rows - _FRAME_ROWS - len(below) - 1)
    first, shown = _visible(len(model.items), model.selected, room)
    texts = _item_texts(model.items, canvas)
    width = min(canvas.columns - 2, max((_NARROWEST, *(text.width for text in texts))))
    rows = [
        _compose_item(texts[number], width, _style_of(model, number))
        for number in range(first, first + shown)
    ]
    panel = Panel(model.title, rows, first > 0, first + shown < len(model.items))
    lines, top, left = _place(panel, width, below, compose_keys(model.keys, canvas.columns), canvas)
    items: list[int | None] = [None] * len(lines)
    items[top + 1 : top + 1 + shown] = range(first, first + shown)
    if model.has_preview:
        _add_preview(lines, top, canvas)
    column = left + 1 + width - texts[model.selected].blanks if model.takes_text else left + 2
    screen = Screen(
        lines,
        top + 1 + model.selected - first,
        column,
        bool(model.items),
        clock_runs=model.clock_runs,
        takes_text=model.takes_text,
    )
    return Composed(screen, model.keys, items, range(left + 1, left + 1 + width))


def _add_preview(lines: list[Line], top: int, canvas: Canvas) -> None:
    """Put the preview beside the panel, or leave it out where there is no room."""
    preview = compose_preview(canvas)
    start = max(line.width for line in lines[top : top + len(preview)]) + _BESIDE
    has_room = top + len(preview) <= canvas.rows
    if has_room and all(start + line.width <= canvas.columns for line in preview):
        for row, line in enumerate(preview, top):
            lines[row] = join((pad(lines[row], start), line))


def compose_page(model: PageScreen, canvas: Canvas) -> Composed:
    """Compose a text to read; scrolling stops at its end."""
    message = compose_message(model.message, canvas.columns, has_unicode=canvas.has_unicode)
    texts = [text for line in model.lines for text in _page_lines(line, canvas)]
    shown = min(len(texts), max(1, canvas.rows - _FRAME_ROWS - len(message) - 1))
    first = max(0, min(model.first_line, len(texts) - shown))
    is_whole = shown == len(texts)
    place = "" if is_whole else f"{first + 1}-{first + shown} of {len(texts)}"
    width = min(canvas.columns - 2, max(_NARROWEST, 2 + max(map(len, texts), default=0)))
    rows = [pad(indent(span(text), 1), width) for text in texts[first : first + shown]]
    panel = Panel(model.title, rows, first > 0, first + shown < len(texts), place)
    keys = model.keys if is_whole else model.part_keys or model.keys
    lines, top, left = _place(panel, width, message, compose_keys(keys, canvas.columns), canvas)
    return Composed(Screen(lines, top, left), keys, first_line=first)


def _page_lines(line: str | Listing, canvas: Canvas) -> list[str]:
    """Break a line of a page, or figures, into lines of the screen."""
    width = canvas.columns - 4
    if isinstance(line, Listing):
        return listing_lines(line, width, has_unicode=canvas.has_unicode)
    text = clean(line, has_unicode=canvas.has_unicode)
    if len(text) > width and _GAP.search(text):
        # There is no room for columns: the second one follows, and is indented where it is broken.
        return wrapped(_GAP.sub("  ", text, count=1), width, HANGING)
    return wrapped(text, width)


def _note(model: MenuScreen, canvas: Canvas) -> list[Line]:
    """Write the note of the selected item; there are always lines for the longest one."""
    if not any(item.note for item in model.items):
        return []
    notes = [
        wrapped(clean(item.note, has_unicode=canvas.has_unicode), canvas.columns)
        for item in model.items
    ]
    chosen = notes[model.selected] if model.selected < len(notes) else []
    free = max(map(len, notes)) - len(chosen)
    return [*(span(line, Style.ASIDE) for line in chosen), *[BLANK] * free]


def _visible(count: int, selected: int, room: int) -> tuple[int, int]:
    """Choose the first item and how many are shown, with the selected one near the middle."""
    shown = min(count, room)
    return max(0, min(selected - shown // 2, count - shown)), shown


class _ItemText(NamedTuple):
    """The text of a menu line, at its left and at its right end."""

    label: str
    value: str
    blanks: int = 0
    """How far before the line's end the next typed letter goes."""

    @property
    def width(self) -> int:
        return len(self.label) + len(self.value) + len(_MARK) + (5 if self.value else 3)


def _item_texts(items: Sequence[MenuItem], canvas: Canvas) -> list[_ItemText]:
    has_unicode = canvas.has_unicode
    rows = [[clean(cell, has_unicode=has_unicode) for cell in item.figures] for item in items]
    room = canvas.columns - len(_MARK) - _SHORTEST_LABEL - 5
    figures = iter(align_right([row for row in rows if row], room))
    return [_item_text(item, next(figures) if item.figures else "", canvas) for item in items]


def _item_text(item: MenuItem, figures: str, canvas: Canvas) -> _ItemText:
    label = clean(item.label, has_unicode=canvas.has_unicode)
    value = clean(item.value, has_unicode=canvas.has_unicode)
    if item.typing is Typing.TEXT:
        return _field(label, value, canvas)
    if not item.is_enabled:
        label = f"({label})"
    if not item.is_adjustable:
        return _ItemText(label, value or figures)
    text = _ItemText(label, f"< {value} >")
    if text.width <= canvas.columns - 2:
        return text
    # The label matters more than the value, so the end of the value is left out.
    return _ItemText(label, f"< {value.partition(', ')[0]} >")


def _field(label: str, text: str, canvas: Canvas) -> _ItemText:
    """Show a field to fill in, and the part of its text near the next letter."""
    room = max(1, min(_FIELD, canvas.columns - len(label) - len(_MARK) - 9))
    shown = text[-room + 1 :] if room > 1 else ""
    return _ItemText(label, f"[{shown:{room}}]", 2 + room - len(shown))


def _style_of(model: MenuScreen, number: int) -> Style:
    if number == model.selected:
        return Style.CHOSEN
    return Style.PLAIN if model.items[number].is_enabled else Style.DISABLED


def _compose_item(text: _ItemText, width: int, style: Style) -> Line:
    mark = _MARK if style is Style.CHOSEN else " " * len(_MARK)
    value = span(f"{text.value} " if text.value else "")
    return span(spread_out(span(f" {mark}{text.label}"), value, width).text, style)


def _place(
    panel: Panel, width: int, below: Sequence[Line], keys: Line, canvas: Canvas
) -> tuple[list[Line], int, int]:
    """Put a panel in the middle and its words underneath; return the panel's corner too."""
    framed = _framed(panel, width, canvas)
    spare = canvas.rows - len(framed) - len(below) - 1
    air = [BLANK] * min(2, max(0, spare))
    block = [
        *(indent(line, (canvas.columns - width - 2) // 2) for line in framed),
        *air[:1],
        *(centre(line, canvas.columns) for line in below),
        *air[1:],
        centre(keys, canvas.columns),
    ][: canvas.rows]
    top = (canvas.rows - len(block)) // 2
    lines = [BLANK] * canvas.rows
    lines[top : top + len(block)] = block
    return lines, top, (canvas.columns - width - 2) // 2


def _framed(panel: Panel, width: int, canvas: Canvas) -> list[Line]:
    symbols = canvas.symbols
    top_left, top_right, bottom_left, bottom_right = symbols.corners
    title = span(f" {clean(panel.title, has_unicode=canvas.has_unicode)} ", Style.TITLE)
    place = span(f" {panel.place} " if panel.place else "", Style.ASIDE)
    above = symbols.up if panel.more_above else ""
    below = symbols.down if panel.more_below else ""
    side = span(symbols.vertical, Style.FRAME)
    top = _edge(title, above, symbols.horizontal, width)
    bottom = _edge(place, below, symbols.horizontal, width)
    return [
        join((span(top_left, Style.FRAME), top, span(top_right, Style.FRAME))),
        *(join((side, row, side)) for row in panel.rows),
        join((span(bottom_left, Style.FRAME), bottom, span(bottom_right, Style.FRAME))),
    ]


def _edge(told: Line, more: str, line: str, width: int) -> Line:
    """Draw a line of the frame: words at its left end, at its right a sign if there is more."""
    end = f"{more}{line}" if more else ""
    words = cut(told, width - 1 - len(end))
    fill = line * (width - 1 - words.width - len(end)) + end
    return join((span(line, Style.FRAME), words, span(fill, Style.FRAME)))


def compose_notice(message: Message, canvas: Canvas) -> Screen:
    """Show only a message on a screen that is too small for anything else."""
    text = clean(message.text, has_unicode=canvas.has_unicode)
    lines = [cut(span(line), canvas.columns) for line in wrapped(text, canvas.columns)]
    return Screen([*lines, *[BLANK] * canvas.rows][: canvas.rows])
