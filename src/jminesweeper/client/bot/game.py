"""A game from its first move to its end, on whichever wire it is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from jminesweeper.client.bot.outcome import BotError, Outcome
from jminesweeper.core import Cell, PlayerView, Victory
from jminesweeper.solver import ImpossiblePositionError, Move, NoMoveError, Player

Watch: TypeAlias = Callable[[Move, PlayerView], None]


class Table(Protocol):
    """Where a game is played."""

    def look(self) -> PlayerView:
        """Return what is seen now; its status says when the game is over."""

    def act(self, move: Move) -> None:
        """Make a move."""


def play_out(table: Table, victory: Victory, watch: Watch | None = None) -> Outcome:
    """Play a game to its end; BotError if the screens make no sense or nothing moves on."""
    view = table.look()
    player = Player(view.size, view.mine_count)
    here, moves, guesses = Cell(0, 0), 0, 0
    while not view.status.is_over:
        move = _choose(player, view, victory, here)
        if watch is not None:
            watch(move, view)
        table.act(move)
        before, view = view, table.look()
        _check_progress(before, move, view)
        here, moves, guesses = move.cell, moves + 1, guesses + (move.risk > 0)
    return Outcome(view.status, moves, guesses)


def _choose(player: Player, view: PlayerView, victory: Victory, here: Cell) -> Move:
    try:
        return player.choose(view, victory, near=here)
    except NoMoveError as error:
        raise BotError("There is nothing left to do, but the server does not say so.") from error
    except ImpossiblePositionError as error:
        raise BotError(
            f"The server's screens cannot be of a board with {view.mine_count} mines."
        ) from error


def _check_progress(before: PlayerView, move: Move, view: PlayerView) -> None:
    """Every move opens or flags a cell, so that no game has more moves than cells."""
    if (view.size, view.mine_count) != (before.size, before.mine_count):
        raise BotError("The server's screen shows another board in the middle of a game.")
    done, done_before = (each.visible_count + each.flag_count for each in (view, before))
    if not view.status.is_over and done <= done_before:
        column, row = move.cell
        name = move.kind.name.lower()
        raise BotError(f"The server's screen shows nothing new after {name} {column} {row}.")
