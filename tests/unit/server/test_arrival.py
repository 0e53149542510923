"""Connections before they have a transport: whose they are, whether TLS comes, and the limits."""

from __future__ import annotations

import asyncio
import logging
import ssl
from ipaddress import ip_network

import pytest

from jminesweeper.protocol.packets import Start, encode
from jminesweeper.server import game_server
from jminesweeper.server.config import Network
from jminesweeper.server.door import INTRODUCTION, load_certificate
from jminesweeper.server.game_server import NOT_FROM_HERE, STOPPING, GameServer
from jminesweeper.server.hub import MAX_REFUSED, ORIGIN_FULL
from tests.certificates import CertificateFiles
from tests.proxy_header import LOCAL, SIGNATURE, UNSPECIFIED, proxy_header
from tests.unit.server.fakes import MOVE_BYTE, QUIT_BYTE, turn
from tests.unit.server.loop_peer import LOOPBACK, serving
from tests.unit.server.tls_peer import TlsPeer

PROXIES: tuple[Network, ...] = (ip_network("127.0.0.0/8"),)
HEADER = proxy_header("198.51.100.7", 4321)
OTHER = proxy_header("198.51.100.8", 4321)
GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


def trust_in(certificate: CertificateFiles) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate.certificate)


async def all_gone(server: GameServer) -> None:
    while server._hub.connections or server._arrivals:
        await turn()


# Behind a proxy


@pytest.mark.parametrize(
    ("address", "peer", "origin"),
    [
        ("198.51.100.7", "198.51.100.7:4321", "198.51.100.7"),
        ("2001:db8::7", "[2001:db8::7]:4321", "2001:db8::/64"),
    ],
)
async def test_whoever_comes_through_a_proxy_has_an_address_of_their_own(
    address: str, peer: str, origin: str
) -> None:
    async with serving(proxies=PROXIES) as server:
        player = await server.come(proxy_header(address, 4321) + MOVE_BYTE)
        await player.sees()
        (connection,) = server._hub.connections
        assert (connection.peer, connection.origin) == (peer, origin)


async def test_a_header_may_be_long_and_come_in_pieces() -> None:
    header = proxy_header("198.51.100.7", 4321, extension=bytes(1900))
    async with serving(proxies=PROXIES) as server:
        peer = await server.come()
        for piece in (*(header[at : at + 1] for at in range(20)), header[20:700], header[700:]):
            await peer.say(piece)
            await turn()
        await peer.play(MOVE_BYTE)


async def test_the_limit_per_address_counts_players_and_not_their_proxy() -> None:
    async with serving(proxies=PROXIES, max_per_address=1) as server:
        first = await server.come(HEADER + MOVE_BYTE)
        await first.sees()
        other = await server.come(OTHER + MOVE_BYTE)
        await other.sees()
        again = await server.come(HEADER)
        assert ORIGIN_FULL in await again.last_words()


@pytest.mark.parametrize("beginning", [HEADER[:20], b""])
async def test_a_proxy_that_falls_silent_is_disconnected(beginning: bytes) -> None:
    async with serving(proxies=PROXIES, silence_timeout_s=0.05) as server:
        peer = await server.come(beginning)
        assert await peer.to_the_end() == b""
        assert server.totals.connections == 0


async def test_an_unfinished_header_does_not_hold_up_the_end() -> None:
    async with serving(proxies=PROXIES) as server:
        peer = await server.come(HEADER[:20])
        while not server._arrivals:
            await turn()
        await asyncio.wait_for(server.stop(), 5)
        assert await peer.to_the_end() == b""


@pytest.mark.parametrize("header", [LOCAL, UNSPECIFIED])
async def test_a_header_that_names_nobody_leaves_the_proxys_address(header: bytes) -> None:
    async with serving(proxies=PROXIES) as server:
        peer = await server.come(header + MOVE_BYTE)
        await peer.sees()
        (connection,) = server._hub.connections
        assert connection.origin == LOOPBACK


async def test_the_checks_of_a_proxy_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "jminesweeper.server"):
        async with serving(proxies=PROXIES) as server:
            for header in (LOCAL, HEADER):
                peer = await server.come(header + QUIT_BYTE)
                assert await peer.to_the_end() == b""
            await all_gone(server)
    named = [message.split()[0] for message in caplog.messages if "listening" not in message]
    assert named == ["198.51.100.7:4321"] * 2


async def test_a_proxy_that_sends_no_header_serves_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """Or its clients could send one, and name any address."""

    async with serving(proxies=PROXIES) as server:
        peer = await server.come(MOVE_BYTE)
        assert NOT_FROM_HERE in await peer.last_words()
        assert server.totals.connections == 0
    (message,) = caplog.messages
    assert message.endswith("sent no proxy header")


async def test_a_second_header_is_a_bad_beginning() -> None:
    async with serving(proxies=PROXIES) as server:
        peer = await server.come(HEADER + proxy_header("203.0.113.9", 1))
        assert await peer.to_the_end() == INTRODUCTION


async def test_a_header_from_elsewhere_changes_nothing_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving() as server:
        peer = await server.come(HEADER + MOVE_BYTE)
        assert await peer.to_the_end() == INTRODUCTION
    (message,) = caplog.messages
    assert message.endswith("sent a proxy header; --proxy-from does not name it")


async def test_a_header_that_breaks_off_costs_its_sender_alone() -> None:
    async with serving(proxies=PROXIES) as server:
        peer = await server.come(SIGNATURE)
        await peer.leave()
        await all_gone(server)
        assert server.totals.connections == 0


# TLS on the same port


async def test_clients_and_browsers_come_with_tls_and_without_it(
    certificate: CertificateFiles,
) -> None:
    async with serving(tls_files=certificate) as server:
        for trust in (None, trust_in(certificate)):
            player = await server.come(MOVE_BYTE, trust=trust)
            await player.sees()
            browser = await server.come(GET, trust=trust)
            await browser.hears(b"HTTP/1.1 200 OK\r\n")
            person = await server.come(b"hello", trust=trust)
            assert await person.to_the_end() == INTRODUCTION


async def test_what_begins_byte_by_byte_is_recognised_in_tls(certificate: CertificateFiles) -> None:
    async with serving(tls_files=certificate) as server:
        browser = await server.come(trust=trust_in(certificate))
        for byte in GET:
            await browser.say(bytes((byte,)))
        await browser.hears(b"HTTP/1.1 200 OK\r\n")


async def test_a_handshake_may_come_in_two_pieces(certificate: CertificateFiles) -> None:
    async with serving(tls_files=certificate) as server:
        tls = TlsPeer(certificate.certificate)
        hello = tls.shake_hands()
        peer = await server.come(hello[:1])
        await turn()
        await peer.say(hello[1:])
        while not tls.is_ready:
            await peer.say(tls.shake_hands(await peer.reader.read(4096)))


async def test_what_begins_like_a_handshake_and_is_none_is_a_packet(
    certificate: CertificateFiles,
) -> None:
    async with serving(tls_files=certificate) as server:
        await server.come(b"\x16\x00")
        while not server._hub.connections:
            await turn()


async def test_a_screen_of_many_records_arrives(certificate: CertificateFiles) -> None:
    async with serving(tls_files=certificate) as server:
        player = await server.come(trust=trust_in(certificate))
        screen = await player.play(encode(Start(255, 255, 1)) + MOVE_BYTE * 2, 3)
        assert len(screen) > 70_000


async def test_who_is_refused_is_told_so_with_tls_and_without_it(
    certificate: CertificateFiles,
) -> None:
    async with serving(tls_files=certificate, max_per_address=1) as server:
        first = await server.come(MOVE_BYTE)
        await first.sees()
        for trust in (None, trust_in(certificate)):
            late = await server.come(MOVE_BYTE, trust=trust)
            assert ORIGIN_FULL in await late.last_words()


async def test_a_crowd_that_is_refused_and_says_nothing_is_not_waited_for(
    certificate: CertificateFiles,
) -> None:
    async with serving(tls_files=certificate, max_per_address=1) as server:
        crowd = [await server.come() for _ in range(MAX_REFUSED)]
        late = await server.come()
        assert ORIGIN_FULL in await late.last_words()
        assert len(server._arrivals) == len(crowd)


async def test_a_server_that_stops_says_goodbye_in_tls(certificate: CertificateFiles) -> None:
    async with serving(tls_files=certificate) as server:
        player = await server.come(MOVE_BYTE, trust=trust_in(certificate))
        await player.sees()
        stopping = asyncio.create_task(server.stop())
        assert STOPPING in await player.last_words()
        await stopping


async def test_who_has_said_nothing_is_disconnected_without_a_word_where_tls_may_come(
    certificate: CertificateFiles,
) -> None:
    async with serving(tls_files=certificate) as server:
        silent = await server.come()
        while not server._arrivals:
            await turn()
        await server.stop()
        assert await silent.to_the_end() == b""


@pytest.mark.parametrize(
    "rude",
    [
        b"\x16\x03\x01\x00\x05hello",
        b"\x16\x03\x01\xff\xff" + b"x" * 70_000,
        b"\x16\x03\x01\x02\x00\x01",
    ],
)
async def test_a_handshake_that_comes_to_nothing_frees_its_place_and_is_logged(
    rude: bytes,
    certificate: CertificateFiles,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_server, "HANDSHAKE_TIMEOUT_S", 0.1)

    with caplog.at_level(logging.INFO, "jminesweeper.server"):
        async with serving(tls_files=certificate, max_per_address=1) as server:
            peer = await server.come(rude)
            await peer.to_the_end()
            await all_gone(server)
            player = await server.come(MOVE_BYTE)
            await player.sees()
            await player.leave()
    assert any("left before a packet: " in message for message in caplog.messages)


def test_old_versions_of_tls_are_not_spoken(certificate: CertificateFiles) -> None:
    assert load_certificate(*certificate).minimum_version.name == "TLSv1_2"
