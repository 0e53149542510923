"""Programs that throw random input at the code: a short run in the tests, long ones by command."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator


def run(description: str, fuzz: Callable[[int, Iterator[object]], int], counted: str) -> None:
    """Fuzz for as long as the command line says, and tell what was done."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds
    rounds = itertools.takewhile(lambda _: time.monotonic() < deadline, itertools.repeat(None))
    count = fuzz(options.seed, rounds)
    sys.stdout.write(f"{count} {counted}, seed {options.seed}\n")
