"""Connections between a loop and its players: reading, writing, silence and the end."""

from __future__ import annotations

from jminesweeper.core import Status
from jminesweeper.protocol import Command
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import IDLE
from jminesweeper.session.effects import Commit, Ended
from tests.unit.server.fakes import (
    GARBAGE,
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
async def test_packets_and_games_are_counted() -> None:
    wire = Wire(FakeSession({2: (Ended(Status.WON, 1000),)}))
    wire.send(MOVE_BYTE)
    wire.send(MOVE_BYTE * 2)
    assert (wire.connection.packets, wire.connection.games) == (3, 1)


# Fairness and bounds


@on_loop
async def test_after_a_while_a_peer_that_took_long_is_answered_at_once_again() -> None:
    wire = dear_wire()
    wire.send(MOVE_BYTE)
    for _ in range(2):
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
async def test_at_most_the_replies_of_one_turn_wait_in_the_transport() -> None:
    assert Wire().transport.limits == (0, None)


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


@on_loop
async def test_the_server_can_cut_a_connection_off() -> None:
    wire = Wire()
    wire.connection.abort()
    assert wire.transport.is_aborted
