"""Connections between a loop and its players: writing, reading, turns, and the end."""

from __future__ import annotations

import errno
import gc
import logging
import os
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import pytest

from jminesweeper.core.view import COVERED
from jminesweeper.protocol.packets import Act, Hello, Join, Packet, Start, encode
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.server.connection import BUG, TURN_BYTES
from jminesweeper.server.conversation import MAX_ERRANDS, TYPED_AHEAD, ServerConversation
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.hub import READ_SIZE, REST_NS, SHARE_NS
from jminesweeper.session.reply import Reply
from jminesweeper.session.session import Session
from tests.world.loop import FakeTransport, hear
from tests.world.player import SEEN, Player, new_game
from tests.world.server import ALARM, KNOWN, LIVE, SHARED, World, alone, seated

MOVE, BUG_KEY, QUIT, GARBAGE = b"\x02", b"\x0a", b"\x08", b"\x00"
START: Final = Start(9, 9, 1)
FLAG: Final = Act(3, 3, Button.FLAG, SEEN)
COST_S: Final = 0.01


def say(player: Player, data: bytes) -> int:
    """Have the server hear bytes, and do nothing after that; return how many replies there are."""
    with player.world.loop.running():
        hear(player.connection, data)
    return answered(player)


def step(player: Player, steps: int = 1) -> int:
    """Let the loop do what is due; return how many replies there are."""
    for _ in range(steps):
        player.world.loop.step()
    return answered(player)


def answered(player: Player) -> int:
    player.see()
    return len(player.replies)


@pytest.fixture
def costly(monkeypatch: pytest.MonkeyPatch) -> World:
    """A server on which every packet takes longer to answer than a turn may."""
    world, receive = World(), Session.receive

    def receive_slowly(session: Session, packet: Packet, now_ms: int) -> Reply:
        world.clock.advance(COST_S)
        return receive(session, packet, now_ms)

    monkeypatch.setattr(Session, "receive", receive_slowly)
    return world


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A server whose sessions fail at debug mode."""
    receive = Session.receive

    def fail_at_debug(session: Session, packet: Packet, now_ms: int) -> Reply:
        if packet is Command.TOGGLE_DEBUG_MODE:
            raise ZeroDivisionError("a bug")
        return receive(session, packet, now_ms)

    monkeypatch.setattr(Session, "receive", fail_at_debug)
    world = World()
    world.expects_bugs = True
    yield world
    ALARM.bugs.clear()


@pytest.mark.parametrize("typed", [b"hello\r\n", b"\r", b"\x16\x03\x01"])
def test_who_does_not_speak_the_protocol_is_told_what_this_is(typed: bytes) -> None:
    world = World()
    player = world.player()
    # It is no client, and reads nothing.
    world.players.clear()
    with world.loop.running():
        for byte in typed:
            hear(player.connection, bytes((byte,)))
    assert player.transport.written == INTRODUCTION
    assert player.transport.is_half_closed
    assert player.connection.conversation.packets == 0


# Writing


@pytest.mark.parametrize(("keys", "writes"), [(TYPED_AHEAD, TYPED_AHEAD), (TYPED_AHEAD + 1, 1)])
def test_keys_typed_ahead_get_a_write_each_and_a_longer_burst_one_for_all(
    keys: int, writes: int
) -> None:
    player = alone().do(START)
    player.hear(MOVE * keys)
    assert len(player.replies) == 1 + keys
    assert len(player.transport.writes) == 1 + writes


def test_at_most_the_replies_of_one_turn_wait_in_the_transport() -> None:
    assert alone().transport.limits == (0, None)


def test_all_connections_read_into_one_small_buffer() -> None:
    world = World()
    one, other = world.player().connection, world.player().connection
    assert len(one.get_buffer(-1)) == READ_SIZE
    assert one.get_buffer(65_536) is other.get_buffer(1)


# Turns


def test_a_burst_is_answered_a_turn_at_a_time(costly: World) -> None:
    player = costly.player()
    assert say(player, MOVE * 4) == 1
    assert not player.transport.is_reading_now
    assert [step(player) for _ in range(3)] == [2, 3, 4]
    assert player.transport.is_reading_now


def test_large_replies_make_a_turn_shorter() -> None:
    player = alone().do(Start(255, 255, 3))
    packets = 2 * TURN_BYTES // len(player.transport.written) + 2
    before = answered(player)
    assert before < say(player, MOVE * packets) < before + packets
    player.world.settle()
    assert answered(player) == before + packets


def test_packets_that_take_long_to_answer_make_a_turn_shorter(costly: World) -> None:
    player = costly.player()
    assert say(player, MOVE * 3) == 1
    with costly.loop.running():
        assert player.connection.take_turn() is True
        assert answered(player) == 2
        assert player.connection.take_turn() is False
        assert answered(player) == 3


def test_after_a_costly_packet_the_next_one_waits_for_its_turn(costly: World) -> None:
    player = costly.player()
    assert [say(player, MOVE), say(player, MOVE)] == [1, 1]
    assert player.transport.is_reading_now
    assert step(player) == 2


def test_who_flooded_and_then_rested_is_answered_at_once_again(costly: World) -> None:
    player = costly.player()
    say(player, MOVE)
    step(player)
    costly.clock.advance(REST_NS / 1e9)
    assert say(player, MOVE) == 2


def test_who_is_new_waits_for_a_turn(costly: World) -> None:
    flood, player = costly.player(), costly.player()
    player.connection.debt_ns = SHARE_NS
    say(flood, MOVE * 9)
    assert say(player, MOVE) == 0
    while not answered(player):
        step(player)
    assert answered(flood) <= 3


def test_bytes_that_are_no_packet_wait_for_their_turn_too(costly: World) -> None:
    player = costly.player()
    assert [say(player, MOVE), say(player, MOVE + GARBAGE)] == [1, 1]
    costly.settle()
    assert answered(player) == 3
    assert "There is no packet of type 0." in player.text


def test_packets_that_came_before_the_peer_stopped_reading_wait(costly: World) -> None:
    player = costly.player()
    say(player, MOVE * 2)
    costly.have(player.connection.pause_writing)
    assert answered(player) == 1
    costly.have(player.connection.resume_writing)
    assert answered(player) == 2


# The store, questions and events


@pytest.fixture(name="pair")
def two_at_a_shared_board() -> tuple[Player, Player, World]:
    world = World()
    ada, bob = world.friend("Ada"), world.friend("Bob")
    world.begin(ada, bob, kind=SHARED)
    world.shows_at_once = False
    world.let_pass(1_000)
    return ada, bob, world


def test_what_others_do_is_shown_thirty_times_a_second_and_never_one_frame_less(
    pair: tuple[Player, Player, World],
) -> None:
    ada, bob, world = pair
    shown_ms: list[int] = []
    for number in range(100):
        before = answered(bob)
        ada.say(Act(number % 9, number % 7, Button.FLAG, ada.faces[number % 9 + 9 * (number % 7)]))
        world.let_pass(5)
        if answered(bob) > before:
            shown_ms.append(world.now_ms)
    assert len(shown_ms) > 5
    assert all(later - before >= 30 for before, later in pairwise(shown_ms))
    # Nothing else happens: what was done last is shown all the same.
    world.let_pass(40)
    assert bob.faces == ada.faces


def test_a_peer_that_did_not_read_is_shown_how_it_is_once_it_has(
    pair: tuple[Player, Player, World],
) -> None:
    ada, bob, world = pair
    world.have(bob.connection.pause_writing)
    before = answered(bob)
    for column in range(9):
        ada.send(Act(column, 8, Button.FLAG, SEEN))
        world.let_pass(40)
    assert answered(bob) == before
    world.have(bob.connection.resume_writing)
    world.let_pass(40)
    assert answered(bob) == before + 1
    assert bob.faces == ada.faces


def test_errands_that_nothing_waits_for_are_bounded() -> None:
    player, world = seated("*..\n...\n...")
    player.do(Command.TOGGLE_BOMB_MARK)
    before = answered(player)
    world.line.is_held = True
    for number in range(200):
        world.let_pass(1_100)
        if player.transport.is_reading_now:
            player.hear(encode(Command.MOVE_RIGHT if number % 2 else Command.MOVE_LEFT))
    assert not player.transport.is_reading_now
    assert answered(player) == before + MAX_ERRANDS
    while world.let_through():
        pass
    assert answered(player) > before + MAX_ERRANDS


# The end


def rejected(world: World, transport: FakeTransport | None = None) -> Player:
    """Somebody who sent what is no packet, and has not hung up yet."""
    player = world.player(transport=transport)
    with world.loop.running():
        hear(player.connection, GARBAGE)
    return player


def test_after_its_last_screen_a_peer_may_hang_up_in_its_own_time() -> None:
    player = rejected(World())
    assert player.transport.is_half_closed
    assert not player.transport.is_closed
    assert player.connection.eof_received() is False


@pytest.mark.parametrize("hangs_up", [False, True])
def test_a_peer_that_does_not_hang_up_is_cut_off(hangs_up: bool) -> None:
    world = World()
    player = rejected(world)
    if hangs_up:
        player.see()
    world.loop.pass_time(2.1)
    assert player.transport.is_aborted is not hangs_up


def test_a_peer_that_left_something_unread_is_cut_off_too() -> None:
    player = alone().do(START)
    with player.world.loop.running():
        player.connection.pause_writing()
        player.connection.eof_received()
    player.world.loop.pass_time(2.1)
    assert player.transport.is_aborted


def test_where_half_a_connection_cannot_be_closed_the_whole_is() -> None:
    player = rejected(World(), FakeTransport(has_half_close=False))
    assert b"no packet of type 0" in player.transport.written
    assert player.transport.is_closed


class ResetTransport(FakeTransport):
    """Its peer is gone, and the event loop has not noticed yet."""

    def write_eof(self) -> None:
        raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))


def test_a_connection_that_was_reset_is_dropped() -> None:
    assert rejected(World(), ResetTransport()).transport.is_aborted


def test_a_last_screen_is_read_although_reading_had_stopped() -> None:
    player, world = seated("*..\n...\n...")
    world.line.is_held = True
    player.say(Join("ZZZZZZ"), Command.MOVE_LEFT, Command.MOVE_LEFT)
    was_reading = player.transport.is_reading_now
    with world.loop.running():
        player.connection.disconnect("Bye.")
    assert (was_reading, player.transport.is_reading_now) == (False, True)
    player.see()
    assert player.message == "Bye."


def test_reading_is_not_resumed_on_a_connection_that_is_closing() -> None:
    player, world = seated("*..\n...\n...")
    with world.slow_store():
        player.say(Act(1, 1, Button.FLAG, COVERED))
        player.transport.is_reading_now = False
        with world.loop.running():
            player.connection.eof_received()
        player.transport.close()
    assert not player.transport.is_reading_now


def test_a_peer_that_never_reads_is_cut_off_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        player = alone().do(START)
        player.world.have(player.connection.pause_writing)
        player.world.pass_time(30_000)
        assert player.transport.is_aborted
    assert f"{player.connection.peer} does not read its screens" in caplog.messages


def test_who_comes_by_name_is_logged_once_and_forges_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        player = alone().do(Hello(name="Ada\x1b[2J"), Hello(name="Bob"))
    (named,) = [each for each in caplog.messages if " is " in each]
    assert named == f"{player.connection.peer} is Ada[2J"


# Bugs


def test_a_bug_costs_one_connection_and_is_logged_with_its_traceback(
    faulty: World, caplog: pytest.LogCaptureFixture
) -> None:
    player, other = faulty.player().do(START), faulty.player().do(START)
    with caplog.at_level(logging.ERROR):
        assert say(player, BUG_KEY) == 2
    assert BUG in player.text
    assert not player.is_connected
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], ZeroDivisionError)
    assert player.connection.peer in record.getMessage()
    assert say(other, MOVE) == 2


def test_a_bug_in_a_turn_leaves_the_other_turns_alone(faulty: World, costly: World) -> None:
    costly.expects_bugs = faulty.expects_bugs
    player, other = costly.player(), costly.player()
    for each, keys in ((player, MOVE + BUG_KEY), (other, MOVE + MOVE)):
        say(each, keys)
    costly.settle()
    assert (answered(player), answered(other)) == (2, 2)
    assert BUG in player.text
    assert other.is_connected


def test_where_no_last_screen_can_be_drawn_the_connection_is_dropped(
    faulty: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = faulty.player().do(START)
    monkeypatch.delattr(Session, "farewell")
    assert say(player, BUG_KEY) == 1
    assert player.transport.is_aborted


@pytest.mark.parametrize("method", ["renew", "leave"])
def test_a_bug_while_something_is_drawn_again_or_at_the_very_end_ends_the_connection(
    faulty: World, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    player = faulty.player().do(LIVE, START, FLAG)
    monkeypatch.delattr(Session, method)
    with faulty.loop.running():
        if method == "leave":
            player.connection.connection_lost(None)
        else:
            faulty.line.is_held = True
            hear(player.connection, encode(Act(4, 3, Button.FLAG, COVERED)))
            (match,) = faulty.matches
            match.notify(must_renew=True)
            player.connection.connection_lost(None)
            assert BUG.encode() in player.transport.written
    player.is_connected = False
    assert not faulty.hub.connections


def test_a_protocol_error_is_logged_with_address_and_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        player = rejected(World())
    peer = player.connection.peer
    assert f"protocol error from {peer}: There is no packet of type 0." in caplog.messages


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
