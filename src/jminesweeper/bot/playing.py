"""The solver at play: one game from its first move to its end, or many, here or on a server.

The solver's player sees what a person sees. Every move has to open or to flag a cell, so a game
ends after at most as many moves as it has cells, even on a server that shows nonsense.

A campaign is many games on this machine, in several processes. It names its boards by seeds, so
that every strategy plays the same ones and no difference between two strategies is luck.

On a server games are played over one connection, or as the rounds of a room. The bot is a client
like any other, but has no key, so its games enter no statistics.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Final, NamedTuple, Protocol

from jminesweeper.bot.link import BotError, link_to
from jminesweeper.bot.remote import RemoteGame, RoomGame, profile_for
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.core.actions import Action
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant, level_variant, sized_variant
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.recordings.figures import wilson_interval
from jminesweeper.solver.guess import Strategy
from jminesweeper.solver.hints import place
from jminesweeper.solver.knowledge import ImpossiblePositionError
from jminesweeper.solver.no_guess import Contest
from jminesweeper.solver.playing import Decision, NoMoveError, Solver, simulate

_CORNER: Final = Cell(0, 0)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The end of a game, with its moves and guesses."""

    status: Status
    moves: int
    guesses: int
    seed: int | None = None


class Watcher(Protocol):
    """A watcher, who may make the bot wait."""

    async def sees(self, move: Decision, view: PlayerView) -> Decision:
        """See what comes next, and return it, or another move that is as sure."""

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        """See how a game ended."""


class PlayableGame(Protocol):
    """A game that can be looked at and acted on."""

    @property
    def view(self) -> PlayerView:
        """The view now; its status says when the game is over."""

    async def apply(self, action: Action) -> bool:
        """Act, and return whether that changed anything."""


class LocalGame:
    """A game of the engine, without a server."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moves = 0

    @property
    def view(self) -> PlayerView:
        """The view now."""
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
        if (view.size, view.mine_count) != (before.size, before.mine_count):
            raise BotError("The board changed in the middle of the game.")
        done, done_before = (
            each.visible_count + each.flag_count + each.known.bit_count() for each in (view, before)
        )
        vain = 0 if view.status.is_over or done > done_before else vain + 1
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
    """Play one game of the engine for somebody who watches."""
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


# Campaigns

_BATCH_GAMES: Final = 50


class CampaignGame(NamedTuple):
    """One game."""

    won: bool
    guesses: int
    cpu_ns: int


@dataclass(frozen=True, slots=True)
class Campaign:
    """Games to play, and the part of the solver's strategy to play them with."""

    contest: Contest
    first_seed: int
    games: int
    strategy: Strategy = Strategy.FULL


@dataclass(frozen=True, slots=True)
class CampaignScore:
    """The totals of a campaign."""

    games: int
    won: int
    low: float
    high: float
    guesses_a_game: float
    mean_ms: float
    p99_ms: float
    worst_ms: float

    @property
    def rate(self) -> float:
        return self.won / self.games

    @staticmethod
    def of(results: Sequence[CampaignGame]) -> CampaignScore:
        games, won = len(results), sum(result.won for result in results)
        low, high = wilson_interval(won, games)
        times_ms = sorted(result.cpu_ns / 1e6 for result in results)
        return CampaignScore(
            games,
            won,
            low,
            high,
            sum(result.guesses for result in results) / games,
            sum(times_ms) / games,
            times_ms[min(games - 1, games * 99 // 100)],
            times_ms[-1],
        )


def play_game(contest: Contest, strategy: Strategy, seed: int) -> CampaignGame:
    """Play one game to its end."""
    started_ns = time.process_time_ns()
    played = simulate(contest, seed, strategy)
    return CampaignGame(played.won, played.guesses, time.process_time_ns() - started_ns)


def play_campaign(campaign: Campaign, jobs: int) -> Iterator[CampaignGame]:
    """Play all games; results come in the order of their seeds."""
    play = partial(play_game, campaign.contest, campaign.strategy)
    seeds = range(campaign.first_seed, campaign.first_seed + campaign.games)
    if jobs <= 1:
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), _end_with_parent) as pool:
        yield from pool.map(play, seeds, chunksize=_BATCH_GAMES)


def _end_with_parent() -> None:
    """End this process once the campaign's has ended: a campaign that is killed sends no word.

    A server's workers do the same (`server.workers`). The layers that both may import know nothing
    of processes, so there is no place to share it.
    """
    parent = parent_process()
    if parent is None:
        return

    def await_end() -> None:
        parent.join()
        os._exit(1)

    Thread(target=await_end, daemon=True).start()


# On a server

_PATIENCE: Final = 100
"""Tries on a shared board, where others may be faster."""


@dataclass(frozen=True, slots=True)
class ServerGames:
    """Games to play: with a level by document J's rules, otherwise by those of the classic game."""

    contest: Contest
    games: int
    level: Level | None = None
    seed: int | None = None

    def profile(self) -> Profile:
        """Introduce the bot."""
        return profile_for(self.contest.size, self.level or Level.EASY)

    @property
    def board(self) -> Variant:
        """The board of all of them."""
        size = self.contest.size
        if self.level is not None:
            return level_variant(size, self.level)
        rules = replace(PRESETS["classic"], first_reveal=self.contest.protection)
        return sized_variant(size, self.contest.mine_count, rules)

    def seed_of(self, number: int) -> int | None:
        """Return the seed of the game of this number, if the boards were chosen."""
        return None if self.seed is None else (self.seed + number) % (1 << SEED_BITS)


@dataclass(slots=True)
class Report:
    """Games that were played."""

    outcomes: list[GameOutcome] = field(default_factory=list)

    def facts(self) -> dict[str, int]:
        """Return the figures by name."""
        return {
            "games": len(self.outcomes),
            "won": sum(outcome.status is Status.WON for outcome in self.outcomes),
            "moves": sum(outcome.moves for outcome in self.outcomes),
            "guesses": sum(outcome.guesses for outcome in self.outcomes),
        }


async def play_on_server(
    address: Address,
    games: ServerGames,
    watcher: Watcher | None = None,
) -> Report:
    """Play games one after the other. BotError if that fails."""
    async with link_to(address, games.profile()) as link:
        report, game = Report(), RemoteGame(link, Setup(games.board, 0))
        for number in range(games.games):
            await game.start(games.seed_of(number))
            rules, near = PRESETS["jminesweeper"], Cell(0, 0)
            if games.level is None:
                rules, near = PRESETS["classic"], games.contest.first
                # A first reveal that nothing protects is a guess like any other.
                if games.contest.protection is not FirstReveal.OFF:
                    await game.reveal(near)
            report.outcomes.append(await play_out(game, rules, watcher, near=near))
    return report


async def play_rounds(game: RoomGame, pace_s: float = 0.0) -> AsyncIterator[GameOutcome]:
    """Play all rounds of a room until it ends, with so much time for each move."""
    while await game.next_round():
        yield await play_out(game, game.rules, _Paced(pace_s), patience=_PATIENCE)


class _Paced:
    """Makes a program think."""

    def __init__(self, pace_s: float) -> None:
        self._pace_s = pace_s

    async def sees(self, move: Decision, _view: PlayerView) -> Decision:
        await asyncio.sleep(self._pace_s)
        return move

    async def sees_end(self, outcome: GameOutcome, view: PlayerView) -> None:
        """Nothing is said here."""
