"""What can be wrong with bytes that came, and with packets that are to be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jminesweeper.core.errors import JMinesweeperError

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
    """A packet whose value does not fit the field that the wire has for it."""
