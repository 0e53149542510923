"""What was aimed at, and whether the figures reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from benchmarks.server.cases import MIXED

Figures = Mapping[str, Any]


class Aim(NamedTuple):
    """A figure that is to stay below, or above, a limit."""

    what: str
    measured: Callable[[Figures], float]
    limit: float
    is_least: bool = False
    """Whether the figure is to be at least as large."""

    def is_met(self, figures: Figures) -> bool:
        figure = self.measured(figures)
        return figure >= self.limit if self.is_least else figure <= self.limit


def worst_of_engine(figures: Figures) -> float:
    """Find the operation that is nearest to its aim, or farthest beyond it."""
    engine = figures["engine"]
    return max(
        float(timings["ours"]["best_us"]) / float(engine["aims_us"][name])
        for name, timings in engine["microseconds"].items()
    )


def cursor_moves(figures: Figures) -> list[Figures]:
    cases = figures["server"]["cases"]
    return [case for case in cases if case["case"] == "MOVE 20x10"]


def cpu_ratio(case: str) -> Callable[[Figures], float]:
    """Return a case's processor time at 100 connections, beside the bare server on asyncio."""
    return lambda figures: next(
        float(each["cpu_ratio"])
        for each in figures["server"]["cases"]
        if (each["case"], each["loop"], each["connections"]) == (case, "asyncio", 100)
    )


def dearest_visit(figures: Figures) -> float:
    return max(float(each["ours_us"]) for each in figures["server"]["visits"])


def p99_beside_flood(figures: Figures) -> float:
    return max(float(each["p99_ms"]) for each in figures["server"]["crowd"] if each["flooders"])


def reply_us(name: str) -> Callable[[Figures], float]:
    return lambda figures: float(figures["replies"]["microseconds"][name]["median_us"])


def durable_share(players: int) -> Callable[[Figures], float]:
    return lambda figures: next(
        float(each["rate_ratio"])
        for each in figures["durable"]["throughput"]
        if (each["connections"], each["store"]) == (players, "SQLite")
    )


def moves_of_processes(figures: Figures) -> list[Figures]:
    loads = figures["processes"]["loads"]
    return [each for each in loads if each["case"].startswith("MOVE")]


def most_bytes(action: str, version: int, *boards: str) -> Callable[[Figures], float]:
    return lambda figures: most_of(
        each
        for each in figures["wire"]["replies"]
        if (each["action"], each["version"]) == (action, version)
        and (not boards or each["board"] in boards)
    )


def largest_frame(figures: Figures) -> float:
    return most_of(each for each in figures["wire"]["replies"] if each["version"] == 1)


def largest_default_frame(figures: Figures) -> float:
    replies = figures["wire"]["replies"]
    return most_of(each for each in replies if (each["board"], each["version"]) == ("20x10", 1))


def most_of(replies: Iterable[Figures]) -> float:
    return max(float(each["most"]) for each in replies)


def slowest_crowd(figures: Figures) -> float:
    appends = figures["store"]["appends"]
    return min(float(each["appends_per_s"]) for each in appends if 50 <= each["games"] <= 500)


def by_one_process(figures: Figures) -> Figures:
    """Find Redis beside the other stores, set as it is where a replica keeps what it holds."""
    contestants = figures["shared_store"]["contestants"]
    found: Figures = next(each for each in contestants if each["store"].endswith("everysec"))
    return found


def crowds(figures: Figures) -> Sequence[Figures]:
    found: Sequence[Figures] = figures["shared_store"]["crowds"]
    return found


def solver_ms(preset: str) -> Callable[[Figures], float]:
    return lambda figures: max(
        run["mean_ms"] for run in figures["solver"]["strength"] if run["preset"] == preset
    )


def ms_after(loss: str) -> Callable[[Figures], float]:
    return lambda figures: next(
        each["worst_ms"] for each in figures["many_hosts"] if loss in each["what"]
    )


def start_ms(name: str) -> Callable[[Figures], float]:
    return lambda figures: next(
        each["median_ms"] for each in figures["client_start"]["starts"] if each["name"] == name
    )


REPLIES: Final = {
    "version 2, MARK 30x16": 36,
    "version 2, REFRESH each second 30x16": 12,
    "version 2, HELLO": 40,
    "version 1, cascade of 69 cells 255x255": 70,
    "painter, all of a 255x255 terminal": 3_000,
}
"""The most microseconds that a reply inside the process may take, by its name in `replies`."""

UNSCROLLED: Final = ("9x9", "20x10", "30x16")
AIMS: Final = (
    Aim("engine: the slowest operation, as a share of its own aim", worst_of_engine, 1),
    Aim(
        "engine: bytes of a game of 20x10", lambda each: each["engine"]["memory"]["allocated"], 4096
    ),
    Aim("solver: a game of Expert, ms on average", solver_ms("expert"), 15),
    Aim("solver: a game of Beginner, ms on average", solver_ms("beginner"), 2),
    Aim("version 1: bytes of any frame of 20x10", largest_default_frame, 1400),
    Aim("version 1: bytes of any frame", largest_frame, 80 * 1024),
    Aim("version 2: bytes of a move, nothing scrolled", most_bytes("move", 2, *UNSCROLLED), 16),
    Aim("version 2: bytes of the reveal of a number", most_bytes("reveal of a number", 2), 100),
    Aim("version 2: bytes of a tick of the clock", most_bytes("clock", 2), 24),
    Aim(
        "server: moves a second, as a share of the bare server's, at worst",
        lambda figures: min(case["rate_ratio"] for case in cursor_moves(figures)),
        0.9,
        is_least=True,
    ),
    Aim(
        "server: processor time of a move, as a multiple of the bare server's, at worst",
        lambda figures: max(case["cpu_ratio"] for case in cursor_moves(figures)),
        1.3,
    ),
    # As multiples of a bare asyncio protocol's processor time, at 100 connections.
    Aim("server: a move on 20x10, in bare protocols", cpu_ratio("MOVE 20x10"), 1.2),
    Aim("server: a mark on 20x10, in bare protocols", cpu_ratio("MARK 20x10"), 1.6),
    Aim("server: START 20x10, in bare protocols", cpu_ratio("START 20x10"), 1.8),
    Aim("server: a packet of a mixed game, in bare protocols", cpu_ratio(MIXED.name), 1.6),
    Aim("server: us of processor time of connect, START, QUIT", dearest_visit, 100),
    Aim("server: ms of a key, p99 of 1,000 players beside a flood", p99_beside_flood, 20),
    *(Aim(f"us of a reply: {name}", reply_us(name), limit) for name, limit in REPLIES.items()),
    Aim(
        "server: the histogram of times, as a share of the processor time of a move",
        lambda figures: max(
            figures["counting"]["histogram_us"] / case["ours"]["cpu_us"]
            for case in cursor_moves(figures)
        ),
        0.03,
    ),
    Aim("store: appends a second, 50 to 500 games", slowest_crowd, 20_000, is_least=True),
    *(
        Aim(
            f"durable: actions a second of {players:,}, as a share of those in memory",
            durable_share(players),
            0.85,
            is_least=True,
        )
        for players in (100, 1_000)
    ),
    Aim(
        "Redis: appends a second of one process with 100 games",
        lambda figures: by_one_process(figures)["sample"]["appends_per_s"],
        60_000,
        is_least=True,
    ),
    Aim(
        "Redis: ms that 99 of 100 of them take at most",
        lambda figures: by_one_process(figures)["sample"]["p99_ms"],
        10,
    ),
    Aim(
        "Redis: processor time of an append, its own included, as a multiple of SQLite's",
        lambda figures: by_one_process(figures)["cpu_ratio"],
        4 / 3,
    ),
    Aim(
        "Redis: appends a second of several processes that share its processors",
        lambda figures: max(each["sample"]["appends_per_s"] for each in crowds(figures)),
        150_000,
        is_least=True,
    ),
    Aim(
        "Redis: appends a second that it could carry out with a processor to itself",
        lambda figures: max(each["redis_capacity_per_s"] for each in crowds(figures)),
        150_000,
        is_least=True,
    ),
    Aim(
        "server: ms until a game of 10,000 actions goes on",
        lambda figures: median(figures["durable"]["resume_ms"]),
        50,
    ),
    Aim(
        "processes: processor time of a move on two, as a multiple of one's",
        lambda figures: max(each["cpu_ratio"] for each in moves_of_processes(figures)),
        1.05,
    ),
    Aim(
        "processes: moves of two with a processor each, as a multiple of one's",
        lambda figures: min(each["capacity_ratio"] for each in moves_of_processes(figures)),
        1.7,
        is_least=True,
    ),
    Aim("many hosts: ms to the same board, host killed, at worst", ms_after("killed"), 500),
    Aim("many hosts: ms to the same board, host frozen, at worst", ms_after("frozen"), 2_000),
    Aim("client: ms to the first frame", start_ms("version 2, to a server"), 250),
    Aim("client: ms to the first frame, server inside", start_ms("server inside the client"), 250),
    Aim("server: ms until it listens", start_ms("a server, until it listens"), 120),
)
