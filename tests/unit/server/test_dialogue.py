"""Dialogues of a session and its peer, driven through a connection between fakes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from jminesweeper.protocol import Command
from jminesweeper.server.backend import TAKEN_OVER, Backend, DismissalError
from jminesweeper.server.dialogue import BUG, MOST_UNDER_WAY, TURN_BYTES, TURN_PACKETS
from jminesweeper.server.outbox import MAX_ENTRIES, TYPED_AHEAD
from jminesweeper.session.effects import Ask, Claimed, Commit, Effect, Jot
from tests.unit.server.fakes import (
    GARBAGE,
    MOVE,
    MOVE_BYTE,
    QUIT_BYTE,
    START,
    FakeSession,
    Wire,
    dear_wire,
    on_loop,
    turn,
    wire_with_store,
)

BUG_BYTE = b"\x0a"


@dataclass(frozen=True)
class Question:
    text: str


class Oracle:
    """Keeps questions waiting until the test answers them."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def ask(self, question: Question) -> object:
        self.asked.append(question)
        return await self.answer


def wire_with_oracle(plan: Mapping[int, tuple[Effect, ...]]) -> tuple[Wire, Oracle]:
    session = FakeSession(plan)
    oracle = Oracle()
    backend = Backend(new_session=lambda: session, handlers={Question: oracle.ask})
    return Wire(session, backend=backend), oracle


# Packets and replies


@on_loop
async def test_keys_typed_ahead_get_a_write_each() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * TYPED_AHEAD)
    assert wire.transport.writes == [b"<%d>" % number for number in range(1, TYPED_AHEAD + 1)]


@on_loop
async def test_the_replies_to_a_longer_burst_are_joined() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * (TYPED_AHEAD + 1))
    assert wire.transport.writes == [
        b"".join(b"<%d>" % number for number in range(1, TYPED_AHEAD + 2))
    ]


# Fairness and bounds


@on_loop
async def test_a_burst_is_answered_a_turn_at_a_time() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * (TURN_PACKETS + 1))
    assert len(wire.session.received) == TURN_PACKETS
    assert not wire.transport.is_reading_now
    await turn()
    assert len(wire.session.received) == TURN_PACKETS + 1
    assert wire.transport.is_reading_now


@on_loop
async def test_large_replies_make_a_turn_shorter() -> None:
    wire = Wire()
    wire.session.reply_size = TURN_BYTES
    wire.send(MOVE_BYTE * 2)
    assert len(wire.session.received) == 1
    await turn()
    assert len(wire.session.received) == 2


@on_loop
async def test_packets_that_take_long_to_answer_make_a_turn_shorter() -> None:
    wire = dear_wire()
    wire.send(MOVE_BYTE * 9)
    assert wire.written == b"<1>"
    await turn()
    assert 1 < len(wire.session.received) < 9
    while len(wire.session.received) < 9:
        await turn()
    assert wire.written == b"".join(b"<%d>" % number for number in range(1, 10))


@on_loop
async def test_after_a_packet_that_took_long_the_next_one_waits_for_its_turn() -> None:
    wire = dear_wire()
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1>"
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1>"
    assert not wire.transport.is_reading_now
    await turn()
    assert wire.written == b"<1><2>"
    assert wire.transport.is_reading_now


@on_loop
async def test_bytes_that_are_no_packet_wait_for_their_turn_too() -> None:
    wire = dear_wire({})
    wire.send(MOVE_BYTE)
    wire.send(MOVE_BYTE + GARBAGE)
    await turn()
    await turn()
    assert wire.written == b"<1><2><rejected>"


@on_loop
async def test_half_a_packet_does_not_count_as_a_sign_of_life_however_dear_its_peer() -> None:
    wire = dear_wire()
    wire.send(MOVE_BYTE)
    heard_ms = wire.connection.heard_ms
    wire.clock.advance(1)
    wire.send(START[:-1])
    assert wire.connection.heard_ms == heard_ms


@on_loop
async def test_packets_that_came_before_the_peer_stopped_reading_wait() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * (TURN_PACKETS + 1))
    wire.connection.pause_writing()
    await turn()
    assert len(wire.session.received) == TURN_PACKETS
    wire.connection.resume_writing()
    await turn()
    assert len(wire.session.received) == TURN_PACKETS + 1


@on_loop
async def test_what_arrives_in_spite_of_the_pause_keeps_its_place() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * (TURN_PACKETS + 1))
    wire.send(b"\x01")
    await turn()
    assert wire.session.received[-2:] == [MOVE, Command.MOVE_LEFT]


# Commits


@on_loop
async def test_a_reply_leaves_after_its_commit() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE)
    assert wire.written == b""
    await store.finish(0)
    assert wire.written == b"<1>"


@on_loop
async def test_later_replies_wait_behind_a_commit_and_keep_their_order() -> None:
    wire, store = wire_with_store({1: (Commit("a"),), 3: (Commit("b"),)})
    for _ in range(4):
        wire.send(MOVE_BYTE)
    await store.finish(1)
    assert wire.written == b""
    await store.finish(0)
    assert wire.written == b"<1><2><3><4>"


@on_loop
async def test_after_a_commit_replies_go_straight_out_again() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE)
    await store.finish(0)
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1><2>"


@on_loop
async def test_without_a_store_a_reply_leaves_in_the_next_step_of_the_loop() -> None:
    wire = Wire(FakeSession({1: (Commit("a"),)}))
    wire.send(MOVE_BYTE)
    await turn()
    assert wire.written == b"<1>"


@on_loop
async def test_no_reply_waits_for_a_jot() -> None:
    wire, store = wire_with_store({1: (Jot("a"),)})
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1>"
    assert wire.session.settled == []
    await store.finish(0)
    assert wire.session.settled == [("a", 0)]


@on_loop
async def test_a_stuck_store_bounds_the_jots_that_wait_for_it() -> None:
    wire, store = wire_with_store({number: (Jot("a"),) for number in range(1, 999)})
    while wire.transport.is_reading_now:
        wire.send(MOVE_BYTE)
    assert len(store.commits) == MOST_UNDER_WAY
    wire.send(MOVE_BYTE)
    assert len(store.commits) == MOST_UNDER_WAY
    await store.finish(0)
    await turn()
    assert len(store.commits) == MOST_UNDER_WAY + 1
    await store.finish(1)
    await turn()
    assert wire.transport.is_reading_now


@on_loop
async def test_the_session_hears_how_each_write_went_in_their_order() -> None:
    wire, store = wire_with_store({1: (Commit("a"), Jot("b")), 2: (Commit("c"),)})
    wire.send(MOVE_BYTE * 2)
    for number in range(3):
        await store.finish(number)
    assert wire.session.settled == [("a", 0), ("b", 1), ("c", 2)]
    assert wire.written == b"<1><2>"


@on_loop
async def test_commits_within_a_burst_hold_only_what_comes_after_them() -> None:
    wire, store = wire_with_store({2: (Commit("a"),)})
    wire.send(MOVE_BYTE * 3)
    assert wire.written == b"<1>"
    await store.finish(0)
    assert wire.written == b"<1><2><3>"


@on_loop
async def test_a_stuck_store_bounds_what_is_held() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    for _ in range(2 * MAX_ENTRIES):
        if wire.transport.is_reading_now:
            wire.send(MOVE_BYTE)
    assert len(wire.session.received) <= MAX_ENTRIES
    await store.finish(0)
    await turn()
    assert wire.transport.is_reading_now
    assert len(wire.transport.writes) == 1


@on_loop
async def test_a_refused_commit_lets_the_player_go_with_the_reason() -> None:
    wire, store = wire_with_store({2: (Commit("a"),)})
    wire.send(MOVE_BYTE * 2)
    await store.finish(0, DismissalError("taken over"))
    assert wire.written == b"<1><taken over>"
    assert wire.transport.is_half_closed


@on_loop
async def test_a_failed_commit_is_a_bug_that_ends_the_connection() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE)
    await store.finish(0, ZeroDivisionError())
    assert wire.written == f"<{BUG}>".encode()


@on_loop
async def test_a_player_who_quits_still_gets_what_was_held() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE + QUIT_BYTE)
    assert not wire.transport.is_closed
    await store.finish(0)
    assert wire.written == b"<1>"
    assert wire.transport.is_closed


@on_loop
async def test_a_commit_that_ends_after_its_player_has_left_writes_nothing() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE)
    wire.hang_up()
    await store.finish(0)
    assert wire.written == b""


# One player, one running game


@on_loop
async def test_who_claims_a_game_takes_it_over_from_who_had_it() -> None:
    before = Wire(FakeSession({1: (Claimed("me"),)}))
    before.send(MOVE_BYTE)
    after = Wire(FakeSession({1: (Claimed("me"),)}), lobby=before.lobby)
    after.send(MOVE_BYTE)
    assert before.written == f"<1><{TAKEN_OVER}>".encode()
    before.hang_up()
    after.send(MOVE_BYTE)
    assert after.written == b"<1><2>"


@on_loop
async def test_a_game_whose_player_has_left_can_be_claimed_by_anybody() -> None:
    before = Wire(FakeSession({1: (Claimed("me"),)}))
    before.send(MOVE_BYTE)
    before.hang_up()
    after = Wire(FakeSession({1: (Claimed("me"),)}), lobby=before.lobby)
    after.send(MOVE_BYTE)
    assert before.written == b"<1>"
    assert after.written == b"<1>"


@on_loop
async def test_a_claim_may_be_repeated_or_exchanged() -> None:
    wire = Wire(FakeSession({1: (Claimed("me"),), 2: (Claimed("me"),), 3: (Claimed("you"),)}))
    wire.send(MOVE_BYTE * 3)
    assert wire.written == b"<1><2><3>"


# Questions


@on_loop
async def test_a_question_is_answered_before_the_next_packet() -> None:
    wire, oracle = wire_with_oracle({1: (Ask(Question("hint")),)})
    wire.send(MOVE_BYTE * 2)
    assert not wire.transport.is_reading_now
    await turn()
    assert oracle.asked == [Question("hint")]
    assert len(wire.session.received) == 1
    oracle.answer.set_result(42)
    for _ in range(4):
        await turn()
    assert wire.session.answers == [42]
    assert wire.written == b"<1><answer 42><2>"
    assert wire.transport.is_reading_now


@on_loop
async def test_a_handler_that_fails_ends_its_connection_alone() -> None:
    wire, oracle = wire_with_oracle({1: (Ask(Question("hint")),)})
    wire.send(MOVE_BYTE)
    oracle.answer.set_exception(ZeroDivisionError())
    for _ in range(3):
        await turn()
    assert wire.written == f"<1><{BUG}>".encode()


@on_loop
async def test_a_question_nobody_handles_is_a_bug() -> None:
    wire = Wire(FakeSession({1: (Ask(Question("hint")),)}))
    wire.send(MOVE_BYTE)
    assert wire.written == f"<{BUG}>".encode()


@on_loop
async def test_a_handler_may_dismiss_the_player() -> None:
    wire, oracle = wire_with_oracle({1: (Ask(Question("name")),)})
    wire.send(MOVE_BYTE)
    oracle.answer.set_exception(DismissalError("banned"))
    for _ in range(3):
        await turn()
    assert wire.written == b"<1><banned>"


@on_loop
async def test_a_question_is_dropped_with_its_player() -> None:
    wire, oracle = wire_with_oracle({1: (Ask(Question("hint")),)})
    wire.send(MOVE_BYTE)
    await turn()
    wire.hang_up()
    for _ in range(3):
        await turn()
    assert oracle.answer.cancelled()
    assert wire.session.answers == []


# The end


@on_loop
async def test_a_malformed_packet_gets_a_last_screen_after_the_good_ones() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE + GARBAGE)
    assert wire.written == b"<1><rejected>"
    assert wire.transport.is_half_closed


@on_loop
async def test_a_malformed_packet_waits_for_its_turn() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * (TURN_PACKETS + 1) + GARBAGE)
    assert not wire.transport.is_half_closed
    await turn()
    assert wire.written.endswith(b"<33><rejected>")


# Bugs


def test_a_bug_costs_one_connection_and_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @on_loop
    async def play() -> None:
        wire = Wire()
        wire.send(MOVE_BYTE)
        wire.send(BUG_BYTE)
        assert wire.written == f"<1><{BUG}>".encode()
        assert wire.transport.is_half_closed
        wire.hang_up()
        assert not wire.session.has_left

    with caplog.at_level(logging.ERROR):
        play()
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ZeroDivisionError)
    assert "peer" in record.getMessage()


@on_loop
async def test_a_bug_within_a_burst_ends_the_connection_too() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE + BUG_BYTE + MOVE_BYTE)
    assert wire.written == f"<1><{BUG}>".encode()
    assert len(wire.session.received) == 2


@on_loop
async def test_a_store_that_fails_while_the_connection_ends_cuts_it_off() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE + QUIT_BYTE)
    await store.finish(0, ZeroDivisionError())
    assert wire.transport.is_aborted


def test_a_protocol_error_is_logged_with_address_and_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @on_loop
    async def play() -> None:
        Wire().send(GARBAGE)

    with caplog.at_level(logging.WARNING):
        play()
    assert "protocol error from peer: There is no packet of type 0." in caplog.messages
