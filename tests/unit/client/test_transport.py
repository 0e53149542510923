"""Connections: what they deliver, whom they trust, and what a player is told of them."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from jminesweeper.client.address import Address
from jminesweeper.client.events import Event, Lost, Received
from jminesweeper.client.transport import (
    ConnectError,
    Dialler,
    EmbeddedLink,
    NoServerError,
    ServerConnection,
    adopt,
    connect,
    explain,
    explain_tls,
    trusting,
)
from tests.certificates import CertificateFiles

SCREEN = b"a screen"
WAIT_S = 60


class Linked:
    """A connection, the socket at its other end, and what it delivered."""

    def __init__(
        self, connection: ServerConnection, peer: socket.socket, events: asyncio.Queue[Event]
    ):
        self.connection = connection
        self.peer = peer
        self.events = events

    async def next(self) -> Event:
        async with asyncio.timeout(WAIT_S):
            return await self.events.get()

    async def peer_reads(self) -> bytes:
        async with asyncio.timeout(WAIT_S):
            return await asyncio.get_running_loop().sock_recv(self.peer, 65536)


@asynccontextmanager
async def linked() -> AsyncIterator[Linked]:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    events: asyncio.Queue[Event] = asyncio.Queue()
    connection = await adopt(ours, "The server", events.put_nowait)
    try:
        yield Linked(connection, theirs, events)
    finally:
        connection.abort()
        theirs.close()
        await connection.closed.wait()


async def test_bytes_are_delivered_as_they_came() -> None:
    async with linked() as link:
        received = b""
        for part in (SCREEN[:3], SCREEN[3:]):
            link.peer.send(part)
            event = await link.next()
            assert isinstance(event, Received)
            received += event.data
            link.connection.resume()
        assert received == SCREEN


async def test_a_server_that_sends_too_fast_is_slowed_down() -> None:
    async with linked() as link:
        link.peer.send(SCREEN)
        assert await link.next() == Received(SCREEN)
        link.peer.send(SCREEN)
        async with asyncio.timeout(WAIT_S):
            # A round trip the other way: had the screen been read, it would be there by now.
            link.connection.send(b"\x01")
            await link.peer_reads()
        assert link.events.empty()
        link.connection.resume()
        assert await link.next() == Received(SCREEN)


async def test_what_is_sent_arrives() -> None:
    async with linked() as link:
        link.connection.send(b"\x01\x02")
        assert await link.peer_reads() == b"\x01\x02"


async def test_a_connection_that_is_closed_is_lost() -> None:
    async with linked() as link:
        link.peer.shutdown(socket.SHUT_RDWR)
        assert await link.next() == Lost("The server closed the connection.")
        link.connection.send(b"\x01")
        link.connection.resume()


async def test_who_hangs_up_hears_no_more() -> None:
    async with linked() as link:
        link.peer.send(SCREEN)
        link.connection.abort()
        await link.connection.closed.wait()
        assert link.events.empty()


async def test_finishing_lets_the_server_hang_up_first() -> None:
    async with linked() as link:
        link.connection.send(b"\x08")
        link.peer.send(SCREEN)
        finishing = asyncio.create_task(link.connection.finish(10.0))
        assert await link.peer_reads() == b"\x08"
        assert not finishing.done()
        link.peer.close()
        await finishing
        assert link.events.empty()


async def test_finishing_does_not_wait_for_ever() -> None:
    async with linked() as link:
        await link.connection.finish(0.01)
        assert await link.peer_reads() == b""


async def dial(address: Address, deliver: Callable[[Event], None]) -> ServerConnection:
    return await connect(address, "The server", deliver)


@pytest.mark.requirement("J:Client Requirements")
def test_a_connection_is_made_by_name_and_by_number() -> None:
    async def run(host: str) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        events: asyncio.Queue[Event] = asyncio.Queue()
        connection = await dial(Address(host, server.getsockname()[1]), events.put_nowait)
        peer, _ = server.accept()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.close()
        server.close()
        event = await events.get()
        assert isinstance(event, Lost)
        assert event.reason.startswith("The server is gone: Connection reset by peer")
        await connection.closed.wait()

    for host in ("127.0.0.1", "localhost"):
        asyncio.run(run(host))


def test_a_port_without_a_server_is_an_error_of_its_own() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        address = Address("127.0.0.1", unused.getsockname()[1])
    with pytest.raises(NoServerError, match="There is no server at"):
        asyncio.run(dial(address, print))


def test_an_address_that_cannot_be_reached_is_explained() -> None:
    with pytest.raises(ConnectError, match="cannot be reached"):
        asyncio.run(dial(Address("255.255.255.255", 9), print))


def test_a_server_that_does_not_answer_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as waiting:
        address = Address("127.0.0.1", full.getsockname()[1])
        # A listener whose queue is full drops what comes next without a word.
        for _ in range(4):
            guest = waiting.enter_context(socket.socket())
            guest.setblocking(False)
            guest.connect_ex((address.host, address.port))
        with pytest.raises(ConnectError, match="did not answer in time"):
            asyncio.run(connect(address, "The server", print, timeout_s=0.05))


def test_a_name_server_that_does_not_answer_is_given_up() -> None:
    with pytest.raises(ConnectError, match="did not answer in time"):
        asyncio.run(connect(Address("localhost"), "The server", print, timeout_s=0.0))


def test_a_systems_error_is_named_without_its_number() -> None:
    assert explain(OSError(113, "whatever")) == os.strerror(113)
    assert explain(ValueError("a reason")) == "a reason"
    assert explain(ValueError()) == "ValueError"


def unused_address() -> Address:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return Address("127.0.0.1", server.getsockname()[1])


class Embedded:
    """A server in this process, which only lets connections in."""

    def __init__(self) -> None:
        self.peers: list[socket.socket] = []

    async def __call__(self) -> EmbeddedLink:
        ours, theirs = socket.socketpair()
        self.peers.append(theirs)
        return EmbeddedLink(ours, "This game will not be saved.")

    def close(self) -> None:
        for peer in self.peers:
            peer.close()


def ignore(_event: Event) -> None:
    """Nothing that happens to these connections matters."""


async def test_a_server_that_is_there_is_played_on() -> None:
    embedded = Embedded()
    with socket.create_server(("127.0.0.1", 0)) as server:
        dial = Dialler(Address("127.0.0.1", server.getsockname()[1]), embedded)
        connection, notice = await dial(ignore)
        assert notice == ""
        connection.abort()
        await connection.closed.wait()
    # Once it was there, the game is there: another server would not know it.
    with pytest.raises(NoServerError):
        await dial(ignore)
    assert embedded.peers == []


async def test_without_a_server_an_embedded_server_takes_the_place() -> None:
    embedded = Embedded()
    dial = Dialler(unused_address(), embedded)
    for count in (1, 2):
        connection, notice = await dial(ignore)
        assert notice.startswith("No server found; playing offline. This game")
        assert len(embedded.peers) == count
        connection.abort()
        await connection.closed.wait()
    embedded.close()


async def test_a_server_that_was_named_is_not_replaced() -> None:
    with pytest.raises(NoServerError):
        await Dialler(unused_address())(ignore)


ADDRESS = Address.parse("tls://example.org")


def failure(reason: str) -> ssl.SSLError:
    error = ssl.SSLError(1, reason)
    error.reason = reason
    return error


def untrusted(reason: str) -> ssl.SSLError:
    error = ssl.SSLCertVerificationError(1, reason)
    error.verify_message = reason
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            untrusted("self-signed certificate"),
            "The certificate of tls://example.org:9999 is not trusted: self-signed certificate.",
        ),
        (
            untrusted("Hostname mismatch."),
            "The certificate of tls://example.org:9999 is not trusted: Hostname mismatch.",
        ),
        (
            failure("WRONG_VERSION_NUMBER"),
            "tls://example.org:9999 does not speak TLS; connect without it.",
        ),
        (
            failure("RECORD_LAYER_FAILURE"),
            "tls://example.org:9999 does not speak TLS; connect without it.",
        ),
        (
            failure("TLSV1_ALERT_PROTOCOL_VERSION"),
            "TLS with tls://example.org:9999 failed: tlsv1 alert protocol version.",
        ),
        (
            ConnectionResetError(104, "Connection reset by peer"),
            "tls://example.org:9999 hung up on TLS; connect without it.",
        ),
    ],
)
def test_what_went_wrong_is_a_sentence(error: OSError, sentence: str) -> None:
    assert explain_tls(ADDRESS, error) == sentence


def test_what_is_trusted_is_named_or_the_systems(
    certificate: CertificateFiles, tmp_path: Path
) -> None:
    for context in (trusting(None), trusting(certificate.certificate)):
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.check_hostname
    with pytest.raises(ConnectError, match=r"gone.pem holds no certificate to trust\."):
        trusting(tmp_path / "gone.pem")
