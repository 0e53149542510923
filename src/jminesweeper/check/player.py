"""A player of version 1: a connection, packets for keys, and a look at the field.

Each reply holds the whole screen, so each is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from jminesweeper.check.deviation import DeviationError, describe
from jminesweeper.check.painted_screen import Look, PaintedScreen
from jminesweeper.check.peer import Peer
from jminesweeper.client.field_place import FieldPlace, find_field
from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import Packet, Start
from jminesweeper.protocol.vocabulary import Command

MINE: Final = "B"
EMPTY: Final = "."
HIDDEN: Final = "?"
OPENED: Final = f"{EMPTY}12345678"

Picture: TypeAlias = tuple[tuple[Look, ...], ...]

_MOST_LINES: Final = 40


class ScreenPlayer:
    """Plays by what the screen shows; sends so many keys before it reads the answers."""

    def __init__(self, peer: Peer, keys_at_once: int = 1) -> None:
        self.peer = peer
        self.screen = PaintedScreen()
        self._keys_at_once = keys_at_once
        self._field: FieldPlace | None = None

    @property
    def field(self) -> FieldPlace:
        if self._field is None:
            raise DeviationError("no field", "a game that was started")
        return self._field

    def do(self, *packets: Packet) -> bytes:
        """Send packets, and look at the last of their screens."""
        *_, frame = self._frames(packets)
        self.screen = PaintedScreen.showing(frame)
        return frame

    def watch(self, *packets: Packet) -> Iterator[None]:
        """Send packets, and look at each of their screens in turn."""
        for frame in self._frames(packets):
            self.screen = PaintedScreen.showing(frame)
            yield

    def _frames(self, packets: Sequence[Packet]) -> Iterator[bytes]:
        for start in range(0, len(packets), self._keys_at_once):
            together = packets[start : start + self._keys_at_once]
            self.peer.expect_nothing_unasked()
            self.peer.send(*together)
            for packet in together:
                yield self.peer.receive_screen(f"one SCREEN_CONTENT for {describe(packet)}")

    def start(self, columns: int, rows: int, level: int) -> bytes:
        """Start a game; its field must be on the screen, all hidden."""
        frame = self.do(Start(columns, rows, level))
        self._field = find_field(self.screen.rows, Size(columns, rows))
        if self._field is None:
            raise DeviationError(
                f"this screen:\n{self.screen_text}", f"a field of {columns}x{rows} `?`"
            )
        return frame

    @property
    def screen_text(self) -> str:
        lines = self.screen.text().splitlines()
        return "\n".join(lines[:_MOST_LINES])

    @property
    def cells(self) -> list[str]:
        """The first character of every cell, a string for each row of the field."""
        return list(self.field.rows(self.screen.rows))

    @property
    def has_lost(self) -> bool:
        return any(MINE in row for row in self.cells)

    @property
    def picture(self) -> Picture:
        """The field as it looks, its colours and what is around its cells included."""
        field = self.field
        first = max(field.left - 1, 0)
        columns = range(first, field.left + field.size.columns * field.across + 1)
        end = field.top + field.size.rows * field.down
        return tuple(self.screen.look(row, columns) for row in range(field.top, end))

    @property
    def picture_and_cursor(self) -> tuple[Picture, int, int]:
        """The same, and where the cursor of the terminal is."""
        return self.picture, self.screen.row, self.screen.column

    def look(self, cell: Cell) -> tuple[Look, ...]:
        """Return everything that is painted for one cell."""
        field = self.field
        left = field.left + cell.column * field.across
        return self.screen.look(field.top + cell.row * field.down, range(left, left + field.across))

    def rows_of_walk(self) -> Iterator[Sequence[tuple[Cell, Sequence[Packet]]]]:
        """Take the cursor from the top-left over every cell, to and fro.

        For each row its cells, each with the packets that take the cursor there from the last one.
        """
        size = self.field.size
        for row in range(size.rows):
            columns = range(size.columns)[:: -1 if row % 2 else 1]
            aside = Command.MOVE_LEFT if row % 2 else Command.MOVE_RIGHT
            first: Sequence[Packet] = [Command.MOVE_DOWN] if row else []
            yield [
                (Cell(column, row), [aside] if at else first) for at, column in enumerate(columns)
            ]

    def reveal_until_lost(self) -> None:
        """Reveal row after row; what comes after the first mine changes nothing."""
        for row in self.rows_of_walk():
            self.do(*[packet for _, path in row for packet in (*path, Command.REVEAL)])
            if self.has_lost:
                return
        raise DeviationError(
            f"every cell was revealed, and no {MINE} appears:\n{self.screen_text}",
            f"a lost game that shows its mines as {MINE}",
        )
