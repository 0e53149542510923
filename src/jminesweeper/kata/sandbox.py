"""The 3x3 sandbox: the kata's squares, moves, pictures and messages, a game, and bots that play.

The rules are the engine's preset `kata`; this module adds the kata's words. Squares are counted
as the kata does: ``x;y`` from the bottom-left.

Both pictures show ``_`` for no bomb around, digits, ``*`` for a flag and ``X`` for the bomb that
went off. A hidden square is ``-`` in the compact picture and blank in the one with a grid. Bombs
stay hidden after the end. Rows are lines, or separated by slashes.

A bot is any function from what a player sees to a cell, so it cannot cheat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield, RandomBits, below
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status, parse_board, parse_position

PREFIX = "[Sandbox 3x3] "
CREATED = f"{PREFIX}Game created"
FLAGGED = f"{PREFIX}Square flagged as bomb."
UNFLAGGED = f"{PREFIX}Square unflagged as bomb."

# A square that wins or loses prints only this, not its number.
CLOSING = {
    Status.LOST: f"{PREFIX}BOOM! \N{EN DASH} Game Over.",
    Status.WON: f"{PREFIX}the land is cleared! GOOD JOB!",
}


class KataError(JMinesweeperError):
    """The kata has no such square, picture, bombs or move."""


_AROUND = {0: "No bomb", 1: "1 bomb"}


def bombs_around(count: int) -> str:
    """Say how many bombs touch the square that was stepped on."""
    return f"{PREFIX}{_AROUND.get(count, f'{count} bombs')} around your square."


SANDBOX = Size(3, 3)

_SQUARE = re.compile(r"(\d);(\d)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A place in the sandbox: ``0;0`` is the bottom-left one, ``2;1`` right in the middle row."""

    x: int
    y: int

    def __post_init__(self) -> None:
        if not SANDBOX.has(self.cell):
            raise KataError(f"there is no square {self} on a board of {SANDBOX}")

    @staticmethod
    def of(cell: Cell) -> Square:
        """Name the engine's cell, which counts its rows from the top."""
        return Square(cell.column, SANDBOX.rows - 1 - cell.row)

    @staticmethod
    def parse(text: str) -> Square:
        match = _SQUARE.fullmatch(text.strip())
        if match is None:
            raise KataError(f"{text!r} is not a square: write x;y, for instance 2;1")
        return Square(int(match[1]), int(match[2]))

    @property
    def cell(self) -> Cell:
        return Cell(self.x, SANDBOX.rows - 1 - self.y)

    def __str__(self) -> str:
        return f"{self.x};{self.y}"


class MoveKind(Enum):
    """The kata's three moves; the value is how a script of moves writes them."""

    STEP = "step"
    MARK = "mark"
    UNMARK = "unmark"


class Move(NamedTuple):
    """One move on one square."""

    kind: MoveKind
    square: Square

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move, for instance ``step 2;1``."""
        word, _, square = text.strip().partition(" ")
        try:
            return Move(MoveKind(word), Square.parse(square))
        except ValueError:
            raise KataError(f"{text!r} is not a move: write step, mark or unmark and x;y") from None

    def __str__(self) -> str:
        title = "Step on" if self.kind is MoveKind.STEP else self.kind.value.capitalize()
        return f"{title} {self.square}"


def parse_moves(script: str) -> tuple[Move, ...]:
    """Read moves separated by commas; an empty script has none."""
    return tuple(Move.parse(text) for text in script.split(",") if text.strip())


_RULER = "+-+-+-+"
_GRID_ROW = re.compile(r"\|([^|])\|([^|])\|([^|])\|")
_COMPACT_ROW = re.compile(r"[-_*X1-8]{3}")
_BOMB_ROW = re.compile(r"[-b]{3}")

_TO_POSITION = str.maketrans("-_*", "?.F")
# A flag where no bomb was looks like any flag, a bomb nobody stepped on like any hidden square.
_FROM_POSITION = str.maketrans("?.F!B", "-_**-")
_TO_BOARD = str.maketrans("-b", ".*")
_HIDDEN_TO_BLANK = str.maketrans("-", " ")
_BLANK_TO_HIDDEN = str.maketrans(" -", "-?")


class PictureStyle(Enum):
    """The pictures of one board that the kata draws."""

    GRID = "grid"
    COMPACT = "compact"


def format_picture(view: PlayerView, style: PictureStyle) -> str:
    compact = str(view).translate(_FROM_POSITION)
    if style is PictureStyle.COMPACT:
        return compact
    rows = compact.translate(_HIDDEN_TO_BLANK).splitlines()
    return "\n".join([_RULER, *(f"|{'|'.join(row)}|\n{_RULER}" for row in rows)])


def parse_picture(text: str, bomb_count: int) -> PlayerView:
    """Read either picture."""
    rows = _rows(text)
    if rows[:1] == [_RULER]:
        # Rows of a grid become those of the compact picture, a wrong one a wrong one.
        if any(ruler != _RULER for ruler in rows[::2]) or len(rows) != 2 * SANDBOX.rows + 1:
            raise KataError(f"a grid has three rows, each between two lines {_RULER}")
        matches = [_GRID_ROW.fullmatch(row) for row in rows[1::2]]
        rows = [
            "".join(match.groups()).translate(_BLANK_TO_HIDDEN) if match else ""
            for match in matches
        ]
    _check(rows, _COMPACT_ROW, "a picture has three rows of three among - _ * X and 1 to 8")
    if sum(row.count("X") for row in rows) > 1:
        raise KataError("only one bomb goes off in a game")
    return parse_position("\n".join(rows).translate(_TO_POSITION), bomb_count)


def parse_bombs(text: str) -> Minefield:
    """Read where the bombs are: rows of ``b`` and ``-``."""
    rows = _rows(text)
    _check(rows, _BOMB_ROW, "bombs are written as three rows of three among b and -")
    return parse_board("\n".join(rows).translate(_TO_BOARD))


def _rows(text: str) -> list[str]:
    return [row.strip() for row in text.replace("/", "\n").strip().splitlines()]


def _check(rows: list[str], shape: re.Pattern[str], complaint: str) -> None:
    if len(rows) != SANDBOX.rows or not all(map(shape.fullmatch, rows)):
        raise KataError(complaint)


BOMB_COUNTS = (1, 3)

_RULES = PRESETS["kata"]


class Answer(NamedTuple):
    """The answer to a move: the square as it looks now, and the message."""

    symbol: str
    message: str


class Sandbox:
    """A game from its creation to its victory or game over. It has no clock."""

    def __init__(self, setup: Setup) -> None:
        self._game = Game(setup)
        self.message = CREATED

    @staticmethod
    def of_seed(bomb_count: int, seed: int) -> Sandbox:
        """Create a game whose bombs follow from a seed."""
        _check_count(bomb_count)
        return Sandbox(Setup.of(SANDBOX, bomb_count, _RULES, seed=seed))

    @staticmethod
    def of_bombs(field: Minefield) -> Sandbox:
        """Create a game whose bombs are placed by hand."""
        _check_count(field.mine_count)
        return Sandbox(Setup.of(field.size, rules=_RULES, layout=field.mines))

    @property
    def view(self) -> PlayerView:
        return self._game.view

    def picture(self, style: PictureStyle) -> str:
        return format_picture(self.view, style)

    def show(self, style: PictureStyle) -> str:
        """Draw the picture with the message below it, as the kata prints a board."""
        return f"{self.picture(style)}\n{self.message}"

    def play(self, move: Move) -> Answer:
        """Do a move; one that would do nothing is an error, for the kata has no words for it."""
        if not self.allows(move):
            raise KataError(f"{str(move).lower()}: {_refusal(self.view, move.square)}")
        kind = ActionKind.REVEAL if move.kind is MoveKind.STEP else ActionKind.FLAG
        self._game.apply(Action(kind, move.square.cell), at_ms=0)
        self.message = _message(self.view, move)
        column, row = move.square.cell
        picture = format_picture(self.view, PictureStyle.COMPACT).splitlines()
        return Answer(picture[row][column], self.message)

    def allows(self, move: Move) -> bool:
        """Return True if the move would do anything."""
        view, cell = self.view, move.square.cell
        is_flagged = view.is_flagged(cell)
        fits = is_flagged is (move.kind is MoveKind.UNMARK)
        return fits and not view.status.is_over and not view.is_visible(cell)


def possible_steps(view: PlayerView) -> tuple[Square, ...]:
    """List the squares that are not open yet, flagged ones too, for a flag is only a guess."""
    if view.status.is_over:
        return ()
    return tuple(map(Square.of, view.grid.cells(view.grid.mask & ~view.visible)))


def has_won(view: PlayerView) -> bool:
    """Decide from a picture alone whether every square without a bomb is open."""
    return view.exploded is None and view.visible_count + view.mine_count == view.size.cells


def _check_count(bombs: int) -> None:
    if bombs not in BOMB_COUNTS:
        raise KataError(f"a sandbox holds 1 or 3 bombs, not {bombs}")


def _message(view: PlayerView, move: Move) -> str:
    if move.kind is MoveKind.MARK:
        return FLAGGED
    if move.kind is MoveKind.UNMARK:
        return UNFLAGGED
    return CLOSING.get(view.status) or bombs_around(view.clue(move.square.cell))


def _refusal(view: PlayerView, square: Square) -> str:
    if view.status.is_over:
        return "the game is over"
    if view.is_visible(square.cell):
        return "the square is open already"
    return "the square is flagged" if view.is_flagged(square.cell) else "the square is not flagged"


Bot = Callable[[PlayerView], Cell]


def random_bot(random_bits: RandomBits) -> Bot:
    """Make a bot that steps on any hidden square, each equally likely."""

    def choose(view: PlayerView) -> Cell:
        steps = (square.cell for square in possible_steps(view))
        hidden = [cell for cell in steps if not view.is_flagged(cell)]
        if not hidden:
            raise KataError("every square is open or flagged")
        return hidden[below(len(hidden), random_bits)]

    return choose


def play_bot(sandbox: Sandbox, bot: Bot) -> Iterator[Move]:
    """Do the bot's steps one by one. A step that does nothing is an error, so the game ends."""
    while not sandbox.view.status.is_over:
        move = Move(MoveKind.STEP, Square.of(bot(sandbox.view)))
        sandbox.play(move)
        yield move
