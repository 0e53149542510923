"""The figures of a game, as numbers to keep and in words for its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jminesweeper.core import (
    Figures,
    Game,
    Setup,
    format_seed_code,
)
from jminesweeper.session.pages import percent, seconds


def seed_text(setup: Setup) -> str:
    """Return the code by which others can play the same board, if there is one."""
    return "" if setup.seed is None else format_seed_code(setup)


def figures_by_name(game: Game) -> Mapping[str, float]:
    """Return the figures that are compared between games; one without a meaning yet is left out."""
    figures = Figures.of(game)
    values = {
        "3bv": figures.bbbv,
        "3bv solved": figures.solved,
        "3bv/s": figures.bbbv_per_second,
        "openings": figures.board.openings,
        "islands": figures.board.islands,
        "left clicks": figures.left_clicks,
        "right clicks": figures.right_clicks,
        "chords": figures.chords,
        "efficiency": figures.efficiency,
        "correctness": figures.correctness,
    }
    return {name: value for name, value in values.items() if value is not None}


def summarise(game: Game, *, is_repeat: bool) -> Sequence[str]:
    """Return the figures in words, for the end of the game."""
    return tuple(_lines(game, Figures.of(game), is_repeat=is_repeat))


def _lines(game: Game, figures: Figures, *, is_repeat: bool) -> Iterator[str]:
    yield f"time {seconds(figures.elapsed_ms)}"
    speed = figures.bbbv_per_second
    pace = "" if speed is None else f", {speed:.2f} a second"
    yield f"3BV {figures.solved} of {figures.bbbv}{pace}"
    yield f"openings {figures.board.openings}, islands {figures.board.islands}"
    yield (
        f"clicks {figures.clicks}: {figures.left_clicks} left, "
        f"{figures.right_clicks} right, {figures.chords} chords"
    )
    if figures.efficiency is not None:
        yield f"efficiency {percent(figures.efficiency)}"
    if game.setup.seed is not None:
        yield f"seed {seed_text(game.setup)}"
    if game.assisted or is_repeat:
        yield f"counts apart: {'with help' if game.assisted else 'a repeat'}"


def shown_share(game: Game) -> float:
    """Return which part of the safe cells is visible, from 0 to 1.

    Not the solved part of the 3BV, which only looks back at a game: it would tell whether a number
    just revealed has a zero beside it, and how many openings are left to find.
    """
    shown = game.visible.bit_count() - (game.exploded is not None)
    return shown / max(1, game.setup.size.cells - game.setup.mine_count)
