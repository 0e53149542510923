"""Right servers and a right client, as texts of programs that others differ from in one thing.

Version 1 is the example of docs/protocol.md. Version 2 adds the least that its checks ask for: a
board that NEW_GAME names, ACT, and VIEWs that say what changed.
"""

from __future__ import annotations

from tests.integration.documented import example

VERSION_1 = example("A server")
CLIENT = example("A client")

VERSION_2 = (
    VERSION_1.partition('if __name__ == "__main__"')[0]
    + """
import json
from random import Random as dice_of
from jminesweeper.protocol import packets as p
from jminesweeper.protocol.vocabulary import ProtocolError
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Button, Command, Direction

SIZES = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (30, 16, 99)}
STATES = {(False, False): "playing", (True, True): "lost", (True, False): "won"}


class Player(Player):
    known, is_greeted, is_announced, mines = {}, False, False, set()

    def handle(self):
        reader = PacketReader(Direction.FROM_CLIENT)
        while data := self.rfile.read1(65536):
            try:
                packets = reader.feed(data)
            except ProtocolError:
                return
            for packet in packets:
                if packet is Command.QUIT:
                    return
                self.answer(packet)

    def answer(self, packet):
        if isinstance(packet, p.Hello):
            self.is_greeted, self.known = True, {}
        elif isinstance(packet, p.NewGame):
            self.begin(packet)
        elif isinstance(packet, p.Act):
            self.act(packet)
        elif isinstance(packet, p.Start):
            self.play(7, bytes((packet.columns, packet.rows, packet.level)))
        elif isinstance(packet, Command) and packet.value in {1, 2, 3, 4, 5, 6, 10}:
            self.play(packet.value, b"")
        self.wfile.write(p.encode(self.reply()))

    def reply(self):
        if self.is_greeted:
            return self.view()
        announcement = b"" if self.is_announced else ANNOUNCEMENT
        self.is_announced = True
        return p.ScreenContent(announcement + self.screen().encode())

    def begin(self, game):
        name, *words = game.board.split() or [""]
        numbers = name.replace("x", "/").split("/")
        own = [int(number) for number in numbers if number.isdecimal()]
        columns, rows, mines = SIZES.get(name, own if len(own) == 3 else (0, 0, 0))
        if 0 < columns and 0 < rows and 0 < mines < columns * rows:
            self.play(7, bytes((columns, rows, 1)))
            seeds = [word for word in words if word.startswith("seed=")]
            dice = dice_of(seeds[0]) if seeds else random
            self.mines = set(dice.sample(self.cells, mines))
            self.known.pop("size", None)

    def act(self, action):
        cell = (action.column, action.row)
        if self.columns <= cell[0] or self.rows <= cell[1] or self.over:
            return
        if action.seen != self.seen(cell):
            return
        self.at = cell
        self.play(6 if action.button == Button.FLAG else 5, b"")

    def seen(self, cell):
        is_mine = cell in self.mines
        if cell in self.opened or (self.lost and is_mine):
            return 64 if is_mine else int(self.content(*cell).replace(".", "0"))
        return 16 | 32 * (cell in self.marks)

    def view(self):
        if not self.columns:
            return p.View(b"{}", b"")
        now = {
            "size": [self.columns, self.rows],
            "mines": len(self.mines),
            "left": len(self.mines) - len(self.marks),
            "state": STATES[self.over, self.lost],
        }
        members = {name: value for name, value in now.items() if self.known.get(name) != value}
        faces = bytes(self.seen(cell) for cell in self.cells)
        cells = b"" if self.known.get("faces") == faces else faces
        self.known = {**now, "faces": faces}
        return p.View(json.dumps(members).encode(), cells)
"""
)
