"""What was typed and not sent yet, because its meaning depends on a reply under way.

Moves of the cursor are nobody else's business, and presses on cells name the cell that the player
saw: they go out at once, however many replies are owed. Values that are set and steps of a replay
do, too. Anything else may put another board or a menu before the player, so what was typed after it
waits for its answer. No key is lost or reordered, however fast the player types, and none does
anything unintended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from jminesweeper.protocol.packets import Act, MoveTo, Packet, Replay, Say
from jminesweeper.terminal.keys import Keystroke
from jminesweeper.terminal.viewer import Viewer

_FLOWING: Final = Act | MoveTo | Replay | Say


class TypeAhead:
    """Keystrokes in the order typed, released as soon as their meaning is known."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._held: deque[Keystroke] = deque()
        self._awaits_answer = False

    def hold(self, keystrokes: Iterable[Keystroke]) -> None:
        """Add what was typed."""
        self._held.extend(keystrokes)

    def release(self, now_s: float, send: Callable[[Packet], None]) -> None:
        """Send the packets of all keystrokes whose meaning is known."""
        while self._held and not self._awaits_answer and not self._must_wait():
            for packet in self._viewer.press(self._held.popleft(), now_s):
                send(packet)
                is_flowing = isinstance(packet, _FLOWING) or self._viewer.flows(packet)
                self._awaits_answer = self._awaits_answer or not is_flowing

    def note_answer(self, *, is_settled: bool) -> None:
        """Note a reply; all is settled if no other one is owed after it."""
        self._awaits_answer = self._awaits_answer and not is_settled

    def drop(self) -> int:
        """Forget what waits; return how many keystrokes that were."""
        count = len(self._held)
        self._held.clear()
        return count

    def _must_wait(self) -> bool:
        return self._viewer.must_wait(self._held[0])
