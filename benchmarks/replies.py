"""Time replies inside the process: ``python -m benchmarks.replies [--quick] [--beside SRC]``.

Sessions and painters alone: no socket, no event loop, no store. With ``--beside`` another source
tree runs the same cases, turn by turn, for a comparison in one run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import Final, NamedTuple

from jminesweeper.screen.models import ColourDepth, GameScreen, Taste, Terminal
from jminesweeper.screen.painter import AnsiPainter

from jminesweeper.core.game import Game
from jminesweeper.core.generator import place_mines, seeded_bits
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Spread
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Hello, MoveTo, NewGame, Packet, Start
from jminesweeper.protocol.vocabulary import Command, Feature, GameKind, NewGameFlag
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.session import Session

ROOT: Final = Path(__file__).parents[1]
ROUNDS, QUICK_ROUNDS = 40, 8
TURNS, QUICK_TURNS = 8, 3
"""How often each of two source trees gets its turn."""

TERMINAL: Final = Hello(80, 24, 2, 1, features=Feature.TILES)
WIDEST: Final = Hello(255, 255, 2, 1, features=Feature.TILES)
"""Both with 256 colours and Unicode, and with marks on tiles, as our client."""
EXPERT: Final = Size(30, 16)
LARGEST: Final = Size(255, 255)
CASCADE_CELLS: Final = 69
ACTIONS: Final = 40

Samples = Iterator[int]
"""Nanoseconds of one reply after the other."""


class Case(NamedTuple):
    """One line of the table: a round of it, and how many microseconds it may take."""

    name: str
    aim_us: float | None
    round: Callable[[int], Samples]


class Timed:
    """A session whose replies are timed."""

    def __init__(self, *packets: Packet, seed: int) -> None:
        self._session = Session(SessionConfig(), Random(seed).getrandbits)
        self.now_ms = 0
        for packet in packets:
            self.send(packet)

    def send(self, packet: Packet) -> int:
        """Return how many nanoseconds the reply took."""
        receive, now_ms = self._session.receive, self.now_ms
        start = perf_counter_ns()
        receive(packet, now_ms)
        return perf_counter_ns() - start


def own_board(size: Size, mines: int, seed: int) -> NewGame:
    return NewGame(
        GameKind.OWN,
        columns=size.columns,
        rows=size.rows,
        mines=mines,
        rules=1,
        flags=NewGameFlag.SEEDED,
        seed=seed,
    )


def expert_under_way(seed: int) -> tuple[Timed, Sequence[Cell]]:
    """Open the middle of an Expert board, and list what is covered then."""
    centre = Cell(EXPERT.columns // 2, EXPERT.rows // 2)
    timed = Timed(TERMINAL, own_board(EXPERT, 99, seed), MoveTo(*centre), seed=seed)
    timed.send(Command.REVEAL)
    game = Game(Setup.of(EXPERT, 99, seed=seed))
    game.reveal(centre, 0)
    covered = [*game.grid.cells(game.grid.mask ^ game.visible)]
    Random(seed).shuffle(covered)
    return timed, covered[:ACTIONS]


def mark(timed: Timed, cells: Iterable[Cell], step_ms: int) -> Samples:
    for cell in cells:
        timed.now_ms += step_ms
        timed.send(MoveTo(*cell))
        yield timed.send(Command.TOGGLE_BOMB_MARK)


def marks_version_2(seed: int) -> Samples:
    return mark(*expert_under_way(seed), step_ms=300)


def refreshes(seed: int) -> Samples:
    timed, _ = expert_under_way(seed)
    for _ in range(ACTIONS):
        timed.now_ms += 1000
        yield timed.send(Command.REFRESH)


def hellos(seed: int) -> Samples:
    for number in range(ACTIONS // 4):
        yield Timed(seed=seed + number).send(TERMINAL)


def starts(seed: int) -> Samples:
    timed = Timed(Start(20, 10, 1), seed=seed)
    for _ in range(ACTIONS):
        yield timed.send(Start(20, 10, 1))


def marks_version_1(seed: int) -> Samples:
    timed = Timed(Start(20, 10, 1), seed=seed)
    cells = [*Grid.of(Size(20, 10)).cells(Grid.of(Size(20, 10)).mask)]
    Random(seed).shuffle(cells)
    return mark(timed, cells[:ACTIONS], step_ms=300)


def cascades(seed: int) -> Samples:
    """Open a cascade of 69 cells, wherever it is on the largest board."""
    mines = place_mines(LARGEST, LARGEST.cells // 10, seeded_bits(seed))
    field = Minefield(LARGEST, mines)
    setup = Setup.of(LARGEST, layout=mines)
    for cell in islice(cells_of_cascades(field), 5):
        game = Game(setup)
        _ = game.reveal_truth().zeros
        start = perf_counter_ns()
        game.reveal(cell, 0)
        yield perf_counter_ns() - start


def cells_of_cascades(field: Minefield) -> Iterator[Cell]:
    left = field.zeros
    while left:
        first = left & -left
        opened = field.flood(first, 0, Spread.EIGHT)
        left &= ~opened
        if opened.bit_count() == CASCADE_CELLS:
            yield field.grid.cell(first.bit_length() - 1)


def half_open(seed: int) -> GameScreen:
    """Show the largest board with all there is on it: numbers, zeros, flags, covered cells."""
    random = Random(seed)
    mines = place_mines(LARGEST, LARGEST.cells // 6, seeded_bits(seed))
    game = Game(Setup.of(LARGEST, layout=mines))
    field = game.reveal_truth()
    for cell in random.sample([*game.grid.cells(field.safe)], 20_000):
        game.reveal(cell, 0)
    for cell in random.sample([*game.grid.cells(mines)], 5_000):
        game.flag(cell, 0)
    return GameScreen(game.view, Cell(100, 100), "custom 255x255", 1_000)


def at(model: GameScreen, cursor: Cell) -> GameScreen:
    return GameScreen(model.view, cursor, model.label, model.elapsed_ms)


def paintings(model: GameScreen, _seed: int) -> Samples:
    """Paint a whole terminal for the first time."""
    for _ in range(3):
        painter = AnsiPainter(Terminal(255, 255, ColourDepth.INDEXED, has_unicode=True), Taste())
        start = perf_counter_ns()
        painter.paint(model)
        yield perf_counter_ns() - start


def scrolls(model: GameScreen, _seed: int) -> Samples:
    """Move the cursor to and fro so far that another part of the board is shown."""
    painter = AnsiPainter(Terminal(255, 255, ColourDepth.INDEXED, has_unicode=True), Taste())
    painter.paint(model)
    for column in (200, 20, 200):
        start = perf_counter_ns()
        painter.paint(at(model, Cell(column, 100)))
        yield perf_counter_ns() - start


def cascade_replies(hello: Sequence[Hello], seed: int) -> Samples:
    """Open cascades of 69 cells on the largest board, each as the second reveal of its game."""
    timed = Timed(*hello, Start(20, 10, 1), seed=seed)
    mine_count = LARGEST.cells // 10
    setup = Setup.of(LARGEST, mine_count, seed=seed)
    field = setup.minefield()
    number = next(field.grid.cells(field.safe & ~field.zeros))
    for cell in islice(cells_of_cascades(field), 5):
        timed.send(own_board(LARGEST, mine_count, seed))
        timed.send(MoveTo(*number))
        timed.send(Command.REVEAL)
        timed.send(MoveTo(*cell))
        yield timed.send(Command.REVEAL)


def all_cases() -> Iterator[Case]:
    yield Case("version 2, MARK 30x16", 36, marks_version_2)
    yield Case("version 2, REFRESH each second 30x16", 12, refreshes)
    yield Case("version 2, HELLO", 40, hellos)
    yield Case("version 1, MARK 20x10", None, marks_version_1)
    yield Case("version 1, START 20x10", None, starts)
    cascade = f"cascade of {CASCADE_CELLS} cells 255x255"
    yield Case(f"engine, {cascade}", None, cascades)
    yield Case(f"version 1, {cascade}", 70, partial(cascade_replies, ()))
    yield Case(f"version 2, {cascade}, seen on 80x24", None, partial(cascade_replies, (TERMINAL,)))
    yield Case(f"version 2, {cascade}, seen whole", None, partial(cascade_replies, (WIDEST,)))
    mixed = half_open(1)
    yield Case("painter, all of a 255x255 terminal", 3_000, partial(paintings, mixed))
    yield Case("painter, scrolling a 255x255 terminal", None, partial(scrolls, mixed))


class Timing(NamedTuple):
    """Microseconds of a reply: the one in the middle, and the best."""

    median_us: float
    best_us: float


def measure(rounds: int) -> dict[str, Timing]:
    """Run the cases in turn, so that whatever else the machine does hits them alike."""
    cases = [*all_cases()]
    taken: dict[str, list[int]] = {case.name: [] for case in cases}
    for number in range(rounds + 1):
        for case in cases:
            samples = [*case.round(number)]
            if number:  # The first round fills what is kept for all sessions.
                taken[case.name] += samples
    return {name: Timing(median(each) / 1000, min(each) / 1000) for name, each in taken.items()}


def measure_elsewhere(source: Path, rounds: int) -> dict[str, Timing]:
    """Measure another source tree in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(source), str(ROOT)))}
    command = [sys.executable, "-m", "benchmarks.replies", "--json", "--rounds", str(rounds)]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    timings = json.loads(done.stdout)["microseconds"]
    return {name: Timing(each["median_us"], each["best_us"]) for name, each in timings.items()}


def compare(source: Path, rounds: int, turns: int) -> dict[str, tuple[Timing, Timing]]:
    """Measure another tree and this one turn by turn; of each the turn in the middle counts."""
    taken = [
        (measure_elsewhere(source, rounds), measure_elsewhere(ROOT / "src", rounds))
        for _ in range(turns)
    ]
    return {
        name: (middle(turn[0][name] for turn in taken), middle(turn[1][name] for turn in taken))
        for name in taken[0][0]
    }


def middle(timings: Iterable[Timing]) -> Timing:
    medians, bests = zip(*timings, strict=True)
    return Timing(median(medians), min(bests))


def aims() -> Mapping[str, float]:
    return {case.name: case.aim_us for case in all_cases() if case.aim_us is not None}


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replies", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds")
    parser.add_argument("--rounds", type=int, help="as many rounds")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument("--beside", type=Path, metavar="SRC", help="another source tree")
    options = parser.parse_args()
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    if options.beside:
        turns = QUICK_TURNS if options.quick else TURNS
        say(f"{'microseconds of a reply, median':<52} {'beside':>9} {'here':>9} {'aim':>7}")
        for name, (other, own) in compare(options.beside, rounds // 2, turns).items():
            aim = aims().get(name, "")
            say(f"{name:<52} {other.median_us:>9.1f} {own.median_us:>9.1f} {aim:>7}")
        return
    timings = measure(rounds)
    if options.json:
        figures = {name: timing._asdict() for name, timing in timings.items()}
        say(json.dumps({"microseconds": figures, "aims_us": aims()}, indent=2))
        return
    say(f"{'microseconds of a reply':<52} {'median':>9} {'best':>9} {'aim':>7}")
    for name, timing in timings.items():
        say(f"{name:<52} {timing.median_us:>9.1f} {timing.best_us:>9.1f} {aims().get(name, ''):>7}")


if __name__ == "__main__":
    main()
