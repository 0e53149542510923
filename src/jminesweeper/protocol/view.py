"""VIEW: the screen as data, for clients that draw it.

A VIEW holds what changed since the VIEW before it: the faces of cells, and a JSON object of
members, each of which stays true until it is sent again. The bytes of the cells are

    none                   no cell changed
    as many as cells       the faces of the whole board, row by row
    runs, fewer bytes      u16 index of a cell, u8 count, and the faces of these cells

so the length alone tells a whole board from runs. Cells are counted in reading order, from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from struct import Struct
from typing import Any, Final, NamedTuple

from jminesweeper.core.view import Status
from jminesweeper.protocol.vocabulary import ProtocolError

STATES: Final[Mapping[Status, str]] = {
    Status.ONGOING: "playing",
    Status.WON: "won",
    Status.LOST: "lost",
    Status.TERMINATED: "given up",
}
"""The member `state` of a game that is not paused."""
STARTING: Final = "starting"
"""The board of a round is there, and its countdown runs."""
_RUN: Final = Struct(">HB")


class Member(NamedTuple):
    """A member of VIEW: its kind, and the value that it begins with."""

    kind: str
    """The kind of its value, in the words of docs/protocol.md."""
    default: Any = None
    """Its value before the first view."""
    is_momentary: bool = False
    """True if it counts in one view alone, and has no default."""


MEMBERS: Final[Mapping[str, Member]] = {
    "size": Member("[columns, rows]"),
    "state": Member("id"),
    "label": Member("text", ""),
    "aim": Member("words, or null"),
    "remark": Member("ids", ()),
    "mines": Member("number", 0),
    "left": Member("number", 0),
    "chords": Member("true or false", False),
    "questions": Member("true or false", False),
    "clock": Member("number", 0),
    "clock_runs": Member("true or false", False),
    "pace": Member("[3BV, clicks], or null"),
    "cursor": Member("[column, row]", is_momentary=True),
    "first": Member("cells", ()),
    "hint": Member("cells", ()),
    "flash": Member("cells", ()),
    "odds": Member("[cell, percent] each, or null"),
    "figures": Member("[name, value] each", ()),
    "replay": Member("numbers, or null"),
    "position": Member("number", 0),
    "menu": Member("object, or null"),
    "rows": Member("rows", is_momentary=True),
    "page": Member("object, or null"),
    "message": Member("words, or null"),
    "keys": Member("ids", ()),
    "refresh": Member("number, or null"),
    "room": Member("object, or null"),
    "sheet": Member("rows", ()),
    "seats": Member("objects", ()),
    "cursors": Member("[seat, cell]s", ()),
    "owners": Member("[cell, seat]s", ()),
    "starts_in": Member("number, or null"),
    "ends_in": Member("number, or null"),
    "blocked": Member("number, or null"),
    "lives": Member("number, or null"),
    "watchers": Member("number", 0),
    "watching": Member("object, or null"),
    "looking": Member("text, or null"),
    "said": Member("objects", is_momentary=True),
    "news": Member("words each", is_momentary=True),
    "unasked": Member("true", is_momentary=True),
    "last": Member("true", is_momentary=True),
}
"""All members, in the order of docs/protocol.md, which tells what each holds."""


class RowKind(StrEnum):
    """The kinds of row in a menu, by the way they are picked."""

    ROW = "row"
    """Choose it."""
    CHOICE = "choice"
    NUMBER = "number"
    TEXT = "text"
    """Give it a value: one of some, a number, a text."""
    HEADING = "heading"
    """Nothing."""


class Listing(NamedTuple):
    """A table on a page: figures in columns after a name, the most important figure first."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def paint_faces(faces: bytearray, cells: bytes) -> None:
    """Update the faces of a board; ProtocolError if they are off the board."""
    if len(cells) == len(faces):
        faces[:] = cells
        return
    place = 0
    while place < len(cells):
        if place + _RUN.size > len(cells):
            raise ProtocolError("A run of cells in VIEW is cut off.")
        index, count = _RUN.unpack_from(cells, place)
        place += _RUN.size
        run = cells[place : place + count]
        if len(run) < count or index + count > len(faces):
            raise ProtocolError("A run of cells in VIEW is cut off or ends off the board.")
        faces[index : index + count] = run
        place += count
