"""Who answers a session in tests: a store that can fail, and a solver that says its lines."""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from random import Random
from typing import Any, TypeVar

from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Hello
from jminesweeper.protocol.vocabulary import Feature
from jminesweeper.records.days import DaySeeds
from jminesweeper.records.documents import (
    Compute,
    Due,
    Flow,
    GameDocument,
    Label,
    LongFlow,
    Note,
    Outcome,
    PlayerDocument,
)
from jminesweeper.records.games import begin, list_saves, note, save
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
from jminesweeper.records.table import Now
from jminesweeper.server.assistance import play_board
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.opening import replay
from jminesweeper.session.reply import (
    Analyse,
    AwaitStored,
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundSolved,
    LayBoard,
    RaceSolver,
    Rebuild,
    Wish,
)
from jminesweeper.session.rival import Rival
from jminesweeper.session.rounds import draw_board
from jminesweeper.session.settings import setup_of_day
from jminesweeper.session.tables import Means
from jminesweeper.store.blocking import run
from jminesweeper.store.errors import StoreError
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Commit, Job, Operation, Read
from tests.unit.session.player import Player, same_seed

T = TypeVar("T")

KEY = bytes(range(16))
ADA = player_id(KEY)
KNOWN = Hello(key=KEY, name="Ada", features=Feature.RESUME)
UNDECIDED = replace(KNOWN, features=Feature(0))
"""Somebody who did not say whether to resume what waits."""
LIVE = replace(KNOWN, features=Feature.LIVE | Feature.RESUME)
ANONYMOUS = Hello()
DAY_SEEDS = DaySeeds(bytes(32))
CONFIG = SessionConfig(
    has_store=True,
    has_solver=True,
    epoch_ms=lambda: 1_000_000_000_000,
    day_seed=DAY_SEEDS.of,
)


def daily(day: date, board: str = "beginner") -> Setup:
    """Set up what sessions here get as the board of the day."""
    return setup_of_day(CONFIG, board, day)


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


class Backstage:
    """A memory store and a solver's lines; `fault` is what the store answers while it is set."""

    is_shared = True

    def __init__(self) -> None:
        self.matches = Matches(CONFIG.epoch_ms)
        self.now_ms = 1_000
        """The time of the last packet."""
        self.store = self.new_store()
        self.fault: StoreError | None = None
        self.tokens = Random(1).getrandbits
        self.operations: list[Operation] = []
        self.questions: list[object] = []
        self.hints: deque[FoundHint | FoundOdds | FoundSolved | None] = deque()
        self.boards: deque[int | None] = deque()
        self.rivals: deque[Rival | None] = deque()
        self.analyses: deque[tuple[str, ...] | None] = deque()
        self.listeners: dict[str, list[Callable[[bytes], None]]] = defaultdict(list)
        self._own_listeners: list[Callable[[bytes], None]] = []
        self._wishes: deque[Any] = deque()
        self._timers: list[tuple[int, int, Callable[[], object]]] = []
        self._timer_numbers = itertools.count()
        self._cancelled: set[int] = set()
        self.matches.tables.means = self._means()
        self.matches.bus = self

    def new_store(self) -> MemoryStore:
        return MemoryStore(now_s=lambda: CONFIG.seconds(self.now_ms))

    def answer(self, asked: Any) -> Any:
        answers: deque[Any]
        match asked:
            case Commit() | Read():
                return self.submit(asked)
            case AwaitStored():
                return self.pump()
            case FindHint() | FindOdds() | FindSolved():
                answers = self.hints
            case LayBoard():
                answers = self.boards
            case RaceSolver():
                answers = self.rivals
            case Analyse():
                answers = self.analyses
            case Wish(code, player, change):
                self.matches.tables.wish(code, player, change, self._wishes.append)
                while not self._wishes:
                    self.pass_time(self._timers[0][0])
                return self._wishes.popleft()
            case _:
                assert isinstance(asked, Rebuild)
                answers = deque([replay(asked)])
        self.questions.append(asked)
        return answers.popleft()

    def submit(self, operation: Operation) -> Any:
        self.operations.append(operation)
        if self.fault is not None:
            return self.fault
        answers: list[object] = []
        self.store.submit([Job(operation, answers.append)])
        return answers[0]

    def carry_out(self, flow: LongFlow[Any]) -> Any:
        """Carry a flow out; return its result, or the error that ended it."""
        answer: Any = None
        try:
            while True:
                is_error = isinstance(answer, StoreError)
                asked = flow.throw(answer) if is_error else flow.send(answer)
                answer = asked() if isinstance(asked, Compute) else self.submit(asked)
        except StopIteration as end:
            return end.value
        except StoreError as error:
            return error

    def pump(self) -> None:
        """Let matches and the store become one, and tell who is at them."""
        now_ms = self.now_ms
        for count in self.matches.count_ended():
            self.carry_out(count)
        while changed := self.matches.take_changed():
            for match in changed:
                journal = match.journal
                assert journal is not None
                operation = journal.next_operation(now_ms + self.matches.epoch_ms())
                if operation is not None:
                    is_rebased = match.take(self.submit(operation), now_ms)
                    self.matches.note_stored(match)
                    self.matches.note(match)
                    match.tell(is_rebased=is_rebased)

    # What tables can have done

    def _means(self) -> Means:
        return Means(
            self._now,
            lambda flow, done: done(self.carry_out(flow)),
            self.publish,
            self.subscribe,
            self.call_at,
            self._draw_board,
            self._draw_token,
            lambda _code, request, done: done(play_board(request, 60.0)),
        )

    def _draw_token(self, bits: int) -> int:
        return self.tokens(bits)

    def _now(self) -> Now:
        return Now(self.now_ms, self.now_ms + self.matches.epoch_ms())

    def publish(self, topic: str, message: bytes) -> None:
        for listener in tuple(self.listeners[topic]):
            listener(message)

    def subscribe(self, topic: str, listener: Callable[[bytes], None]) -> Callable[[], object]:
        self.listeners[topic].append(listener)
        self._own_listeners.append(listener)
        return lambda: self.listeners[topic].remove(listener)

    def die(self) -> None:
        """Hear nothing any more, as a server that was killed."""
        for listeners in self.listeners.values():
            listeners[:] = [each for each in listeners if each not in self._own_listeners]

    def call_at(self, at_ms: int, do: Callable[[], object]) -> Callable[[], object]:
        timer = (at_ms, next(self._timer_numbers), do)
        heapq.heappush(self._timers, timer)
        return lambda: self._cancelled.add(timer[1])

    def pass_time(self, until_ms: int) -> None:
        """Let time pass, and call what is due meanwhile."""
        while self._timers and self._timers[0][0] <= until_ms:
            at_ms, number, do = heapq.heappop(self._timers)
            if number not in self._cancelled:
                self.now_ms = max(self.now_ms, at_ms)
                do()
                self.pump()
        self.now_ms = max(self.now_ms, until_ms)

    def _draw_board(self, _code: str, board: Variant, done: Callable[[Setup], object]) -> None:
        flow = draw_board(same_seed, board, has_solver=bool(self.boards))
        try:
            self.questions.append(next(flow))
            flow.send(self.boards.popleft())
        except StopIteration as end:
            done(end.value)

    def look_again(self) -> None:
        """Have everything read again that could not be stored, as a server does now and then."""
        for match in self.matches:
            match.journal.look()
            self.matches.note(match)
        self.pump()

    def player(
        self,
        config: SessionConfig = CONFIG,
        *,
        entropy: Callable[[int], int] = same_seed,
        address: str = "192.0.2.1",
    ) -> Player:
        """Connect somebody, whose boards are foreseen and whose games have names of their own."""
        config = replace(config, tokens=self.tokens)
        return Player(config, entropy=entropy, backstage=self, address=address)

    def player_elsewhere(self) -> Player:
        """Connect somebody to another server of the same store."""
        other = Backstage()
        other.store, other.tokens = self.store, self.tokens
        other.listeners = self.listeners
        return other.player()

    def take_operations(self) -> list[Operation]:
        """Return what was asked of the store since the last time."""
        taken, self.operations = self.operations, []
        return taken

    @property
    def commits(self) -> list[Commit]:
        """What was to be stored since the operations were taken."""
        return [each for each in self.operations if isinstance(each, Commit)]

    def do(self, flow: Flow[T]) -> T:
        """Do something behind the sessions' backs; no fault is answered."""
        return run(self.store, flow)

    def held(self, key: bytes = KEY) -> PlayerCopy:
        return self.do(enter(PlayerCopy(player_id(key), self.tokens)))

    def introduce(self, settings: Mapping[str, str], key: bytes = KEY) -> None:
        self.do(put_player(self.held(key), "Ada", settings, NOW_S))

    def know_for_a_day(self, key: bytes = KEY) -> None:
        """Make a player's first game have ended the day before."""

        def edit(player: PlayerDocument) -> Flow[Change | None]:
            yield from ()
            return Change(replace(player, first_end_s=NOW_S - DAY_S))

        self.do(self.held(key).change(edit, NOW_S))

    def put(self, kept: Kept, key: bytes = KEY) -> None:
        """Let this game wait for a player."""
        held = self.held(key)
        game = GameDocument(kept.setup, (held.id,), kept.begun_at_ms)
        assert self.do(begin(held, kept.code, game, kept.entries, NOW_S))
        noted = Note(kept.length, kept.clock_ms, kept.cursor, kept.is_paused)
        self.do(note(held, kept.code, noted, NOW_S))

    def find(self, code: str) -> Kept | None:
        opened = self.do(open_game(code))
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
        return self.do(find_player(ADA))

    @property
    def finished(self) -> list[Finished]:
        """Ada's finished games, the first one first."""
        listed = self.do(list_games(ADA, 100))
        return [
            Finished(code, game, game.outcome) for code, game in reversed(listed) if game.outcome
        ]

    @property
    def saves(self) -> list[str]:
        """The names of Ada's saves, the latest first."""
        return [name for name, _ in list_saves(self.held().document)]

    def put_save(self, name: str, kept: Kept, at_s: int = 0) -> None:
        """Save a game for Ada behind the session's back."""
        held = self.held()
        known, code = self.find(kept.code), kept.code
        if known is None or not known.entries.startswith(kept.entries):
            game = GameDocument(kept.setup, (held.id,), kept.begun_at_ms)
            code = f"{kept.code}{len(self.store._items)}"
            self.do(begin(held, code, game, kept.entries, NOW_S, due=Due(0, code, kept.length)))
        where = kept.clock_ms, kept.cursor
        label = Label(code, kept.length, at_s, kept.setup.variant, 0.0, *where)
        self.do(save(held, name, label, NOW_S))

    def record(self, code: str, setup: Setup, status: Status) -> None:
        """Record a game of Ada's behind the session's back."""
        held, due = self.held(), Due(0, code, 0)
        self.do(begin(held, code, GameDocument(setup, (held.id,), 1), b"", NOW_S, due=due))
        outcome = Outcome(status, 0, 1_000, 1_000, NOW_S)
        self.do(settle(due, Judgement(outcome, is_over=True), self.tokens))

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


def seated(
    diagram: str, rules: Rules | str = "classic", hello: Hello = KNOWN
) -> tuple[Player, Backstage]:
    """Connect a known player to a game on that board."""
    backstage = Backstage()
    kept = waiting(diagram, rules)
    backstage.introduce({"last_board": kept.setup.variant.text})
    backstage.put(kept)
    player = backstage.player()
    player.send(hello)
    player.take_effects()
    backstage.take_operations()
    return player, backstage


def flagged(diagram: str, times: int) -> Kept:
    """Write down a game in which the second cell was flagged and unflagged so many times."""
    kept = waiting(diagram)
    game = Game(kept.setup)
    for number in range(times):
        game.flag(Cell(1, 0), number)
    return replace(kept, entries=pack_entries(game.log.entries))
