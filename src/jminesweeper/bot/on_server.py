"""Many games on one server, over one connection.

The bot is a client like any other, but has no key, so its games enter no statistics. In version 2
it plays the game that was asked for; version 1 knows only levels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jminesweeper.bot.blocking import BlockingClient
from jminesweeper.bot.playing import GameOutcome, Watch
from jminesweeper.bot.versions import play_version_1, play_version_2
from jminesweeper.client.address import Address
from jminesweeper.client.profile import Profile, Wire
from jminesweeper.core import SEED_BITS, FirstReveal, Level, Status, Victory
from jminesweeper.protocol import (
    FirstRevealCode,
    GameKind,
    NewGame,
    NewGameFlag,
    RulesCode,
    ScreenFormat,
    Start,
)
from jminesweeper.solver import Contest

_FIRST_REVEALS: Final = {kind: FirstRevealCode[kind.name] for kind in FirstReveal}


@dataclass(frozen=True, slots=True)
class ServerGames:
    """Which games to play, and in which version of the protocol.

    With a level they follow document J's rules, otherwise those of the classic game.
    """

    contest: Contest
    games: int
    wire: Wire = Wire.AUTO
    level: Level | None = None
    seed: int | None = None

    def profile(self) -> Profile:
        """Introduce the bot."""
        size = self.contest.size
        return Profile(
            Start(size.columns, size.rows, (self.level or Level.EASY).value),
            wire=self.wire,
            needs_version_2=self.wire is Wire.TWO,
            screen_format=ScreenFormat.PLAIN,
        )

    def new_game(self, number: int) -> NewGame:
        """Ask version 2 for the game of this number."""
        size = self.contest.size
        flags, seed = NewGameFlag(0), 0
        if self.seed is not None:
            flags, seed = NewGameFlag.SEEDED, (self.seed + number) % (1 << SEED_BITS)
        if self.level is not None:
            level = self.level.value
            return NewGame(
                GameKind.LEVEL, size.columns, size.rows, level=level, flags=flags, seed=seed
            )
        return NewGame(
            GameKind.OWN,
            size.columns,
            size.rows,
            self.contest.mine_count,
            rules=RulesCode.CLASSIC,
            first_reveal=_FIRST_REVEALS[self.contest.protection],
            flags=flags,
            seed=seed,
        )


@dataclass(slots=True)
class Report:
    """What was played; `version` is that of the protocol."""

    version: int
    outcomes: list[GameOutcome] = field(default_factory=list)

    def facts(self) -> dict[str, int]:
        """Return the figures by name."""
        return {
            "wire": self.version,
            "games": len(self.outcomes),
            "won": sum(outcome.status is Status.WON for outcome in self.outcomes),
            "moves": sum(outcome.moves for outcome in self.outcomes),
            "guesses": sum(outcome.guesses for outcome in self.outcomes),
        }


def play_on_server(
    address: Address,
    games: ServerGames,
    watch: Watch | None = None,
    finished: Callable[[GameOutcome], None] | None = None,
) -> Report:
    """Play games one after the other; `finished` is told of each. BotError if that fails."""
    with BlockingClient(address, games.profile()) as client:
        report = Report(client.greet())
        for number in range(games.games):
            if report.version == 1:
                size, level = games.contest.size, games.level or Level.EASY
                outcome = play_version_1(client, size, level, watch)
            else:
                outcome = _play_version_2(client, games, number, watch)
            report.outcomes.append(outcome)
            if finished is not None:
                finished(outcome)
    return report


def _play_version_2(
    client: BlockingClient, games: ServerGames, number: int, watch: Watch | None
) -> GameOutcome:
    game, contest = games.new_game(number), games.contest
    if games.level is not None:
        return play_version_2(client, game, Victory.FLAGS, watch=watch)
    # A first reveal that nothing protects is a guess like any other.
    first = None if contest.protection is FirstReveal.OFF else contest.first
    return play_version_2(client, game, Victory.SAFE_VISIBLE, first=first, watch=watch)
