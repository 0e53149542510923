"""A network with one server, as far away as a test likes, on a clock that moves by itself.

The server is the text of a program: its `Player` handles a connection, as the example of
docs/protocol.md does. It runs in a thread of its own, but only while the test waits for it, so
every run is the same. Nothing sleeps: who waits for bytes moves the clock to where they arrive.
"""

from __future__ import annotations

import heapq
import math
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, Final

from jminesweeper.check.server import ServerUnderTest
from jminesweeper.client.address import Address
from tests.integration.documented import example

SEGMENT_BYTES: Final = 1_448
PROCESSING_S: Final = 0.0005
"""Every reply takes a moment."""
COUNTING: Final = "sum((x + i, y + j) in self.mines for i in (-1, 0, 1) for j in (-1, 0, 1))"
"""Counts the mines around a cell in the example, a million times in the tests."""
ROWS: Final = '["".join(self.face(x, y) for x in range(self.columns)) for y in range(self.rows)]'
"""Draws all cells for each reply, while hardly any of them changed."""
FACES: Final = example("A server").partition("    def content")[2].partition("    def screen")[0]
"""Make of a cell what its place, the sets of cells, `lost` and `debug` say, and nothing else."""


@cache
def around(x: int, y: int) -> tuple[tuple[int, int], ...]:
    return tuple((x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1))


def count(mines: set[tuple[int, int]], x: int, y: int) -> int:
    """Count as the example does, in a third of the time."""
    return len(mines.intersection(around(x, y)))


def rows_of(player: Any) -> list[str]:
    """Draw as the example does, but only those rows in which a cell changed."""
    if not player.columns:
        return [""] * player.rows
    opened, marks = frozenset(player.opened), frozenset(player.marks)
    kind = (player.columns, player.rows, player.lost, player.debug, frozenset(player.mines))
    old_kind, old_opened, old_marks, rows = getattr(player, "drawn", (None, opened, marks, []))
    changed = {row for _, row in (opened ^ old_opened) | (marks ^ old_marks)}
    is_same = kind == old_kind
    rows = list(rows) if is_same else [""] * player.rows
    for row in range(player.rows):
        if is_same and row not in changed:
            continue
        rows[row] = "".join(player.face(column, row) for column in range(player.columns))
    player.drawn = kind, opened, marks, rows
    return rows


class SimulatedServer:
    """The program, its clock, and the way to it."""

    def __init__(self, program: str, round_trip_s: float = 0.0) -> None:
        self.round_trip_s = round_trip_s
        self.now_s = 0.0
        self.is_listening = True
        self.streams: list[SimulatedStream] = []
        self._timers: list[tuple[float, int, Callable[[], object]]] = []
        self._names: dict[str, Any] = {"__name__": "example"}
        quick = program.replace(COUNTING, "count(self.mines, x, y)")
        if FACES in program:
            quick = quick.replace(ROWS, "rows_of(self)")
        exec(compile(quick, "server", "exec"), self._names)
        # The same boards each time.
        self._names |= {"random": random.Random(7), "later": self.later, "think": self.think}
        self._names |= {"count": count, "rows_of": rows_of}
        self.takes_one_at_a_time = self._names.get("ONE_AT_A_TIME", False)

    # The checker's network

    def now(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.advance(self.now_s + seconds)

    def connect(self, address: Address, most_s: float) -> SimulatedStream:
        self.advance(self.now_s + self.round_trip_s)
        if not self.is_listening:
            raise ConnectionRefusedError(111, "Connection refused")
        self.streams.append(SimulatedStream(self))
        self.serve()
        return self.streams[-1]

    # The server's hooks

    def serve(self) -> None:
        """Let the program handle all connections that it accepts."""
        for stream in self.streams:
            stream.turn()
            if self.takes_one_at_a_time and not stream.has_ended:
                return

    def later(self, seconds: float, action: Callable[[], object]) -> None:
        due_s = self.now_s + self.round_trip_s / 2 + seconds
        heapq.heappush(self._timers, (due_s, len(self._timers), action))

    def think(self, seconds: float) -> None:
        """Take so long for the next reply."""
        for stream in self.streams:
            stream.thought_s += seconds

    def shutdown(self) -> None:
        self.is_listening = False

    def server_close(self) -> None:
        self.is_listening = False

    def die(self) -> None:
        """End with everything that is open."""
        self.is_listening = False
        for stream in self.streams:
            stream.end()

    def advance(self, until_s: float) -> None:
        while self._timers and self._timers[0][0] <= until_s:
            self.now_s, _, action = heapq.heappop(self._timers)
            with suppress(OSError):
                action()
        self.now_s = max(self.now_s, until_s)

    @property
    def next_timer_s(self) -> float:
        return self._timers[0][0] if self._timers else math.inf

    def run_handler(self, stream: SimulatedStream) -> None:
        self._names["Player"](stream, ("checker", 1), self)


class SimulatedStream:
    """Both ends of a connection: what the checker reads, and the socket that the program has."""

    def __init__(self, server: SimulatedServer) -> None:
        self.server = server
        self.thought_s = 0.0
        self.has_ended = False
        self.buffer = b""
        self.is_left = False
        self._arriving: list[tuple[float, bytes]] = []
        self._arrived_segments = 0
        self._ends_at_s = math.inf
        self._has_news = True
        self._thread: threading.Thread | None = None
        self._to_program, self._to_checker = threading.Semaphore(0), threading.Semaphore(0)

    # The checker's end

    def send(self, data: bytes, most_s: float) -> None:
        # As on a network, what is sent to somebody who has left is lost.
        self.buffer += data
        self._has_news = True
        self.server.serve()

    def receive(self, most_s: float) -> bytes | None:
        end_s = self.server.now_s + most_s
        while True:
            data = b""
            while self._arriving and self._arriving[0][0] <= self.server.now_s:
                _, piece = self._arriving.pop(0)
                self._arrived_segments += math.ceil(len(piece) / SEGMENT_BYTES)
                data += piece
            if data or self._ends_at_s <= self.server.now_s:
                return data
            arrives_s = self._arriving[0][0] if self._arriving else math.inf
            next_s = min(arrives_s, self._ends_at_s, self.server.next_timer_s)
            if next_s > end_s:
                self.server.advance(end_s)
                return None
            self.server.advance(next_s)

    def close(self) -> None:
        self.is_left = self._has_news = True
        self.server.serve()

    def segments(self) -> int:
        return self._arrived_segments

    def segment_bytes(self) -> int:
        return SEGMENT_BYTES

    # The program's end: a socket, and a file to read from

    def setsockopt(self, *option: int) -> None:
        pass

    def makefile(self, mode: str, buffering: int) -> ProgramFile:
        return ProgramFile(self)

    def sendall(self, data: bytes) -> None:
        if self.is_left:
            raise BrokenPipeError(32, "Broken pipe")
        arrives_s = self.server.now_s + self.server.round_trip_s + self.thought_s + PROCESSING_S
        self.thought_s = 0.0
        if self._arriving:
            arrives_s = max(arrives_s, self._arriving[-1][0])
        self._arriving.append((arrives_s, bytes(data)))

    def read(self, count: int) -> bytes:
        """Return so many bytes, or fewer at the end; the checker's turn is while they miss."""
        while len(self.buffer) < count and not self.is_left:
            self._to_checker.release()
            self._to_program.acquire()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def turn(self) -> None:
        """Let the program run until it waits for more, or ends."""
        if self.has_ended or not self._has_news:
            return
        self._has_news = False
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        else:
            self._to_program.release()
        self._to_checker.acquire()

    def _run(self) -> None:
        # A server whose handler has a bug goes on without that connection.
        with suppress(Exception):
            self.server.run_handler(self)
        self.end()
        self._to_checker.release()

    def end(self) -> None:
        self.has_ended = True
        last_s = self._arriving[-1][0] if self._arriving else 0.0
        self._ends_at_s = max(self.server.now_s + self.server.round_trip_s, last_s)


class ProgramFile:
    """Calls by which a program reads a connection."""

    def __init__(self, stream: SimulatedStream) -> None:
        self._stream = stream

    def read(self, count: int) -> bytes:
        return self._stream.read(count)

    def read1(self, count: int) -> bytes:
        """Return what has come, at least a byte, or nothing at the end."""
        first = self._stream.read(min(count, 1))
        return first + self._stream.read(min(max(count - 1, 0), len(self._stream.buffer)))

    def buffered(self) -> int:
        """Return how many bytes can be read at once."""
        return len(self._stream.buffer)

    def close(self) -> None:
        pass


def under_test(program: str, round_trip_s: float = 0.0) -> ServerUnderTest:
    """Make a program a server under test, that far away."""
    network = SimulatedServer(program, round_trip_s)
    return ServerUnderTest(Address("server.invalid"), network=network)
