"""What was typed and not sent yet, because its meaning depends on the next screen.

In a text field letters are text; anywhere else they are keys. So after a packet that may open or
close a menu or a field, what was typed next waits for the answer. Everything else goes out at
once, however many replies are still owed. No key is lost or reordered, however fast the player
types, and none does anything unintended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from jminesweeper.protocol.packets import Load, NewGame, Packet, Pointer, Text
from jminesweeper.protocol.vocabulary import Command, GameKind, PatchFlag


class Keystroke(NamedTuple):
    """One key press, click or paste: its text in a text field, its packets anywhere else."""

    text: str = ""
    version_1: Packet | None = None
    version_2: Packet | None = None

    def packet(self, version: int) -> Packet | None:
        """Return what to send in that version of the protocol."""
        return self.version_1 if version == 1 else self.version_2


_TOGGLES: Final = frozenset({Command.MENU, Command.HELP, Load("")})
"""Open a menu or a page, or close one."""
_CHOICES: Final = frozenset(
    {
        Command.REVEAL,
        Command.TOGGLE_BOMB_MARK,
        NewGame(GameKind.SAME_SETTINGS),
        NewGame(GameKind.SAME_BOARD),
    }
)
"""Leave a menu for another one, for a text field, or for the board."""
_EDITS: Final = frozenset(
    {
        Command.ERASE,
        Command.MOVE_LEFT,
        Command.MOVE_RIGHT,
        Command.MOVE_UP,
        Command.MOVE_DOWN,
    }
)
"""Leave a text field open."""
_ON_BOARD: Final = PatchFlag.CURSOR_MARKED | PatchFlag.CLOCK_RUNS
"""No menu that leads to a text field is shown with one of these."""


class TypeAhead:
    """Keystrokes in the order typed, released as soon as their meaning is known."""

    def __init__(self) -> None:
        self._takes_text = False
        self._is_on_board = True
        self._awaits_screen = False
        self._held: deque[Keystroke] = deque()

    def hold(self, keystrokes: Iterable[Keystroke]) -> None:
        """Add what was typed."""
        self._held.extend(keystrokes)

    def release(self, version: int) -> list[Packet]:
        """Remove and return the packets of all keystrokes whose meaning is known."""
        packets = []
        while self._held and not self._awaits_screen:
            packet = self._meaning(self._held.popleft(), version)
            if packet is not None:
                packets.append(packet)
                self._awaits_screen = self._may_change_meanings(packet)
        return packets

    def note_screen(self, flags: PatchFlag, *, is_settled: bool) -> None:
        """Note what a screen accepts; it is settled if no reply is owed after it."""
        self._takes_text = PatchFlag.TAKES_TEXT in flags
        self._is_on_board = bool(flags & _ON_BOARD)
        self._awaits_screen = self._awaits_screen and not is_settled

    def _meaning(self, keystroke: Keystroke, version: int) -> Packet | None:
        if self._takes_text and keystroke.text:
            return Text(keystroke.text)
        return keystroke.packet(version)

    def _may_change_meanings(self, packet: Packet) -> bool:
        if packet in _TOGGLES:
            return True
        if self._takes_text:
            return not (isinstance(packet, Text) or packet in _EDITS)
        return not self._is_on_board and (isinstance(packet, Pointer) or packet in _CHOICES)
