"""A replay on a real terminal: what it shows, what keys do, what it leaves behind."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jminesweeper.recordings.text import format_game
from tests.integration.terminal import PtyProcess, client_environment
from tests.unit.core.boards import play

OPEN = b"\x1b[?1049h"
CLOSED = b"\x1b[?1049l\x1b[0m"
RIGHT = "\x1b[C"
MOVES = ("flag 0 0", "reveal 3 1", "undo", "reveal 3 1", "reveal 0 1")


@contextmanager
def replaying(folder: Path, *options: str, **environment: str) -> Iterator[PtyProcess]:
    path = folder / "game.txt"
    path.write_text(format_game(play("*...\n....", "classic", *MOVES)))
    command = [sys.executable, "-m", "jminesweeper", "replay", str(path), *options]
    process = PtyProcess(command, client_environment(folder, **environment))
    try:
        yield process
    finally:
        process.close()


def test_a_game_is_played_to_its_end(tmp_path: Path) -> None:
    with replaying(tmp_path, "--speed", "20") as replay:
        replay.wait_for_screen("reveal (0,1): opens 1 cell, the game is won")
        assert replay.is_raw()
        assert replay.lines[-1].startswith(" 0:04.0 ━━━")
        assert replay.lines[-1].endswith(" 5/5      20x")
        replay.type("x")
        assert replay.finish() == 0
        assert replay.attributes() == replay.found
        assert replay.output.count(OPEN) == replay.output.count(CLOSED) == 1


def test_keys_step_and_seek(tmp_path: Path) -> None:
    with replaying(tmp_path) as replay:
        replay.wait_for_screen("SPACE pause")
        replay.press("\x1b[H" + RIGHT * 3, "undo: takes back action 2, reveal (3,1)", "3/5")
        replay.press("\x1b[D", "reveal (3,1): opens 6 cells")
        replay.press("\x1b[F", "the game is won")
        replay.press("\x1b[H", "Before the first action")
        replay.type("q")
        assert replay.finish() == 0


def test_it_fills_a_terminal_that_grows(tmp_path: Path) -> None:
    with replaying(tmp_path, "--speed", "20") as replay:
        replay.wait_for_screen("5/5")
        replay.resize(30, 100)
        replay.wait_until(lambda: "5/5" in replay.lines[-1], "the time line at the bottom")
        assert len(replay.lines[-1]) > 90


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_and_leaves_the_terminal_as_it_was(
    tmp_path: Path, ending: signal.Signals
) -> None:
    with replaying(tmp_path) as replay:
        replay.wait_for_screen("SPACE pause")
        replay.signal(ending)
        assert replay.finish() == 128 + ending
        assert replay.attributes() == replay.found
        assert replay.output.endswith(CLOSED)


def test_without_colours_there_are_none(tmp_path: Path) -> None:
    with replaying(tmp_path, "--speed", "20", NO_COLOR="1") as replay:
        replay.wait_for_screen("the game is won")
        assert b"38;5" not in replay.output


def test_a_terminal_that_places_no_text_gets_the_end_as_text(tmp_path: Path) -> None:
    with replaying(tmp_path, TERM="dumb") as replay:
        assert replay.finish() == 0
        assert b"Won." in replay.output
        assert b"\x1b" not in replay.output


def test_a_terminal_that_goes_away_ends_it(tmp_path: Path) -> None:
    with replaying(tmp_path) as replay:
        replay.wait_for_screen("SPACE pause")
        replay.hang_up()
        assert replay.finish() == 128 + signal.SIGHUP
