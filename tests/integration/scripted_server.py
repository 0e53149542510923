"""Servers of the protocol, and of none, that do exactly what a test tells them."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum, auto
from queue import Queue
from typing import Any, Final, TypeAlias

from jminesweeper.protocol.packets import Hello, Packet, ScreenContent, View, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Command, Direction

TIMEOUT_S = 60.0

Script: TypeAlias = Callable[["Peer"], None]


def view(cells: bytes = b"", **members: Any) -> View:
    """Make a view of what changed."""
    return View(json.dumps(members).encode(), cells)


def view_of(text: str = "", cells: bytes = b"", **members: Any) -> View:
    """Make a view; the text is said."""
    said = {"message": {"id": "said", "text": text}} if text else {}
    return view(cells, **said, **members)


class Peer:
    """The server's end of one connection."""

    def __init__(self, connection: socket.socket, received: Queue[Packet]) -> None:
        self.connection = connection
        self._received = received
        self._reader = PacketReader(Direction.FROM_CLIENT)
        self._waiting: list[Packet] = []

    def receive(self) -> Packet | None:
        """The next packet, or none if the client has hung up."""
        while not self._waiting:
            data = self.connection.recv(65536)
            if not data:
                return None
            self._waiting = self._reader.feed(data)
            for packet in self._waiting:
                self._received.put(packet)
        return self._waiting.pop(0)

    def send(self, packet: Packet) -> None:
        self.connection.sendall(encode(packet))

    def show(self, text: str) -> None:
        self.send(ScreenContent(f"\x1b[H\x1b[2J{text}\r\n".encode()))

    def announce(self) -> Hello:
        """Bring a client that has sent START to version 2."""
        assert self.receive() is not None
        self.send(ScreenContent(ANNOUNCEMENT + b"version 1 screen"))
        hello = self.receive()
        assert isinstance(hello, Hello)
        return hello

    def view(self, text: str = "", cells: bytes = b"", **members: Any) -> None:
        """Send what changed; the text is said."""
        self.send(view_of(text, cells, **members))


class ScriptedServer:
    """Listens on a free port; the n-th connection is served by the n-th script, or the last."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        self.received: Queue[Packet] = Queue()
        self._scripts = scripts
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._peers: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def expect(self, *packets: Packet) -> None:
        """These packets come next."""
        for packet in packets:
            assert self.received.get(timeout=TIMEOUT_S) == packet

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for peer in self._peers:
            with suppress(OSError):
                peer.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(TIMEOUT_S)
        for peer in self._peers:
            peer.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                script = self._scripts[min(len(self._peers), len(self._scripts) - 1)]
                self._peers.append(connection)
                thread = threading.Thread(target=self._serve, args=(script, connection))
                self._threads.append(thread)
                thread.start()

    def _serve(self, script: Script, connection: socket.socket) -> None:
        # The client may leave whenever it likes.
        with suppress(OSError):
            script(Peer(connection, self.received))
            connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving(*scripts: Script) -> Iterator[ScriptedServer]:
    server = ScriptedServer(scripts)
    try:
        yield server
    finally:
        server.close()


class Turn(Enum):
    """Actions of a server besides sending."""

    HEAR = auto()
    """It takes a packet."""
    ANNOUNCE = auto()
    """It brings a client that has sent START to version 2."""
    FALL_SILENT = auto()
    """It takes all packets until the client leaves."""
    RESET = auto()


HEAR, ANNOUNCE, FALL_SILENT, RESET = Turn


def scripted(*steps: Packet | bytes | str | Turn) -> Script:
    """Send packets, any bytes, or screens of version 1 by their text, and hang up at the end."""

    def script(peer: Peer) -> None:
        for step in steps:
            match step:
                case str():
                    peer.show(step)
                case bytes():
                    peer.connection.sendall(step)
                case Turn.HEAR:
                    peer.receive()
                case Turn.ANNOUNCE:
                    peer.announce()
                case Turn.FALL_SILENT:
                    while peer.receive() is not None:
                        continue
                case Turn.RESET:
                    linger = struct.pack("ii", 1, 0)
                    peer.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    peer.connection.close()
                case _:
                    peer.send(step)

    return script


def count_packets(peer: Peer) -> None:
    """Version 1: every packet is answered with a screen that counts and names it."""
    number = 0
    while (packet := peer.receive()) not in {None, Command.QUIT}:
        number += 1
        name = packet.name if isinstance(packet, Command) else type(packet).__name__
        peer.show(f"screen {number}\r\n{name}")


BOARD: Final[dict[str, Any]] = {
    "size": [9, 9],
    "state": "playing",
    "mines": 10,
    "left": 10,
    "keys": ["quit"],
}


def count_packets_2(peer: Peer) -> None:
    """Version 2: a board, and a message that counts and names every packet."""
    peer.announce()
    peer.view("view 1: Hello", **BOARD)
    number = 1
    while (packet := peer.receive()) not in {None, Command.QUIT}:
        number += 1
        name = packet.name if isinstance(packet, Command) else type(packet).__name__
        peer.view(f"view {number}: {name}")
