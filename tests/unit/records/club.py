"""Some players, a store, and short names for what they do."""

from __future__ import annotations

import random
from typing import TypeVar

from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records.documents import Due, Flow, GameDocument, Label, Outcome
from jminesweeper.records.forgetting import forget_newcomers
from jminesweeper.records.games import NO_GAME, ReplacedGame, begin, put_aside
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import Opened, PlayerCopy, enter, open_game
from jminesweeper.records.results import Judgement, outcome_of, settle
from jminesweeper.store.blocking import run
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Store

T = TypeVar("T")

EXPERT = Setup.of("expert", seed=1)
BEGINNER = Setup.of("beginner", seed=2)


def flags(length: int) -> bytes:
    """Make a log of flags, one in each cell from the first on."""
    return pack_entries([pack_entry(1, ActionKind.FLAG, index) for index in range(length)])


class Club:
    """A store whose day is set by hand, and the players who are there."""

    def __init__(self, store: Store | None = None) -> None:
        self.now_s = 1_800_000_000
        self.store = store or MemoryStore(now_s=lambda: self.now_s)
        self.draw = random.Random(1).getrandbits
        self._codes = 0

    def do(self, flow: Flow[T]) -> T:
        return run(self.store, flow)

    def pass_days(self, days: int) -> None:
        self.now_s += days * DAY_S
        self.do(forget_newcomers(self.now_s // DAY_S, 1_000))

    def enter(self, device: str, name: str = "", address: str = "") -> PlayerCopy:
        return self.do(enter(PlayerCopy(device, self.draw, name=name, address=address)))

    def begin(
        self,
        held: PlayerCopy,
        setup: Setup = EXPERT,
        code: str = "",
        replaced: ReplacedGame = NO_GAME,
        length: int = 1,
    ) -> str:
        """Begin a game in place of the current one, with some entries."""
        self._codes += 1
        code = code or f"game{self._codes}"
        game = GameDocument(setup, (held.id,), self.now_s * 1000)
        before = held.document.current
        self.do(
            put_aside(
                held, replaced if replaced.code else ReplacedGame(before), self.now_s, self.draw
            )
        )
        self.do(begin(held, code, game, flags(length), self.now_s))
        return code

    def record(self, held: PlayerCopy, code: str, game: Game) -> None:
        """Begin a game that was played, in place of the current one, and settle it."""
        document = GameDocument(game.setup, (held.id,), self.now_s * 1000)
        replaced = ReplacedGame(held.document.current)
        self.do(put_aside(held, replaced, self.now_s, self.draw))
        self.do(begin(held, code, document, pack_entries(game.log.entries), self.now_s))
        due = Due(self.now_s * 1000, code, len(game.log))
        outcome = outcome_of(game, document.begun_at_ms, due.ended_at_ms)
        self.do(settle(due, Judgement(outcome, is_over=True), self.draw))

    def end(
        self,
        code: str,
        status: Status = Status.WON,
        *,
        length: int = 1,
        wall_ms: int = 5_000,
        is_assisted: bool = False,
    ) -> GameDocument:
        outcome = Outcome(status, length, wall_ms, wall_ms, self.now_s, is_assisted, {"3bv/s": 2.0})
        due = Due(self.now_s * 1000, code, length)
        settled = self.do(settle(due, Judgement(outcome, is_over=True), self.draw))
        assert settled is not None
        return settled[0]

    def play(self, held: PlayerCopy, setup: Setup = EXPERT, status: Status = Status.WON) -> str:
        """Play a game to its end, a second later than the one before."""
        self.now_s += 1
        code = self.begin(held, setup)
        self.end(code, status)
        return code

    def find(self, code: str) -> Opened | None:
        return self.do(open_game(code))

    def label(self, code: str, length: int = 1, *, is_aside: bool = False) -> Label:
        return Label(code, length, self.now_s, EXPERT.variant, 0.5, 700, Cell(1, 2), is_aside)

    def set_aside(self, code: str, length: int = 1) -> ReplacedGame:
        """Describe a game that waits from now on, and counts as given up meanwhile."""
        due = Due(self.now_s * 1000, code, length)
        return ReplacedGame(code, self.label(code, length, is_aside=True), due)
