#!/usr/bin/env python3
"""Take the pictures of playing together in terminals: ``.venv/bin/python scripts/friends.py``.

Two friends at our client race, and share a board; what one of them sees is drawn as SVG. A whole
race is kept as docs/pictures/race.cast as well, and race.svg, which moves by itself, is drawn from
that. With ``--all FOLDER`` every picture is taken at two sizes, on dark and on light ground, to be
looked at.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Final, NamedTuple, TypeAlias

from animation import draw
from programs import JMINESWEEPER, PICTURES, Terminal, server
from screenshots import FLAG, RACE, REVEAL, next_action, write_cast

from jminesweeper import Cell, Game, Setup
from jminesweeper.records.meeting import find_room
from jminesweeper.store.blocking import run
from jminesweeper.store.sqlite.store import SqliteStore

Key: TypeAlias = tuple[str, float]
"""What is typed, and the seconds to wait after it."""
KEY_S: Final = 0.09
ADA_S: Final = 0.12
BOB_S: Final = 0.07
"""What a key takes, each of them while they are recorded; after what opens cells they look."""
THINK_S: Final = 0.25
PENALTY_S: Final = 10.5


class Shot(NamedTuple):
    """The terminal that is drawn."""

    columns: int
    rows: int
    scheme: str

    def take(self, terminal: Terminal, path: Path) -> None:
        terminal.start_here()
        path.write_text(draw(terminal.events, self.columns, self.rows, self.scheme), "utf-8")


SMALL, LARGE = Shot(80, 24, "dark"), Shot(100, 30, "light")
SHOTS: Final = (SMALL, Shot(80, 24, "light"), Shot(100, 30, "dark"), LARGE)
SHOWN: Final = {"room": SMALL, "race": LARGE, "result": SMALL, "shared": LARGE}
"""What the documents show."""


class Club:
    """A server, and who plays there."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._home = Path(stack.enter_context(TemporaryDirectory()))
        self._store = self._home / "store.db"
        self._address = stack.enter_context(server(self._home, f"--store={self._store}"))

    def meet(self, way: str, shot: Shot) -> tuple[Terminal, Terminal, str]:
        """Have two friends in a room."""
        board = "beginner" if shot.rows == SMALL.rows else "intermediate"
        ada = self._friend("Ada", shot, way, board)
        ada.wait_for("Friends join")
        code = re.findall(r"Code ([A-Z]{5})", ada.text)[0]
        bob = self._friend("Bob", shot, "--join", code)
        bob.wait_for("Ada")
        ada.wait_for("Bob")
        return ada, bob, code

    def _friend(self, name: str, shot: Shot, *options: str) -> Terminal:
        home = Path(self._stack.enter_context(TemporaryDirectory()))
        looks = home / ".config" / "jminesweeper" / "looks"
        looks.parent.mkdir(parents=True)
        looks.write_text(f"ground {shot.scheme}\n", "utf-8")
        command = (*JMINESWEEPER, "client", *options, f"--name={name}", self._address)
        terminal = Terminal(command, shot.columns, shot.rows, home)
        self._stack.callback(terminal.close)
        return terminal

    def setup(self, code: str) -> Setup:
        with closing(SqliteStore(self._store)) as store:
            room = run(store, find_room(code))
        if room is None or room.setup is None:
            sys.exit(f"No round runs in room {code}.")
        return room.setup


@contextmanager
def meanwhile(terminal: Terminal, keys: Iterable[Key]) -> Iterator[None]:
    """Have somebody else type."""
    thread = Thread(target=terminal.type, args=(keys,))
    thread.start()
    yield
    thread.join()


def begin(ada: Terminal, bob: Terminal) -> None:
    """Be ready, and let the countdown run."""
    with meanwhile(bob, [(REVEAL, 0.5)]):
        ada.type([("", 0.5), (REVEAL, 0.5)])
    for friend in (bob, ada):
        friend.wait_for("Open every")


def go(here: Cell, there: Cell, seconds: float) -> Iterator[Key]:
    across, down = there.column - here.column, there.row - here.row
    moves = ("d" if across > 0 else "a") * abs(across) + ("s" if down > 0 else "w") * abs(down)
    return ((move, seconds) for move in moves)


def solve(setup: Setup, seconds: float, *, slips_at: int = -1) -> Iterator[Key]:
    """Play the board of a room by keys, from its first cell on; somebody may step on a mine."""
    game, at = Game(setup), setup.first or Cell(0, 0)
    game.reveal(at)
    number = 0
    while not game.status.is_over:
        there, key = next_action(game, at)
        if number == slips_at:
            mines = game.grid.mask & ~setup.minefield().safe & ~game.flagged
            there, key = next(iter(game.grid.cells(mines))), REVEAL
        else:
            (game.flag if key == FLAG else game.reveal)(there)
        yield from go(at, there, seconds)
        yield key, PENALTY_S if number == slips_at else seconds + THINK_S
        at, number = there, number + 1


def take_race(club: Club, shot: Shot, folder: Path, names: Iterable[str]) -> None:
    """Take the waiting room, the race and its result."""
    ada, bob, code = club.meet("--race", shot)
    with meanwhile(bob, [("1", 0.4)]):
        ada.type([(REVEAL, 0.4)])
    _take("room", ada, shot, folder, names)
    ada.type([(REVEAL, 0.3)])
    begin(ada, bob)
    setup = club.setup(code)
    fast, slow = solve(setup, KEY_S), solve(setup, KEY_S, slips_at=1)
    with meanwhile(bob, islice(slow, 40)):
        ada.type(islice(fast, 60))
    _take("race", ada, shot, folder, names)
    if "result" in names:
        with meanwhile(bob, slow):
            ada.type(fast)
        ada.wait_for("Name")
        ada.type([("", 0.5)])
        _take("result", ada, shot, folder, names)


def take_shared(club: Club, shot: Shot, folder: Path, names: Iterable[str]) -> None:
    """Take a board that two share, one of whom points at a cell."""
    ada, bob, code = club.meet("--coop", shot)
    begin(ada, bob)
    setup = club.setup(code)
    ada.type(islice(solve(setup, KEY_S), 50))
    mine = next(iter(setup.variant.grid.cells(setup.minefield().mines)))
    bob.type([*go(setup.first or Cell(0, 0), mine, KEY_S), (FLAG, 0.3), ("s", 0.3), ("0", 0.3)])
    ada.type([("", 0.3)])
    _take("shared", ada, shot, folder, names)


def _take(name: str, terminal: Terminal, shot: Shot, folder: Path, names: Iterable[str]) -> None:
    if name in names:
        shot.take(
            terminal, folder / f"together-{name}-{shot.columns}x{shot.rows}-{shot.scheme}.svg"
        )


def record(club: Club) -> None:
    """Record a race, from the waiting room to the result."""
    ada, bob, code = club.meet("--race", SMALL)
    ada.start_here()
    with meanwhile(bob, [("", 1.5), ("1", 1.0), (REVEAL, 0.1)]):
        ada.type([("", 3.0), (REVEAL, 3.0)])
    for friend in (bob, ada):
        friend.wait_for("Open every")
    setup = club.setup(code)
    with meanwhile(bob, solve(setup, BOB_S, slips_at=1)):
        ada.type([("", 0.5), *solve(setup, ADA_S), ("", 1.0)])
    ada.wait_for("Name")
    ada.type([("", 5.0)])
    RACE.write_text(write_cast(ada.events), "utf-8")
    RACE.with_suffix(".svg").write_text(draw(ada.events, SMALL.columns, SMALL.rows), "utf-8")


def main() -> None:
    """Take the pictures that are shown, or all, and record the race."""
    is_all = "--all" in sys.argv
    folder = Path(sys.argv[-1]) if is_all else PICTURES
    for shot in SHOTS:
        names = {name for name, shown in SHOWN.items() if is_all or shown is shot}
        names -= set() if shot.rows == SMALL.rows else {"result"}
        with ExitStack() as stack:
            club = Club(stack)
            if names - {"shared"}:
                take_race(club, shot, folder, names)
            if "shared" in names:
                take_shared(club, shot, folder, names)
            if shot is SMALL and not is_all:
                record(club)


if __name__ == "__main__":
    main()
