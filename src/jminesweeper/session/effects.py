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
    """Store this before the reply is sent; later replies wait behind it."""

    operation: object


@dataclass(frozen=True, slots=True)
class Ask:
    """Find the answer to this and give it to `Session.resolve`; until then nothing is received."""

    request: object


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that was played has ended."""

    status: Status
    elapsed_ms: int


Effect: TypeAlias = Close | Commit | Ask | Ended
Output: TypeAlias = tuple[bytes, tuple[Effect, ...]]
"""A reply to send in one piece, and effects in order."""

NO_EFFECTS: tuple[Effect, ...] = ()
