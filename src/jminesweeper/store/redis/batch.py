"""A batch of operations as one call: the words of all, and what the replies mean.

The functions answer with a word in place of a value where they refuse an operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from jminesweeper.store import (
    Append,
    Fault,
    FencedError,
    Finish,
    Note,
    Operation,
    RevisionError,
    StoreError,
    StoreUnavailableError,
    TakenCodeError,
    UnknownPlayerError,
)
from jminesweeper.store.redis import reading, transfer, writing
from jminesweeper.store.redis.encoding import Call, Word
from jminesweeper.store.values import reading_values, too_many_saves


def words_of(operations: Iterable[Operation[Any]]) -> list[Word]:
    """Put the calls of a batch one after the other."""
    words: list[Word] = []
    for operation in operations:
        call = _CALLS[type(operation)]
        arguments = call.words(operation)
        words += call.name, len(arguments), *arguments
    return words


def answer_of(operation: Operation[Any], reply: Any) -> Any:
    """Read the reply: a result or a StoreError."""
    if type(reply) is bytes:
        word, _, detail = reply.partition(b" ")
        if word in _REFUSALS:
            return _REFUSALS[word](operation, detail)
    answer = _CALLS[type(operation)].answer
    if answer is None:
        return reply
    try:
        with reading_values():
            return answer(operation, reply)
    except StoreUnavailableError as error:
        return error


def _refuse_revision(operation: Append | Finish | Note) -> StoreError:
    match operation:
        case Append():
            return RevisionError(operation.revision)
        case Finish():
            return RevisionError(operation.last.revision)
        case _:
            return RevisionError(0)


_REFUSALS: Final[Mapping[bytes, Callable[[Any, bytes], StoreError]]] = {
    b"UNKNOWN": lambda _asked, _detail: UnknownPlayerError(),
    b"FENCED": lambda _asked, _detail: FencedError(),
    b"REVISION": lambda asked, _detail: _refuse_revision(asked),
    b"TAKEN": lambda _asked, code: TakenCodeError(code.decode()),
    b"SAVES": lambda _asked, _detail: too_many_saves(),
    b"DAMAGED": lambda _asked, _detail: StoreUnavailableError(Fault.DAMAGED),
}

READS: Final[Mapping[type[Operation[Any]], Call]] = {**reading.READS, **transfer.READS}
_CALLS: Final = {**READS, **writing.WRITES, **transfer.WRITES}
