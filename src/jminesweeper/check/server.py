"""The checks of a server, in order: what could hurt a fragile one comes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.check.playing import PLAY_CHECKS
from jminesweeper.check.replies import HARSH_CHECKS, REPLY_CHECKS
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Check
from jminesweeper.check.version_2 import VERSION_2_CHECKS

SERVER_CHECKS: Final[Sequence[Check[ServerUnderTest]]] = (
    *REPLY_CHECKS,
    *PLAY_CHECKS,
    *VERSION_2_CHECKS,
    *HARSH_CHECKS,
)
