"""Errors in bytes that come in, and in values that go out."""

from __future__ import annotations

from jminesweeper.core.errors import JMinesweeperError


class ProtocolError(JMinesweeperError):
    """Bytes that are not a packet of the protocol; the sentence may be shown to a player."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EncodeError(JMinesweeperError):
    """A packet with a value that does not fit its field on the wire."""
