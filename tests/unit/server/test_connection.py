"""Single connections between a fake session and a fake transport."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from jminesweeper.core import Status
from jminesweeper.protocol import Command
from jminesweeper.server.backend import TAKEN_OVER, Backend, DismissalError
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import DEAR_MS, IDLE
from jminesweeper.server.dialogue import BUG, MOST_UNDER_WAY, TURN_BYTES, TURN_NS, TURN_PACKETS
from jminesweeper.server.outbox import MAX_ENTRIES, TYPED_AHEAD
from jminesweeper.session.effects import Ask, Claimed, Commit, Effect, Ended, Jot
from tests.unit.server.fakes import (
    GARBAGE,
    MOVE,
    MOVE_BYTE,
    QUIT_BYTE,
    FakeSession,
    Wire,
    on_loop,
    turn,
)

START = bytes.fromhex("07 00000003 14 0a 01")
BUG_BYTE = b"\x0a"


@dataclass(frozen=True)
class Question:
    text: str


class Store:
    """Keeps commits waiting until the test says what becomes of them."""

    def __init__(self) -> None:
        self.commits: list[asyncio.Future[Any]] = []

    def commit(self, _operation: object) -> asyncio.Future[Any]:
        stored: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.commits.append(stored)
        return stored

    async def finish(self, number: int, error: Exception | None = None) -> None:
        if error is None:
            self.commits[number].set_result(number)
        else:
            self.commits[number].set_exception(error)
        await turn()


class Oracle:
    """Keeps questions waiting until the test answers them."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def ask(self, question: Question) -> object:
        self.asked.append(question)
        return await self.answer


def wire_with_store(
    plan: Mapping[int, tuple[Effect, ...]],
) -> tuple[Wire, Store]:
    session = FakeSession(plan)
    store = Store()
    backend = Backend(new_session=lambda: session, commit=store.commit)
    return Wire(session, backend=backend), store


def wire_with_oracle(plan: Mapping[int, tuple[Effect, ...]]) -> tuple[Wire, Oracle]:
    session = FakeSession(plan)
    oracle = Oracle()
    backend = Backend(new_session=lambda: session, handlers={Question: oracle.ask})
    return Wire(session, backend=backend), oracle


# Packets and replies


@on_loop
async def test_each_packet_gets_one_reply_in_one_write() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE)
    wire.send(START)
    assert wire.transport.writes == [b"<1>", b"<2>"]


@on_loop
async def test_half_a_packet_gets_no_reply_until_it_is_whole() -> None:
    wire = Wire()
    for byte in START[:-1]:
        wire.send(bytes((byte,)))
    assert wire.transport.writes == []
    wire.send(START[-1:])
    assert wire.transport.writes == [b"<1>"]


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


@on_loop
async def test_packets_and_games_are_counted() -> None:
    wire = Wire(FakeSession({2: (Ended(Status.WON, 1000),)}))
    wire.send(MOVE_BYTE)
    wire.send(MOVE_BYTE * 2)
    assert (wire.connection.packets, wire.connection.games) == (3, 1)


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


def dear_wire(plan: Mapping[int, tuple[Effect, ...]] | None = None) -> Wire:
    """A connection on which every packet takes longer to answer than a turn may."""
    wire = Wire(FakeSession(plan))
    wire.session.while_receiving = lambda: wire.clock.advance(2 * TURN_NS / 1e9)
    return wire


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
async def test_after_a_while_a_peer_that_took_long_is_answered_at_once_again() -> None:
    wire = dear_wire()
    wire.send(MOVE_BYTE)
    wire.clock.advance(DEAR_MS / 1000 + 1)
    wire.connection.check(wire.lobby.now_ms())
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1><2>"


@on_loop
async def test_a_peer_that_does_not_read_is_not_read_either() -> None:
    wire = Wire()
    wire.connection.pause_writing()
    assert not wire.transport.is_reading_now
    wire.connection.resume_writing()
    await turn()
    assert wire.transport.is_reading_now


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


@on_loop
async def test_at_most_the_replies_of_one_turn_wait_in_the_transport() -> None:
    assert Wire().transport.limits == (0, None)


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
async def test_quit_closes_at_once_without_a_reply() -> None:
    wire = Wire()
    wire.send(QUIT_BYTE)
    assert wire.written == b""
    assert wire.transport.is_closed


@on_loop
async def test_nothing_is_received_after_quit() -> None:
    wire = Wire()
    wire.send(QUIT_BYTE + MOVE_BYTE)
    wire.send(MOVE_BYTE)
    assert wire.session.received == [Command.QUIT]


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


@on_loop
async def test_after_its_last_screen_a_peer_may_hang_up_in_its_own_time() -> None:
    wire = Wire()
    wire.send(GARBAGE)
    assert not wire.transport.is_closed
    wire.send(MOVE_BYTE)
    assert wire.session.received == []
    assert wire.connection.eof_received() is False


@on_loop
async def test_a_peer_that_does_not_hang_up_is_cut_off() -> None:
    wire = Wire(config=ServerConfig(linger_s=0))
    wire.send(GARBAGE)
    for _ in range(2):
        await turn()
    assert wire.transport.is_aborted


@on_loop
async def test_where_half_a_connection_cannot_be_closed_the_whole_is() -> None:
    wire = Wire(has_half_close=False)
    wire.send(GARBAGE)
    assert wire.written == b"<rejected>"
    assert wire.transport.is_closed


@on_loop
async def test_a_peer_that_sends_no_more_gets_what_it_is_owed() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE)
    assert wire.connection.eof_received() is True
    assert not wire.transport.is_closed
    await store.finish(0)
    assert wire.written == b"<1>"
    assert wire.transport.is_closed


@on_loop
async def test_the_session_hears_that_its_player_has_left() -> None:
    wire, store = wire_with_store({})
    wire.session.on_leave = (Ended(Status.TERMINATED, 5), Commit("last"))
    wire.hang_up()
    assert wire.session.has_left
    assert wire.connection.games == 1
    assert len(store.commits) == 1
    await store.finish(0)


@on_loop
async def test_a_player_who_is_let_go_gets_a_last_screen_once() -> None:
    wire = Wire()
    wire.connection.let_go("bye")
    wire.connection.let_go("bye again")
    assert wire.written == b"<bye>"


@on_loop
async def test_a_silent_player_is_let_go_with_a_notice() -> None:
    wire = Wire(config=ServerConfig(idle_timeout_s=900))
    wire.clock.advance(600)
    wire.send(MOVE_BYTE)
    wire.clock.advance(899)
    wire.connection.check(wire.lobby.now_ms())
    assert wire.written == b"<1>"
    wire.clock.advance(1)
    wire.connection.check(wire.lobby.now_ms())
    assert wire.written == f"<1><{IDLE}>".encode()


@on_loop
async def test_bytes_that_never_make_a_packet_count_as_silence() -> None:
    wire = Wire(config=ServerConfig(idle_timeout_s=900))
    wire.clock.advance(899)
    wire.send(START[:1])
    wire.clock.advance(1)
    wire.connection.check(wire.lobby.now_ms())
    assert wire.written == f"<{IDLE}>".encode()


@on_loop
async def test_a_peer_that_never_reads_is_cut_off() -> None:
    wire = Wire(config=ServerConfig(write_timeout_s=30))
    wire.connection.pause_writing()
    wire.clock.advance(29)
    wire.connection.check(wire.lobby.now_ms())
    assert not wire.transport.is_aborted
    wire.clock.advance(1)
    wire.connection.check(wire.lobby.now_ms())
    assert wire.transport.is_aborted


@on_loop
async def test_a_connection_that_is_ending_is_not_checked() -> None:
    wire = Wire()
    wire.send(GARBAGE)
    wire.clock.advance(10_000)
    wire.connection.check(wire.lobby.now_ms())
    assert wire.written == b"<rejected>"


@on_loop
async def test_a_leaving_peer_that_reads_again_is_hung_up_on() -> None:
    wire, store = wire_with_store({1: (Commit("a"),)})
    wire.send(MOVE_BYTE + QUIT_BYTE)
    wire.connection.pause_writing()
    wire.connection.resume_writing()
    assert not wire.transport.is_closed
    await store.finish(0)
    assert wire.transport.is_closed


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


@on_loop
async def test_the_server_can_cut_a_connection_off() -> None:
    wire = Wire()
    wire.connection.abort()
    assert wire.transport.is_aborted
