"""Views: what a client knows, and what each reply tells it anew.

A client starts with `picture.DEFAULTS`, a covered board and no menu. A view names the members that
are different now, and the cells. Client and server add views up alike, so the server knows at any
time what the client knows: that is `Known`, one value, replaced with each view.

Three things make it more than a comparison:

- *A running clock is the client's to count.* It is told once, with the fact that it runs, and again
  only where the client would be wrong by then.
- *A board is told by its size.* A client that hears of a size covers all cells. So a new board, and
  one whose cells are all covered again, cost sixteen bytes. Other cells are told as runs of faces,
  joined where a gap is shorter than another run's head; and all of them where that is shorter.
- *A view may never have been sent.* A reply that waits for the store is renewed if others were
  faster, from what the client knew before it. Then the older value is put back, and the next view
  is written against that. So the moments that are told once are part of that value as well: that
  the cursor was put somewhere, phrases, the doings of others. Describing consumes nothing.

All who share a board see the same, and all who watch one game. `Scene.told` keeps each view of
a scene for the other clients that knew the same before. Partners of whoever acted are sent the same
view, with the member `unasked` added.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from json import JSONEncoder
from operator import is_not, itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.grid import Grid
from jminesweeper.core.view import Layers, all_faces, covered_layers, face_of, faces_of, layers_of
from jminesweeper.protocol.packets import encode_view
from jminesweeper.protocol.view import Listing, RowKind
from jminesweeper.session.messages import Message, Tone
from jminesweeper.session.picture import DEFAULTS, Field, Members, Moment, Picture, Scene
from jminesweeper.session.rights import RIGHTS, Mode
from jminesweeper.session.tables import LastTold, SeatRow, Shown
from jminesweeper.session.talks import Menu, Page, Row

KnownMenu: TypeAlias = tuple[str, str, tuple[Row, ...]]
"""Its id, its title and its rows."""
_SIZE_BYTES: Final = 16
"""Bytes of a size, which covers a board again."""

_OWN: Final = ("room", "questions", "clock")
"""Members that differ between readers of one scene: a room names the reader's own seat."""
_NAMES: Final = (*_OWN, *(name for name in DEFAULTS if name not in {*_OWN, "size", "menu"}))
"""The members that are told when they change, in the order of `Known.values`."""
_values_of: Callable[[Mapping[str, Any]], tuple[Any, ...]] = itemgetter(*_NAMES)
_NO_ROOM: Final[Members] = {"you": 0}
_CLOCK: Final = _NAMES.index("clock")
_CLOCK_RUNS: Final = _NAMES.index("clock_runs")
_REFRESH: Final = _NAMES.index("refresh")

_to_json = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Known(NamedTuple):
    """A client's knowledge: everything it was told."""

    values: tuple[Any, ...] = _values_of(DEFAULTS)
    """Of the members, in the order of `_NAMES`."""
    clock_at_ms: int | None = None
    """Time at which a running clock was like that; the client lets it run by itself."""
    menu: KnownMenu | None = None
    grid: Grid | None = None
    layers: Layers | None = None
    scene: Scene | None = None
    """The last picture, if that was a shared one."""
    placing: object = None
    """The last time that the cursor was put somewhere; None if that is told each time."""
    last_told: LastTold | None = None


class Frame(NamedTuple):
    """A view as it was written for a client, for others who knew the same."""

    unasked: bytes
    """The bytes for clients that did not ask; empty without news."""
    own: Members
    """The members of `_OWN` that it tells."""
    known: Known
    """The client's knowledge afterwards."""


class Viewer:
    """Writes the views of one client: of each picture what is new."""

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.known = Known()
        """The client's knowledge."""

    def write(
        self, picture: Picture, now_ms: int, *, unasked: bool = False, is_alike: bool = False
    ) -> bytes:
        """Write what of a picture the client does not know; it knows it from then on.

        `is_alike` if it is told nothing of its own: then others may get the same (`repeat`).
        """
        scene, known = picture.scene, self.known
        pieces: list[str] = []
        grid, layers, cells = known.grid, known.layers, b""
        if picture.field is not None:
            grid, layers, cells = self._cells(picture.field, pieces)
        # Under a menu the cursor stays where it was put; another board has a cursor of its own.
        placing = known.placing if picture.field is None else picture.placing
        if picture.cursor is not None and (placing is None or placing is not known.placing):
            pieces.append(f'"cursor":{_to_json(picture.cursor)}')
        menu = None
        if picture.menu is not None or known.menu is not None:
            menu = self._write_menu(picture.menu, pieces)
        if picture.said:
            pieces.append(f'"said":{_to_json(picture.said)}')
        if picture.news:
            pieces.append(f'"news":[{",".join(map(_write_message, picture.news))}]')
        members = picture.members
        if len(members) < len(_NAMES):
            members = {**dict(zip(_NAMES, known.values, strict=True)), **members}
        values, told_at_ms = _values_of(members), known.clock_at_ms
        # Most members are the very objects that they were: this looks at the others alone.
        told = zip(_NAMES, values, known.values, strict=True)
        others = compress(told, map(is_not, values, known.values))
        news = {name: value for name, value, before in others if value != before}
        clock_ms = known.values[_CLOCK] + (0 if told_at_ms is None else now_ms - told_at_ms)
        if values[_CLOCK] == clock_ms and values[_CLOCK_RUNS] is (told_at_ms is not None):
            news.pop("clock", None)
        else:
            news["clock"] = values[_CLOCK]
        if values[_REFRESH] is not None:
            # Each time that a client is told when to ask again, it asks once.
            news["refresh"] = values[_REFRESH]
        clock_at_ms = now_ms if values[_CLOCK_RUNS] else None
        last_told = picture.last_told
        self.known = Known(values, clock_at_ms, menu, grid, layers, scene, placing, last_told)
        # A clock would be told late by the time that an asked reply waits for the store.
        is_alike = is_alike and (unasked or "clock" not in news)
        # Nor may others take the reader's own seat, which the room names, or settings for theirs.
        if "questions" in news or (news.get("room") or _NO_ROOM)["you"]:
            is_alike = False
        text, view = _write(pieces, news), b""
        shared_since = known.scene if scene is not None and is_alike else None
        if (unasked or shared_since is not None) and (text or cells):
            view = encode_view(cells, f'{{{text}{"," if text else ""}"unasked":true}}'.encode())
        if scene is not None and shared_since is not None:
            own: Members = {name: news[name] for name in _OWN if name in news}
            scene.told[shared_since] = Frame(view, own, self.known)
        return view if unasked else encode_view(cells, f"{{{text}}}".encode())

    def repeat(self, scene: Scene | None) -> bytes | None:
        """Return the view written for a client that knew the same; None if there is none."""
        known = self.known
        if scene is None or known.scene is None or (told := scene.told.get(known.scene)) is None:
            return None
        view, news, now = told
        own, clock_at_ms = known.values[: len(_OWN)], known.clock_at_ms
        if news:
            own = tuple(news.get(name, value) for name, value in zip(_OWN, own, strict=True))
            clock_at_ms = now.clock_at_ms if "clock" in news else clock_at_ms
        values = own + now.values[len(_OWN) :]
        self.known = Known(
            *(values, clock_at_ms, now.menu, now.grid, now.layers, now.scene),
            *(known.placing, known.last_told),
        )
        return view

    def write_farewell(self, said: Message, *, is_final: bool) -> bytes:
        """Write the last view of a connection; after a final one the client stays away."""
        pieces: list[str] = []
        self._write_menu(None, pieces)
        keys = RIGHTS[Mode.NO_GAME].offers
        known = dict(zip(_NAMES, self.known.values, strict=True))
        last = {"page": None, "message": said, "keys": keys, "clock_runs": False}
        news = {name: value for name, value in last.items() if value != known[name]}
        if is_final:
            news["last"] = True
        return encode_view(b"", f"{{{_write(pieces, news)}}}".encode())

    def begin_anew(self) -> None:
        """Take a client for one that knows nothing; phrases it was told are not told again."""
        self.known = Known(last_told=self.known.last_told)

    def forget_clock(self) -> None:
        """Tell the clock next time even if it runs as the client thinks."""
        self.known = self.known._replace(clock_at_ms=None)

    def _cells(self, field: Field, pieces: list[str]) -> tuple[Grid, Layers, bytes]:
        """Encode the faces that the client does not know; tell the size of another board.

        Return the board and the faces that the client knows then as well.
        """
        grid, view, debug_mines, is_hidden = field
        known = self.known.layers if grid is self.known.grid else None
        layers = known or covered_layers(grid)
        if not is_hidden:
            layers = layers_of(grid, view, debug_mines)
        told_size = f'"size":[{grid.size.columns},{grid.size.rows}]'
        if known is None:
            pieces.append(told_size)
            known = covered_layers(grid)
        if layers == known:
            return grid, layers, b""
        cells = _encode_runs(grid, layers, known.differences(layers))
        if len(cells) > _SIZE_BYTES and layers == covered_layers(grid):
            pieces.append(told_size)
            return grid, layers, b""
        is_long = len(cells) >= grid.size.columns * grid.size.rows
        return grid, layers, all_faces(view, debug_mines) if is_long else cells

    def _write_menu(self, menu: Menu | None, pieces: list[str]) -> KnownMenu | None:
        """Write another menu, or the rows that changed in this one; return what is known."""
        known = self.known.menu
        if menu is None:
            if known is not None:
                pieces.append('"menu":null')
            return None
        new = (menu.id, menu.title, menu.rows)
        if known is None or known[:2] != new[:2] or _ids(known[2]) != _ids(menu.rows):
            rows = ",".join(map(_write_row, menu.rows))
            head = _to_json({"id": menu.id, "title": menu.title, "selected": menu.selected})
            pieces.append(f'"menu":{head[:-1]},"rows":[{rows}]}}')
        elif known[2] != menu.rows:
            both = zip(known[2], menu.rows, strict=True)
            rows = ",".join(_write_row(row) for before, row in both if row != before)
            pieces.append(f'"rows":[{rows}]')
        return new


# As JSON


def _write(pieces: Sequence[str], news: Members) -> str:
    told = [f'"{name}":{_WRITERS.get(name, _to_json)(value)}' for name, value in news.items()]
    return ",".join((*pieces, *told))


def _write_moment(moment: Moment | None) -> str:
    return "null" if moment is None else str(moment.in_ms)


def _write_message(said: Message) -> str:
    if not said.id:
        return "null"
    members: Members = {"id": said.id, "text": said.text}
    if said.tone is not Tone.PLAIN:
        members["tone"] = said.tone.value
    if said.args:
        members["args"] = dict(said.args)
    return _to_json(members)


def _write_seats(seats: Sequence[SeatRow]) -> str:
    for seat in seats:
        # All who see the seat are told the same.
        seat.text = seat.text or _to_json(seat)
    return f"[{','.join([seat.text for seat in seats])}]"


def _write_pairs(shown: Sequence[tuple[int, int]]) -> str:
    if not isinstance(shown, Shown):
        return _to_json(shown)
    shown.text = shown.text or f"[{','.join([f'[{one},{other}]' for one, other in shown])}]"
    return shown.text


def _write_page(page: Page | None) -> str:
    if page is None:
        return "null"
    lines = [
        {"head": line.head, "rows": line.rows} if isinstance(line, Listing) else line
        for line in page.lines
    ]
    return _to_json({"id": page.id, "title": page.title, "lines": lines})


# All players see much the same rows, and to write one takes longer than to send it.
@lru_cache(maxsize=1_024)
def _write_row(row: Row) -> str:
    members = {
        "id": row.id,
        "kind": "" if row.kind is RowKind.ROW else row.kind,
        "label": row.label,
        "value": row.value,
        "choices": row.choices,
        "range": row.range,
        "help": row.help,
        "figures": row.figures,
        "disabled": row.disabled,
        "drop": row.can_drop,
        "other": row.other,
    }
    return _to_json({name: value for name, value in members.items() if value})


_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    # Nearly every view has one or two of them, and an encoder takes its time for any value.
    **dict.fromkeys(("left", "clock", "watchers", "position"), str),
    "aim": _write_message,
    "message": _write_message,
    "page": _write_page,
    "sheet": lambda rows: f"[{','.join(map(_write_row, rows))}]",
    "seats": _write_seats,
    "cursors": _write_pairs,
    "owners": _write_pairs,
    "starts_in": _write_moment,
    "ends_in": _write_moment,
    "blocked": _write_moment,
}


def _ids(rows: Sequence[Row]) -> Sequence[str]:
    return [row.id for row in rows]


# Cells


def _encode_runs(grid: Grid, layers: Layers, changed: int) -> bytes:
    """Encode the changed cells of each row: number of a cell, count, and the faces from there."""
    columns, stride, runs = grid.size.columns, grid.stride, bytearray()
    if not changed & changed - 1:
        # A flag, or a number: one cell, as of most actions.
        row, column = divmod(changed.bit_length() - 1, grid.stride)
        return bytes((*divmod(row * columns + column, 256), 1, face_of(layers, changed)))
    rows = grid.rows_spanned(changed)
    faces = faces_of(grid, layers, rows)
    for row in rows:
        rest = changed >> row * stride & grid.row_mask
        # The cells between two are added where that costs no more than another run.
        wider = rest | rest << 1
        wider |= wider << 2
        narrower = wider & wider >> 1
        rest = narrower & narrower >> 2
        before = (row - rows.start) * stride
        while rest:
            start = (rest & -rest).bit_length() - 1
            rest >>= start
            length = (~rest & rest + 1).bit_length() - 1
            rest = rest >> length << start + length
            runs += (row * columns + start).to_bytes(2, "big")
            runs.append(length)
            runs += faces[before + start : before + start + length]
    return bytes(runs)
