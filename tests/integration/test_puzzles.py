"""A needless guess becomes a puzzle, at a real terminal: offline and online, after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jminesweeper import analyse
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from tests.integration.server_process import running_server
from tests.integration.terminal import PtyProcess, on_pty

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
MIDDLE = Cell(4, 4)
GAME = ["--preset=beginner", "--seed=9", "--name=Ada"]


@pytest.fixture(params=["offline", "online"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    if request.param == "offline":
        # Nobody serves there, so the client plays by itself.
        yield ["--port=1"]
        return
    with running_server(f"--store={tmp_path / 'store.db'}", "--workers=1") as server:
        yield [f"127.0.0.1:{server.port}"]


def go(here: Cell, there: Cell) -> str:
    across, down = there.column - here.column, there.row - here.row
    return (RIGHT if across > 0 else LEFT) * abs(across) + (DOWN if down > 0 else UP) * abs(down)


def open_puzzles(player: PtyProcess) -> None:
    """Open the menu of puzzles, as soon as there is one."""
    is_there = False
    while not is_there:
        player.press("m", "> Continue")
        player.press(3 * DOWN, "> Puzzles")
        player.type("\r")
        player.wait_until(lambda: shows(player, "Five a day", "None yet"), "a word about puzzles")
        is_there = shows(player, "Five a day")
        if not is_there:
            player.type("\x1b")
            player.wait_until(lambda: not shows(player, "> Puzzles"), "the board")


def shows(player: PtyProcess, *texts: str) -> bool:
    return any(text in line for line in player.lines for text in texts)


def test_a_needless_guess_is_a_puzzle_that_the_solver_judges(
    host: list[str], tmp_path: Path
) -> None:
    game = Game(Setup.of("beginner", seed=9))
    game.reveal(MIDDLE, 0)
    known = analyse(game.view)
    mine, safe = (next(game.grid.cells(cells)) for cells in (known.mines, known.safe))
    with on_pty([*GAME, *host], tmp_path) as ada:
        ada.wait_for_screen("beginner 9x9")
        ada.type("\r" + go(MIDDLE, mine) + "\r")
        ada.wait_for_screen("guesses 1, needless 1")
        open_puzzles(ada)
        ada.type("x")
        assert ada.finish() == 0
    with on_pty([*GAME, *host], tmp_path) as ada:
        ada.wait_for_screen("beginner 9x9")
        open_puzzles(ada)
        ada.press("\r", "puzzle 1 of 1", "Where is it safe?")
        ada.press(go(MIDDLE, safe) + "\r", "Right. Reveal")
        ada.press("\r", "done for today")
        ada.type("x")
        assert ada.finish() == 0
