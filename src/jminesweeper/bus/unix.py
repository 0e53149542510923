"""The bus between the processes of one host: a folder with a datagram socket for each.

A publisher sends to every socket in the folder, its own included, and waits for none. A process
that does not read misses messages; the socket of one that was killed refuses, and the publisher
removes it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from functools import partial
from pathlib import Path
from typing import Final, Self

from jminesweeper.bus import Listener, Unsubscribe
from jminesweeper.bus.local import Listeners

OWN_DESCRIPTORS: Final = Path("/proc/self/fd")
LONGEST_MESSAGE: Final = 4096
HEARD_PER_STEP: Final = 64
_END_OF_TOPIC: Final = b"\0"

logger = logging.getLogger("jminesweeper.bus")


class _Folder:
    """A folder by a short name: sockets have no room for longer ones."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        short = OWN_DESCRIPTORS / str(self._descriptor)
        self.path = short if OWN_DESCRIPTORS.exists() else path

    def close(self) -> None:
        os.close(self._descriptor)


class UnixBus:
    """Use it by `open`, on a running event loop, and `close` it there."""

    def __init__(self, folder: _Folder, own: socket.socket, path: Path) -> None:
        self._folder = folder
        self._socket = own
        self._path = path
        self._listeners = Listeners()
        asyncio.get_running_loop().add_reader(own, self._hear)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Join the bus of a folder; OSError if it cannot hold a socket."""
        folder.mkdir(mode=0o700, exist_ok=True)
        opened = _Folder(folder)
        own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = opened.path / os.urandom(6).hex()
        try:
            own.setblocking(False)
            own.bind(os.fspath(path))
        except OSError:
            own.close()
            opened.close()
            raise
        return cls(opened, own, path)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._path.unlink(missing_ok=True)
        self._folder.close()

    def publish(self, topic: str, message: bytes) -> None:
        datagram = topic.encode() + _END_OF_TOPIC + message
        try:
            paths = list(self._folder.path.iterdir())
        except OSError as error:
            logger.warning("a message was dropped: %s", error)
            return
        for path in paths:
            self._send(datagram, path)

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        self._listeners.add(topic, listener)
        return partial(self._listeners.remove, topic, listener)

    def _send(self, datagram: bytes, path: Path) -> None:
        try:
            self._socket.sendto(datagram, os.fspath(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
        except OSError as error:  # It does not read, or has gone: it will look into the store.
            logger.debug("a message was dropped: %s", error)

    def _hear(self) -> None:
        for _ in range(HEARD_PER_STEP):
            try:
                datagram = self._socket.recv(LONGEST_MESSAGE)
            except BlockingIOError:
                return
            topic, _, message = datagram.partition(_END_OF_TOPIC)
            self._listeners.tell(topic.decode(errors="replace"), message)
