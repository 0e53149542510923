"""Taking everything out of one store and putting it into another, player by player.

The servers have to be stopped first. Putting a player in replaces all that the store has of them,
so an interrupted transfer is simply repeated. The owner of a running game is not copied: the
player's next connection claims it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from jminesweeper.core.variant import Variant
from jminesweeper.store.errors import StoreLimitError
from jminesweeper.store.operations import Operation, PutSave
from jminesweeper.store.statistics import CategorySums
from jminesweeper.store.values import (
    FinishedGame,
    KnownPlayer,
    RunningGame,
    check_label,
    check_number,
    check_save_count,
)

Tally: TypeAlias = Mapping[Variant | None, CategorySums]
"""Sums by category; those of None stand for all categories beyond the limit."""


@dataclass(frozen=True, slots=True)
class PlayerData:
    """Everything a store has of one player."""

    player: KnownPlayer
    running: RunningGame | None = None
    saves: tuple[PutSave, ...] = ()
    """By name."""
    games: tuple[FinishedGame, ...] = ()
    """The finished games that are kept, the oldest first; the best wins are among them."""
    tally: Tally = field(default_factory=dict)
    devices: tuple[str, ...] = ()
    """The devices that took an offer of the player, in order."""

    def __post_init__(self) -> None:
        check_save_count(len(self.saves))
        owners = {save.player for save in self.saves} | {game.player for game in self.games}
        if owners - {self.player.id}:
            raise StoreLimitError("A player's data holds no game of another.")


@dataclass(frozen=True, slots=True)
class ListPlayers(Operation[tuple[str, ...]]):
    """The next players after this one, in the order of their names for the store."""

    after: str = ""
    limit: int = 1_000

    def __post_init__(self) -> None:
        check_label(self.after)
        check_number(self.limit)


@dataclass(frozen=True, slots=True)
class ExportPlayer(Operation[PlayerData | None]):
    """Everything the store has of a player; nothing is removed."""

    player: str


@dataclass(frozen=True, slots=True)
class ImportPlayer(Operation[None]):
    """Put a player in, in place of everything the store has of them."""

    data: PlayerData


@dataclass(frozen=True, slots=True)
class ExportTotals(Operation[Tally]):
    """The sums of all games, those of anonymous players included."""


@dataclass(frozen=True, slots=True)
class ImportTotals(Operation[None]):
    """Put the sums of all games in place of those the store has."""

    tally: Tally


@dataclass(frozen=True, slots=True)
class FindDamage(Operation[tuple[str, ...]]):
    """What the storage itself finds wrong with its content, a sentence each."""
