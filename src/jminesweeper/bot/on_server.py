"""Many games on one server, over one connection, and the rounds of a room.

The bot is a client like any other, but has no key, so its games enter no statistics.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Final

from jminesweeper.bot.link import link_to
from jminesweeper.bot.playing import GameOutcome, Watcher, play_out
from jminesweeper.bot.remote import RemoteGame, profile_for
from jminesweeper.bot.room import RoomGame
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import PRESETS, FirstReveal, Level
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant, level_variant, sized_variant
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.solver.no_guess import Contest
from jminesweeper.solver.playing import Decision

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
