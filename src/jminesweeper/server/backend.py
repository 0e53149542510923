"""What the shell needs from the rest of the program: sessions, a store, and what they ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Protocol

from jminesweeper.core import JMinesweeperError
from jminesweeper.protocol import Packet, ProtocolError
from jminesweeper.session import Effect, Output

TAKEN_OVER: Final = "Your game goes on where you opened it last; this connection lets go of it."


class GameSession(Protocol):
    """One player's connection as a state machine; the shell's only idea of a game."""

    def receive(self, packet: Packet, now_ms: int) -> Output: ...

    def reject(self, error: ProtocolError, now_ms: int) -> Output: ...

    def resolve(self, answer: object, now_ms: int) -> Output: ...

    def settle(self, operation: object, answer: object) -> None: ...

    def farewell(self, message: str, now_ms: int, *, is_final: bool = False) -> bytes: ...

    def leave(self, now_ms: int) -> tuple[Effect, ...]: ...


class DismissalError(JMinesweeperError):
    """Raised by a committer or a handler: this player has to go, and the message says why.

    For what is nobody's bug, such as a game that was taken over on another connection.
    """


Committer = Callable[[Any], "asyncio.Future[Any]"]
"""Starts an operation of the store and promises its answer. Never blocks."""

Handler = Callable[[Any], Awaitable[object]]
"""Answers a request of a session, in a worker or a store; never blocks the loop."""


def keep_nothing(_operation: object) -> asyncio.Future[Any]:
    """Play from memory: whatever is to be stored counts as stored."""
    stored = asyncio.get_running_loop().create_future()
    stored.set_result(None)
    return stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """Everything behind the connections; `handlers` is keyed by the type of the request."""

    new_session: Callable[[], GameSession]
    commit: Committer = keep_nothing
    kept: str = "until the server stops"
    """Where games are kept, or how long, for the log."""
    handlers: Mapping[type, Handler] = field(default_factory=lambda: MappingProxyType({}))
