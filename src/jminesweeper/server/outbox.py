"""Replies in order, of which some may not leave before something is stored."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

MAX_ENTRIES: Final = 128
MAX_BYTES: Final = 256 * 1024


class Outbox:
    """Replies and the commits they wait for, in the order in which they came up."""

    __slots__ = ("_entries", "_size")

    def __init__(self) -> None:
        self._entries: deque[bytes | asyncio.Future[Any]] = deque()
        self._size = 0

    @property
    def is_empty(self) -> bool:
        return not self._entries

    @property
    def is_full(self) -> bool:
        """So much is held that nothing more should be made."""
        return len(self._entries) >= MAX_ENTRIES or self._size >= MAX_BYTES

    def add(self, reply: bytes) -> None:
        self._entries.append(reply)
        self._size += len(reply)

    def wait_for(self, commit: asyncio.Future[Any]) -> None:
        """Hold every later reply until the commit is done."""
        self._entries.append(commit)

    def release(self) -> bytes:
        """Take out the replies that may leave now; b"" when none may.

        Raises what made a commit fail, once the replies before it have been taken out.
        """
        free: list[bytes] = []
        while self._entries:
            entry = self._entries[0]
            if isinstance(entry, bytes):
                free.append(entry)
            elif not entry.done() or (free and entry.exception()):
                break
            else:
                entry.result()
            self._entries.popleft()
        released = b"".join(free)
        self._size -= len(released)
        return released
