"""The yellow belt kata: a 3x3 sandbox with its own coordinates, pictures, messages and bot report.

It leaves the rules to the engine, and never prints, draws randomness it was not
handed, or sees more than a player while a bot plays.
"""

from jminesweeper.kata.bot import Bot, play_bot, random_bot
from jminesweeper.kata.errors import BombCountError, KataError, MoveError, PictureError, SquareError
from jminesweeper.kata.moves import SANDBOX, Move, MoveKind, Square, parse_moves
from jminesweeper.kata.pictures import (
    PictureStyle,
    format_bomb_board,
    format_picture,
    parse_bombs,
    parse_picture,
)
from jminesweeper.kata.report import (
    Check,
    Mood,
    ReportLine,
    Verdict,
    report_bot_game,
    report_scenarios,
    run_scenario,
)
from jminesweeper.kata.sandbox import BOMB_COUNTS, Answer, Sandbox, has_won, possible_steps
from jminesweeper.kata.scenarios import SCENARIOS, Beat, Scenario

__all__ = [
    "BOMB_COUNTS",
    "SANDBOX",
    "SCENARIOS",
    "Answer",
    "Beat",
    "BombCountError",
    "Bot",
    "Check",
    "KataError",
    "Mood",
    "Move",
    "MoveError",
    "MoveKind",
    "PictureError",
    "PictureStyle",
    "ReportLine",
    "Sandbox",
    "Scenario",
    "Square",
    "SquareError",
    "Verdict",
    "format_bomb_board",
    "format_picture",
    "has_won",
    "parse_bombs",
    "parse_moves",
    "parse_picture",
    "play_bot",
    "possible_steps",
    "random_bot",
    "report_bot_game",
    "report_scenarios",
    "run_scenario",
]
