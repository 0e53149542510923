"""What the server has said so far: the members of VIEW, and a face for every cell.

A server is not to be trusted. What it says is checked and cleaned here, once: beyond this module
every text is printable, with one column for each character, and every cell is on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jminesweeper.core.errors import CoreError
from jminesweeper.core.faces import COVERED
from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.view import paint_faces
from jminesweeper.terminal.text import clean

PLAYING: Final = "playing"
PAUSED: Final = "paused"
WON: Final = "won"
LOST: Final = "lost"
_NOT_OPEN: Final = bytes(range(COVERED, 256))
_MOST: Final = 1 << 53
MOST_SEATS: Final = 15
_LONGEST_NAME: Final = 20
"""Of people, as far as it is shown."""


class ViewError(ProtocolError):
    """A view that makes no sense."""


class Words(NamedTuple):
    """Something that is said: what, in English, and how it is meant."""

    id: str = ""
    text: str = ""
    tone: str = ""


SILENCE: Final = Words()
_NO_SIZE: Final = Size(1, 1)


class Row(NamedTuple):
    """A line of a menu."""

    id: str = ""
    kind: str = "row"
    label: str = ""
    value: str = ""
    choices: tuple[str, ...] = ()
    range: tuple[int, int] = (0, 0)
    help: str = ""
    figures: tuple[str, ...] = ()
    disabled: str = ""
    """Why it cannot be chosen."""
    drop: bool = False

    @property
    def is_heading(self) -> bool:
        return self.kind == "heading"

    @property
    def is_turned(self) -> bool:
        """Whether left and right change its value."""
        return self.kind in {"choice", "number"}


class Menu(NamedTuple):
    """A list to choose from."""

    id: str
    title: str
    rows: tuple[Row, ...]
    selected: str = ""


class Listing(NamedTuple):
    """A table on a page."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Page(NamedTuple):
    """Something to read."""

    id: str
    title: str
    lines: tuple[str | Listing, ...]


class Room(NamedTuple):
    """Where friends meet to race, or to share a board."""

    code: str
    kind: str
    state: str
    label: str = ""
    mine: str = ""
    """What a mine does."""
    host: int = 0
    you: int = 0
    """One's own seat; 0 for who only looks on."""
    bots: bool = False

    @property
    def is_waiting(self) -> bool:
        """Whether there is no board yet."""
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


class Seat(NamedTuple):
    """Somebody in a room, and how far they are."""

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
    """Of who has finished, with all penalties."""
    won: bool = False

    @property
    def initial(self) -> str:
        return self.name[:1] or "?"


class Watched(NamedTuple):
    """Somebody else, whose game is shown."""

    name: str
    gone: bool


class Phrase(NamedTuple):
    """Something said in a room."""

    seat: int
    id: int
    cell: Cell | None


@dataclass(slots=True, eq=False, repr=False)
class View:
    """What there is to see; the names are those of the members."""

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
    """Where the server put the cursor in this view."""
    hint: tuple[Cell, ...] = ()
    """The cell to play, then those that are the reasons."""
    flash: frozenset[Cell] = frozenset()
    odds: Mapping[Cell, int] | None = None
    figures: tuple[tuple[str, ...], ...] = ()
    replay: tuple[int, ...] | None = None
    """The times of all actions of the game that is shown again."""
    position: int = 0
    menu: Menu | None = None
    page: Page | None = None
    message: Words = SILENCE
    keys: tuple[str, ...] = ()
    room: Room | None = None
    seats: tuple[Seat, ...] = ()
    cursors: tuple[tuple[int, Cell], ...] = ()
    """Where everybody is on a shared board, by the number of the seat."""
    owners: Mapping[Cell, int] = field(default_factory=dict)
    """Whose flags there are on a shared board."""
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
    refresh: int | None = None
    unasked: bool = False
    last: bool = False
    faces: bytearray = field(default_factory=lambda: bytearray((COVERED,)))

    @property
    def is_playing(self) -> bool:
        """Whether a game runs and its field is shown."""
        return self.state == PLAYING and self.replay is None and self.watching is None

    @property
    def is_shared(self) -> bool:
        """Whether others act on this very board."""
        return self.room is not None and self.room.is_shared

    @property
    def own_seat(self) -> Seat | None:
        return None if self.room is None else self.seat(self.room.you)

    def seat(self, number: int) -> Seat | None:
        """Find a seat by its number."""
        return next((seat for seat in self.seats if seat.number == number), None)

    @property
    def is_covered(self) -> bool:
        """Whether a menu or a page lies over the game."""
        return self.menu is not None or self.page is not None

    @property
    def solved_share(self) -> float:
        """Which part of the safe cells is open, from 0 to 1."""
        opened = len(self.faces.translate(None, _NOT_OPEN))
        return opened / max(1, self.size.cells - self.mines)

    def face(self, cell: Cell) -> int:
        """Return what a cell shows."""
        return self.faces[self.index(cell)]

    def index(self, cell: Cell) -> int:
        """Return the number of a cell in reading order."""
        return cell.row * self.size.columns + cell.column

    def around(self, cell: Cell) -> Iterator[Cell]:
        """List a cell and those that touch it."""
        for row in range(max(0, cell.row - 1), min(self.size.rows, cell.row + 2)):
            for column in range(max(0, cell.column - 1), min(self.size.columns, cell.column + 2)):
                yield Cell(column, row)

    def update(
        self, members: Mapping[str, Any], cells: bytes, *, has_unicode: bool = True
    ) -> frozenset[str]:
        """Take what changed, and name it; ViewError if it makes no sense."""
        self.cursor, self.unasked, self.last, self.said = None, False, False, ()
        try:
            reader = _Reader(self, has_unicode=has_unicode)
            known = [name for name in _READERS if name in members]
            for name in known:
                setattr(self, name, _READERS[name](reader, members[name]))
            if "size" in members:
                self.faces = bytearray((COVERED,)) * self.size.cells
            if self.menu is not None and "rows" in members:
                self.menu = _with_rows(self.menu, reader.rows(members["rows"]))
                known.append("rows")
            paint_faces(self.faces, cells)
        except (KeyError, TypeError, ValueError, ProtocolError, CoreError) as error:
            raise ViewError(f"The server sent a view that makes no sense: {error}") from error
        return frozenset(known)


def _with_rows(menu: Menu, changed: Sequence[Row]) -> Menu:
    """Put rows in the places of those with their ids."""
    by_id = {row.id: row for row in changed}
    return menu._replace(rows=tuple(by_id.get(row.id, row) for row in menu.rows))


class _Reader:
    """Reads members; whatever is wrong with one is a TypeError, a ValueError or a KeyError."""

    def __init__(self, view: View, *, has_unicode: bool) -> None:
        self._view = view
        self._has_unicode = has_unicode

    def text(self, said: Any) -> str:
        return clean(_checked(said, str), has_unicode=self._has_unicode)

    def texts(self, said: Any) -> tuple[str, ...]:
        return tuple(map(self.text, _checked(said, list)))

    def pairs(self, said: Any) -> tuple[tuple[str, ...], ...]:
        return tuple(map(self.texts, _checked(said, list)))

    def id(self, said: Any) -> str:
        """Read what is sent back or looked up, and never shown."""
        return str(_checked(said, str))

    def id_or_empty(self, said: Any) -> str:
        return "" if said is None else self.id(said)

    def ids(self, said: Any) -> tuple[str, ...]:
        return tuple(map(self.id, _checked(said, list)))

    def number(self, said: Any) -> int:
        if not -_MOST < _checked(said, int) < _MOST:
            raise ValueError("a number that no game has")
        return int(said)

    def number_or_none(self, said: Any) -> int | None:
        return None if said is None else self.number(said)

    def numbers(self, said: Any) -> tuple[int, ...] | None:
        return None if said is None else tuple(map(self.number, _checked(said, list)))

    def two(self, said: Any) -> tuple[int, int]:
        one, other = map(self.number, _checked(said, list))
        return one, other

    def two_or_none(self, said: Any) -> tuple[int, int] | None:
        return None if said is None else self.two(said)

    def flag(self, said: Any) -> bool:
        return bool(_checked(said, bool))

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

    def cells(self, said: Any) -> tuple[Cell, ...]:
        return tuple(map(self.cell, _checked(said, list)))

    def set_of_cells(self, said: Any) -> frozenset[Cell]:
        return frozenset(self.cells(said))

    def odds(self, said: Any) -> Mapping[Cell, int] | None:
        if said is None:
            return None
        return {self.cell(cell): _within(percent, 101) for cell, percent in said}

    def words(self, said: Any) -> Words:
        if said is None:
            return SILENCE
        tone = self.id(_checked(said, dict).get("tone", ""))
        return Words(self.id(said["id"]), self.text(said["text"]), tone)

    def room(self, said: Any) -> Room | None:
        return None if said is None else Room(**self._read(_ROOM_READERS, said))

    def seats(self, said: Any) -> tuple[Seat, ...]:
        if len(_checked(said, list)) > MOST_SEATS:
            raise ValueError("more seats than a room has")
        return tuple(Seat(**self._read(_SEAT_READERS, seat)) for seat in said)

    def seat_number(self, said: Any) -> int:
        return _within(said, MOST_SEATS + 1)

    def name(self, said: Any) -> str:
        return self.text(said)[:_LONGEST_NAME]

    def colour(self, said: Any) -> int:
        return _within(said, MOST_SEATS)

    def thousandths(self, said: Any) -> int:
        return _within(said, 1001)

    def cursors(self, said: Any) -> tuple[tuple[int, Cell], ...]:
        pairs = (_checked(pair, list) for pair in _checked(said, list))
        return tuple((self.seat_number(seat), self.cell(cell)) for seat, cell in pairs)

    def owners(self, said: Any) -> Mapping[Cell, int]:
        pairs = (_checked(pair, list) for pair in _checked(said, list))
        return {self.cell(cell): self.seat_number(seat) for cell, seat in pairs}

    def watched(self, said: Any) -> Watched | None:
        if said is None:
            return None
        return Watched(self.name(_checked(said, dict)["name"]), self.flag(said.get("gone", False)))

    def text_or_empty(self, said: Any) -> str:
        return "" if said is None else self.text(said)

    def phrases(self, said: Any) -> tuple[Phrase, ...]:
        return tuple(map(self.phrase, _checked(said, list)))

    def phrase(self, said: Any) -> Phrase:
        cell = _checked(said, dict).get("cell", -1)
        seat, number = self.seat_number(said["seat"]), self.number(said["id"])
        return Phrase(seat, number, None if cell == -1 else self.cell(cell))

    def _read(self, readers: Mapping[str, _Read], said: Any) -> dict[str, Any]:
        """Read the members that are known."""
        members = _checked(said, dict).items()
        return {name: readers[name](self, value) for name, value in members if name in readers}

    def menu(self, said: Any) -> Menu | None:
        if said is None:
            return None
        texts = self.id(_checked(said, dict)["id"]), self.text(said["title"])
        return Menu(*texts, self.rows(said["rows"]), self.id(said.get("selected") or ""))

    def rows(self, said: Any) -> tuple[Row, ...]:
        return tuple(map(self.row, _checked(said, list)))

    def row(self, said: Any) -> Row:
        return Row(**self._read(_ROW_READERS, said))

    def page(self, said: Any) -> Page | None:
        if said is None:
            return None
        lines = tuple(map(self.line, _checked(said["lines"], list)))
        return Page(self.id(said["id"]), self.text(said["title"]), lines)

    def line(self, said: Any) -> str | Listing:
        if isinstance(said, str):
            return self.text(said)
        rows = self.texts(said["head"]), tuple(map(self.texts, _checked(said["rows"], list)))
        if not all((rows[0], *rows[1])):
            raise ValueError("a row of a table without a name")
        return Listing(*rows)


def _checked(said: Any, kind: type) -> Any:
    if type(said) is not kind:
        raise TypeError(f"{said!r:.40} is no {kind.__name__}")
    return said


def _within(said: Any, limit: int) -> int:
    if not 0 <= _checked(said, int) < limit:
        raise ValueError(f"{said} is not below {limit}")
    return int(said)


_Read = Callable[[_Reader, Any], Any]
# The size is read first: what comes after it is on that board.
_READERS: Final[Mapping[str, _Read]] = {
    "size": _Reader.size,
    "state": _Reader.id_or_empty,
    "label": _Reader.text,
    "aim": _Reader.words,
    "remark": _Reader.ids,
    "mines": _Reader.number,
    "left": _Reader.number,
    "chords": _Reader.flag,
    "questions": _Reader.flag,
    "clock": _Reader.number,
    "clock_runs": _Reader.flag,
    "pace": _Reader.two_or_none,
    "cursor": _Reader.cursor,
    "hint": _Reader.cells,
    "flash": _Reader.set_of_cells,
    "odds": _Reader.odds,
    "figures": _Reader.pairs,
    "replay": _Reader.numbers,
    "position": _Reader.number,
    "menu": _Reader.menu,
    "page": _Reader.page,
    "message": _Reader.words,
    "keys": _Reader.ids,
    "room": _Reader.room,
    "seats": _Reader.seats,
    "cursors": _Reader.cursors,
    "owners": _Reader.owners,
    **dict.fromkeys(("starts_in", "ends_in", "blocked", "lives"), _Reader.number_or_none),
    "watchers": _Reader.number,
    "watching": _Reader.watched,
    "looking": _Reader.text_or_empty,
    "said": _Reader.phrases,
    "refresh": _Reader.number_or_none,
    "unasked": _Reader.flag,
    "last": _Reader.flag,
}
_ROW_READERS: Final[Mapping[str, _Read]] = {
    **dict.fromkeys(("id", "kind"), _Reader.id),
    **dict.fromkeys(("label", "value", "help", "disabled"), _Reader.text),
    **dict.fromkeys(("choices", "figures"), _Reader.texts),
    "range": _Reader.two,
    "drop": _Reader.flag,
}
_ROOM_READERS: Final[Mapping[str, _Read]] = {
    **dict.fromkeys(("kind", "state", "mine"), _Reader.id),
    "code": _Reader.name,
    "label": _Reader.text,
    **dict.fromkeys(("host", "you"), _Reader.seat_number),
    "bots": _Reader.flag,
}
_SEAT_READERS: Final[Mapping[str, _Read]] = {
    "number": _Reader.seat_number,
    "name": _Reader.name,
    "colour": _Reader.colour,
    **dict.fromkeys(("here", "ready", "bot", "won"), _Reader.flag),
    "opened": _Reader.thousandths,
    **dict.fromkeys(("flags", "hits"), _Reader.number),
    **dict.fromkeys(("place", "time"), _Reader.number_or_none),
}
