"""Who may come in: a cap on all connections and one on those of a single origin."""

from __future__ import annotations

from collections import Counter
from typing import Final

SERVER_FULL: Final = "This server is full. Please try again later."
ORIGIN_FULL: Final = "There are too many connections from your address."


class Admission:
    """Counts guests; a cap of 0 is no cap."""

    def __init__(self, max_connections: int, max_per_origin: int) -> None:
        self._max_connections = max_connections
        self._max_per_origin = max_per_origin
        self._per_origin: Counter[str] = Counter()
        self._guests = 0

    def refusal(self, origin: str) -> str | None:
        """Why nobody else from there is let in; None when one more is welcome."""
        if 0 < self._max_connections <= self._guests:
            return SERVER_FULL
        if 0 < self._max_per_origin <= self._per_origin[origin]:
            return ORIGIN_FULL
        return None

    def enter(self, origin: str) -> None:
        self._guests += 1
        self._per_origin[origin] += 1

    def leave(self, origin: str) -> None:
        self._guests -= 1
        self._per_origin[origin] -= 1
        if not self._per_origin[origin]:
            del self._per_origin[origin]
