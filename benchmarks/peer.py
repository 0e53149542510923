"""A player of version 2, through TCP or a WebSocket."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

from benchmarks.load import Stream
from benchmarks.processes import HOST
from jminesweeper.core.view import COVERED
from jminesweeper.protocol.packets import NewGame, OpenRoom, Packet, View, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.view import paint_faces
from jminesweeper.protocol.vocabulary import Direction, Feature, RoomKind

LIVE: Final = Feature.RESUME | Feature.LIVE
EXPERT: Final = NewGame("expert")
SHARED: Final = OpenRoom(RoomKind.SHARED)


class Peer:
    """A connection that plays by version 2."""

    def __init__(self, port: int, source: str = HOST, *, is_web: bool = False) -> None:
        self.socket = socket.create_connection((HOST, port), source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream: Stream = WebSocket(self.socket, port) if is_web else self.socket
        self._reader = PacketReader(Direction.FROM_SERVER)
        self.known: dict[str, Any] = {}
        self.faces = bytearray()
        self.answers = 0
        """Number of views that have come and were asked for."""

    def send(self, *packets: Packet) -> None:
        self.stream.sendall(b"".join(map(encode, packets)))

    def ask(self, packet: Packet) -> float:
        """Send a packet; return the seconds until its answer."""
        begun, answers = perf_counter(), self.answers
        self.send(packet)
        while self.answers == answers:
            self.read()
        return perf_counter() - begun

    def read(self) -> None:
        """Read what has come; ConnectionError if the server has gone."""
        data = self.stream.recv(65536)
        if not data:
            raise ConnectionResetError
        for view in self._reader.feed(data):
            if isinstance(view, View):
                self._take(view)

    def _take(self, view: View) -> None:
        said = view.members()
        self.known |= said
        self.answers += "unasked" not in said
        if "size" in said:
            columns, rows = said["size"]
            self.faces = bytearray((COVERED,)) * (columns * rows)
        paint_faces(self.faces, view.cells)

    def see(self, what: Callable[[dict[str, Any]], object]) -> None:
        while not what(self.known):
            self.read()


class WebSocket:
    """A socket whose bytes go through a WebSocket."""

    _UPGRADE = (
        "GET /play HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n"
        "Sec-WebSocket-Protocol: jminesweeper.2\r\n\r\n"
    )

    def __init__(self, plain: socket.socket, port: int) -> None:
        self._socket = plain
        self._unread = bytearray()
        plain.sendall(self._UPGRADE.format(f"{HOST}:{port}").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += plain.recv(1)
        if b" 101 " not in head:
            raise SystemExit(f"The server opens no WebSocket: {head!r}")

    def sendall(self, data: bytes, /) -> None:
        # Hidden by a mask of zeros, which hides nothing.
        self._socket.sendall(struct.pack(">BBI", 0x82, 0x80 | len(data), 0) + data)

    def recv(self, size: int, /) -> bytes:
        """Return the data of all whole frames; nothing once the server has hung up."""
        data = bytearray()
        while not data:
            if not (received := self._socket.recv(size)):
                break
            self._unread += received
            at = 0
            while len(self._unread) >= at + 2:
                length, begin = self._unread[at + 1], at + 2
                if length >= 126:
                    width = 2 if length == 126 else 8
                    length = int.from_bytes(self._unread[begin : begin + width])
                    begin += width
                if len(self._unread) < begin + length:
                    break
                data += self._unread[begin : begin + length]
                at = begin + length
            del self._unread[:at]
        return bytes(data)
