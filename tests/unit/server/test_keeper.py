"""A server's work for matches that no session here is at."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from jminesweeper.bus import Listener, Unsubscribe, player_topic, room_topic
from jminesweeper.bus.local import LocalBus
from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.documents import Due, GameDocument, Leaderboard
from jminesweeper.records.games import begin
from jminesweeper.records.journal import Journal
from jminesweeper.records.keys import game_key, room_key
from jminesweeper.records.meeting import open_room
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.reading import read_leaderboard, read_statistics, read_totals
from jminesweeper.records.results import Judgement, list_due, outcome_of, settle
from jminesweeper.records.reviews import Verdict, list_reviews, read_puzzles
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
    SETTLE_EVERY_MS,
    UNREVIEWED_MS,
    Keeper,
)
from jminesweeper.server.measures import Measures
from jminesweeper.session.matches import DueReview, Match
from jminesweeper.session.reply import FoundReview
from jminesweeper.store.blocking import perform, run
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Commit, Put, Read
from tests.unit.server.fakes import backend_of
from tests.world.games import ADA, NOW_S
from tests.world.loop import FakeClock, FakeLoop
from tests.world.server import EPOCH_MS, KNOWN, StoreLine, World

SETUP = Setup.of("beginner", seed=1)
DRAW = Random(1).getrandbits


def lost_game() -> Game:
    game = Game(SETUP)
    while not game.status.is_over:
        mine = game.reveal_truth().mines.bit_length() - 1
        game.push(pack_entry(5, ActionKind.REVEAL, mine))
    return game


def put_due(world: World, player: str, code: str, game: Game, ended_at_ms: int = 5) -> Due:
    """Store a game that has ended, and that nobody has settled."""
    due = Due(ended_at_ms, code, len(game.log))
    document, entries = GameDocument(SETUP, ("ann",), 1), pack_entries(game.log.entries)
    held = PlayerCopy(player, world.tokens, name="Ann")
    world.run(begin(held, code, document, entries, 1, due=due))
    return due


@pytest.mark.parametrize("failing", [(), (1,), (2,), (3,), (4,), (2, 3)])
def test_a_game_whose_host_died_is_counted_once_however_the_store_fails(
    failing: Sequence[int],
) -> None:
    world = World()
    put_due(world, "ann", "code", lost_game())
    world.line.fail_at(*failing)
    for _ in range(3):
        world.pass_time(SETTLE_EVERY_MS)
    assert world.run(read_statistics("ann")).counts.played == 1
    assert world.run(list_due()) == []


def test_games_that_cannot_be_settled_keep_no_other_from_it() -> None:
    world, game = World(), lost_game()
    for number in range(30):
        put_due(world, f"p{number}", f"code{number}", game, 5 + number)
        if number < 29:
            perform(world.store, Commit(7, puts=(Put(game_key(f"code{number}"), "damaged"),)))
    world.pass_time(SETTLE_EVERY_MS)
    assert world.run(read_statistics("ann")).counts.played == 1


def won_game() -> Game:
    game = Game(SETUP)
    game.reveal(Cell(4, 4), 5_000)
    for number, cell in enumerate(game.grid.cells(game.reveal_truth().safe & ~game.visible)):
        if not game.status.is_over:
            game.reveal(cell, 6_000 + 500 * number)
    assert game.status is Status.WON
    return game


def put_win(world: World, code: str, ended_at_ms: int) -> Due:
    """Store a ranked win that was settled, and not reviewed."""
    game = won_game()
    due = put_due(world, "ann", code, game, ended_at_ms)
    outcome = outcome_of(game, ended_at_ms - 60_000, ended_at_ms)
    world.run(settle(due, Judgement(outcome, is_over=True), world.tokens))
    return due


def reviewing(*, is_long_ago: bool = True) -> tuple[World, Due]:
    """Make a server, and a ranked win in its store that was settled at the end of a minute."""
    world = World()
    world.processes = 1
    due = put_win(world, "code", EPOCH_MS + world.now_ms)
    if is_long_ago:
        world.let_pass(REVIEW_AFTER_MS + 1)
    return world, due


def check(world: World) -> None:
    world.pass_time(REVIEW_EVERY_MS)


def luck(world: World) -> float | None:
    (score,) = world.run(read_leaderboard(Leaderboard(SETUP.variant)))
    return score.luck


def test_a_win_whose_session_died_is_reviewed_by_a_worker_once() -> None:
    world, due = reviewing()
    check(world)
    check(world)
    (request,) = world.works
    assert (request.setup, len(request.entries)) == (SETUP, due.length)
    world.reviewed(FoundReview((), Verdict(0.31)))
    assert luck(world) == 0.31
    check(world)
    assert len(world.works) == 1


def test_a_review_that_takes_its_time_does_not_use_up_the_turn_of_the_next() -> None:
    world, due = reviewing()
    check(world)
    check(world)
    put_win(world, "older", due.ended_at_ms - 1)
    assert len(world.works) == 1
    world.reviewed(FoundReview((), Verdict(0.31)))
    world.pass_seconds(1)
    assert len(world.works) == 2


def test_a_win_that_busy_workers_did_not_review_is_reviewed_later() -> None:
    world, _ = reviewing()
    check(world)
    world.reviewed(None)
    check(world)
    assert len(world.works) == 1
    world.let_pass(2 * REVIEW_AFTER_MS)
    check(world)
    world.reviewed(FoundReview((), Verdict(0.31)), 1)
    assert luck(world) == 0.31
    assert world.run(list_reviews()) == []


def test_a_win_that_nobody_reviews_in_a_day_is_left_without_its_luck() -> None:
    world, _ = reviewing()
    wait_ms = REVIEW_AFTER_MS
    while wait_ms < 2 * UNREVIEWED_MS:
        check(world)
        world.reviewed(None, len(world.works) - 1)
        world.let_pass(wait_ms)
        wait_ms *= 2
    check(world)
    world.reviewed(None, len(world.works) - 1)
    assert 3 < len(world.works) < 15
    assert luck(world) is None
    check(world)
    assert world.run(list_reviews()) == []


def test_what_a_session_had_reviewed_is_recorded_once_the_game_is_settled() -> None:
    world, due = reviewing(is_long_ago=False)
    found_ms = world.now_ms
    world.matches.reviews["code"] = DueReview(due.length, Verdict(0.5, (1,)), found_ms)
    world.matches.reviews["never"] = DueReview(3, Verdict(0.5), found_ms)
    world.line.fail_at(*range(4))
    check(world)
    assert set(world.matches.reviews) == {"code", "never"}
    world.line.fail_at()
    check(world)
    assert set(world.matches.reviews) == {"never"}
    assert (luck(world), world.works) == (0.5, [])
    assert [each.code for each in world.run(read_puzzles("ann")).puzzles] == ["code"]
    world.let_pass(REVIEW_AFTER_MS)
    check(world)
    assert not world.matches.reviews


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


@pytest.fixture
def topics(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The topics that were spoken of, and listened to."""
    found: list[str] = []
    publish, subscribe = LocalBus.publish, LocalBus.subscribe

    def tell(bus: LocalBus, topic: str, message: bytes) -> None:
        found.append(topic)
        publish(bus, topic, message)

    def listen(bus: LocalBus, topic: str, listener: Listener) -> Unsubscribe:
        found.append(topic)
        return subscribe(bus, topic, listener)

    monkeypatch.setattr(LocalBus, "publish", tell)
    monkeypatch.setattr(LocalBus, "subscribe", listen)
    return found


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_server_that_is_alone_tells_only_its_own_players_of_a_match(
    topics: list[str], monkeypatch: pytest.MonkeyPatch, *, is_shared: bool
) -> None:
    monkeypatch.setattr(World, "is_shared", is_shared)
    world = World()
    world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
    world.pass_time(GREET_MS)
    assert world.running.length == 1
    assert player_topic(ADA) in topics
    assert any(topic.startswith("game:") for topic in topics) is is_shared


def test_an_action_is_told_to_other_servers_once_by_the_one_that_stored_it(
    topics: list[str],
) -> None:
    world = World()
    worlds = [world, world.elsewhere(), world.elsewhere()]
    ada = world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
    for each in worlds[1:]:
        each.player().send(KNOWN)
    topics.clear()
    ada.send(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
    stored = [match.journal.stored for each in worlds for match in each.matches]
    assert (world.running.length, stored) == (2, [2, 2, 2])
    assert [topic.partition(":")[0] for topic in topics] == ["game"]


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
        backend.matches.note_change(match)

    for match in matches:
        backend.matches.note_change(match)
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


def test_a_room_that_changes_while_it_is_read_is_read_again() -> None:
    world = World()
    world.line.is_late = True
    tables = world.matches.tables
    code = world.run(open_room(Kind.RACE, SETUP.variant, Seat(0, "ann", "Ann"), NOW_S, DRAW))

    def have_somebody_sit(player: str) -> None:
        found = perform(world.store, Read((room_key(code),))).documents[0]
        room = Room.parse(code, found.body)
        after = replace(room.sit(player, player), revision=room.revision + 1)
        perform(world.store, writing(room, found.version, after, NOW_S, DRAW))
        # The table hears that it has missed something.
        world.publish(room_topic(code), b"")
        world.settle()

    with world.loop.running():
        view = tables.enter(code, "member", "ann", lambda: None)
        world.hub.keeper.hand_over()
    for player in ("bob", "cy"):
        have_somebody_sit(player)
    for _ in range(2):
        while world.let_through():
            pass
        world.let_pass(1_000)
        world.have(tables.send, code, Woken())
    assert [seat.player for seat in view.room.seats] == ["ann", "bob", "cy"]


def test_a_round_that_no_table_looks_after_is_settled_after_three_minutes() -> None:
    world = World()
    room = Room("KRTPWX", Kind.RACE, SETUP.variant, "key", revision=1)
    for name in ("ann", "bob"):
        room = room.sit(name, name)
    room = room.be_ready(1, is_ready=True).be_ready(2, is_ready=True).deal(1, SETUP, 1)
    perform(world.store, writing(None, 0, room, NOW_S, DRAW))
    for minute in range(5):
        assert (world.room("KRTPWX").last is None) is (minute <= 3)
        world.pass_time(LOOK_MS)
    assert world.run(read_statistics("ann")).races == 1


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
