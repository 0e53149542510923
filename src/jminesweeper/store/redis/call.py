"""What a call of a function inside Redis consists of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

Word: TypeAlias = bytes | str | int


class Call(NamedTuple):
    """How an operation becomes words, and a reply its answer; None takes the reply as it is."""

    name: str
    words: Callable[[Any], Sequence[Word]]
    answer: Callable[[Any, Any], Any] | None = None


def nothing(_asked: object, _reply: object) -> None:
    """Answer a write that has no result."""
