"""Listening, taking connections, and what addresses say."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fcntl import F_DUPFD, fcntl
from typing import TypeAlias

import pytest

from jminesweeper.server import listening
from jminesweeper.server.listening import (
    Acceptor,
    ListenError,
    SocketAddress,
    format_address,
    listening_addresses,
    open_listeners,
    origin_of,
    take_inherited,
)

LOOPBACK = "127.0.0.1"
Inherit: TypeAlias = Callable[..., list[socket.socket]]


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as sockets:
        yield sockets


def test_all_interfaces_are_one_port_for_both_kinds_of_addresses(opened: ExitStack) -> None:
    (listener,) = open_listeners("", 0)
    opened.enter_context(listener)
    addresses = listening_addresses(listener)
    assert [address[0] for address in addresses] == ["0.0.0.0", "::"]
    assert addresses[0][1] == addresses[1][1] != 0


def test_a_machine_without_ipv6_listens_on_ipv4(
    opened: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_server = socket.create_server

    def without_ipv6(address: tuple[str, int], **settings: object) -> socket.socket:
        if settings.get("family") == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "no IPv6 here")
        return create_server(address, backlog=1)

    monkeypatch.setattr(socket, "create_server", without_ipv6)
    (listener,) = open_listeners("", 0)
    opened.enter_context(listener)
    assert [address[0] for address in listening_addresses(listener)] == ["0.0.0.0"]


def test_a_named_host_is_listened_on_alone(opened: ExitStack) -> None:
    (listener,) = open_listeners(LOOPBACK, 0)
    opened.enter_context(listener)
    assert [address[0] for address in listening_addresses(listener)] == [LOOPBACK]


def test_every_address_of_a_name_gets_the_same_port(
    opened: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0)),
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.2", 0)),
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    listeners = [opened.enter_context(each) for each in open_listeners("somewhere", 0)]
    assert len({each.getsockname()[1] for each in listeners}) == 1
    assert [each.getsockname()[0] for each in listeners] == ["127.0.0.1", "127.0.0.2"]


def test_a_busy_port_is_reported(opened: ExitStack) -> None:
    (listener,) = open_listeners(LOOPBACK, 0)
    opened.enter_context(listener)
    port = listener.getsockname()[1]
    with pytest.raises(ListenError, match=rf"127.0.0.1, port {port}: the port is in use already"):
        open_listeners(LOOPBACK, port)
    with pytest.raises(ListenError, match=rf"all interfaces, port {port}: the port is in use"):
        open_listeners("", port)


def test_an_address_of_another_machine_is_reported() -> None:
    with pytest.raises(ListenError, match="this machine has no such address"):
        open_listeners("192.0.2.1", 0)


@pytest.mark.parametrize("host", ["no host", "\udcff", "a" * 64])
def test_a_host_that_is_none_is_reported(host: str) -> None:
    with pytest.raises(ListenError, match=f"Cannot listen on {host}, port 1: "):
        open_listeners(host, 1)


def test_a_missing_permission_is_reported() -> None:
    error = ListenError("", 80, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    assert str(error) == (
        "Cannot listen on all interfaces, port 80: "
        "no permission; ports below 1024 need a privilege."
    )


# Inherited sockets


def listening_on(opened: ExitStack, kind: int = socket.SOCK_STREAM) -> socket.socket:
    listener = opened.enter_context(socket.socket(socket.AF_INET, kind))
    listener.bind((LOOPBACK, 0))
    return listener


@pytest.fixture
def inherit(monkeypatch: pytest.MonkeyPatch) -> Inherit:
    """Take over a file descriptor, as a process that systemd started with it does."""

    def take(descriptor: int, count: int = 1) -> list[socket.socket]:
        monkeypatch.setattr(listening, "_FIRST_OF_SYSTEMD", descriptor)
        return take_inherited({"LISTEN_FDS": str(count), "LISTEN_PID": "42"}, 42)

    return take


def test_sockets_of_systemd_are_taken_over(opened: ExitStack, inherit: Inherit) -> None:
    listener = listening_on(opened)
    listener.listen()
    copy = os.dup(listener.fileno())
    (taken,) = inherit(copy)
    opened.enter_context(taken)
    assert taken.fileno() == copy
    assert taken.getsockname() == listener.getsockname()
    assert not taken.get_inheritable()


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"LISTEN_FDS": "1"},
        {"LISTEN_FDS": "1", "LISTEN_PID": "43"},
        {"LISTEN_FDS": "0", "LISTEN_PID": "42"},
        {"LISTEN_FDS": "one", "LISTEN_PID": "42"},
        {"LISTEN_PID": "42"},
    ],
)
def test_sockets_for_somebody_else_are_left_alone(environment: dict[str, str]) -> None:
    assert take_inherited(environment, 42) == []


def test_what_does_not_listen_is_no_listening_socket(opened: ExitStack, inherit: Inherit) -> None:
    with pytest.raises(ListenError, match=r"the inherited socket, port \d+: it does not listen"):
        inherit(os.dup(listening_on(opened).fileno()))
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(ListenError, match="it is not for TCP"):
        inherit(os.dup(ours.fileno()))
    with pytest.raises(ListenError, match="non-socket"):
        inherit(os.open(os.devnull, os.O_RDONLY))


def test_one_bad_socket_gives_the_others_back(opened: ExitStack, inherit: Inherit) -> None:
    listener = listening_on(opened)
    listener.listen()
    copy = fcntl(listener.fileno(), F_DUPFD, 500)
    with pytest.raises(ListenError):
        inherit(copy, 2)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(copy)


class Guests:
    """Collects accepted connections and lets a test wait for them."""

    def __init__(self) -> None:
        self.arrived: asyncio.Queue[socket.socket] = asyncio.Queue()

    def welcome(self, guest: socket.socket, _address: SocketAddress) -> None:
        self.arrived.put_nowait(guest)


async def test_connections_are_taken_until_the_acceptor_is_closed() -> None:
    (listener,) = open_listeners(LOOPBACK, 0)
    guests = Guests()
    acceptor = Acceptor(listener, guests.welcome)
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(socket.create_connection(listener.getsockname()))
            opened.enter_context(await guests.arrived.get())
        acceptor.close()
    assert listener.fileno() == -1


async def test_who_shares_a_socket_takes_one_connection_at_a_time() -> None:
    (listener,) = open_listeners(LOOPBACK, 0)
    guests = Guests()
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(socket.create_connection(listener.getsockname()))
        acceptor = Acceptor(listener, guests.welcome, is_shared=True)
        opened.enter_context(await guests.arrived.get())
        assert guests.arrived.empty()
        for _ in range(2):
            opened.enter_context(await guests.arrived.get())
        acceptor.close()


class FullListener(socket.socket):
    """For its first connection the system has no descriptor left."""

    refusals = 0

    def accept(self) -> tuple[socket.socket, SocketAddress]:
        if not self.refusals:
            self.refusals += 1
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


def full_listener() -> FullListener:
    (listener,) = open_listeners(LOOPBACK, 0)
    return FullListener(listener.family, listener.type, fileno=listener.detach())


async def test_a_lack_of_descriptors_is_waited_out(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "REST_S", 0.01)

    with caplog.at_level(logging.WARNING):
        listener = full_listener()
        guests = Guests()
        acceptor = Acceptor(listener, guests.welcome)
        with socket.create_connection(listener.getsockname()), await guests.arrived.get():
            assert listener.refusals == 1
        acceptor.close()
    assert caplog.messages == ["no connection can be taken just now: Too many open files"]


async def test_an_acceptor_can_be_closed_while_it_rests() -> None:
    listener = full_listener()
    rested = asyncio.Event()

    class Resting(Acceptor):
        def _take_a_rest(self, error: OSError) -> None:
            super()._take_a_rest(error)
            rested.set()

    acceptor = Resting(listener, Guests().welcome)
    with socket.create_connection(listener.getsockname()):
        await rested.wait()
        acceptor.close()
    assert listener.fileno() == -1


# Addresses


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (("192.0.2.7", 4321), "192.0.2.7:4321"),
        (("::ffff:192.0.2.7", 4321, 0, 0), "192.0.2.7:4321"),
        (("2001:db8::1", 4321, 0, 0), "[2001:db8::1]:4321"),
        (("fe80::1%eth0", 4321, 0, 2), "[fe80::1]:4321"),
        (("::", 9999, 0, 0), "[::]:9999"),
    ],
)
def test_an_address_reads_as_a_person_writes_it(address: SocketAddress, text: str) -> None:
    assert format_address(address) == text


def test_an_ipv4_address_counts_alone_whichever_way_it_came() -> None:
    assert origin_of(("192.0.2.7", 1)) == origin_of(("::ffff:192.0.2.7", 2, 0, 0))
    assert origin_of(("192.0.2.7", 1)) != origin_of(("192.0.2.8", 1))


def test_ipv6_addresses_of_one_customer_count_together() -> None:
    assert origin_of(("2001:db8:0:1::a", 1, 0, 0)) == origin_of(("2001:db8:0:1:f::b", 2, 0, 0))
    assert origin_of(("2001:db8:0:1::a", 1, 0, 0)) != origin_of(("2001:db8:0:2::a", 1, 0, 0))
