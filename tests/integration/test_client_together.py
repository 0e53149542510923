"""Two people at two real terminals, racing on a real server."""

from __future__ import annotations

import re
from contextlib import ExitStack, closing
from pathlib import Path

from jminesweeper.core.grid import Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.records.blocking import run
from jminesweeper.records.meeting import find_room
from jminesweeper.store.sqlite.store import SqliteStore
from tests.integration.server_process import running_server
from tests.integration.terminal import PtyProcess, on_pty


def minefield(store: Path, code: str) -> Minefield:
    """The mines of the round, which nobody who plays it is told."""
    with closing(SqliteStore(store)) as opened:
        room = run(opened, find_room(code))
    assert room is not None
    assert room.setup is not None
    return room.setup.minefield()


def go_and_open(player: PtyProcess, field: Minefield, cells: int) -> None:
    """Open cells by keys, from the corner on."""
    player.type("\x1b[H" + 3 * "\x1b[5~")
    column = row = 0
    for cell in Grid.of(field.size).cells(cells):
        player.type("\x1b[B" * (cell.row - row))
        player.type(("\x1b[C" if cell.column > column else "\x1b[D") * abs(cell.column - column))
        player.type("\r")
        column, row = cell


def test_two_people_race_and_both_see_who_won(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    with ExitStack() as stack:
        server = stack.enter_context(running_server("--workers=0", f"--store={store}"))
        host = f"127.0.0.1:{server.port}"
        ada = stack.enter_context(
            on_pty(["--race", "beginner", host, "--name=Ada"], tmp_path / "ada")
        )
        ada.wait_for_screen("Friends join")
        found = re.search("Code ([A-Z]+)", "\n".join(ada.lines))
        assert found is not None
        code = found[1]
        bob = stack.enter_context(
            on_pty(["--join", code, host, "--name=Bob"], tmp_path / "bob", rows=30, columns=100)
        )
        bob.wait_for_screen("Bob")
        bob.type("1")
        ada.wait_for_screen("Bob: Hello!")
        ada.type("\r")
        bob.wait_for_screen("host                           ready")
        bob.type("\r")
        bob.wait_for_screen("Starts in")
        for player in (ada, bob):
            player.wait_for_screen("Open every safe cell")
        field = minefield(store, code)
        go_and_open(bob, field, field.mines & -field.mines)
        bob.wait_for_screen("Your keys do nothing for")
        ada.wait_for_screen("*1")
        go_and_open(ada, field, field.safe)
        bob.wait_for_screen("ends in")
        for player in (ada, bob):
            player.wait_for_screen("1 Ada")
        bob.type("\x1b")
        bob.wait_for_screen("Leave the room?")
        bob.type("\r")
        ada.type("x")
        assert ada.finish() == 0
