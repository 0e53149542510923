"""A classic game as its player meets it: packets go in as bytes, and what the views say is read."""

from __future__ import annotations

from typing import Final

from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.view import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.protocol.packets import Act, Packet
from jminesweeper.protocol.vocabulary import Button, Command
from tests.world.games import waiting
from tests.world.player import SEEN, same_seed
from tests.world.server import KNOWN, World

CLASSIC = PRESETS["classic"]
_ON_TOP: Final = ((EXPLODED, "*"), (FLAGGED, "F"))


class Table:
    """A player with a key, who presses on cells and on rows of menus."""

    def __init__(
        self, diagram: str = "", rules: Rules = CLASSIC, *, entropy: RandomBits = same_seed
    ) -> None:
        self.world = World()
        if diagram:
            self.world.put(waiting(diagram, rules))
        self.player = self.world.player(entropy=entropy)
        self.player.send(KNOWN)

    def press(self, column: int, row: int, button: Button = Button.REVEAL) -> str:
        """Press on a cell: a short press reveals, a long one is the flag's button."""
        return self.player.send(Act(column, row, button, SEEN)).text

    def flag(self, column: int, row: int) -> str:
        return self.press(column, row, Button.FLAG)

    def send(self, *packets: Packet) -> str:
        return self.player.send(*packets).text

    def wait(self, seconds: float) -> str:
        """Let time pass; the client asks for the clock."""
        return self.player.send_after(round(seconds * 1000), Command.REFRESH).text

    def choose(self, label: str, value: str = "") -> str:
        """Press on a row of a menu."""
        return self.player.choose(label, value).text

    @property
    def size(self) -> tuple[int, int]:
        columns, rows = self.player.members["size"]
        return columns, rows

    @property
    def words(self) -> str:
        return self.player.text

    @property
    def field(self) -> list[str]:
        """The look of every cell, in a character."""
        columns, rows = self.size
        is_hidden = self.player.entry("state") == "paused"
        return [
            "".join(" " if is_hidden else self.marks(column, row)[0] for column in range(columns))
            for row in range(rows)
        ]

    def marks(self, column: int, row: int) -> str:
        """Return the look of a cell: what it is, and what is on top of it, if anything."""
        face = self.player.faces[row * self.size[0] + column]
        if face & COVERED and not self.is_over:
            return "F" if face & FLAGGED else "?"
        sign = "B" if face & MINED else ".12345678"[face & 15]
        on_top = "".join(mark for bit, mark in _ON_TOP if face & bit)
        return "F" if self.player.entry("state") == "won" and face & FLAGGED else sign + on_top

    @property
    def is_over(self) -> bool:
        return self.player.entry("state") in {"won", "lost"}

    @property
    def mines_left(self) -> int:
        return int(self.player.entry("mines left"))

    @property
    def seconds(self) -> int:
        return int(self.player.entry("clock").removesuffix(" s"))
