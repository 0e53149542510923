"""What a session says: bytes and microseconds of its replies, without a socket.

Whole games of Expert by keyboard: every mine is flagged, every safe cell opened, as ACT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import thread_time_ns
from typing import Final, NamedTuple

from benchmarks.tables import Run, Table
from jminesweeper.core.faces import COVERED
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Act, Hello, NewGame, OpenMenu, Packet, Start
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, NewGameFlag, RulesCode
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.session import Session

GAMES, QUICK_GAMES = 40, 8
ROUNDS, QUICK_ROUNDS = 400, 80
MOVE_MS: Final = 1_300


class Sent(NamedTuple):
    """A reply: to what, of how many bytes, after how many microseconds of the processor."""

    to: str
    size: int
    us: float


def measure(run: Run) -> Iterator[Table]:
    sent = [each for seed in range(QUICK_GAMES if run.is_quick else GAMES) for each in game(seed)]
    rows: list[tuple[str, float, float]] = []
    for name in ("first board", "reveal", "flag", "last reveal"):
        told = [each for each in sent if each.to == name]
        us = median(each.us for each in told)
        rows.append((name, median(each.size for each in told), us))
    whole = sum(each.size for each in sent) / (QUICK_GAMES if run.is_quick else GAMES)
    rows.append(("a whole game", whole, sum(each.us for each in sent) / len(sent)))
    rows += alone(QUICK_ROUNDS if run.is_quick else ROUNDS)
    yield Table("wire", ("reply to", "bytes", "us"), rows)


def game(seed: int) -> Iterator[Sent]:
    """Play a game of Expert to its win."""
    session = Session(SessionConfig(), Random(seed).getrandbits)
    session.receive(Hello(), 0)
    setup, rng = Setup.of("expert", seed=seed), Random(seed)
    asked = NewGame(GameKind.EXPERT, rules=RulesCode.CLASSIC, flags=NewGameFlag.SEEDED, seed=seed)
    yield timed("first board", session, asked, 0)
    played = Game(setup)
    cells = [Cell(15, 8), *rng.sample([*played.view], setup.size.cells)]
    for number, cell in enumerate(cells, 1):
        if played.status.is_over or played.view.is_visible(cell):
            continue
        is_mine = played.visible and played.reveal_truth().is_mine(cell)
        button = Button.FLAG if is_mine else Button.OPEN
        played.flag(cell) if is_mine else played.reveal(cell)
        what = "flag" if is_mine else "last reveal" if played.status.is_over else "reveal"
        yield timed(what, session, Act(cell.column, cell.row, button, COVERED), number * MOVE_MS)


def timed(what: str, session: Session, packet: Packet, now_ms: int) -> Sent:
    begun_ns = thread_time_ns()
    reply = session.receive(packet, now_ms)
    return Sent(what, len(reply.screen), (thread_time_ns() - begun_ns) / 1_000)


def alone(rounds: int) -> Iterator[tuple[str, float, float]]:
    """Time packets that are not part of a game."""
    packets: dict[str, Callable[[], Packet]] = {
        "HELLO, with a board": Hello,
        "REFRESH": lambda: Command.REFRESH,
        "MENU": lambda: OpenMenu("main"),
    }
    for name, make in packets.items():
        sent: list[Sent] = []
        for seed in range(rounds):
            session = Session(SessionConfig(), Random(seed).getrandbits)
            session.receive(Start(20, 10, 1), 0)
            if name != "HELLO, with a board":
                session.receive(Hello(), 0)
            sent.append(timed(name, session, make(), 1))
        yield name, median(each.size for each in sent), median(each.us for each in sent)
