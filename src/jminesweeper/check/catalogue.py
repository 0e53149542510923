"""All checks, in order: what could hurt a fragile server comes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.check import client, game, replies, version_2
from jminesweeper.check.client_under_test import ClientUnderTest
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import ProtocolCheck

SERVER_CHECKS: Final[Sequence[ProtocolCheck[ServerUnderTest]]] = (
    *replies.check,
    *game.check,
    *version_2.announcement,
    *version_2.check,
    *replies.harsh,
)

CLIENT_CHECKS: Final[Sequence[ProtocolCheck[ClientUnderTest]]] = client.check


def checks_for(version: int, wire: int | None) -> Sequence[ProtocolCheck[ServerUnderTest]]:
    """Return the checks of one version of the wire, or of all that a server announces.

    Nothing of version 2 is sent to a server that has not announced it.
    """
    if wire == 2 and version < 2:
        return version_2.announcement
    wires = {wire} if wire else {1, min(version, 2)}
    return [check for check in SERVER_CHECKS if check.wire in wires]
