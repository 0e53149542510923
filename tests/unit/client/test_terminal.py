import fcntl
import os
import pty
import select
import struct
import termios
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.client.events import EnableMouse
from jminesweeper.client.shell import TerminalError, Tty
from jminesweeper.terminal import escapes
from jminesweeper.terminal.layout import TerminalSize

WAIT_S = 60

LOCAL, CHARACTERS = 3, 6


class Pty:
    """A pseudo-terminal: `slave` is the program's end."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.found = self.attributes()
        self.terminal = Tty(self.slave, self.slave)

    def attributes(self) -> list[Any]:
        return termios.tcgetattr(self.slave)

    def written(self) -> str:
        data = b""
        while select.select([self.master], [], [], 0)[0]:
            data += os.read(self.master, 65536)
        return data.decode()

    def wait_for_keys(self) -> None:
        assert select.select([self.slave], [], [], WAIT_S)[0]

    def wait_for_no_keys(self) -> None:
        while select.select([self.slave], [], [], 0)[0]:
            os.sched_yield()

    def close(self) -> None:
        for descriptor in (self.master, self.slave):
            if descriptor >= 0:
                os.close(descriptor)
        self.master = self.slave = -1


@pytest.fixture
def window() -> Iterator[Pty]:
    opened = Pty()
    yield opened
    opened.close()


@pytest.mark.requirement("J:console mode")
def test_keys_come_one_by_one_and_are_not_echoed(window: Pty) -> None:
    with window.terminal:
        attributes = window.attributes()
        flags = attributes[LOCAL]
        assert not flags & (termios.ICANON | termios.ECHO | termios.IEXTEN)
        assert flags & termios.ISIG
        assert not attributes[0] & (termios.IXON | termios.INLCR | termios.IGNCR)
        assert attributes[0] & termios.ICRNL
        assert attributes[1] == window.found[1]
        assert attributes[CHARACTERS][termios.VMIN] in {0, b"\x00"}
        os.write(window.master, b"w\x13")
        assert window.terminal.read() == b"w\x13"
    assert window.attributes() == window.found
    assert window.written() == ""


def test_what_was_typed_before_is_kept_and_what_was_left_over_is_not(window: Pty) -> None:
    os.write(window.master, b"ab")
    with window.terminal:
        assert window.terminal.read() == b"ab"
        os.write(window.master, b"rm -rf\n")
        select.select([window.slave], [], [], 5)
    assert select.select([window.slave], [], [], 0)[0] == []


def test_the_screen_is_given_back_in_the_reverse_order(window: Pty) -> None:
    with window.terminal as terminal:
        terminal.screen.show("")
        terminal.screen.show("")
        terminal.screen.perform(EnableMouse())
        terminal.screen.perform(EnableMouse())
    written = window.written()
    sequences = [
        escapes.ALTERNATE_SCREEN,
        escapes.BRACKETED_PASTE,
        escapes.MOUSE_ON,
        escapes.PLAIN_PASTE,
        escapes.MOUSE_OFF,
        escapes.CURSOR_SHOWN,
        escapes.NORMAL_SCREEN,
    ]
    places = [written.index(sequence) for sequence in sequences]
    assert places == sorted(places)
    assert [written.count(sequence) for sequence in sequences] == [1] * len(sequences)
    assert written.endswith(escapes.NORMAL_SCREEN + escapes.PLAIN_TEXT)


def test_a_screen_that_was_never_opened_is_not_closed(window: Pty) -> None:
    with window.terminal:
        pass
    assert window.written() == ""


def test_an_exception_gives_everything_back(window: Pty) -> None:
    def crash() -> None:
        with window.terminal as terminal:
            terminal.screen.show("")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        crash()
    assert window.attributes() == window.found
    assert window.written().endswith(escapes.NORMAL_SCREEN + escapes.PLAIN_TEXT)


def test_the_terminal_can_be_lent_to_the_shell(window: Pty) -> None:
    with window.terminal as terminal:
        terminal.screen.show("")
        terminal.screen.perform(EnableMouse())
        terminal.leave()
        assert window.attributes() == window.found
        assert window.written().endswith(escapes.NORMAL_SCREEN + escapes.PLAIN_TEXT)
        terminal.enter()
        assert window.attributes() != window.found
        reopened = window.written()
        assert escapes.ALTERNATE_SCREEN in reopened
        assert escapes.MOUSE_ON in reopened
    assert window.attributes() == window.found


def test_entering_twice_still_remembers_what_was_found(window: Pty) -> None:
    with window.terminal as terminal:
        terminal.enter()
    assert window.attributes() == window.found


def test_a_terminal_lent_before_the_screen_was_opened_shows_nothing(window: Pty) -> None:
    with window.terminal as terminal:
        terminal.leave()
        terminal.enter()
    assert window.written() == ""


def test_the_size_is_what_the_terminal_says_or_the_usual_one(window: Pty) -> None:
    fcntl.ioctl(window.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    assert window.terminal.size() == TerminalSize(100, 30)
    fcntl.ioctl(window.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 0, 0, 0, 0))
    assert window.terminal.size() == TerminalSize(80, 24)
    with Path(os.devnull).open() as null:
        assert Tty(null.fileno(), null.fileno()).size() == TerminalSize(80, 24)


def test_a_terminal_that_takes_little_at_a_time_gets_everything(window: Pty) -> None:
    os.set_blocking(window.slave, False)
    filled = 0
    with suppress(BlockingIOError):
        while True:
            filled += os.write(window.slave, b"x" * 1024)
    text = "x" * 200_000
    writing = threading.Thread(target=window.terminal.write, args=(text,))
    writing.start()
    received = 0
    while received < filled + len(text):
        assert select.select([window.master], [], [], WAIT_S)[0]
        received += len(os.read(window.master, 65536))
    writing.join(WAIT_S)
    assert received == filled + len(text)


def test_nothing_to_read_is_neither_waited_for_nor_the_end(window: Pty) -> None:
    with window.terminal as terminal:
        os.write(window.master, b"w\r")
        window.wait_for_keys()
        os.write(window.master, b"\x03")  # It throws away what was typed before.
        window.wait_for_no_keys()
        assert terminal.read() is None


def test_nothing_to_read_is_not_the_end_where_reads_never_wait(window: Pty) -> None:
    os.set_blocking(window.slave, False)
    assert window.terminal.read() is None


def test_a_terminal_that_is_gone_is_an_error_but_can_be_left(window: Pty) -> None:
    with window.terminal as terminal:
        terminal.screen.show("")
        os.close(window.master)
        window.master = -1
        assert terminal.read() == b""
        with pytest.raises(TerminalError):
            terminal.write("text")
        with pytest.raises(TerminalError):
            terminal.enter()


def test_what_is_not_open_has_nothing_to_read() -> None:
    assert Tty(-1, -1).read() == b""


def test_what_is_no_terminal_cannot_be_entered() -> None:
    with Path(os.devnull).open() as null, pytest.raises(TerminalError):
        Tty(null.fileno(), null.fileno()).enter()
