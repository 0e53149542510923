"""A connection on which packets go out and as many screens come back."""

from __future__ import annotations

import socket

import pytest

from jminesweeper.client.address import Address
from jminesweeper.client.bot.line import Line
from jminesweeper.client.bot.outcome import BotError
from jminesweeper.protocol import Command, Packet, PatchFlag, Start
from tests.integration.scripted_server import Peer, Script, count_packets, serving


def address_of(port: int) -> Address:
    return Address("127.0.0.1", port)


def complaint(script: Script, *packets: Packet, timeout_s: float = 15) -> str:
    with serving(script) as server, Line(address_of(server.port), timeout_s) as line:
        with pytest.raises(BotError) as refusal:
            line.ask(*(packets or (Start(1, 1, 1),)))
        return str(refusal.value).replace(str(server.port), "PORT")


def test_of_many_screens_the_last_one_is_returned() -> None:
    with serving(count_packets) as server:
        with Line(address_of(server.port)) as line:
            assert b"screen 1\r\nStart" in line.ask(Start(9, 9, 1))
            screen = line.ask(*[Command.MOVE_RIGHT] * 200, Command.REVEAL)
            assert b"screen 202\r\nREVEAL" in screen
        server.expect(Start(9, 9, 1), *[Command.MOVE_RIGHT] * 200, Command.REVEAL, Command.QUIT)


def hang_up(peer: Peer) -> None:
    peer.receive()


def reset(peer: Peer) -> None:
    peer.receive()
    linger = b"\1\0\0\0\0\0\0\0"
    peer.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    peer.connection.close()


def talk_nonsense(peer: Peer) -> None:
    peer.receive()
    peer.connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    peer.receive()


def promise_too_much(peer: Peer) -> None:
    peer.receive()
    peer.connection.sendall(b"\x09\xff\xff\xff\xff")
    peer.receive()


def patch(peer: Peer) -> None:
    peer.receive()
    peer.patch("a patch", PatchFlag.FULL_REPAINT)
    peer.receive()


def keep_silent(peer: Peer) -> None:
    while peer.receive() is not None:
        pass


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (hang_up, "127.0.0.1:PORT has hung up."),
        (reset, "127.0.0.1:PORT does not answer: Connection reset by peer."),
        (patch, "127.0.0.1:PORT answered with something that is no screen."),
        (talk_nonsense, "127.0.0.1:PORT does not speak the protocol: "),
        (promise_too_much, "127.0.0.1:PORT does not speak the protocol: "),
    ],
)
def test_whatever_a_server_does_is_one_sentence(script: Script, message: str) -> None:
    said = complaint(script)
    assert said.startswith(message)
    assert said.endswith(".")
    assert not said.endswith("..")
    assert said.isprintable()


def test_a_server_that_keeps_silent_is_not_waited_for_for_ever() -> None:
    assert complaint(keep_silent, timeout_s=0.05) == "127.0.0.1:PORT does not answer: timed out."


def test_no_server_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(BotError, match=r"There is no connection to 127.0.0.1:\d+: Connection refu"):
        Line(address_of(port))
    with pytest.raises(BotError, match=r"There is no connection to nowhere.invalid:1: "):
        Line(Address("nowhere.invalid", 1))
