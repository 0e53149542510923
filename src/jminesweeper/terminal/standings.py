"""How everybody in a room is doing: a line for each, beside the board or below it, and the result.

A race is in the order of its places; who has finished has a time in place of a bar. All bars are of
one length: they are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.protocol.view import Listing
from jminesweeper.terminal.lines import Line, gap, in_columns, span
from jminesweeper.terminal.styles import Style, style_of_seat
from jminesweeper.terminal.symbols import Symbols
from jminesweeper.terminal.text import format_tenths
from jminesweeper.terminal.view import Seat, View

WIDEST: Final = 38
_BETWEEN: Final = 2
_WIDTHS: Final = (WIDEST, 26, 18, 12)
"""Of a line below the board: the widest with which there is room for all."""
_NARROWEST_WITH_BARS: Final = 26
_LONGEST_BAR: Final = 16
_SHORTEST_BAR: Final = 4
_LONGEST_TOLD: Final = 8
"""As 100% and one mine."""
_INDENT: Final = 3
"""For a place, where there are places."""
_RESULT: Final = ("Name", "time", "3BV/s", "effic.", "mines")


def compose_standings(view: View, width: int, symbols: Symbols) -> list[Line]:
    """Write a line for each seat, once there is a board."""
    if view.room is None or view.room.is_waiting or view.replay is not None:
        return []
    width = min(width, WIDEST)
    seats = _in_order(view)
    is_short = width < _NARROWEST_WITH_BARS
    told = [_told(seat, view, symbols, is_short=is_short) for seat in seats]
    longest = max(map(len, told), default=0)
    columns = 0
    if not (view.is_shared or is_short):
        names = max(len(seat.name) for seat in seats)
        columns = width - _INDENT - names - longest - 1
        columns = max(_SHORTEST_BAR, min(_LONGEST_BAR, columns))
    lines = []
    for seat, share in zip(seats, told, strict=True):
        bar = _bar(seat, columns, symbols)
        bar += gap(longest - len(share) if len(bar) else 0)
        room = width - len(bar) - len(share)
        lines.append(_named(seat, view).cut(room - bool(len(bar))).pad(room) + bar + span(share))
    return lines


def standings_beside(view: View, columns: int, rows: int, symbols: Symbols) -> list[Line]:
    """Write them under each other; without room for bars in a line, each with a line more."""
    lines = compose_standings(view, columns, symbols)
    if columns < WIDEST and not view.is_shared and 2 * len(lines) <= rows:
        lines = [
            line for seat in _in_order(view) for line in _stacked(seat, view, columns, symbols)
        ]
    return lines if lines and len(lines) <= rows else []


def standings_below(view: View, columns: int, rows: int, symbols: Symbols) -> list[Line]:
    """Write them side by side; a line is as short as it takes to show all."""
    lines: list[Line] = []
    for width in _WIDTHS:
        lines = in_columns(compose_standings(view, width, symbols), columns, _BETWEEN)
        if len(lines) <= rows:
            break
    return lines[:rows]


def result_of(view: View) -> list[Listing | str]:
    """Write the result of a round as a table, once it is over."""
    if not view.is_round_over:
        return []
    return [Listing(_RESULT, tuple(_result(seat) for seat in _in_order(view))), ""]


def _in_order(view: View) -> Sequence[Seat]:
    if view.is_shared:
        return view.seats
    return sorted(view.seats, key=lambda seat: (seat.place or len(view.seats) + 1, -seat.opened))


def _stacked(seat: Seat, view: View, columns: int, symbols: Symbols) -> tuple[Line, Line]:
    """Write somebody in two lines: the name, and how far."""
    share = span(_told(seat, view, symbols, is_short=True))
    done = _bar(seat, min(_LONGEST_BAR, columns - _INDENT - _LONGEST_TOLD), symbols)
    return _named(seat, view), gap(_INDENT) + done + share if len(done) else gap(2) + share


def _named(seat: Seat, view: View) -> Line:
    """Write a name, its first letter in the seat's colour, after its place in a race."""
    place = "" if view.is_shared else f"{seat.place or '':>2} "
    style = Style.KEY if seat == view.own_seat else Style.PLAIN
    initial = span(seat.initial, style_of_seat(seat.colour))
    return span(place) + initial + span(seat.name[1:], style if seat.here else Style.ASIDE)


def _bar(seat: Seat, columns: int, symbols: Symbols) -> Line:
    """Draw how far somebody is who has not finished."""
    if seat.time is not None or not columns:
        return Line()
    done = columns * seat.opened // 1000
    bar = span(symbols.done * done, Style.DONE)
    return bar + span(symbols.horizontal * (columns - done), Style.FRAME)


def _told(seat: Seat, view: View, symbols: Symbols, *, is_short: bool) -> str:
    """Write how far somebody is: a time, or a share, then flags or mines that were hit."""
    hits = f" *{seat.hits}" if seat.hits else ""
    if not seat.here and seat.time is None:
        return f" away{hits}"
    if seat.time is not None:
        return f" {format_tenths(seat.time)}{hits}"
    share = f" {seat.opened // 10:>3}{'%' if is_short else ' %'}"
    flags = f" {symbols.flag}{seat.flags}" if view.is_shared and not is_short else ""
    return f"{share}{flags}{hits}"


def _result(seat: Seat) -> tuple[str, ...]:
    """Write a place, what it took, and how; who has not finished has a share in place of a time."""
    name = seat.name if seat.place is None else f"{seat.place}. {seat.name}"
    time = f"{seat.opened // 10} %" if seat.time is None else format_tenths(seat.time)
    speed = "-" if seat.speed is None else f"{seat.speed / 100:.2f}"
    efficiency = "-" if seat.efficiency is None else f"{seat.efficiency} %"
    return name, time, speed, efficiency, str(seat.hits)
