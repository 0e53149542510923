"""A peer of the server through HTTP and WebSocket, polite or not: it writes its frames itself."""

from __future__ import annotations

import socket
import ssl
import struct
from typing import Self

from jminesweeper.protocol.packets import Hello, Packet, View, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Direction
from tests.integration.server_process import TIMEOUT_S

BINARY, TEXT, CONTINUED, CLOSE, PING, PONG = 2, 1, 0, 8, 9, 10
FINAL = 0x80
MASK = b"\x01\x02\x03\x04"
HELLO = Hello()


def frame(data: bytes, opcode: int = BINARY, *, first: int = FINAL, mask: bytes = MASK) -> bytes:
    """Write a frame as a browser does; without a mask, as no browser does."""
    if len(data) < 126:
        head = bytes((first | opcode, (0x80 if mask else 0) | len(data)))
    else:
        head = struct.pack(">BBH", first | opcode, (0x80 if mask else 0) | 126, len(data))
    hidden = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)) if mask else data
    return head + mask + hidden


class WebPeer:
    """Sends any bytes, and reads answers, frames and screens."""

    def __init__(self, port: int, trust: ssl.SSLContext | None = None) -> None:
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT_S)
        self._scheme = "http" if trust is None else "https"
        if trust is not None:
            self.socket = trust.wrap_socket(self.socket, server_hostname="localhost")
        self._input = self.socket.makefile("rb")
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._screens: list[Packet] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._input.close()
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    # HTTP

    def ask(self, path: str = "/", *headers: str, method: str = "GET") -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer."""
        lines = (f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers, "", "")
        self.send("\r\n".join(lines).encode())
        return self.answer()

    def answer(self) -> tuple[int, bytes]:
        status = int(self._input.readline().split()[1])
        length = 0
        while line := self._input.readline().strip().lower():
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return status, self._input.read(length)

    def open_socket(self, *more: str) -> Self:
        """Turn the connection into a WebSocket."""
        status, _ = self.ask(
            "/play",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==",
            "Sec-WebSocket-Protocol: jminesweeper.2",
            f"Origin: {self._scheme}://127.0.0.1:{self.port}",
            *more,
        )
        assert status == 101
        return self

    # WebSocket

    def frame(self) -> tuple[int, bytes]:
        """Read a frame of the server: opcode and data."""
        first, length = self._exactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._exactly(8))
        return first & 0x0F, self._exactly(length)

    def screen(self) -> View:
        """Read the next screen."""
        while not self._screens:
            opcode, data = self.frame()
            assert opcode == BINARY, (opcode, data)
            self._screens += self._reader.feed(data)
        view = self._screens.pop(0)
        assert isinstance(view, View)
        return view

    def play(self, packet: Packet) -> View:
        self.send(frame(encode(packet)))
        return self.screen()

    def close_code(self) -> int:
        """Read up to the closing frame; return why the server closes."""
        while True:
            opcode, data = self.frame()
            if opcode == CLOSE:
                return int.from_bytes(data[:2], "big")

    def is_hung_up_on(self) -> bool:
        """Wait for the end of the connection; False when something else comes first."""
        try:
            return self._input.read(1) == b""
        except ConnectionResetError:
            return True

    def _exactly(self, size: int) -> bytes:
        data = self._input.read(size)
        if len(data) < size:
            raise EOFError("the server has hung up")
        return data
