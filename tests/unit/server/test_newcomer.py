"""A connection of which nothing has been heard: whose it is, and who speaks."""

from __future__ import annotations

import logging

import pytest

from jminesweeper.server.config import ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.hub import ORIGIN_FULL, Hub
from jminesweeper.server.newcomer import NOT_FROM_HERE, Newcomer
from tests.proxy_header import LOCAL, UNSPECIFIED, proxy_header
from tests.unit.server.fakes import (
    MOVE_BYTE,
    FakeClock,
    FakeSession,
    FakeTransport,
    backend_of,
    on_loop,
)

PROXY = "192.0.2.1:50000"
HEADER = proxy_header("198.51.100.7", 4321)


class Place:
    """A server that a proxy is in front of."""

    def __init__(self, *, max_per_address: int = 0) -> None:
        self.clock = FakeClock()
        config = ServerConfig(max_per_address=max_per_address)
        self.hub = Hub(config, backend_of(FakeSession), self.clock, self.clock)

    def connect(self, *parts: bytes, is_proxied: bool = True) -> tuple[Newcomer, FakeTransport]:
        """Connect, and send these parts one after the other."""
        guest = Newcomer(self.hub, PROXY, "192.0.2.1", is_proxied=is_proxied)
        transport = FakeTransport()
        guest.connection_made(transport)
        for part in parts:
            guest.get_buffer(-1)[: len(part)] = part
            guest.buffer_updated(len(part))
        return guest, transport


@on_loop
async def test_whoever_comes_through_a_proxy_has_an_address_of_their_own() -> None:
    guest, transport = Place().connect(HEADER, MOVE_BYTE)
    assert (guest.peer, guest.origin) == ("198.51.100.7:4321", "198.51.100.7")
    assert transport.written == b"<1>"


@on_loop
async def test_ipv6_players_behind_a_proxy_count_by_their_network() -> None:
    guest, _ = Place().connect(proxy_header("2001:db8::7", 4321))
    assert (guest.peer, guest.origin) == ("[2001:db8::7]:4321", "2001:db8::/64")


@on_loop
async def test_header_and_packets_may_come_together_or_byte_by_byte() -> None:
    stream = HEADER + MOVE_BYTE * 2
    assert Place().connect(stream)[1].written == b"<1><2>"
    parts = (bytes((byte,)) for byte in stream)
    assert Place().connect(*parts)[1].written == b"<1><2>"


@on_loop
async def test_the_limit_per_address_counts_players_and_not_their_proxy() -> None:
    place = Place(max_per_address=1)
    place.connect(HEADER)
    _, other = place.connect(proxy_header("198.51.100.8", 1), MOVE_BYTE)
    assert other.written == b"<1>"
    _, again = place.connect(proxy_header("198.51.100.7", 1), MOVE_BYTE)
    assert again.written == f"<{ORIGIN_FULL}>".encode()


@on_loop
async def test_nobody_is_counted_before_it_is_known_who_it_is() -> None:
    place = Place(max_per_address=1)
    guest, _ = place.connect(HEADER[:20])
    assert place.hub.totals.connections == 0
    assert place.hub.visitors == {guest}
    guest.connection_lost(None)
    assert not place.hub.visitors


@on_loop
async def test_a_proxy_that_falls_silent_is_disconnected() -> None:
    place = Place()
    _, transport = place.connect(HEADER[:20])
    place.clock.advance(61)
    place.hub.check_time()
    assert transport.is_half_closed


@on_loop
async def test_an_unfinished_header_does_not_hold_up_the_end() -> None:
    place = Place()
    guest, transport = place.connect(HEADER[:20])
    place.hub.say_goodbye("the end")
    assert transport.written == b"<the end>"
    guest.connection_lost(None)
    await place.hub.emptied(1)


@pytest.mark.parametrize("header", [LOCAL, UNSPECIFIED])
def test_a_header_that_names_nobody_leaves_the_proxys_address(header: bytes) -> None:
    @on_loop
    async def play() -> None:
        guest, transport = Place().connect(header, MOVE_BYTE)
        assert (guest.peer, guest.origin) == (PROXY, "192.0.2.1")
        assert transport.written == b"<1>"

    play()


def test_the_checks_of_a_proxy_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    @on_loop
    async def play() -> None:
        place = Place()
        for header in (LOCAL, HEADER):
            guest, _ = place.connect(header)
            guest.connection_lost(None)

    with caplog.at_level(logging.INFO):
        play()
    assert [message.split()[0] for message in caplog.messages] == ["198.51.100.7:4321"] * 2


def test_a_proxy_that_sends_no_header_serves_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """Or its clients could send one, and name any address."""

    @on_loop
    async def play() -> None:
        place = Place()
        guest, transport = place.connect(MOVE_BYTE, MOVE_BYTE)
        assert transport.written == f"<{NOT_FROM_HERE}>".encode()
        guest.connection_lost(None)
        assert place.hub.totals.connections == 0
        assert not place.hub.visitors

    play()
    assert caplog.messages == [f"{PROXY} sent no proxy header"]


@on_loop
async def test_a_second_header_is_a_bad_beginning() -> None:
    guest, transport = Place().connect(HEADER + proxy_header("203.0.113.9", 1))
    assert guest.peer == "198.51.100.7:4321"
    assert transport.written == INTRODUCTION


def test_a_header_from_elsewhere_changes_nothing_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @on_loop
    async def play() -> None:
        guest, transport = Place().connect(HEADER + MOVE_BYTE, is_proxied=False)
        assert guest.peer == PROXY
        assert transport.written == INTRODUCTION

    play()
    assert caplog.messages == [f"{PROXY} sent a proxy header; --proxy-from does not name it"]
