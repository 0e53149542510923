"""Checks of packets and replies in version 1: one whole reply for every packet but QUIT."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Final

from jminesweeper.check.painted import PaintedScreen
from jminesweeper.check.player import Shot
from jminesweeper.check.server_under_test import FIRST_START, ServerUnderTest
from jminesweeper.check.suite import (
    AdviceError,
    Checks,
    DeviationError,
    NoConnectionError,
    NotApplicableError,
    ServerClosedError,
    ServerSilentError,
    expect,
)
from jminesweeper.check.wire import DEBUG, DOWN, LEFT, MARK, QUIT, REVEAL, RIGHT, UP, Codec, start

GAME: Final = start(9, 9, 1)
COMMANDS: Final = (RIGHT, DOWN, LEFT, UP, REVEAL, MARK, DEBUG)
HEADER_BYTES: Final = 5
ONE_SEGMENT: Final = 1_448
LARGEST_FRAME: Final = 95_227

_DYING_S: Final = 0.1
"""A program that ends with its player may still answer for a moment."""

check = Checks[ServerUnderTest]()


@check("Replies: Every packet but QUIT is answered with exactly one screen", is_vital=True)
def start_is_answered_with_a_screen(server: ServerUnderTest) -> None:
    server.transcript.add(str(FIRST_START))
    if server.first_error is not None:
        raise server.first_error


@check("Replies: QUIT, or the end of the connection, ends the session.", is_vital=True)
def another_connection_may_follow_one_that_broke(server: ServerUnderTest) -> None:
    # The first one was that of the game from which the server's habits were learnt.
    expect_next(server, "after a first connection had ended without QUIT")


@check("Replies: QUIT, or the end of the connection, ends the session.", is_vital=True)
def another_connection_may_follow_a_quit(server: ServerUnderTest) -> None:
    peer = server.connect()
    peer.ask(FIRST_START)
    peer.send(QUIT)
    with suppress(DeviationError):
        peer.receive_until_closed()
    peer.close()
    expect_next(server, "after another connection had sent QUIT")


def expect_next(server: ServerUnderTest, after: str) -> None:
    """Expect a server that goes on when one player is gone."""
    if server.is_restarted:
        raise NotApplicableError("the server is restarted for each connection")
    time.sleep(_DYING_S)
    try:
        server.connect().ask(FIRST_START)
    except (NoConnectionError, ServerClosedError, ServerSilentError) as error:
        came = f"{error.came}, {after}"
        raise DeviationError(
            came, "a server that goes on; --restart is for one that ends"
        ) from error


@check("Version 1: the server closes the connection, without a reply")
def quit_closes_without_a_reply(server: ServerUnderTest) -> None:
    fresh = server.connect()
    fresh.send(QUIT)
    fresh.expect_closed()
    fresh.close()
    playing = server.connect()
    playing.ask(GAME)
    playing.send(QUIT)
    playing.expect_closed()


@check("Replies: QUIT, or the end of the connection, ends the session.")
def packets_after_quit_are_not_answered(server: ServerUnderTest) -> None:
    peer = server.connect()
    peer.ask(GAME)
    peer.send(QUIT, LEFT, LEFT)
    peer.expect_closed()


@check("Replies: Every packet but QUIT is answered with exactly one screen")
def every_packet_is_answered_with_one_screen(server: ServerUnderTest) -> None:
    for command in COMMANDS:
        peer = server.connect()
        peer.ask(GAME)
        peer.ask(command)
        peer.expect_no_more()
        peer.close()


@check(
    "Replies: A packet that does not fit the state of the game does nothing and is "
    "answered with the current screen"
)
def packets_before_the_first_game_are_answered(server: ServerUnderTest) -> None:
    for command in COMMANDS:
        peer = server.connect()
        peer.ask(command)
        peer.expect_no_more()
        peer.close()


@check("Replies: Nothing else is ever sent")
def nothing_comes_unasked(server: ServerUnderTest) -> None:
    peer = server.connect()
    for packet in (GAME, RIGHT, MARK):
        peer.ask(packet)
    peer.expect_silence(server.idle_s)


@check("Replies: in order, also when several packets arrive at once")
def packets_that_arrive_together_are_answered_in_order(server: ServerUnderTest) -> None:
    keys = [RIGHT, DOWN, MARK] * 6
    player = server.game(20, 10, 1)
    expected: list[Shot] = []
    for key in keys:
        player.do(key)
        expected.append(player.shot)
    player = server.game(20, 10, 1)
    player.send(*keys)
    for key, right in zip(keys, expected, strict=True):
        frame = player.connection.receive_screen(f"one SCREEN_CONTENT for {key}")
        player.show(frame)
        came = f"for {key} among keys that were sent together"
        player.shot.expect_like(right, came, "what it shows after keys sent one by one")
    player.connection.expect_no_more()


@check("Framing: Each side sends a stream of packets; where TCP cuts it means nothing.")
def a_packet_may_come_in_pieces(server: ServerUnderTest) -> None:
    game = Codec.encode(GAME)
    peer = server.connect()
    for byte in game:
        peer.send_bytes(bytes((byte,)))
    peer.receive_screen("one SCREEN_CONTENT for a START that came byte by byte")
    peer.expect_no_more()
    peer.close()
    peer = server.connect()
    peer.send_bytes(game[:4])
    peer.send_bytes(game[4:] + Codec.encode(UP) + Codec.encode(DOWN))
    for packet in ("a START in two pieces", "MOVE_UP", "MOVE_DOWN"):
        peer.receive_screen(f"one SCREEN_CONTENT for {packet}")
    peer.expect_no_more()


@check("9 SCREEN_CONTENT: UTF-8 with ANSI control sequences")
def screens_are_utf_8(server: ServerUnderTest) -> None:
    peer = server.connect()
    for packet in (start(20, 10, 3), LEFT, REVEAL):
        text = peer.ask(packet)
        came = f"bytes that are not UTF-8: {text.decode(errors='backslashreplace')[:200]!r}"
        expect(text.decode(errors="ignore").encode() == text, came, "UTF-8")


@check("Replies: Every connection has a game of its own.")
def two_players_have_a_game_each(server: ServerUnderTest) -> None:
    ada, bob = server.player("Ada"), server.player("Bob")
    ada.start(9, 9, 1)
    bob.start(5, 4, 1)
    ada.do(RIGHT, MARK)
    before = ada.shot
    bob.do(MARK, DOWN, REVEAL)
    bob.connection.send(QUIT)
    ada.do(LEFT, RIGHT)
    ada.shot.expect_like(before, "Ada's screen after Bob has played", "what she saw before")


@check("What stock clients need: on Ctrl-C they vanish without QUIT")
def a_client_that_vanishes_disturbs_nobody(server: ServerUnderTest) -> None:
    other = server.connect("another player")
    other.ask(GAME)
    vanishing = server.connect()
    vanishing.send_bytes(Codec.encode(GAME)[:6])
    vanishing.close()
    other.ask(RIGHT)


@check("What stock clients need: The whole reply in one send")
def a_reply_comes_in_one_piece(server: ServerUnderTest) -> None:
    peer = server.connect()
    if peer.segments() is None:
        raise NotApplicableError("this system does not count segments")
    packets = [start(9, 9, 1), *[RIGHT, MARK] * 8]
    for packet in packets:
        before = peer.segments() or 0
        length = len(peer.ask(packet)) + HEADER_BYTES
        pieces = (peer.segments() or 0) - before
        # What does not fit one segment may come in several, however it was sent.
        if length <= ONE_SEGMENT:
            came = f"{length} bytes in {pieces} segments"
            expect(pieces <= 1, came, "type, length and payload in one send")


@check("What stock clients need: a frame positions itself, clears what was there before")
def frames_stand_on_their_own(server: ServerUnderTest) -> None:
    kept = PaintedScreen()
    for game in (GAME, start(5, 4, 1)):
        peer = server.connect()
        for packet in (game, DOWN, MARK):
            frame = peer.ask(packet)
            kept.paint(frame)
            alone = PaintedScreen.showing(frame).text
            came = f"painted over the screen before it, the frame shows:\n{kept.text}"
            expect(kept.text == alone, came, f"what it shows on an empty screen:\n{alone}")
        peer.close()


@check(
    "What stock clients need: over a network only what fits one segment, 1,448 "
    "bytes, is certain to."
)
def the_default_game_starts_within_one_segment(server: ServerUnderTest) -> None:
    length = len(server.connect().ask(start(20, 10, 1))) + HEADER_BYTES
    expect(length <= ONE_SEGMENT, f"{length} bytes", f"at most {ONE_SEGMENT} bytes")


@check("What stock clients need: Over loopback up to 95,227 bytes arrive whole")
def the_largest_frames_arrive_whole(server: ServerUnderTest) -> None:
    peer = server.connect()
    longest = 0
    for level in (1, 2, 3):
        for packet in (start(255, 255, level), RIGHT, DOWN, LEFT, UP, REVEAL, MARK):
            longest = max(longest, len(peer.ask(packet)) + HEADER_BYTES)
    if longest > LARGEST_FRAME:
        raise AdviceError(
            f"{longest} bytes for a field of 255x255",
            f"at most {LARGEST_FRAME} bytes: stock clients read no more of one reply",
        )


harsh = Checks[ServerUnderTest]()
"""What could hurt a fragile server comes last."""


@harsh("Bad input and limits: Nobody else's connection is affected.")
def a_bad_packet_ends_that_connection_alone(server: ServerUnderTest) -> None:
    other = server.connect("another player")
    other.ask(GAME)
    for bad in ("00", "09 00000000", "07 00000002 0909", "07 ffffffff"):
        peer = server.connect()
        peer.ask(GAME)
        peer.send_bytes(bytes.fromhex(bad))
        peer.expect_closed(most=1)
        other.ask(RIGHT)
        server.connect("a newcomer").ask(GAME)
