"""A client that draws cells, as far as what it knows goes."""

from __future__ import annotations

from typing import Any

from jminesweeper.protocol import View, paint_faces


class CellsClient:
    """Members and faces, kept as docs/protocol.md says."""

    def __init__(self) -> None:
        self.members: dict[str, Any] = {}
        self.faces = bytearray()

    def apply(self, view: View) -> None:
        members = view.members()
        self.members |= members
        if "size" in members:
            columns, rows = members["size"]
            self.faces = bytearray(b"\x10" * columns * rows)
        paint_faces(self.faces, view.cells)
