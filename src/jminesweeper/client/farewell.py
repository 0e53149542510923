"""How a server says that it is done with a client for good."""

from __future__ import annotations

from typing import Final

from jminesweeper.protocol import Packet, PatchFlag, ScreenPatch

LAST_SCREEN: Final = PatchFlag(32)
"""On a patch: the connection ends with this screen, and the client is not to come back by itself.

Whoever asked for that, in a menu, leaves content; whoever did not, because the game goes on at
another terminal, is told.
"""


def is_last_screen(packet: Packet) -> bool:
    """Say whether nothing is to follow this packet, not even on another connection."""
    return isinstance(packet, ScreenPatch) and LAST_SCREEN in PatchFlag(packet.flags)
