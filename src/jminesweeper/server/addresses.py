"""Peers' addresses: as a person reads them, and as the limit per address counts them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

SocketAddress = tuple[str, int] | tuple[str, int, int, int]


def _normal(host: str) -> IPv4Address | IPv6Address:
    """See through a dual-stack socket, which shows an IPv4 peer as ::ffff:a.b.c.d."""
    address = ip_address(host.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def format_address(address: SocketAddress) -> str:
    """`host:port`, with brackets around an IPv6 host."""
    host = _normal(address[0])
    return f"[{host}]:{address[1]}" if isinstance(host, IPv6Address) else f"{host}:{address[1]}"


def origin_of(address: SocketAddress) -> str:
    """Whom the limit per address counts: one IPv6 customer owns a whole /64."""
    host = _normal(address[0])
    if isinstance(host, IPv6Address):
        return str(IPv6Network((int(host) >> 64 << 64, 64)))
    return str(host)
