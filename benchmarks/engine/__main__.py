"""Measure the engine: ``python -m benchmarks.engine [--quick] [--json]``."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median

from benchmarks.engine.cases import Case, all_cases
from benchmarks.engine.compiled import PlainC
from benchmarks.engine.memory import report

ROUNDS = 60
QUICK_ROUNDS = 7
# Naive Python is thousands of times slower, so it runs in few of the rounds.
NAIVE_EVERY = 20


@dataclass(frozen=True)
class Timing:
    """Microseconds of one contestant: its best round, and the one in the middle."""

    best_us: float
    median_us: float

    @staticmethod
    def of(rounds: list[int]) -> Timing | None:
        return Timing(min(rounds) / 1000, median(rounds) / 1000) if rounds else None


def measure(case: Case, rounds: int) -> dict[str, Timing | None]:
    """Run the contestants turn by turn, so that whatever else the machine does hits them alike."""
    taken: dict[str, list[int]] = {"ours": [], "c": [], "naive": []}
    case.ours(0)
    for number in range(rounds):
        taken["ours"].append(case.ours(number))
        if case.c is not None:
            taken["c"].append(case.c(number))
        if number % NAIVE_EVERY == 0:
            taken["naive"].append(case.naive(number))
    return {who: Timing.of(times) for who, times in taken.items()}


def row(name: str, aim_us: float, timings: dict[str, Timing | None]) -> str:
    cells = (
        f"{t.best_us:>11.3f} {t.median_us:>11.3f}" if t else " " * 23 for t in timings.values()
    )
    return f"{name:<46} {aim_us:>7g} " + " ".join(cells)


def head() -> str:
    names = " ".join(f"{who + ' best':>11} {'median':>11}" for who in ("ours", "C", "naive"))
    return f"{'microseconds':<46} {'aim':>7} {names}"


def as_json(timings: dict[str, Timing | None]) -> dict[str, dict[str, float] | None]:
    return {who: None if timing is None else asdict(timing) for who, timing in timings.items()}


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    options = parser.parse_args()
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    results, aims = {}, {}
    if not options.json:
        say(f"CPython {platform.python_version()}, {rounds} rounds in turn, processor time")
        say(head())
    for case in all_cases(PlainC.compile()):
        results[case.name], aims[case.name] = measure(case, rounds), case.aim_us
        if not options.json:
            say(row(case.name, case.aim_us, results[case.name]))
    memory = report()
    if options.json:
        figures = {name: as_json(timings) for name, timings in results.items()}
        everything = {"microseconds": figures, "aims_us": aims, "memory": memory}
        say(json.dumps(everything, indent=2))
    else:
        say(
            f"a game of 20x10 played through, {memory['actions']} actions: "
            f"{memory['allocated']} bytes allocated, {memory['counted']} counted, "
            f"aim {memory['aim']}"
        )


if __name__ == "__main__":
    main()
