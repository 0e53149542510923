"""What a server does for matches that no session here is at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from jminesweeper.bus import Listener, Unsubscribe, room_topic
from jminesweeper.bus.local import LocalBus
from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records.documents import Due, GameDocument, Leaderboard
from jminesweeper.records.games import begin
from jminesweeper.records.journal import Journal
from jminesweeper.records.keys import game_key, room_key
from jminesweeper.records.meeting import find_room, open_room
from jminesweeper.records.players import PlayerCopy, open_game
from jminesweeper.records.puzzles import read_puzzles
from jminesweeper.records.reading import read_leaderboard, read_statistics, read_totals
from jminesweeper.records.results import Judgement, list_due, outcome_of, settle
from jminesweeper.records.reviews import Verdict, list_reviews
from jminesweeper.records.rooms import Kind, Room, Seat
from jminesweeper.records.rounds import LOOK_MS, writing
from jminesweeper.records.table import Woken
from jminesweeper.server.keeper import (
    AT_ONCE,
    GATHER_NS,
    GREET_MS,
    MANY,
    REVIEW_AFTER_MS,
    REVIEW_EVERY_MS,
    SETTLE_AFTER_MS,
    SETTLE_EVERY_MS,
    UNREVIEWED_MS,
    Keeper,
)
from jminesweeper.server.measures import Measures
from jminesweeper.session.matches import DueReview, Match, MatchSeat
from jminesweeper.session.reply import FoundReview, Review
from jminesweeper.store.blocking import perform, run
from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Commit, Job, Put, Read
from tests.unit.server.fakes import FakeWorkers, backend_of
from tests.world.loop import FakeClock, FakeLoop
from tests.world.server import StoreLine

SETUP = Setup.of("beginner", seed=1)
DRAW = Random(1).getrandbits


class LossyStore:
    """A store in memory that fails when it is asked some times, counted from now on."""

    def __init__(self) -> None:
        self.kept = MemoryStore(now_s=lambda: 1_000)
        self.failing: set[int] = set()
        self._asked = 0

    def fail_at(self, *numbers: int) -> None:
        self.failing = {self._asked + number for number in numbers}

    def submit(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            if self._asked in self.failing:
                job.done(StoreUnavailableError(Fault.UNREACHABLE))
            else:
                self.kept.submit([job])
            self._asked += 1

    def close(self) -> None:
        self.kept.close()


class SlowStore(LossyStore):
    """A store whose answers, once known, are on their way until they are let through."""

    def __init__(self) -> None:
        super().__init__()
        self.on_their_way: list[Callable[[], object]] = []

    def submit(self, jobs: Sequence[Job]) -> None:
        for operation, done in jobs:
            answers: list[object] = []
            self.kept.submit([Job(operation, answers.append)])
            self.on_their_way.append(partial(done, *answers))

    def let_through(self) -> None:
        answers, self.on_their_way = self.on_their_way, []
        for answer in answers:
            answer()


def lost_game() -> Game:
    game = Game(SETUP)
    while not game.status.is_over:
        mine = game.reveal_truth().mines.bit_length() - 1
        game.push(pack_entry(5, ActionKind.REVEAL, mine))
    return game


@pytest.mark.parametrize("failing", [(), (1,), (2,), (3,), (4,), (2, 3)])
async def test_a_game_whose_host_died_is_counted_once_however_the_store_fails(
    failing: Sequence[int],
) -> None:
    store, game, now_ms = LossyStore(), lost_game(), [SETTLE_AFTER_MS]
    due, document = Due(5, "code", len(game.log)), GameDocument(SETUP, ("ann",), 1)
    entries = pack_entries(game.log.entries)
    run(store.kept, begin(PlayerCopy("ann", DRAW), "code", document, entries, 1, due=due))
    keeper = Keeper(backend_of(store=store), Measures(), lambda: 1_000_000 * now_ms[0])
    store.fail_at(*failing)
    for _ in range(3):
        now_ms[0] += SETTLE_EVERY_MS
        keeper.check_time()
        assert keeper._settling is not None
        await keeper._settling
    assert run(store.kept, read_statistics("ann")).counts.played == 1
    assert run(store.kept, list_due()) == []
    keeper.close()


async def test_games_that_cannot_be_settled_keep_no_other_from_it() -> None:
    store, game = MemoryStore(now_s=lambda: 1_000), lost_game()
    for number in range(30):
        due = Due(5 + number, f"code{number}", len(game.log))
        document, entries = GameDocument(SETUP, ("ann",), 1), pack_entries(game.log.entries)
        run(store, begin(PlayerCopy(f"p{number}", DRAW), due.code, document, entries, 1, due=due))
        if number < 29:
            perform(store, Commit(7, puts=(Put(game_key(due.code), "damaged"),)))
    keeper = Keeper(backend_of(store=store), Measures(), lambda: 10**12)
    keeper.check_time()
    assert keeper._settling is not None
    await keeper._settling
    assert run(store, read_statistics("ann")).counts.played == 1
    keeper.close()


def won_game() -> Game:
    game = Game(SETUP)
    game.reveal(Cell(4, 4), 5_000)
    for number, cell in enumerate(game.grid.cells(game.reveal_truth().safe & ~game.visible)):
        if not game.status.is_over:
            game.reveal(cell, 6_000 + 500 * number)
    assert game.status is Status.WON
    return game


class ReviewOffice:
    """A keeper, and a ranked win in its store that was settled at the end of a minute."""

    def __init__(self, *, is_long_ago: bool = True) -> None:
        self.store, self.workers, game = LossyStore(), FakeWorkers(), won_game()
        document, entries = GameDocument(SETUP, ("ann",), 1), pack_entries(game.log.entries)
        self.length, due = len(entries), Due(5, "code", len(game.log))
        ann = PlayerCopy("ann", DRAW, name="Ann")
        run(self.store.kept, begin(ann, "code", document, entries, 1, due=due))
        outcome = outcome_of(game, 1, 5)
        run(self.store.kept, settle(due, Judgement(outcome, is_over=True), DRAW))
        self.due = due
        backend = backend_of(store=self.store, workers=self.workers)
        self.matches = backend.matches
        self.now_ms = REVIEW_AFTER_MS + 6 if is_long_ago else 1_000
        self.keeper = Keeper(backend, Measures(), lambda: 1_000_000 * self.now_ms)

    async def check(self) -> None:
        self.now_ms += REVIEW_EVERY_MS
        self.keeper.check_time()
        await finish_steps()

    @property
    def luck(self) -> float | None:
        (score,) = run(self.store.kept, read_leaderboard(Leaderboard(SETUP.variant)))
        return score.luck


async def test_a_win_whose_session_died_is_reviewed_by_a_worker_once() -> None:
    office = ReviewOffice()
    await office.check()
    await office.check()
    (request,) = office.workers.asked
    assert isinstance(request, Review)
    assert request.setup == SETUP
    assert len(request.entries) == office.due.length
    office.workers.done[0](FoundReview((), Verdict(0.31)))
    await finish_steps()
    assert office.luck == 0.31
    await office.check()
    assert len(office.workers.asked) == 1
    office.keeper.close()


async def test_a_win_that_busy_workers_did_not_review_is_reviewed_later() -> None:
    office = ReviewOffice()
    await office.check()
    office.workers.done[0](None)
    await finish_steps()
    await office.check()
    assert len(office.workers.asked) == 1
    office.now_ms += 2 * REVIEW_AFTER_MS
    await office.check()
    office.workers.done[1](FoundReview((), Verdict(0.31)))
    await finish_steps()
    assert office.luck == 0.31
    assert run(office.store.kept, list_reviews()) == []
    office.keeper.close()


async def test_a_win_that_nobody_reviews_in_a_day_is_left_without_its_luck() -> None:
    office = ReviewOffice()
    while office.now_ms < UNREVIEWED_MS:
        await office.check()
        office.workers.done[-1](None)
        await finish_steps()
        office.now_ms = 2 * office.now_ms
    await office.check()
    office.workers.done[-1](None)
    await finish_steps()
    assert len(office.workers.asked) < 15
    assert office.luck is None
    await office.check()
    assert run(office.store.kept, list_reviews()) == []
    office.keeper.close()


async def test_what_a_session_had_reviewed_is_recorded_once_the_game_is_settled() -> None:
    office = ReviewOffice(is_long_ago=False)
    office.matches.reviews["code"] = DueReview(office.due.length, Verdict(0.5, (1,)), 1_000)
    office.matches.reviews["never"] = DueReview(3, Verdict(0.5), 1_000)
    office.store.fail_at(*range(4))
    await office.check()
    assert set(office.matches.reviews) == {"code", "never"}
    office.store.fail_at()
    await office.check()
    assert set(office.matches.reviews) == {"never"}
    assert (office.luck, office.workers.asked) == (0.5, [])
    assert [each.code for each in run(office.store.kept, read_puzzles("ann")).puzzles] == ["code"]
    office.now_ms += REVIEW_AFTER_MS
    await office.check()
    assert not office.matches.reviews
    office.keeper.close()


async def finish_steps() -> None:
    """Let the loop do all that is due, and what follows from it."""
    for _ in range(5):
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(done.set)
        await done.wait()


def watched_match(number: int) -> Match:
    """Make a match that a server needs, because somebody watches."""
    game, draw = Game(Setup.of("beginner", seed=number)), Random(number).getrandbits
    document = GameDocument(game.setup, ("ada",))
    journal = Journal(f"game{number}", document, game, PlayerCopy("ada", draw), draw)
    match = Match(game, journal)
    match.watchers = {match: lambda _: None}
    return match


class TellingBus(LocalBus):
    """Knows what was said, and by whom it is listened to."""

    def __init__(self, *, is_shared: bool) -> None:
        super().__init__(asyncio.get_running_loop().call_soon, is_shared=is_shared)
        self.topics: list[str] = []

    def publish(self, topic: str, message: bytes) -> None:
        self.topics.append(topic)
        super().publish(topic, message)

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        self.topics.append(topic)
        return super().subscribe(topic, listener)


@pytest.mark.parametrize(
    ("is_shared", "topics"), [(True, {"game:game1", "player:ada"}), (False, {"player:ada"})]
)
async def test_a_server_that_is_alone_tells_only_its_own_players_of_a_match(
    is_shared: bool, topics: set[str]
) -> None:
    bus, now_ms = TellingBus(is_shared=is_shared), [1_000_000]
    backend = backend_of(store=MemoryStore(now_s=lambda: 1_000), bus=bus)
    keeper = Keeper(backend, Measures(), lambda: 1_000_000 * now_ms[0])
    match = watched_match(1)
    match.sit_down(MatchSeat(match, Cell(0, 0)), lambda _: None)
    match.act(ActionKind.FLAG, Cell(0, 0), now_ms[0], now_ms[0])
    backend.matches.note(match)
    keeper.hand_over()
    now_ms[0] += GREET_MS
    keeper.check_time()
    await finish_steps()
    assert match.journal.is_stored
    assert set(bus.topics) == topics
    keeper.close()


async def test_an_action_is_told_to_other_servers_once_by_the_one_that_stored_it() -> None:
    store, bus = MemoryStore(now_s=lambda: 1_000), TellingBus(is_shared=True)
    document, entry = GameDocument(SETUP, ("ann",), 1), pack_entry(0, ActionKind.FLAG, 0)
    run(store, begin(PlayerCopy("ann", DRAW), "code", document, pack_entries([entry]), 1))
    opened = run(store, open_game("code"))
    assert opened is not None
    backends = [backend_of(store=store, bus=bus) for _ in range(3)]
    keepers = [Keeper(backend, Measures(), lambda: 10**12) for backend in backends]
    matches = []
    for backend in backends:
        game = Game.replay(SETUP, [entry])
        match = Match(game, Journal.of(opened, game, PlayerCopy("ann", DRAW), DRAW))
        match.watchers = {match: lambda _: None}
        matches.append(match)
        backend.matches.note(match)
        await finish_steps()
    bus.topics.clear()
    matches[0].act(ActionKind.FLAG, Cell(1, 0), 1_000, 1_000)
    backends[0].matches.note(matches[0])
    await finish_steps()
    assert [match.journal.stored for match in matches] == [2, 2, 2]
    assert bus.topics == ["game:code"]
    for keeper in keepers:
        keeper.close()


async def test_batches_gather_while_many_act_and_no_lone_one_waits() -> None:
    store, now_ns = StoreLine(FakeLoop(FakeClock()), MemoryStore(now_s=lambda: 1_000)), [10**12]
    store.is_held = True
    backend = backend_of(store=store)
    keeper = Keeper(backend, Measures(), lambda: now_ns[0])

    def ask(name: str) -> None:
        keeper.ask(Read((name,)), lambda _: None)

    asked = 10_000
    for number in range(asked):
        ask(f"lone {number}")
        keeper.hand_over_early()
    assert len(store.waiting) == asked
    store.waiting.clear()
    matches = [watched_match(number) for number in range(MANY)]

    def act(match: Match) -> None:
        match.act(ActionKind.FLAG, Cell(0, 0), 1_000, 1_000)
        backend.matches.note(match)

    for match in matches:
        backend.matches.note(match)
    for number in range(asked):
        # An action and the note beside it are no crowd.
        ask(f"one after the other {number}")
        ask(f"its note {number}")
        keeper.hand_over_early()
    assert len(store.waiting) == asked
    store.waiting.clear()
    for match in matches[:2]:
        act(match)
    keeper.hand_over()
    store.waiting.clear()
    for match in matches[2:5]:
        act(match)
        await finish_steps()
        keeper.hand_over_early()
    assert not store.waiting
    now_ns[0] += (2 * asked + AT_ONCE) * GATHER_NS
    keeper.hand_over_early()
    (batch,) = store.waiting
    assert len(batch) == len(matches[2:5])
    keeper.close()


async def test_a_room_that_changes_while_it_is_read_is_read_again() -> None:
    store, now_ms = SlowStore(), [1_000_000]
    backend = backend_of(store=store)
    tables = backend.matches.tables
    keeper = Keeper(backend, Measures(), lambda: 1_000_000 * now_ms[0])
    ann = Seat(0, "ann", "Ann")
    code = run(store.kept, open_room(Kind.RACE, SETUP.variant, ann, 1_000, DRAW))

    def have_somebody_sit(player: str) -> None:
        found = perform(store.kept, Read((room_key(code),))).documents[0]
        room = Room.parse(code, found.body)
        after = replace(room.sit(player, player), revision=room.revision + 1)
        perform(store.kept, writing(room, found.version, after, 1_000, DRAW))
        # The table hears that it has missed something.
        backend.bus.publish(room_topic(code), b"")

    view = tables.enter(code, "member", "ann", lambda: None)
    keeper.hand_over()
    for player in ("bob", "cy"):
        have_somebody_sit(player)
        await finish_steps()
    for _ in range(2):
        while store.on_their_way:
            store.let_through()
            await finish_steps()
        now_ms[0] += 1_000
        tables.send(code, Woken())
        await finish_steps()
    assert [seat.player for seat in view.room.seats] == ["ann", "bob", "cy"]
    tables.leave(code, "member")
    await finish_steps()
    keeper.close()


async def test_a_round_that_no_table_looks_after_is_settled_after_three_minutes() -> None:
    store, now_ms = MemoryStore(now_s=lambda: 1_000), [0]
    keeper = Keeper(backend_of(store=store), Measures(), lambda: 1_000_000 * now_ms[0])
    room = Room("KRTPWX", Kind.RACE, SETUP.variant, "key", revision=1)
    for name in ("ann", "bob"):
        room = room.sit(name, name)
    room = room.be_ready(1, is_ready=True).be_ready(2, is_ready=True).deal(1, SETUP, 1)
    perform(store, writing(None, 0, room, 1_000, DRAW))
    for minute in range(5):
        found = run(store, find_room("KRTPWX"))
        assert found is not None
        assert (found.last is None) is (minute <= 3)
        now_ms[0] += LOOK_MS
        keeper.check_time()
        await finish_steps()
    assert run(store, read_statistics("ann")).races == 1
    keeper.close()


async def test_games_that_nobody_keeps_are_counted_together_the_last_ones_at_the_end() -> None:
    store = MemoryStore(now_s=lambda: 1_000)
    backend = backend_of(store=store)
    keeper, game = Keeper(backend, Measures(), lambda: 0), (SETUP.variant, Status.LOST)
    backend.matches.ended[game] += 2
    keeper.check_time()
    backend.matches.ended[game] += 3
    await keeper.finish()
    ((_, total),) = run(store, read_totals())
    assert total.lost == 5
    keeper.close()
