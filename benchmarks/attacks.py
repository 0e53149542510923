"""Measure what one can do to the others: ``python -m benchmarks.attacks [--quick] [--json]``.

Each attack is played by the load generator as fast as the server answers. A bystander on the same
server, on SQLite, does something now and then and waits for the reply: alone first, then meanwhile.
"""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final, NamedTuple

from benchmarks.durable import hello, keep_long_game, key_of
from benchmarks.server.cases import MARK, Case, Step, start
from benchmarks.server.flood import REFRESHING, REPAINTING, flooding
from benchmarks.server.processes import HOST, ServerProcess, ours, receive_reply, server
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Act, Hello, Load, MoveTo, NewGame
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, NewGameFlag, ScreenFormat
from jminesweeper.store import (
    FinishedGame,
    PutPlayer,
    PutSave,
    Record,
    RunningGame,
    pack_entries,
    player_id,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore

LARGEST: Final = Size(255, 255)
ATTACKER, BYSTANDER = key_of(1), key_of(2)
ELSEWHERE: Final = "127.0.0.2"
"""The bystander's address: workers serve addresses by turns. Loopback has it on Linux alone."""
PAUSE_S: Final = 0.1
TIMES, QUICK_TIMES = 30, 12
KINDS: Final = 2_000
"""Boards of the attacker's own with a result; statistics list the most played."""
SAVE: Final = "long"
UP: Final = encode(Command.MOVE_UP)

Reply = Iterator[float]
"""Milliseconds from a request to its whole reply, over and over."""


class Attack(NamedTuple):
    """What is done, on how many connections, and what the bystander does meanwhile."""

    case: Case
    connections: int
    bystander: Callable[[int], Reply]


@dataclass(frozen=True)
class Harm:
    """What an attack did: how long the bystander waited, and what else it cost."""

    attack: str
    connections: int
    bystander: str
    alone_ms: float
    median_ms: float
    worst_ms: float
    file_kib_per_s: float
    worker_mib: float

    def __str__(self) -> str:
        return (
            f"{self.connections:>3} x {self.attack}: {self.bystander.lower()}:"
            f" alone {self.alone_ms:.1f} ms, beside it {self.median_ms:.1f} ms,"
            f" at worst {self.worst_ms:.1f} ms;"
            f" store {self.file_kib_per_s:+.0f} KiB/s, largest worker {self.worker_mib:.0f} MiB"
        )


def known(key: bytes) -> Step:
    return Step(hello(key))


def own_board(size: Size, mines: int, seed: int) -> bytes:
    return encode(
        NewGame(
            GameKind.OWN,
            columns=size.columns,
            rows=size.rows,
            mines=mines,
            rules=1,
            flags=NewGameFlag.SEEDED,
            seed=seed,
        )
    )


def hint_elsewhere(number: int) -> Sequence[bytes]:
    """Ask for a hint in a position of its own: the same one again would cost nothing."""
    corner = encode(MoveTo(number % 9, number // 9 % 9))
    return corner, MARK, encode(Command.HINT)


def steps(*requests: bytes) -> tuple[Step, ...]:
    return tuple(map(Step, requests))


# A board of one mine is over with one click, and each seed is another game.
ENDING: Final = Case(
    "a game a click",
    (known(ATTACKER),),
    steps(
        *(
            packet
            for seed in range(50)
            for packet in (own_board(Size(9, 9), 1, seed), encode(Act(0, 0, Button.REVEAL)))
        )
    ),
)
HINTS: Final = Case(
    "HINT 255x255, 45 % mines",
    steps(
        hello(),
        own_board(LARGEST, LARGEST.cells * 45 // 100, 1),
        encode(MoveTo(127, 127)),
        encode(Command.REVEAL),
    ),
    steps(*(packet for number in range(50) for packet in hint_elsewhere(number))),
)
LOADS: Final = Case("LOAD of 140,000 actions", (known(ATTACKER),), steps(encode(Load(SAVE))))


def statistics(port: int) -> Case:
    """Return how to look at statistics over and over, in a menu as it is now."""
    with closing(connect(port)) as peer:
        exchange(peer, encode(Hello(80, 24, format=ScreenFormat.PLAIN, key=ATTACKER)))
        exchange(peer, start(20, 10).data)
        exchange(peer, encode(Command.MENU))
        ups = 0
        while b"Statistics" not in selected(exchange(peer, UP)):
            ups += 1
    menu, choose = encode(Command.MENU), encode(Command.REVEAL)
    walk = steps(menu, *[UP] * (ups + 1), choose, menu, menu)
    return Case(f"statistics of {KINDS:,} boards", (known(ATTACKER), start(20, 10)), walk)


def selected(menu: bytes) -> bytes:
    return next(line for line in menu.splitlines() if line.startswith(b">"))


# Bystanders


def connect(port: int) -> socket.socket:
    return socket.create_connection((HOST, port), source_address=(ELSEWHERE, 0))


def exchange(peer: socket.socket, request: bytes) -> bytes:
    peer.sendall(request)
    return receive_reply(peer)


def ask(peer: socket.socket, request: bytes) -> float:
    begun = perf_counter()
    exchange(peer, request)
    return (perf_counter() - begun) * 1000


def marks(port: int) -> Reply:
    """Mark a cell of a game that is stored."""
    with closing(connect(port)) as peer:
        ask(peer, hello(BYSTANDER))
        ask(peer, start(20, 10).data)
        while True:
            yield ask(peer, MARK)


def hints(port: int) -> Reply:
    """Ask for a hint on an Expert board."""
    with closing(connect(port)) as peer:
        ask(peer, hello())
        ask(peer, own_board(Size(30, 16), 99, 1))
        ask(peer, encode(MoveTo(15, 8)))
        ask(peer, encode(Command.REVEAL))
        numbers = count()
        while True:
            *before, hint = hint_elsewhere(next(numbers))
            for packet in before:
                ask(peer, packet)
            yield ask(peer, hint)


def resumes(port: int) -> Reply:
    """Come back to a game of 10,000 actions."""
    while True:
        with closing(connect(port)) as peer:
            yield ask(peer, hello(BYSTANDER))


def attacks(port: int) -> Sequence[Attack]:
    return (
        Attack(REFRESHING, 30, marks),
        Attack(REPAINTING, 30, marks),
        Attack(HINTS, 6, hints),
        Attack(ENDING, 1, marks),
        Attack(LOADS, 1, resumes),
        Attack(statistics(port), 1, marks),
    )


# The store before


def fill(store: SqliteStore) -> None:
    """Give the bystander a long game, and the attacker a longer save and many results."""
    keep_long_game(store, BYSTANDER)
    attacker = player_id(ATTACKER)
    perform(store, PutPlayer(attacker, "", {}, 1))
    setup = Setup.of(LARGEST, LARGEST.cells // 5, seed=1)
    game = Game(setup)
    while not game.is_full:
        game.flag(Cell(len(game.log) % 255, len(game.log) // 255 % 255), len(game.log))
    saved = RunningGame("long", setup, pack_entries(game.log.entries), game.elapsed_ms, Cell(0, 0))
    perform(store, PutSave(attacker, SAVE, saved, 1))
    for number in range(KINDS):
        own = Setup.of(Size(9 + number % 200, 9 + number // 200), 10, seed=number)
        perform(
            store, Record(FinishedGame(f"own-{number}", own, Status.LOST, 1_000, 1, 0, attacker))
        )


# Measuring


def measure(folder: Path, *, is_quick: bool) -> Iterator[Harm]:
    path = folder / "attacked.sqlite3"
    with SqliteStore(path) as store:
        fill(store)
    times = QUICK_TIMES if is_quick else TIMES
    options = ("--store", str(path), "--workers", "2", "--max-per-address", "0")
    with server(*ours("uvloop"), *options) as target:
        for attack in attacks(target.port):
            yield measure_harm(target, attack, path, times)


def measure_harm(target: ServerProcess, attack: Attack, path: Path, times: int) -> Harm:
    case, connections, bystander = attack
    alone = waits(bystander(target.port), times)
    with flooding(target, case, connections):
        begun, before = perf_counter(), size_of(path)
        beside = waits(bystander(target.port), times)
        growth = (size_of(path) - before) / 1024 / (perf_counter() - begun)
        worker_kib = max(target.descendants_kib(), default=0)
    about = " ".join((bystander.__doc__ or "").rstrip(".").split())
    return Harm(
        case.name,
        connections,
        about,
        median(alone),
        median(beside),
        max(beside),
        round(growth, 1),
        round(worker_kib / 1024, 1),
    )


def waits(replies: Reply, times: int) -> Sequence[float]:
    taken = []
    for _ in range(times):
        sleep(PAUSE_S)
        taken.append(next(replies))
    return taken


def size_of(path: Path) -> int:
    """Count the bytes of a store, its write-ahead log included."""
    return sum(each.stat().st_size for each in path.parent.glob(f"{path.name}*"))


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_TIMES} waits of each kind")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    options = parser.parse_args()
    harms = []
    with TemporaryDirectory() as folder:
        for harm in measure(Path(folder), is_quick=options.quick):
            harms.append(harm)
            if not options.json:
                say(str(harm))
    if options.json:
        say(json.dumps({"attacks": [asdict(harm) for harm in harms]}, indent=2))


if __name__ == "__main__":
    main()
