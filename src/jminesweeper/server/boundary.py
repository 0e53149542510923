"""Where a bug behind one connection stops, before it reaches the other players."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class Expendable(Protocol):
    """Something that can be ended without harm to anything else."""

    def give_up(self, trouble: Exception) -> None: ...


P = ParamSpec("P")
Owner = TypeVar("Owner", bound=Expendable)


def session_boundary(
    method: Callable[Concatenate[Owner, P], None],
) -> Callable[Concatenate[Owner, P], None]:
    """End the connection whose session, committer or handler raises, and nothing else."""

    @wraps(method)
    def guarded(self: Owner, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(self, *args, **kwargs)
        # A bug behind one connection may raise anything, and must not reach the other players.
        except Exception as trouble:
            self.give_up(trouble)

    return guarded
