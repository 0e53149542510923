"""Measure the server beside a bare one, in rounds that alternate, and print a table.

With ``--beside`` the server of another source tree gets its turn in each round as well.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from itertools import product
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.server.cases import CASES, Case
from benchmarks.server.crowd import measure_crowd
from benchmarks.server.flood import FLOODERS, FLOODS, measure_waits
from benchmarks.server.memory import measure_memory
from benchmarks.server.processes import Sample, bare, load, mean_reply_size, ours, server
from benchmarks.server.visits import measure_visits

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LOOPS = ("asyncio", "uvloop")
AIM_RATE = 0.9
AIM_CPU = 1.3


@dataclass(frozen=True)
class Result:
    """One case: medians of the rounds, and of the ratios within each round."""

    case: str
    loop: str
    connections: int
    reply_bytes: int
    ours: Sample
    bare: Sample
    tuned: Sample
    rate_ratio: float
    cpu_ratio: float
    tuned_rate_ratio: float
    tuned_cpu_ratio: float
    beside_cpu_ratio: float | None
    """Our processor time as a multiple of another source tree's."""


def middle(samples: list[Sample]) -> Sample:
    return Sample(
        **{name: median(asdict(each)[name] for each in samples) for name in asdict(samples[0])}
    )


def ratio(ours: list[Sample], others: list[Sample], figure: Callable[[Sample], float]) -> float:
    """Median of the ratios within each round: what disturbs a round disturbs both."""
    return median(figure(mine) / figure(other) for mine, other in zip(ours, others, strict=True))


@dataclass(frozen=True)
class Extent:
    """How long is measured, and beside which other source tree."""

    rounds: int
    seconds: float
    beside: Path | None


def measure(case: Case, loop: str, connections: int, extent: Extent) -> Result:
    with ExitStack() as running:
        run = running.enter_context
        real = run(server(*ours(loop)))
        size = mean_reply_size(real.port, case)
        targets = {
            "ours": real,
            "bare": run(server(*bare("protocol", size, loop))),
            "tuned": run(server(*bare("tuned", size, loop))),
        }
        if extent.beside is not None:
            targets["beside"] = run(server(*ours(loop), source=extent.beside))
        samples: dict[str, list[Sample]] = {name: [] for name in targets}
        for _ in range(extent.rounds):
            for name, target in targets.items():
                samples[name].append(load(target, case, connections, extent.seconds))
    mine, plainly, tunedly = (samples[name] for name in ("ours", "bare", "tuned"))
    others = samples.get("beside")
    rate, cpu_us = attrgetter("rate"), attrgetter("cpu_us")
    return Result(
        case=case.name,
        loop=loop,
        connections=connections,
        reply_bytes=size,
        ours=middle(mine),
        bare=middle(plainly),
        tuned=middle(tunedly),
        rate_ratio=ratio(mine, plainly, rate),
        cpu_ratio=ratio(mine, plainly, cpu_us),
        tuned_rate_ratio=ratio(mine, tunedly, rate),
        tuned_cpu_ratio=ratio(mine, tunedly, cpu_us),
        beside_cpu_ratio=None if others is None else ratio(mine, others, cpu_us),
    )


HEADINGS = (
    f"{'case':<48} {'loop':<8}{'conns':>5} {'reply B':>8}"
    f" {'ours/s':>8} {'bare/s':>8} {'ratio':>6}"
    f" {'ours µs':>8} {'bare µs':>8} {'ratio':>6}"
    f" {'p50 µs':>8} {'p99 µs':>8} {'bare p99':>8}"
    f"   ratios to the tuned bare one, CPU to the other tree's"
)


def format_row(result: Result) -> str:
    beside = "" if result.beside_cpu_ratio is None else f"{result.beside_cpu_ratio:.2f}"
    return (
        f"{result.case:<48} {result.loop:<8}{result.connections:>5} {result.reply_bytes:>8}"
        f" {result.ours.rate:>8.0f} {result.bare.rate:>8.0f} {result.rate_ratio:>6.2f}"
        f" {result.ours.cpu_us:>8.2f} {result.bare.cpu_us:>8.2f} {result.cpu_ratio:>6.2f}"
        f" {result.ours.p50_us:>8.0f} {result.ours.p99_us:>8.0f} {result.bare.p99_us:>8.0f}"
        f"   {result.tuned_rate_ratio:.2f} {result.tuned_cpu_ratio:.2f} {beside}"
    )


def plan(is_quick: bool, pattern: str) -> Iterator[tuple[Case, str, int]]:
    for case in CASES:
        if pattern.lower() not in case.name.lower() or (is_quick and not case.is_quick):
            continue
        yield from ((case, loop, 100) for loop in LOOPS)
        # The cases of the quick run are the ones that matter with few players and many as well.
        if case.is_quick and not is_quick:
            yield from ((case, LOOPS[-1], connections) for connections in (1, 1000))


def verdict(results: list[Result]) -> str:
    missed = [
        result
        for result in results
        if result.case.startswith("MOVE")
        and (result.rate_ratio < AIM_RATE or result.cpu_ratio > AIM_CPU)
    ]
    aim = f"MOVE: at least {AIM_RATE} of the bare server's rate, at most {AIM_CPU} of its CPU time"
    return f"{aim}: " + ("met everywhere" if not missed else f"missed in {len(missed)} rows")


def measure_others(*, is_quick: bool) -> dict[str, list[Any]]:
    """Measure what is not a rate, and say so on the way."""
    rounds, visits, keys = (3, 200, 20) if is_quick else (5, 1_000, 60)
    flooders = FLOODERS[:1] if is_quick else FLOODERS
    measurements: Mapping[str, Iterable[DataclassInstance]] = {
        "visits": (measure_visits(loop, rounds, visits) for loop in LOOPS),
        "waits": (measure_waits(LOOPS[-1], *each, keys) for each in product(FLOODS, flooders)),
        "crowd": (measure_crowd(LOOPS[-1], number, keys // 4) for number in (0, 1)),
        "memory": measure_memory(LOOPS),
    }
    figures: dict[str, list[Any]] = {}
    for name, found in measurements.items():
        figures[name] = []
        for each in found:
            print(each, flush=True)
            figures[name].append(asdict(each))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="about a minute instead of ten")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    parser.add_argument("--beside", type=Path, metavar="SRC", help="another source tree")
    options = parser.parse_args()
    extent = Extent(3, 0.25 if options.quick else 0.5, options.beside)
    print(HEADINGS)
    results: list[Result] = []
    for case, loop, connections in plan(options.quick, options.only):
        results.append(measure(case, loop, connections, extent))
        print(format_row(results[-1]), flush=True)
    print(verdict(results))
    others = measure_others(is_quick=options.quick) if not options.only else {}
    if options.json:
        figures = {"cases": [asdict(each) for each in results], **others}
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
