"""One connection as a pure state machine: packets and the time go in, replies and effects come out.

It never reads a socket, a clock or a file, and holds no randomness it was not given.
"""

from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import Ask, Close, Commit, Effect, Ended, Output
from jminesweeper.session.session import Session

__all__ = ["Ask", "Close", "Commit", "Effect", "Ended", "Output", "Session", "SessionConfig"]
