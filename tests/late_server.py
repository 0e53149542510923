"""A server whose store answers when the test says, and what a kill at any moment would leave."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from jminesweeper.bus.local import LocalBus
from jminesweeper.check.version_2 import KeptView, add_up
from jminesweeper.protocol.packets import Hello, NewGame, Packet, View, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction, Feature
from jminesweeper.records.checking import Checks
from jminesweeper.records.documents import PlayerDocument
from jminesweeper.records.keys import player_id
from jminesweeper.records.players import find_player
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.hub import Hub
from jminesweeper.server.keeper import GATHER_NS
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.opening import replay
from jminesweeper.session.session import Session
from jminesweeper.store.blocking import perform, perform_all, run
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Job, Scan, Store
from jminesweeper.store.transfer import pages
from tests.unit.server.fakes import FakeClock, FakeTransport, FakeWorkers, come, hear, turn

NOW_S = 1_000_000_000
KEY = bytes(range(16))
ADA = player_id(KEY)
HELLO = Hello(Feature.RESUME, KEY, "Ada")


def new_game(seed: int) -> NewGame:
    """Ask for a board on which the first cell is no mine."""
    return NewGame(f"beginner seed={seed}")


class LateStore:
    """Carries out one batch after the other, whenever it is let through."""

    def __init__(self, kept: MemoryStore) -> None:
        self.kept = kept
        self.waiting: deque[Sequence[Job]] = deque()

    def submit(self, jobs: Sequence[Job]) -> None:
        self.waiting.append(tuple(jobs))

    def close(self) -> None:
        """Leave what waits undone, as a kill does."""

    def let_through(self) -> bool:
        """Carry out the oldest batch; return False if there is none."""
        if not self.waiting:
            return False
        self.kept.submit(self.waiting.popleft())
        return True


class LateServer:
    """A server with real sessions."""

    def __init__(self, kept: MemoryStore | None = None, seed: int = 0) -> None:
        self.clock = FakeClock()
        self.store = LateStore(kept or MemoryStore(now_s=lambda: NOW_S))
        # No two servers of a store draw the same versions.
        matches, tokens = Matches(self._epoch_ms), Random(seed).getrandbits
        config = SessionConfig(has_store=True, epoch_ms=self._epoch_ms, tokens=tokens)
        backend = Backend(
            new_session=lambda: Session(config, tokens, matches),
            store=self.store,
            workers=FakeWorkers(),
            matches=matches,
            tokens=tokens,
            bus=LocalBus(asyncio.get_running_loop().call_soon),
            rebuild=replay,
        )
        self.hub = Hub(ServerConfig(), backend, self.clock)

    def _epoch_ms(self) -> int:
        return NOW_S * 1000

    def connect(self) -> LatePlayer:
        return LatePlayer(self)

    async def let_through(self) -> bool:
        """Let one batch through, and have everybody see its answers; it takes its time."""
        self.clock.advance(GATHER_NS / 1e9)
        for _ in range(3):
            await turn()
        was_there = self.store.let_through()
        for _ in range(3):
            await turn()
        return was_there

    async def rest(self) -> list[MemoryStore]:
        """Let everything through; return what a kill after each batch would have left."""
        moments = [self.copy()]
        while await self.let_through():
            moments.append(self.copy())
        return moments

    def copy(self) -> MemoryStore:
        copy = MemoryStore(now_s=lambda: NOW_S)
        perform_all(copy, perform(self.store.kept, Scan(limit=10**6)).commits)
        return copy

    async def settle(self) -> None:
        """Count games that are due, as a server does from time to time."""
        for _ in range(2):
            self.clock.advance(60)
            self.hub.keeper.check_time()
            await self.rest()
            while (task := self.hub.keeper._settling) is not None and not task.done():
                await self.rest()


class LatePlayer:
    """A program on one connection, which need not wait for replies."""

    def __init__(self, server: LateServer) -> None:
        self._server = server
        self._transport = FakeTransport()
        self._connection = come(server.hub, self._transport)
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._read = 0
        self._view = KeptView()
        self._messages: list[str] = []
        hear(self._connection, encode(Command.REFRESH))

    def say(self, *packets: Packet) -> None:
        """Send packets in one segment."""
        self._server.clock.advance(0.1)
        hear(self._connection, b"".join(map(encode, packets)))

    def hang_up(self) -> None:
        self._connection.connection_lost(None)

    def look_at_replies(self) -> list[str]:
        """Read what has come; return what each reply so far said."""
        written = self._transport.written
        for packet in self._reader.feed(written[self._read :]):
            if isinstance(packet, View):
                add_up(self._view, packet)
                said = self._view.members.get("message")
                self._messages.append(said["text"] if said else "")
        self._read = len(written)
        return self._messages

    @property
    def members(self) -> Mapping[str, Any]:
        """What the views add up to."""
        return self._view.members

    @property
    def faces(self) -> bytes:
        """The cells, as the views add up to them."""
        return bytes(self._view.faces)


def ada_in(store: MemoryStore) -> PlayerDocument:
    """Return what a store has of Ada."""
    return run(store, find_player(ADA)) or PlayerDocument(ADA)


def problems_of(store: Store) -> list[str]:
    """Check a store as `store check` does."""
    checks = Checks(lambda asked: perform(store, asked))
    problems: list[str] = []
    for page in pages(store):
        problems += checks.check(page)
    return [*problems, *checks.check_sums()]
