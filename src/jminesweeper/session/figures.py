"""The figures of a game: as numbers to keep, and in words for its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jminesweeper.core.actions import ON_A_CELL, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.recordings.figures import Figures, count_known

MOST_PACED_CELLS: Final = 10_000
"""Counting openings on a larger board would delay other players."""


class Pace:
    """How fast and how efficient a running game is, by what its player can see.

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
    return tuple(_summarise(game, Figures.of(game)))


def _summarise(game: Game, figures: Figures) -> Iterator[tuple[str, str]]:
    yield "time", seconds(figures.elapsed_ms)
    speed = figures.bbbv_per_second
    pace = "" if speed is None else f", {speed:.2f} a second"
    yield "3BV", f"{figures.solved} of {figures.bbbv}{pace}"
    yield "openings", f"{figures.board.openings}, islands {figures.board.islands}"
    yield (
        f"clicks {figures.clicks}:",
        f"{figures.left_clicks} left, {figures.right_clicks} right, {figures.chords} chords",
    )
    if figures.efficiency is not None:
        yield "efficiency", percent(figures.efficiency)
    if game.shared_setup.has_code:
        yield "seed code", format_seed_code(game.shared_setup)
    if game.assisted:
        yield "not ranked:", "help used"
    elif game.setup.variant.is_repeat:
        yield "not ranked:", "board known before"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def seconds(time_ms: float) -> str:
    return f"{time_ms / 1000:.3f} s"


def format_clock(elapsed_s: int) -> str:
    """Write a time in whole seconds."""
    return f"{elapsed_s // 60}:{elapsed_s % 60:02}"
