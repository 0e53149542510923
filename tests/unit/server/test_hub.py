"""What connections share: limits, the store, questions, and who plays whose game."""

from __future__ import annotations

import logging
import threading

import pytest

from jminesweeper.bus import player_topic
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.records.reviews import Verdict
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG
from jminesweeper.server.hub import MAX_REFUSED, ORIGIN_FULL, SERVER_FULL, SWEEP_STEPS
from jminesweeper.session.reply import (
    Effects,
    FindHint,
    FoundReview,
    LayBoard,
    Moved,
    Rebuild,
    Review,
    Reviewed,
)
from jminesweeper.store.errors import StoreError
from tests.unit.server.fakes import MOVE_BYTE, PEER, Errands, Wire, ask, costly_wire, fail, turn

SETUP = Setup.of(Size(3, 3), 1, PRESETS["classic"], seed=1)
REVIEW = Review(SETUP, ())
FOUND = FoundReview((("guesses", "0"),), Verdict(1.0))
HINT = FindHint(parse_position("? 1\n1 1", mine_count=1), Cell(0, 0))
LAY = LayBoard(SETUP, Cell(0, 0))
REBUILD = Rebuild(SETUP, b"")


# Limits


def arrive(first: Wire, origin: str = "somewhere") -> Wire:
    return Wire(beside=first, origin=origin)


async def test_a_full_server_lets_nobody_in_until_somebody_leaves() -> None:
    first = Wire(config=ServerConfig(max_connections=1, max_per_address=0))
    late = arrive(first, "elsewhere")
    assert late.written == f"<{SERVER_FULL}>".encode()
    assert late.transport.is_half_closed
    late.send(MOVE_BYTE)
    assert late.session.received == []
    first.hang_up()
    later = arrive(first)
    later.send(MOVE_BYTE)
    assert later.written == b"<1>"


async def test_who_is_refused_counts_neither_as_a_player_nor_against_the_limits() -> None:
    first = Wire(config=ServerConfig(max_connections=2))
    second = arrive(first)
    refused = arrive(first)
    second.hang_up()
    arrive(first).send(MOVE_BYTE)
    refused.hang_up()
    totals = first.hub.totals
    assert (totals.connections, totals.refused.total()) == (3, 1)


async def test_one_origin_has_a_limit_of_its_own() -> None:
    first = Wire(config=ServerConfig(max_connections=0, max_per_address=1))
    assert arrive(first).written == f"<{ORIGIN_FULL}>".encode()
    assert arrive(first, "elsewhere").written == b""
    first.hang_up()
    assert arrive(first).written == b""


async def test_a_limit_of_zero_is_none() -> None:
    first = Wire(config=ServerConfig(max_connections=0, max_per_address=0))
    assert {arrive(first).written for _ in range(99)} == {b""}


async def test_a_crowd_that_is_refused_is_dropped_without_a_word() -> None:
    first = Wire(config=ServerConfig(max_connections=1))
    crowd = [arrive(first) for _ in range(MAX_REFUSED)]
    assert all(each.written for each in crowd)
    late = arrive(first)
    assert late.written == b""
    assert late.transport.is_aborted


async def test_who_comes_while_the_server_says_goodbye_is_told_as_well() -> None:
    first = Wire()
    first.hub.say_goodbye("bye")
    assert first.written == arrive(first).written == b"<bye>"


async def test_all_are_looked_at_in_turn_each_once() -> None:
    first = Wire()
    wires = [first, *(Wire(beside=first) for _ in range(11))]
    first.clock.advance(ServerConfig().idle_timeout_s)
    gone = []
    for _ in range(SWEEP_STEPS):
        first.hub.check_time()
        gone.append(sum(each.transport.is_half_closed for each in wires))
    assert gone[0] <= 3
    assert gone[-1] == len(wires)


# Coming and going


async def test_coming_and_going_is_logged_with_duration_and_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        wire = Wire({1: Effects(games_ended=1)})
        wire.send(MOVE_BYTE)
        wire.clock.advance(12.5)
        wire.hang_up()
        totals = wire.hub.totals
        assert (totals.connections, totals.packets, totals.games) == (1, 1, 1)
    assert caplog.messages == [
        f"{PEER} connected",
        f"{PEER} left after 12.5 s: 1 packets, 1 games ended",
    ]
    assert vars(caplog.records[1])["duration_s"] == 12.5


async def test_the_last_to_leave_ends_the_waiting() -> None:
    wire = Wire()
    await wire.hub.emptied(0)
    assert wire.hub.connections
    wire.hang_up()
    await wire.hub.emptied(60)
    assert not wire.hub.connections


# Players


def known(beside: Wire | None = None) -> Wire:
    """A connection on which a player has been let in."""
    wire = Wire({1: Effects(question=ask("who"))}, beside=beside)
    wire.session.player_id = "me"
    wire.send(MOVE_BYTE)
    return wire


async def test_a_player_hears_which_game_was_begun_on_another_device() -> None:
    wire = known()
    await wire.stored(None)
    assert wire.hub.players == 1
    wire.bus.publish(player_topic("you"), b"other")
    wire.bus.publish(player_topic("me"), b"code")
    await turn()
    assert wire.session.events == [Moved("code")]


async def test_all_connections_of_a_player_hear_of_it() -> None:
    first = known()
    await first.stored(None)
    second = known(first)
    await second.stored(None)
    assert first.hub.players == 1
    first.hang_up()
    second.bus.publish(player_topic("me"), b"code")
    await turn()
    assert (first.session.events, second.session.events) == ([], [Moved("code")])
    second.hang_up()
    assert first.hub.players == 0


# The store


async def test_what_is_asked_in_one_step_is_handed_over_together() -> None:
    errands = Errands()
    wire = Wire({1: errands.to("a", "b")})
    other = Wire({1: Effects(question=ask("c"))}, beside=wire)
    wire.send(MOVE_BYTE * 2)
    other.send(MOVE_BYTE)
    assert wire.store.batches == []
    await turn()
    (batch,) = wire.store.batches
    assert [job.operation for job in batch] == [ask("a"), ask("b"), ask("c")]


async def test_a_question_does_not_wait_until_a_flood_has_had_its_turns() -> None:
    flood = costly_wire()
    flood.send(MOVE_BYTE * 9)
    await turn()
    player = Wire({1: Effects(question=ask("a"))}, beside=flood)
    player.send(MOVE_BYTE)
    asked_before: list[int] = []
    flood.session.while_receiving = lambda: asked_before.append(len(flood.store.jobs))
    await turn()
    assert set(asked_before) == {1}


async def test_what_was_not_handed_over_yet_is_when_the_hub_closes() -> None:
    wire = Wire({1: Errands().to("a")})
    wire.send(MOVE_BYTE)
    wire.hub.close()
    assert [job.operation for job in wire.store.jobs] == [ask("a")]
    await turn()
    assert len(wire.store.batches) == 1


async def test_an_errand_that_fails_ends_nothing() -> None:
    errands = Errands()
    wire = Wire({1: errands.to("a")})
    wire.send(MOVE_BYTE)
    await wire.stored(StoreError("full"))
    wire.send(MOVE_BYTE)
    assert (wire.written, errands.answers) == (b"<1><2>", [])


# Questions and work


@pytest.mark.parametrize("question", [HINT, LAY])
async def test_what_only_a_solver_knows_is_asked_of_the_workers(
    question: FindHint | LayBoard,
) -> None:
    wire = Wire({1: Effects(question=question)})
    wire.send(MOVE_BYTE)
    assert wire.workers.asked == [question]
    wire.workers.done[0](42)
    assert wire.written == b"<answer 42>"


async def test_a_review_is_worked_out_while_play_continues_and_comes_back_as_an_event() -> None:
    wire = Wire({1: Effects(work=REVIEW)})
    wire.send(MOVE_BYTE)
    wire.send(MOVE_BYTE)
    wire.workers.done[0](FOUND)
    assert wire.session.events == [Reviewed(REVIEW, FOUND)]
    await wire.until_written(b"<shown>")
    assert wire.written == b"<1><2><shown>"


async def test_what_waits_for_a_worker_is_forgotten_with_its_player() -> None:
    wire = Wire({1: Effects(work=REVIEW)})
    wire.send(MOVE_BYTE)
    wire.hang_up()
    assert wire.workers.forgotten == [wire.connection]
    wire.workers.done[0](None)
    assert wire.session.events == []


async def test_a_long_game_is_rebuilt_beside_the_loop() -> None:
    wire = Wire({1: Effects(question=REBUILD)}, rebuild=lambda question: len(question.entries))
    wire.send(MOVE_BYTE)
    await wire.until_written(b"<answer 0>")
    wire.hub.close()


async def test_a_bug_in_rebuilding_ends_one_connection() -> None:
    wire = Wire({1: Effects(question=REBUILD)}, rebuild=lambda _: fail())
    wire.send(MOVE_BYTE)
    await wire.until_written(BUG.encode())
    wire.hub.close()


async def test_what_is_to_be_rebuilt_when_the_hub_closes_is_given_up() -> None:
    gate = threading.Event()
    wire = Wire({1: Effects(question=REBUILD)}, rebuild=lambda _: gate.wait())
    other = Wire({1: Effects(question=REBUILD)}, beside=wire)
    wire.send(MOVE_BYTE)
    other.send(MOVE_BYTE)
    wire.hub.close()
    gate.set()
    await turn()
    assert other.written == b""
