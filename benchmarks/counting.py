"""Measure what figures for `/metrics` cost a packet: ``python -m benchmarks.counting [--quick]``.

They are kept whether anybody asks for them or not, so every key press pays for them.
"""

from __future__ import annotations

import argparse
import json
from time import process_time
from timeit import repeat
from types import SimpleNamespace
from typing import Final

from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.measures import Measures

TIMES: Final = 200_000
ROUNDS, QUICK_ROUNDS = 25, 5
TOOK_NS: Final = 7_900

# As the way of a key press has them: written out, because a call costs as much again.
HISTOGRAM: Final = """
packet_ns = guest._packet_ns
packet_ns.counts[took_ns.bit_length()] += 1
packet_ns.total += took_ns
"""
COUNTER: Final = """
packets[packet if packet.__class__ is Command else packet.__class__] += 1
"""


def measure(rounds: int) -> dict[str, float]:
    """Microseconds of each for one packet, at best, as disturbances only ever add."""
    measures = Measures()
    names = {
        "guest": SimpleNamespace(_packet_ns=measures.packet_ns),
        "packets": measures.packets,
        "packet": Command.MOVE_LEFT,
        "Command": Command,
        "took_ns": TOOK_NS,
    }

    def best_us(statement: str) -> float:
        taken_s = repeat(statement, timer=process_time, number=TIMES, repeat=rounds, globals=names)
        return min(taken_s) * 1e6 / TIMES

    return {"histogram_us": best_us(HISTOGRAM), "counter_us": best_us(COUNTER)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counting", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a second instead of some")
    parser.add_argument("--json", action="store_true", help="write JSON instead of a sentence")
    options = parser.parse_args()
    figures = measure(QUICK_ROUNDS if options.quick else ROUNDS)
    if options.json:
        print(json.dumps(figures))
    else:
        print(", ".join(f"{name}: {value:.3f}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
