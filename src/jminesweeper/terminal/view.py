"""The sum of all views so far: the members of VIEW, and a face for every cell.

A server is not to be trusted. What it says is checked and cleaned here, once: beyond this module
every text is printable, with one column for each character, and every cell is on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jminesweeper.core.errors import CoreError
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.view import COVERED
from jminesweeper.protocol.view import MEMBERS, STARTING, Listing, RowKind, paint_faces
from jminesweeper.protocol.vocabulary import ProtocolError
from jminesweeper.terminal.lines import clean

PLAYING: Final = "playing"
PAUSED: Final = "paused"
WON: Final = "won"
LOST: Final = "lost"
_LIVE: Final = frozenset({PLAYING, STARTING})
_NOT_OPEN: Final = bytes(range(COVERED, 256))
_MOST: Final = 1 << 53
MOST_SEATS: Final = 15
_LONGEST_NAME: Final = 20
"""Of people: the rest is not shown."""


class ViewError(ProtocolError):
    """A view that makes no sense."""


class Words(NamedTuple):
    """Something that is said: what, in English, and how it is meant."""

    id: str
    text: str
    tone: str = ""


SILENCE: Final = Words("", "")
_NO_SIZE: Final = Size(1, 1)


class RowView(NamedTuple):
    """A line of a menu."""

    id: str = ""
    kind: RowKind = RowKind.ROW
    label: str = ""
    value: str = ""
    choices: tuple[str, ...] = ()
    range: tuple[int, int] = (0, 0)
    help: str = ""
    figures: tuple[str, ...] = ()
    disabled: str = ""
    """The reason why it cannot be chosen."""
    drop: bool = False
    other: str = ""
    """The id of the other thing that can be done with it."""

    @property
    def is_heading(self) -> bool:
        return self.kind is RowKind.HEADING

    @property
    def is_turned(self) -> bool:
        """True if left and right change its value."""
        return self.kind in {RowKind.CHOICE, RowKind.NUMBER}


class MenuView(NamedTuple):
    """A list to choose from."""

    id: str
    title: str
    rows: tuple[RowView, ...]
    selected: str = ""


class PageView(NamedTuple):
    """Something to read."""

    id: str
    title: str
    lines: tuple[str | Listing, ...]


class DoorsView(NamedTuple):
    """The ways in to the server, as it knows them."""

    host: str = ""
    port: int = 0
    page: str = ""
    ssh: str = ""
    """The host key's fingerprint, where players come by SSH."""


class RoomView(NamedTuple):
    """A room: friends meet there to race, or to share a board."""

    code: str
    kind: str
    state: str
    label: str = ""
    mine: str = ""
    """The rule about hitting a mine."""
    host: int = 0
    you: int = 0
    """One's own seat; 0 for a watcher."""
    bots: bool = False
    open: bool = False
    """Strangers find it without its code."""
    headline: str = ""
    """The end of a round in a few words."""
    score: str = ""
    """The score of the evening."""
    series: str = ""
    """The state of rounds that follow each other by themselves."""
    share: str = ""
    """A line to share about a series that has ended."""
    doors: DoorsView = DoorsView()

    @property
    def is_waiting(self) -> bool:
        """True until a round begins."""
        return self.state in {"waiting", "countdown"}

    @property
    def is_shared(self) -> bool:
        return self.kind == "shared"

    @property
    def is_playing(self) -> bool:
        return self.state == "running"

    @property
    def is_over(self) -> bool:
        return self.state == "over"


class SeatView(NamedTuple):
    """A player in a room, and how far they are."""

    number: int
    name: str = ""
    colour: int = 0
    here: bool = True
    ready: bool = False
    bot: bool = False
    opened: int = 0
    """Thousandths of the safe cells."""
    flags: int = 0
    hits: int = 0
    place: int | None = None
    time: int | None = None
    """The time of a finished player, penalties included."""
    won: bool = False
    speed: int | None = None
    """Hundredths of a 3BV a second."""
    efficiency: int | None = None
    """Percent."""
    gave_up: bool = False
    rating: str = ""
    """The rating on the ladder, as it is told."""
    change: int | None = None
    """The change of the rating by the race that has ended."""
    points: int = 0
    """The score of the evening."""

    @property
    def initial(self) -> str:
        return self.name[:1] or "?"


class Watched(NamedTuple):
    """Another player, whose game is shown."""

    name: str
    gone: bool = False


class Phrase(NamedTuple):
    """Something said in a room."""

    seat: int
    id: int
    cell: Cell | None = None


@dataclass(slots=True, eq=False, repr=False)
class GameView:
    """Everything the server has said; the names are those of the members."""

    size: Size = _NO_SIZE
    state: str = ""
    label: str = ""
    aim: Words = SILENCE
    remark: tuple[str, ...] = ()
    mines: int = 0
    left: int = 0
    chords: bool = False
    questions: bool = False
    clock: int = 0
    clock_runs: bool = False
    pace: tuple[int, int] | None = None
    cursor: Cell | None = None
    """The cursor, if the server put it somewhere in this view."""
    first: tuple[Cell, ...] = ()
    """The cell at which the board opens, wherever the first one is revealed."""
    hint: tuple[Cell, ...] = ()
    """The cell to play, then the cells of the reason."""
    flash: frozenset[Cell] = frozenset()
    odds: Mapping[Cell, int] | None = None
    figures: tuple[tuple[str, ...], ...] = ()
    replay: tuple[int, ...] | None = None
    """The times of all actions of the game that is shown again."""
    position: int = 0
    menu: MenuView | None = None
    page: PageView | None = None
    message: Words = SILENCE
    keys: tuple[str, ...] = ()
    room: RoomView | None = None
    sheet: tuple[RowView, ...] = ()
    """The choices of the host in a waiting room."""
    seats: tuple[SeatView, ...] = ()
    cursors: tuple[tuple[int, Cell], ...] = ()
    """Cursors on a shared board, by the number of the seat."""
    owners: Mapping[Cell, int] = field(default_factory=dict)
    """Owners of the flags on a shared board, by seat."""
    starts_in: int | None = None
    ends_in: int | None = None
    blocked: int | None = None
    lives: int | None = None
    watchers: int = 0
    watching: Watched | None = None
    looking: str = ""
    """The board for which an opponent is waited for."""
    said: tuple[Phrase, ...] = ()
    """In this view alone."""
    news: tuple[Words, ...] = ()
    """The doings of others, in this view alone."""
    refresh: int | None = None
    unasked: bool = False
    last: bool = False
    faces: bytearray = field(default_factory=lambda: bytearray((COVERED,)))

    @property
    def is_playing(self) -> bool:
        """True while a game runs and its field is shown."""
        return self.state == PLAYING and self.replay is None and self.watching is None

    @property
    def is_starting(self) -> bool:
        """True in the countdown to a round, while its board is shown."""
        return self.state == STARTING

    @property
    def is_live(self) -> bool:
        """True if the board shows what a player sees of it in a game, and no end."""
        return self.state in _LIVE

    @property
    def is_shared(self) -> bool:
        """True if others act on this very board."""
        return self.room is not None and self.room.is_shared

    @property
    def is_round_over(self) -> bool:
        """True if there is a result of a round that others played, too."""
        return self.room is not None and self.room.is_over

    @property
    def told_state(self) -> str:
        """The state as it is told: nobody gave up a game that the end of its round cut short."""
        is_of_round = self.room is not None and self.room.is_over and self.room.code
        return "over" if is_of_round and self.state == "given up" else self.state

    @property
    def has_result(self) -> bool:
        """True if there are places: a shared board is looked at, once it is over."""
        return self.is_round_over and not self.is_shared

    @property
    def own_seat(self) -> SeatView | None:
        return None if self.room is None else self.seat(self.room.you)

    @property
    def has_company(self) -> bool:
        """True if somebody else is in the room."""
        return any(seat.here and seat != self.own_seat for seat in self.seats)

    def seat(self, number: int) -> SeatView | None:
        """Find a seat by its number."""
        return next((seat for seat in self.seats if seat.number == number), None)

    @property
    def is_covered(self) -> bool:
        """True if a menu or a page covers the game."""
        return self.menu is not None or self.page is not None

    @property
    def solved_share(self) -> float:
        """The share of safe cells that is open, from 0 to 1."""
        opened = len(self.faces.translate(None, _NOT_OPEN))
        return opened / max(1, self.size.cells - self.mines)

    def face(self, cell: Cell) -> int:
        """Return what a cell shows."""
        return self.faces[self.index(cell)]

    def index(self, cell: Cell) -> int:
        """Return the number of a cell in reading order."""
        return cell.row * self.size.columns + cell.column

    def around(self, cell: Cell) -> Iterator[Cell]:
        """List a cell and its neighbours."""
        for row in range(max(0, cell.row - 1), min(self.size.rows, cell.row + 2)):
            for column in range(max(0, cell.column - 1), min(self.size.columns, cell.column + 2)):
                yield Cell(column, row)

    def update(
        self, members: Mapping[str, Any], cells: bytes, *, has_unicode: bool = True
    ) -> frozenset[str]:
        """Take what changed, and name it; ViewError if it makes no sense."""
        self.cursor, self.unasked, self.last, self.said, self.news = None, False, False, (), ()
        try:
            reader = _Reader(self, has_unicode=has_unicode)
            known = [name for name in _READERS if name in members]
            for name in known:
                said, read = members[name], _READERS[name]
                setattr(self, name, getattr(_BLANK, name) if said is None else read(reader, said))
            if "size" in members:
                self.faces = bytearray((COVERED,)) * self.size.cells
            if self.menu is not None and "rows" in members:
                # They take the places of those with their ids.
                by_id = {row.id: row for row in _several(_ROW)(reader, members["rows"])}
                rows = tuple(by_id.get(row.id, row) for row in self.menu.rows)
                self.menu = self.menu._replace(rows=rows)
                known.append("rows")
            paint_faces(self.faces, cells)
        except (KeyError, TypeError, ValueError, ProtocolError, CoreError) as error:
            raise ViewError(f"The server sent a view that makes no sense: {error}") from error
        return frozenset(known)


class _Reader:
    """Reads values; a wrong one is a TypeError, a ValueError or a KeyError."""

    def __init__(self, view: GameView, *, has_unicode: bool) -> None:
        self._view = view
        self._has_unicode = has_unicode

    def text(self, said: Any) -> str:
        return clean(_checked(said, str), has_unicode=self._has_unicode)

    def name(self, said: Any) -> str:
        return self.text(said)[:_LONGEST_NAME]

    def id(self, said: Any) -> str:
        """Read an id, which is sent back or looked up and never shown."""
        return str(_checked(said, str))

    def row_kind(self, said: Any) -> RowKind:
        """Read what can be done with a row; one of an unknown kind is chosen."""
        try:
            return RowKind(_checked(said, str))
        except ValueError:
            return RowKind.ROW

    def number(self, said: Any) -> int:
        if not -_MOST < _checked(said, int) < _MOST:
            raise ValueError("a number that no game has")
        return int(said)

    def flag(self, said: Any) -> bool:
        return bool(_checked(said, bool))

    def two(self, said: Any) -> tuple[int, int]:
        one, other = map(self.number, _checked(said, list))
        return one, other

    def size(self, said: Any) -> Size:
        return Size(*self.two(said))

    def cursor(self, said: Any) -> Cell:
        column, row = self.two(said)
        size = self._view.size
        return Cell(_within(column, size.columns), _within(row, size.rows))

    def cell(self, said: Any) -> Cell:
        size = self._view.size
        row, column = divmod(_within(said, size.cells), size.columns)
        return Cell(column, row)

    def phrase_cell(self, said: Any) -> Cell | None:
        return None if said == -1 else self.cell(said)

    def seats(self, said: Any) -> tuple[SeatView, ...]:
        if len(_checked(said, list)) > MOST_SEATS:
            raise ValueError("more seats than a room has")
        seats: tuple[SeatView, ...] = _several(_SEAT)(self, said)
        return seats

    def line(self, said: Any) -> str | Listing:
        if isinstance(said, str):
            return self.text(said)
        listing: Listing = _LISTING(self, said)
        if not all((listing.head, *listing.rows)):
            raise ValueError("a row of a table without a name")
        return listing


def _checked(said: Any, kind: type) -> Any:
    if type(said) is not kind:
        raise TypeError(f"{said!r:.40} is no {kind.__name__}")
    return said


def _within(said: Any, limit: int) -> int:
    if not 0 <= _checked(said, int) < limit:
        raise ValueError(f"{said} is not below {limit}")
    return int(said)


_Read = Callable[[_Reader, Any], Any]


def _below(limit: int) -> _Read:
    return lambda _reader, said: _within(said, limit)


def _several(read: _Read, kind: Callable[[Iterable[Any]], Any] = tuple) -> _Read:
    return lambda reader, said: kind(read(reader, each) for each in _checked(said, list))


def _pair(first: _Read, second: _Read) -> _Read:
    def read(reader: _Reader, said: Any) -> tuple[Any, Any]:
        one, other = _checked(said, list)
        return first(reader, one), second(reader, other)

    return read


def _record(kind: Callable[..., Any], /, **readers: _Read) -> _Read:
    """Read an object; unknown members are left out, and null is the default."""

    def read(reader: _Reader, said: Any) -> Any:
        members = {name: value for name, value in _checked(said, dict).items() if value is not None}
        known = readers.keys() & members.keys()
        return kind(**{name: readers[name](reader, members[name]) for name in known})

    return read


_TEXTS: Final = _several(_Reader.text)
_IDS: Final = _several(_Reader.id)
_CELLS: Final = _several(_Reader.cell)
_SEAT_NUMBER: Final = _below(MOST_SEATS + 1)
_WORDS: Final = _record(Words, id=_Reader.id, text=_Reader.text, tone=_Reader.id)
_LISTING: Final = _record(Listing, head=_TEXTS, rows=_several(_TEXTS))
_ROW: Final = _record(
    RowView,
    **dict.fromkeys(("id", "other"), _Reader.id),
    kind=_Reader.row_kind,
    **dict.fromkeys(("label", "value", "help", "disabled"), _Reader.text),
    **dict.fromkeys(("choices", "figures"), _TEXTS),
    range=_Reader.two,
    drop=_Reader.flag,
)
_SEAT: Final = _record(
    SeatView,
    number=_SEAT_NUMBER,
    name=_Reader.name,
    rating=_Reader.name,
    colour=_below(MOST_SEATS),
    opened=_below(1001),
    **dict.fromkeys(("here", "ready", "bot", "won", "gave_up"), _Reader.flag),
    **dict.fromkeys(
        ("flags", "hits", "place", "time", "speed", "efficiency", "points", "change"),
        _Reader.number,
    ),
)
# The size is read first: what comes after it is on that board.
_OF_KIND: Final[Mapping[str, _Read]] = {
    "id": _Reader.id,
    "ids": _IDS,
    "text": _Reader.text,
    "text, or null": _Reader.text,
    "words, or null": _WORDS,
    "number": _Reader.number,
    "number, or null": _Reader.number,
    "numbers, or null": _several(_Reader.number),
    "true": _Reader.flag,
    "true or false": _Reader.flag,
    "cells": _CELLS,
}
_OF_MEMBER: Final[Mapping[str, _Read]] = {
    "size": _Reader.size,
    "pace": _Reader.two,
    "cursor": _Reader.cursor,
    "flash": _several(_Reader.cell, frozenset),
    "odds": _several(_pair(_Reader.cell, _below(101)), dict),
    "figures": _several(_TEXTS),
    "menu": _record(
        MenuView, id=_Reader.id, title=_Reader.text, rows=_several(_ROW), selected=_Reader.id
    ),
    "page": _record(PageView, id=_Reader.id, title=_Reader.text, lines=_several(_Reader.line)),
    "room": _record(
        RoomView,
        **dict.fromkeys(("kind", "state", "mine"), _Reader.id),
        **dict.fromkeys(("host", "you"), _SEAT_NUMBER),
        code=_Reader.name,
        **dict.fromkeys(("label", "headline", "score", "series", "share"), _Reader.text),
        **dict.fromkeys(("bots", "open"), _Reader.flag),
        doors=_record(
            DoorsView,
            port=_below(1 << 16),
            **dict.fromkeys(("host", "page", "ssh"), _Reader.text),
        ),
    ),
    "sheet": _several(_ROW),
    "seats": _Reader.seats,
    "cursors": _several(_pair(_SEAT_NUMBER, _Reader.cell)),
    "owners": _several(_pair(_Reader.cell, _SEAT_NUMBER), dict),
    "watching": _record(Watched, name=_Reader.name, gone=_Reader.flag),
    "said": _several(
        _record(Phrase, seat=_SEAT_NUMBER, id=_Reader.number, cell=_Reader.phrase_cell)
    ),
    "news": _several(_WORDS),
}
_READERS: Final[Mapping[str, _Read]] = {
    name: _OF_MEMBER.get(name) or _OF_KIND[member.kind]
    for name, member in MEMBERS.items()
    if name != "rows"
}
"""Readers of all members but `rows`, which change a menu; of the size first, which bounds cells."""
_BLANK: Final = GameView()
"""A member that is null gets its value from here."""
