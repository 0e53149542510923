"""From what comes out of the terminal to what goes out to the server."""

from __future__ import annotations

from collections.abc import Iterable

from jminesweeper.client.bindings import Bindings
from jminesweeper.client.focus import Focus
from jminesweeper.client.keys import Input, KeyDecoder, Pasted
from jminesweeper.client.mouse import Gestures, MouseReport
from jminesweeper.protocol import Packet, PatchFlag


def earliest(*deadlines: float | None) -> float | None:
    """Give the first of the deadlines that are set."""
    return min((deadline for deadline in deadlines if deadline is not None), default=None)


class Controls:
    """Keyboard and mouse of one player."""

    def __init__(self) -> None:
        self._decoder = KeyDecoder()
        self._gestures = Gestures()
        self._focus = Focus()

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
        if pointer is None:
            return []
        self._focus.note_sent(pointer)
        return [pointer]

    def translate(self, inputs: Iterable[Input], bindings: Bindings, now_s: float) -> list[Packet]:
        """Packets for what was typed and clicked; what is bound to nothing sends nothing.

        What nobody can tell the meaning of yet is kept, and comes first the next time.
        """
        return self._focus.read(inputs, lambda given: self._packet(given, bindings, now_s))

    def note_screen(self, flags: PatchFlag, *, is_settled: bool) -> None:
        """Take note of what a screen wants to be typed; settled is the last one asked for."""
        self._focus.note_screen(flags, is_settled=is_settled)

    def forget(self) -> None:
        """Forget what was typed at a screen that is gone."""
        self._focus = Focus()

    def _packet(self, given: Input, bindings: Bindings, now_s: float) -> Packet | None:
        match given:
            case MouseReport():
                return self._gestures.report(given, now_s)
            case Pasted():
                return None
            case _:
                return bindings.get(given)


def _is_past(deadline: float | None, now_s: float) -> bool:
    return deadline is not None and deadline <= now_s
