"""The exchanges of tests/vectors, on a real connection."""

from __future__ import annotations

import pytest

from jminesweeper.check.painted import PaintedScreen
from jminesweeper.check.wire import Peer
from jminesweeper.client.address import Address
from tests.vectors.notation import Exchange, Step, load_exchanges

EXCHANGES = [pytest.param(exchange, id=exchange["name"]) for exchange in load_exchanges()]


@pytest.mark.requirement("J:exchange", "J:one reply", "J:Networking Protocol")
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_the_server_answers_as_the_exchange_says(address: Address, exchange: Exchange) -> None:
    with Peer(address) as peer:
        for step in exchange["steps"]:
            take(step, peer)


def take(step: Step, peer: Peer) -> None:
    """One step of an exchange, with all that it promises."""
    text = ""
    for piece in step["send"]:
        peer.send_bytes(bytes.fromhex(piece))
    for _ in range(step.get("replies", 0)):
        text = PaintedScreen.showing(peer.receive_screen()).text
    assert all(shown in text for shown in step.get("shows", []))
    if step.get("closes"):
        peer.expect_closed(most=1 if step.get("error") else 0)
