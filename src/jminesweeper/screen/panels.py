"""Menus and pages: framed panels in the middle of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jminesweeper.screen.canvas import Canvas, Screen
from jminesweeper.screen.foot import compose_keys, compose_message
from jminesweeper.screen.lines import (
    BLANK,
    Line,
    centre,
    clean,
    cut,
    indent,
    join,
    pad,
    span,
    spread_out,
    wrapped,
)
from jminesweeper.screen.models import MenuItem, MenuScreen, Message, PageScreen
from jminesweeper.screen.styles import Style

_FRAME_ROWS = 2
_NARROWEST = 36
_MARK = "> "


class Panel(NamedTuple):
    """What is inside a frame, with what it tells on its lines."""

    title: str
    rows: Sequence[Line]
    more_above: bool
    more_below: bool
    place: str = ""
    """Where in a long text one is, for the last line of the frame."""


class Composed(NamedTuple):
    """A screen, and which row of it is which item of a menu."""

    screen: Screen
    items: Sequence[int | None]
    columns: range

    def item_at(self, column: int, row: int) -> int | None:
        """Find the item of a menu at a place on the screen."""
        if column in self.columns and 0 <= row < len(self.items):
            return self.items[row]
        return None


def compose_menu(model: MenuScreen, canvas: Canvas) -> Composed:
    """Compose a list to choose from, scrolled so that the selected item is seen."""
    message = compose_message(model.message, canvas.columns, has_unicode=canvas.has_unicode)
    note = _note(model, canvas)
    below = [*note, *message]
    room = max(1, canvas.rows - _FRAME_ROWS - len(below) - 1)
    first, shown = _visible(len(model.items), model.selected, room)
    width = min(canvas.columns - 2, max(_NARROWEST, _widest(model, canvas)))
    rows = [
        _compose_item(item, width, canvas, is_selected=number == model.selected)
        for number, item in enumerate(model.items[first : first + shown], first)
    ]
    panel = Panel(model.title, rows, first > 0, first + shown < len(model.items))
    lines, top, left = _place(panel, width, below, compose_keys(model.keys, canvas.columns), canvas)
    items: list[int | None] = [None] * len(lines)
    items[top + 1 : top + 1 + shown] = range(first, first + shown)
    selected_row = top + 1 + model.selected - first
    screen = Screen(lines, selected_row, left + 2, bool(model.items))
    return Composed(screen, items, range(left + 1, left + 1 + width))


def compose_page(model: PageScreen, canvas: Canvas) -> Composed:
    """Compose a text to read; scrolling beyond its end stops there."""
    message = compose_message(model.message, canvas.columns, has_unicode=canvas.has_unicode)
    texts = [
        part
        for line in model.lines
        for part in wrapped(clean(line, has_unicode=canvas.has_unicode), canvas.columns - 4)
    ]
    shown = min(len(texts), max(1, canvas.rows - _FRAME_ROWS - len(message) - 1))
    first = max(0, min(model.first_line, len(texts) - shown))
    is_whole = shown == len(texts)
    place = "" if is_whole else f"{first + 1}-{first + shown} of {len(texts)}"
    width = min(canvas.columns - 2, max(_NARROWEST, 2 + max(map(len, texts), default=0)))
    rows = [pad(indent(span(text), 1), width) for text in texts[first : first + shown]]
    panel = Panel(model.title, rows, first > 0, first + shown < len(texts), place)
    keys = compose_keys(model.keys, canvas.columns)
    lines, top, left = _place(panel, width, message, keys, canvas)
    return Composed(Screen(lines, top, left), [], range(0))


def _note(model: MenuScreen, canvas: Canvas) -> list[Line]:
    """Say more about the selected item; one line is kept free where any item has a note."""
    if not any(item.note for item in model.items):
        return []
    chosen = model.items[model.selected].note if model.selected < len(model.items) else ""
    text = clean(chosen, has_unicode=canvas.has_unicode)
    return [cut(span(text, Style.ASIDE), canvas.columns)]


def _visible(count: int, selected: int, room: int) -> tuple[int, int]:
    """Choose the first item and how many are shown, the selected one about the middle."""
    shown = min(count, room)
    return max(0, min(selected - shown // 2, count - shown)), shown


def _widest(model: MenuScreen, canvas: Canvas) -> int:
    return max((_item_width(item, canvas) for item in model.items), default=0)


def _item_width(item: MenuItem, canvas: Canvas) -> int:
    label, value = _texts(item, canvas)
    return len(label) + len(value) + len(_MARK) + (5 if value else 3)


def _texts(item: MenuItem, canvas: Canvas) -> tuple[str, str]:
    label = clean(item.label, has_unicode=canvas.has_unicode)
    value = clean(item.value, has_unicode=canvas.has_unicode)
    return (
        label if item.is_enabled else f"({label})",
        f"< {value} >" if item.is_adjustable else value,
    )


def _compose_item(item: MenuItem, width: int, canvas: Canvas, *, is_selected: bool) -> Line:
    style = Style.PLAIN if item.is_enabled else Style.DISABLED
    if is_selected:
        style = Style.CHOSEN
    label, value = _texts(item, canvas)
    mark = _MARK if is_selected else " " * len(_MARK)
    line = spread_out(span(f" {mark}{label}"), span(f"{value} " if value else ""), width)
    return span(line.text, style)


def _place(
    panel: Panel, width: int, below: Sequence[Line], keys: Line, canvas: Canvas
) -> tuple[list[Line], int, int]:
    """Put a panel in the middle, what belongs to it underneath; tell the panel's corner."""
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
    """Draw a line of the frame, with words in it at the left and a sign of more at the right."""
    end = f"{more}{line}" if more else ""
    words = cut(told, width - 1 - len(end))
    fill = line * (width - 1 - words.width - len(end)) + end
    return join((span(line, Style.FRAME), words, span(fill, Style.FRAME)))


def compose_notice(message: Message, canvas: Canvas) -> Screen:
    """Say one thing on a screen too small for anything else."""
    text = clean(message.text, has_unicode=canvas.has_unicode)
    lines = [cut(span(line), canvas.columns) for line in wrapped(text, canvas.columns)]
    return Screen([*lines, *[BLANK] * canvas.rows][: canvas.rows])
