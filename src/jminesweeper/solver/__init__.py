"""What a player can infer from what is shown, and how well that can be played.

It sees player views only and never asks the engine for the truth; the generator of boards that
need no guess deals its own. Time and randomness are arguments.
"""

from jminesweeper.solver.analysis import Analysis, analyse
from jminesweeper.solver.arguments import (
    AllKnown,
    Argument,
    Clash,
    EveryLayout,
    LastMines,
    NothingSure,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    ShownNumber,
    cells_of,
    premises,
)
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.dealing import Contest, DealtBoard, Opening, deal
from jminesweeper.solver.errors import (
    Deadline,
    ImpossiblePositionError,
    OutOfTimeError,
    SolverError,
    never,
)
from jminesweeper.solver.guess import Guess
from jminesweeper.solver.hints import Advice, NoHintError, explain
from jminesweeper.solver.no_guess import GeneratedBoard, Method, generate_no_guess
from jminesweeper.solver.odds import LocalOdds, Solved, next_solved, odds_near
from jminesweeper.solver.playing import (
    Decision,
    NoMoveError,
    Plan,
    Played,
    Solver,
    play_out,
    simulate,
)
from jminesweeper.solver.review import GameReview, ReviewedReveal, review
from jminesweeper.solver.strategy import FULL, PARTS, Reason, Strategy

__all__ = [
    "FULL",
    "PARTS",
    "Advice",
    "AllKnown",
    "Analysis",
    "Argument",
    "Clash",
    "Contest",
    "Counter",
    "Deadline",
    "DealtBoard",
    "Decision",
    "EveryLayout",
    "GameReview",
    "GeneratedBoard",
    "Guess",
    "ImpossiblePositionError",
    "LastMines",
    "LocalOdds",
    "Method",
    "NoHintError",
    "NoMoveError",
    "NothingSure",
    "NumberDone",
    "NumberFull",
    "OnlyMines",
    "Opening",
    "OutOfTimeError",
    "Overlap",
    "Plan",
    "Played",
    "Reason",
    "ReviewedReveal",
    "ShownNumber",
    "Solved",
    "Solver",
    "SolverError",
    "Strategy",
    "analyse",
    "cells_of",
    "deal",
    "explain",
    "generate_no_guess",
    "never",
    "next_solved",
    "odds_near",
    "play_out",
    "premises",
    "review",
    "simulate",
]
