"""A client under test: on a terminal of its own, connected to a server that watches.

The server has no game. It answers every packet with a screen that says which answer it is, so what
the client shows tells which answers it has read. Everything happens in one thread: to wait for
something is to carry bytes until it is there.
"""

from __future__ import annotations

import math
import os
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final, Self, TypeAlias

from jminesweeper.check.painted import PaintedScreen
from jminesweeper.check.pty_program import PtyProgram
from jminesweeper.check.suite import Budget, DeviationError, Transcript, expect
from jminesweeper.check.wire import QUIT, SCREEN_CONTENT, Codec, Packet
from jminesweeper.terminal.escapes import CLEAR

HOST: Final = "127.0.0.1"
_TICK_S: Final = 0.05
"""The longest wait before looking again: a terminal's settings change without a signal."""
_QUIET_S: Final = 0.02
_PAUSE_S: Final = 0.004
"""Between pieces of a reply, so that they do not arrive together."""
_READ_AT_ONCE: Final = 65536
_MOST_SHOWN: Final = 400
_MOST_WRITTEN: Final = 2**19
"""A client that shows our largest screens writes a third of it."""
_MOST_PACKETS: Final = 1_000
_MOST_CONNECTIONS: Final = 64
"""Far more than needed, so that no client can fill the memory or open sockets without end."""
_TIMES_TO_START: Final = 3.0
"""Programs start slowly on a machine that has much else to do."""

Answer: TypeAlias = Callable[[str], list[bytes]]
"""Makes pieces of bytes of the text of a screen."""


def whole(text: str) -> list[bytes]:
    """Answer with one packet in one send."""
    return [Codec.encode(Packet(SCREEN_CONTENT, f"{CLEAR}{text}\r\n".encode()))]


def byte_by_byte(text: str) -> list[bytes]:
    """Answer with one packet, a byte at a time."""
    (packet,) = whole(text)
    return [packet[at : at + 1] for at in range(len(packet))]


class WatchedClient:
    """One run of a client: its terminal, its connections, and all packets that it has sent."""

    def __init__(
        self, command: Sequence[str], budget: Budget, transcript: Transcript, answer: Answer
    ) -> None:
        self.transcript = transcript
        self.received: list[Packet] = []
        self._budget = budget
        self._answer = answer
        self._answers = 0
        self._accepted = 0
        self._selector = selectors.DefaultSelector()
        self._connections = ExitStack()
        self._listener = socket.create_server((HOST, 0))
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self.program = _start(command, self._listener.getsockname()[1])
        self._selector.register(self.program.master, selectors.EVENT_READ, self._read_terminal)

    def close(self) -> None:
        self.program.close()
        self._connections.close()
        self._listener.close()
        self._selector.close()

    @property
    def screen_text(self) -> str:
        return PaintedScreen.showing(self.program.output).text

    def type(self, keys: str) -> None:
        self.transcript.add(f"typed {keys!r}")
        self.program.type(keys)

    def hang_up(self) -> None:
        """End all connections and listen no more."""
        self.transcript.add("the server hangs up")
        for key in list(self._selector.get_map().values()):
            if isinstance(key.fileobj, socket.socket):
                self._selector.unregister(key.fileobj)
        self._connections.close()
        self._listener.close()

    def wait_until(
        self,
        holds: Callable[[], bool],
        expected: str,
        most_s: float = math.inf,
        times: float = 1.0,
    ) -> None:
        """Carry bytes until a condition holds; it is a deviation if it never does."""
        end = time.monotonic() + min(most_s, self._budget.patience(times))
        while True:
            # Asked first: the last output of a program is carried before its end counts.
            has_ended = self.program.has_ended
            if holds():
                return
            is_idle = not self._carry(_TICK_S)
            # To look at the screen is slow: everything that is on its way comes first.
            while time.monotonic() < end and self._carry(_QUIET_S):
                continue
            if (is_idle and has_ended) or time.monotonic() >= end:
                self._budget.patience()
                raise DeviationError(self._describe(), expected)

    def press(self, keys: str, *packets: Packet) -> None:
        """Type keys, and expect exactly these packets, and the last answer on the screen."""
        before = list(self.received)
        expected = [*before, *packets]
        names = ", ".join(map(str, packets))
        self.type(keys)
        self.wait_until(lambda: len(self.received) >= len(expected), names)
        came = ", ".join(map(str, self.received[len(before) :]))
        expect(self.received == expected, came, names)
        self.wait_for_answer()

    def wait_for_answer(self) -> None:
        """Wait until the screen shows the answer to the last packet."""
        shown = _name(self._answers)
        self.wait_until(lambda: shown in self.screen_text, f"{shown!r} on the screen")

    def wait_for_end(self, most_s: float = math.inf) -> None:
        self.wait_until(lambda: self.program.has_ended, "the end of the program", most_s)
        while self.program.read(0.0):
            continue

    def _describe(self) -> str:
        packets = ", ".join(map(str, self.received)) or "no packet"
        ended = "; the program has ended" if self.program.has_ended else ""
        return f"{packets}{ended}; the terminal shows:\n{self.screen_text[-_MOST_SHOWN:]}"

    def _carry(self, timeout_s: float) -> bool:
        """Carry what is there; return whether there was anything."""
        events = self._selector.select(timeout_s)
        for key, _ in events:
            if key.fileobj in self._selector.get_map():
                key.data()
        return bool(events)

    def _read_terminal(self) -> None:
        self.program.read(0.0)
        written = len(self.program.output)
        expect(written <= _MOST_WRITTEN, f"{written} bytes on the terminal", "a screen at a time")

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        self._connections.enter_context(connection)
        self._accepted += 1
        came = f"{self._accepted} connections"
        expect(self._accepted <= _MOST_CONNECTIONS, came, "one at a time")
        connection.settimeout(self._budget.patience())
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        codec = Codec(is_server=False)
        self._selector.register(
            connection, selectors.EVENT_READ, lambda: self._serve(connection, codec)
        )

    def _serve(self, connection: socket.socket, codec: Codec) -> None:
        data = _receive(connection)
        if not data:
            self._selector.unregister(connection)
            return
        packets = codec.feed(data)
        expect(
            len(packets) + len(self.received) <= _MOST_PACKETS,
            f"{len(packets) + len(self.received)} packets",
            "a packet for each key",
        )
        for packet in packets:
            self.received.append(packet)
            if packet != QUIT:
                self._reply(connection)

    def _reply(self, connection: socket.socket) -> None:
        self._answers += 1
        pieces = self._answer(_name(self._answers))
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                # A client may leave at any time.
                return
            if len(pieces) > 1:
                self.program.read(_PAUSE_S)


class ClientUnderTest:
    """Runs of one client's command, a new one for each check."""

    def __init__(self, command: Sequence[str], budget: Budget) -> None:
        self.transcript = Transcript()
        self._command = command
        self.budget = budget
        self._runs = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.hang_up()

    def run(self, answer: Answer = whole) -> WatchedClient:
        """Run the client until it has sent its first packet."""
        run = WatchedClient(self._command, self.budget, self.transcript, answer)
        self._runs.callback(run.close)
        due = "a packet from the client"
        run.wait_until(lambda: bool(run.received), due, times=_TIMES_TO_START)
        return run

    def start(self, answer: Answer = whole) -> WatchedClient:
        """Run the client until it shows its first screen."""
        run = self.run(answer)
        run.wait_for_answer()
        return run

    def hang_up(self) -> None:
        """End all runs."""
        self._runs.close()


def _start(words: Sequence[str], port: int) -> PtyProgram:
    """Run a command; without a place for the address in it, the address is its last word."""
    filled = [
        word.replace("{host}", HOST)
        .replace("{port}", str(port))
        .replace("{address}", f"{HOST}:{port}")
        for word in words
    ]
    if filled == list(words):
        filled.append(f"{HOST}:{port}")
    return PtyProgram(filled, {"TERM": "xterm-256color", **os.environ})


def _receive(connection: socket.socket) -> bytes:
    try:
        return connection.recv(_READ_AT_ONCE)
    except OSError:
        return b""


def _name(number: int) -> str:
    return f"This is answer {number}."
