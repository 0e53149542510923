"""What a client that draws cells knows: the sum of the views it received."""

from __future__ import annotations

from typing import Any, Final

from jminesweeper.check.deviation import DeviationError
from jminesweeper.check.peer import describe
from jminesweeper.core.grid import MAX_SIDE
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet, View
from jminesweeper.protocol.view import paint_faces

COVERED: Final = 16
_IN_ONE_VIEW: Final = ("cursor", "said", "unasked", "last")


class KeptView:
    """Members and faces, as docs/protocol.md says how they change."""

    def __init__(self) -> None:
        self.members: dict[str, Any] = {}
        self.faces = bytearray()

    def apply(self, view: View) -> None:
        for alone in _IN_ONE_VIEW:
            self.members.pop(alone, None)
        members = view.members()
        self.members |= members
        if rows := self.members.pop("rows", None):
            self._change_rows(rows)
        if "size" in members:
            self.faces = bytearray((COVERED,)) * _cells_of(members["size"])
        paint_faces(self.faces, view.cells)

    def _change_rows(self, rows: Any) -> None:
        """Put rows in place of those of the menu that have their ids."""
        match self.members.get("menu"), rows:
            case {"rows": [*known]}, [*changed]:
                by_id = {row.get("id"): row for row in changed if isinstance(row, dict)}
                self.members["menu"]["rows"] = [by_id.get(row.get("id"), row) for row in known]
            case _:
                raise ProtocolError("There are rows in VIEW, and no menu.")


def _cells_of(size: Any) -> int:
    """Return how many cells a board has, from what a server says about it."""
    match size:
        case [int(columns), int(rows)] if 0 < columns <= MAX_SIDE and 0 < rows <= MAX_SIDE:
            return columns * rows
        case _:
            raise ProtocolError("The size in VIEW is not two numbers from 1 to 255.")


def add_up(kept: KeptView, view: Packet) -> None:
    """Apply a view; it is a deviation if it cannot be."""
    if not isinstance(view, View):
        raise DeviationError(describe(view), "a VIEW")
    try:
        kept.apply(view)
    except ProtocolError as error:
        raise DeviationError(error.reason, "a VIEW that says what changed") from error
