"""A player with a key who adds up views, as a program would."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from select import select
from socket import SHUT_WR, socket

from jminesweeper.check.version_2 import KeptView, add_up
from jminesweeper.check.wire import Peer, SocketStream
from jminesweeper.client.address import Address
from jminesweeper.core.grid import Size
from jminesweeper.core.view import PlayerView, Status, read_faces
from jminesweeper.protocol.packets import Hello, Packet
from jminesweeper.protocol.vocabulary import Command, Feature, announced_version
from tests.integration.server_process import TIMEOUT_S

_STATUSES = {"won": Status.WON, "lost": Status.LOST, "given up": Status.TERMINATED}


class ViewPlayer(Peer):
    """One connection, and what its views add up to."""

    def __init__(self, port: int, key: bytes, name: str = "Ada") -> None:
        super().__init__(Address("127.0.0.1", port), patience=lambda: TIMEOUT_S)
        self._kept = KeptView()
        self._cursor: list[int] = []
        with ExitStack() as opened:
            opened.callback(self.close)
            assert announced_version(self.ask(Command.MOVE_LEFT)) == 2
            self.play(Hello(Feature.RESUME, key, name))
            opened.pop_all()

    def play(self, *packets: Packet) -> Mapping[str, str]:
        """Send packets in one segment and read all replies; what the last one says."""
        self.send(*packets)
        for _ in packets:
            self.read()
        return self.entries

    def read(self) -> None:
        add_up(self._kept, self.receive("a VIEW"))
        self._cursor = self._kept.members.get("cursor", self._cursor)

    @property
    def _socket(self) -> socket:
        assert isinstance(self._stream, SocketStream)
        return self._stream.socket

    def has_something_to_read(self, within_s: float) -> bool:
        return bool(select([self._socket], [], [], within_s)[0])

    def stop_sending(self) -> None:
        """Hang up one way; what is still answered can be read."""
        self._socket.shutdown(SHUT_WR)

    @property
    def local_port(self) -> int:
        port: int = self._socket.getsockname()[1]
        return port

    @property
    def message(self) -> str:
        """The message; empty if there is none."""
        said = self._kept.members.get("message")
        return said["text"] if said else ""

    @property
    def clock_ms(self) -> int:
        clock_ms: int = self._kept.members.get("clock", 0)
        return clock_ms

    @property
    def entries(self) -> Mapping[str, str]:
        """The game as it is known, in words."""
        known = self._kept.members
        layer = known.get("menu") or known.get("page")
        return {
            "screen": layer["id"] if layer else "game",
            "message": self.message,
            "label": known.get("label", ""),
            "state": known.get("state", ""),
            "remark": " ".join(known.get("remark", [])),
            "size": "x".join(map(str, known.get("size", []))),
            "mines left": str(known.get("left", 0)),
            "clock": f"{self.clock_ms // 1000} s",
            "cursor": " ".join(map(str, self._cursor)),
        }

    @property
    def screen(self) -> str:
        """All that is said, for searching."""
        page = self._kept.members.get("page") or {"lines": []}
        said = [f"{name}: {said}" for name, said in self.entries.items() if said]
        return "\n".join([*said, *map(str, page["lines"])])

    @property
    def field(self) -> PlayerView:
        known = self._kept.members
        status = _STATUSES.get(known["state"], Status.ONGOING)
        return read_faces(self._kept.faces, Size(*known["size"]), known["mines"], status)
