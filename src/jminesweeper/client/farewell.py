"""How a server says that it is done with a client for good."""

from __future__ import annotations

from jminesweeper.protocol import Packet, PatchFlag, ScreenPatch


def is_last_screen(packet: Packet) -> bool:
    """Say whether nothing is to follow this packet, not even on another connection.

    Whoever asked for that, in a menu, leaves content; whoever did not, because the game goes on at
    another terminal, is told.
    """
    return isinstance(packet, ScreenPatch) and bool(packet.flags & PatchFlag.LAST_SCREEN)
