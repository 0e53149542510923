"""How a connection ends: with a last screen for good, or with trouble that may pass."""

from __future__ import annotations

from typing import Final

from jminesweeper.protocol import Packet, PatchFlag, ScreenPatch

STOPPED: Final = "The server was stopped."
_RETURNING: Final = "Trying again; X leaves."
_CUT: Final = "..."


def is_last_screen(packet: Packet) -> bool:
    """Say whether nothing is to follow this packet, not even on another connection.

    Whoever asked for that, in a menu, leaves content; whoever did not, because the game goes on at
    another terminal, is told.
    """
    return isinstance(packet, ScreenPatch) and bool(packet.flags & PatchFlag.LAST_SCREEN)


def trouble_in(columns: int, trouble: str) -> str:
    """Say what is the matter, as far as there is room beside what can be done."""
    room = columns - len(_RETURNING) - 1
    if len(trouble) > room:
        trouble = f"{trouble[: room - len(_CUT)]}{_CUT}" if room > len(_CUT) else ""
    return f"{trouble} {_RETURNING}".lstrip()
