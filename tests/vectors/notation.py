"""Packets as the JSON of the vectors writes them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NotRequired, TypeAlias, TypedDict

from jminesweeper.protocol.packets import Packet, UnknownPacket
from jminesweeper.protocol.vocabulary import Command

FOLDER = Path(__file__).parent

Described: TypeAlias = dict[str, str | int]


class Vector(TypedDict):
    """Bytes of one direction, and what they say."""

    name: str
    pieces: list[str]
    packets: list[Described]
    error: NotRequired[str]


class Step(TypedDict):
    """Something a client sends, and what a server does about it."""

    send: list[str]
    replies: NotRequired[int]
    shows: NotRequired[list[str]]
    closes: NotRequired[bool]
    error: NotRequired[bool]


class Exchange(TypedDict):
    """A whole connection."""

    name: str
    steps: list[Step]


# What JSON cannot say itself: a key is bytes, a screen is text that came as bytes.
_BYTES_NOTATION: Mapping[str, Callable[[bytes], str]] = {
    "key": bytes.hex,
    "text": bytes.decode,
    "cells": bytes.hex,
}


def describe(packet: Packet) -> Described:
    if isinstance(packet, Command):
        return {"packet": packet.name}
    if isinstance(packet, UnknownPacket):
        return {"packet": packet.packet_type, "length": packet.length}
    described: Described = {"packet": packet.packet_type.name}
    for field in dataclasses.fields(packet):
        value = getattr(packet, field.name)
        is_bytes = isinstance(value, bytes)
        described[field.name] = _BYTES_NOTATION[field.name](value) if is_bytes else value
    return described


def load_vectors(path: Path) -> list[Vector]:
    vectors: list[Vector] = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return vectors


def load_exchanges() -> list[Exchange]:
    text = (FOLDER / "exchanges.json").read_text(encoding="utf-8")
    exchanges: list[Exchange] = json.loads(text)["exchanges"]
    return exchanges
