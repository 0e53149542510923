"""Processes over one store and one bus, in simulated time, with faults; and players in a room."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from jminesweeper.core.actions import ActionKind, unpack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import seeded_bits
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.core.view import Status
from jminesweeper.records import keys
from jminesweeper.records.documents import Compute, LongFlow, parse_races
from jminesweeper.records.journal import Journal, State
from jminesweeper.records.players import Opened, PlayerCopy, open_game
from jminesweeper.records.rooms import Kind, Parting, Result, Room, Stage
from jminesweeper.records.rounds import Deserted, Progress, RoundJournal, record_for, writing
from jminesweeper.records.table import Change, Now, Played, Table
from jminesweeper.session.tables import Means, Tables
from jminesweeper.store.blocking import perform
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import (
    DONE,
    Commit,
    Fault,
    Job,
    Operation,
    Read,
    StoreError,
    StoreUnavailableError,
)

EPOCH_MS = 1_800_000_000_000
VARIANT = replace(CLASSIC_BOARDS["beginner"], board="custom", size=Size(5, 5), mine_count=3)
CODE = "KRTPWX"


@dataclass
class Faults:
    """The share of each thing that goes wrong, from 0 to 1."""

    lost_question: float = 0.0
    lost_answer: float = 0.0
    lost_message: float = 0.0
    slow: float = 0.0


class World:
    """The time, the store and the bus; and what was stored of the room and told to players."""

    def __init__(
        self, seed: int, kind: Kind, faults: Faults | None = None, *, is_rated: bool = False
    ) -> None:
        self.is_rated = is_rated
        """Known players race on a classic board, so the races move ratings."""
        self.chance = random.Random(seed)
        self.bits = seeded_bits(seed)
        self.faults, self.now_ms = faults or Faults(), 0
        self.store = MemoryStore(now_s=lambda: (EPOCH_MS + self.now_ms) / 1000)
        self.topics: dict[str, list[tuple[Process, Callable[[bytes], None]]]] = defaultdict(list)
        self.commits: list[tuple[int, Commit]] = []
        """Those that changed the room."""
        self.written: Counter[str] = Counter()
        """Documents by their kind."""
        variant = CLASSIC_BOARDS["beginner"] if is_rated else VARIANT
        self.room = Room(CODE, kind, variant, "key")
        self.results: dict[int, Result] = {}
        self.acknowledged: dict[tuple[int, int], int] = {}
        """Times of wins that were answered, by round and seat."""
        self.called: dict[int, int] = {}
        self.began: dict[int, int] = {}
        """The times at which each round was called, and had a board."""
        self.records: dict[str, tuple[int, tuple[int, ...]]] = {}
        self._queue: list[tuple[int, int, Callable[[], object]]] = []
        self._order = itertools.count()
        self._cancelled: set[int] = set()
        put = writing(None, 0, self.room, EPOCH_MS // 1000, self.bits)
        body = put.puts[0]._replace(body=self.room.text)
        perform(self.store, put._replace(puts=(body,)))

    def at(self, at_ms: int, do: Callable[[], object]) -> Callable[[], object]:
        number = next(self._order)
        heapq.heappush(self._queue, (max(at_ms, self.now_ms), number, do))
        return lambda: self._cancelled.add(number)

    def run(self, until_ms: int) -> None:
        while self._queue and self._queue[0][0] <= until_ms:
            self.now_ms, number, do = heapq.heappop(self._queue)
            if number not in self._cancelled:
                do()
        self.now_ms = until_ms

    def run_until(self, holds: Callable[[], object], most_ms: int = 600_000) -> None:
        while not holds():
            assert self.now_ms < most_ms, "it never comes to that"
            self.run(self.now_ms + 10)

    def delay(self) -> int:
        is_slow = self.chance.random() < self.faults.slow
        return self.chance.randint(200, 4_000) if is_slow else self.chance.randint(1, 15)

    def apply(self, operation: Operation) -> Any:
        answers: list[Any] = []
        self.store.submit([Job(operation, answers.append)])
        if isinstance(operation, Commit) and answers[0] is DONE:
            self._note(operation)
        return answers[0]

    def _note(self, commit: Commit) -> None:
        for put in commit.puts:
            self.written[put.key.partition(":")[0]] += 1
            if put.key != keys.room_key(CODE):
                continue
            self.commits.append((self.now_ms, commit))
            before = self.room
            if put.body is None:
                assert before.round is None, "a round was deleted"
                self.room = replace(before, seats=())
                continue
            self.room = room = Room.parse(CODE, put.body)
            if room.round is not None:
                self.called.setdefault(room.round.number, self.now_ms)
                if room.setup is not None:
                    self.began.setdefault(room.round.number, self.now_ms)
            if room.last is not None and before.last != room.last:
                assert room.last.round not in self.results, "a result was noted twice"
                self.results[room.last.round] = room.last

    def acknowledge(self, journal: Journal) -> None:
        """Note a win that was answered: it is stored as far as its player can know."""
        if journal.is_stored and journal.game.status is Status.WON:
            number, seats = self.records[journal.code]
            for seat in seats:
                self.acknowledged[number, seat] = journal.game.elapsed_ms

    def races_of(self, player: str) -> tuple[int, int]:
        found = perform(self.store, Read((keys.races_key(player),)))
        played, won = parse_races(found.documents[0].body)
        return played, won


class Process:
    """A server: its clock, its tables, its matches, its players."""

    def __init__(self, world: World, skew_ms: int = 0) -> None:
        self.world, self.skew_ms, self.is_alive = world, skew_ms, True
        self.journals: dict[str, Journal] = {}
        self.players: list[Guest] = []
        self._born_ms = world.now_ms
        self._looking: set[str] = set()
        self._deserted = Deserted()
        self.tables = Tables(self._close_copy)
        self.tables.means = Means(
            self.now,
            self.run,
            self.publish,
            self.subscribe,
            self.call_at,
            self._draw_board,
            world.bits,
            lambda _code, _request, done: done(None),
        )
        self.call_at(self.now().ms + world.chance.randint(1_000, 10_000), self._settle_deserted)

    def now(self) -> Now:
        world = self.world
        # Each process counts from another moment.
        own_ms = world.now_ms - self._born_ms + 1_000_000
        return Now(own_ms, EPOCH_MS + world.now_ms + self.skew_ms)

    def _if_alive(self, do: Callable[..., object], *args: Any) -> None:
        if self.is_alive:
            do(*args)

    def run(self, flow: LongFlow[Any], done: Callable[[Any], object], answer: Any = None) -> None:
        try:
            is_error = isinstance(answer, StoreError)
            asked = flow.throw(answer) if is_error else flow.send(answer)
        except StopIteration as end:
            done(end.value)
        except StoreError as error:
            done(error)
        else:
            if isinstance(asked, Compute):
                self.run(flow, done, asked())
            else:
                self.ask(asked, partial(self.run, flow, done))

    def ask(self, operation: Operation, done: Callable[[Any], object]) -> None:
        world, faults = self.world, self.world.faults
        is_lost = world.chance.random() < faults.lost_question
        is_unanswered = is_lost or world.chance.random() < faults.lost_answer

        def carry_out() -> None:
            answer = None if is_lost else world.apply(operation)
            if is_unanswered:
                answer = StoreUnavailableError(Fault.UNREACHABLE)
            delay_ms = world.delay() + 500 * is_unanswered
            world.at(world.now_ms + delay_ms, partial(self._if_alive, done, answer))

        world.at(world.now_ms + world.delay(), carry_out)

    def publish(self, code: str, message: bytes) -> None:
        world = self.world
        for process, hear in tuple(world.topics[code]):
            if process is self or world.chance.random() >= world.faults.lost_message:
                world.at(world.now_ms + world.delay(), partial(process._if_alive, hear, message))

    def subscribe(self, code: str, hear: Callable[[bytes], None]) -> Callable[[], object]:
        entry = (self, hear)
        self.world.topics[code].append(entry)
        return lambda: self.world.topics[code].remove(entry)

    def call_at(self, at_ms: int, do: Callable[[], object]) -> Callable[[], object]:
        at_ms += self.world.now_ms - self.now().ms
        return self.world.at(at_ms, partial(self._if_alive, do))

    def _draw_board(self, _code: str, board: Any, done: Callable[[Setup], object]) -> None:
        world = self.world
        size, count = board.size, board.mine_count
        drawn = world.chance.sample(range(size.cells), count + 1)
        *mined, first = [Cell(n % size.columns, n // size.columns) for n in drawn]
        setup = Setup(board, layout=sum(map(board.grid.bit, mined)), first=first)
        drawn_ms = world.now_ms + world.chance.randint(20, 300)
        world.at(drawn_ms, partial(self._if_alive, done, setup))

    def _settle_deserted(self) -> None:
        now = self.now()
        settling = self._deserted.settle(now.ms, now.utc_ms // 1000, self.world.bits)
        self.run(settling, lambda _: None)
        self.call_at(now.ms + 10_000, self._settle_deserted)

    # Matches

    def _close_copy(self, code: str) -> None:
        journal = self.journals.get(code)
        if journal is not None and not journal.game.status.is_over:
            journal.note_length(journal.length + 1)
            self.drive(code)

    def drive(self, code: str) -> None:
        """Have a journal stored, as a keeper does."""
        journal = self.journals[code]
        if journal.state is State.AWAY and code not in self._looking:
            self._looking.add(code)

            def look() -> None:
                self._looking.discard(code)
                journal.read_anew()
                self.drive(code)

            self.call_at(self.now().ms + 2_000, look)
            return
        if (operation := journal.next_operation(self.now().utc_ms)) is not None:
            self.ask(operation, partial(self._take, journal))

    def _take(self, journal: Journal, answer: object) -> None:
        journal.take_answer(answer)
        self.world.acknowledge(journal)
        self.tell(journal)
        self.drive(journal.code)

    def tell(self, journal: Journal) -> None:
        if journal.is_stored:
            self.tables.send(CODE, Played(journal.code, Progress.of(journal.game)))

    def kill(self) -> None:
        self.is_alive = False
        for topic in self.world.topics.values():
            topic[:] = [each for each in topic if each[0] is not self]


class Guest:
    """A client: sits down, is ready, plays what it sees, and comes again elsewhere."""

    def __init__(self, world: World, token: str, skill: float = 1.0) -> None:
        self.world, self.token, self.skill = world, token, skill
        self.process: Process | None = None
        self.record = ""
        self.is_eager = True
        """Is ready whenever there is no round."""
        self.is_idle = False
        """Stays, and never acts."""
        self.number = 0
        self._turn = 0
        """Counts comings and goings: what was under way before them is of no interest."""

    @property
    def table(self) -> Table | None:
        return None if self.process is None else self.process.tables.find(CODE)

    def come(self, process: Process) -> None:
        self._turn += 1
        turn, self.process, self.record = self._turn, process, ""
        process.players.append(self)

        def take(room: object) -> None:
            if self._turn != turn:
                return
            if isinstance(room, Room):
                process.tables.enter(CODE, self, self.token, self._look)
                self._look()
                self._live(turn)
            else:
                self.vanish()

        ratings: Mapping[str, str] | None = {} if self.world.is_rated else None
        token = self.token
        sit = partial(Room.sit, player=token, name=token, address=token, ratings=ratings)
        process.tables.wish(CODE, self.token, sit, take)

    def wish(self, change: Change) -> None:
        if self.process is not None:
            self.process.tables.wish(CODE, self.token, change, lambda _: None)

    def be_ready(self, *, is_ready: bool = True) -> None:
        if self.number:
            self.wish(partial(Room.be_ready, number=self.number, is_ready=is_ready))

    def go(self, how: Parting = Parting.LEAVES) -> None:
        process = self.process
        self.vanish()
        if process is not None:
            process.tables.leave(CODE, self, how)

    def vanish(self) -> None:
        """Be gone with the server, or without having sat down."""
        if self.process is not None and self in self.process.players:
            self.process.players.remove(self)
        self.process, self._turn, self.number, self.record = None, self._turn + 1, 0, ""

    def _look(self) -> None:
        """See the table: what a session does when it is shown anew."""
        table = self.table
        if table is None or table.room is None or self.process is None:
            return
        room = table.room
        seat = room.seat_of(self.token)
        if seat is None and self.token in room.removed:
            self.go()
            return
        self.number = 0 if seat is None else seat.number
        record = room.record_of(self.number) if room.setup is not None else ""
        if record != self.record:
            self.record = record
            if record and room.round is not None:
                self.world.records[record] = room.round.number, room.records[record]
                self._open(self.process, room, record)

    def _open(self, process: Process, room: Room, record: str) -> None:
        turn = self._turn
        if record in process.journals:
            return

        def take(opened: Opened | StoreError | None) -> None:
            if self._turn != turn or self.record != record or record in process.journals:
                return
            held = PlayerCopy(self.token, self.world.bits)
            if isinstance(opened, StoreError):
                process.call_at(process.now().ms + 1_000, lambda: self._open(process, room, record))
            elif opened is None:
                document = record_for(room, record)
                process.journals[record] = RoundJournal(record, document, held, self.world.bits)
            else:
                game = Game.replay(opened.game.setup, unpack_entries(opened.entries))
                journal = Journal.of(opened, game, held, self.world.bits)
                process.journals[record] = journal
                process.tell(journal)

        process.run(open_game(record), take)

    def _live(self, turn: int) -> None:
        """Do something now and then."""
        process, table = self.process, self.table
        if process is None or self._turn != turn or not process.is_alive:
            return
        if table is not None and table.room is not None and self.number:
            stage = table.stage_of(self.number, process.now().ms)
            seat = table.own.get(self.number)
            journal = process.journals.get(self.record)
            if stage is Stage.GATHERING and seat is not None and not seat.is_ready:
                if self.is_eager:
                    self.be_ready()
            elif stage is Stage.PLAYING and journal is not None and not self.is_idle:
                self._act(process, table, journal)
        wait_ms = 10_000 if self.is_idle else self.world.chance.randint(150, 900)
        process.call_at(process.now().ms + wait_ms, lambda: self._live(turn))

    def _act(self, process: Process, table: Table, journal: Journal) -> None:
        game, chance = journal.game, self.world.chance
        at_ms = max(table.clock_ms(process.now().ms), game.elapsed_ms)
        if game.status.is_over or game.blocked_until_ms(self.number) > at_ms:
            return
        mines, covered = game.setup.layout or 0, game.grid.mask & ~game.visible & ~game.known
        cells = [index for index in range(covered.bit_length()) if covered >> index & 1]
        safe = [index for index in cells if not mines >> index & 1]
        is_right = bool(safe) and chance.random() < self.skill
        cell = chance.choice(safe if is_right else cells)
        journal.act(ActionKind.REVEAL, cell, at_ms, self.number, process.now().utc_ms)
        process.drive(journal.code)
