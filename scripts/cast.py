#!/usr/bin/env python3
"""Record a game for the README: ``.venv/bin/python scripts/cast.py [--check]``.

A server, our client on a terminal of its own, and somebody who plays a known board to its end. What
the terminal got becomes docs/pictures/game.cast (asciinema's format, version 2), and that becomes
game.svg, which moves by itself wherever pictures are shown. ``--check`` draws again from the
recording, and fails if that is another picture.
"""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from animation import Event, draw

from jminesweeper import Cell, Game, Setup, analyse, seeded_bits
from jminesweeper.core.setup import SEED_BITS

ROOT: Final = Path(__file__).resolve().parents[1]
CAST: Final = ROOT / "docs" / "pictures" / "game.cast"
PICTURE: Final = CAST.with_suffix(".svg")
COLUMNS: Final = 80
ROWS: Final = 24

# The game. On the server's second board no reveal after the first one is a guess.
SERVER_SEED: Final = 333
FIRST: Final = Cell(8, 8)
SECONDS_A_KEY: Final = 0.09
SECONDS_TO_THINK: Final = 0.15
SECONDS_TO_LOOK: Final = 4.0
REVEAL: Final = "\r"
FLAG: Final = " "


def actions() -> Iterator[tuple[Cell, str]]:
    """Play the board as a person does: flags where they let a number open its neighbours."""
    game, at = Game(Setup.of("intermediate", seed=second_board())), FIRST
    game.reveal(FIRST)
    yield FIRST, REVEAL
    while not game.status.is_over:
        at, key = next_action(game, at)
        (game.flag if key == FLAG else game.reveal)(at)
        yield at, key


def second_board() -> int:
    """Foresee the board that the server lays after that of START."""
    random_bits = seeded_bits(SERVER_SEED)
    random_bits(SEED_BITS)
    return random_bits(SEED_BITS)


def next_action(game: Game, at: Cell) -> tuple[Cell, str]:
    """Choose what is near and certain: a chord that opens much, a flag for one, a safe cell."""
    view = game.view
    known = analyse(view)
    choices: list[tuple[int, Cell, str]] = []
    for cell in view.cells(view.visible):
        near = view.grid.neighbours(view.grid.bit(cell))
        opens = near & view.covered & ~known.mines
        missing = view.cells(near & known.mines & ~view.flagged)
        if not opens or (near & known.mines).bit_count() != view.clue(cell):
            continue
        if missing:
            choices += [(steps(at, mine) + 1, mine, FLAG) for mine in missing]
        else:
            choices.append((steps(at, cell) - 2 * opens.bit_count(), cell, REVEAL))
    choices = choices or [(steps(at, cell), cell, REVEAL) for cell in view.cells(known.safe)]
    _, cell, key = min(choices)
    return cell, key


def steps(here: Cell, there: Cell) -> int:
    return abs(here.column - there.column) + abs(here.row - there.row)


def keys() -> Iterator[tuple[str, float]]:
    """Turn the actions into keys, each with the seconds to wait after it."""
    column = row = 0
    for cell, key in actions():
        across, down = cell.column - column, cell.row - row
        moves = ("d" if across > 0 else "a") * abs(across) + ("s" if down > 0 else "w") * abs(down)
        yield from ((move, SECONDS_A_KEY) for move in moves)
        yield key, SECONDS_A_KEY + SECONDS_TO_THINK
        column, row = cell
    yield "", SECONDS_TO_LOOK


# Recording


def environment(home: str) -> dict[str, str]:
    """Describe a player without any settings, on a terminal with all colours."""
    kept = {"PATH": os.environ["PATH"], "HOME": home, "XDG_DATA_HOME": home}
    return kept | {"LANG": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


@contextmanager
def server(home: str) -> Iterator[str]:
    """Run a server until the block ends; give its address."""
    command = (sys.executable, "-m", "jminesweeper", "server", "--host=127.0.0.1", "--port=0")
    process = subprocess.Popen(
        (*command, "--store=memory", "--workers=1", f"--seed={SERVER_SEED}"),
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
    )
    try:
        line = process.stderr.readline() if process.stderr else ""
        yield line.split()[-1]
    finally:
        process.terminate()
        process.communicate()


def record() -> list[Event]:
    """Play, and return what the terminal got from the first frame on."""
    with TemporaryDirectory() as home, server(home) as address:
        terminal, programs_end = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        client = subprocess.Popen(
            (sys.executable, "-m", "jminesweeper", "client", "--preset=intermediate", address),
            stdin=programs_end,
            stdout=programs_end,
            env=environment(home),
        )
        os.close(programs_end)
        events = list(play(terminal))
        os.write(terminal, b"x")
        drain(terminal)
        client.wait()
        return events


def drain(terminal: int) -> None:
    """Read until the program has ended, which Linux says with an error."""
    with suppress(OSError):
        while os.read(terminal, 1 << 16):
            pass


def play(terminal: int) -> Iterator[Event]:
    """Type the keys at their pace, and pass on what is written."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    first = b""
    while b"intermediate" not in first:
        first += os.read(terminal, 1 << 16)
    began = time.monotonic()
    yield 0.0, decode(first)
    due = began + 1.0
    for key, pause_s in keys():
        yield from written(terminal, began, due, decode)
        os.write(terminal, key.encode())
        due += pause_s
    yield from written(terminal, began, due, decode)
    yield due - began, ""


def written(
    terminal: int, began: float, due: float, decode: Callable[[bytes], str]
) -> Iterator[Event]:
    """Pass on what is written until a moment."""
    while (left := due - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            yield round(time.monotonic() - began, 2), decode(os.read(terminal, 1 << 16))


def write_cast(events: Sequence[Event]) -> str:
    """Write events as asciinema does."""
    head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": "JMinesweeper"}
    lines = [json.dumps(head), *(json.dumps([at_s, "o", text]) for at_s, text in events)]
    return "\n".join(lines) + "\n"


def read_cast(text: str) -> list[Event]:
    """Read what `write_cast` wrote."""
    return [(at_s, written) for at_s, _, written in map(json.loads, text.splitlines()[1:])]


def main() -> None:
    """Record and draw, or check what was drawn."""
    if "--check" in sys.argv:
        if draw(read_cast(CAST.read_text("utf-8")), COLUMNS, ROWS) != PICTURE.read_text("utf-8"):
            sys.exit(
                f"{PICTURE.relative_to(ROOT)} does not show the recording: run scripts/cast.py."
            )
        return
    events = record()
    CAST.write_text(write_cast(events), "utf-8")
    PICTURE.write_text(draw(events, COLUMNS, ROWS), "utf-8")
    print(f"{events[-1][0]:.0f} s, {PICTURE.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
