"""What all connections of one server share."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jminesweeper.server.admission import Admission
from jminesweeper.server.backend import TAKEN_OVER, Backend
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.turns import Turns

if TYPE_CHECKING:
    from jminesweeper.server.connection import Connection
    from jminesweeper.server.dialogue import Dialogue
    from jminesweeper.server.refusal import Refusal

READ_SIZE: Final = 512
"""Bytes taken off a socket at a time: more than the packets of any key, and so few that decoding
a flood of one-byte packets does not hold up the others."""

logger = logging.getLogger("jminesweeper.server")


@dataclass(slots=True)
class Totals:
    """What a server has done since it started."""

    connections: int = 0
    refused: int = 0
    packets: int = 0
    games: int = 0


class Lobby:
    """Backend, clock, limits, turns and read buffer for all connections, and the set of them."""

    def __init__(
        self,
        config: ServerConfig,
        backend: Backend,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.config = config
        self.backend = backend
        self.clock_ns = clock_ns
        self.turns = Turns(clock_ns)
        self.admission = Admission(config.max_connections, config.max_per_address)
        # One buffer for everybody: a loop fills it and hands it over in one step. Besides sparing
        # memory this spares the 256 KiB that asyncio allocates for every read of a plain Protocol.
        self.read_buffer = bytearray(READ_SIZE)
        self.connections: set[Connection] = set()
        self.refusals: set[Refusal] = set()
        self.totals = Totals()
        self._holders: dict[str, Dialogue] = {}
        self._emptied: asyncio.Event = asyncio.Event()
        self._emptied.set()

    def now_ms(self) -> int:
        return self.clock_ns() // 1_000_000

    def last_screen(self, message: str) -> bytes:
        """Draw a screen with a message for a peer that has no session, or none that works."""
        return self.backend.new_session().farewell(message, self.now_ms())

    def enter(self, connection: Connection) -> None:
        self.connections.add(connection)
        self._emptied.clear()
        self.totals.connections += 1
        logger.info("%s connected", connection.peer, extra={"peer": connection.peer})

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._give_up_claim(connection)
        self.admission.leave(connection.origin)
        self.totals.packets += connection.packets
        self.totals.games += connection.games
        self._log_end(connection)
        self._see_if_empty()

    def claim(self, player: str, connection: Dialogue) -> None:
        """Make this the one connection that plays for the player; the one before has to go."""
        self._give_up_claim(connection)
        holder = self._holders.get(player)
        self._holders[player] = connection
        connection.player = player
        if holder is not None:
            holder.let_go(TAKEN_OVER, is_final=True)

    def _give_up_claim(self, connection: Dialogue) -> None:
        player = connection.player
        if player is not None and self._holders.get(player) is connection:
            del self._holders[player]

    def enter_refused(self, refusal: Refusal) -> None:
        self.refusals.add(refusal)
        self._emptied.clear()

    def leave_refused(self, refusal: Refusal) -> None:
        self.refusals.discard(refusal)
        self._see_if_empty()

    def _see_if_empty(self) -> None:
        if not self.connections and not self.refusals:
            self._emptied.set()

    def _log_end(self, connection: Connection) -> None:
        duration_s = (self.now_ms() - connection.since_ms) / 1000
        logger.info(
            "%s left after %.1f s: %d packets, %d games ended",
            connection.peer,
            duration_s,
            connection.packets,
            connection.games,
            extra={
                "peer": connection.peer,
                "duration_s": duration_s,
                "packets": connection.packets,
                "games": connection.games,
            },
        )

    async def emptied(self, timeout_s: float) -> None:
        """Wait until nobody is left, or until the time is up."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._emptied.wait(), timeout_s)
