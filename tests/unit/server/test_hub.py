"""What connections share: limits, the store, questions, and who plays whose game."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from jminesweeper.bus import game_topic
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG
from jminesweeper.server.hub import MAX_REFUSED, ORIGIN_FULL, SERVER_FULL
from jminesweeper.server.phases import TAKEN_OVER
from jminesweeper.session.reply import (
    Claimed,
    Effects,
    FindHint,
    LayBoard,
    Rebuild,
    Review,
    Reviewed,
)
from jminesweeper.store import RunningGame
from tests.unit.server.fakes import (
    MOVE_BYTE,
    PEER,
    Wire,
    Write,
    costly_wire,
    fail,
    notes,
    on_loop,
    turn,
    writes,
)

SETUP = Setup.of(Size(3, 3), 1, PRESETS["classic"], seed=1)
REVIEW = Review(SETUP, ())
HINT = FindHint(parse_position("? 1\n1 1", mine_count=1), Cell(0, 0))
LAY = LayBoard(SETUP, Cell(0, 0))
REBUILD = Rebuild(RunningGame("code", SETUP), 0)


# Limits


def arrive(first: Wire, origin: str = "somewhere") -> Wire:
    return Wire(beside=first, origin=origin)


@on_loop
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


@on_loop
async def test_who_is_refused_counts_neither_as_a_player_nor_against_the_limits() -> None:
    first = Wire(config=ServerConfig(max_connections=2))
    second = arrive(first)
    refused = arrive(first)
    second.hang_up()
    arrive(first).send(MOVE_BYTE)
    refused.hang_up()
    totals = first.hub.totals
    assert (totals.connections, totals.refused.total()) == (3, 1)


@on_loop
async def test_one_origin_has_a_limit_of_its_own() -> None:
    first = Wire(config=ServerConfig(max_connections=0, max_per_address=1))
    assert arrive(first).written == f"<{ORIGIN_FULL}>".encode()
    assert arrive(first, "elsewhere").written == b""
    first.hang_up()
    assert arrive(first).written == b""


@on_loop
async def test_a_limit_of_zero_is_none() -> None:
    first = Wire(config=ServerConfig(max_connections=0, max_per_address=0))
    assert {arrive(first).written for _ in range(99)} == {b""}


@on_loop
async def test_a_crowd_that_is_refused_is_dropped_without_a_word() -> None:
    first = Wire(config=ServerConfig(max_connections=1))
    crowd = [arrive(first) for _ in range(MAX_REFUSED)]
    assert all(each.written for each in crowd)
    late = arrive(first)
    assert late.written == b""
    assert late.transport.is_aborted


@on_loop
async def test_who_comes_while_the_server_says_goodbye_is_told_as_well() -> None:
    first = Wire()
    first.hub.say_goodbye("bye")
    assert first.written == arrive(first).written == b"<bye>"


# Coming and going


def test_coming_and_going_is_logged_with_duration_and_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @on_loop
    async def play() -> None:
        wire = Wire({1: Effects(games_ended=1)})
        wire.send(MOVE_BYTE)
        wire.clock.advance(12.5)
        wire.hang_up()
        totals = wire.hub.totals
        assert (totals.connections, totals.packets, totals.games) == (1, 1, 1)

    with caplog.at_level(logging.INFO):
        play()
    assert caplog.messages == [
        f"{PEER} connected",
        f"{PEER} left after 12.5 s: 1 packets, 1 games ended",
    ]
    assert vars(caplog.records[1])["duration_s"] == 12.5


@on_loop
async def test_the_last_to_leave_ends_the_waiting() -> None:
    wire = Wire()
    await wire.hub.emptied(0)
    assert wire.hub.connections
    wire.hang_up()
    await wire.hub.emptied(60)
    assert not wire.hub.connections


# One player, one running game


@on_loop
async def test_who_claims_a_game_takes_it_over_from_who_had_it() -> None:
    before = Wire({1: Effects(claims="me")})
    before.send(MOVE_BYTE)
    after = Wire({1: Effects(claims="me")}, beside=before)
    after.send(MOVE_BYTE)
    assert before.written == f"<1><{TAKEN_OVER}>".encode()
    before.hang_up()
    after.send(MOVE_BYTE)
    assert after.written == b"<1><2>"


@on_loop
async def test_a_game_whose_player_has_left_can_be_claimed_by_anybody() -> None:
    before = Wire({1: Effects(claims="me")})
    before.send(MOVE_BYTE)
    before.hang_up()
    after = Wire({1: Effects(claims="me")}, beside=before)
    after.send(MOVE_BYTE)
    assert before.written == b"<1>"
    assert after.written == b"<1>"


@on_loop
async def test_who_hears_of_a_claim_on_another_server_asks_the_store() -> None:
    wire = Wire({1: Effects(claims="me")})
    wire.send(MOVE_BYTE)
    await turn()
    assert wire.session.events == []
    wire.bus.publish(game_topic("you"), b"claimed elsewhere")
    wire.bus.publish(game_topic("me"), b"claimed elsewhere")
    await turn()
    assert wire.session.events == [(Claimed(), True)]


@on_loop
async def test_who_has_left_hears_of_no_claim() -> None:
    wire = Wire({1: Effects(claims="me")})
    wire.send(MOVE_BYTE)
    wire.hang_up()
    wire.bus.publish(game_topic("me"), b"claimed elsewhere")
    await turn()
    assert wire.session.events == []


@on_loop
async def test_a_claim_may_be_repeated_or_exchanged() -> None:
    wire = Wire({1: Effects(claims="me"), 2: Effects(claims="me"), 3: Effects(claims="you")})
    wire.send(MOVE_BYTE * 3)
    assert wire.written == b"<1><2><3>"
    other = Wire({1: Effects(claims="me")}, beside=wire)
    other.send(MOVE_BYTE)
    assert wire.written == b"<1><2><3>"


# The store


@on_loop
async def test_the_operations_of_one_step_are_handed_over_together() -> None:
    wire = Wire({1: writes("a"), 2: notes("b")})
    other = Wire({1: writes("c")}, beside=wire)
    wire.send(MOVE_BYTE * 2)
    other.send(MOVE_BYTE)
    assert wire.store.batches == []
    await turn()
    (batch,) = wire.store.batches
    assert [job.operation for job in batch] == [Write("a"), Write("b"), Write("c")]


@on_loop
async def test_a_write_does_not_wait_for_the_store_until_a_flood_has_had_its_turns() -> None:
    flood = costly_wire()
    flood.send(MOVE_BYTE * 9)
    await turn()
    player = Wire({1: writes("a")}, beside=flood)
    player.send(MOVE_BYTE)
    stored_before: list[int] = []
    flood.session.while_receiving = lambda: stored_before.append(len(flood.store.jobs))
    await turn()
    assert set(stored_before) == {1}


@on_loop
async def test_what_was_not_handed_over_yet_is_when_the_hub_closes() -> None:
    wire = Wire({1: writes("a")})
    wire.send(MOVE_BYTE)
    wire.hub.close()
    assert [job.operation for job in wire.store.jobs] == [Write("a")]
    await turn()
    assert len(wire.store.batches) == 1


# Questions and work


@pytest.mark.parametrize("question", [HINT, LAY])
def test_what_only_a_solver_knows_is_asked_of_the_workers(question: FindHint | LayBoard) -> None:
    @on_loop
    async def play() -> None:
        wire = Wire({1: Effects(question=question)})
        wire.send(MOVE_BYTE)
        assert wire.workers.asked == [question]
        wire.workers.done[0](42)
        assert wire.written == b"<answer 42>"

    play()


@on_loop
async def test_a_review_is_worked_out_while_play_continues_and_comes_back_as_an_event() -> None:
    wire = Wire({1: Effects(work=REVIEW)})
    wire.send(MOVE_BYTE)
    wire.send(MOVE_BYTE)
    wire.workers.done[0]((("guesses", "0"),))
    assert wire.session.events == [(Reviewed(REVIEW, (("guesses", "0"),)), True)]
    assert wire.written == b"<1><2><event>"


@on_loop
async def test_what_waits_for_a_worker_is_forgotten_with_its_player() -> None:
    wire = Wire({1: Effects(work=REVIEW)})
    wire.send(MOVE_BYTE)
    wire.hang_up()
    assert wire.workers.forgotten == [wire.connection]
    wire.workers.done[0](None)
    assert wire.session.events == []


async def until_written(wire: Wire, text: bytes) -> None:
    while text not in wire.written:
        await asyncio.wait_for(turn(), 60)


@on_loop
async def test_a_long_game_is_rebuilt_beside_the_loop() -> None:
    wire = Wire({1: Effects(question=REBUILD)}, rebuild=lambda question: question.epoch_ms)
    wire.send(MOVE_BYTE)
    await until_written(wire, b"<answer 0>")
    wire.hub.close()


@on_loop
async def test_a_bug_in_rebuilding_ends_one_connection() -> None:
    wire = Wire({1: Effects(question=REBUILD)}, rebuild=lambda _: fail())
    wire.send(MOVE_BYTE)
    await until_written(wire, BUG.encode())
    wire.hub.close()


@on_loop
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
