"""Measure two processes beside one: ``python -m benchmarks.processes [--quick] [--json]``.

The load generator takes part of the same processors, so moves a second say little of what several
processes could do with one each. That follows from what a move costs and how even the load is: the
busiest process is full first.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.durable import middle, playing
from benchmarks.server.cases import Case, moves
from benchmarks.server.processes import Sample, load, ours, server

CONNECTIONS = 100


@dataclass(frozen=True)
class Load:
    """Medians of the rounds on one process and on two, and of the ratios within each round."""

    case: str
    one: Sample
    two: Sample
    cpu_ratio: float
    capacity_ratio: float


def capacity(sample: Sample) -> float:
    """Moves a second when the busiest process has a processor to itself and uses all of it."""
    return 1e6 / (sample.cpu_us * sample.busiest)


def measure(folder: Path, case: Case, rounds: int, seconds: float) -> Load:
    with ExitStack() as running:
        targets = []
        for count in (1, 2):
            options = ("--store", str(folder / f"{case.name}-{count}"), "--processes", str(count))
            until = f"{count} processes serve" if count > 1 else ""
            targets.append(running.enter_context(server(*ours("uvloop"), *options, until=until)))
        samples = [
            [load(target, case, CONNECTIONS, seconds) for target in targets] for _ in range(rounds)
        ]
    one, two = zip(*samples, strict=True)
    return Load(
        case.name,
        middle(one),
        middle(two),
        cpu_ratio=median(b.cpu_us / a.cpu_us for a, b in samples),
        capacity_ratio=median(capacity(b) / capacity(a) for a, b in samples),
    )


def describe(loads: Sequence[Load]) -> str:
    return "\n".join(
        f"{each.case}: {each.one.rate:.0f} and {each.two.rate:.0f} a second, "
        f"{each.one.cpu_us:.1f} and {each.two.cpu_us:.1f} us of processor time; "
        f"with a processor each two do {each.capacity_ratio:.2f} times as many"
        for each in loads
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.processes", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="some seconds instead of a minute")
    parser.add_argument("--json", action="store_true", help="write JSON instead of sentences")
    options = parser.parse_args()
    rounds, seconds = (3, 0.5) if options.quick else (7, 1.5)
    with TemporaryDirectory() as folder:
        cases = (moves(20, 10), playing())
        loads = [measure(Path(folder), case, rounds, seconds) for case in cases]
    figures = {"loads": [asdict(each) for each in loads]}
    print(json.dumps(figures) if options.json else describe(loads))


if __name__ == "__main__":
    main()
