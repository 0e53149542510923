"""From what comes out of the terminal to what goes out to the server."""

from __future__ import annotations

from collections.abc import Iterable

from jminesweeper.client.bindings import Bindings
from jminesweeper.client.keys import Input, KeyDecoder
from jminesweeper.client.mouse import Gestures, MouseReport
from jminesweeper.protocol import Packet


def earliest(*deadlines: float | None) -> float | None:
    """Give the first of the deadlines that are set."""
    return min((deadline for deadline in deadlines if deadline is not None), default=None)


class Controls:
    """Keyboard and mouse of one player."""

    def __init__(self) -> None:
        self._decoder = KeyDecoder()
        self._gestures = Gestures()

    @property
    def deadline(self) -> float | None:
        return earliest(self._decoder.deadline, self._gestures.deadline)

    def decode(self, data: bytes, now_s: float) -> list[Input]:
        """Keys and mouse reports in `data`, in the order typed."""
        return self._decoder.feed(data, now_s)

    def expire_keys(self, now_s: float) -> list[Input]:
        """Keys that only time could tell from the beginning of a sequence."""
        return self._decoder.expire() if _is_past(self._decoder.deadline, now_s) else []

    def expire_presses(self, now_s: float) -> list[Packet]:
        """Packets for what was held down long enough."""
        pointer = self._gestures.expire() if _is_past(self._gestures.deadline, now_s) else None
        return [] if pointer is None else [pointer]

    def translate(self, inputs: Iterable[Input], bindings: Bindings, now_s: float) -> list[Packet]:
        """Packets for what was typed and clicked; what is bound to nothing sends nothing."""
        packets = (self._packet(each, bindings, now_s) for each in inputs)
        return [packet for packet in packets if packet is not None]

    def _packet(self, given: Input, bindings: Bindings, now_s: float) -> Packet | None:
        if isinstance(given, MouseReport):
            return self._gestures.report(given, now_s)
        return bindings.get(given)


def _is_past(deadline: float | None, now_s: float) -> bool:
    return deadline is not None and deadline <= now_s
