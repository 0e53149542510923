#!/usr/bin/env python3
"""Take the pictures of the terminal client: ``.venv/bin/python scripts/screenshots.py [--check]``.

A server, our client on a terminal of its own, and somebody who plays known boards. What the
terminal got is drawn as SVG. A whole game is kept as docs/pictures/game.cast as well (asciinema's
format, version 2), and game.svg, which moves by itself, is drawn from that. ``--check`` draws it
again, and the race of scripts/friends.py, and fails if that is another picture.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import accumulate, chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias

from animation import Event, draw
from programs import JMINESWEEPER, PICTURES, ROOT, Terminal, run, server

from jminesweeper import Cell, Game, Level, Setup, Size, analyse, seeded_bits
from jminesweeper.core.setup import SEED_BITS
from jminesweeper.core.variant import level_variant

Key: TypeAlias = tuple[str, float]
"""A text to type, and the seconds to wait after it."""

CAST: Final = PICTURES / "game.cast"
RACE: Final = PICTURES / "race.cast"
COLUMNS, ROWS = 80, 24

# The game. On the server's second board no reveal after the first one is a guess.
SERVER_SEED: Final = 186
FIRST: Final = Cell(8, 5)
KEY_S: Final = 0.09
THINK_S: Final = 0.2
SECONDS_TO_LOOK: Final = 4.0
REVEAL, FLAG = "\r", " "


class Scene(NamedTuple):
    """A game to play on a terminal for one picture."""

    keys: str
    shows: str
    """A text on the last screen: without it the picture shows something else."""
    columns: int = 80
    rows: int = 24
    looks: str = ""
    scheme: str = "dark"


_FLAGGED: Final = "jj\rkkkkkkllfkfhfhhhhjfLLjfjjjjhh"
SCENES: Final[Mapping[str, Scene]] = {
    "terminal-dark": Scene(f"{_FLAGGED}hh", "24 %"),
    "terminal-light": Scene(f"{_FLAGGED}hh", "24 %", looks="ground light", scheme="light"),
    "terminal-lost-dark": Scene(f"{_FLAGGED}\r", "LOST"),
    "terminal-classic-light": Scene(
        _FLAGGED, "24 %", 100, 30, looks="palette classic", scheme="light"
    ),
    "terminal-200x60-dark": Scene(_FLAGGED, "24 %", 200, 60),
}
EXPERT: Final = ("--preset=expert", "--seed=38")


def take(scene: Scene, address: str) -> str:
    """Play a scene, and draw its last screen."""
    with TemporaryDirectory() as name:
        looks = Path(name, ".config", "jminesweeper", "looks")
        looks.parent.mkdir(parents=True)
        looks.write_text(f"{scene.looks}\n" if scene.looks else "", "utf-8")
        command = (*JMINESWEEPER, "client", *EXPERT, address)
        terminal = Terminal(command, scene.columns, scene.rows, Path(name))
        terminal.wait_for("expert")
        terminal.type((key, KEY_S) for key in scene.keys)
        terminal.wait_for(scene.shows)
        terminal.start_here()
        terminal.close()
    return draw(terminal.events, scene.columns, scene.rows, scene.scheme)


def take_over_ssh(address: str, home: Path) -> str:
    """Play with PuTTY's plink as PuTTY has it on Windows: TERM=xterm, sixteen colours."""
    host, _, port = address.rpartition(":")
    fingerprint = run("ssh-keygen", "-lf", home / ".data/jminesweeper/ssh_host_key").split()[1]
    terminal = Terminal(
        (*("plink", "-ssh", "-t", "-batch", "-P", port, "-hostkey", fingerprint), f"ada@{host}"),
        COLUMNS,
        ROWS,
        home,
        {"TERM": "xterm", "COLORTERM": ""},
    )
    terminal.wait_for("easy 20x10")
    moves = chain(go(Cell(0, 0), FIRST, KEY_S), [(REVEAL, KEY_S), ("L", KEY_S), ("\r", KEY_S)])
    terminal.type(chain(moves, [("h", KEY_S), ("k", KEY_S), (FLAG, 1.0)]))
    terminal.wait_for("%")
    terminal.start_here()
    terminal.close()
    return draw(terminal.events, COLUMNS, ROWS)


def record(address: str, home: Path) -> list[Event]:
    """Play a game, and return what the terminal got from the first frame on."""
    command = (*JMINESWEEPER, "client", "-r10", "-c20", "-leasy", address)
    terminal = Terminal(command, COLUMNS, ROWS, home)
    terminal.wait_for("easy 20x10")
    terminal.start_here()
    terminal.type(keys())
    terminal.close()
    return terminal.events


def keys() -> Iterator[Key]:
    """Play the server's second board, from its corner on."""
    random_bits = seeded_bits(SERVER_SEED)
    random_bits(SEED_BITS)
    board = level_variant(Size(20, 10), Level.EASY)
    game = Game(Setup(board, seed=random_bits(SEED_BITS)))
    game.reveal(FIRST)
    yield "", 1.0
    yield from go(Cell(0, 0), FIRST, KEY_S)
    yield REVEAL, KEY_S + THINK_S
    yield from solve(game, FIRST, KEY_S)
    yield "", SECONDS_TO_LOOK


def go(here: Cell, there: Cell, seconds: float) -> Iterator[Key]:
    across, down = there.column - here.column, there.row - here.row
    moves = ("d" if across > 0 else "a") * abs(across) + ("s" if down > 0 else "w") * abs(down)
    return ((move, seconds) for move in moves)


def solve(game: Game, at: Cell, seconds: float) -> Iterator[Key]:
    """Play as a person does: what is certain, and of that the nearest."""
    while not game.status.is_over:
        there, key = next_action(game, at)
        (game.flag if key == FLAG else game.reveal)(there)
        yield from go(at, there, seconds)
        yield key, seconds + THINK_S
        at = there


def next_action(game: Game, at: Cell) -> tuple[Cell, str]:
    """Choose a flag or a safe cell; these rules have no chords."""
    view = game.view
    known = analyse(view)
    mines = view.cells(known.mines & ~view.flagged)
    safe = view.cells(known.safe & view.covered)
    choices = [*((cell, FLAG) for cell in mines), *((cell, REVEAL) for cell in safe)]
    return min(choices, key=lambda choice: len([*go(at, choice[0], 0)]))


def write_cast(events: list[Event]) -> str:
    """Write events as asciinema does."""
    head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "JMinesweeper"}
    # Two that are read at the same moment may have their times the other way round.
    times = accumulate((at_s for at_s, _ in events), max)
    told = ([at_s, "o", text] for at_s, (_, text) in zip(times, events, strict=True))
    lines = map(json.dumps, [head, *told])
    return "\n".join(lines) + "\n"


def read_cast(text: str) -> list[Event]:
    """Read what `write_cast` wrote."""
    return [(at_s, written) for at_s, _, written in map(json.loads, text.splitlines()[1:])]


def main() -> None:
    """Play and draw, or check what was drawn."""
    if "--check" in sys.argv:
        for cast in (CAST, RACE):
            drawn = draw(read_cast(cast.read_text("utf-8")), COLUMNS, ROWS)
            if drawn != cast.with_suffix(".svg").read_text("utf-8"):
                sys.exit(f"{cast.relative_to(ROOT)} has another picture: take it again.")
        return
    with TemporaryDirectory() as home, server(Path(home), f"--seed={SERVER_SEED}") as address:
        events = record(address, Path(home))
        CAST.write_text(write_cast(events), "utf-8")
        CAST.with_suffix(".svg").write_text(draw(events, COLUMNS, ROWS), "utf-8")
        (PICTURES / "ssh-16-colours.svg").write_text(take_over_ssh(address, Path(home)), "utf-8")
        for name, scene in SCENES.items():
            (PICTURES / f"{name}.svg").write_text(take(scene, address), "utf-8")


if __name__ == "__main__":
    main()
