"""Checks of a client: its keys, how it sets up and restores the terminal, frames in pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jminesweeper.check.client_under_test import ClientUnderTest, WatchedClient, byte_by_byte, whole
from jminesweeper.check.deviation import DeviationError, NotApplicableError, describe, expect
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.client.escapes import ALTERNATE_SCREEN, CURSOR_HIDDEN, CURSOR_SHOWN, NORMAL_SCREEN
from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import FIRST_WITH_LENGTH, Command

KEYS: Final[Mapping[str, Command]] = {
    "w": Command.MOVE_UP,
    "a": Command.MOVE_LEFT,
    "s": Command.MOVE_DOWN,
    "d": Command.MOVE_RIGHT,
    " ": Command.TOGGLE_BOMB_MARK,
    "\r": Command.REVEAL,
    "#": Command.TOGGLE_DEBUG_MODE,
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


def it_begins_with_start(client: ClientUnderTest) -> None:
    with client.begun() as run:
        first = run.received[0]
        is_fine = isinstance(first, Start) and is_playable(first)
        expect(is_fine, describe(first), "START with a size, and a level of 1 to 3")


def is_playable(start: Start) -> bool:
    return bool(start.columns and start.rows) and start.level in {1, 2, 3}


def it_shows_what_the_server_sends(client: ClientUnderTest) -> None:
    with client.game() as run:
        for key in "dsa":
            run.press(key, KEYS[key])


def keys_arrive_one_by_one_and_are_not_echoed(client: ClientUnderTest) -> None:
    with client.game() as run:
        run.wait_until(run.program.is_raw, "a terminal without line buffering and echo")


def every_key_sends_its_packet(client: ClientUnderTest) -> None:
    with client.game() as run:
        for key, packet in KEYS.items():
            run.press(key, packet)


def keys_typed_ahead_are_all_sent(client: ClientUnderTest) -> None:
    with client.game() as run:
        keys = "ddsd aw\r"
        run.press(keys, *[KEYS[key] for key in keys])


def tab_starts_a_new_game(client: ClientUnderTest) -> None:
    with client.game() as run:
        before = len(run.received)
        run.type("\t")
        run.wait_until(lambda: len(run.received) > before, "START")
        expect(isinstance(run.received[-1], Start), describe(run.received[-1]), "START")
        run.wait_for_answer()


def nothing_of_version_2_is_sent_unannounced(client: ClientUnderTest) -> None:
    with client.game() as run:
        run.press("d", Command.MOVE_RIGHT)
        later = [each for each in run.received if each.packet_type >= FIRST_WITH_LENGTH]
        expect(not later, ", ".join(map(describe, later)), "packets of version 1")


def x_quits(client: ClientUnderTest) -> None:
    with client.game() as run:
        run.type("X")
        run.wait_until(lambda: Command.QUIT in run.received, "QUIT")
        run.wait_for_end()


def a_frame_may_come_in_pieces(client: ClientUnderTest) -> None:
    client.start(byte_by_byte).press("d", Command.MOVE_RIGHT)


def a_large_frame_is_shown_whole(client: ClientUnderTest) -> None:
    run = client.start(lambda text: whole(_LONG_LINE * _LARGE_LINES + text))
    run.press("d", Command.MOVE_RIGHT)


def the_terminal_is_put_back_at_the_end(client: ClientUnderTest) -> None:
    run = client.start()
    run.type("X")
    run.wait_for_end()
    expect_as_found(run)


def the_terminal_is_put_back_when_the_server_is_gone(client: ClientUnderTest) -> None:
    run = client.start()
    run.hang_up()
    try:
        run.wait_for_end(_SHORT_WAIT_S)
    except DeviationError:
        # It may try again for a while, and be told to stop.
        run.type("X")
        run.wait_for_end()
    expect_as_found(run)


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


_AT_THE_LEAST: Final = "A client: It sends START, then a packet for each key"
_AT_THE_END: Final = "A client: It puts the terminal back in order at the end."

CLIENT_CHECKS: Final[Sequence[ProtocolCheck[ClientUnderTest]]] = (
    ProtocolCheck(it_begins_with_start, _AT_THE_LEAST, is_vital=True),
    ProtocolCheck(
        keys_arrive_one_by_one_and_are_not_echoed,
        "A client: writes it to the terminal, whose line buffering and echo are off.",
        is_vital=True,
    ),
    ProtocolCheck(
        it_shows_what_the_server_sends,
        "A client: writes it to the terminal",
    ),
    ProtocolCheck(every_key_sends_its_packet, _AT_THE_LEAST),
    ProtocolCheck(keys_typed_ahead_are_all_sent, _AT_THE_LEAST),
    ProtocolCheck(
        tab_starts_a_new_game, "A client: START: a new game, on this connection or on another one"
    ),
    ProtocolCheck(
        nothing_of_version_2_is_sent_unannounced,
        "The announcement: Nobody sends a packet of type 11 or above before having seen it",
    ),
    ProtocolCheck(x_quits, "A client: QUIT, and the client ends"),
    ProtocolCheck(
        a_frame_may_come_in_pieces,
        "A client: reads one reply, however TCP has cut it",
    ),
    ProtocolCheck(
        a_large_frame_is_shown_whole,
        "Bad input and limits: Our server never sends a screen above 80 KiB",
    ),
    ProtocolCheck(the_terminal_is_put_back_at_the_end, _AT_THE_END),
    ProtocolCheck(the_terminal_is_put_back_when_the_server_is_gone, _AT_THE_END),
    ProtocolCheck(the_terminal_is_put_back_after_an_interrupt, _AT_THE_END),
)
