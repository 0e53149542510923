"""Measure how soon a game is back when its host is lost: ``python -m benchmarks.many_hosts``.

Two servers share Redis behind HAProxy with the configuration that is shipped, on one machine. A
player's server is killed, or frozen, and the player tries again as soon as the connection ends.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, TypeAlias

from tests.haproxy_process import CHECK, HOSTS
from tests.integration.hosts import Hosts, Resident, running_hosts
from tests.redis_process import running_redis

from benchmarks.shared_store import find_redis

ROUNDS, QUICK_ROUNDS = 10, 3
KEY: Final = b"k" * 16

Lose: TypeAlias = Callable[[Hosts, Resident], float]


@dataclass(frozen=True)
class Loss:
    """Milliseconds until the same board was on the screen again."""

    what: str
    median_ms: float
    worst_ms: float


def find_haproxy() -> str:
    program = shutil.which("haproxy")
    if program is None:
        raise SystemExit("The benchmark of many hosts needs haproxy.")
    return program


def measure(folder: Path, rounds: int) -> list[Loss]:
    """Lose hosts in turns, each way so many times."""
    taken: dict[str, list[float]] = {what: [] for what in LOSSES}
    redis_folder = folder / "redis"
    with (
        running_redis(find_redis(), redis_folder, appendfsync="always") as redis,
        running_hosts(find_haproxy(), folder, redis.url, CHECK) as hosts,
        closing(Resident(hosts.haproxy.port, KEY)) as resident,
    ):
        for _ in range(rounds):
            for what, lose in LOSSES.items():
                resident.press()
                taken[what].append(lose(hosts, resident) * 1000)
    return [Loss(what, median(each), max(each)) for what, each in taken.items()]


def kill(hosts: Hosts, resident: Resident) -> float:
    """Return the seconds from the first new try on."""
    home = hosts.home_of(resident.player)
    hosts.kill(home)
    resident.player.receive_until_closed()
    begun = perf_counter()
    seconds = come_back(resident, begun)
    hosts.end(home)
    hosts.start(home)
    await_all(hosts)
    return seconds


def freeze(hosts: Hosts, resident: Resident) -> float:
    """Return the seconds from the freeze on, until HAProxy has noticed it included."""
    home = hosts.home_of(resident.player)
    begun = perf_counter()
    hosts[home].send_signal(signal.SIGSTOP)
    resident.player.receive_until_closed()
    seconds = come_back(resident, begun)
    hosts[home].send_signal(signal.SIGCONT)
    await_all(hosts)
    return seconds


def come_back(resident: Resident, begun: float) -> float:
    resident.player.close()
    resident.come_back()
    seconds = perf_counter() - begun
    resident.assert_all_is_there()
    return seconds


def await_all(hosts: Hosts) -> None:
    for host in HOSTS:
        hosts.haproxy.await_state(host, "UP")


LOSSES: Final[dict[str, Lose]] = {
    "its host killed, after the first try": kill,
    "its host frozen, after the freeze": freeze,
}


def describe(losses: Sequence[Loss]) -> str:
    return "\n".join(
        f"{each.what}: {each.median_ms:.0f} ms, at worst {each.worst_ms:.0f}" for each in losses
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many_hosts", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds")
    parser.add_argument("--json", action="store_true", help="write JSON instead of sentences")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        losses = measure(Path(folder), QUICK_ROUNDS if options.quick else ROUNDS)
    print(json.dumps([asdict(each) for each in losses]) if options.json else describe(losses))


if __name__ == "__main__":
    main()
