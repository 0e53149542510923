"""When a reply may leave.

A reply says what is true: that a cell is open, that a game is saved. So one that shows entries of a
game waits until they are stored, whoever made them, and no reply overtakes another. Where others
were faster, or the store has failed, what waits is drawn again.

Three things can hold up replies, and each is bounded: unread replies, replies that wait for the
store, errands that no reply waits for. While one of the bounds is reached no packet is answered. So
a peer may send as fast as it likes, and occupies a bounded part of the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.session.reply import Reply, Wait

TYPED_AHEAD: Final = 8
"""As many keys a person may have typed ahead. Each gets its reply in a send of its own, for a stock
client takes what one segment brings for the whole reply; whoever sends more packets at once reads a
stream, and gets the replies joined."""
MAX_HELD: Final = 128
MAX_HELD_BYTES: Final = 256 * 1024
MAX_ERRANDS: Final = 32
"""No reply waits for an errand, so nothing else keeps a peer from causing more of them than the
disk can take."""


class Held(NamedTuple):
    """A reply that waits."""

    screen: bytes
    wait: Wait | None
    is_asked: bool


class Replies:
    """The replies of one conversation on their way out."""

    def __init__(self) -> None:
        self.outgoing: list[bytes] = []
        """To be sent now."""
        self.outgoing_bytes = 0
        self.is_clear = True
        """Whether no reply waits, and more may be made: the next packet may be answered at once."""
        self.is_hindered = False
        """Whether no more replies may be made for now."""
        self._held: list[Held] = []
        self._held_bytes = 0
        self._errands = 0
        self._unread_since_ms: int | None = None

    @property
    def is_unread(self) -> bool:
        return self._unread_since_ms is not None

    @property
    def is_waiting(self) -> bool:
        return bool(self._held)

    def send(self, screen: bytes, wait: Wait | None = None) -> None:
        """Send a reply as soon as what it says is true."""
        if wait is None and not self._held:
            self.outgoing.append(screen)
            self.outgoing_bytes += len(screen)
        else:
            self._hold(Held(screen, wait, is_asked=True))

    def show(self, screen: bytes, wait: Wait | None) -> None:
        """Send what nobody has asked for as soon as it is true; nothing else may be waiting."""
        if wait is None:
            self.send(screen)
        else:
            self._hold(Held(screen, wait, is_asked=False))

    def _hold(self, held: Held) -> None:
        self._held.append(held)
        self._held_bytes += len(held.screen)
        self._see()

    def release(self) -> None:
        """Send the replies that have nothing to wait for any more."""
        free = 0
        for screen, wait, _ in self._held:
            if wait is not None and not wait.is_over:
                break
            self.outgoing.append(screen)
            self.outgoing_bytes += len(screen)
            self._held_bytes -= len(screen)
            free += 1
        del self._held[:free]
        self._see()

    @property
    def to_draw_again(self) -> tuple[Wait | None, int]:
        """What the first waiting reply waits for, and how many wait that were asked for."""
        waiting = [held for held in self._held if held.wait is not None]
        first = waiting[0].wait if waiting else None
        return first, sum(held.is_asked for held in waiting)

    def replace(self, drawn: Sequence[Reply]) -> None:
        """Put what was drawn again in place of what waits; nobody has asked for the rest."""
        held, self._held, self._held_bytes = self._held, [], 0
        rest = iter(drawn)
        for each in held:
            if each.wait is None:
                self.send(each.screen)
            elif each.is_asked and (reply := next(rest, None)) is not None:
                screen, effects = reply
                self.send(screen, None if effects is None else effects.wait)
        self._see()

    def begin_errands(self, count: int) -> None:
        self._errands += count
        self._see()

    def end_errand(self) -> None:
        self._errands -= 1
        self._see()

    def take_outgoing(self) -> Sequence[bytes]:
        """Return what is to be sent, each in a send of its own."""
        outgoing, self.outgoing, self.outgoing_bytes = self.outgoing, [], 0
        return outgoing if len(outgoing) <= TYPED_AHEAD else (b"".join(outgoing),)

    def drop(self) -> None:
        self._held.clear()
        self._held_bytes = 0
        self._see()

    def stall(self, now_ms: int) -> None:
        self._unread_since_ms = now_ms
        self._see()

    def catch_up(self) -> None:
        self._unread_since_ms = None
        self._see()

    def unread_ms(self, now_ms: int) -> int:
        return 0 if self._unread_since_ms is None else now_ms - self._unread_since_ms

    def _see(self) -> None:
        """Update what holds replies up. Every key press looks at it, so it is stored."""
        self.is_hindered = (
            self._unread_since_ms is not None
            or len(self._held) >= MAX_HELD
            or self._held_bytes >= MAX_HELD_BYTES
            or self._errands >= MAX_ERRANDS
        )
        self.is_clear = not (self.is_hindered or self._held)
