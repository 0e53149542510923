"""A room without a board: who is there and who is ready, and how others come in.

Nobody but the players sees the board of a race, so who watches one sees how far everybody is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jminesweeper.terminal.keyrow import compose_message
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.lines import Line, Screen, apart, in_columns, span
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.panel import Panel, place_panel
from jminesweeper.terminal.standings import compose_standings
from jminesweeper.terminal.styles import Style, style_of_seat
from jminesweeper.terminal.text import wrapped
from jminesweeper.terminal.view import Room, Seat, View
from jminesweeper.terminal.words import MINES, PHRASES, Said

TITLES: Final = {"race": "Race", "shared": "Shared board"}
_WIDEST: Final = 60
_BETWEEN: Final = 3
_ROWS_AROUND: Final = 12
"""Of the panel besides seats, with what is below it."""
HOW_TO_JOIN: Final = "Friends join by this code: in their menu under Play together, or with"
JOINS: Final = "./run_client.sh --join {code} {host}"


def compose_room(
    view: View, room: Room, said: Said, keys: KeyMap, canvas: Canvas, *, host: str
) -> Screen:
    """Compose the panel; more seats than there is room for are counted."""
    columns = canvas.columns
    width = min(columns - 2, _WIDEST)
    rows = [
        *_words(f"{room.label}. {rules_of(room)}", width),
        _row(Line(), Line(), width),
        *(
            _seats(view, room, width, canvas, host)
            if room.is_waiting
            else _standings(view, width, canvas)
        ),
    ]
    below = compose_message(said.text, said.tone, columns)
    if not below and "say" in view.keys and canvas.rows - len(rows) > _ROWS_AROUND // 2:
        below = in_columns(_phrases(), columns, _BETWEEN)
    panel = Panel(TITLES.get(room.kind, "Room"), rows[: max(1, canvas.rows - 4)], width)
    return place_panel(panel, below, view.keys, keys, canvas).screen


def _phrases() -> list[Line]:
    """Write what the number keys say."""
    said = ((number, text) for number, text in PHRASES.items() if number)
    return [span(f"{number} ", Style.KEY) + span(text, Style.ASIDE) for number, text in said]


def rules_of(room: Room) -> str:
    """Say what a mine does here, and who may come."""
    return f"{MINES.get(room.mine, '')}{'' if room.bots else ' No bots.'}".strip()


def notes_on(seat: Seat, room: Room) -> str:
    """Say who somebody is in the room."""
    notes = {
        "you": seat.number == room.you,
        "host": seat.number == room.host,
        "bot": seat.bot,
        "away": not seat.here,
    }
    return ", ".join(note for note, is_so in notes.items() if is_so)


def _standings(view: View, width: int, canvas: Canvas) -> Iterator[Line]:
    for line in compose_standings(view, width - 4, canvas.symbols):
        yield _row(line, Line(), width)


def _seats(view: View, room: Room, width: int, canvas: Canvas, host: str) -> Iterator[Line]:
    yield from _words(f"Code {room.code}. {HOW_TO_JOIN}", width)
    yield from _words(JOINS.format(code=room.code, host=host), width)
    yield _row(Line(), Line(), width)
    most = max(1, canvas.rows - _ROWS_AROUND)
    shown = view.seats if len(view.seats) <= most else view.seats[: most - 1]
    for seat in shown:
        left = span(f"{seat.name[1:]:20} ", Style.ITEM) + span(notes_on(seat, room), Style.DISABLED)
        ready = span("ready" if seat.ready else "...", Style.HEADING if seat.ready else Style.ITEM)
        initial = span(seat.initial, style_of_seat(seat.colour))
        yield _row(initial + left, ready, width)
    if len(shown) < len(view.seats):
        yield from _words(f"and {len(view.seats) - len(shown)} more", width)


def _words(text: str, width: int) -> Iterator[Line]:
    for line in wrapped(text, width - 4):
        yield _row(span(line, Style.ITEM), Line(), width)


def _row(left: Line, right: Line, width: int) -> Line:
    """Write a row of the panel, on its ground."""
    line = apart(span(" ", Style.ITEM) + left, right + span(" ", Style.ITEM), width)
    ground = bytes(style or Style.ITEM for style in line.styles)
    return Line(line.text, ground)
