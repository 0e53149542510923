"""Stopping so that players hardly notice: new ones go elsewhere first, then the others bit by bit.

A load balancer asks from time to time whether players may be sent here. A server that has to stop
says no, and continues until it has said so twice: by then no new players are sent here. If no load
balancer asks, there is nothing to wait for. Then the server admits nobody and says goodbye to its
players, spread over some time: clients reconnect at once, to another server, which has to read
their games.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jminesweeper.server.connection import Connection
    from jminesweeper.server.hub import Hub

ENOUGH: Final = 2
"""Checks that must be answered with no: one may be lost, or not count."""
CHECKS_WAIT_S: Final = 5.0
"""Time to wait for them."""
SPREAD_S: Final = 2.0
"""Time that farewells to a crowd take."""
STEPS: Final = 200
GREETING_SHARE: Final = 0.1
"""The share of that time in which new connections may still send their first packet."""


class HealthChecks:
    """The state of draining: whether players may be sent here, and who asked."""

    def __init__(self) -> None:
        self.is_draining = False
        self._is_asked = False
        self._refused = 0
        self._has_refused_enough = asyncio.Event()

    def answer(self) -> bool:
        self._is_asked = True
        if self.is_draining:
            self._refused += 1
            if self._refused >= ENOUGH:
                self._has_refused_enough.set()
        return not self.is_draining

    async def refuse(self, wait_s: float = CHECKS_WAIT_S) -> None:
        """Say no from now on, and wait until that was heard, if anybody asks."""
        self.is_draining = True
        if self._is_asked:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_refused_enough.wait(), wait_s)


async def say_goodbye_in_turn(hub: Hub, message: str, spread_s: float = SPREAD_S) -> None:
    """Disconnect everybody; a new connection first gets a screen, and so knows to reconnect."""
    players = hub.close_door(message)
    await _let_go([each for each in players if each.conversation.packets], hub, message, spread_s)
    if hub.connections:
        await asyncio.sleep(spread_s * GREETING_SHARE)
    await _let_go([*hub.connections], hub, message, spread_s)


async def _let_go(leaving: Sequence[Connection], hub: Hub, message: str, spread_s: float) -> None:
    share = math.ceil(len(leaving) / STEPS)
    for place in range(0, len(leaving), share or 1):
        for connection in hub.connections.intersection(leaving[place : place + share]):
            connection.disconnect(message)
        await asyncio.sleep(spread_s / STEPS)
