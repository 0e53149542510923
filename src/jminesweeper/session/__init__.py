"""One connection as a pure state machine: packets and the time go in, replies and effects come out.

It never reads a socket, a clock or a file, and holds no randomness it was not given.
"""

from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import Ask, Claimed, Close, Commit, Effect, Ended, Jot, Output
from jminesweeper.session.keeper import rebuild
from jminesweeper.session.requests import (
    Consult,
    Enter,
    Entrance,
    FindHint,
    Laid,
    LayBoard,
    Rebuild,
    Review,
    Tip,
)
from jminesweeper.session.session import Session

__all__ = [
    "Ask",
    "Claimed",
    "Close",
    "Commit",
    "Consult",
    "Effect",
    "Ended",
    "Enter",
    "Entrance",
    "FindHint",
    "Jot",
    "Laid",
    "LayBoard",
    "Output",
    "Rebuild",
    "Review",
    "Session",
    "SessionConfig",
    "Tip",
    "rebuild",
]
