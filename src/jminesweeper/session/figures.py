"""The figures of a game: as numbers to keep, in words for its end, and as a rival's course.

A rival is an earlier player of a board, or the solver: how much was open after how many
milliseconds. In a race alone that is all there is to see of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from jminesweeper.core.actions import ON_A_CELL, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import Figures, count_known
from jminesweeper.records.documents import reading_values
from jminesweeper.records.rooms import Finish, finish_of
from jminesweeper.session.messages import format_clock, percent, seconds

MOST_PACED_CELLS: Final = 10_000
"""Counting openings on a larger board would delay other players."""


class Pace:
    """The speed and efficiency of a running game, by what its player can see.

    Every view asks for it, so the count is kept until the game changes.
    """

    def __init__(self) -> None:
        self._counted = self._clicks = self._visible = self._known = 0

    def of(self, game: Game) -> tuple[int, int] | None:
        """Return 3BV and clicks; nothing before the first click or on huge boards."""
        if game.setup.size.cells > MOST_PACED_CELLS:
            return None
        entries = game.log.entries
        if len(entries) > self._counted:
            kinds = (unpack_entry(entry)[1] for entry in entries[self._counted :])
            self._clicks += sum(kind in ON_A_CELL for kind in kinds)
            self._counted = len(entries)
        if game.visible != self._visible:
            self._visible = game.visible
            planes = game.view.clue_planes
            self._known = count_known(game.grid, game.visible, planes, game.setup.rules)
        return (self._known, self._clicks) if self._clicks else None


def summarise(game: Game) -> Sequence[tuple[str, str]]:
    """Return the figures in words, for the end of the game: their names and values."""
    figures = Figures.of(game)
    speed, board = figures.bbbv_per_second, figures.board
    pace = "" if speed is None else f", {speed:.2f} a second"
    clicks = f"{figures.left_clicks} left, {figures.right_clicks} right, {figures.chords} chords"
    told = [
        ("time", seconds(figures.elapsed_ms)),
        ("3BV", f"{figures.solved} of {figures.bbbv}{pace}"),
        ("openings", f"{board.openings}, islands {board.islands}"),
        (f"clicks {figures.clicks}:", clicks),
    ]
    if figures.efficiency is not None:
        told.append(("efficiency", percent(figures.efficiency)))
    if game.shared_setup.has_code:
        told.append(("seed code", format_seed_code(game.shared_setup)))
    if game.assisted:
        told.append(("not ranked:", "help used"))
    elif game.setup.variant.is_repeat:
        told.append(("not ranked:", "board known before"))
    return tuple(told)


_STEPS: Final = 10
_BARS: Final = "▁▂▃▄▅▆▇█"


def share_line(game: Game) -> str:
    """Write one line about a game that gives nothing of its board away.

    What was opened in each tenth of the time is a bar, the longest where most was.
    """
    variant, rival = game.setup.variant, rival_of(game, "")
    end_ms = rival.finish.time_ms
    shares = [rival.opened(end_ms * step // _STEPS) for step in range(1, _STEPS + 1)]
    opened = [share - before for before, share in pairwise([0, *shares])]
    most = max(1, *opened)
    bars = "".join(_BARS[(len(_BARS) - 1) * max(0, each) // most] for each in opened)
    time = f"{format_clock(end_ms // 1000)}.{end_ms // 100 % 10}"
    won = "won in" if game.status is Status.WON else f"lost at {shares[-1] // 10} % after"
    helped = " with help" if game.assisted else ""
    return f"JMinesweeper {variant.board} {variant.daily}: {won} {time}{helped} {bars}"


# The course of a game

PACES: Final[Mapping[str, int]] = {"calm": 2_000, "brisk": 900, "merciless": 350}
"""Mean times of the solver's moves, in milliseconds."""
LOOK_MS: Final = 250
"""Least interval between two looks at a rival's progress."""


class Rival(NamedTuple):
    """An earlier player of the board, or the solver, by times of play."""

    name: str
    times: Sequence[int]
    """Times at which more was opened, in milliseconds."""
    shares: Sequence[int]
    """The share that was open from each of these times on, in thousandths of the safe cells."""
    finish: Finish
    is_bot: bool = False

    @staticmethod
    @reading_values()
    def read(row: Sequence[Any]) -> Rival:
        """Read a rival from the row of its values that a record keeps."""
        name, times, shares, finish, is_bot = row
        return Rival(name, times, shares, Finish(*finish), is_bot)

    def taking(self, time_ms: int) -> Rival:
        """Return the same game, played in this time."""
        before_ms = max(1, self.finish.time_ms)
        times = [each * time_ms // before_ms for each in self.times]
        speed = self.finish.speed * before_ms // max(1, time_ms)
        return self._replace(times=times, finish=self.finish._replace(time_ms=time_ms, speed=speed))

    def opened(self, clock_ms: int) -> int:
        """Return how much is open by this time."""
        steps = bisect_right(self.times, clock_ms)
        return self.shares[steps - 1] if steps else 0

    def has_finished(self, clock_ms: int) -> bool:
        return clock_ms >= self.finish.time_ms

    def next_step_in_ms(self, clock_ms: int) -> int:
        """Return when to look again how far it is."""
        later = self.times[bisect_right(self.times, clock_ms) :][:1] or [self.finish.time_ms]
        return max(LOOK_MS, later[0] - clock_ms)


def rival_of(game: Game, name: str, *, is_bot: bool = False) -> Rival:
    """Make a rival of a game that has ended."""
    steps = dict(_steps(game))
    return Rival(name, tuple(steps), tuple(steps.values()), finish_of(game), is_bot)


def _steps(game: Game) -> Iterator[tuple[int, int]]:
    """List when how much was open, where that is another share: at most a thousand times."""
    again, cells, before = Game(game.setup), max(1, game.setup.variant.safe_count), 0
    for entry in game.log.entries:
        again.push(entry)
        share = 1000 * again.opened_count // cells
        if share != before:
            yield unpack_entry(entry)[0], share
        before = share
