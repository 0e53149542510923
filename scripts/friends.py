#!/usr/bin/env python3
"""Take the pictures of playing together in terminals: ``.venv/bin/python scripts/friends.py``.

Two friends at our client race, and share a board; what one of them sees is drawn as SVG. A whole
race is kept as docs/pictures/race.cast as well, and race.svg, which moves by itself, is drawn from
that.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Final, NamedTuple

from animation import draw
from programs import JMINESWEEPER, PICTURES, Terminal, server
from screenshots import FLAG, KEY_S, RACE, REVEAL, Key, go, solve, write_cast

from jminesweeper import Cell, Game, Setup
from jminesweeper.records.meeting import find_room
from jminesweeper.store.blocking import run
from jminesweeper.store.sqlite import SqliteStore

ADA_S: Final = 0.12
BOB_S: Final = 0.07
"""Seconds for a key, of each player while recorded; after a key that opens cells they look."""
PENALTY_S: Final = 10.5


class Shot(NamedTuple):
    """The terminal that is drawn."""

    columns: int
    rows: int
    scheme: str

    def take(self, terminal: Terminal, name: str) -> None:
        path = PICTURES / f"together-{name}-{self.columns}x{self.rows}-{self.scheme}.svg"
        terminal.start_here()
        path.write_text(draw(terminal.events, self.columns, self.rows, self.scheme), "utf-8")


SMALL, LARGE = Shot(80, 24, "dark"), Shot(100, 30, "light")
SHOWN: Final = {SMALL: ("room", "countdown", "result"), LARGE: ("race", "shared")}
"""The pictures in the documents."""


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
        code = re.findall(r"Code ([A-Z]{6})", ada.text)[0]
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


def begin(ada: Terminal, bob: Terminal, shot: Shot | None = None) -> None:
    """Be ready, and let the countdown run; take it, if that is wanted."""
    with meanwhile(bob, [(REVEAL, 0.5)]):
        ada.type([("", 0.5), (REVEAL, 0.5)])
    ada.wait_for("Starts in")
    if shot is not None:
        shot.take(ada, "countdown")
    for friend in (bob, ada):
        friend.wait_for("Open every")


def play(setup: Setup, seconds: float, *, slips: bool = False) -> Iterator[Key]:
    """Play the board of a room by keys, from its first cell on; somebody may step on a mine."""
    game, at = Game(setup), setup.first or Cell(0, 0)
    game.reveal(at)
    if slips:
        mine = next(iter(game.grid.cells(setup.minefield().mines)))
        yield from go(at, mine, seconds)
        yield REVEAL, PENALTY_S
        game.flag(mine)
        at = mine
    yield from solve(game, at, seconds)


def take_race(club: Club, shot: Shot, names: Sequence[str]) -> None:
    """Take the waiting room, the race and its result, as far as they are wanted."""
    ada, bob, code = club.meet("--race", shot)
    with meanwhile(bob, [("1", 0.4)]):
        ada.type([(REVEAL, 0.4)])
    if "room" in names:
        shot.take(ada, "room")
    ada.type([(REVEAL, 0.3)])
    begin(ada, bob, shot if "countdown" in names else None)
    setup = club.setup(code)
    fast, slow = play(setup, KEY_S), play(setup, KEY_S, slips=True)
    with meanwhile(bob, islice(slow, 40)):
        ada.type(islice(fast, 60))
    if "race" in names:
        shot.take(ada, "race")
    if "result" in names:
        with meanwhile(bob, slow):
            ada.type(fast)
        ada.wait_for("Name")
        ada.type([("", 0.5)])
        shot.take(ada, "result")


def take_shared(club: Club, shot: Shot) -> None:
    """Take a board that two share, one of whom points at a cell."""
    ada, bob, code = club.meet("--coop", shot)
    begin(ada, bob)
    setup = club.setup(code)
    ada.type(islice(play(setup, KEY_S), 50))
    mine = next(iter(setup.variant.grid.cells(setup.minefield().mines)))
    bob.type([*go(setup.first or Cell(0, 0), mine, KEY_S), (FLAG, 0.3), ("s", 0.3), ("0", 0.3)])
    ada.type([("", 0.3)])
    shot.take(ada, "shared")


def record(club: Club) -> None:
    """Record a race, from the waiting room to the result."""
    ada, bob, code = club.meet("--race", SMALL)
    ada.start_here()
    with meanwhile(bob, [("", 1.5), ("1", 1.0), (REVEAL, 0.1)]):
        ada.type([("", 3.0), (REVEAL, 3.0)])
    for friend in (bob, ada):
        friend.wait_for("Open every")
    setup = club.setup(code)
    with meanwhile(bob, play(setup, BOB_S, slips=True)):
        ada.type([("", 0.5), *play(setup, ADA_S), ("", 1.0)])
    ada.wait_for("Name")
    ada.type([("", 5.0)])
    RACE.write_text(write_cast(ada.events), "utf-8")
    RACE.with_suffix(".svg").write_text(draw(ada.events, SMALL.columns, SMALL.rows), "utf-8")


def main() -> None:
    """Take the pictures that are shown, and record a race."""
    for shot, names in SHOWN.items():
        with ExitStack() as stack:
            club = Club(stack)
            take_race(club, shot, names)
            if "shared" in names:
                take_shared(club, shot)
            if shot is SMALL:
                record(club)


if __name__ == "__main__":
    main()
