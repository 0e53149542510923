"""The figures of a game: as numbers to keep, and in words for its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from jminesweeper.core.actions import ON_A_CELL, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.view import Status
from jminesweeper.recordings.figures import Figures, count_known
from jminesweeper.session.messages import format_clock, percent, seconds
from jminesweeper.session.rival import rival_of

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
