"""Screens as data, for clients that draw them themselves: a browser, a bot.

A painter remembers what its client shows, and says only what changed: members of a JSON object,
and the faces of cells (`faces`). `docs/protocol.md` lists the members, `protocol.view` the bytes.
While a menu or a page covers the game, the members of the game stay as they are.
"""

from __future__ import annotations

import json
from codecs import charmap_decode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import starmap
from typing import Any, Final, NamedTuple, TypeAlias
from unicodedata import category

from jminesweeper.core.faces import Layers, faces_of, layers_with_unopened
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.screen.models import (
    GameScreen,
    Listing,
    MenuItem,
    MenuScreen,
    Message,
    Odds,
    PageScreen,
    ScreenModel,
    Taste,
    Typing,
)
from jminesweeper.screen.plain import PAUSED, STATES, SYMBOLS_AFTER, SYMBOLS_BEFORE, WITHOUT_DEBUG

LONGEST_TEXT: Final = 0xFFFF
MOST_ITEMS: Final = 256
"""Items of a menu or lines of a page; fewer if their texts are too long together."""

Members: TypeAlias = dict[str, Any]


class CellsPatch(NamedTuple):
    """What a client needs to update its screen."""

    text: bytes
    """The members that changed, as JSON."""
    cells: bytes


class CellsPainter:
    """Describes the screens of one client, and remembers what it shows."""

    __slots__ = ("_has_menu", "_layers", "_shown", "_size", "palette")

    def __init__(self, taste: Taste) -> None:
        self.palette = taste.palette
        self._has_menu = False
        self.forget()

    def paint(self, model: ScreenModel, **marks: bool) -> CellsPatch:
        """Return what changes the client's screen from the last one to this one.

        Marks are members of this screen alone.
        """
        self._has_menu = isinstance(model, MenuScreen)
        text = self._changes(_members(model, MOST_ITEMS), marks)
        most = MOST_ITEMS
        while len(text) > LONGEST_TEXT:
            most //= 2
            text = self._changes(_members(model, most), marks)
        cells = b"" if not isinstance(model, GameScreen) or model.is_paused else self._cells(model)
        return CellsPatch(text, cells)

    def locate(self, column: int, row: int) -> Cell | int:
        """Find what is at a place: an item by its number while there is a menu, else a cell."""
        return row if self._has_menu else Cell(column, row)

    def dress(self, taste: Taste) -> None:
        self.palette = taste.palette

    def forget(self) -> None:
        """Describe everything next time: what the client shows is unknown."""
        self._shown: Members = {}
        self._forget_cells(None)

    def _forget_cells(self, size: Size | None) -> None:
        self._size = size
        self._layers: Layers | None = None

    def _changes(self, members: Members, marks: Mapping[str, bool]) -> bytes:
        shown = self._shown
        members["palette"] = self.palette.value
        if members.get("clock_runs") and shown.get("clock_runs"):
            _let_clock_run(members, shown)
        changed = {
            name: value
            for name, value in members.items()
            if name not in shown or shown[name] != value
        }
        shown |= changed
        changed |= {name: True for name, is_so in marks.items() if is_so}
        return json.dumps(changed, ensure_ascii=False, separators=(",", ":")).encode()

    def _cells(self, model: GameScreen) -> bytes:
        view = model.view
        if view.size != self._size:
            self._forget_cells(view.size)
        layers, shown = layers_with_unopened(view, model.debug_mines), self._layers
        if layers == shown:
            return b""
        self._layers = layers
        if shown is not None:
            runs = _runs(view.grid, layers, _differences(shown, layers))
            cells = b"".join(starmap(_encode_run, runs))
            if len(cells) < view.size.cells:
                return cells
        return _all_faces(view.grid, layers)


# Cells


def _differences(before: Layers, after: Layers) -> int:
    changed = 0
    for old, new in zip(before, after, strict=True):
        changed |= old ^ new
    return changed


def _runs(grid: Grid, layers: Layers, changed: int) -> Iterator[tuple[int, bytes]]:
    """List the changed cells of each row as runs: number of the first cell, faces."""
    columns, stride = grid.size.columns, grid.stride
    rows = grid.rows_spanned(changed)
    faces = faces_of(grid, layers, rows)
    for row in rows:
        rest = _without_short_gaps(changed >> row * stride & grid.row_mask)
        before = (row - rows.start) * stride
        while rest:
            start = (rest & -rest).bit_length() - 1
            rest >>= start
            length = (~rest & rest + 1).bit_length() - 1
            rest = rest >> length << start + length
            yield row * columns + start, faces[before + start : before + start + length]


def _without_short_gaps(cells: int) -> int:
    """Add the cells between two of a row where that costs no more than another run."""
    wider = cells | cells << 1
    wider |= wider << 2
    narrower = wider & wider >> 1
    return narrower & narrower >> 2


def _encode_run(index: int, faces: bytes) -> bytes:
    return index.to_bytes(2, "big") + bytes((len(faces),)) + faces


def _all_faces(grid: Grid, layers: Layers) -> bytes:
    columns, stride = grid.size.columns, grid.stride
    faces = faces_of(grid, layers, range(grid.size.rows))
    return b"".join(faces[start : start + columns] for start in range(0, len(faces), stride))


def read_faces(faces: bytes, size: Size, mine_count: int, status: Status) -> PlayerView:
    """Read what a player sees from the faces of all cells, in reading order."""
    symbols = SYMBOLS_AFTER if status.is_over else SYMBOLS_BEFORE
    text = charmap_decode(faces, "strict", symbols)[0].translate(WITHOUT_DEBUG)
    rows = (text[start : start + size.columns] for start in range(0, len(text), size.columns))
    return parse_position("\n".join(rows), mine_count, status)


# Members


def _members(model: ScreenModel, most: int) -> Members:
    members = _describe(model, most)
    members["message"] = _describe_message(model.message)
    members["keys"] = [list(key) for key in model.keys]
    return members


def _describe(model: ScreenModel, most: int) -> Members:
    match model:
        case GameScreen():
            return _describe_game(model)
        case MenuScreen():
            return _describe_menu(model, most)
        case PageScreen():
            page = {"title": harmless(model.title), "lines": _describe_lines(model.lines[:most])}
            return {"menu": None, "page": page, "takes_text": False}


def _describe_game(model: GameScreen) -> Members:
    view = model.view
    return {
        "label": harmless(model.label),
        "size": [view.size.columns, view.size.rows],
        "mines": view.mine_count,
        "left": view.mines_left,
        "state": PAUSED if model.is_paused else STATES[view.status],
        "remark": harmless(model.state),
        "clock": model.elapsed_ms,
        "clock_runs": model.clock_runs,
        "solved": None if model.solved_share is None else int(model.solved_share * 100),
        "replay": None if model.time_line is None else list(model.time_line),
        "cursor": list(model.cursor),
        "hint": _numbers(view.grid, model.hint_cells),
        "flash": _numbers(view.grid, model.flash_cells),
        "odds": None if model.odds is None else _describe_odds(view.grid, model.odds),
        "figures": [harmless(line) for line in model.summary],
        "aim": harmless(model.aim),
        "menu": None,
        "page": None,
        "takes_text": False,
    }


def _let_clock_run(members: Members, shown: Members) -> None:
    """Leave a running clock to the client, until the next second begins."""
    if members["clock"] // 1000 == shown["clock"] // 1000:
        members["clock"] = shown["clock"]


def _describe_odds(grid: Grid, odds: Odds) -> Sequence[Sequence[int]]:
    columns, stride = grid.size.columns, grid.stride
    return [
        [index // stride * columns + index % stride, percent]
        for index, percent in odds.percents.items()
    ]


def _numbers(grid: Grid, cells: int) -> Sequence[int]:
    return [row * grid.size.columns + column for column, row in grid.cells(cells)]


def _describe_menu(model: MenuScreen, most: int) -> Members:
    """Describe a menu; of a long one only the part around the selected item."""
    half = max(1, most // 2)
    first = max(0, min(model.selected // half * half - half // 2, len(model.items) - most))
    items = [_describe_item(item) for item in model.items[first : first + most]]
    return {
        "menu": {"title": harmless(model.title), "first": first, "items": items},
        "selected": model.selected,
        "page": None,
        "takes_text": model.takes_text,
    }


def _describe_item(item: MenuItem) -> Members:
    described = {
        "label": harmless(item.label),
        "value": harmless(item.value),
        "figures": [harmless(figure) for figure in item.figures],
        "note": harmless(item.note),
        "typing": "" if item.typing is Typing.NOTHING else item.typing.value,
        "adjustable": item.is_adjustable,
        "disabled": not item.is_enabled,
    }
    return {name: value for name, value in described.items() if value or name == "label"}


def _describe_lines(lines: Sequence[str | Listing]) -> Sequence[str | Members]:
    return [
        _describe_listing(line) if isinstance(line, Listing) else harmless(line) for line in lines
    ]


def _describe_listing(listing: Listing) -> Members:
    rows = [[harmless(figure) for figure in row] for row in listing.rows]
    return {"head": list(listing.head), "rows": rows}


def _describe_message(message: Message) -> Sequence[str] | None:
    return [harmless(message.text), message.tone.value] if message.text else None


@lru_cache(maxsize=1_024)
def harmless(text: str) -> str:
    """Strip control characters, and those that change the direction of what follows."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character for character in text if category(character)[0] != "C")
