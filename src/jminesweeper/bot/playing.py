"""A game from its first move to its end, wherever it is played.

The solver's player sees what a person sees. Every move has to open or to flag a cell, so a game
ends after at most as many moves as it has cells, even on a server that shows nonsense.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Protocol

from jminesweeper.bot.link import BotError
from jminesweeper.core.actions import Action
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.solver.errors import ImpossiblePositionError
from jminesweeper.solver.guess import Strategy
from jminesweeper.solver.hints import place
from jminesweeper.solver.no_guess import Contest
from jminesweeper.solver.playing import Decision, NoMoveError, Solver

_CORNER: Final = Cell(0, 0)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended, and what it took."""

    status: Status
    moves: int
    guesses: int
    seed: int | None = None


class Watcher(Protocol):
    """Somebody who looks on, and may make the bot wait."""

    async def sees(self, move: Decision, view: PlayerView) -> Decision:
        """See what comes next, and return it, or another move that is as sure."""

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        """See how a game ended."""


class PlayableGame(Protocol):
    """A game that can be looked at and acted on."""

    @property
    def view(self) -> PlayerView:
        """What is visible now; its status says when the game is over."""

    async def apply(self, action: Action) -> bool:
        """Act, and return whether that changed anything."""


class LocalGame:
    """A game of the engine, without a server."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moves = 0

    @property
    def view(self) -> PlayerView:
        """What is visible now."""
        return self._game.view

    async def apply(self, action: Action) -> bool:
        """Act; each action takes one tick of the game's clock."""
        self._moves += 1
        return self._game.apply(action, self._moves)


async def play_out(
    game: PlayableGame,
    rules: Rules,
    watcher: Watcher | None = None,
    *,
    near: Cell = _CORNER,
    strategy: Strategy = Strategy.FULL,
    seed: int | None = None,
    patience: int = 0,
) -> GameOutcome:
    """Play a game to its end; the first of several equally sure moves is the one `near` this cell.

    BotError if the screens make no sense, or show no progress for more moves than there is
    `patience`: on a shared board others may be faster.
    """
    view = game.view
    solver = Solver(rules, strategy)
    moves = guesses = vain = 0
    while not view.status.is_over:
        move = _choose(solver, view, near)
        if watcher is not None:
            move = await watcher.sees(move, view)
        await game.apply(move.action)
        before, view = view, game.view
        vain = vain + 1 if _is_vain(before, view) else 0
        if vain > patience:
            done_last = f"{move.kind.name.lower()} {place(move.cell)}"
            raise BotError(f"The screen shows nothing new after {done_last}.")
        near, moves, guesses = move.cell, moves + 1, guesses + (move.risk > 0)
    outcome = GameOutcome(view.status, moves, guesses, seed)
    if watcher is not None:
        await watcher.sees_end(outcome, view)
    return outcome


async def play_here(
    contest: Contest, seed: int, strategy: Strategy, watcher: Watcher
) -> GameOutcome:
    """Play one game of the engine for somebody who looks on."""
    rules = replace(PRESETS["classic"], first_reveal=contest.protection, chording=False)
    game = Game(Setup.of(contest.size, contest.mine_count, rules, seed=seed % (1 << SEED_BITS)))
    game.reveal(contest.first)
    return await play_out(
        LocalGame(game), rules, watcher, near=contest.first, strategy=strategy, seed=seed
    )


def _choose(solver: Solver, view: PlayerView, near: Cell) -> Decision:
    try:
        return solver.choose(view, near)
    except NoMoveError as error:
        raise BotError("No moves are left, but the server does not end the game.") from error
    except ImpossiblePositionError as error:
        raise BotError(
            f"The screen is impossible on a board with {view.mine_count} mines."
        ) from error


def _is_vain(before: PlayerView, view: PlayerView) -> bool:
    """Whether a move has opened and flagged nothing."""
    if (view.size, view.mine_count) != (before.size, before.mine_count):
        raise BotError("The board changed in the middle of the game.")
    done, done_before = (
        each.visible_count + each.flag_count + each.known.bit_count() for each in (view, before)
    )
    return not view.status.is_over and done <= done_before
