"""Whether what is typed plays, walks through menus or fills in a field.

Only the screen tells: in a field letters are text. So after a packet that may open or close one,
what was typed next waits for the answer; everything else goes out without waiting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from jminesweeper.client.keys import Input, Pasted
from jminesweeper.protocol import (
    Command,
    GameKind,
    Load,
    NewGame,
    Packet,
    PatchFlag,
    Pointer,
    Text,
)

_TURNERS: Final = frozenset({Command.MENU, Command.HELP, Load("")})
"""What opens a menu, or closes one."""
_CHOOSERS: Final = frozenset(
    {Command.REVEAL, Command.TOGGLE_BOMB_MARK, NewGame(GameKind.SAME_SETTINGS)}
)
"""What leaves a menu for what it leads to, or for what lay below: a field, perhaps."""
_FILLERS: Final = frozenset(
    {
        Command.ERASE,
        Command.MOVE_LEFT,
        Command.MOVE_RIGHT,
        Command.MOVE_UP,
        Command.MOVE_DOWN,
    }
)
"""What leaves a field as it is, but for its text."""
_ON_BOARD: Final = PatchFlag.CURSOR_MARKED | PatchFlag.CLOCK_RUNS
"""No menu is ever shown with one of these."""


class Focus:
    """What the last screen wants, and what was typed since that nobody can tell the meaning of."""

    def __init__(self) -> None:
        self._takes_text = False
        self._is_on_board = True
        self._waits = False
        self._held: deque[Input] = deque()

    def read(
        self, inputs: Iterable[Input], packet_of: Callable[[Input], Packet | None]
    ) -> list[Packet]:
        """Packets for what was typed, as far as its meaning is known."""
        self._held.extend(inputs)
        packets = []
        while self._held and not self._waits:
            given = self._held.popleft()
            packet = self._text(given) or packet_of(given)
            if packet is not None:
                packets.append(packet)
                self.note_sent(packet)
        return packets

    def note_sent(self, packet: Packet) -> None:
        """Take note of a packet that may change what keys mean."""
        self._waits = self._waits or self._may_turn(packet)

    def note_screen(self, flags: PatchFlag, *, is_settled: bool) -> None:
        """Take note of what a screen wants; settled is one that is followed by no other."""
        self._takes_text = PatchFlag.TAKES_TEXT in flags
        self._is_on_board = bool(flags & _ON_BOARD)
        self._waits = self._waits and not is_settled

    def _text(self, given: Input) -> Packet | None:
        if not self._takes_text:
            return None
        match given:
            case Pasted(text):
                return Text(text)
            case str() if given.isprintable():
                return Text(given)
            case _:
                return None

    def _may_turn(self, packet: Packet) -> bool:
        if packet in _TURNERS:
            return True
        if self._takes_text:
            return not (isinstance(packet, Text) or packet in _FILLERS)
        return not self._is_on_board and (isinstance(packet, Pointer) or packet in _CHOOSERS)
