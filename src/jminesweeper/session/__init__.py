"""A player as a pure state machine: packets, answers and events go in, replies come out.

It never reads a socket, a clock or a file, and has no randomness that it was not given.
"""

from jminesweeper.session.config import SessionConfig
from jminesweeper.session.match import Match
from jminesweeper.session.reply import (
    Analyse,
    Effects,
    Event,
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundSolved,
    LaidBoard,
    LayBoard,
    Question,
    Rebuild,
    Reply,
    Review,
    Reviewed,
)
from jminesweeper.session.session import Session

__all__ = [
    "Analyse",
    "Effects",
    "Event",
    "FindHint",
    "FindOdds",
    "FindSolved",
    "FoundHint",
    "FoundOdds",
    "FoundSolved",
    "LaidBoard",
    "LayBoard",
    "Match",
    "Question",
    "Rebuild",
    "Reply",
    "Review",
    "Reviewed",
    "Session",
    "SessionConfig",
]
