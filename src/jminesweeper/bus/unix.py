"""The bus between the processes of one host: a folder with a datagram socket for each.

A publisher sends what one step of its loop published to every other socket in the folder, and waits
for none. A process that reads too slowly misses messages, for the system holds only a few
datagrams, and the next thing that it hears is that it did. The socket of one that was killed
refuses, and the publisher removes it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import struct
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from jminesweeper.bus import MISSED, Listener, Unsubscribe
from jminesweeper.bus.local import Listeners

OWN_DESCRIPTORS: Final = Path("/proc/self/fd")
LONGEST_DATAGRAM: Final = 1 << 15
HEARD_PER_STEP: Final = 64
RETRY_S: Final = 0.05
"""How soon a process that reads too slowly is told again that it missed messages."""
_LENGTHS: Final = struct.Struct(">HH")

logger = logging.getLogger("jminesweeper.bus")


class UnixBus:
    """Joins the bus of a folder, on a running event loop; OSError if it cannot hold a socket."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        with ExitStack() as opened:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            opened.callback(os.close, descriptor)
            # The address of a socket has no room for a long path.
            short = OWN_DESCRIPTORS / str(descriptor)
            self._folder = short if OWN_DESCRIPTORS.exists() else folder
            self._path = self._folder / os.urandom(6).hex()
            self._socket = opened.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
            self._socket.setblocking(False)
            self._socket.bind(os.fspath(self._path))
            opened.callback(self._path.unlink, missing_ok=True)
            self._opened = opened.pop_all()
        self._listeners = Listeners()
        self._outgoing: list[tuple[str, bytes]] = []
        self._behind: set[Path] = set()
        """Who missed messages and has not been told."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._socket, self._hear)
        self._is_open = True

    def close(self) -> None:
        self._is_open = False
        self._loop.remove_reader(self._socket)
        self._opened.close()

    def publish(self, topic: str, message: bytes) -> None:
        if not self._outgoing:
            self._loop.call_soon(self._send)
        self._outgoing.append((topic, message))

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        self._listeners.add(topic, listener)
        return partial(self._listeners.remove, topic, listener)

    def _send(self) -> None:
        if not self._is_open:
            return
        messages, self._outgoing = self._outgoing, []
        for topic, message in messages:
            self._listeners.tell(topic, message)
        try:
            others = [path for path in self._folder.iterdir() if path.name != self._path.name]
        except OSError as error:
            logger.warning("%d messages were dropped: %s", len(messages), error)
            return
        datagrams = [*_pack(messages)]
        for path in others:
            self._send_to(path, datagrams)
        self._behind.intersection_update(others)
        if self._behind:
            self._loop.call_later(RETRY_S, self._send)

    def _send_to(self, path: Path, datagrams: Iterable[bytes]) -> None:
        try:
            if path in self._behind:
                self._socket.sendto(MISSED, os.fspath(path))
                self._behind.discard(path)
            for datagram in datagrams:
                self._socket.sendto(datagram, os.fspath(path))
        except BlockingIOError:
            self._behind.add(path)
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
        except OSError as error:  # It has gone meanwhile.
            logger.debug("messages were dropped: %s", error)

    def _hear(self) -> None:
        for _ in range(HEARD_PER_STEP):
            try:
                datagram = self._socket.recv(LONGEST_DATAGRAM)
            except BlockingIOError:
                return
            if datagram == MISSED:
                for topic in self._listeners.topics:
                    self._listeners.tell(topic, MISSED)
            for topic, message in _unpack(datagram):
                self._listeners.tell(topic, message)


def _pack(messages: Iterable[tuple[str, bytes]]) -> Iterator[bytes]:
    """Put messages one after the other, in as few datagrams as hold them."""
    packed = bytearray()
    for topic, message in messages:
        name = topic.encode()
        if packed and len(packed) + _LENGTHS.size + len(name) + len(message) > LONGEST_DATAGRAM:
            yield bytes(packed)
            packed.clear()
        packed += _LENGTHS.pack(len(name), len(message)) + name + message
    if packed:
        yield bytes(packed)


def _unpack(datagram: bytes) -> Iterator[tuple[str, bytes]]:
    while len(datagram) > _LENGTHS.size:
        name, message = _LENGTHS.unpack_from(datagram)
        datagram = datagram[_LENGTHS.size :]
        yield datagram[:name].decode(errors="replace"), datagram[name : name + message]
        datagram = datagram[name + message :]
