"""The contents of documents, and the texts in sorted sets: values, formatted and parsed.

A *flow* is how they are read and written: a generator that asks a store one question after the
other, and gets the answers as the values of its `yield`s.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from jminesweeper.core.actions import ON_A_CELL, unpack_entry
from jminesweeper.core.errors import CoreError
from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.records.limits import DAY_S, HOUR_S
from jminesweeper.records.statistics import SPEED_FIGURE, CategorySums, CountedGame, Sums
from jminesweeper.store.port import (
    VERSION_BITS,
    Commit,
    Document,
    Fault,
    Found,
    Read,
    StoreUnavailableError,
)

# An encoder with other separators than usual is made anew by each `dumps`. A board is its text.
_dump: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), default=attrgetter("text")
).encode
_DIGITS: Final = 16
_LAST_DAY: Final = date.max.toordinal()


@contextmanager
def reading_values() -> Iterator[None]:
    """Report a damaged store if its content makes no sense."""
    try:
        yield
    except (CoreError, LookupError, TypeError, ValueError, struct.error, zlib.error) as error:
        raise StoreUnavailableError(Fault.DAMAGED) from error


# Flows


T = TypeVar("T")

QUICK_LOG_BYTES: Final = 8_000
"""A log up to this length is replayed at once. A longer one would delay other players."""


@dataclass(frozen=True, slots=True)
class Compute:
    """A step of a flow that replays logs; long ones are replayed in a thread."""

    do: Callable[[], Any]
    log_bytes: int

    def __call__(self) -> Any:
        return self.do()

    @property
    def is_quick(self) -> bool:
        return self.log_bytes <= QUICK_LOG_BYTES


Flow: TypeAlias = Generator[Read | Commit, Any, T]
"""Asks a store and gets its answers; an error of the store is raised in it."""
LongFlow: TypeAlias = Generator[Read | Commit | Compute, Any, T]
"""A flow that replays logs."""


def read_document(key: str) -> Flow[Document]:
    found: Found = yield Read((key,))
    return found.documents[0]


def new_version(draw: RandomBits) -> int:
    return draw(VERSION_BITS) | 1


# Documents


class Note(NamedTuple):
    """Clock, cursor and pause, which no log has; they count while the log has this length."""

    length: int
    clock_ms: int
    cursor: Cell
    is_paused: bool = False

    @staticmethod
    def of_log(entries: Sequence[int], grid: Grid) -> Note:
        """Return clock and cursor as the actions of a log left them."""
        last = map(unpack_entry, reversed(entries))
        cell = next((index for _, kind, index, _ in last if kind in ON_A_CELL), 0)
        clock_ms = unpack_entry(entries[-1])[0] if entries else 0
        return Note(len(entries), clock_ms, grid.cell(cell))

    def format(self) -> str:
        return _dump(self)

    @staticmethod
    @reading_values()
    def parse(body: str) -> Note:
        length, clock_ms, cursor, is_paused = json.loads(body)
        return Note(length, clock_ms, Cell(*cursor), is_paused)


class Label(NamedTuple):
    """A label on a game as it was after the first `length` entries of its log."""

    code: str
    length: int
    saved_at_s: int
    variant: Variant
    opened_share: float
    clock_ms: int
    cursor: Cell
    is_aside: bool = False
    """The whole game waits here, not a copy of it: it is resumed, and not loaded."""

    @staticmethod
    def read(row: Sequence[Any]) -> Label:
        variant, cursor = Variant.parse(row[3]), Cell(*row[6])
        return Label._make((*row[:3], variant, *row[4:6], cursor, *row[7:]))


class Outcome(NamedTuple):
    """The end of a game, the length of its log then, and the figures to compare it by."""

    status: Status
    length: int
    time_ms: int
    wall_ms: int
    """From the first action to the last on the server's clock: what a leaderboard ranks."""
    ended_at_s: int
    is_assisted: bool = False
    figures: Mapping[str, float] = {}
    order: str = ""
    """Its place in a history: the time at which it was recorded first."""
    is_fast: bool = False
    """Faster than any hand: a program played, no matter what its client said."""
    counts: bool = False
    """It shows what one player can do: unaided, alone, on an unseen board."""
    luck: float | None = None
    """Of a ranked win that was reviewed: the chance to survive its forced guesses."""
    needless: int | None = None
    """Number of its guesses where a safe cell could be found."""

    def row(self) -> Mapping[str, Any]:
        row = {**self._asdict(), "status": self.status.value}
        return {name: value for name, value in row.items() if value is not None}


@dataclass(frozen=True, slots=True)
class GameDocument:
    """A game without its log; the author of an entry is a seat."""

    setup: Setup
    seats: tuple[str, ...] = ()
    """The players, by their IDs."""
    begun_at_ms: int = 0
    """Time of the first action, in milliseconds since 1970."""
    outcome: Outcome | None = None
    is_listed: bool = False
    """It is in its players' histories, which keep it."""
    is_given_up: bool = False
    """Another game took its place once: its player may have seen the board since."""
    is_program: bool = False
    """A client that said it is a program has acted."""
    rival: Sequence[Any] = ()
    """The opponent that its player races alone, as a row of plain values."""

    @property
    def variant(self) -> Variant:
        return self.setup.variant

    @property
    def is_shared(self) -> bool:
        return len(self.seats) > 1

    @property
    def result(self) -> CountedGame | None:
        """The game as statistics count it, once it is over."""
        if (outcome := self.outcome) is None:
            return None
        speed = outcome.figures.get(SPEED_FIGURE)
        category, counts = self.variant.category, outcome.counts
        return CountedGame(category, outcome.status, counts, outcome.time_ms, speed)

    @property
    def is_finished(self) -> bool:
        """True if it was won or lost: a game that was given up may be resumed."""
        return self.outcome is not None and self.outcome.status is not Status.TERMINATED

    @property
    def leaderboard(self) -> Leaderboard:
        """The wins that a win is compared with."""
        is_fast = self.outcome is not None and self.outcome.is_fast
        return Leaderboard(self.variant, self.is_program or is_fast)

    @property
    def is_ranked(self) -> bool:
        outcome = self.outcome
        if outcome is None or outcome.status is not Status.WON:
            return False
        return outcome.counts and self.variant.is_classic_board

    def format(self) -> str:
        outcome = self.outcome
        document = {
            "board": self.setup,
            "seats": self.seats,
            "begun": self.begun_at_ms,
            "result": outcome and outcome.row(),
            "listed": self.is_listed or None,
            "given up": self.is_given_up or None,
            "program": self.is_program or None,
            "rival": self.rival or None,
        }
        return _dump({name: value for name, value in document.items() if value is not None})

    @staticmethod
    @reading_values()
    def parse(body: str) -> GameDocument:
        document = json.loads(body)
        result = document.get("result")
        return GameDocument(
            Setup.parse(document["board"]),
            tuple(document["seats"]),
            document["begun"],
            None if result is None else Outcome(**{**result, "status": Status(result["status"])}),
            document.get("listed", False),
            document.get("given up", False),
            document.get("program", False),
            document.get("rival", ()),
        )


_NOTHING: Final[Mapping[str, Any]] = {}
"""Shared by all players: two empty tables of their own take 128 bytes."""


@dataclass(frozen=True, slots=True)
class PlayerDocument:
    """A player: everything but the games themselves and the sums of ended games."""

    id: str
    name: str = ""
    settings: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    current: str = ""
    """The code of the game that is played or waits."""
    saves: Mapping[str, Label] = field(default_factory=lambda: _NOTHING)
    devices: tuple[str, ...] = ()
    offer: str = ""
    first_end_s: int = 0
    """Time at which their first game ended: from then on they are kept for good. 0 before."""
    until_day: int = 0
    """Last day on which a player without a finished game is kept, in days since 1970."""

    @property
    def codes(self) -> Sequence[str]:
        """The games that it refers to."""
        return sorted({self.current, *(save.code for save in self.saves.values())} - {""})

    def may_rank_at(self, at_s: int) -> bool:
        """Return True if a win at this time may rank on a board of the day.

        Otherwise a second key would be a second try: look with one, win with the other.
        """
        first_s = self.first_end_s
        is_older = at_s // DAY_S > first_s // DAY_S or at_s >= first_s + HOUR_S
        return bool(first_s) and is_older

    def refers_to(self, code: str) -> bool:
        return self.current == code or any(save.code == code for save in self.saves.values())

    def format(self) -> str:
        document = {name: getattr(self, name) for name in _PLAIN_PLAYER}
        document["settings"] = dict(self.settings)
        document["saves"] = dict(self.saves)
        return _dump(document)

    @staticmethod
    @reading_values()
    def parse(player: str, body: str) -> PlayerDocument:
        document = json.loads(body)
        saves = {name: Label.read(row) for name, row in document["saves"].items()}
        document["saves"] = saves or _NOTHING
        document["devices"] = tuple(document["devices"])
        return PlayerDocument(player, **document)

    @staticmethod
    @reading_values()
    def parse_name(body: str) -> str:
        name: str = json.loads(body)["name"] if body else ""
        return name


_PLAIN_PLAYER: Final = ("name", "current", "devices", "offer", "first_end_s", "until_day")


def format_sums(sums: CategorySums) -> str:
    return _dump([*sums.ranked, *sums.unranked, sums.streak, sums.best_streak])


@reading_values()
def parse_sums(body: str) -> CategorySums:
    if not body:
        return CategorySums()
    row, width = json.loads(body), len(Sums._fields)
    return CategorySums(Sums(*row[:width]), Sums(*row[width : 2 * width]), *row[2 * width :])


def format_races(played: int, won: int) -> str:
    return _dump([played, won])


@reading_values()
def parse_races(body: str) -> tuple[int, int]:
    played, won = json.loads(body) if body else (0, 0)
    return played, won


@reading_values()
def parse_count(body: str) -> int:
    return int(body or 0)


# Texts on boards, which sort


OTHERS: Final = ""
"""The line for all categories beyond the limit."""


@reading_values()
def parse_category(line: str) -> Variant | None:
    """Read a line of statistics: the text of a board, or nothing for all others."""
    return Variant.parse(line) if line else None


class Leaderboard(NamedTuple):
    """The wins of a board that are compared: those of people, or those of programs."""

    variant: Variant
    is_of_programs: bool = False
    is_clean: bool = False
    """Only wins without a needless guess."""

    def format(self) -> str:
        """Name it: its board's text, after a key that sorts as leaderboards are listed.

        Boards without a day come first, then the latest day; changed rules after those of a preset,
        programs after people, wins without a needless guess after all wins.
        """
        daily, has_own_rules = self.variant.daily, self.variant.rules not in PRESETS.values()
        day = "" if daily is None else f"{_LAST_DAY - daily.toordinal():07}"
        marks = f"{has_own_rules:d}{self.is_of_programs:d}{self.is_clean:d}"
        return f"{day} {marks} {self.variant.text}"

    @staticmethod
    @reading_values()
    def parse(name: str) -> Leaderboard:
        _, marks, text = name.split(" ", 2)
        _, is_of_programs, is_clean = (mark == "1" for mark in marks)
        return Leaderboard(Variant.parse(text), is_of_programs, is_clean)


class Win(NamedTuple):
    """A place among wins: the fastest first, then the earliest."""

    wall_ms: int
    ended_at_s: int
    order: str
    code: str
    player: str

    def format(self) -> str:
        wall_ms, ended_at_s = format_number(self.wall_ms), format_number(self.ended_at_s)
        return f"{wall_ms}|{ended_at_s}|{self.order}|{self.code}|{self.player}"

    @staticmethod
    @reading_values()
    def parse(text: str) -> Win:
        wall_ms, ended_at_s, order, code, player = text.split("|")
        return Win(int(wall_ms), int(ended_at_s), order, code, player)


class Hoard(NamedTuple):
    """The number of a player's finished games that may go."""

    games: int
    player: str

    def format(self) -> str:
        return f"{format_number(self.games)}|{self.player}"

    @staticmethod
    @reading_values()
    def parse(text: str) -> Hoard:
        games, player = text.split("|")
        return Hoard(int(games), player)


class Due(NamedTuple):
    """A game that ended with the entry at this length, or was given up there, to be settled."""

    ended_at_ms: int
    code: str
    length: int

    def format(self) -> str:
        return f"{format_number(self.ended_at_ms)}|{self.code}|{self.length}"

    @staticmethod
    @reading_values()
    def parse(text: str) -> Due:
        ended_at_ms, code, length = text.split("|")
        return Due(int(ended_at_ms), code, int(length))


def review_of(code: str, outcome: Outcome) -> Due:
    """Name the review of a ranked win, on the board of reviews that are due."""
    return Due(int(outcome.order), code, outcome.length)


class KeptNewcomer(NamedTuple):
    """A newcomer, and the day until which they are kept."""

    until_day: int
    player: str

    def format(self) -> str:
        return f"{format_number(self.until_day)}|{self.player}"

    @staticmethod
    @reading_values()
    def parse(text: str) -> KeptNewcomer:
        until_day, _, player = text.partition("|")
        return KeptNewcomer(int(until_day), player)


def format_number(value: int) -> str:
    return f"{value:0{_DIGITS}}"


def format_entry(order: str, code: str) -> str:
    return f"{order}|{code}"


def code_of_entry(entry: str) -> str:
    return entry.rpartition("|")[2]
