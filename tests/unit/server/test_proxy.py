"""The header of a proxy: whose connection it is, in any chopping, and bytes that are none."""

from __future__ import annotations

import struct
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.server.door import (
    LONGEST_HEADER,
    SIGNATURE,
    ProxyError,
    ProxyHeader,
    is_from,
    parse_header,
)
from jminesweeper.server.listening import SocketAddress
from tests.proxy_header import LOCAL, UNSPECIFIED, proxy_header

HEADER4 = proxy_header("192.0.2.7", 4321)
HEADER6 = proxy_header("2001:db8::7", 4321)


@pytest.mark.parametrize("host", ["192.0.2.7", "2001:db8::7", "0.0.0.0", "::"])
def test_a_header_names_the_player(host: str) -> None:
    data = proxy_header(host, 4321)
    assert parse_header(data) == ProxyHeader(len(data), False, (host, 4321))


def test_an_ipv4_player_is_one_whichever_way_the_proxy_writes_it() -> None:
    header = parse_header(proxy_header("::ffff:192.0.2.7", 1))
    assert header is not None
    assert header.source == ("192.0.2.7", 1)


def test_a_check_of_the_proxy_is_the_proxys_own() -> None:
    assert parse_header(LOCAL) == ProxyHeader(16, True, None)
    # Whatever a LOCAL header carries is to be skipped.
    assert parse_header(proxy_header("192.0.2.7", 1, command=0x20)) == ProxyHeader(28, True, None)


@pytest.mark.parametrize("family", [0x00, 0x31, 0x32, 0x12, 0x22, 0xFF])
def test_a_family_that_is_no_tcp_names_nobody(family: int) -> None:
    assert parse_header(proxy_header("192.0.2.7", 1, family=family)) == ProxyHeader(28, False, None)
    assert parse_header(UNSPECIFIED) == ProxyHeader(16, False, None)


@pytest.mark.parametrize("extension", [b"\x04\x00\x01\x00", b"\x20\xff\xffnonsense", b"x" * 500])
def test_extensions_are_skipped(extension: bytes) -> None:
    data = proxy_header("192.0.2.7", 1, extension=extension)
    header = parse_header(data + b"GET")
    assert header == ProxyHeader(len(data), False, ("192.0.2.7", 1))


@pytest.mark.parametrize("data", [HEADER4, HEADER6, LOCAL])
def test_a_header_waits_for_its_last_byte(data: bytes) -> None:
    assert [parse_header(data[:size]) for size in range(len(data))] == [None] * len(data)
    assert parse_header(data) is not None


@pytest.mark.parametrize(
    "data",
    [
        b"\x07",
        b"GET / HTTP/1.1",
        b"PROXY TCP4 192.0.2.7 192.0.2.8 1 2\r\n",
        b"\r\n\r\n\x00\r\nQUIX",
        SIGNATURE + b"\x11\x11\x00\x0c",
        SIGNATURE + b"\x22\x11\x00\x0c",
        SIGNATURE + b"\x21\x11\xff\xff",
        SIGNATURE + struct.pack(">BBH", 0x21, 0x11, LONGEST_HEADER),
        SIGNATURE + b"\x21\x11\x00\x0b" + b"x" * 11,
        SIGNATURE + b"\x21\x21\x00\x0c" + b"x" * 12,
        SIGNATURE + b"\x21\x11\x00\x00",
    ],
)
def test_other_bytes_are_no_header(data: bytes) -> None:
    with pytest.raises(ProxyError):
        parse_header(data)


@given(data=st.binary(max_size=64), has_signature=st.booleans())
def test_any_bytes_are_a_header_the_beginning_of_one_or_an_error(
    data: bytes, *, has_signature: bool
) -> None:
    stream = SIGNATURE + data if has_signature else data
    try:
        header = parse_header(stream)
    except ProxyError:
        return
    assert header is None or header.size <= len(stream)


@given(
    host=st.ip_addresses(),
    port=st.integers(0, 65535),
    extension=st.binary(max_size=100),
    size=st.integers(0, 200),
)
def test_what_a_proxy_writes_is_read_however_it_is_cut(
    host: object, port: int, extension: bytes, size: int
) -> None:
    data = proxy_header(str(host), port, extension=extension)
    header = parse_header(data[:size])
    assert (header is None) is (size < len(data))
    if header is not None and header.source is not None:
        said = ip_address(str(host))
        assert header.source == (str(getattr(said, "ipv4_mapped", None) or said), port)


@pytest.mark.parametrize(
    ("network", "address", "belongs"),
    [
        ("10.0.0.0/8", ("10.1.2.3", 1), True),
        ("10.0.0.0/8", ("::ffff:10.1.2.3", 1, 0, 0), True),
        ("10.0.0.0/8", ("11.1.2.3", 1), False),
        ("10.0.0.0/8", ("2001:db8::1", 1, 0, 0), False),
        ("2001:db8::/32", ("2001:db8::1", 1, 0, 0), True),
        ("fe80::/10", ("fe80::1%eth0", 1, 0, 2), True),
        ("192.0.2.7/32", ("192.0.2.7", 1), True),
    ],
)
def test_a_proxy_is_known_by_its_address(
    network: str, address: SocketAddress, *, belongs: bool
) -> None:
    assert is_from((ip_network("198.51.100.0/24"), ip_network(network)), address) is belongs


def test_without_a_network_nobody_is_a_proxy() -> None:
    assert not is_from((), ("127.0.0.1", 1))
