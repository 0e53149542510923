"""A player with a key who reads the plain text of version 2, as a program would."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from socket import SHUT_WR

from jminesweeper.check.peer import Peer
from jminesweeper.client.address import Address
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.packets import Hello, Packet
from jminesweeper.protocol.vocabulary import (
    Command,
    Feature,
    PatchFlag,
    ScreenFormat,
    announced_version,
)
from jminesweeper.screen.plain import parse_plain_entries, parse_plain_field
from tests.integration.server_process import TIMEOUT_S


class PlainPlayer(Peer):
    """One connection; `screen` is the last one."""

    def __init__(self, port: int, key: bytes, name: str = "Ada") -> None:
        super().__init__(Address("127.0.0.1", port), patience=lambda: TIMEOUT_S)
        self.screen = ""
        with ExitStack() as opened:
            opened.callback(self.close)
            assert announced_version(self.ask(Command.MOVE_LEFT)) == 2
            self.play(
                Hello(
                    80,
                    24,
                    format=ScreenFormat.PLAIN,
                    features=Feature.RESUME,
                    key=key,
                    name=name,
                )
            )
            opened.pop_all()

    def play(self, *packets: Packet) -> Mapping[str, str]:
        """Send packets in one segment and read all replies; what the last screen says."""
        self.send(*packets)
        for _ in packets:
            self.read()
        return self.entries

    def read(self) -> None:
        self.screen = self.receive_screen().decode()

    def stop_sending(self) -> None:
        """Hang up one way; what is still answered can be read."""
        self._socket.shutdown(SHUT_WR)

    def read_last(self) -> None:
        """Read the screen that nobody asked for, which says to stay away."""
        patch = self.receive_patch()
        assert patch.flags & PatchFlag.LAST_SCREEN
        self.screen = patch.text.decode()

    @property
    def local_port(self) -> int:
        port: int = self._socket.getsockname()[1]
        return port

    @property
    def entries(self) -> Mapping[str, str]:
        return parse_plain_entries(self.screen)

    @property
    def field(self) -> PlayerView:
        field = parse_plain_field(self.screen)
        assert field is not None, self.screen
        return field
