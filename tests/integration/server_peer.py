"""A peer of the server over TCP, polite or not."""

from __future__ import annotations

import socket
import struct
from typing import Self

from jminesweeper.protocol.packets import Packet, Start, encode
from jminesweeper.protocol.vocabulary import Command, PacketType
from tests.integration.server_process import TIMEOUT_S

HEADER = struct.Struct(">BI")
START = Start(20, 10, 1)
MOVE = Command.MOVE_RIGHT


class Peer:
    """Sends packets or any bytes, and takes whole screens."""

    def __init__(self, port: int, host: str = "127.0.0.1", receive_buffer: int = 0) -> None:
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(TIMEOUT_S)
        self.socket.connect((host, port))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def screen(self) -> bytes:
        """Take one reply; EOFError when the server has hung up."""
        number, length = HEADER.unpack(self._exactly(HEADER.size))
        assert number == PacketType.SCREEN_CONTENT
        return self._exactly(length)

    def play(self, packet: Packet = MOVE) -> bytes:
        self.send(encode(packet))
        return self.screen()

    def is_hung_up_on(self) -> bool:
        """Wait for the end of the connection; False when something else comes first."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def reset(self) -> None:
        """Hang up the rude way."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def _exactly(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return bytes(data)
