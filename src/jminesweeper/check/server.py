"""The checks of a server, in order: what could hurt a fragile one comes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.check.fields import FIELD_CHECKS
from jminesweeper.check.playing import PLAY_CHECKS
from jminesweeper.check.replies import HARSH_CHECKS, REPLY_CHECKS
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.check.version_2 import ANNOUNCEMENT_CHECKS, VERSION_2_CHECKS

SERVER_CHECKS: Final[Sequence[ProtocolCheck[ServerUnderTest]]] = (
    *REPLY_CHECKS,
    *FIELD_CHECKS,
    *PLAY_CHECKS,
    *ANNOUNCEMENT_CHECKS,
    *VERSION_2_CHECKS,
    *HARSH_CHECKS,
)


def checks_for(version: int, wire: int | None) -> Sequence[ProtocolCheck[ServerUnderTest]]:
    """Return the checks of one version of the wire, or of all that a server announces.

    Nothing of version 2 is sent to a server that has not announced it.
    """
    if wire == 2 and version < 2:
        return ANNOUNCEMENT_CHECKS
    wires = {wire} if wire else {1, min(version, 2)}
    return [check for check in SERVER_CHECKS if check.wire in wires]
