"""When a reply may leave.

A reply says what is true: that a cell is open, that a game is saved. So it may not leave before
the writes that make it true are stored, and no reply overtakes another.

The store answers the operations of one conversation in the order in which they were handed over.
So counting is enough. Each operation has a number; a reply needs all operations up to the last
write before it, and leaves when that many have been answered. Since the number that replies need
never falls, they stay in order. Notes (where the cursor is) are operations, too, but
no reply needs them.

Three things can hold up replies, and each is bounded: unread replies, replies that wait for the
store, operations that wait for the store. While one of the bounds is reached no packet is answered.
So a peer may send as fast as it likes, and occupies a bounded part of the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jminesweeper.store import Operation

MAX_HELD: Final = 128
MAX_HELD_BYTES: Final = 256 * 1024
MAX_UNSTORED: Final = 128
"""No reply waits for a note, so nothing else keeps a peer from causing more of them than the
disk can take."""


class Replies:
    """The replies of one conversation on their way out, and the operations that they wait for."""

    __slots__ = (
        "_held",
        "_held_bytes",
        "_needed",
        "_stored",
        "_unread_since_ms",
        "_unstored",
        "is_clear",
        "is_hindered",
        "operations",
        "outgoing",
        "outgoing_bytes",
    )

    def __init__(self) -> None:
        self.outgoing: list[bytes] = []
        """To be sent now."""
        self.outgoing_bytes = 0
        self.operations: list[Operation[Any]] = []
        """To be handed to the store now."""
        self.is_clear = True
        """Whether no reply waits, and more may be made: the next packet may be answered at once."""
        self.is_hindered = False
        """Whether no more replies may be made for now."""
        self._held: list[tuple[int, bytes]] = []
        """Replies that wait, each with the number of operations that it needs answered."""
        self._held_bytes = 0
        self._unstored: list[Operation[Any]] = []
        """Operations that the store has not answered, the oldest first."""
        self._stored = 0
        """How many operations the store has answered."""
        self._needed = 0
        """How many have to be answered before the next reply may leave."""
        self._unread_since_ms: int | None = None

    @property
    def is_unread(self) -> bool:
        """Whether the peer leaves some replies unread."""
        return self._unread_since_ms is not None

    @property
    def is_waiting(self) -> bool:
        """Whether some replies wait for the store."""
        return bool(self._held)

    def send(self, screen: bytes) -> None:
        """Send a reply as soon as what it says is true."""
        if self._stored >= self._needed:
            self.outgoing.append(screen)
            self.outgoing_bytes += len(screen)
            return
        self._held.append((self._needed, screen))
        self._held_bytes += len(screen)
        self._see()

    def write(self, operations: Sequence[Operation[Any]]) -> None:
        """Store operations before any later reply leaves."""
        self.note(operations)
        self._needed = self._stored + len(self._unstored)

    def note(self, operations: Sequence[Operation[Any]]) -> None:
        """Store operations that no reply waits for."""
        self.operations += operations
        self._unstored += operations
        self._see()

    def take_stored(self) -> Operation[Any]:
        """Count an answer of the store; return the operation that it answers."""
        self._stored += 1
        return self._unstored.pop(0)

    def release(self) -> None:
        """Send the replies whose operations are all stored."""
        free = 0
        for needed, screen in self._held:
            if needed > self._stored:
                break
            self.outgoing.append(screen)
            self.outgoing_bytes += len(screen)
            self._held_bytes -= len(screen)
            free += 1
        del self._held[:free]
        self._see()

    def take_outgoing(self) -> list[bytes]:
        """Return the bytes to send now."""
        outgoing, self.outgoing, self.outgoing_bytes = self.outgoing, [], 0
        return outgoing

    def take_operations(self) -> list[Operation[Any]]:
        """Return the operations to submit now."""
        operations, self.operations = self.operations, []
        return operations

    def drop(self) -> None:
        """Drop the replies that wait: what they say did not become true."""
        self._held.clear()
        self._held_bytes = 0
        self._needed = self._stored
        self._see()

    def stall(self, now_ms: int) -> None:
        """Note that the peer leaves unread what was sent."""
        self._unread_since_ms = now_ms
        self._see()

    def catch_up(self) -> None:
        """Note that the peer has read everything."""
        self._unread_since_ms = None
        self._see()

    def unread_ms(self, now_ms: int) -> int:
        """For how long the peer has left something unread."""
        return 0 if self._unread_since_ms is None else now_ms - self._unread_since_ms

    def _see(self) -> None:
        """Update what holds replies up. Every key press looks at it, so it is stored."""
        self.is_hindered = (
            self._unread_since_ms is not None
            or len(self._held) >= MAX_HELD
            or self._held_bytes >= MAX_HELD_BYTES
            or len(self._unstored) >= MAX_UNSTORED
        )
        self.is_clear = not (self.is_hindered or self._held)
