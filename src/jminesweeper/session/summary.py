"""The figures of a finished game, as numbers and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jminesweeper.core import Game, Setup


def seed_text(setup: Setup) -> str:
    """Return the code by which others can play the same board, if there is one."""
    return "" if setup.seed is None else f"{setup.seed:016x}"


def figures_by_name(_game: Game) -> Mapping[str, float]:
    """Return the figures that are compared between games."""
    return {}


def summarise(_game: Game) -> Sequence[str]:
    """Return the figures in words, for the end of the game."""
    return ()


def solved_share(_game: Game) -> float | None:
    """Return how much of the board's work is done, from 0 to 1."""
    return None
