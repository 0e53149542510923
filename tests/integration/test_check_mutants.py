"""The documented server with one clause broken at a time: the check of that clause fails alone.

Each mutant is a change of its text. What a server breaks throughout is one failure that names it.
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import pytest

from jminesweeper.check.catalogue import checks_for
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Budget, Finding, Outcome, run_checks
from jminesweeper.client.address import Address
from tests.integration.documented import changed, example, example_server

SERVER = example("A server")
PATIENCE_S = 20.0
IDLE_S = 0.05
SLOW = {"the-largest-frames-arrive-whole", "a-new-field-is-hidden"}
"""Nothing of what is broken below depends on the size of a field."""

BEGIN = "    def play(self, kind, payload):"
READ = "self.rfile.read(1)) not in"
WRITE = 'self.wfile.write(struct.pack(">BI", 9, len(text)) + text)'
RESET = "self.at, self.over, self.lost, self.debug = (0, 0), False, False, False"
PLAY = "self.play(kind[0], payload)"
WON = "self.marks == self.mines"
AROUND = "for i in (-1, 0, 1) for j in (-1, 0, 1))"
STEPS = "{1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}"
TURNED_STEPS = "{1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}"
SIZES = ("self.columns, self.rows, level = payload", "self.rows, self.columns, level = payload")
STOP = "self.server.shutdown(); self.server.server_close()"
LATE_FRAME = f"""\
    def late(self):
        with contextlib.suppress(OSError):
            self.wfile.write(struct.pack(">BI", 9, 1) + b"?")

    def setup(self):
        super().setup()
        self.timer = threading.Timer(0, self.late)

    def answer(self, frame):
        self.wfile.write(frame)
        self.timer = threading.Timer(1.5, self.late)
        self.timer.start()

{BEGIN}"""

STOPS_AT_QUIT = f"""\
    def kind(self):
        kind = self.rfile.read(1)
        if kind == b"\\x08":
            {STOP}
        return kind

{BEGIN}"""


class Mutant(NamedTuple):
    """What is done otherwise, and what is said about it."""

    name: str
    changes: tuple[tuple[str, str], ...]
    failed: dict[str, str]
    """The checks that fail, with a part of what came."""
    idle_s: float = IDLE_S
    """How long is listened for what nobody asked for."""


def mutant(name: str, right: str, wrong: str, check: str, came: str) -> Mutant:
    return Mutant(name, ((right, wrong),), {check: came})


FLOOD = "an-empty-cell-opens-what-is-above-below-left-and-right"
MARKED_FLOOD = "a-flood-opens-marked-cells-and-takes-their-marks-away"
MINES = "a-lost-game-shows-the-mines-of-its-level"
WINS = "marking-exactly-the-mines-wins"

MUTANTS = [
    mutant(
        "a flood keeps marks",
        "self.marks.discard((x, y))",
        "pass",
        MARKED_FLOOD,
        "still looks marked",
    ),
    mutant(
        "a flood stops at marks",
        "if (x, y) not in self.opened and 0",
        "if (x, y) not in self.opened | self.marks and 0",
        MARKED_FLOOD,
        "keeps its mark",
    ),
    mutant(
        "a flood goes diagonally",
        "for right, down in STEPS.values()]",
        "for right in (-1, 0, 1) for down in (-1, 0, 1)]",
        FLOOD,
        "opened",
    ),
    mutant(
        "REVEAL opens a marked cell",
        "kind == 5 and self.at not in self.marks",
        "kind == 5",
        "revealing-a-marked-cell-does-nothing",
        "another field after REVEAL",
    ),
    mutant(
        "an opened cell takes a mark",
        "kind == 6 and self.at not in self.opened",
        "kind == 6",
        "marking-a-revealed-cell-does-nothing",
        "another field after TOGGLE_BOMB_MARK",
    ),
    mutant(
        "also won by opening everything",
        WON,
        f"{WON} or (self.opened and self.opened == set(self.cells) - self.mines)",
        "opening-every-safe-cell-does-not-win",
        "the last cell takes no mark",
    ),
    Mutant(
        "never won",
        ((f"self.over = self.lost or {WON}", "self.over = self.lost"),),
        {"marking-the-only-mine-wins": "another field after", WINS: "another field after"},
    ),
    mutant("won with a mark too many", WON, "self.marks >= self.mines", WINS, "the same as before"),
    mutant("mines rounded down", "+ 50) // 100", ") // 100", MINES, "3 mines on 5x3 at level 2"),
    mutant("mines rounded up", "+ 50) // 100", "+ 99) // 100", MINES, "5 mines on 9x9"),
    mutant("halves rounded to even", "+ 50) // 100", "+ 49) // 100", MINES, "2 mines on 10x1"),
    mutant("too few mines", "(5, 25, 45)", "(5, 25, 40)", MINES, "80 mines on 20x10 at level 3"),
    mutant(
        "numbers count four neighbours",
        AROUND,
        "for i, j in STEPS.values())",
        "every-number-counts-the-mines-around-it",
        "in column",
    ),
    mutant(
        "header and payload in two sends",
        WRITE,
        'self.wfile.write(struct.pack(">BI", 9, len(text))); self.wfile.write(text)',
        "a-reply-comes-in-one-piece",
        "in 2 segments",
    ),
    Mutant(
        "a frame that nobody asked for",
        (
            ("import random,", "import contextlib, threading, random,"),
            ("self.wfile.write(struct", "self.answer(struct"),
            ("self.play(kind[0]", "self.timer.cancel(); self.play(kind[0]"),
            (BEGIN, LATE_FRAME),
        ),
        {"nothing-comes-unasked": "SCREEN_CONTENT, unasked"},
        # Later than any packet of the other checks, also on a busy machine.
        idle_s=20.0,
    ),
    mutant(
        "START is ignored within a game",
        "if kind == 7 and 0",
        "if kind == 7 and self.over and 0",
        "a-start-within-a-game-begins-another",
        "this screen",
    ),
    mutant(
        "debug mode shows nothing",
        "self.debug = not self.debug",
        "pass",
        "debug-mode-shows-mines-and-hides-them-again",
        "nothing new on the screen",
    ),
    mutant(
        "the cursor wraps",
        "min(max(x + right, 0), self.columns - 1)",
        "(x + right) % self.columns",
        "the-cursor-stops-at-the-edges",
        "the cursor in column 5, row 1",
    ),
    mutant(
        "the cursor is not reset",
        RESET,
        "self.over, self.lost, self.debug = False, False, False",
        "a-new-game-has-its-cursor-at-the-top-left",
        "where the cursor was in the game before",
    ),
    Mutant(
        "columns and rows are swapped in START",
        (SIZES,),
        {"start-names-columns-before-rows": "columns and rows swapped"},
    ),
    Mutant(
        "columns and rows are swapped throughout",
        (SIZES, (STEPS, TURNED_STEPS)),
        {"start-names-columns-before-rows": "columns and rows swapped"},
    ),
    Mutant(
        "a game that is over ends the connection",
        ((WRITE, f"{WRITE}\n            if self.over and self.columns: return"),),
        {
            "marking-the-only-mine-wins": "the server closed",
            WINS: "the server closed",
            "after-a-loss-only-start-and-quit-do-anything": "the server closed",
        },
    ),
    Mutant(
        "a START within a game ends the connection",
        ((PLAY, f"if kind == b'\\x07' and not self.over: return\n            {PLAY}"),),
        {
            "a-start-out-of-range-changes-nothing": "the server closed",
            "a-start-within-a-game-begins-another": "the server closed",
            "a-new-game-has-its-cursor-at-the-top-left": "the server closed",
        },
    ),
    mutant(
        "marks look like mines",
        '"F" if is_marked',
        '"B" if is_marked',
        "a-mark-shows-and-a-second-one-takes-it-away",
        "a mark that looks like this: 'B'",
    ),
    Mutant(
        "the cursor cannot be seen",
        ((r"\x1b[{self.at[1] + 1};{self.at[0] + 1}H", ""),),
        {
            "a-move-shows-and-the-opposite-one-undoes-it": "the same as before",
            "the-terminals-cursor-is-on-the-selected-cell": "the cursor at",
        },
    ),
    Mutant(
        "moves go the wrong way",
        ((STEPS, TURNED_STEPS),),
        {"every-move-goes-its-way": "the cursor in column 2, row 3"},
    ),
    mutant(
        "nothing is cleared",
        r"\x1b[H\x1b[2J",
        r"\x1b[H",
        "frames-stand-on-their-own",
        "painted over the screen before it",
    ),
    mutant(
        "the server ends with its first connection",
        BEGIN,
        f"    def finish(self):\n        super().finish()\n        {STOP}\n\n{BEGIN}",
        "another-connection-may-follow-one-that-broke",
        "after a first connection had ended without QUIT",
    ),
    Mutant(
        "the server ends with QUIT",
        (
            (f"while (kind := {READ}", "while (kind := self.kind()) not in"),
            (BEGIN, STOPS_AT_QUIT),
        ),
        {"another-connection-may-follow-a-quit": "after another connection had sent QUIT"},
    ),
]


def findings_of(address: Address, idle_s: float = IDLE_S) -> list[Finding]:
    server = ServerUnderTest(address, Budget(600.0, PATIENCE_S), idle_s=idle_s)
    version = server.learn().version
    checks = [check for check in checks_for(version, None) if check.name not in SLOW]
    return list(run_checks(checks, server, server.budget))


@pytest.mark.parametrize("mutant", MUTANTS, ids=[each.name for each in MUTANTS])
def test_a_server_that_breaks_one_clause_fails_its_check_and_no_other(mutant: Mutant) -> None:
    broken = reduce(lambda program, change: changed(program, *change), mutant.changes, SERVER)
    with example_server(broken) as address:
        findings = findings_of(address, mutant.idle_s)
    failed = [finding for finding in findings if finding.outcome is Outcome.FAILED]
    assert [finding.name for finding in failed] == list(mutant.failed)
    for finding in failed:
        assert mutant.failed[finding.name] in finding.came
