"""Flows: questions to a store, one after the other, and the steps that many of them have."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from jminesweeper.core.minefield import RandomBits
from jminesweeper.store.port import VERSION_BITS, Commit, Document, Found, Read

T = TypeVar("T")

QUICK_LOG_BYTES: Final = 8_000
"""A log up to this length is replayed at once. A longer one would delay other players."""


@dataclass(frozen=True, slots=True)
class Compute:
    """A step of a flow that replays logs; long ones are replayed in a thread."""

    do: Callable[[], Any]
    log_bytes: int

    def __call__(self) -> Any:
        return self.do()

    @property
    def is_quick(self) -> bool:
        return self.log_bytes <= QUICK_LOG_BYTES


Flow: TypeAlias = Generator[Read | Commit, Any, T]
"""Asks a store and gets its answers; an error of the store is raised in it."""
LongFlow: TypeAlias = Generator[Read | Commit | Compute, Any, T]
"""A flow that replays logs."""


def read_document(key: str) -> Flow[Document]:
    found: Found = yield Read((key,))
    return found.documents[0]


def new_version(draw: RandomBits) -> int:
    return draw(VERSION_BITS) | 1
