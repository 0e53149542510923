"""Lines for friends to type."""

from __future__ import annotations

import socket
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from jminesweeper.server.config import ServerConfig
from jminesweeper.server.listening import SocketAddress, invitations, own_hosts

EVERYWHERE: list[SocketAddress] = [("0.0.0.0", 9999), ("::", 9999, 0, 0)]
HOSTS = ["192.0.2.5", "198.51.100.7"]
FILES = (Path("a"), Path("a"))


@pytest.mark.parametrize(
    ("addresses", "config", "has_page", "said"),
    [
        (
            EVERYWHERE,
            ServerConfig(),
            True,
            [
                "192.0.2.5, or in a browser: http://192.0.2.5:9999/",
                "198.51.100.7, or in a browser: http://198.51.100.7:9999/",
            ],
        ),
        ([("203.0.113.9", 4444)], ServerConfig(), False, ["203.0.113.9:4444"]),
        (
            [("2001:db8::1", 9999, 0, 0)],
            ServerConfig(tls_files=FILES),
            True,
            ["tls://[2001:db8::1], or in a browser: https://[2001:db8::1]:9999/"],
        ),
        (EVERYWHERE, ServerConfig(proxies=(ip_network("10.0.0.0/8"),)), True, []),
    ],
    ids=["everywhere", "one address", "TLS", "behind a proxy"],
)
def test_friends_are_told_what_to_type(
    addresses: list[SocketAddress], config: ServerConfig, has_page: bool, said: list[str]
) -> None:
    lines = invitations(addresses, HOSTS, config, has_page=has_page)
    assert [*lines] == [f"to play: ./run_client.sh {each}" for each in said]


def test_the_machines_addresses_can_be_listened_on() -> None:
    for host in own_hosts():
        assert not ip_address(host).is_loopback
        with socket.create_server((host, 0)):
            pass
