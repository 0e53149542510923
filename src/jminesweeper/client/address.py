"""Addresses of servers: `HOST`, `HOST:PORT` or `[IPV6]:PORT`, after `tls://` for TLS."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final, Self

from jminesweeper.client import ClientError

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 9999

LOCAL_NAME: Final = "localhost"
_LOCAL_NAMES: Final = frozenset({LOCAL_NAME, "ip6-localhost", "ip6-loopback"})
_ADDRESS: Final = re.compile(
    r"(?P<tls>tls://)?"
    r"(?:(?:\[(?P<bracketed>[^\[\]\s]+)\]|(?P<host>[^:/\[\]\s]+))(?::(?P<port>[0-9]{1,5}))?"
    r"|(?P<bare>[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%\w]*))"
)


class AddressError(ClientError):
    """The text is not the address of a server."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host by name or number, a TCP port, and whether to speak TLS there."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    has_tls: bool = False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls://' if self.has_tls else ''}{host}:{self.port}"

    @property
    def is_local(self) -> bool:
        """True if the host, as written, can only be this machine."""
        host = self.host.lower().rstrip(".")
        try:
            number = ipaddress.ip_address(host.partition("%")[0])
        except ValueError:
            return host in _LOCAL_NAMES or host.endswith(".localhost")
        return number.is_loopback or number.is_unspecified

    @property
    def name(self) -> str:
        """The name that a player's key is hashed with; everything on this machine has the same."""
        if self.is_local:
            return LOCAL_NAME
        host = self.host.lower().rstrip(".")
        return str(Address(host, self.port))

    @classmethod
    def parse(cls, text: str, default_port: int = DEFAULT_PORT) -> Self:
        """Read an address from text."""
        match = _ADDRESS.fullmatch(text)
        if match is None:
            raise AddressError(f"'{text}' is not HOST, HOST:PORT, [IPV6]:PORT or tls://HOST")
        port = int(match["port"]) if match["port"] else default_port
        if not 1 <= port <= 65535:
            raise AddressError(f"port {port} is not in the range 1 to 65535")
        host = match["bracketed"] or match["host"] or match["bare"]
        return cls(host, port, has_tls=match["tls"] is not None)
