"""A connection that says what came in place of what was due."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from jminesweeper.check.suite import DeviationError, ServerClosedError, SilenceError, Transcript
from jminesweeper.check.wire import Peer
from jminesweeper.client.address import Address
from jminesweeper.protocol.packets import ScreenContent, Start, View, encode
from jminesweeper.protocol.vocabulary import Command
from tests.integration.scripted_server import FALL_SILENT, HEAR, Script, scripted, serving

SCREEN = ScreenContent(b"a screen")
Connect = Callable[..., Peer]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Connect to a server that follows the script."""
    with ExitStack() as stack:

        def connected(script: Script, patience_s: float = 20.0) -> Peer:
            server = stack.enter_context(serving(script))
            address = Address("127.0.0.1", server.port)
            return stack.enter_context(Peer(address, Transcript(), lambda: patience_s))

        yield connected


def answers(*pieces: bytes) -> Script:
    """Send this once a packet has come, and hang up."""

    return scripted(HEAR, *pieces)


WAITS = scripted(FALL_SILENT)


def test_a_screen_is_asked_for(connect: Connect) -> None:
    assert connect(answers(encode(SCREEN))).ask(Start(9, 9, 1)) == b"a screen"


@pytest.mark.parametrize(
    ("reply", "kind", "came"),
    [
        (b"", ServerClosedError, "the server closed the connection"),
        (encode(View()), DeviationError, "VIEW text=(2 bytes)"),
        (b"\x07\x00\x00\x00\x03", DeviationError, "START is not a packet that a server sends"),
    ],
)
def test_anything_but_a_screen_is_a_deviation(
    connect: Connect, reply: bytes, kind: type[DeviationError], came: str
) -> None:
    with pytest.raises(kind) as raised:
        connect(answers(reply)).ask(Command.REVEAL)
    assert came in raised.value.came
    assert raised.value.expected in {
        "one SCREEN_CONTENT as the answer to REVEAL",
        "packets of the protocol",
    }


def test_silence_is_a_deviation(connect: Connect) -> None:
    with pytest.raises(SilenceError, match=r"nothing for 0\.1 s"):
        connect(WAITS, 0.1).ask(Command.REVEAL)


def test_silence_is_as_long_as_was_waited_however_much_time_the_suite_has_left() -> None:
    waits_s = [20.0]
    with serving(WAITS) as server:
        address = Address("127.0.0.1", server.port)
        with Peer(address, Transcript(), waits_s.pop) as peer:
            waits_s[:] = [0.0, 0.1]
            with pytest.raises(SilenceError, match=r"nothing for 0\.1 s"):
                peer.receive()
            waits_s[:] = [20.0]


def test_a_second_reply_is_noticed_before_the_next_packet_and_at_the_end(connect: Connect) -> None:
    peer = connect(answers(encode(SCREEN) * 2))
    peer.ask(Command.REVEAL)
    with pytest.raises(DeviationError, match="one packet after the reply was there"):
        peer.expect_nothing_unasked()
    with pytest.raises(DeviationError, match="one packet that nothing was sent for"):
        peer.expect_no_more()


def test_a_server_that_stays_open_after_quit_has_no_more_to_say_either(connect: Connect) -> None:
    peer = connect(WAITS)
    peer.expect_nothing_unasked()
    peer.expect_no_more()


def test_a_connection_has_to_end_between_packets(connect: Connect) -> None:
    peer = connect(answers(encode(SCREEN) + encode(SCREEN)[:7]))
    peer.send(Command.QUIT)
    with pytest.raises(DeviationError, match="within a packet"):
        peer.receive_until_closed()


def test_last_screens_are_counted(connect: Connect) -> None:
    peer = connect(answers(encode(SCREEN)))
    peer.send(Command.QUIT)
    peer.expect_closed(most=1)
    peer = connect(answers(encode(SCREEN)))
    peer.send(Command.QUIT)
    with pytest.raises(DeviationError, match="one packet, then the end"):
        peer.expect_closed()


def test_a_server_that_never_ends_is_not_listened_to_for_ever(connect: Connect) -> None:
    peer = connect(answers(encode(SCREEN) * 1000))
    peer.send(Command.QUIT)
    with pytest.raises(DeviationError, match="64 packets and no end"):
        peer.expect_closed()
