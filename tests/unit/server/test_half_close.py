import errno
import os

from jminesweeper.server.half_close import close_our_half
from tests.unit.server.fakes import FakeTransport


class ResetTransport(FakeTransport):
    """Its peer is gone, and the event loop has not noticed yet."""

    def write_eof(self) -> None:
        raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))


def test_our_half_is_closed_and_the_peers_is_not() -> None:
    transport = FakeTransport()
    assert close_our_half(transport)
    assert transport.is_half_closed
    assert not transport.is_closed


def test_a_transport_that_cannot_do_that_is_left_alone() -> None:
    transport = FakeTransport(has_half_close=False)
    assert not close_our_half(transport)
    assert not transport.is_half_closed


def test_a_connection_that_was_reset_is_dropped() -> None:
    transport = ResetTransport()
    assert close_our_half(transport)
    assert transport.is_aborted
