"""Minesweeper: the game as a library, and programs that play it over the network.

The names below are the library; docs/library.md shows each of them at work. A name is imported
when it is first used: most programs start without the solver, and the game without the network.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jminesweeper.bot.link import BotError
    from jminesweeper.bot.remote import (
        RemoteGame,
        RoomGame,
        RoomSeat,
        ServerHint,
        ViewWatch,
        connect,
    )
    from jminesweeper.core.actions import Action, ActionKind
    from jminesweeper.core.errors import (
        ActionError,
        ArgumentError,
        CellError,
        HiddenError,
        JMinesweeperError,
        NoBoardError,
        NotationError,
        SetupError,
        SizeError,
    )
    from jminesweeper.core.game import AnyGame, Game
    from jminesweeper.core.grid import Cell, Grid, Place, Size, is_adjacent
    from jminesweeper.core.minefield import Minefield, Planes, RandomBits, seeded_bits
    from jminesweeper.core.rules import (
        PRESETS,
        FirstReveal,
        Level,
        MineEffect,
        Rules,
        Spread,
        Victory,
    )
    from jminesweeper.core.seedcode import daily_setup, format_seed_code, parse_seed_code
    from jminesweeper.core.setup import Setup
    from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
    from jminesweeper.core.view import PlayerView, Status, parse_board, parse_position
    from jminesweeper.recordings.figures import BoardFigures, Figures, Series, measure_board
    from jminesweeper.recordings.rawvf import Warn, format_rawvf, parse_rawvf
    from jminesweeper.recordings.text import format_game, parse_game
    from jminesweeper.solver.guess import Reason, Strategy
    from jminesweeper.solver.hints import Advice, NoHintError, explain
    from jminesweeper.solver.knowledge import (
        Deadline,
        GameOverError,
        ImpossiblePositionError,
        OutOfTimeError,
    )
    from jminesweeper.solver.no_guess import GeneratedBoard, Method, generate_no_guess
    from jminesweeper.solver.playing import Decision, NoMoveError, Solver
    from jminesweeper.solver.position import Analysis, analyse
    from jminesweeper.solver.reasoning import Argument
    from jminesweeper.solver.review import Explain, GameReview, ReviewedReveal, review

__version__ = "1.0.0"

_HOMES = {
    "core.actions": ("Action", "ActionKind"),
    "core.errors": (
        "ActionError",
        "ArgumentError",
        "CellError",
        "HiddenError",
        "JMinesweeperError",
        "NoBoardError",
        "NotationError",
        "SetupError",
        "SizeError",
    ),
    "core.game": (
        "AnyGame",
        "Game",
    ),
    "core.grid": (
        "Cell",
        "Grid",
        "Place",
        "Size",
        "is_adjacent",
    ),
    "core.minefield": (
        "Minefield",
        "Planes",
        "RandomBits",
        "seeded_bits",
    ),
    "core.rules": ("FirstReveal", "Level", "MineEffect", "PRESETS", "Rules", "Spread", "Victory"),
    "core.seedcode": ("daily_setup", "format_seed_code", "parse_seed_code"),
    "core.setup": ("Setup",),
    "core.variant": ("CLASSIC_BOARDS", "Variant"),
    "core.view": ("PlayerView", "Status", "parse_board", "parse_position"),
    "bot.link": ("BotError",),
    "bot.remote": ("RemoteGame", "RoomGame", "RoomSeat", "ServerHint", "ViewWatch", "connect"),
    "recordings.figures": ("BoardFigures", "Figures", "Series", "measure_board"),
    "solver.guess": ("Reason", "Strategy"),
    "recordings.rawvf": (
        "Warn",
        "format_rawvf",
        "parse_rawvf",
    ),
    "recordings.text": ("format_game", "parse_game"),
    "solver.position": ("Analysis", "analyse"),
    "solver.knowledge": (
        "Deadline",
        "GameOverError",
        "ImpossiblePositionError",
        "OutOfTimeError",
    ),
    "solver.hints": ("Advice", "NoHintError", "explain"),
    "solver.no_guess": ("GeneratedBoard", "Method", "generate_no_guess"),
    "solver.playing": ("Decision", "NoMoveError", "Solver"),
    "solver.reasoning": ("Argument",),
    "solver.review": (
        "Explain",
        "GameReview",
        "ReviewedReveal",
        "review",
    ),
}

__all__ = [
    "CLASSIC_BOARDS",
    "PRESETS",
    "Action",
    "ActionError",
    "ActionKind",
    "Advice",
    "Analysis",
    "AnyGame",
    "Argument",
    "ArgumentError",
    "BoardFigures",
    "BotError",
    "Cell",
    "CellError",
    "Deadline",
    "Decision",
    "Explain",
    "Figures",
    "FirstReveal",
    "Game",
    "GameOverError",
    "GameReview",
    "GeneratedBoard",
    "Grid",
    "HiddenError",
    "ImpossiblePositionError",
    "JMinesweeperError",
    "Level",
    "Method",
    "MineEffect",
    "Minefield",
    "NoBoardError",
    "NoHintError",
    "NoMoveError",
    "NotationError",
    "OutOfTimeError",
    "Place",
    "Planes",
    "PlayerView",
    "RandomBits",
    "Reason",
    "RemoteGame",
    "ReviewedReveal",
    "RoomGame",
    "RoomSeat",
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
    "Strategy",
    "Variant",
    "Victory",
    "ViewWatch",
    "Warn",
    "analyse",
    "connect",
    "daily_setup",
    "explain",
    "format_game",
    "format_rawvf",
    "format_seed_code",
    "generate_no_guess",
    "is_adjacent",
    "measure_board",
    "parse_board",
    "parse_game",
    "parse_position",
    "parse_rawvf",
    "parse_seed_code",
    "review",
    "seeded_bits",
]

# Type checkers read the imports above; they would take any name for one that this finds.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a name of the library from its module."""
        for home, names in _HOMES.items():
            if name in names:
                globals()[name] = value = getattr(import_module(f"{__name__}.{home}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
