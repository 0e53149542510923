"""The two errors of the codec."""

import pytest

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.protocol import Command, EncodeError, ProtocolError


@pytest.mark.parametrize("error", [ProtocolError("no"), EncodeError("no")])
def test_every_error_of_the_codec_is_one_of_the_package(error: Exception) -> None:
    assert isinstance(error, JMinesweeperError)


def test_a_protocol_error_reads_as_its_reason() -> None:
    assert str(ProtocolError("There is no packet of type 0.")) == "There is no packet of type 0."


def test_a_protocol_error_carries_the_packets_that_came_before() -> None:
    error = ProtocolError("bad", [Command.REVEAL])
    assert (error.reason, error.packets) == ("bad", (Command.REVEAL,))
