"""Minesweeper: the game as a library, and programs that play it over the network.

The names below are the library; docs/library.md shows each of them at work. A name is imported
when it is first used: a program that plays no bot never loads the solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jminesweeper.bot import BotError, RemoteGame, ServerHint, connect
    from jminesweeper.core import (
        CLASSIC_BOARDS,
        PRESETS,
        Action,
        ActionError,
        ActionKind,
        BoardFigures,
        Cell,
        CellError,
        Figures,
        FirstReveal,
        Game,
        Grid,
        HiddenError,
        JMinesweeperError,
        Level,
        Minefield,
        NotationError,
        PlayerView,
        Rules,
        Series,
        Setup,
        SetupError,
        Size,
        SizeError,
        Spread,
        Status,
        Victory,
        daily_setup,
        format_board,
        format_game,
        format_position,
        format_seed_code,
        is_adjacent,
        measure_board,
        parse_board,
        parse_game,
        parse_position,
        parse_seed_code,
        seeded_bits,
    )
    from jminesweeper.solver import (
        Advice,
        Analysis,
        Decision,
        GameReview,
        ImpossiblePositionError,
        NoHintError,
        Solver,
        analyse,
        explain,
        generate_no_guess,
        review,
    )

__version__ = "0.1.0"

__all__ = [
    "CLASSIC_BOARDS",
    "PRESETS",
    "Action",
    "ActionError",
    "ActionKind",
    "Advice",
    "Analysis",
    "BoardFigures",
    "BotError",
    "Cell",
    "CellError",
    "Decision",
    "Figures",
    "FirstReveal",
    "Game",
    "GameReview",
    "Grid",
    "HiddenError",
    "ImpossiblePositionError",
    "JMinesweeperError",
    "Level",
    "Minefield",
    "NoHintError",
    "NotationError",
    "PlayerView",
    "RemoteGame",
    "Rules",
    "Series",
    "ServerHint",
    "Setup",
    "SetupError",
    "Size",
    "SizeError",
    "Solver",
    "Spread",
    "Status",
    "Victory",
    "analyse",
    "connect",
    "daily_setup",
    "explain",
    "format_board",
    "format_game",
    "format_position",
    "format_seed_code",
    "generate_no_guess",
    "is_adjacent",
    "measure_board",
    "parse_board",
    "parse_game",
    "parse_position",
    "parse_seed_code",
    "review",
    "seeded_bits",
]

_HOMES = ("core", "solver", "bot")

# Type checkers read the imports above; they would take any name for one that this finds.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a name of the library from the lowest package that has it."""
        if name in __all__:
            for home in _HOMES:
                package = import_module(f"{__name__}.{home}")
                if name in package.__all__:
                    globals()[name] = value = getattr(package, name)
                    return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
