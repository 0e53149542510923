"""The cost of an action from end to end, without a network: a reply, and the client's frame.

The same games in both versions of the wire. Version 1 is a whole frame each time, as the documented
protocol has it; version 2 is what changed, from which the client composes and paints.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import Final, NamedTuple

from benchmarks.tables import Run, Table
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, Hello, MoveTo, NewGame, OpenMenu, Packet, Start, View
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.session import Session
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.inks import Painter
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.looks import Canvas, ColourDepth

GAMES, QUICK_GAMES = 20, 4
SAFE_SHARE: Final = 0.4
"""The share of a board that is opened: most of a game, at any size."""
VIEW_HEADER: Final = 5
BOARDS: Final = (
    (Size(30, 16), 99, Canvas(80, 24, ColourDepth.INDEXED, has_unicode=True)),
    (Size(255, 255), 13_000, Canvas(200, 60, ColourDepth.INDEXED, has_unicode=True)),
)
MOST_ACTIONS: Final = 300


class Cost(NamedTuple):
    """Of one packet."""

    reply_bytes: int
    server_us: float
    client_us: float = 0.0
    terminal_bytes: int = 0


class Player:
    """Plays a board whose mines are known, so that games last, and notes what each packet costs."""

    def __init__(self, version: int, canvas: Canvas, seed: int) -> None:
        self._session = Session(SessionConfig(), Random(seed).getrandbits, Matches())
        self._version = version
        self._viewer, self._painter = FrontEnd(canvas, KeyMap()), Painter(canvas)
        self._canvas = canvas
        self._now_ms = 0
        self.costs: defaultdict[str, list[Cost]] = defaultdict(list)

    def do(self, what: str, packet: Packet) -> None:
        self._now_ms += 700
        begun = perf_counter_ns()
        reply, _ = self._session.receive(packet, self._now_ms)
        cost = Cost(len(reply), (perf_counter_ns() - begun) / 1000)
        if self._version == 2:
            begun, now_s = perf_counter_ns(), self._now_ms / 1000
            view = View.parse(reply[VIEW_HEADER:])
            self._viewer.apply_view(view.members(), view.cells, packet, now_s)
            painted = self._painter.paint(self._viewer.screen(now_s), self._canvas)
            client_us = (perf_counter_ns() - begun) / 1000
            cost = cost._replace(client_us=client_us, terminal_bytes=len(painted.encode()))
        self.costs[what].append(cost)

    def press(self, what: str, cell: Cell, button: Button, seen: int) -> None:
        if self._version == 2:
            self.do(what, Act(*cell, button, seen))
            return
        self._session.receive(MoveTo(*cell), self._now_ms)
        key = Command.REVEAL if button is Button.REVEAL else Command.TOGGLE_BOMB_MARK
        self.do(what, key)

    def play(self, size: Size, mine_count: int, seed: int) -> None:
        """Open cells in any order, flag mines now and then, look at the clock and the menu."""
        board = NewGame(f"{size}/{mine_count} classic seed={seed}")
        start = Start(size.columns, size.rows, 1)
        if self._version == 2:
            # A client says START first: only a server of version 2 is told HELLO.
            self._session.receive(start, 0)
            self.do("HELLO and first board", Hello())
            self.do("new game", board)
        else:
            self.do("HELLO and first board", start)
            self.do("new game", board)
        game, random = Game(Setup.of(size, mine_count, seed=seed)), Random(seed)
        cells = list(game.grid.cells(game.grid.mask))
        random.shuffle(cells)
        goal = SAFE_SHARE * (size.cells - mine_count)
        for number, cell in enumerate(cells[: 3 * MOST_ACTIONS]):
            if game.status is not Status.ONGOING or game.view.visible.bit_count() > goal:
                break
            if not game.view.visible & game.grid.bit(cell):
                self._act(game, cell, is_watched=number % 10 == 0)
        if self._version == 2:
            self.do("menu opened", OpenMenu(""))
            self.do("menu closed", OpenMenu(""))
        mine = next(game.grid.cells(game.reveal_truth().mines & ~game.view.flagged))
        self.press("game lost", mine, Button.REVEAL, 16)

    def _act(self, game: Game, cell: Cell, *, is_watched: bool) -> None:
        before = game.view.visible.bit_count()
        if before and game.reveal_truth().mines & game.grid.bit(cell):
            if is_watched:
                game.flag(cell)
                self.press("flag", cell, Button.FLAG, 16)
            return
        game.reveal(cell)
        opened = game.view.visible.bit_count() - before
        self.press("number" if opened == 1 else "opening", cell, Button.REVEAL, 16)
        if is_watched:
            self.do("clock", Command.REFRESH)


def measure(run: Run) -> Iterator[Table]:
    head = (
        *("median of each", "version 1, B", "version 2, B", "version 1, µs", "version 2, µs"),
        *("client's frame, µs", "to the terminal, B"),
    )
    rows = []
    for size, mine_count, canvas in BOARDS:
        costs = []
        for version in (1, 2):
            taken: defaultdict[str, list[Cost]] = defaultdict(list)
            for seed in range(QUICK_GAMES if run.is_quick else GAMES):
                player = Player(version, canvas, seed)
                player.play(size, mine_count, seed)
                for what, each in player.costs.items():
                    taken[what] += each
            costs.append(taken)
        old, new = costs
        rows += [(f"{size} {what}", *_figures(old[what], new[what])) for what in new]
    yield Table("wire", head, rows)


def _figures(old: list[Cost], new: list[Cost]) -> Iterator[float | None]:
    for field in ("reply_bytes", "server_us"):
        for costs in (old, new):
            yield median(getattr(cost, field) for cost in costs) if costs else None
    yield median(cost.client_us for cost in new)
    yield median(cost.terminal_bytes for cost in new)
