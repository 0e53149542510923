"""What to show, before anything decides how.

A session describes its screen with one of these values; a painter turns it into an ANSI frame,
a patch or plain text. Places on the board are cells, everything else is words and numbers. What is
made for each reply is a tuple, quick to make, to compare and to look up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple, TypeAlias

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView


class ColourDepth(IntEnum):
    """How many colours the terminal shows; the numbers are those of HELLO."""

    NONE = 0
    SIXTEEN = 1
    INDEXED = 2
    TRUE = 3


class Palette(Enum):
    """Which colours a player wants."""

    TILES = "tiles"
    CLASSIC = "classic"
    OKABE_ITO = "okabe-ito"
    MONOCHROME = "monochrome"


class CellSize(Enum):
    """How many columns and rows a cell takes: as many as fit, or as the player wants."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4x2"
    SIX = "6x3"


@dataclass(frozen=True, slots=True)
class Terminal:
    """What the client's screen can do."""

    columns: int = 80
    rows: int = 24
    colours: ColourDepth = ColourDepth.NONE
    has_unicode: bool = False
    keeps_tiles: bool = False
    """The client marks the cursor on tiles and knows what to write under its marks again."""


@dataclass(frozen=True, slots=True)
class Taste:
    """How a player wants things to look."""

    palette: Palette = Palette.TILES
    has_unicode: bool = True
    cell_size: CellSize = CellSize.AUTO


class Tone(Enum):
    """The kind of a message, shown by its colour and said by its words."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"

    # Messages are looked up: identity hashes in C, Enum's own hash is a Python function.
    __hash__ = object.__hash__


class Message(NamedTuple):
    """The text of a message, and its tone."""

    text: str = ""
    tone: Tone = Tone.PLAIN


class TimeLine(NamedTuple):
    """Where a replay is: after how many actions of how many, and at which time."""

    position: int
    last: int
    clock_ms: int
    end_ms: int

    @property
    def share(self) -> float:
        """How far it has come, from 0 to 1."""
        done, whole = (self.clock_ms, self.end_ms) if self.end_ms else (self.position, self.last)
        return done / max(1, whole)


@dataclass(frozen=True, slots=True, eq=False)
class Odds:
    """Chances of a mine to show on cells; each is one value that nobody compares cell by cell."""

    percents: Mapping[int, int]
    """By the index of the cell."""


class GameScreen(NamedTuple):
    """A game that is being played, or has just ended."""

    view: PlayerView
    cursor: Cell
    label: str
    """What is played, for instance ``expert 30x16`` or ``easy 20x10``."""
    elapsed_ms: int
    message: Message = Message()
    state: str = ""
    """A word or two for the header: playing, paused, WON, LOST, assisted, not saved."""
    debug_mines: int = 0
    hint_cells: int = 0
    """Cells to highlight, as a bitboard."""
    flash_cells: int = 0
    """The covered cells around a number that could not be opened around, until the next packet."""
    odds: Odds | None = None
    solved_share: float | None = None
    """How much of the board is solved, 0 to 1, for a progress bar."""
    time_line: TimeLine | None = None
    """In a replay: replaces the share that is solved."""
    clock_runs: bool = False
    is_paused: bool = False
    """Hides the field."""
    summary: Sequence[str] = ()
    """After the end: lines of figures to show beside or under the field."""
    aim: str = ""
    """The aim, while the game is running."""
    is_overview: bool = False
    """Shows the whole of a board that is larger than the screen, reduced."""
    keys: Sequence[tuple[str, str]] = ()
    """(key, what it does), most important first: a narrow screen drops the last ones."""
    part_keys: Sequence[tuple[str, str]] = ()
    """In place of the keys where only part of the board fits the screen."""


class Typing(Enum):
    """What can be typed at an item of a menu."""

    NOTHING = "nothing"
    DIGITS = "digits"
    TEXT = "text"

    __hash__ = object.__hash__


class MenuItem(NamedTuple):
    """A line of a menu."""

    label: str
    value: str = ""
    """Shown at the right; `is_adjustable` items change it with left and right."""
    is_adjustable: bool = False
    is_enabled: bool = True
    note: str = ""
    """A sentence shown while the item is selected."""
    typing: Typing = Typing.NOTHING
    """A value that is text is shown as a field to fill in."""
    figures: tuple[str, ...] = ()
    """More values, in columns with those of the other items, the last of them the most important:
    a narrow screen drops the first ones."""


class MenuScreen(NamedTuple):
    """A list to choose from."""

    title: str
    items: Sequence[MenuItem]
    selected: int
    message: Message = Message()
    keys: Sequence[tuple[str, str]] = ()
    has_preview: bool = False
    """Shows cells as they look now, where there is room beside the list."""
    clock_runs: bool = False
    """The screen may change with time."""

    @property
    def takes_text(self) -> bool:
        """Whether letters are text here, not commands."""
        return self.selected < len(self.items) and self.items[self.selected].typing is Typing.TEXT


@dataclass(frozen=True, slots=True)
class Listing:
    """Rows of figures in columns, each row after its name, the most important figure first.

    Where there is little room a name gets a line of its own, and the last figures are dropped.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class PageScreen(NamedTuple):
    """Text and figures to read; `first_line` says how far it is scrolled."""

    title: str
    lines: Sequence[str | Listing]
    first_line: int = 0
    message: Message = Message()
    keys: Sequence[tuple[str, str]] = ()
    part_keys: Sequence[tuple[str, str]] = ()
    """Instead of `keys` where the page is longer than the screen."""


ScreenModel: TypeAlias = GameScreen | MenuScreen | PageScreen
