"""People at real terminals, racing on a real server."""

from __future__ import annotations

import re
from contextlib import ExitStack, closing
from pathlib import Path

from jminesweeper.core.grid import Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.records.meeting import find_room
from jminesweeper.store.blocking import run
from jminesweeper.store.sqlite import SqliteStore
from tests.integration.server_process import hasty, running_server
from tests.integration.terminal import PtyProcess, Tmux, client_command, in_tmux, on_pty


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


def test_who_waits_for_an_opponent_practises(tmp_path: Path) -> None:
    with ExitStack() as stack:
        store = f"--store={tmp_path / 'store.db'}"
        server = stack.enter_context(running_server(command=hasty("--workers=0", store)))
        options = [f"127.0.0.1:{server.port}", "--preset=beginner"]
        ada = stack.enter_context(on_pty([*options, "--name=Ada"], tmp_path / "ada"))
        bob = stack.enter_context(on_pty([*options, "--name=Bob"], tmp_path / "bob"))
        for player in (ada, bob):
            player.wait_for_screen("beginner 9x9")
            player.press("z", "Quick match")
        ada.press(2 * "\x1b[B" + "\r", "waiting for an opponent")
        ada.press(" ", "mines   9")
        bob.type(2 * "\x1b[B" + "\r")
        for player in (ada, bob):
            player.wait_for_screen("Friends join")


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
        bob.press("\r", "Starts in")
        for player in (ada, bob):
            player.wait_for_screen("Open every safe cell")
        field = minefield(store, code)
        go_and_open(bob, field, field.mines & -field.mines)
        bob.wait_for_screen("Your keys do nothing for")
        ada.wait_for_screen("*1")
        go_and_open(ada, field, field.safe)
        bob.wait_for_screen("s: you have 60 s.")
        ada.wait_for_screen("1 you")
        bob.wait_for_screen("1 Ada")
        ada.type("x")
        assert ada.finish() == 0
        told = ada.output.rpartition(b"\x1b[?1049l")[2]
        assert f"come back with --join {code}".encode() in told
        bob.press("\x1b", "Leave the running round?")
        bob.type("\r")


def test_a_host_alone_races_the_solver_of_the_server_by_keys(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(running_server("--workers=1", f"--store={tmp_path / 's.db'}"))
        host = f"127.0.0.1:{server.port}"
        ada = stack.enter_context(on_pty(["--race", "beginner", host, "--name=Ada"], tmp_path))
        ada.wait_for_screen("Solvers")
        # Up from the first choice: begin, rounds, solvers.
        ada.press(3 * "\x1b[A", "> Solvers")
        for solver in ("Calm solver", "Brisk solver", "Merciless solver"):
            ada.press("\x1b[C", f"{solver:22}bot")
        ada.type("\r")
        ada.wait_for_screen(" 1 Merciless solver")
        ada.press("\t", "Give up this race?")
        ada.press("\r", "Merciless solver won the race")


def keys_to_open(field: Minefield, cells: int) -> list[str]:
    """Name the keys that open cells, from the corner on."""
    keys = ["Home", *3 * ["PageUp"]]
    column = row = 0
    for cell in Grid.of(field.size).cells(cells):
        keys += (cell.row - row) * ["Down"]
        keys += abs(cell.column - column) * ["Right" if cell.column > column else "Left"]
        keys.append("Enter")
        column, row = cell
    return keys


SIZES = {"Ada": (80, 24), "Bob": (100, 30), "Eve": (40, 20)}


def test_a_third_person_watches_a_race_of_two(tmux: str, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    with ExitStack() as stack:
        server = stack.enter_context(running_server("--workers=0", f"--store={store}"))
        host = f"127.0.0.1:{server.port}"

        def sit(name: str, *options: str) -> Tmux:
            home = tmp_path / name
            home.mkdir()
            columns, rows = SIZES[name]
            window = stack.enter_context(in_tmux(tmux, home, columns=columns, rows=rows))
            window.run(client_command(*options, host, f"--name={name}"))
            return window

        ada = sit("Ada", "--race", "beginner")
        ada.wait_for("Friends join", "you, host")
        found = re.search("Code ([A-Z]+)", ada.text())
        assert found is not None
        bob, eve = sit("Bob", "--join", found[1]), sit("Eve", "--watch", found[1])
        eve.wait_for("You watch", "Ada", "Bob")
        bob.wait_for("Bob", "you")
        for player in (ada, bob):
            player.type("Enter")
        for player in (ada, bob):
            player.wait_for("Open every safe cell")
        field = minefield(store, found[1])
        bob.type(*keys_to_open(field, field.mines & -field.mines))
        eve.wait_for("*1")
        assert "Open every" not in eve.text()
        bob.wait_for("Your keys do nothing")
        bob.wait_until(lambda: "Your keys do nothing" not in bob.text(), "the end of the penalty")
        ada.type(*keys_to_open(field, field.safe))
        eve.wait_for("1 Ada")
        bob.wait_for("ends in", "s: you have 60 s.")
        bob.type(*keys_to_open(field, field.safe))
        ada.wait_for("You won the race!", "3BV/s", "You 1 : 0 Bob.", "RETURN ready")
        bob.wait_for("Ada won by", "3BV/s", "You 0 : 1 Ada.", "RETURN ready")
        eve.wait_for("1. Ada", "2. Bob")
        eve.type("Escape")
        eve.wait_for("Race", "2 Bob")
        eve.type("Escape")
        eve.wait_for("RETURN reveal")


def test_whoever_starts_the_client_again_is_asked_to_return_to_the_seat(tmp_path: Path) -> None:
    with ExitStack() as stack:
        store = f"--store={tmp_path / 'store.db'}"
        server = stack.enter_context(running_server(command=hasty("--workers=0", store)))
        host = f"127.0.0.1:{server.port}"
        ada = stack.enter_context(on_pty(["--coop", "beginner", host], tmp_path / "ada"))
        ada.wait_for_screen("Friends join")
        found = re.search("Code ([A-Z]+)", "\n".join(ada.lines))
        assert found is not None
        bob = stack.enter_context(on_pty(["--join", found[1], host], tmp_path / "bob"))
        bob.wait_for_screen("Shared board")
        bob.type("\r")
        ada.press("\r", "Open every safe cell")
        bob.wait_for_screen("Open every safe cell")
        # Ctrl-C says how to come back, as x does; whoever forgets it is asked.
        bob.type("\x03")
        assert bob.finish() == 130
        assert (
            f"come back with --join {found[1]}" in bob.output.decode().rpartition("\x1b[?1049l")[2]
        )
        again = stack.enter_context(on_pty(["--preset=expert", host], tmp_path / "bob"))
        again.wait_for_screen(f"Your seat in {found[1]} is kept")
        again.press("\r", "beginner 9x9")
        again.wait_for_screen("Open every safe cell")
        ada.wait_for_screen("is back")


def test_who_waits_for_another_board_is_offered_by_name_and_return_plays(tmp_path: Path) -> None:
    with ExitStack() as stack:
        store = f"--store={tmp_path / 'store.db'}"
        server = stack.enter_context(running_server(command=hasty("--workers=0", store)))
        host = f"127.0.0.1:{server.port}"
        ada, bob = (
            stack.enter_context(
                on_pty([host, f"--preset={board}", f"--name={name}"], tmp_path / name)
            )
            for name, board in (("Ada", "beginner"), ("Bob", "expert"))
        )
        for player in (ada, bob):
            player.wait_for_screen("x quit")
        ada.press("z", "Quick match")
        ada.press(2 * "\x1b[B" + "\r", "waiting for an opponent")
        bob.press("z", "waits for a race on beginner")
        bob.press(2 * "\x1b[B" + "\r", "Ada waits for beginner")
        ada.wait_for_screen("Bob waits for expert")
        ada.press("\r", "expert no-guess 30x16")
        for player in (ada, bob):
            player.wait_for_screen("Friends join")
            assert any("Open to" in line for line in player.lines)
