"""What a server may ask its worker processes to do; each is found where it is done.

The server itself never imports the solver: nobody who only wants to play should wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

_MODULE: Final = "jminesweeper.server.assistance"


@dataclass(frozen=True, slots=True)
class Errand:
    """A task of `assistance`, imported by the process that carries it out."""

    __name__: str

    def __call__(self, request: Any, limit_s: float) -> object:
        return getattr(import_module(_MODULE), self.__name__)(request, limit_s)


find_hint: Final = Errand("find_hint")
lay_board: Final = Errand("lay_board")
look_back: Final = Errand("look_back")
