"""Wrong codes of rooms: they count for an address, by whatever way and connection they come."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from jminesweeper.protocol.packets import Hello, Join, Packet, View, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction
from tests.integration.server_peer import Peer
from tests.integration.server_process import ServerProcess, running_server, server_command
from tests.integration.ssh_peer import ssh_player
from tests.integration.test_ssh import RELAY
from tests.integration.web_peer import WebPeer
from tests.proxy_header import proxy_header

WRONG = Join("ZZZZZZ")
GUESSER, NEIGHBOUR = "192.0.2.66", "192.0.2.67"


@pytest.fixture(name="server", scope="module")
def strict() -> Iterator[ServerProcess]:
    options = ("--workers=0", "--store=memory", "--proxy-from=127.0.0.1/32")
    command = server_command(*options, program=["-m", "tests.integration.strict_server"])
    with running_server(command=command) as server:
        yield server


def said(view: View) -> str:
    message = json.loads(view.text)["message"]
    text: str = message["text"]
    return text


def guess_by_tcp(port: int, address: str) -> str:
    """Guess as the client does, through a proxy that names this address."""
    reader, packets = PacketReader(Direction.FROM_SERVER), list[Packet]()
    with Peer(port) as peer:
        sent: Sequence[Packet] = (Command.MOVE_LEFT, Hello(), WRONG)
        peer.send(proxy_header(address, 4321) + b"".join(map(encode, sent)))
        while len(packets) < len(sent):
            packets += reader.feed(peer.socket.recv(4_096))
    last = packets[-1]
    assert isinstance(last, View)
    return said(last)


def guess_by_page(port: int, address: str) -> str:
    """Guess as the page does, through a proxy that names this address."""
    with WebPeer(port) as peer:
        peer.send(proxy_header(address, 4321))
        peer.open_socket()
        peer.play(Hello())
        return said(peer.play(WRONG))


def test_wrong_codes_count_by_the_real_address_over_tcp_the_page_and_ssh(
    server: ServerProcess, require_program: Callable[[str], str], tmp_path: Path
) -> None:
    relay = tmp_path / "relay.py"
    relay.write_text(RELAY)
    header = proxy_header(GUESSER, 4322).hex()
    command = f"{sys.executable} {relay} {server.port} {header}"
    player = ssh_player(require_program, tmp_path / "eve")
    by_ssh = replace(player, options=("-o", f"ProxyCommand={command}"))

    def guess_by_ssh(told: str) -> None:
        terminal = by_ssh.play(server.port, "join", WRONG.name)
        terminal.wait_for_screen(told)
        terminal.close()

    assert "There is no room ZZZZZZ" in guess_by_tcp(server.port, GUESSER)
    assert "There is no room ZZZZZZ" in guess_by_page(server.port, GUESSER)
    guess_by_ssh("There is no room ZZZZZZ")
    assert "Too many wrong codes" in guess_by_tcp(server.port, GUESSER)
    assert "Too many wrong codes" in guess_by_page(server.port, GUESSER)
    guess_by_ssh("Too many wrong codes")
    assert "There is no room ZZZZZZ" in guess_by_tcp(server.port, NEIGHBOUR)
