"""Connections between a loop and its players: writing, reading, turns, and the end."""

from __future__ import annotations

import errno
import gc
import logging
import os
from itertools import pairwise

import pytest

from jminesweeper.core.view import COVERED
from jminesweeper.protocol.packets import Act, Hello, encode
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG, TURN_BYTES
from jminesweeper.server.conversation import TYPED_AHEAD, ServerConversation
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.hub import READ_SIZE, REST_NS, SHARE_NS
from jminesweeper.session.reply import Effects
from jminesweeper.store.errors import StoreError
from tests.unit.server.fakes import (
    BUG_BYTE,
    GARBAGE,
    MOVE_BYTE,
    PEER,
    QUIT_BYTE,
    Errands,
    FakeSession,
    FakeTransport,
    Wire,
    ask,
    costly_wire,
    fail,
    turn,
)
from tests.world.player import new_game
from tests.world.server import KNOWN, World


@pytest.mark.parametrize("typed", [b"hello\r\n", b"\r", b"\x16\x03\x01"])
async def test_who_does_not_speak_the_protocol_is_told_what_this_is(typed: bytes) -> None:
    wire = Wire()
    for byte in typed:
        wire.send(bytes((byte,)))
    assert wire.written == INTRODUCTION
    assert wire.transport.is_half_closed
    assert wire.session.received == []


# Writing


async def test_keys_typed_ahead_get_a_write_each() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * TYPED_AHEAD)
    assert wire.transport.writes == [b"<%d>" % number for number in range(1, TYPED_AHEAD + 1)]


async def test_the_replies_to_a_longer_burst_are_joined() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE * (TYPED_AHEAD + 1))
    assert wire.transport.writes == [
        b"".join(b"<%d>" % number for number in range(1, TYPED_AHEAD + 2))
    ]


async def test_at_most_the_replies_of_one_turn_wait_in_the_transport() -> None:
    assert Wire().transport.limits == (0, None)


async def test_all_connections_read_into_one_small_buffer() -> None:
    wire = Wire()
    other = Wire(beside=wire)
    assert len(wire.connection.get_buffer(-1)) == READ_SIZE
    assert wire.connection.get_buffer(65_536) is other.connection.get_buffer(1)


# Turns


async def test_a_burst_is_answered_a_turn_at_a_time() -> None:
    wire = costly_wire()
    wire.send(MOVE_BYTE * 4)
    assert len(wire.session.received) == 1
    assert not wire.transport.is_reading_now
    for _ in range(3):
        await turn()
    assert len(wire.session.received) == 4
    assert wire.transport.is_reading_now


async def test_large_replies_make_a_turn_shorter() -> None:
    wire = Wire()
    wire.session.reply_size = TURN_BYTES
    wire.send(MOVE_BYTE * 2)
    assert len(wire.session.received) == 1
    await turn()
    assert len(wire.session.received) == 2


async def test_packets_that_take_long_to_answer_make_a_turn_shorter() -> None:
    wire = costly_wire()
    wire.send(MOVE_BYTE * 3)
    assert wire.written == b"<1>"
    assert wire.connection.take_turn() is True
    assert wire.written == b"<1><2>"
    assert wire.connection.take_turn() is False
    assert wire.written == b"<1><2><3>"


async def test_after_a_costly_packet_the_next_one_waits_for_its_turn() -> None:
    wire = costly_wire()
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1>"
    wire.send(MOVE_BYTE)
    assert wire.written == b"<1>"
    assert wire.transport.is_reading_now
    await turn()
    assert wire.written == b"<1><2>"


async def test_who_flooded_and_then_rested_is_answered_at_once_again() -> None:
    greedy = costly_wire()
    greedy.send(MOVE_BYTE)
    await turn()
    greedy.clock.advance(REST_NS / 1e9)
    greedy.send(MOVE_BYTE)
    assert greedy.written == b"<1><2>"


async def test_who_is_new_waits_for_a_turn() -> None:
    flood = costly_wire()
    flood.send(MOVE_BYTE * 9)
    wire = Wire(beside=flood)
    wire.connection.debt_ns = SHARE_NS
    wire.send(MOVE_BYTE)
    assert wire.written == b""
    while not wire.written:
        await turn()
    assert flood.session.received[3:] == []


async def test_bytes_that_are_no_packet_wait_for_their_turn_too() -> None:
    wire = costly_wire()
    wire.send(MOVE_BYTE)
    wire.send(MOVE_BYTE + GARBAGE)
    assert wire.written == b"<1>"
    await turn()
    await turn()
    assert wire.written == b"<1><2><rejected>"


async def test_packets_that_came_before_the_peer_stopped_reading_wait() -> None:
    wire = costly_wire()
    wire.send(MOVE_BYTE * 2)
    wire.connection.pause_writing()
    await turn()
    assert len(wire.session.received) == 1
    wire.connection.resume_writing()
    await turn()
    assert len(wire.session.received) == 2


# The store, questions and events


async def test_what_others_did_is_shown_in_a_moment() -> None:
    wire = Wire({1: 1})
    wire.send(MOVE_BYTE)
    wire.session.is_stale = True
    wire.session.store(1)
    wire.session.store(1)
    assert wire.written == b"<1>"
    await wire.until_written(b"<shown>")
    assert wire.written == b"<1><shown>"


async def test_what_others_do_is_shown_thirty_times_a_second_and_never_one_frame_less() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE)
    shown_s: list[float] = []
    while len(shown_s) < 4:
        wire.session.is_stale = True
        wire.session.store(1)
        await turn()
        if wire.written.count(b"<shown>") > len(shown_s):
            shown_s.append(wire.connection.shown_s)
    assert all(later - before > 0.03 for before, later in pairwise(shown_s))
    wire.session.is_stale = True
    wire.session.store(1)
    # Nothing else happens: what was done last is shown all the same.
    await wire.until_written(b"<1>" + b"<shown>" * 5)


async def test_a_peer_that_did_not_read_is_shown_how_it_is_once_it_has() -> None:
    wire = Wire()
    wire.send(MOVE_BYTE)
    wire.connection.pause_writing()
    wire.session.is_stale = True
    for _ in range(9):
        wire.session.store(1)
        await turn()
    assert wire.written == b"<1>"
    wire.connection.resume_writing()
    await wire.until_written(b"<shown>")
    assert wire.written == b"<1><shown>"


async def test_errands_that_nothing_waits_for_are_bounded() -> None:
    errands = Errands()
    wire = Wire({number: errands.to("a") for number in range(1, 999)})
    for _ in range(200):
        if wire.transport.is_reading_now:
            wire.send(MOVE_BYTE)
    assert not wire.transport.is_reading_now
    received = len(wire.session.received)
    await wire.stored(None)
    assert len(wire.session.received) == received + 1


async def test_a_question_to_the_store_is_answered_by_it() -> None:
    wire = Wire({1: Effects(question=ask("question"))})
    wire.send(MOVE_BYTE * 2)
    error = StoreError("gone")
    await wire.stored(error)
    assert wire.session.answers == [error]
    assert wire.written == b"<answer gone><2>"


async def test_a_bug_in_whoever_was_asked_ends_that_connection() -> None:
    wire = Wire({1: Effects(question=ask("question"))})
    wire.send(MOVE_BYTE)
    await wire.stored(ZeroDivisionError())
    assert wire.written == f"<{BUG}>".encode()


# The end


async def test_quit_closes_at_once_without_a_reply() -> None:
    wire = Wire()
    wire.send(QUIT_BYTE)
    assert wire.written == b""
    assert wire.transport.is_closed


async def test_after_its_last_screen_a_peer_may_hang_up_in_its_own_time() -> None:
    wire = Wire()
    wire.send(GARBAGE)
    assert wire.transport.is_half_closed
    assert not wire.transport.is_closed
    assert wire.connection.eof_received() is False


async def test_a_peer_that_does_not_hang_up_is_cut_off() -> None:
    wire = Wire(config=ServerConfig(linger_s=0))
    wire.send(GARBAGE)
    for _ in range(2):
        await turn()
    assert wire.transport.is_aborted


async def test_a_peer_that_left_something_unread_is_cut_off_too() -> None:
    wire = Wire(config=ServerConfig(linger_s=0))
    wire.send(MOVE_BYTE)
    wire.connection.pause_writing()
    wire.connection.eof_received()
    for _ in range(2):
        await turn()
    assert wire.transport.is_aborted


async def test_who_hangs_up_in_time_is_not_cut_off() -> None:
    wire = Wire(config=ServerConfig(linger_s=0))
    wire.send(GARBAGE)
    wire.hang_up()
    for _ in range(2):
        await turn()
    assert not wire.transport.is_aborted


async def test_where_half_a_connection_cannot_be_closed_the_whole_is() -> None:
    wire = Wire(transport=FakeTransport(has_half_close=False))
    wire.send(GARBAGE)
    assert wire.written == b"<rejected>"
    assert wire.transport.is_closed


class ResetTransport(FakeTransport):
    """Its peer is gone, and the event loop has not noticed yet."""

    def write_eof(self) -> None:
        raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))


async def test_a_connection_that_was_reset_is_dropped() -> None:
    wire = Wire(transport=ResetTransport())
    wire.send(GARBAGE)
    assert wire.transport.is_aborted


async def test_a_peer_that_sends_no_more_gets_what_it_is_owed() -> None:
    wire = Wire({1: 1})
    wire.send(MOVE_BYTE)
    assert wire.connection.eof_received() is True
    assert not wire.transport.is_closed
    wire.session.store(1)
    assert wire.written == b"<1>"
    assert wire.transport.is_closed


async def test_a_last_screen_is_read_although_reading_had_stopped() -> None:
    wire = Wire({1: Effects(question=ask("question"))})
    wire.send(MOVE_BYTE * 3)
    assert not wire.transport.is_reading_now
    wire.connection.let_go("bye")
    assert wire.written == b"<bye>"
    assert wire.transport.is_reading_now


async def test_reading_is_not_resumed_on_a_connection_that_is_closing() -> None:
    wire = Wire({1: 1})
    wire.send(MOVE_BYTE)
    wire.transport.is_reading_now = False
    wire.connection.eof_received()
    wire.transport.close()
    wire.session.store(1)
    assert not wire.transport.is_reading_now


async def test_what_a_session_leaves_behind_is_stored() -> None:
    wire = Wire()
    errands = Errands()
    wire.session.on_leave = errands.to("last")
    wire.send(MOVE_BYTE)
    wire.hang_up()
    await wire.stored("done")
    assert wire.session.has_left
    assert errands.answers == ["done"]


async def test_a_peer_that_never_reads_is_cut_off_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        wire = Wire(config=ServerConfig(write_timeout_s=30))
        wire.send(MOVE_BYTE)
        wire.connection.pause_writing()
        wire.clock.advance(30)
        wire.check_time()
        assert wire.transport.is_aborted
    assert f"{PEER} does not read its screens" in caplog.messages


async def test_who_comes_by_name_is_logged_once_and_forges_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        wire = Wire()
        for name in ("Ada\x1b[2J", "Bob"):
            wire.send(encode(Hello(name=name)))
        await turn()
    (named,) = [each for each in caplog.messages if " is " in each]
    assert named == f"{PEER} is Ada[2J"


# Bugs


async def test_a_bug_costs_one_connection_and_is_logged_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        wire = Wire()
        wire.send(MOVE_BYTE)
        wire.send(BUG_BYTE)
        assert wire.written == f"<1><{BUG}>".encode()
        assert wire.transport.is_half_closed
        wire.hang_up()
        assert not wire.session.has_left
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ZeroDivisionError)
    assert PEER in record.getMessage()


async def test_a_bug_in_a_turn_leaves_the_other_turns_alone() -> None:
    faulty = costly_wire()
    other = Wire(beside=faulty)
    other.session.while_receiving = lambda: faulty.clock.advance(0.01)
    for wire in (faulty, other):
        wire.send(MOVE_BYTE)
    faulty.send(BUG_BYTE)
    other.send(MOVE_BYTE)
    for _ in range(2):
        await turn()
    assert faulty.written == f"<1><{BUG}>".encode()
    assert other.written == b"<1><2>"


async def test_a_bug_while_something_is_drawn_again_ends_the_connection() -> None:
    wire = Wire({1: 1})
    wire.session.while_drawing = fail
    wire.send(MOVE_BYTE)
    wire.session.store(1, is_rebased=True)
    assert wire.written == f"<{BUG}>".encode()


async def test_where_no_last_screen_can_be_drawn_the_connection_is_dropped() -> None:
    wire = Wire()
    broken = FakeSession()
    broken.cannot_draw = True
    wire.make_next(broken)
    wire.send(BUG_BYTE)
    assert wire.written == b""
    assert wire.transport.is_aborted


async def test_a_bug_at_the_very_end_is_only_logged() -> None:
    wire = Wire()
    wire.session.while_leaving = fail
    wire.send(MOVE_BYTE)
    wire.hang_up()
    assert not wire.hub.connections
    assert not wire.transport.is_aborted


async def test_a_protocol_error_is_logged_with_address_and_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        Wire().send(GARBAGE)
    assert f"protocol error from {PEER}: There is no packet of type 0." in caplog.messages


def test_a_player_who_has_gone_leaves_no_garbage() -> None:
    # Garbage is looked for rarely: on a full server that takes tenths of a second.
    world = World()
    player = world.player().do(KNOWN, new_game(1), Act(3, 3, Button.FLAG, COVERED))
    assert player.members["state"] == "playing"
    number = id(player.connection.conversation)
    gc.disable()
    try:
        player.hang_up()
        world.players.clear()
        del player
        kept = [each for each in gc.get_objects() if isinstance(each, ServerConversation)]
        assert all(id(each) != number for each in kept)
    finally:
        gc.enable()
