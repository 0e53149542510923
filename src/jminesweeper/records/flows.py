"""What a flow is."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

from jminesweeper.store.port import Commit, Read

T = TypeVar("T")

Flow: TypeAlias = Generator[Read | Commit, Any, T]
"""Asks a store and gets its answers; an error of the store is raised in it."""
