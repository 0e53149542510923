"""The 3x3 sandbox: one game of the kata's rules that answers each move with its message.

The rules are the engine's preset `kata`; this module adds the kata's words.
"""

from __future__ import annotations

from typing import NamedTuple

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.kata import messages
from jminesweeper.kata.messages import KataError
from jminesweeper.kata.moves import SANDBOX, Move, MoveKind, Square
from jminesweeper.kata.pictures import PictureStyle, format_picture

BOMB_COUNTS = (1, 3)

_RULES = PRESETS["kata"]
_ACTIONS = {
    MoveKind.STEP: ActionKind.REVEAL,
    MoveKind.MARK: ActionKind.FLAG,
    MoveKind.UNMARK: ActionKind.FLAG,
}


class Answer(NamedTuple):
    """What a move returns: what the square shows now, and the message."""

    symbol: str
    message: str


class Sandbox:
    """A game from its creation to its victory or game over. It has no clock."""

    def __init__(self, setup: Setup) -> None:
        self._game = Game(setup)
        self.message = messages.CREATED

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
        self._game.apply(Action(_ACTIONS[move.kind], move.square.cell), at_ms=0)
        self.message = _message(self.view, move)
        return Answer(_symbol(self.view, move.square), self.message)

    def allows(self, move: Move) -> bool:
        """Whether the move would do anything."""
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
        return messages.FLAGGED
    if move.kind is MoveKind.UNMARK:
        return messages.UNFLAGGED
    return messages.CLOSING.get(view.status) or messages.bombs_around(view.clue(move.square.cell))


def _symbol(view: PlayerView, square: Square) -> str:
    column, row = square.cell
    return format_picture(view, PictureStyle.COMPACT).splitlines()[row][column]


def _refusal(view: PlayerView, square: Square) -> str:
    if view.status.is_over:
        return "the game is over"
    if view.is_visible(square.cell):
        return "the square is open already"
    return "the square is flagged" if view.is_flagged(square.cell) else "the square is not flagged"
