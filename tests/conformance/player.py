"""A player of version 1: a connection, a terminal, and a finger for every key."""

from __future__ import annotations

from collections.abc import Iterator

from jminesweeper.protocol import Command, Packet, Start
from tests.conformance.peer import Address, Peer
from tests.conformance.terminal import Lattice, Terminal, find_hidden_field

BOMB = "B"
EMPTY = "."
HIDDEN = "?"


class Player:
    """Plays on what the screen shows."""

    def __init__(self, address: Address, columns: int = 80, rows: int = 24) -> None:
        self.peer = Peer(address)
        self.terminal = Terminal(columns, rows)
        self._lattice: Lattice | None = None

    @property
    def lattice(self) -> Lattice:
        assert self._lattice is not None, "no game was started"
        return self._lattice

    def do(self, *packets: Packet) -> bytes:
        """Send packets one at a time, painting each answer; the last frame."""
        frame = b""
        for packet in packets:
            frame = self.peer.ask(packet)
            self.terminal.paint(frame)
        return frame

    def start(self, columns: int, rows: int, level: int) -> bytes:
        """Start a game; its field must be on the screen, all hidden."""
        frame = self.do(Start(columns, rows, level))
        self._lattice = find_hidden_field(self.terminal.lines, columns, rows)
        assert self._lattice is not None, f"no field of {columns}x{rows}:\n{self.terminal.text}"
        return frame

    @property
    def cells(self) -> list[str]:
        return self.lattice.read(self.terminal.lines)

    @property
    def all_cells(self) -> str:
        return "".join(self.cells)

    @property
    def field_picture(self) -> list[tuple[object, ...]]:
        """The field as it looks, its colours and the cursor included; not the lines around it."""
        return self.terminal.picture(self.lattice.screen_rows)

    def look(self, column: int, row: int) -> tuple[object, ...]:
        """Everything that is painted for one cell."""
        left = self.lattice.left + column * self.lattice.column_step
        columns = range(left, left + self.lattice.column_step)
        return self.terminal.look(self.lattice.screen_rows[row], columns)

    @property
    def has_lost(self) -> bool:
        return BOMB in self.all_cells

    def walk(self) -> Iterator[tuple[int, int]]:
        """Take the cursor from the top-left over every cell, to and fro."""
        columns, rows = self.lattice.columns, self.lattice.rows
        for row in range(rows):
            along = range(columns) if row % 2 == 0 else range(columns - 1, -1, -1)
            for at, column in enumerate(along):
                yield column, row
                if at < columns - 1:
                    self.do(Command.MOVE_LEFT if row % 2 else Command.MOVE_RIGHT)
            if row < rows - 1:
                self.do(Command.MOVE_DOWN)

    def reveal_until_lost(self) -> None:
        for column, row in self.walk():
            if self.cells[row][column] == HIDDEN:
                self.do(Command.REVEAL)
            if self.has_lost:
                return
        raise AssertionError(f"every cell was revealed and no bomb met:\n{self.terminal.text}")
