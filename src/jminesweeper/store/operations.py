"""The operations of a store, as values, each naming the type of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from jminesweeper.core.grid import Cell
from jminesweeper.core.variant import Variant
from jminesweeper.store.errors import StoreLimitError
from jminesweeper.store.statistics import Statistics
from jminesweeper.store.values import (
    MAX_LISTED,
    Entrance,
    FinishedGame,
    KnownPlayer,
    RunningGame,
    SaveLabel,
    Score,
    Total,
    check_label,
    check_number,
    check_progress,
    check_settings,
    check_share,
)

AnswerT_co = TypeVar("AnswerT_co", covariant=True)


class Operation(Generic[AnswerT_co]):
    """A request to a store; the parameter is the type of the answer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Enter(Operation[Entrance]):
    """Let a player in, and claim the running game for `owner`, from any earlier owner.

    The answer names another player if this one's device took an offer.

    A name that is not empty replaces the one known. A player the store does not know is not
    stored by this: only from the first write on.
    """

    player: str
    name: str
    owner: str

    def __post_init__(self) -> None:
        check_label(self.player)
        check_label(self.name)
        check_label(self.owner)


@dataclass(frozen=True, slots=True)
class PutPlayer(Operation[None]):
    """Store a player's name and settings; a new player is known from now on."""

    player: str
    name: str
    settings: Mapping[str, str]
    at_s: int

    def __post_init__(self) -> None:
        check_label(self.player)
        check_label(self.name)
        check_settings(self.settings)
        check_number(self.at_s)


@dataclass(frozen=True, slots=True)
class PutRunning(Operation[int]):
    """Replace the running game by a whole one: a new one, or one the store fell behind on.

    The answer is the revision to append at. A player whom the store does not know, or a game that
    nobody has claimed, is accepted: a store that comes back empty gets the running games.
    """

    player: str
    owner: str
    game: RunningGame

    def __post_init__(self) -> None:
        check_label(self.player)
        check_label(self.owner)


@dataclass(frozen=True, slots=True)
class Append(Operation[int]):
    """Add entries to the running game at `revision`; the answer is the next revision."""

    player: str
    owner: str
    revision: int
    entries: bytes
    clock_ms: int
    cursor: Cell

    def __post_init__(self) -> None:
        check_number(self.revision)
        check_progress(self.entries, self.clock_ms, self.cursor)


@dataclass(frozen=True, slots=True)
class Note(Operation[None]):
    """Store what is not in the running game's log: clock, cursor, pause.

    Fenced by the owner like every write, but without a revision: the latest one counts, until an
    Append replaces it. A lost note costs nothing else.
    """

    player: str
    owner: str
    clock_ms: int
    cursor: Cell
    is_paused: bool

    def __post_init__(self) -> None:
        check_progress(b"", self.clock_ms, self.cursor)


@dataclass(frozen=True, slots=True)
class ConfirmHold(Operation[None]):
    """Ask whether the running game is still this owner's; FencedError if another one claimed it.

    A game that nobody has claimed counts as this owner's.
    """

    player: str
    owner: str

    def __post_init__(self) -> None:
        check_label(self.player)
        check_label(self.owner)


@dataclass(frozen=True, slots=True)
class Record(Operation[None]):
    """Record a finished game, or only count it if it has no player.

    A game recorded again replaces what was recorded of it, since a lost game may be undone and
    played on; but what was won stays won.
    """

    game: FinishedGame


@dataclass(frozen=True, slots=True)
class Finish(Operation[int]):
    """Append the last entries and record the game, both or neither; the game stays claimable."""

    last: Append
    game: FinishedGame

    def __post_init__(self) -> None:
        if self.game.player != self.last.player:
            raise StoreLimitError("A player cannot finish another player's game.")


@dataclass(frozen=True, slots=True)
class PutSave(Operation[None]):
    """Save a game under a name, in place of what was saved under it."""

    player: str
    name: str
    game: RunningGame
    at_s: int
    opened_share: float = 0.0
    """How much of the board is opened, from 0 to 1: a list of saves does not read their logs."""

    def __post_init__(self) -> None:
        check_label(self.name)
        check_number(self.at_s)
        check_share(self.opened_share)


@dataclass(frozen=True, slots=True)
class DropSave(Operation[bool]):
    """Delete a save; the answer is whether there was one."""

    player: str
    name: str

    def __post_init__(self) -> None:
        check_label(self.name)


@dataclass(frozen=True, slots=True)
class FindPlayer(Operation[KnownPlayer | None]):
    """The player with this id, or whose offer the device took; None if the store knows none."""

    player: str

    def __post_init__(self) -> None:
        check_label(self.player)


@dataclass(frozen=True, slots=True)
class PutOffer(Operation[None]):
    """Let the device that names this code first play as this player, before `end_s`.

    The code is a hash, so a store holds none that can be typed. A player has one offer,
    the latest.
    """

    player: str
    code: str
    at_s: int
    end_s: int

    def __post_init__(self) -> None:
        check_label(self.code)
        check_number(self.at_s)
        check_number(self.end_s)
        if self.end_s <= self.at_s:
            raise StoreLimitError("An offer ends after it was made.")


@dataclass(frozen=True, slots=True)
class TakeOffer(Operation[bool]):
    """Let a device play as the maker of this offer, from its next `Enter` on, if there is one.

    A device is the player that its key names, until it takes an offer.
    """

    device: str
    code: str
    at_s: int

    def __post_init__(self) -> None:
        check_label(self.device)
        check_label(self.code)
        check_number(self.at_s)


@dataclass(frozen=True, slots=True)
class ListSaves(Operation[tuple[SaveLabel, ...]]):
    """The player's saves, the latest first."""

    player: str


@dataclass(frozen=True, slots=True)
class FindSave(Operation[RunningGame | None]):
    """What the player saved under this name."""

    player: str
    name: str

    def __post_init__(self) -> None:
        check_label(self.name)


@dataclass(frozen=True, slots=True)
class FindGame(Operation[FinishedGame | None]):
    """The finished game of a known player with this public code."""

    code: str

    def __post_init__(self) -> None:
        check_label(self.code)


@dataclass(frozen=True, slots=True)
class ListGames(Operation[tuple[FinishedGame, ...]]):
    """The player's finished games, the latest first."""

    player: str
    limit: int = 20

    def __post_init__(self) -> None:
        check_number(self.limit)


@dataclass(frozen=True, slots=True)
class ReadStatistics(Operation[Statistics]):
    """The player's statistics, the categories most played one by one."""

    player: str


@dataclass(frozen=True, slots=True)
class ReadLeaderboard(Operation[tuple[Score, ...]]):
    """The best win of each player on a board, the fastest first, then the earliest."""

    board: Variant
    """A category, or a day's board of it."""
    limit: int = 10

    def __post_init__(self) -> None:
        check_number(self.limit)


@dataclass(frozen=True, slots=True)
class ReadOwnBest(Operation[tuple[Score, ...]]):
    """The player's own best wins on the board of a leaderboard, as they would rank; unnamed."""

    player: str
    board: Variant

    def __post_init__(self) -> None:
        check_label(self.player)


@dataclass(frozen=True, slots=True)
class ListBoards(Operation[tuple[Variant, ...]]):
    """The boards that somebody has a place on: those without a day, then daily ones, latest first.

    Those of one day, and those without, come by name, boards with changed rules last.
    """

    limit: int = MAX_LISTED

    def __post_init__(self) -> None:
        check_number(self.limit)


@dataclass(frozen=True, slots=True)
class ReadTotals(Operation[tuple[Total, ...]]):
    """The totals of all players and of those without a key, the categories most played first.

    The last line counts all other categories, if there are any.
    """
