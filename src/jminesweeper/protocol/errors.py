"""What is wrong with bytes that come in, and with values that go out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jminesweeper.core import JMinesweeperError

if TYPE_CHECKING:
    from jminesweeper.protocol.packets import Packet


class ProtocolError(JMinesweeperError):
    """Bytes that are no packet of the protocol; the sentence may be shown to a player.

    `packets` holds what arrived whole before the bad bytes and still deserves its answers.
    """

    def __init__(self, reason: str, packets: Sequence[Packet] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.packets = tuple(packets)


class EncodeError(JMinesweeperError):
    """A packet with a value that does not fit its field on the wire."""
