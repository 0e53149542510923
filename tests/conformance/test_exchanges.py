"""The exchanges of tests/vectors, on a real connection."""

from __future__ import annotations

import pytest

from tests.conformance.peer import Peer
from tests.conformance.terminal import Terminal
from tests.vectors.notation import Exchange, Step, load_exchanges

EXCHANGES = [pytest.param(exchange, id=exchange["name"]) for exchange in load_exchanges()]


@pytest.mark.requirement("J:exchange", "J:one reply", "J:Networking Protocol")
@pytest.mark.parametrize("exchange", EXCHANGES)
def test_the_server_answers_as_the_exchange_says(peer: Peer, exchange: Exchange) -> None:
    terminal = Terminal()
    for step in exchange["steps"]:
        take(step, peer, terminal)


def take(step: Step, peer: Peer, terminal: Terminal) -> None:
    """One step of an exchange, with all that it promises."""
    for piece in step["send"]:
        peer.send_bytes(bytes.fromhex(piece))
    for _ in range(step.get("replies", 0)):
        terminal.paint(peer.receive_screen())
    assert all(shown in terminal.text for shown in step.get("shows", []))
    if step.get("closes"):
        most = 1 if step.get("error") else 0
        assert len(peer.receive_until_closed()) <= most
