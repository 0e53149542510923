"""Replies in order, of which some may not leave before something is stored."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final

MAX_ENTRIES: Final = 128
MAX_BYTES: Final = 256 * 1024

TYPED_AHEAD: Final = 8
"""As many keys a person may have typed ahead. Each gets its reply in a segment of its own, for a
stock client takes what one segment brings for the whole reply; whoever sends more packets at once
reads a stream, and gets the replies joined."""


class Outbox:
    """Writes replies; those behind a commit wait for it, in the order in which they came up."""

    __slots__ = ("_size", "_waiting", "_write")

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        # Made when something has to wait for the first time: on most connections nothing ever does.
        self._waiting: deque[bytes | asyncio.Future[Any]] | None = None
        self._size = 0

    @property
    def is_empty(self) -> bool:
        return not self._waiting

    @property
    def is_full(self) -> bool:
        """So much is held that nothing more should be made."""
        if not self._waiting:
            return False
        return len(self._waiting) >= MAX_ENTRIES or self._size >= MAX_BYTES

    def send(self, reply: bytes) -> None:
        """Write now, or as soon as the commits before are done."""
        if self._waiting:
            self._waiting.append(reply)
            self._size += len(reply)
        elif reply:
            self._write(reply)

    def send_all(self, replies: list[bytes]) -> None:
        """Send the replies to packets that came together."""
        if len(replies) > TYPED_AHEAD:
            self.send(b"".join(replies))
        else:
            for reply in replies:
                self.send(reply)

    def wait_for(self, commit: asyncio.Future[Any]) -> None:
        """Hold every later reply until the commit is done."""
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(commit)

    def release(self) -> None:
        """Write what may leave now; raises what made the next commit fail."""
        waiting = self._waiting
        free: list[bytes] = []
        try:
            while waiting:
                entry = waiting[0]
                if isinstance(entry, bytes):
                    free.append(entry)
                    self._size -= len(entry)
                elif entry.done():
                    entry.result()
                else:
                    break
                waiting.popleft()
        finally:
            if replies := b"".join(free):
                self._write(replies)

    def clear(self) -> None:
        """Forget what waits: what it says did not become true."""
        self._waiting = None
        self._size = 0
