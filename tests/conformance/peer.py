"""A small client that blocks: it sends what it is told and reads whole packets."""

from __future__ import annotations

import socket
from typing import Self, TypeAlias

from jminesweeper.protocol import (
    Direction,
    Packet,
    PacketReader,
    ScreenContent,
    ScreenPatch,
    encode,
)

TIMEOUT_S = 20.0
SEGMENT = 65536

Address: TypeAlias = tuple[str, int]


class ServerClosedError(Exception):
    """The server ended the connection where a packet was due."""


class Peer:
    """One connection to a server."""

    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection(address, TIMEOUT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._waiting: list[Packet] = []
        self._bytes_within_a_packet = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send(self, *packets: Packet) -> None:
        """All packets in one segment, as keys typed ahead arrive."""
        self.send_bytes(b"".join(map(encode, packets)))

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self) -> Packet:
        while not self._waiting:
            data = self._socket.recv(SEGMENT)
            if not data:
                raise ServerClosedError
            self._waiting = self._reader.feed(data)
            self._bytes_within_a_packet += len(data) - sum(map(len, map(encode, self._waiting)))
        return self._waiting.pop(0)

    def receive_screen(self) -> bytes:
        """The text of the next packet, which must be a screen of version 1."""
        packet = self.receive()
        assert isinstance(packet, ScreenContent), f"a screen was due, not {packet}"
        return packet.text

    def receive_patch(self) -> ScreenPatch:
        packet = self.receive()
        assert isinstance(packet, ScreenPatch), f"a patch was due, not {packet}"
        return packet

    def ask(self, packet: Packet) -> bytes:
        """Send a packet and read its screen."""
        self.send(packet)
        return self.receive_screen()

    def receive_until_closed(self) -> list[Packet]:
        """Everything that still comes; the server must close, and not within a packet."""
        packets: list[Packet] = []
        try:
            while True:
                packets.append(self.receive())
        except (ServerClosedError, ConnectionResetError):
            assert not self._bytes_within_a_packet, "the connection ended within a packet"
            return packets

    def receive_unbuffered(self, length: int) -> bytes:
        """One read of the socket and no second one, as stock clients do."""
        return self._socket.recv(length)
