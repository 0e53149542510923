"""How everybody in a room is doing: a line for each, beside the board or below it, and the result.

A race is in the order of its places; who has finished has a time in place of a bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.terminal.lines import Line, in_columns, span
from jminesweeper.terminal.styles import Style, style_of_seat
from jminesweeper.terminal.symbols import Symbols
from jminesweeper.terminal.text import format_tenths
from jminesweeper.terminal.view import Listing, Seat, View

WIDEST: Final = 38
_BETWEEN: Final = 2
_WIDTHS: Final = (WIDEST, 26, 18, 12)
"""Of a line below the board: the widest with which there is room for all."""
_LONGEST_BAR: Final = 16
_SHORTEST_BAR: Final = 4
_RESULT: Final = ("Result", "place", "time", "opened", "mines hit")


def compose_standings(view: View, width: int, symbols: Symbols) -> list[Line]:
    """Write a line for each seat, once there is a board."""
    if view.room is None or view.room.is_waiting or view.replay is not None:
        return []
    return [_line(seat, view, min(width, WIDEST), symbols) for seat in _in_order(view)]


def standings_below(view: View, columns: int, rows: int, symbols: Symbols) -> list[Line]:
    """Write them side by side; a line is as short as it takes to show all."""
    lines: list[Line] = []
    for width in _WIDTHS:
        lines = in_columns(compose_standings(view, width, symbols), columns, _BETWEEN)
        if len(lines) <= rows:
            break
    return lines[:rows]


def result_of(view: View) -> list[Listing]:
    """Write the result of a round as a table, once it is over."""
    if view.room is None or not view.room.is_over:
        return []
    return [Listing(_RESULT, tuple(_result(seat) for seat in _in_order(view)))]


def _in_order(view: View) -> Sequence[Seat]:
    if view.is_shared:
        return view.seats
    return sorted(view.seats, key=lambda seat: (seat.place or len(view.seats) + 1, -seat.opened))


def _line(seat: Seat, view: View, width: int, symbols: Symbols) -> Line:
    """Write a name, its first letter in the seat's colour, and how far that seat is."""
    place = "" if view.is_shared else f"{seat.place or '':>2} "
    told = _told(seat, view, symbols, is_short=width < _WIDTHS[1])
    room = width - len(place) - len(told)
    name = seat.name if seat.here else f"{seat.name} (away)"
    style = Style.KEY if seat == view.own_seat else Style.PLAIN
    left = span(place) + span(seat.initial, style_of_seat(seat.colour))
    left += span(name[1:room], style if seat.here else Style.ASIDE)
    columns = min(_LONGEST_BAR, width - len(left) - len(told) - 1)
    bar = Line()
    if columns >= _SHORTEST_BAR and seat.time is None and not view.is_shared:
        done = columns * seat.opened // 1000
        bar = span(symbols.done * done, Style.DONE)
        bar += span(symbols.horizontal * (columns - done), Style.FRAME)
    return left.pad(width - len(bar) - len(told)) + bar + span(told)


def _told(seat: Seat, view: View, symbols: Symbols, *, is_short: bool) -> str:
    """Write how far somebody is: a time, or a share, then flags or mines that were hit."""
    hits = f" *{seat.hits}" if seat.hits else ""
    if seat.time is not None:
        return f" {format_tenths(seat.time)}{hits}"
    share = f" {seat.opened // 10:>3}{'%' if is_short else ' %'}"
    flags = f" {symbols.flag}{seat.flags}" if view.is_shared and not is_short else ""
    return f"{share}{flags}{hits}"


def _result(seat: Seat) -> tuple[str, ...]:
    place = "-" if seat.place is None else str(seat.place)
    time = "-" if seat.time is None else format_tenths(seat.time)
    return seat.name or "?", place, time, f"{seat.opened // 10} %", str(seat.hits)
