"""Checks of packets and replies in version 1: one whole reply for every packet but QUIT."""

from __future__ import annotations

from typing import Final

from jminesweeper.check.deviation import describe, expect
from jminesweeper.check.peer import Peer
from jminesweeper.check.player import ScreenPlayer
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.protocol.encode import HEADER_BYTES, encode
from jminesweeper.protocol.packets import Packet, Start
from jminesweeper.protocol.vocabulary import Command

GAME: Final = Start(9, 9, 1)
COMMANDS_OF_VERSION_1: Final = (
    Command.MOVE_RIGHT,
    Command.MOVE_DOWN,
    Command.MOVE_LEFT,
    Command.MOVE_UP,
    Command.REVEAL,
    Command.TOGGLE_BOMB_MARK,
    Command.TOGGLE_DEBUG_MODE,
)
ONE_SEGMENT: Final = 1_448
LARGEST_FRAME: Final = 95_227


def start_is_answered_with_a_screen(server: ServerUnderTest) -> None:
    server.connect().ask(GAME)


def quit_closes_without_a_reply(server: ServerUnderTest) -> None:
    fresh = server.connect()
    fresh.send(Command.QUIT)
    fresh.expect_closed()
    playing = server.connect()
    playing.ask(GAME)
    playing.send(Command.QUIT)
    playing.expect_closed()


def packets_after_quit_are_not_answered(server: ServerUnderTest) -> None:
    peer = server.connect()
    peer.ask(GAME)
    peer.send(Command.QUIT, Command.MOVE_LEFT, Command.MOVE_LEFT)
    peer.expect_closed()


def every_packet_is_answered_with_one_screen(server: ServerUnderTest) -> None:
    for command in COMMANDS_OF_VERSION_1:
        peer = server.connect()
        peer.ask(GAME)
        peer.ask(command)
        peer.expect_no_more()


def packets_before_the_first_game_are_answered(server: ServerUnderTest) -> None:
    for command in COMMANDS_OF_VERSION_1:
        peer = server.connect()
        peer.ask(command)
        peer.expect_no_more()


def packets_that_arrive_together_are_answered_in_order(server: ServerUnderTest) -> None:
    keys = [Command.MOVE_RIGHT, Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK] * 6
    slow = server.player("one by one")
    fast = ScreenPlayer(server.connect("together"), len(keys))
    slow.start(20, 10, 1)
    fast.start(20, 10, 1)
    for key, _ in zip(keys, fast.watch(*keys), strict=True):
        slow.do(key)
        expect(
            fast.picture_and_cursor == slow.picture_and_cursor,
            f"for {describe(key)} among keys that were sent together:\n{fast.screen_text}",
            f"what it shows after keys sent one by one:\n{slow.screen_text}",
        )
    fast.peer.expect_no_more()


def a_packet_may_come_in_pieces(server: ServerUnderTest) -> None:
    peer = server.connect()
    for byte in encode(GAME):
        peer.send_bytes(bytes((byte,)))
    peer.receive_screen("one SCREEN_CONTENT for a START that came byte by byte")
    start = encode(GAME)
    peer.send_bytes(encode(Command.MOVE_UP) + start[:4])
    peer.receive_screen("one SCREEN_CONTENT for MOVE_UP")
    peer.send_bytes(start[4:] + encode(Command.MOVE_DOWN))
    peer.receive_screen("one SCREEN_CONTENT for a START in two pieces")
    peer.receive_screen("one SCREEN_CONTENT for MOVE_DOWN")
    peer.expect_no_more()


def a_reply_comes_in_one_piece(server: ServerUnderTest) -> None:
    peer = server.connect()
    packets: list[Packet] = [Start(20, 10, 1), *[Command.MOVE_RIGHT, Command.REVEAL] * 5]
    for packet in packets:
        peer.send(packet)
        kind = peer.receive_unbuffered(1)
        expect(kind == b"\x09", f"a packet of type {kind[0]}", "a SCREEN_CONTENT")
        header = peer.receive_unbuffered(HEADER_BYTES - 1)
        expect(len(header) == HEADER_BYTES - 1, "half a header", "the reply in one send")
        length = int.from_bytes(header, "big")
        read = 0
        while read < length:
            piece = len(peer.receive_unbuffered(length - read))
            # Only what fits a segment arrives together for certain.
            if not read:
                certain = min(length, ONE_SEGMENT - HEADER_BYTES)
                came = f"{piece} of {length} bytes at the first read"
                expect(piece >= certain, came, "type, length and payload in one send")
            read += piece


def screens_are_utf_8(server: ServerUnderTest) -> None:
    peer = server.connect()
    for packet in (Command.MOVE_LEFT, Start(20, 10, 3), Command.REVEAL):
        text = peer.ask(packet)
        came = f"bytes that are not UTF-8: {text.decode(errors='backslashreplace')[:200]!r}"
        expect(text.decode(errors="ignore").encode() == text, came, "UTF-8")


def frames_stand_on_their_own(server: ServerUnderTest) -> None:
    peer = server.connect()
    kept = CharacterScreen()
    packets: list[Packet] = [
        Start(30, 16, 1),
        Command.MOVE_DOWN,
        Command.TOGGLE_BOMB_MARK,
        Start(5, 4, 1),
    ]
    for packet in packets:
        frame = peer.ask(packet)
        kept.paint(frame)
        alone = CharacterScreen.showing(frame).text()
        came = f"painted over the screen before it, the frame shows:\n{kept.text()}"
        expect(kept.text() == alone, came, f"what it shows on an empty screen:\n{alone}")


def the_default_game_starts_within_one_segment(server: ServerUnderTest) -> None:
    length = len(server.connect().ask(Start(20, 10, 1))) + HEADER_BYTES
    expect(length <= ONE_SEGMENT, f"{length} bytes", f"at most {ONE_SEGMENT} bytes")


def the_largest_frames_arrive_whole(server: ServerUnderTest) -> None:
    for level in (1, 2, 3):
        peer = server.connect()
        packets: list[Packet] = [Start(255, 255, level), *COMMANDS_OF_VERSION_1[:-1]]
        for packet in packets:
            length = len(peer.ask(packet)) + HEADER_BYTES
            expect(length <= LARGEST_FRAME, f"{length} bytes", f"at most {LARGEST_FRAME} bytes")


def two_players_have_a_game_each(server: ServerUnderTest) -> None:
    ada, bob = server.player("Ada"), server.player("Bob")
    ada.start(9, 9, 1)
    bob.start(5, 4, 1)
    ada.do(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
    before, text = ada.picture_and_cursor, ada.screen_text
    bob.do(Command.TOGGLE_BOMB_MARK, Command.MOVE_DOWN, Start(3, 3, 1), Command.REVEAL)
    bob.peer.send(Command.QUIT)
    ada.do(Command.MOVE_LEFT, Command.MOVE_RIGHT)
    came = f"Ada's screen after Bob has played:\n{ada.screen_text}"
    expect(ada.picture_and_cursor == before, came, f"what she saw before:\n{text}")


def a_client_that_vanishes_disturbs_nobody(server: ServerUnderTest) -> None:
    other = server.connect("another player")
    other.ask(GAME)
    vanishing = server.connect()
    vanishing.send_bytes(encode(GAME)[:6])
    vanishing.close()
    other.ask(Command.MOVE_RIGHT)


def a_bad_packet_ends_that_connection_alone(server: ServerUnderTest) -> None:
    other = server.connect("another player")
    other.ask(GAME)
    for bad in ("00", "09 00000000", "07 00000002 0909", "07 ffffffff"):
        end_by(server.connect(), bytes.fromhex(bad))
        other.ask(Command.MOVE_RIGHT)
        server.connect("a newcomer").ask(GAME)


def end_by(peer: Peer, bad: bytes) -> None:
    """Play, and send bytes that are not a packet: at most a last screen follows."""
    peer.ask(GAME)
    peer.send_bytes(bad)
    peer.expect_closed(most=1)


REPLY_CHECKS: Final = (
    ProtocolCheck(
        start_is_answered_with_a_screen,
        "Replies: Every packet but QUIT is answered with exactly one screen",
        is_vital=True,
    ),
    ProtocolCheck(
        quit_closes_without_a_reply, "Version 1: the server closes the connection, without a reply"
    ),
    ProtocolCheck(
        packets_after_quit_are_not_answered,
        "Replies: QUIT, or the end of the connection, ends the session.",
    ),
    ProtocolCheck(
        every_packet_is_answered_with_one_screen,
        "Replies: Every packet but QUIT is answered with exactly one screen",
    ),
    ProtocolCheck(
        packets_before_the_first_game_are_answered,
        "Replies: A packet that does not fit the state of the game does nothing and is "
        "answered with the current screen",
    ),
    ProtocolCheck(
        packets_that_arrive_together_are_answered_in_order,
        "Replies: in order, also when several packets arrive at once",
    ),
    ProtocolCheck(
        a_packet_may_come_in_pieces,
        "Framing: Each side sends a stream of packets; where TCP cuts it means nothing.",
    ),
    ProtocolCheck(screens_are_utf_8, "9 SCREEN_CONTENT: UTF-8 with ANSI control sequences"),
    ProtocolCheck(two_players_have_a_game_each, "Replies: Every connection has a game of its own."),
    ProtocolCheck(
        a_client_that_vanishes_disturbs_nobody,
        "What stock clients need: on Ctrl-C they vanish without QUIT",
    ),
    ProtocolCheck(
        a_reply_comes_in_one_piece, "What stock clients need: The whole reply in one send"
    ),
    ProtocolCheck(
        frames_stand_on_their_own,
        "What stock clients need: a frame positions itself, clears what was there before",
    ),
    ProtocolCheck(
        the_default_game_starts_within_one_segment,
        "What stock clients need: over a network only what fits one segment, 1,448 "
        "bytes, is certain to.",
    ),
    ProtocolCheck(
        the_largest_frames_arrive_whole,
        "What stock clients need: Over loopback up to 95,227 bytes arrive whole",
    ),
)
HARSH_CHECKS: Final = (
    ProtocolCheck(
        a_bad_packet_ends_that_connection_alone,
        "Bad input and limits: Nobody else's connection is affected.",
    ),
)
