"""What there is to see as plain text, for programs, pipes and screen readers.

Complete enough to play by; `docs/plain-format.md` describes it line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from jminesweeper.core.faces import (
    CLUE,
    COVERED,
    FLAGGED,
    MINED,
    QUESTIONED,
    SYMBOLS_AFTER,
    digit_of,
)
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.view import Listing, RowKind
from jminesweeper.terminal.game import figure_lines
from jminesweeper.terminal.room import notes_on, rules_of
from jminesweeper.terminal.text import table_lines
from jminesweeper.terminal.view import PAUSED, PLAYING, Menu, Room, Row, Seat, View
from jminesweeper.terminal.words import NAME, REMARKS

WIDEST: Final = 1_000
"""The width of figures where no screen limits it."""
_NUMBER_COLUMNS = 3


def format_game(view: View, cursor: Cell, clock_ms: int, aim: str, message: str) -> str:
    """Write a game and its board, and who plays with one."""
    told = [*_game(view, cursor, clock_ms, aim), *_company(view), *_message(message)]
    return _joined([_heading(view.label), *told])


def format_room(room: Room, view: View, message: str) -> str:
    """Write who is in a room before there is a board."""
    told = ["screen: room", *_company(view), *_message(message)]
    return _joined([_heading(room.label), *told])


def format_menu(menu: Menu, message: str) -> str:
    """Write a menu; the selected row has a mark."""
    return _joined([_heading(menu.title), *_menu(menu), *_message(message)])


def format_page(title: str, lines: Iterable[str | Listing], message: str) -> str:
    """Write a page, whole however long it is."""
    head = [_heading(title), "screen: page", *_message(message), "text:"]
    return _joined([*head, *page_lines(lines, WIDEST)])


def page_lines(lines: Iterable[str | Listing], width: int) -> Iterator[str]:
    """Write the lines of a page; figures stand in columns that fit the width."""
    for line in lines:
        yield from (line,) if isinstance(line, str) else table_lines(line, width)


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _heading(title: str) -> str:
    """Name the program, and what is shown, unless that is the program's own menu."""
    return NAME if title == NAME else f"{NAME} {title}"


def _game(view: View, cursor: Cell, clock_ms: int, aim: str) -> Iterator[str]:
    yield "screen: game"
    yield f"state: {view.state}"
    yield from _said("remark", " ".join(REMARKS.get(remark, "") for remark in view.remark))
    yield from _said("aim", aim)
    yield f"size: {view.size}"
    yield f"mines: {view.mines}"
    yield f"mines left: {view.left}"
    yield f"clock: {clock_ms // 1000} s"
    if view.replay is not None:
        yield f"replay: {view.position} of {len(view.replay)}"
    yield f"solved: {int(100 * view.solved_share)} %"
    yield f"cursor: {cursor.column} {cursor.row}"
    yield from _said("hint", _cells(view.hint))
    yield from _said("around", _cells(sorted(view.flash, key=lambda cell: (cell.row, cell.column))))
    if view.state != PAUSED:
        yield "field:"
        yield from _field(view)
    if view.odds is not None:
        chances = (f"{cell.column} {cell.row} {view.odds[cell]} %" for cell in view.odds)
        yield f"odds: {', '.join(chances)}"
    yield from (f"figure: {line}" for line in figure_lines(view))


def _company(view: View) -> Iterator[str]:
    """Write who watches whom, the room, and how everybody in it is doing."""
    if view.watching is not None:
        yield f"watching: {view.watching.name}{' (gone)' if view.watching.gone else ''}"
    yield from _said("waiting for an opponent on", view.looking)
    if view.watchers:
        yield f"watched by: {view.watchers}"
    if view.room is None:
        return
    words = filter(None, (view.room.code, view.room.kind, view.room.state))
    yield f"room: {', '.join(words)}"
    yield from _said("rules", rules_of(view.room))
    if view.lives is not None:
        yield f"lives: {view.lives}"
    yield from (f"seat: {_seat(seat, view.room)}" for seat in view.seats)
    for number, cell in view.cursors:
        seat = view.seat(number)
        if seat is not None and number != view.room.you:
            yield f"cursor of {seat.name}: {cell.column} {cell.row}"
    for seat in view.seats:
        flags = [cell for cell, number in view.owners.items() if number == seat.number]
        yield from _said(f"flags of {seat.name}", _cells(flags))


def _seat(seat: Seat, room: Room) -> str:
    """Write one seat: who it is, and how far."""
    told = [f"{seat.number} {seat.name}", notes_on(seat, room)]
    if not room.is_waiting:
        told.append(f"{seat.opened / 10:.1f} %")
        told.append(f"mines hit {seat.hits}" if seat.hits else "")
        told.append(f"place {seat.place}" if seat.place is not None else "")
        told.append(f"{seat.time / 1000:.1f} s" if seat.time is not None else "")
    if not room.is_playing:
        told.append("ready" if seat.ready else "not ready")
    return ", ".join(filter(None, told))


def _said(name: str, text: str) -> Iterator[str]:
    if text.strip():
        yield f"{name}: {text}"


def _message(message: str) -> Iterator[str]:
    yield from _said("message", message)


def _cells(cells: Iterable[Cell]) -> str:
    return ", ".join(f"{cell.column} {cell.row}" for cell in cells)


def _field(view: View) -> Iterator[str]:
    """Write the cells, below the numbers of their columns, which are written downwards."""
    columns, symbols = view.size.columns, _BEFORE if view.state == PLAYING else SYMBOLS_AFTER
    width = len(str(columns - 1))
    for digits in zip(*(f"{column:>{width}}" for column in range(columns)), strict=True):
        yield f"{'':{_NUMBER_COLUMNS}} {' '.join(digits)}"
    for row in range(view.size.rows):
        faces = view.faces[row * columns : (row + 1) * columns]
        yield f"{row:>{_NUMBER_COLUMNS}} {' '.join(symbols[face] for face in faces)}"


def _symbol_before(face: int) -> str:
    """Write a cell of a running game; lower-case letters are what only debug mode shows."""
    if not face & COVERED:
        return "*" if face & MINED else digit_of(face)
    hidden, mined = ("F", "f") if face & FLAGGED else ("?", "b")
    if face & CLUE == QUESTIONED:
        hidden = "q"
    return mined if face & MINED else hidden


_BEFORE: Final = "".join(map(_symbol_before, range(256)))


def _menu(menu: Menu) -> Iterator[str]:
    """Write the rows that can be selected with their numbers; headings stand between them."""
    yield "screen: menu"
    number = 0
    for row in menu.rows:
        if row.is_heading:
            yield f"     {row.label}:"
            continue
        number += 1
        mark = ">" if row.id == menu.selected else " "
        yield f"{mark}{number:>3}. {_row(row)}"
    explained = (row.disabled or row.help for row in menu.rows if row.id == menu.selected)
    yield from _said("note", next(explained, ""))


def _row(row: Row) -> str:
    value = row.value
    if row.kind is RowKind.TEXT:
        value = f"[{value}]"
    elif row.is_turned:
        value = f"< {value} >"
    label = f"({row.label})" if row.disabled else row.label
    return "  ".join(filter(None, (label, value, *row.figures)))
