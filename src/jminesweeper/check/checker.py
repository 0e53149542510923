"""A server or a client put to the test, from the first byte to the last finding.

It knows bytes, and what a person sees on the screen: nothing of how the other side is made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from jminesweeper.check import client, game, replies, version_2
from jminesweeper.check.client import ClientUnderTest
from jminesweeper.check.server import ServerUnderTest
from jminesweeper.check.suite import Finding, ProtocolCheck, run_checks
from jminesweeper.core.errors import JMinesweeperError


class NoCheckError(JMinesweeperError):
    """None of the requested checks is left."""


SERVER_CHECKS: Final[Sequence[ProtocolCheck[ServerUnderTest]]] = (
    *replies.check,
    *game.check,
    *version_2.announcement,
    *version_2.check,
    *replies.harsh,
)
"""All checks of a server, in order: what could hurt a fragile one comes last."""

CLIENT_CHECKS: Final[Sequence[ProtocolCheck[ClientUnderTest]]] = client.check


def checks_for(
    version: int,
    wire: int | None = None,
    only: Collection[str] = (),
    *,
    with_unknown: bool = False,
) -> Sequence[ProtocolCheck[ServerUnderTest]]:
    """Return the checks of one version of the wire, or of all that a server announces.

    Nothing of version 2 is sent to a server that has not announced it. A check that is only run for
    those who ask for it is asked for by its name, or with all of its kind.
    """
    checks = SERVER_CHECKS
    if wire == 2 and version < 2:
        checks = version_2.announcement
    wires = {wire} if wire else {1, min(version, 2)}
    return [
        check
        for check in checks
        if check.wire in wires
        and (check.name in only if only else with_unknown or not check.is_asked_for)
    ]


def check_server(
    server: ServerUnderTest,
    wire: int | None = None,
    only: Collection[str] = (),
    *,
    with_unknown: bool = False,
) -> tuple[Mapping[str, str], Iterator[Finding]]:
    """Return what is learnt of a server, and the findings, each as soon as it is known.

    It is a NoConnectionError if nobody listens, and a NoCheckError if nothing is left to check.
    """
    habits = server.learn()
    checks = checks_for(habits.version, wire, only, with_unknown=with_unknown)
    if not checks:
        raise NoCheckError(f"No check of that name is for version {habits.version}.")
    facts = {"server": str(server.address), **habits.facts()}

    return facts, run_checks(checks, server, server.budget)
