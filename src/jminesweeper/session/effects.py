"""What a session asks of whoever runs it, beside sending its reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from jminesweeper.core import Status


@dataclass(frozen=True, slots=True)
class Close:
    """End the connection once everything before it is sent."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Store this before the reply is sent; later replies wait behind it.

    How each Commit and Jot went is told to `Session.settle`, in their order.
    """

    operation: object


@dataclass(frozen=True, slots=True)
class Jot:
    """Store this soon; no reply waits for it."""

    operation: object


@dataclass(frozen=True, slots=True)
class Ask:
    """Find the answer to this and give it to `Session.resolve`; until then nothing is received."""

    request: object


@dataclass(frozen=True, slots=True)
class Claimed:
    """This session holds the player's game now; whichever held it before has to let go."""

    player: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that was played has ended."""

    status: Status
    elapsed_ms: int


Effect: TypeAlias = Close | Commit | Jot | Ask | Claimed | Ended
Output: TypeAlias = tuple[bytes, tuple[Effect, ...]]
"""A reply to send in one piece, and effects in order."""

Effects: TypeAlias = tuple[Effect, ...]

NO_EFFECTS: Effects = ()
