"""One whole reply for every packet but QUIT, and none that was not asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jminesweeper.protocol import Command, Packet, ScreenContent, Start, encode
from tests.conformance.peer import Address, Peer
from tests.conformance.player import Player

COMMANDS_OF_VERSION_1 = [
    Command.MOVE_LEFT,
    Command.MOVE_RIGHT,
    Command.MOVE_UP,
    Command.MOVE_DOWN,
    Command.REVEAL,
    Command.TOGGLE_BOMB_MARK,
    Command.TOGGLE_DEBUG_MODE,
]
ONE_SEGMENT = 1400
LARGEST_FRAME = 80 * 1024


@pytest.mark.requirement(
    "J:one reply",
    "J:packet MOVE_LEFT",
    "J:packet MOVE_RIGHT",
    "J:packet MOVE_UP",
    "J:packet MOVE_DOWN",
    "J:packet REVEAL",
    "J:packet TOGGLE_BOMB_MARK",
    "J:packet SCREEN_CONTENT",
    "J:packet TOGGLE_DEBUG_MODE",
)
@pytest.mark.parametrize("command", COMMANDS_OF_VERSION_1)
def test_a_packet_is_answered_with_exactly_one_screen(peer: Peer, command: Command) -> None:
    peer.send(Start(9, 9, 1))
    peer.receive_screen()
    peer.send(command)
    peer.receive_screen()
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


@pytest.mark.requirement("J:one reply", "J:incompatible command")
@pytest.mark.parametrize("command", COMMANDS_OF_VERSION_1)
def test_a_packet_before_the_first_game_is_answered_with_a_screen(
    peer: Peer, command: Command
) -> None:
    peer.send(command, Command.QUIT)
    assert [type(packet) for packet in peer.receive_until_closed()] == [ScreenContent]


@pytest.mark.requirement("J:packet QUIT")
def test_quit_closes_without_a_reply(peer: Peer) -> None:
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


@pytest.mark.requirement("J:exchange", "J:packet QUIT")
def test_quit_in_a_game_closes_without_a_reply(peer: Peer) -> None:
    peer.ask(Start(9, 9, 1))
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


def test_packets_after_quit_are_not_answered(peer: Peer) -> None:
    peer.send(Start(9, 9, 1), Command.QUIT, Command.MOVE_LEFT, Command.MOVE_LEFT)
    assert len(peer.receive_until_closed()) == 1


@pytest.mark.requirement("J:exchange", "J:one reply")
def test_keys_typed_ahead_are_answered_one_by_one_in_order(
    new_player: Callable[..., Player],
) -> None:
    keys = [Command.MOVE_RIGHT, Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK] * 6
    slow, fast = new_player(), new_player()
    slow.start(20, 10, 1)
    fast.start(20, 10, 1)
    fast.peer.send(*keys)
    for key in keys:
        slow.do(key)
        fast.terminal.paint(fast.peer.receive_screen())
        assert fast.field_picture == slow.field_picture
    fast.peer.send(Command.QUIT)
    assert fast.peer.receive_until_closed() == []


@pytest.mark.requirement("J:packet START")
def test_start_may_arrive_byte_by_byte(peer: Peer) -> None:
    for byte in encode(Start(9, 9, 1)):
        peer.send_bytes(bytes((byte,)))
    assert b"?" in peer.receive_screen()
    peer.send(Command.QUIT)
    assert peer.receive_until_closed() == []


def test_start_may_be_split_between_segments_that_hold_other_packets(peer: Peer) -> None:
    start = encode(Start(9, 9, 1))
    peer.send_bytes(encode(Command.MOVE_UP) + start[:4])
    peer.receive_screen()
    peer.send_bytes(start[4:] + encode(Command.MOVE_DOWN) + encode(Command.QUIT))
    assert len(peer.receive_until_closed()) == 2


@pytest.mark.requirement("J:Networking Protocol")
@pytest.mark.parametrize("bad_bytes", ["00", "09 00000000", "07 00000002 0909", "07 ffffffff"])
def test_what_is_no_packet_ends_that_connection_and_no_other(
    peer: Peer, other_peer: Peer, address: Address, bad_bytes: str
) -> None:
    other_peer.ask(Start(9, 9, 1))
    peer.ask(Start(9, 9, 1))
    peer.send_bytes(bytes.fromhex(bad_bytes))
    assert len(peer.receive_until_closed()) <= 1, "at most a last screen"
    assert other_peer.ask(Command.MOVE_RIGHT)
    with Peer(address) as newcomer:
        assert newcomer.ask(Start(9, 9, 1))


def test_a_client_that_goes_without_quit_disturbs_nobody(peer: Peer, other_peer: Peer) -> None:
    other_peer.ask(Start(9, 9, 1))
    peer.send_bytes(encode(Start(9, 9, 1))[:6])
    peer.close()
    assert other_peer.ask(Command.MOVE_RIGHT)


@pytest.mark.requirement("J:packet SCREEN_CONTENT")
def test_a_client_that_reads_each_part_of_a_reply_only_once_gets_it_whole(peer: Peer) -> None:
    packets: list[Packet] = [Start(20, 10, 1), *[Command.MOVE_RIGHT, Command.REVEAL] * 10]
    for packet in packets:
        peer.send(packet)
        assert peer.receive_unbuffered(1) == b"\x09"
        length = int.from_bytes(peer.receive_unbuffered(4), "big")
        assert len(peer.receive_unbuffered(length)) == length


@pytest.mark.requirement("J:packet SCREEN_CONTENT")
def test_screens_are_utf_8(peer: Peer) -> None:
    for packet in (Command.MOVE_LEFT, Start(20, 10, 3), Command.REVEAL):
        peer.ask(packet).decode()


def test_the_default_game_starts_within_one_segment(peer: Peer) -> None:
    assert len(peer.ask(Start(20, 10, 1))) < ONE_SEGMENT


@pytest.mark.parametrize("level", [1, 2, 3])
def test_no_frame_of_the_largest_field_is_too_large_for_stock_clients(
    peer: Peer, level: int
) -> None:
    packets: list[Packet] = [Start(255, 255, level), Command.TOGGLE_DEBUG_MODE]
    packets += [Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK, Command.MOVE_RIGHT, Command.REVEAL] * 8
    frames = [peer.ask(packet) for packet in packets]
    assert max(map(len, frames)) < LARGEST_FRAME
