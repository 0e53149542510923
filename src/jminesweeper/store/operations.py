"""What a store can be asked: operations as values, each naming the type of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from jminesweeper.core import Cell
from jminesweeper.store.errors import StoreLimitError
from jminesweeper.store.statistics import Statistics
from jminesweeper.store.values import (
    Board,
    FinishedGame,
    Holding,
    Player,
    RunningGame,
    SaveLabel,
    Score,
    Total,
    check_label,
    check_number,
    check_progress,
    check_settings,
)

AnswerT_co = TypeVar("AnswerT_co", covariant=True)


class Operation(Generic[AnswerT_co]):
    """Something to ask a store; the parameter is the type of the answer."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Greet(Operation[Player]):
    """Know the player from now on; a name that is not empty replaces the one known."""

    player: str
    name: str
    at_s: int

    def __post_init__(self) -> None:
        check_label(self.player)
        check_label(self.name)
        check_number(self.at_s)


@dataclass(frozen=True, slots=True)
class PutSettings(Operation[None]):
    """Replace the player's settings."""

    player: str
    settings: Mapping[str, str]

    def __post_init__(self) -> None:
        check_settings(self.settings)


@dataclass(frozen=True, slots=True)
class Claim(Operation[Holding]):
    """Take the player's running game over, whoever held it; also if there is none yet."""

    player: str
    owner: str

    def __post_init__(self) -> None:
        check_label(self.owner)


@dataclass(frozen=True, slots=True)
class PutRunning(Operation[int]):
    """Put a whole game in place of the running one: a new one, or one the store fell behind of.

    The answer is the revision to append at. It needs neither greeting nor claim where there was
    none: a store that comes back empty takes up the games of those who play. With `takes_over` it
    claims as well: for who came while the store could not be asked, and has played since.
    """

    player: str
    owner: str
    game: RunningGame
    takes_over: bool = False

    def __post_init__(self) -> None:
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
    is_paused: bool = False

    def __post_init__(self) -> None:
        check_number(self.revision)
        check_progress(self.entries, self.clock_ms, self.cursor)


@dataclass(frozen=True, slots=True)
class Record(Operation[None]):
    """Keep a finished game, or count it if it has no player.

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
            raise StoreLimitError("A player finishes no game of another.")


@dataclass(frozen=True, slots=True)
class PutSave(Operation[None]):
    """Save a game under a name, in place of what was saved under it."""

    player: str
    name: str
    game: RunningGame
    at_s: int

    def __post_init__(self) -> None:
        check_label(self.name)
        check_number(self.at_s)


@dataclass(frozen=True, slots=True)
class DropSave(Operation[bool]):
    """Forget a save; tells whether there was one."""

    player: str
    name: str

    def __post_init__(self) -> None:
        check_label(self.name)


@dataclass(frozen=True, slots=True)
class FindPlayer(Operation[Player | None]):
    """The player with this id, if the store knows one."""

    player: str

    def __post_init__(self) -> None:
        check_label(self.player)


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
    """What the player's finished games add up to."""

    player: str


@dataclass(frozen=True, slots=True)
class ReadLeaderboard(Operation[tuple[Score, ...]]):
    """The best win of each player on a board, the fastest first, then the earliest."""

    board: Board
    limit: int = 10

    def __post_init__(self) -> None:
        check_number(self.limit)


@dataclass(frozen=True, slots=True)
class ListBoards(Operation[tuple[Board, ...]]):
    """The boards that somebody stands on, by category, the latest daily boards first."""

    limit: int = 100

    def __post_init__(self) -> None:
        check_number(self.limit)


@dataclass(frozen=True, slots=True)
class ReadTotals(Operation[tuple[Total, ...]]):
    """The totals of all players and of those without a key, by category."""
