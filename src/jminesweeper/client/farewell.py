"""How a server ends a connection: done with its client for good, or stopped."""

from __future__ import annotations

from typing import Final

from jminesweeper.protocol import Packet, PatchFlag, ScreenPatch

STOPPED: Final = "The server was stopped."


def is_last_screen(packet: Packet) -> bool:
    """Say whether nothing is to follow this packet, not even on another connection.

    Whoever asked for that, in a menu, leaves content; whoever did not, because the game goes on at
    another terminal, is told.
    """
    return isinstance(packet, ScreenPatch) and bool(packet.flags & PatchFlag.LAST_SCREEN)
