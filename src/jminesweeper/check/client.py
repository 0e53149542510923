"""A client under test: on a terminal of its own, connected to a server that watches.

The server has no game. It answers every packet with a screen that says which answer it is, so what
the client shows tells which answers it has read. Everything happens in one thread: to wait for
something is to carry bytes until it is there.

The checks are about keys and their packets, frames in pieces, and how the terminal is set during
the game and after it. The terminal's slave stays open here, so that it can still be asked how it
was left when the program has ended.
"""

from __future__ import annotations

import fcntl
import math
import os
import pty
import re
import select
import selectors
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Final, Self, TypeAlias

from jminesweeper.check.painted import PaintedScreen
from jminesweeper.check.suite import (
    RESTARTED_S,
    Budget,
    Checklist,
    DeviationError,
    NotApplicableError,
    SilenceError,
    Transcript,
    expect,
)
from jminesweeper.check.wire import (
    DEBUG,
    DOWN,
    LEFT,
    MARK,
    QUIT,
    REVEAL,
    RIGHT,
    SCREEN_CONTENT,
    START,
    UP,
    Packet,
    Version1,
    encode,
)
from jminesweeper.terminal.escapes import CLEAR, NORMAL_SCREEN

# Programs on terminals

READ_AT_ONCE: Final = 65536
# Run by the child: what it is given as standard input becomes its session's terminal.
TAKE_TERMINAL: Final = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)


class PtyProgram:
    """A running program and the terminal it runs in, with every byte and every setting visible."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        rows: int = 24,
        columns: int = 80,
    ) -> None:
        self.output = b""
        self.master, self._slave = pty.openpty()
        self.resize(rows, columns)
        self.found = self.attributes()
        self.process = subprocess.Popen(
            [sys.executable, "-IS", "-c", TAKE_TERMINAL, *command],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=environment,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def attributes(self) -> list[Any]:
        """Return how the line discipline is set."""
        return termios.tcgetattr(self._slave)

    def is_raw(self) -> bool:
        """Return True if keys arrive one by one, and nothing is echoed."""
        _, _, _, local, *_ = self.attributes()
        return not local & (termios.ICANON | termios.ECHO)

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size, of which the kernel tells the program."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: str | bytes) -> None:
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def read(self, timeout_s: float) -> bytes:
        """Take what the program writes; empty if it writes nothing in time."""
        if not select.select([self.master], [], [], max(0.0, timeout_s))[0]:
            return b""
        data = os.read(self.master, READ_AT_ONCE)
        self.output += data
        return data

    def close(self) -> None:
        """End the program and what it has started."""
        # Once it was waited for, its number may be another program's.
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal, also under the program."""
        if self.master >= 0:
            os.close(self._slave)
            os.close(self.master)
            self.master = -1


# The server that watches

HOST: Final = "127.0.0.1"
TICK_S: Final = 0.05
"""The longest wait before looking again: a terminal's settings change without a signal."""
QUIET_S: Final = 0.02
PAUSE_S: Final = 0.004
"""Between pieces of a reply, so that they do not arrive together."""
MOST_SHOWN: Final = 400
MOST_WRITTEN: Final = 2**19
"""A client that shows our largest screens writes a third of it."""
MOST_PACKETS: Final = 1_000
MOST_CONNECTIONS: Final = 64
"""Far more than needed, so that no client can fill the memory or open sockets without end."""
TIMES_TO_START: Final = 3.0
"""Programs start slowly on a machine that has much else to do."""

Answer: TypeAlias = Callable[[str], list[bytes]]
"""Makes pieces of bytes of the text of a screen."""


def whole(text: str) -> list[bytes]:
    """Answer with one packet in one send."""
    return [encode(Packet(SCREEN_CONTENT, f"{CLEAR}{text}\r\n".encode()))]


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
        port = self._listener.getsockname()[1]
        places = {"{host}": HOST, "{port}": str(port), "{address}": f"{HOST}:{port}"}
        filled = [
            re.sub(r"\{(host|port|address)\}", lambda match: places[match[0]], word)
            for word in command
        ]
        if filled == list(command):
            filled.append(places["{address}"])
        self.program = PtyProgram(filled, {"TERM": "xterm-256color", **os.environ})
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
            is_idle = not self._carry(TICK_S)
            # To look at the screen is slow: everything that is on its way comes first.
            while time.monotonic() < end and self._carry(QUIET_S):
                continue
            if is_idle and has_ended:
                raise DeviationError(self._describe(), expected)
            if time.monotonic() >= end:
                self._budget.patience()
                raise SilenceError(self._describe(), expected)

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
        came = ", ".join(map(str, self.received[len(before) :]))
        expect(self.received == expected, came, names)

    def wait_for_answer(self) -> None:
        """Wait until the screen shows the answer to the last packet."""
        shown = answer_name(self._answers)
        self.wait_until(lambda: shown in self.screen_text, f"{shown!r} on the screen")

    def wait_for_end(self, most_s: float = math.inf) -> None:
        self.wait_until(lambda: self.program.has_ended, "the end of the program", most_s)
        while self.program.read(0.0):
            continue

    def _describe(self) -> str:
        packets = ", ".join(map(str, self.received)) or "no packet"
        ended = "; the program has ended" if self.program.has_ended else ""
        return f"{packets}{ended}; the terminal shows:\n{self.screen_text[-MOST_SHOWN:]}"

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
        expect(written <= MOST_WRITTEN, f"{written} bytes on the terminal", "a screen at a time")

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        self._connections.enter_context(connection)
        self._accepted += 1
        came = f"{self._accepted} connections"
        expect(self._accepted <= MOST_CONNECTIONS, came, "one at a time")
        connection.settimeout(self._budget.patience())
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire = Version1(is_server=False)
        self._selector.register(
            connection, selectors.EVENT_READ, lambda: self._serve(connection, wire)
        )

    def _serve(self, connection: socket.socket, wire: Version1) -> None:
        try:
            data = connection.recv(READ_AT_ONCE)
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(connection)
            return
        packets = wire.feed(data)
        expect(
            len(packets) + len(self.received) <= MOST_PACKETS,
            f"{len(packets) + len(self.received)} packets",
            "a packet for each key",
        )
        for packet in packets:
            self.received.append(packet)
            if packet != QUIT:
                self._reply(connection)

    def _reply(self, connection: socket.socket) -> None:
        self._answers += 1
        pieces = self._answer(answer_name(self._answers))
        for piece in pieces:
            try:
                connection.sendall(piece)
            except OSError:
                # A client may leave at any time.
                return
            if len(pieces) > 1:
                self.program.read(PAUSE_S)


def answer_name(number: int) -> str:
    return f"This is answer {number}."


class ClientUnderTest:
    """Runs of one client's command, a new one for each check."""

    def __init__(self, command: Sequence[str], budget: Budget | None = None) -> None:
        self.transcript = Transcript()
        self._command = command
        self.budget = budget or Budget(RESTARTED_S)
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
        run.wait_until(lambda: bool(run.received), due, times=TIMES_TO_START)
        return run

    def start(self, answer: Answer = whole) -> WatchedClient:
        """Run the client until it shows its first screen."""
        run = self.run(answer)
        run.wait_for_answer()
        return run

    def hang_up(self) -> None:
        """End all runs."""
        self._runs.close()


# Checks

KEYS: Final[Mapping[str, Packet]] = {
    "w": UP,
    "a": LEFT,
    "s": DOWN,
    "d": RIGHT,
    " ": MARK,
    "\r": REVEAL,
    "#": DEBUG,
}
INTERRUPT: Final = "\x03"
SHORT_WAIT_S: Final = 0.5
"""The wait for a program that may also wait for a key."""
LONG_LINE: Final = "." * 70 + "\r\n"
LARGE_LINES: Final = 1_100
MODES: Final[Mapping[str, tuple[bool, str]]] = {
    "1049": (False, "the alternate screen left"),
    "47": (False, "the alternate screen left"),
    "25": (True, "the cursor shown again"),
    "7": (True, "lines that wrap again"),
    "1": (False, "arrow keys as they were"),
    "1000": (False, "a mouse that selects text again"),
    "1002": (False, "a mouse that selects text again"),
    "1003": (False, "a mouse that selects text again"),
    "2004": (False, "text that is pasted as it is"),
}
"""Modes of a terminal, each with its value at the shell."""
MODE: Final = re.compile(rb"\[\?([0-9;]+)([hl])")
"""A mode that is set or reset, as it follows the escape character."""

check = Checklist[ClientUnderTest]()


@check("A client: It sends START, then a packet for each key", is_vital=True)
def it_begins_with_start(client: ClientUnderTest) -> None:
    run = client.run()
    first = run.received[0]
    is_fine = first.kind == START and 0 not in first.payload and first.payload[2] <= 3
    expect(is_fine, str(first), "START with a size, and a level of 1 to 3")


@check("A client: writes it to the terminal, whose line buffering and echo are off.", is_vital=True)
def keys_arrive_one_by_one_and_are_not_echoed(client: ClientUnderTest) -> None:
    run = client.start()
    run.wait_until(run.program.is_raw, "a terminal without line buffering and echo")


@check("A client: It sends START, then a packet for each key")
def every_key_sends_its_packet(client: ClientUnderTest) -> None:
    run = client.start()
    for key, packet in KEYS.items():
        run.press(key, packet)


@check("A client: It sends START, then a packet for each key", needs=[every_key_sends_its_packet])
def keys_typed_ahead_are_all_sent(client: ClientUnderTest) -> None:
    run = client.start()
    keys = "ddsd aw\r"
    run.press(keys, *[KEYS[key] for key in keys])


@check("A client: START: a new game, on this connection or on another one")
def tab_starts_a_new_game(client: ClientUnderTest) -> None:
    run = client.start()
    before = len(run.received)
    run.type("\t")
    run.wait_until(lambda: len(run.received) > before, "START")
    expect(run.received[before].kind == START, str(run.received[before]), "START")
    run.wait_for_answer()


@check(
    "The announcement: Nobody sends a packet of type 11 or above before having seen it",
    needs=[every_key_sends_its_packet],
)
def nothing_of_version_2_is_sent_unannounced(client: ClientUnderTest) -> None:
    run = client.start()
    run.press("d", RIGHT)
    later = [each for each in run.received if each.kind > DEBUG.kind]
    expect(not later, ", ".join(map(str, later)), "packets of version 1")


@check("A client: QUIT, and the client ends")
def x_quits(client: ClientUnderTest) -> None:
    run = client.start()
    type_x(run)
    run.wait_until(lambda: QUIT in run.received, "QUIT")
    run.wait_for_end()


def type_x(run: WatchedClient) -> None:
    """Type the key X; some clients know it in one case only."""
    run.type("x")
    try:
        run.wait_until(lambda: QUIT in run.received or run.program.has_ended, "", SHORT_WAIT_S)
    except DeviationError:
        run.type("X")


@check("A client: reads one reply, however TCP has cut it", needs=[every_key_sends_its_packet])
def a_frame_may_come_in_pieces(client: ClientUnderTest) -> None:
    client.start(byte_by_byte).press("d", RIGHT)


@check(
    "Bad input and limits: Our server never sends a screen above 80 KiB",
    needs=[a_frame_may_come_in_pieces],
)
def a_large_frame_is_shown_whole(client: ClientUnderTest) -> None:
    run = client.start(lambda text: whole(LONG_LINE * LARGE_LINES + text))
    run.press("d", RIGHT)


@check("A client: It puts the terminal back in order at the end.", needs=[x_quits])
def the_terminal_is_put_back_at_the_end(client: ClientUnderTest) -> None:
    run = client.start()
    type_x(run)
    run.wait_for_end()
    expect_as_found(run)


@check(
    "A client: It puts the terminal back in order at the end.",
    needs=[the_terminal_is_put_back_at_the_end],
)
def the_terminal_is_put_back_when_the_server_is_gone(client: ClientUnderTest) -> None:
    run = client.start()
    run.hang_up()
    expect_end_by_x(run)


@check(
    "A client: It puts the terminal back in order at the end.",
    needs=[the_terminal_is_put_back_when_the_server_is_gone],
)
def the_terminal_is_put_back_when_a_key_meets_a_dead_server(client: ClientUnderTest) -> None:
    run = client.start()
    run.hang_up()
    # The first is sent into the void; the second finds out.
    for key in "dd":
        run.type(key)
        with suppress(DeviationError):
            run.wait_for_end(SHORT_WAIT_S)
    expect_end_by_x(run)


def expect_end_by_x(run: WatchedClient) -> None:
    """Expect the end of the program, by itself or by X, and the terminal as it was found.

    A client may try to connect again for a while, and be told to stop.
    """
    try:
        run.wait_for_end(SHORT_WAIT_S)
    except DeviationError:
        type_x(run)
        run.wait_for_end()
    expect_as_found(run)


@check(
    "A client: It puts the terminal back in order at the end.",
    needs=[the_terminal_is_put_back_at_the_end],
)
def the_terminal_is_put_back_after_an_interrupt(client: ClientUnderTest) -> None:
    run = client.start()
    run.type(INTERRUPT)
    try:
        run.wait_for_end()
    except DeviationError as error:
        raise NotApplicableError("Ctrl-C does not end the client") from error
    expect_as_found(run)


def expect_as_found(run: WatchedClient) -> None:
    """Expect the terminal as it was before the client started."""
    expected = "the line discipline as it was found"
    expect(
        run.program.attributes() == run.program.found, "other settings of the terminal", expected
    )
    written = run.program.output
    last = {
        mode: (match[2] == b"h", match[0])
        for match in MODE.finditer(written)
        for mode in match[1].decode().split(";")
    }
    for mode, (usual, expected) in MODES.items():
        is_set, sequence = last.get(mode, (usual, b""))
        expect(is_set == usual, f"{sequence.decode()!r} was the last word on it", expected)
    # To leave the alternate screen puts colours back as well.
    shown = PaintedScreen.showing(written.rpartition(NORMAL_SCREEN.encode())[2])
    expect(shown.is_plain, "colours or attributes for what comes next", "plain text again")
