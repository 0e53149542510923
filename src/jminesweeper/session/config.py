"""Decisions of a server for all its sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from jminesweeper.core.minefield import RandomBits
from jminesweeper.session.messages import day_of


@dataclass(slots=True)
class Doors:
    """The ways in to a server, which it knows once it listens: friends are told them."""

    host: str = ""
    """The name or address that others reach it by; empty where nobody does."""
    port: int = 0
    page: str = ""
    """The page's address; empty without a page."""
    ssh_key: str = ""
    """The SSH host key's fingerprint; empty where nobody comes by SSH."""

    def members(self) -> dict[str, Any]:
        told = {"host": self.host, "port": self.port, "page": self.page, "ssh": self.ssh_key}
        return {name: value for name, value in told.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConfig:
    """Immutable, and shared by every session of a server."""

    debug_allowed: bool = True
    has_store: bool = False
    """A store answers; without one everybody plays from memory."""
    has_company: bool = True
    """Others can come; not to a server inside a client."""
    has_solver: bool = False
    """Workers answer: for hints, boards without guesses and reviews."""
    epoch_ms: Callable[[], int] = lambda: 0
    """Returns what to add to the sessions' time to get milliseconds since 1970, in UTC. It
    changes when the machine has slept, and when its clock is set."""
    day_seed: Callable[[date], bytes | None] = lambda _day: None
    """Returns the seed of a day's boards; None without boards of the day."""
    doors: Doors = field(default_factory=Doors)
    tokens: RandomBits | None = None
    """The source of unique names, where boards are predictable."""

    def seconds(self, now_ms: int) -> int:
        return (self.epoch_ms() + now_ms) // 1000

    def today(self, now_ms: int) -> date:
        return day_of(self.seconds(now_ms))
