"""A store's games and players, read and written behind the server's back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status, parse_board
from jminesweeper.records.checking import Checks
from jminesweeper.records.documents import (
    Due,
    Flow,
    GameDocument,
    Label,
    Note,
    Outcome,
    PlayerDocument,
)
from jminesweeper.records.games import begin, put_note, save
from jminesweeper.records.keys import player_id
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import (
    Change,
    PlayerCopy,
    enter,
    find_player,
    open_game,
    put_player,
)
from jminesweeper.records.reading import list_games
from jminesweeper.records.results import Judgement, settle
from jminesweeper.store.blocking import pages, perform, run
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Store

T = TypeVar("T")

KEY = bytes(range(16))
ADA = player_id(KEY)
NOW_S = 1_000_000_001
TOP_LEFT = Cell(0, 0)


@dataclass(frozen=True)
class Kept:
    """A game as the store has it."""

    code: str
    setup: Setup
    entries: bytes = b""
    clock_ms: int = 0
    cursor: Cell = TOP_LEFT
    is_paused: bool = False
    begun_at_ms: int = 0

    @property
    def length(self) -> int:
        return len(self.entries) // 8


@dataclass(frozen=True)
class Finished:
    """A game that is recorded."""

    code: str
    game: GameDocument
    outcome: Outcome

    @property
    def status(self) -> Status:
        return self.outcome.status

    @property
    def variant(self) -> Variant:
        return self.game.variant

    @property
    def is_assisted(self) -> bool:
        return self.outcome.is_assisted


class Games:
    """The games and players of a store."""

    store: MemoryStore
    tokens: RandomBits

    def run(self, flow: Flow[T]) -> T:
        """Do something behind the sessions' backs; no fault is answered."""
        return run(self.store, flow)

    def held(self, key: bytes = KEY) -> PlayerCopy:
        return self.run(enter(PlayerCopy(player_id(key), self.tokens)))

    def introduce(self, settings: Mapping[str, str], key: bytes = KEY) -> None:
        self.run(put_player(self.held(key), "Ada", settings, NOW_S))

    def know_for_a_day(self, key: bytes = KEY) -> None:
        """Make a player's first game have ended the day before."""

        def edit(player: PlayerDocument) -> Flow[Change | None]:
            yield from ()
            return Change(replace(player, first_end_s=NOW_S - DAY_S))

        self.run(self.held(key).change(edit, NOW_S))

    def put(self, kept: Kept, key: bytes = KEY) -> None:
        """Let this game wait for a player."""
        held = self.held(key)
        game = GameDocument(kept.setup, (held.id,), kept.begun_at_ms)
        assert self.run(begin(held, kept.code, game, kept.entries, NOW_S))
        noted = Note(kept.length, kept.clock_ms, kept.cursor, kept.is_paused)
        self.run(put_note(held, kept.code, noted, NOW_S))

    def find(self, code: str) -> Kept | None:
        opened = self.run(open_game(code))
        if opened is None:
            return None
        noted = opened.noted
        return Kept(
            code,
            opened.game.setup,
            opened.entries,
            noted.clock_ms,
            noted.cursor,
            noted.is_paused,
            opened.game.begun_at_ms,
        )

    def current(self, key: bytes = KEY) -> Kept | None:
        """Return what the store has of a player's current game."""
        return self.find(self.held(key).document.current)

    @property
    def running(self) -> Kept:
        """Ada's current game."""
        kept = self.current()
        assert kept is not None
        return kept

    @property
    def ada(self) -> PlayerDocument | None:
        return self.run(find_player(ADA))

    @property
    def finished(self) -> list[Finished]:
        """Ada's finished games, the first one first."""
        listed = self.run(list_games(ADA, 100))
        return [
            Finished(code, game, game.outcome) for code, game in reversed(listed) if game.outcome
        ]

    @property
    def saves(self) -> list[str]:
        """The names of Ada's saves, by the alphabet."""
        return sorted(self.held().document.saves)

    def put_save(self, name: str, kept: Kept, at_s: int = 0) -> None:
        """Save a game for Ada behind the session's back."""
        held = self.held()
        known, code = self.find(kept.code), kept.code
        if known is None or not known.entries.startswith(kept.entries):
            game = GameDocument(kept.setup, (held.id,), kept.begun_at_ms)
            code = f"{kept.code}{len(self.store._items)}"
            self.run(begin(held, code, game, kept.entries, NOW_S, due=Due(0, code, kept.length)))
        where = kept.clock_ms, kept.cursor
        label = Label(code, kept.length, at_s, kept.setup.variant, 0.0, *where)
        self.run(save(held, name, label, NOW_S))

    def record(self, code: str, setup: Setup, status: Status) -> None:
        """Record a game of Ada's behind the session's back."""
        held, due = self.held(), Due(0, code, 0)
        self.run(begin(held, code, GameDocument(setup, (held.id,), 1), b"", NOW_S, due=due))
        outcome = Outcome(status, 0, 1_000, 1_000, NOW_S)
        self.run(settle(due, Judgement(outcome, is_over=True), self.tokens))

    def save(self, name: str) -> Kept:
        """Return what Ada saved under a name."""
        label = self.held().document.saves[name]
        kept = self.find(label.code)
        assert kept is not None
        return replace(kept, entries=kept.entries[: 8 * label.length])


def waiting(
    diagram: str,
    rules: Rules | str = "classic",
    cursor: Cell | None = None,
    *,
    variant: Variant | None = None,
) -> Kept:
    """Write down a game on a board of `*` and `.` on which nothing was done yet."""
    field = parse_board(diagram)
    setup = Setup.of(field.size, rules=rules, layout=field.mines)
    if variant is not None:
        setup = replace(setup, variant=variant)
    return Kept("given", setup, cursor=cursor or Cell(0, 0))


def flagged(diagram: str, times: int) -> Kept:
    """Write down a game in which the second cell was flagged and unflagged so many times."""
    kept = waiting(diagram)
    game = Game(kept.setup)
    for number in range(times):
        game.flag(Cell(1, 0), number)
    return replace(kept, entries=pack_entries(game.log.entries))


def ada_in(store: MemoryStore) -> PlayerDocument:
    """Return what a store has of Ada."""
    return run(store, find_player(ADA)) or PlayerDocument(ADA)


def problems_of(store: Store) -> list[str]:
    """Check a store as `store check` does."""
    checks = Checks(lambda asked: perform(store, asked))
    problems: list[str] = []
    for page in pages(store):
        problems += checks.check(page)
    return [*problems, *checks.check_sums()]
