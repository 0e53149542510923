"""Checks of packets and replies in version 1: one whole reply for every packet but QUIT."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Final

from jminesweeper.check.painted import PaintedScreen
from jminesweeper.check.server import FIRST_START, IDLE_S, STEPS, ServerUnderTest, Shot
from jminesweeper.check.suite import (
    Checklist,
    DeviationError,
    NoConnectionError,
    NotApplicableError,
    ServerClosedError,
    SilenceError,
    expect,
)
from jminesweeper.check.wire import (
    DEBUG,
    DOWN,
    LEFT,
    MARK,
    QUIT,
    REVEAL,
    RIGHT,
    UP,
    Packet,
    encode,
    start,
)
from jminesweeper.core.grid import Size

GAME: Final = start(9, 9, 1)
COMMANDS: Final = (*STEPS, REVEAL, MARK, DEBUG)
HEADER_BYTES: Final = 5
USUAL_SIZES: Final = ((9, 9), (5, 4), (20, 10), (30, 16))
ONE_SEGMENT: Final = 1_448
DYING_S: Final = 0.1
"""A program that ends with its player may still answer for a moment."""

check = Checklist[ServerUnderTest]()


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
    player = server.connect()
    player.ask(FIRST_START)
    player.send(QUIT)
    with suppress(DeviationError):
        player.receive_until_closed()
    player.close()
    expect_next(server, "after another connection had sent QUIT")


def expect_next(server: ServerUnderTest, after: str) -> None:
    """Expect a server that goes on when one player is gone."""
    if server.is_restarted:
        raise NotApplicableError("the server is restarted for each connection")
    server.network.sleep(DYING_S)
    try:
        server.connect().ask(FIRST_START)
    except (NoConnectionError, ServerClosedError, SilenceError) as error:
        came = f"{error.came}, {after}"
        raise DeviationError(
            came, "a server that goes on; --restart is for one that ends"
        ) from error


@check("Replies: Every packet but QUIT is answered with exactly one screen", is_vital=True)
def every_packet_is_answered_with_one_screen(server: ServerUnderTest) -> None:
    player = server.connect()
    player.send(QUIT)
    try:
        answers: int | None = len(player.receive_until_closed())
    except DeviationError:
        answers = None
    player.close()
    server.habits = replace(server.habits, quit_answers=answers)
    player = server.connect()
    player.ask(GAME)
    player.expect_no_more()
    player.close()
    expect_one_screen_each(server, *STEPS, REVEAL, MARK)


@check("Version 1: the server closes the connection, without a reply")
def quit_closes_without_a_reply(server: ServerUnderTest) -> None:
    for packets in ((), (GAME,)):
        player = server.connect()
        for packet in packets:
            player.ask(packet)
        player.send(QUIT)
        player.expect_closed()
        player.close()


@check("Replies: Every packet but QUIT is answered with exactly one screen")
def debug_mode_is_answered_with_one_screen(server: ServerUnderTest) -> None:
    expect_one_screen_each(server, DEBUG)


def expect_one_screen_each(server: ServerUnderTest, *packets: Packet) -> None:
    for packet in packets:
        player = server.connect()
        player.ask(GAME)
        player.ask(packet)
        player.expect_no_more()
        player.close()


@check("What stock clients need: a frame positions itself, clears what was there before")
def frames_stand_on_their_own(server: ServerUnderTest) -> None:
    kept = PaintedScreen()
    for game in (GAME, start(5, 4, 1)):
        player = server.connect()
        for packet in (game, DOWN, MARK):
            frame = player.ask(packet)
            kept.paint(frame)
            alone = PaintedScreen.showing(frame).text
            came = f"painted over the screen before it, the frame shows:\n{kept.text}"
            expect(kept.text == alone, came, f"what it shows on an empty screen:\n{alone}")
        player.close()


@check("7 START: START with 20, 10, 1 begins a field that is 20 cells wide and 10 high")
def start_names_columns_before_rows(server: ServerUnderTest) -> None:
    player = server.player()
    player.do(start(5, 3, 1))
    is_swapped = not player.find_field(Size(5, 3)) and player.find_field(Size(3, 5))
    came = "columns and rows swapped, a field of 3x5"
    player.expect(not is_swapped, came, "a field of 5x3 for START 5x3")


@check("The game: All cells of a new field are hidden.")
def a_new_field_is_hidden(server: ServerUnderTest) -> None:
    for (columns, rows), level in product(USUAL_SIZES, (1, 2, 3)):
        server.game(columns, rows, level)


@check(
    "Replies: in order, also when several packets arrive at once",
    needs=[frames_stand_on_their_own, a_new_field_is_hidden],
)
def packets_that_arrive_together_are_answered_in_order(server: ServerUnderTest) -> None:
    keys = [RIGHT, DOWN, MARK] * 6
    player = server.game(20, 10, 1)
    expected: list[Shot] = []
    for key in keys:
        player.do(key)
        expected.append(player.shot)
    player = server.game(20, 10, 1)
    # Where it fails the other checks send one key at a time.
    at_once, server.habits = server.habits.keys_at_once, replace(server.habits, keys_at_once=1)
    player.send(*keys)
    for key, right in zip(keys, expected, strict=True):
        frame = player.connection.receive_screen(f"one SCREEN_CONTENT for {key}")
        player.show(frame)
        came = f"for {key} among keys that were sent together"
        player.shot.expect_like(right, came, "what it shows after keys sent one by one")
    player.connection.expect_no_more()
    server.habits = replace(server.habits, keys_at_once=at_once)


@check(
    "Replies: QUIT, or the end of the connection, ends the session.",
    needs=[packets_that_arrive_together_are_answered_in_order, quit_closes_without_a_reply],
)
def packets_after_quit_are_not_answered(server: ServerUnderTest) -> None:
    player = server.connect()
    player.ask(GAME)
    player.send(QUIT, LEFT, LEFT)
    player.expect_closed()


@check(
    "Replies: A packet that does not fit the state of the game does nothing and is "
    "answered with the current screen",
    needs=[debug_mode_is_answered_with_one_screen],
)
def packets_before_the_first_game_are_answered(server: ServerUnderTest) -> None:
    for command in COMMANDS:
        player = server.connect()
        player.ask(command)
        player.expect_no_more()
        player.close()


@check("Replies: Nothing else is ever sent")
def nothing_comes_unasked(server: ServerUnderTest) -> None:
    player = server.connect()
    for packet in (GAME, RIGHT, MARK):
        player.ask(packet)
    player.expect_silence(IDLE_S + server.habits.answer_s)


@check(
    "Framing: Each side sends a stream of packets; where TCP cuts it means nothing.",
    needs=[packets_that_arrive_together_are_answered_in_order],
)
def a_packet_may_come_in_pieces(server: ServerUnderTest) -> None:
    game = encode(GAME)
    player = server.connect()
    for byte in game:
        player.send_bytes(bytes((byte,)))
    player.receive_screen("one SCREEN_CONTENT for a START that came byte by byte")
    player.expect_no_more()
    player.close()
    player = server.connect()
    player.send_bytes(game[:4])
    player.send_bytes(game[4:] + encode(UP) + encode(DOWN))
    for packet in ("a START in two pieces", "MOVE_UP", "MOVE_DOWN"):
        player.receive_screen(f"one SCREEN_CONTENT for {packet}")
    player.expect_no_more()


@check("9 SCREEN_CONTENT: UTF-8 with ANSI control sequences")
def screens_are_utf_8(server: ServerUnderTest) -> None:
    player = server.connect()
    for packet in (start(20, 10, 3), LEFT, REVEAL):
        text = player.ask(packet)
        came = f"bytes that are not UTF-8: {text.decode(errors='backslashreplace')[:200]!r}"
        expect(text.decode(errors="ignore").encode() == text, came, "UTF-8")


@check("What stock clients need: The whole reply in one send")
def a_reply_comes_in_one_piece(server: ServerUnderTest) -> None:
    player = server.connect()
    if player.segments() is None:
        raise NotApplicableError("this system does not count segments")
    # What does not fit one segment may come in several, however it was sent.
    most = min(ONE_SEGMENT, player.segment_bytes())
    small: list[tuple[int, int]] = []
    for packet in [GAME, *[RIGHT, MARK] * 8]:
        before = player.segments() or 0
        length = len(player.ask(packet)) + HEADER_BYTES
        if length <= most:
            small.append(((player.segments() or 0) - before, length))
    if not small:
        raise NotApplicableError("no reply fits one segment")
    # A busy network may cut or repeat one; a server that sends twice does so each time.
    cut = [reply for reply in small if reply[0] > 1]
    if 2 * len(cut) > len(small):
        pieces, length = cut[0]
        came = f"{length} bytes in {pieces} segments"
        raise DeviationError(came, "type, length and payload in one send")


@check(
    "What stock clients need: over a network only what fits one segment, 1,448 "
    "bytes, is certain to."
)
def the_default_game_starts_within_one_segment(server: ServerUnderTest) -> None:
    length = len(server.connect().ask(start(20, 10, 1))) + HEADER_BYTES
    expect(length <= ONE_SEGMENT, f"{length} bytes", f"at most {ONE_SEGMENT} bytes")


harsh = Checklist[ServerUnderTest]()
"""Checks that could hurt a fragile server: they come last."""


@harsh(
    "Bad input and limits: Nobody else's connection is affected.",
    needs=["two-players-have-a-game-each"],
)
def a_bad_packet_ends_that_connection_alone(server: ServerUnderTest) -> None:
    other = server.connect("another player")
    other.ask(GAME)
    for bad in ("00", "09 00000000", "07 00000002 0909", "07 ffffffff"):
        player = server.connect()
        player.ask(GAME)
        player.send_bytes(bytes.fromhex(bad))
        player.expect_closed(most=1)
        other.ask(RIGHT)
        server.connect("a newcomer").ask(GAME)


@harsh(
    "Framing: carry a length, even if it is 0: so a reader can skip an unknown type above 10.",
    is_asked_for=True,
)
def a_packet_of_an_unknown_type_is_skipped(server: ServerUnderTest) -> None:
    player = server.connect()
    player.ask(GAME)
    for packet in (Packet(200), Packet(200, bytes(range(16)))):
        player.ask(packet)
        player.ask(RIGHT)
    player.expect_no_more()
