"""What a player can infer from what is shown, and how well that can be played.

It sees player views only and never asks the engine for the truth; the generator of boards that
need no guess deals its own. Time and randomness are handed in.
"""

from jminesweeper.solver.analysis import Analysis, analyse
from jminesweeper.solver.arguments import (
    AllFlagged,
    Argument,
    Clash,
    EveryLayout,
    LastMines,
    NothingSure,
    Number,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    cells_of,
    premises,
)
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.errors import ImpossiblePositionError, SolverError
from jminesweeper.solver.guess import Guess, Reason
from jminesweeper.solver.hints import Hint, NoHintError, explain
from jminesweeper.solver.no_guess import GeneratedBoard, Method, generate_no_guess
from jminesweeper.solver.player import Move, NoMoveError, Play, Player
from jminesweeper.solver.review import GameReview, ReviewedReveal, review
from jminesweeper.solver.simulation import (
    Contest,
    Opening,
    Played,
    Table,
    deal,
    play_out,
    simulate,
)
from jminesweeper.solver.strategy import FULL, PARTS, Strategy

__all__ = [
    "FULL",
    "PARTS",
    "AllFlagged",
    "Analysis",
    "Argument",
    "Clash",
    "Contest",
    "Counter",
    "EveryLayout",
    "GameReview",
    "GeneratedBoard",
    "Guess",
    "Hint",
    "ImpossiblePositionError",
    "LastMines",
    "Method",
    "Move",
    "NoHintError",
    "NoMoveError",
    "NothingSure",
    "Number",
    "NumberDone",
    "NumberFull",
    "OnlyMines",
    "Opening",
    "Overlap",
    "Play",
    "Played",
    "Player",
    "Reason",
    "ReviewedReveal",
    "SolverError",
    "Strategy",
    "Table",
    "analyse",
    "cells_of",
    "deal",
    "explain",
    "generate_no_guess",
    "play_out",
    "premises",
    "review",
    "simulate",
]
