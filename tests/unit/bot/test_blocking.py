"""The conversation over a blocking socket: packets go out, and their last screen comes back."""

from __future__ import annotations

import socket

import pytest

from jminesweeper.bot.blocking import BlockingClient
from jminesweeper.bot.playing import BotError
from jminesweeper.client.address import Address
from jminesweeper.client.errors import ClientError
from jminesweeper.client.profile import Profile, Wire
from jminesweeper.protocol import (
    ANNOUNCEMENT,
    Act,
    Button,
    Command,
    Hello,
    Packet,
    PatchFlag,
    ScreenContent,
    ScreenFormat,
    Start,
)
from tests.integration.scripted_server import (
    Peer,
    Script,
    ScriptedServer,
    count_packets,
    serving,
)

START = Start(9, 9, 1)
CLASSIC = Profile(START)
PLAIN = Profile(START, screen_format=ScreenFormat.PLAIN)


def client_of(
    server: ScriptedServer, profile: Profile = CLASSIC, timeout_s: float = 15
) -> BlockingClient:
    return BlockingClient(Address("127.0.0.1", server.port), profile, timeout_s)


def complaint(script: Script, profile: Profile = CLASSIC, timeout_s: float = 15) -> str:
    with serving(script) as server, client_of(server, profile, timeout_s) as client:
        with pytest.raises(BotError) as refusal:
            client.ask(Command.REVEAL)
        return str(refusal.value).replace(str(server.port), "PORT")


def test_of_many_screens_the_last_one_is_returned() -> None:
    with serving(count_packets) as server:
        with client_of(server) as client:
            assert client.greet() == 1
            screen = client.ask(*[Command.MOVE_RIGHT] * 200, Command.REVEAL)
            assert b"screen 202\r\nREVEAL" in screen
        server.expect(START, *[Command.MOVE_RIGHT] * 200, Command.REVEAL, Command.QUIT)


def answer_plainly(peer: Peer) -> None:
    packet: Packet | None = peer.announce()
    while packet is not None and packet is not Command.QUIT:
        peer.send(ScreenContent(type(packet).__name__.encode()))
        packet = peer.receive()


def test_version_2_is_spoken_where_it_is_announced() -> None:
    with serving(answer_plainly) as server:
        with client_of(server, PLAIN) as client:
            assert client.greet() == 2
            assert client.ask(Act(1, 1, Button.REVEAL)) == b"Act"
        hello = Hello(80, 24, format=ScreenFormat.PLAIN)
        server.expect(START, hello, Act(1, 1, Button.REVEAL), Command.QUIT)


def test_version_1_can_be_insisted_on() -> None:
    def announce_in_vain(peer: Peer) -> None:
        while peer.receive() not in {None, Command.QUIT}:
            peer.send(ScreenContent(ANNOUNCEMENT))

    with serving(announce_in_vain) as server:
        with client_of(server, Profile(START, wire=Wire.ONE)) as client:
            assert client.greet() == 1
        server.expect(START, Command.QUIT)


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


def refuse(peer: Peer) -> None:
    peer.receive()
    peer.show("The server is full.")


def patch_in_version_2(peer: Peer) -> None:
    peer.announce()
    peer.patch("a patch")
    peer.receive()


def dismiss(peer: Peer) -> None:
    peer.announce()
    peer.patch("You play elsewhere.", PatchFlag.FULL_REPAINT | PatchFlag.LAST_SCREEN)
    peer.receive()


def leave(peer: Peer) -> None:
    peer.announce()


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (hang_up, "The server hung up."),
        (refuse, "The server hung up. The server is full."),
        (leave, "The server hung up."),
        (reset, "The server does not answer: Connection reset by peer."),
        (patch, "The server does not speak JMinesweeper's protocol."),
        (patch_in_version_2, "The server sent something that is no screen."),
        (dismiss, "You play elsewhere."),
        (talk_nonsense, "The server does not speak JMinesweeper's protocol: "),
        (promise_too_much, "The server does not speak JMinesweeper's protocol: "),
    ],
)
def test_whatever_a_server_does_is_one_sentence(script: Script, message: str) -> None:
    said = complaint(script, PLAIN)
    assert said.startswith(f"127.0.0.1:PORT: {message}")
    assert said.endswith(".")
    assert not said.endswith("..")
    assert said.isprintable()


def test_a_server_that_keeps_silent_is_not_waited_for_for_ever() -> None:
    said = complaint(keep_silent, timeout_s=0.05)
    assert said == "127.0.0.1:PORT: The server does not answer: timed out."


def test_no_server_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(BotError, match=r"Cannot connect to 127.0.0.1:\d+: Connection refused"):
        BlockingClient(Address("127.0.0.1", port), PLAIN)
    with pytest.raises(BotError, match=r"Cannot connect to nowhere.invalid:1: "):
        BlockingClient(Address("nowhere.invalid", 1), PLAIN)


def test_what_a_server_cannot_play_is_one_sentence() -> None:
    profile = Profile(START, needs_version_2=True)
    with (
        serving(count_packets) as server,
        client_of(server, profile) as client,
        pytest.raises(BotError, match="only version 1"),
    ):
        client.greet()


def test_its_errors_are_those_of_any_client() -> None:
    assert issubclass(BotError, ClientError)
