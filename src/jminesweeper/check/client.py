"""Checks of a client: its keys, how it sets up and restores the terminal, frames in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jminesweeper.check.client_under_test import ClientUnderTest, WatchedClient, byte_by_byte, whole
from jminesweeper.check.suite import Checks, DeviationError, NotApplicableError, expect
from jminesweeper.check.wire import DEBUG, DOWN, LEFT, MARK, QUIT, REVEAL, RIGHT, START, UP, Packet
from jminesweeper.terminal.escapes import (
    ALTERNATE_SCREEN,
    CURSOR_HIDDEN,
    CURSOR_SHOWN,
    NORMAL_SCREEN,
)

KEYS: Final[Mapping[str, Packet]] = {
    "w": UP,
    "a": LEFT,
    "s": DOWN,
    "d": RIGHT,
    " ": MARK,
    "\r": REVEAL,
    "#": DEBUG,
}
INTERRUPT: Final = "\x03"
_SHORT_WAIT_S: Final = 0.5
"""The wait for a program that may also wait for a key."""
_LONG_LINE: Final = "." * 70 + "\r\n"
_LARGE_LINES: Final = 1_100
_TAKEN_AND_GIVEN_BACK: Final = (
    (ALTERNATE_SCREEN, NORMAL_SCREEN, "the alternate screen left"),
    (CURSOR_HIDDEN, CURSOR_SHOWN, "the cursor shown again"),
)

check = Checks[ClientUnderTest]()


@check("A client: It sends START, then a packet for each key", is_vital=True)
def it_begins_with_start(client: ClientUnderTest) -> None:
    run = client.run()
    first = run.received[0]
    is_fine = first.kind == START and 0 not in first.payload and first.payload[2] <= 3
    expect(is_fine, str(first), "START with a size, and a level of 1 to 3")


@check("A client: writes it to the terminal, whose line buffering and echo are off.", is_vital=True)
def keys_arrive_one_by_one_and_are_not_echoed(client: ClientUnderTest) -> None:
    run = client.start()
    run.wait_until(run.program.is_raw, "a terminal without line buffering and echo")


@check("A client: It sends START, then a packet for each key")
def every_key_sends_its_packet(client: ClientUnderTest) -> None:
    run = client.start()
    for key, packet in KEYS.items():
        run.press(key, packet)


@check("A client: It sends START, then a packet for each key")
def keys_typed_ahead_are_all_sent(client: ClientUnderTest) -> None:
    run = client.start()
    keys = "ddsd aw\r"
    run.press(keys, *[KEYS[key] for key in keys])


@check("A client: START: a new game, on this connection or on another one")
def tab_starts_a_new_game(client: ClientUnderTest) -> None:
    run = client.start()
    before = len(run.received)
    run.type("\t")
    run.wait_until(lambda: len(run.received) > before, "START")
    expect(run.received[-1].kind == START, str(run.received[-1]), "START")
    run.wait_for_answer()


@check("The announcement: Nobody sends a packet of type 11 or above before having seen it")
def nothing_of_version_2_is_sent_unannounced(client: ClientUnderTest) -> None:
    run = client.start()
    run.press("d", RIGHT)
    later = [each for each in run.received if each.kind > DEBUG.kind]
    expect(not later, ", ".join(map(str, later)), "packets of version 1")


@check("A client: QUIT, and the client ends")
def x_quits(client: ClientUnderTest) -> None:
    run = client.start()
    type_x(run)
    run.wait_until(lambda: QUIT in run.received, "QUIT")
    run.wait_for_end()


def type_x(run: WatchedClient) -> None:
    """Type the key X; some clients know it in one case only."""
    run.type("x")
    try:
        run.wait_until(lambda: QUIT in run.received or run.program.has_ended, "", _SHORT_WAIT_S)
    except DeviationError:
        run.type("X")


@check("A client: reads one reply, however TCP has cut it")
def a_frame_may_come_in_pieces(client: ClientUnderTest) -> None:
    client.start(byte_by_byte).press("d", RIGHT)


@check("Bad input and limits: Our server never sends a screen above 80 KiB")
def a_large_frame_is_shown_whole(client: ClientUnderTest) -> None:
    run = client.start(lambda text: whole(_LONG_LINE * _LARGE_LINES + text))
    run.press("d", RIGHT)


@check("A client: It puts the terminal back in order at the end.")
def the_terminal_is_put_back_at_the_end(client: ClientUnderTest) -> None:
    run = client.start()
    type_x(run)
    run.wait_for_end()
    expect_as_found(run)


@check("A client: It puts the terminal back in order at the end.")
def the_terminal_is_put_back_when_the_server_is_gone(client: ClientUnderTest) -> None:
    run = client.start()
    run.hang_up()
    try:
        run.wait_for_end(_SHORT_WAIT_S)
    except DeviationError:
        # It may try again for a while, and be told to stop.
        type_x(run)
        run.wait_for_end()
    expect_as_found(run)


@check("A client: It puts the terminal back in order at the end.")
def the_terminal_is_put_back_after_an_interrupt(client: ClientUnderTest) -> None:
    run = client.start()
    run.type(INTERRUPT)
    try:
        run.wait_for_end()
    except DeviationError as error:
        raise NotApplicableError("Ctrl-C does not end the client") from error
    expect_as_found(run)


def expect_as_found(run: WatchedClient) -> None:
    """Expect the terminal as it was before the client started."""
    expected = "the line discipline as it was found"
    expect(
        run.program.attributes() == run.program.found, "other settings of the terminal", expected
    )
    written = run.program.output.decode(errors="replace")
    for taken, given_back, expected in _TAKEN_AND_GIVEN_BACK:
        came = f"{taken!r} was written, and no {given_back!r} after it"
        expect(written.rfind(given_back) >= written.rfind(taken), came, expected)
