"""What an operator decides about a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEFAULT_PORT: Final = 9999
ALL_INTERFACES: Final = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """Where a server listens and what it puts up with; 0 means no limit for the two caps."""

    host: str = ALL_INTERFACES
    port: int | None = DEFAULT_PORT
    """0: any free port. None: listen nowhere, for a server that is only played on embedded."""
    max_connections: int = 10_000
    max_per_address: int = 1_000
    idle_timeout_s: float = 900.0
    write_timeout_s: float = 30.0
    """How long a peer may leave a reply unread."""
    linger_s: float = 2.0
    """How long a peer that was told goodbye may take to hang up itself."""
    stop_timeout_s: float = 5.0
    """How long all farewells together may take when the server stops."""
