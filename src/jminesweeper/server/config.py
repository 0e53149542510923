"""The configuration of a server: its operator's limits, and everything behind its connections.

`ServerConfig` is what an operator decides. `Backend` is the rest of the program as the server sees
it: something that makes a session for each player, a store, workers and a function that plays a
long log again. The server asks all of them and knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeAlias

from jminesweeper.bus import Bus
from jminesweeper.core.generator import RandomBits
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet
from jminesweeper.session.matches import Matches
from jminesweeper.session.reply import Event, Rebuild, Reply, Review, SolverQuestion, Wait
from jminesweeper.store.errors import Fault
from jminesweeper.store.port import Job

DEFAULT_PORT: Final = 9999
ALL_INTERFACES: Final = ""

Network: TypeAlias = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class AdminConfig:
    """Where health and figures are served."""

    host: str
    port: int
    needs_store: bool = False
    """A server that cannot reach its store is not healthy."""
    version: str = ""
    """The version of the program, for the figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Where a server listens and what it accepts; for the two caps 0 means no limit."""

    host: str = ALL_INTERFACES
    port: int | None = DEFAULT_PORT
    """0: any free port. None: listen nowhere, for a server that only has embedded players."""
    max_connections: int = 10_000
    max_per_address: int = 1_000
    silence_timeout_s: float = 60.0
    """How long a connection may send no packet at all before the server hangs up."""
    idle_timeout_s: float = 900.0
    """How long a player may send nothing."""
    write_timeout_s: float = 30.0
    """How long a peer may leave a reply unread."""
    linger_s: float = 2.0
    """How long a peer may take to hang up after its last screen."""
    stop_timeout_s: float = 5.0
    """How long all farewells together may take when the server stops."""
    admin: AdminConfig | None = None
    """Where an operator's programs may ask about the server; None: nowhere."""
    tls_files: tuple[Path, Path] | None = None
    """A certificate chain and its key, to serve TLS on the same port."""
    proxies: tuple[Network, ...] = ()
    """Networks of proxies: their connections begin with a header naming the player's address."""
    public_url: str = ""
    """Where browsers find the page, if not at this server's own address."""


class GameSession(Protocol):
    """What one player sees and does, as a state machine; the server's only idea of a game."""

    @property
    def player_id(self) -> str: ...

    @property
    def is_stale(self) -> bool: ...

    @property
    def shows_every_s(self) -> float: ...

    def arrive(self, address: str, on_change: Callable[[bool], object]) -> None: ...

    def receive(self, packet: Packet, now_ms: int) -> Reply: ...

    def resolve(self, answer: object, now_ms: int) -> Reply: ...

    def notice(self, event: Event, now_ms: int) -> Reply: ...

    def show(self, now_ms: int) -> Reply: ...

    def draw_again(self, wait: Wait, replies: int, now_ms: int) -> Iterator[Reply]: ...

    def reject(self, error: ProtocolError, now_ms: int) -> Reply: ...

    def farewell(self, message: str, now_ms: int, *, is_final: bool = False) -> bytes: ...

    def leave(self, now_ms: int) -> Reply: ...


class JobStore(Protocol):
    """The part of the store that the server needs."""

    def submit(self, jobs: Sequence[Job], /) -> None: ...


class WebSocket(Protocol):
    """A stream of the game's protocol inside a WebSocket, as a state machine."""

    @property
    def is_over(self) -> bool: ...

    @property
    def outgoing(self) -> bytes: ...

    def receive(self, data: bytes) -> bytes: ...

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class WorkerLoad(NamedTuple):
    """How many processes there are, how many are at work, and how many requests wait for one."""

    processes: int
    busy: int
    waiting: int


class Solvers(Protocol):
    """Answers requests that would hold up the event loop."""

    @property
    def load(self) -> WorkerLoad: ...

    def ask(
        self,
        request: SolverQuestion | Review,
        asker: Hashable,
        origin: str,
        done: Callable[[object], None],
    ) -> None: ...

    def forget(self, asker: Hashable) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """Everything behind the connections."""

    new_session: Callable[[], GameSession]
    store: JobStore
    """Delivers its answers on the event loop: the writes of each submitter in their order."""
    workers: Solvers
    matches: Matches
    """Those of all sessions."""
    tokens: RandomBits
    """Draws unique names."""
    bus: Bus
    """Tells the other servers of the store what has changed."""
    rebuild: Callable[[Rebuild], object]
    """Called in another thread than the event loop's, for one long game at a time."""
    new_web_socket: Callable[[], WebSocket] | None = None
    """Opens a WebSocket for the page; None where that is not installed."""
    store_fault: Callable[[], Fault | None] = lambda: None
    """Returns why the store cannot be used now, if it cannot."""
    watch_store: Callable[[Callable[[], object]], object] = lambda _: None
    """Takes what to call when the store is available again."""
    is_crowded: Callable[[], bool] = lambda: False
    """Whether the store has come near its limit since this was asked last."""
    kept: str = "until the server stops"
    """Where games are stored, or for how long, for the log."""
