"""Count the bytes of replies: ``python -m benchmarks.wire [--json]``.

The session alone, on a terminal of 80x24 with 256 colours and Unicode: what is counted is what is
sent, headers included. The same games in both versions of the wire.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import mean

from jminesweeper.screen.models import ColourDepth

from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.rules import PRESETS, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Hello, MoveTo, NewGame, Packet, Start
from jminesweeper.protocol.vocabulary import (
    Command,
    Feature,
    GameKind,
    Glyphs,
    NewGameFlag,
    RulesCode,
)
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.session import Session

TERMINAL = Hello(80, 24, ColourDepth.INDEXED, Glyphs.UNICODE, features=Feature.TILES)
"""With marks on tiles, as our client."""
BOARDS = (
    (Size(9, 9), 10),
    (Size(20, 10), 10),
    (Size(30, 16), 99),
    (Size(255, 255), 3251),
)
GAMES = 5
STEPS = 60
ACTIONS = (
    "START",
    "move",
    "reveal of a number",
    "reveal of an opening",
    "flag",
    "clock",
    "last reveal",
)
MOVES = (Command.MOVE_RIGHT, Command.MOVE_DOWN, Command.MOVE_LEFT, Command.MOVE_UP)
AIMS = {"move": 16, "reveal of a number": 100, "clock": 24}
"""Of version 2, at most, where the field need not be scrolled."""


@dataclass(frozen=True)
class Sizes:
    """Bytes of the replies to one action on one board."""

    board: str
    action: str
    version: int
    mean: float
    most: int


class Player:
    """Plays a board whose mines are known, so that games last, and notes what replies weigh."""

    def __init__(self, version: int, size: Size, mine_count: int, seed: int) -> None:
        self._session = Session(SessionConfig(), Random(seed).getrandbits)
        self._random = Random(seed)
        self._now_ms = 0
        self.replies: dict[str, list[int]] = {}
        if version == 2:
            self._session.receive(TERMINAL, 0)
        # The level plays no part in what a fresh field weighs.
        self.do("START", Start(size.columns, size.rows, 1))
        board = NewGame(
            GameKind.OWN,
            columns=size.columns,
            rows=size.rows,
            mines=mine_count,
            rules=RulesCode.CLASSIC,
            flags=NewGameFlag.SEEDED,
            seed=seed,
        )
        self._session.receive(board, 0)
        first = Cell(size.columns // 2, size.rows // 2)
        setup = Setup.of(size, mine_count, PRESETS["classic"], seed=seed)
        self._field = setup.minefield(first)
        self._grid = Grid.of(size)
        self._hidden = self._grid.mask
        self._flagged = 0
        self._session.receive(MoveTo(*first), 0)
        self.reveal(first)

    def do(self, action: str, packet: Packet) -> None:
        reply, _effects = self._session.receive(packet, self._now_ms)
        self.replies.setdefault(action, []).append(len(reply))

    def go_to(self, cell: Cell) -> None:
        """Go without counting, as moves of one cell are counted apart."""
        self._session.receive(MoveTo(*cell), self._now_ms)

    def reveal(self, cell: Cell) -> None:
        bit = self._grid.bit(cell)
        opened = self._field.flood(bit, self._grid.mask ^ self._hidden, Spread.EIGHT)
        self._hidden &= ~opened
        if not self._hidden & self._field.safe:
            action = "last reveal"
        else:
            action = "reveal of an opening" if self._field.zeros & bit else "reveal of a number"
        self.do(action, Command.REVEAL)

    def play(self) -> None:
        """Walk, wait, flag and reveal until all is open."""
        for _ in range(STEPS):
            for _ in range(4):
                self.do("move", self._random.choice(MOVES))
            self._now_ms += 1000
            self.do("clock", Command.REFRESH)
            self._flag_one()
            safe = self._hidden & self._field.safe
            if not safe:
                return
            cell = self._pick(safe)
            self.go_to(cell)
            self.reveal(cell)

    def _flag_one(self) -> None:
        mines = self._hidden & self._field.mines & ~self._flagged
        if mines:
            cell = self._pick(mines)
            self._flagged |= self._grid.bit(cell)
            self.go_to(cell)
            self.do("flag", Command.TOGGLE_BOMB_MARK)

    def _pick(self, cells: int) -> Cell:
        return self._random.choice([*self._grid.cells(cells)])


def measure() -> Iterator[Sizes]:
    for size, mine_count in BOARDS:
        for version in (1, 2):
            replies: dict[str, list[int]] = {action: [] for action in ACTIONS}
            for seed in range(GAMES):
                player = Player(version, size, mine_count, seed)
                player.play()
                for action, sizes in player.replies.items():
                    replies[action] += sizes
            for action, sizes in replies.items():
                if not sizes:
                    continue  # The largest board is not played to its end.
                yield Sizes(str(size), action, version, round(mean(sizes), 1), max(sizes))


def table(results: Sequence[Sizes]) -> Iterator[str]:
    yield f"{'board':<8} {'action':<22} {'v1 mean':>9} {'v1 most':>9} {'v2 mean':>9} {'v2 most':>9}"
    by_case = {(each.board, each.action, each.version): each for each in results}
    for board, action, version in by_case:
        if version == 1:
            old, new = by_case[board, action, 1], by_case[board, action, 2]
            aim = f"  aim {AIMS[action]}" if action in AIMS else ""
            yield (
                f"{board:<8} {action:<22} {old.mean:>9} {old.most:>9} {new.mean:>9} {new.most:>9}"
                f"{aim}"
            )


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wire", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the same: it takes no time")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    options = parser.parse_args()
    results = [*measure()]
    if options.json:
        figures = {"aims": AIMS, "replies": [asdict(each) for each in results]}
        say(json.dumps(figures, indent=2))
    else:
        for line in table(results):
            say(line)


if __name__ == "__main__":
    main()
