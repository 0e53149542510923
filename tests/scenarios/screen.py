"""A classic game as its player meets it: packets go in as bytes, and the painted screen is read."""

from __future__ import annotations

import re

from jminesweeper.core.generator import RandomBits
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.painted import FieldPlace, find_field
from jminesweeper.protocol.packets import Packet, Pointer
from jminesweeper.protocol.vocabulary import Button, Command
from tests.unit.session.backstage import ANSI, Backstage, waiting
from tests.unit.session.player import same_seed

CLASSIC = PRESETS["classic"]


class Table:
    """A player with a key and a mouse, on a terminal of 80x24."""

    def __init__(
        self, diagram: str = "", rules: Rules = CLASSIC, *, entropy: RandomBits = same_seed
    ) -> None:
        self.backstage = Backstage()
        if diagram:
            self.backstage.put(waiting(diagram, rules))
        self.player = self.backstage.player(entropy=entropy)
        self.player.send(ANSI)
        self._place: FieldPlace | None = None
        if diagram:
            size = parse_board(diagram).size
            self.find_field(size.columns, size.rows)

    def find_field(self, columns: int, rows: int) -> None:
        """Look for a field on which every cell is hidden."""
        self._place = find_field(self.lines, Size(columns, rows))
        assert self._place is not None, f"no hidden field of {columns}x{rows}:\n{self.screen}"

    def press(self, column: int, row: int, button: Button = Button.REVEAL) -> str:
        """Press on a cell: a short press reveals, a long one comes as the flag's button."""
        return self.player.send(Pointer(*self.point_at(Cell(column, row)), button))

    def flag(self, column: int, row: int) -> str:
        return self.press(column, row, Button.FLAG)

    def send(self, *packets: Packet) -> str:
        return self.player.send(*packets)

    def wait(self, seconds: float) -> str:
        """Let time pass; the client asks for the clock."""
        return self.player.send_after(round(seconds * 1000), Command.REFRESH)

    def choose(self, label: str) -> str:
        """Press on an item of a menu."""
        for row, line in enumerate(self.player.terminal.lines):
            if f" {label}" in line:
                return self.send(Pointer(line.index(label), row, Button.REVEAL))
        raise AssertionError(f"no {label} on\n{self.screen}")

    def point_at(self, cell: Cell) -> Cell:
        """Return where on the terminal a cell is."""
        place = self.place
        return Cell(place.left + place.across * cell.column, place.top + cell.row)

    @property
    def place(self) -> FieldPlace:
        assert self._place is not None, "no field was found yet"
        return self._place

    @property
    def screen(self) -> str:
        return self.player.text

    @property
    def lines(self) -> list[str]:
        """The screen, with covered cells as version 1 writes them."""
        return [line.replace("#", "?") for line in self.player.terminal.lines]

    @property
    def field(self) -> list[str]:
        """The first character of every cell."""
        return list(self.place.rows(self.lines))

    def marks(self, column: int, row: int) -> str:
        """Both characters of one cell."""
        place = self.point_at(Cell(column, row))
        return self.player.terminal.lines[place.row][place.column : place.column + 2]

    @property
    def header(self) -> str:
        return next(line for line in self.player.lines if "JMinesweeper" in line)

    @property
    def mines_left(self) -> int:
        return int(self._read(r"mines +(-?\d+)"))

    @property
    def seconds(self) -> int:
        minutes, seconds = self._read(r"(\d+:\d+)$").split(":")
        return 60 * int(minutes) + int(seconds)

    def _read(self, pattern: str) -> str:
        found = re.search(pattern, self.header)
        assert found is not None, self.header
        return found[1]
