"""How long known players wait for a key that is stored, while one other floods the server."""

from __future__ import annotations

import asyncio
import random
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.server.cases import MARK, start
from benchmarks.server.flood import REPAINTING, flooding
from benchmarks.server.processes import HEADER_SIZE, HOST, ours, server
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import KEY_LENGTH, Hello

PLAYERS = 1_000
PAUSE_S = 1.0
"""Between two keys of a player: a thousand keys a second are stored for all of them together."""
AIM_P99_MS = 20


@dataclass(frozen=True)
class Latencies:
    """Milliseconds from a key to its whole reply, over all players."""

    flooders: int
    p50_ms: float
    p99_ms: float
    worst_ms: float

    def __str__(self) -> str:
        return (
            f"{PLAYERS} known players beside {self.flooders} repainting 255x255:"
            f" p50 {self.p50_ms:.1f} ms, p99 {self.p99_ms:.1f} ms, worst {self.worst_ms:.1f} ms"
        )


class KnownPlayer:
    """Somebody with a key of their own, who sets and takes back a flag now and then."""

    def __init__(self, number: int) -> None:
        self._key = number.to_bytes(KEY_LENGTH, "big")

    async def enter(self, port: int) -> None:
        self._reader, self._writer = await asyncio.open_connection(HOST, port)
        for packet in (encode(Hello(80, 24, key=self._key)), start(20, 10).data, MARK):
            await self._ask(packet)

    async def play(self, keys: int) -> list[float]:
        times = []
        await asyncio.sleep(random.uniform(0, PAUSE_S))
        for _ in range(keys):
            begun = perf_counter()
            await self._ask(MARK)
            times.append((perf_counter() - begun) * 1000)
            await asyncio.sleep(random.uniform(0.5, 1.5) * PAUSE_S)
        self._writer.close()
        return times

    async def _ask(self, packet: bytes) -> None:
        self._writer.write(packet)
        header = await self._reader.readexactly(HEADER_SIZE)
        await self._reader.readexactly(int.from_bytes(header[1:], "big"))


def measure_crowd(loop: str, flooders: int, keys: int) -> Latencies:
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        path = str(Path(folder) / "store.sqlite3")
        target = stack.enter_context(server(*ours(loop), "--store", path))
        players = [KnownPlayer(number) for number in range(PLAYERS)]

        async def play() -> list[list[float]]:
            for player in players:
                await player.enter(target.port)
            if flooders:
                stack.enter_context(flooding(target, REPAINTING, flooders))
            return await asyncio.gather(*(player.play(keys) for player in players))

        times = sorted(time for each in asyncio.run(play()) for time in each)
    return Latencies(flooders, times[len(times) // 2], times[int(len(times) * 0.99)], times[-1])
