"""What a server decides for all its sessions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConfig:
    """Immutable, and shared by every session of a server."""

    debug_allowed: bool = True
