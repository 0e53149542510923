"""Replies, questions and work, which go out of a session; and the events that come in.

A session never waits. When it needs an answer from the store or from a worker before it can
reply, the reply holds a question instead of a screen, and `Session.resolve` continues with the
answer. What takes long and holds no reply up is work: its result comes back as an event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.records.documents import Flow
from jminesweeper.records.journal import AnyJournal
from jminesweeper.records.reviews import Verdict
from jminesweeper.records.table import Change
from jminesweeper.store.port import Operation

Errand: TypeAlias = Flow[Any]
"""A flow that is carried out in the background."""


@dataclass(frozen=True, slots=True)
class _AroundCursor:
    view: PlayerView
    cursor: Cell


class FindHint(_AroundCursor):
    """Find a safe cell, or the best guess; answered with a FoundHint, or None if out of time.

    Where the whole board takes too long, only the part around the cursor counts.
    """


class FoundHint(NamedTuple):
    """A hint as shown: a sentence, the cell it recommends, and the cells that tell why."""

    text: str
    cell: Cell
    because: tuple[Cell, ...] = ()


class FindOdds(_AroundCursor):
    """Find the chances of a mine in the covered cells around the cursor; answered with FoundOdds.

    None if that takes too long.
    """


class FoundOdds(NamedTuple):
    """Chances of a mine in percent, by the index of the cell; 0 and 100 are certain."""

    percents: Mapping[int, int]
    is_exact: bool

    def on(self, grid: Grid) -> tuple[tuple[int, int], ...]:
        """Return the chances by the number of the cell in reading order."""
        columns, stride = grid.size.columns, grid.stride
        return tuple(
            (index // stride * columns + index % stride, percent)
            for index, percent in self.percents.items()
        )


class FindSolved(_AroundCursor):
    """Find the next cell that one or two numbers decide; answered with FoundSolved, or None."""


class FoundSolved(NamedTuple):
    """The next such cell, if there is one, and whether it is a mine."""

    cell: Cell | None
    is_mine: bool = False


class LayBoard(NamedTuple):
    """Lay a board that needs no guess after this cell; answered with its mines, or None."""

    setup: Setup
    first: Cell


class Wish(NamedTuple):
    """Change a room; answered with the room or a refusal."""

    code: str
    player: str
    change: Change


class RaceSolver(NamedTuple):
    """The solver plays a board at a pace; answered with a Rival, or None if out of time."""

    setup: Setup
    pace_ms: int
    """The mean time of a move."""
    name: str


class PlayBoard(NamedTuple):
    """The solver plays a board at a pace; answered with its entries, or None."""

    setup: Setup
    pace_ms: int
    """The mean time of a move."""
    seed: int
    """For how the times differ."""


class Rebuild(NamedTuple):
    """Replay the log of a long game; answered with the game, or None if it cannot be played."""

    setup: Setup
    entries: bytes


@dataclass(frozen=True, slots=True)
class _Ended:
    setup: Setup
    entries: Sequence[int]


class Analyse(_Ended):
    """Judge a finished game; answered with the lines of a page, or None if it takes too long."""


@dataclass(frozen=True, slots=True)
class Review(_Ended):
    """Judge a finished game; what is found, or None, comes back in a `Reviewed`."""

    code: str = ""
    """Its record, where a player's own is; what is found is recorded there."""


class FoundReview(NamedTuple):
    """The findings of a review: the figures to show, and what is recorded."""

    figures: Sequence[tuple[str, str]]
    verdict: Verdict


class AwaitStored(NamedTuple):
    """Wait until the store has the actions at a match, or fails; answered with None."""

    call: Callable[[Callable[[object], object]], object]
    """Takes what to call then."""


SolverQuestion: TypeAlias = FindHint | FindOdds | FindSolved | LayBoard | RaceSolver | Analyse
"""A question for a worker."""

Question: TypeAlias = Operation | SolverQuestion | Rebuild | AwaitStored | Wish
"""A question that the store, a worker, a thread or a table must answer before the next packet.

A store answers with a result or a StoreError.
"""


class Reviewed(NamedTuple):
    """A finished game was judged."""

    review: Review
    found: FoundReview | None


@dataclass(frozen=True, slots=True)
class Moved:
    """The player has begun or resumed a game on another device."""


@dataclass(frozen=True, slots=True)
class Ticked:
    """Some time has passed, in which something may have become due."""


Event: TypeAlias = Reviewed | Moved | Ticked
"""Something that happens without a packet, and is passed to `Session.notice`."""


class Wait(NamedTuple):
    """The entries of a game that must be stored before a reply leaves."""

    journal: AnyJournal
    length: int
    before: object
    """The client's knowledge before this reply, should it have to be renewed."""


class Effects(NamedTuple):
    """The effects of a reply besides its screen."""

    wait: Wait | None = None
    """The screen is not sent before."""
    errands: Sequence[Errand] = ()
    """Carry these out; nothing waits for them."""
    question: Question | None = None
    """Answer this before the next packet; there is no screen yet."""
    work: Review | None = None
    """Start this now; its result comes back as an event."""
    games_ended: int = 0
    closes: bool = False
    """Close the connection once everything before is sent."""


Reply: TypeAlias = tuple[bytes, Effects | None]
"""A screen to send in one piece, empty if there is none, and what it entails."""


@dataclass(eq=False, slots=True)
class Outbound:
    """Collects what a reply entails, while a packet is handled."""

    reply_bytes: bytes = b""
    """Sent in place of a screen."""
    errands: tuple[Errand, ...] = ()
    question: Question | None = None
    work: Review | None = None
    games_ended: int = 0
    closes: bool = False

    def drain(self, wait: Wait | None = None) -> Effects | None:
        """Return what was collected, if anything was, and start over."""
        if not (self.errands or self.question or self.work or self.games_ended or self.closes):
            return None if wait is None else Effects(wait)
        effects = Effects(
            wait, self.errands, self.question, self.work, self.games_ended, self.closes
        )
        self.errands, self.question, self.work = (), None, None
        self.games_ended, self.closes = 0, False
        return effects
