"""What a flow is, and the steps that many of them have."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias, TypeVar

from jminesweeper.core.generator import RandomBits
from jminesweeper.store.port import VERSION_BITS, Commit, Document, Found, Read

T = TypeVar("T")

Flow: TypeAlias = Generator[Read | Commit, Any, T]
"""Asks a store and gets its answers; an error of the store is raised in it."""


def read_document(key: str) -> Flow[Document]:
    found: Found = yield Read((key,))
    return found.documents[0]


def new_version(draw: RandomBits) -> int:
    return draw(VERSION_BITS) | 1
