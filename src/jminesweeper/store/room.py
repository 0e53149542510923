"""How full a limited store is, and which commits it still takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from jminesweeper.store.port import Commit, Deliver, Importance, deliver_at_once

USABLE: Final[Mapping[Importance, float]] = {
    Importance.LOW: 0.9,
    Importance.NORMAL: 0.95,
    Importance.HIGH: 1.0,
}
"""The part of the limit up to which commits of an importance are taken."""
CROWDED_S: Final = 1.0
"""How often it is said that the store is nearly full."""

OnCrowded: TypeAlias = Callable[[], None]


def ignore_crowd() -> None:
    """Watch nothing."""


class Room:
    """What was measured last; a batch is taken or refused by what there was before it."""

    def __init__(
        self, deliver: Deliver = deliver_at_once, on_crowded: OnCrowded = ignore_crowd
    ) -> None:
        self._deliver = deliver
        self._on_crowded = on_crowded
        self._used = 0.0
        self._next_warning_s = 0.0

    def measure(self, used_bytes: int, limit_bytes: int | None) -> None:
        self._used = used_bytes / limit_bytes if limit_bytes else 0.0

    def has_room_for(self, commit: Commit) -> bool:
        return self._used < USABLE[commit.importance] or only_deletes(commit)

    def warn(self) -> None:
        """Say, now and then, that strangers are refused: somebody may know what to delete."""
        if self._used >= USABLE[Importance.LOW] and time.monotonic() >= self._next_warning_s:
            self._next_warning_s = time.monotonic() + CROWDED_S
            self._deliver(self._on_crowded)


def only_deletes(commit: Commit) -> bool:
    return not (commit.appends or commit.adds) and (
        all(put.body is None for put in commit.puts)
        and all(place.is_gone for place in commit.places)
    )
