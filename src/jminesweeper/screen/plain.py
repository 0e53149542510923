"""Screens as plain text, for programs, pipes and screen readers.

Complete enough to play by; `docs/plain-format.md` describes it line by line.
"""

from __future__ import annotations

import re
from codecs import charmap_decode
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from jminesweeper.core.errors import NotationError
from jminesweeper.core.faces import (
    CLUE,
    COVERED,
    EXPLODED,
    FLAGGED,
    MINED,
    QUESTIONED,
    digit_of,
    faces_of,
    layers_with_unopened,
)
from jminesweeper.core.grid import Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.screen.models import (
    GameScreen,
    Listing,
    MenuItem,
    MenuScreen,
    Odds,
    PageScreen,
    ScreenModel,
    Typing,
)
from jminesweeper.screen.text import clean, listing_lines

_NAME = "JMinesweeper"
_NUMBER_COLUMNS = 3
WIDEST: Final = 1_000
"""The width of figures where no screen limits it."""
STATES: Final[Mapping[Status, str]] = MappingProxyType(
    {
        Status.ONGOING: "playing",
        Status.WON: "won",
        Status.LOST: "lost",
        Status.TERMINATED: "given up",
    }
)
PAUSED: Final = "paused"
STATUSES: Final[Mapping[str, Status]] = MappingProxyType(
    {word: status for status, word in STATES.items()} | {PAUSED: Status.ONGOING}
)
_ENTRY: Final = re.compile(r"([a-z ]+): ?(.*)")
_ROW: Final = re.compile(r" {0,2}[0-9]{1,3} ")
WITHOUT_DEBUG: Final = str.maketrans("bfq", "?F?")


def format_plain(model: ScreenModel) -> str:
    """Write a screen as lines without control sequences."""
    return "".join(f"{line.rstrip()}\n" for line in _format(model))


def format_lines(lines: Iterable[str | Listing], width: int = WIDEST) -> Iterator[str]:
    """Write the lines of a page; figures stand in columns that fit the width."""
    for line in lines:
        if isinstance(line, Listing):
            yield from listing_lines(line, width)
        else:
            yield clean(line)


def parse_plain_entries(text: str) -> dict[str, str]:
    """Read the ``key: value`` lines of a screen; the first line with a key counts."""
    entries = [_ENTRY.fullmatch(line) for line in text.splitlines()[1:]]
    return {entry[1]: entry[2] for entry in reversed(entries) if entry}


def parse_plain_field(text: str) -> PlayerView | None:
    """Read the field of a screen, if it shows one; NotationError if it makes no sense."""
    entries = parse_plain_entries(text)
    if "field" not in entries:
        return None
    lines = text.partition("\nfield:")[2].splitlines()[1:]
    rows = [line[_NUMBER_COLUMNS:] for line in lines if _ROW.match(line)]
    try:
        mine_count, status = int(entries["mines"]), STATUSES[entries["state"]]
    except (KeyError, ValueError):
        raise NotationError("a field needs its mines and its state told before it") from None
    return parse_position("\n".join(rows).translate(WITHOUT_DEBUG), mine_count, status)


def _format(model: ScreenModel) -> Iterator[str]:
    match model:
        case GameScreen():
            yield _heading(model.label)
            yield from _format_game(model)
        case MenuScreen():
            yield _heading(model.title)
            yield from _format_menu(model)
        case PageScreen():
            yield _heading(model.title)
            yield from _format_page(model)


def _heading(title: str) -> str:
    """Name the program, and what is shown, unless that is the program's own menu."""
    return _NAME if title == _NAME else f"{_NAME} {clean(title)}"


def _format_game(model: GameScreen) -> Iterator[str]:
    view = model.view
    yield "screen: game"
    yield f"state: {PAUSED if model.is_paused else STATES[view.status]}"
    if model.state:
        yield f"remark: {clean(model.state)}"
    if model.aim:
        yield f"aim: {clean(model.aim)}"
    yield f"size: {view.size}"
    yield f"mines: {view.mine_count}"
    yield f"mines left: {view.mines_left}"
    yield f"clock: {model.elapsed_ms // 1000} s"
    if model.time_line is not None:
        yield f"replay: {model.time_line.position} of {model.time_line.last}"
    if model.solved_share is not None:
        yield f"solved: {int(model.solved_share * 100)} %"
    yield f"cursor: {model.cursor.column} {model.cursor.row}"
    if model.hint_cells:
        yield f"hint: {_format_cells(model, model.hint_cells)}"
    if model.flash_cells:
        yield f"around: {_format_cells(model, model.flash_cells)}"
    if not model.is_paused:
        yield "field:"
        yield from _format_field(view, model.debug_mines)
    if model.odds is not None:
        yield f"odds: {_format_odds(model.odds, view)}"
    for line in model.summary:
        yield f"figure: {clean(line)}"
    yield from _format_message(model)


def _format_odds(odds: Odds, view: PlayerView) -> str:
    places = ((view.grid.cell(index), percent) for index, percent in odds.percents.items())
    return ", ".join(f"{cell.column} {cell.row} {percent} %" for cell, percent in places)


def _format_cells(model: GameScreen, marked: int) -> str:
    cells = model.view.grid.cells(marked)
    return ", ".join(f"{cell.column} {cell.row}" for cell in cells)


def _format_field(view: PlayerView, debug_mines: int) -> Iterator[str]:
    grid = view.grid
    layers = layers_with_unopened(view, debug_mines)
    faces = faces_of(grid, layers, range(view.size.rows))
    symbols = SYMBOLS_BEFORE if view.shown_mines is None else SYMBOLS_AFTER
    text = charmap_decode(faces, "strict", symbols)[0]
    yield from _format_column_numbers(view.size)
    for row in range(view.size.rows):
        start = row * grid.stride
        yield f"{row:>{_NUMBER_COLUMNS}} {' '.join(text[start : start + view.size.columns])}"


def _format_column_numbers(size: Size) -> Iterator[str]:
    """Write column numbers downwards, so that cells stay close together."""
    numbers = [str(column) for column in range(size.columns)]
    height = len(numbers[-1])
    for place in range(height):
        digits = (number.rjust(height)[place] for number in numbers)
        yield f"{'':{_NUMBER_COLUMNS}} {' '.join(digits)}"


def _format_menu(model: MenuScreen) -> Iterator[str]:
    yield "screen: menu"
    for number, item in enumerate(model.items):
        mark = ">" if number == model.selected else " "
        yield f"{mark}{number + 1:>3}. {_format_item(item)}"
    if model.selected < len(model.items) and (note := model.items[model.selected].note):
        yield f"note: {clean(note)}"
    yield from _format_message(model)


def _format_item(item: MenuItem) -> str:
    label, value = clean(item.label), clean(item.value)
    if item.typing is Typing.TEXT:
        value = f"[{value}]"
    elif item.is_adjustable:
        value = f"< {value} >"
    shown = [label if item.is_enabled else f"({label})", value, *map(clean, item.figures)]
    return "  ".join(part for part in shown if part)


def _format_page(model: PageScreen) -> Iterator[str]:
    yield "screen: page"
    yield from _format_message(model)
    yield "text:"
    yield from format_lines(model.lines)


def _format_message(model: ScreenModel) -> Iterator[str]:
    if model.message.text:
        yield f"message: {clean(model.message.text)}"


def _symbol_before(face: int) -> str:
    """Write a cell of a running game; lower-case letters are what only debug mode shows."""
    if face & COVERED:
        hidden, mined = ("F", "f") if face & FLAGGED else ("?", "b")
        if face & CLUE == QUESTIONED:
            hidden = "q"
        return mined if face & MINED else hidden
    return digit_of(face)


def _symbol_after(face: int) -> str:
    """Write a cell of a game that has ended, as core's notation does."""
    if face & EXPLODED:
        return "X"
    if face & FLAGGED:
        return "F" if face & MINED else "!"
    if face & MINED:
        return "B"
    return "?" if face & COVERED else _symbol_before(face)


SYMBOLS_BEFORE: Final = "".join(map(_symbol_before, range(256)))
SYMBOLS_AFTER: Final = "".join(map(_symbol_after, range(256)))
