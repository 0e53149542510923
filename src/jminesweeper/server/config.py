"""The configuration of a server: its operator's limits, and everything behind its connections.

`ServerConfig` is what an operator decides. `Backend` is the rest of the program as the server sees
it: something that makes a session for each player, a store, workers and a function that plays a
long log again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from jminesweeper.bus import Bus
from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.minefield import RandomBits
from jminesweeper.records.days import DaySeeds
from jminesweeper.session.config import Doors
from jminesweeper.session.matches import Matches
from jminesweeper.session.reply import Rebuild
from jminesweeper.store.port import Fault, Store

if TYPE_CHECKING:
    import asyncio

    from jminesweeper.server.connection import Connection
    from jminesweeper.server.hub import Hub
    from jminesweeper.server.web_socket import WebSocketStream
    from jminesweeper.server.workers import Workers
    from jminesweeper.session.session import Session

DEFAULT_PORT: Final = 9999
ALL_INTERFACES: Final = ""

Clock: TypeAlias = Callable[[], int]
"""Returns nanoseconds, and never runs backwards."""
Network: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class AdminConfig:
    """The address at which health and figures are served."""

    host: str
    port: int
    needs_store: bool = False
    """A server that cannot reach its store is not healthy."""
    version: str = ""
    """The version of the program, for the figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """The address of a server, and its limits; for the two caps 0 means no limit."""

    host: str = ALL_INTERFACES
    port: int | None = DEFAULT_PORT
    """0: any free port. None: listen nowhere, for a server that only has embedded players."""
    max_connections: int = 10_000
    max_per_address: int = 1_000
    silence_timeout_s: float = 60.0
    """Time that a connection may send no packet at all before the server hangs up."""
    idle_timeout_s: float = 900.0
    """Time that a player may send nothing."""
    write_timeout_s: float = 30.0
    """Time that a peer may leave a reply unread."""
    linger_s: float = 2.0
    """Time that a peer may take to hang up after its last screen."""
    stop_timeout_s: float = 5.0
    """Time that all farewells together may take when the server stops."""
    admin: AdminConfig | None = None
    """The address for an operator's programs; None: there is none."""
    tls_files: tuple[Path, Path] | None = None
    """A certificate chain and its key, to serve TLS on the same port."""
    proxies: tuple[Network, ...] = ()
    """Networks of proxies: their connections begin with a header naming the player's address."""
    public_url: str = ""
    """The page's address for browsers, if it is not this server's own."""


@dataclass(frozen=True)
class SshConfig:
    """The door for players who have only `ssh`."""

    key: Path
    """The host key, by which players recognise the server; made if missing."""
    max_players: int = 128
    """An SSH player costs what twenty with a client of their own cost. 0: no limit."""
    max_logins_per_address: int = 8
    """Logins under way at a time from one address."""


class HostKeyError(JMinesweeperError):
    """The SSH host key cannot be used."""


class SshHost(Protocol):
    """The door for connections that begin with SSH."""

    @property
    def fingerprint(self) -> str:
        """The host key's, as OpenSSH shows it."""

    def welcome(
        self, connection: Connection, transport: asyncio.Transport, beginning: bytes, /
    ) -> None:
        """Speak SSH on a transport, and let its player play through the connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """Everything behind the connections."""

    new_session: Callable[[], Session]
    store: Store
    """Delivers its answers on the event loop: the writes of each submitter in their order."""
    workers: Workers
    matches: Matches
    """The matches of all sessions."""
    tokens: RandomBits
    """Draws unique names."""
    bus: Bus
    """Notifies the other servers of the store of changes."""
    rebuild: Callable[[Rebuild], object]
    """Called in another thread than the event loop's, for one long game at a time."""
    day_seeds: DaySeeds | None = None
    """The source of the boards of the days, learnt as the server starts; None: there are none."""
    new_web_socket: Callable[[], WebSocketStream] | None = None
    """Opens a WebSocket for the page; None where that is not installed."""
    doors: Doors = field(default_factory=Doors)
    """The ways in that sessions tell friends; the server fills them in."""
    open_ssh: Callable[[Hub], SshHost] | None = None
    """Opens the door for SSH; None without SSH."""
    store_fault: Callable[[], Fault | None] = lambda: None
    """Returns why the store cannot be used now, if it cannot."""
    watch_store: Callable[[Callable[[], object]], object] = lambda _: None
    """Takes what to call when the store is available again."""
    is_crowded: Callable[[], bool] = lambda: False
    """Returns True if the store has come near its limit since the last call."""
    kept: str = "until the server stops"
    """The place of games, or the time for which they are kept, for the log."""
