"""Messages that are lost, doubled, late or out of order change nothing of what is stored.

A player comes again and again, now to one server and now to the other, and goes on playing at every
connection that is still open. Both servers are real down to the transport, and share a store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from jminesweeper.bus import Listener, Unsubscribe
from jminesweeper.core.actions import unpack_entries, unpack_entry
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.protocol.packets import Hello, MoveTo, NewGame, Packet, Pick, encode
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.keys import player_id
from jminesweeper.records.players import find_player, open_game
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.hub import Hub
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.opening import replay
from jminesweeper.session.session import Session
from jminesweeper.store.blocking import run
from jminesweeper.store.memory import MemoryStore
from tests.unit.server.fakes import FakeWorkers, come, turn
from tests.world.loop import FakeClock, FakeTransport, hear

KEY = b"k" * 16
SIZE = Size(16, 16)
EPOCH_MS = 1_000_000_000_000
PATIENCE_S = 12
"""Within which servers find each other, whatever messages were lost before."""
TURNS = 6
"""Of the loop, until whatever a message leads to is done."""

steps = st.one_of(
    st.tuples(st.just("come"), st.integers(0, 1)),
    st.tuples(st.just("play"), st.integers(0, 9)),
    st.tuples(st.just("lose"), st.integers(0, 9)),
    st.tuples(st.just("deliver"), st.integers(0, 9)),
    st.tuples(st.just("double"), st.integers(0, 9)),
)


class UnreliableBus:
    """Keeps messages until the test says what becomes of them."""

    is_shared = True

    def __init__(self) -> None:
        self._listeners: list[tuple[str, Listener]] = []
        self.waiting: list[tuple[str, bytes]] = []

    def publish(self, topic: str, message: bytes) -> None:
        self.waiting.append((topic, message))

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        self._listeners.append((topic, listener))
        return lambda: self._listeners.remove((topic, listener))

    def deliver(self, number: int) -> None:
        topic, message = self.waiting[number]
        for heard, listener in tuple(self._listeners):
            if heard == topic:
                listener(message)


class Connection:
    """The player at one server."""

    def __init__(self, hub: Hub) -> None:
        self._transport = FakeTransport()
        self._connection = come(hub, self._transport)

    @property
    def is_open(self) -> bool:
        return not (self._transport.is_closed or self._transport.is_half_closed)

    async def play(self, *packets: Packet) -> None:
        data = b"".join(map(encode, packets))
        owed = len(self._transport.writes) + len(packets)
        hear(self._connection, data)
        while self.is_open and len(self._transport.writes) < owed:
            await turn()


class Player:
    """Whoever comes and plays, and what was acknowledged."""

    def __init__(self) -> None:
        self.bus, self.store = UnreliableBus(), MemoryStore(now_s=lambda: EPOCH_MS // 1000)
        self._clock = FakeClock()
        self._hubs = [self._server(number) for number in range(2)]
        self.connections: list[Connection] = []
        self.acknowledged: list[Cell] = []
        self._cells = Grid.of(SIZE).cells(Grid.of(SIZE).mask)

    def _server(self, number: int) -> Hub:
        tokens = Random(number).getrandbits
        config = SessionConfig(has_store=True, epoch_ms=lambda: EPOCH_MS, tokens=tokens)
        matches = Matches(config.epoch_ms)
        backend = Backend(
            new_session=lambda: Session(config, Random(0).getrandbits, matches),
            matches=matches,
            tokens=tokens,
            store=self.store,
            workers=FakeWorkers(),
            bus=self.bus,
            rebuild=replay,
        )
        return Hub(ServerConfig(), backend, self._clock)

    async def begin(self) -> None:
        await self._connect(0)
        await self.connections[0].play(NewGame("intermediate jminesweeper"))
        await self.play(0)

    async def come(self, server: int) -> None:
        """Connect, and resume the game that waits."""
        await self._connect(server)
        await self.connections[-1].play(Pick("resume", "resume"))

    async def _connect(self, server: int) -> None:
        self.connections.append(Connection(self._hubs[server]))
        await self.connections[-1].play(Hello(key=KEY))

    async def play(self, number: int) -> None:
        """Flag a cell that was not flagged before."""
        connection = self.connections[number]
        cell = next(self._cells)
        await connection.play(MoveTo(*cell), Command.TOGGLE_BOMB_MARK)
        if connection.is_open:
            self.acknowledged.append(cell)

    async def take(self, step: str, number: int) -> None:
        match step:
            case "come":
                await self.come(number)
            case "play":
                await self._play_somewhere(number)
            case _ if self.bus.waiting:
                await self._treat(step, number % len(self.bus.waiting))

    async def _play_somewhere(self, number: int) -> None:
        still_open = [n for n, each in enumerate(self.connections) if each.is_open]
        await self.play(still_open[number % len(still_open)])

    async def _treat(self, step: str, number: int) -> None:
        if step != "lose":
            self.bus.deliver(number)
        if step != "double":
            del self.bus.waiting[number]
        for _ in range(TURNS):
            await turn()

    async def deliver_all(self) -> None:
        while self.bus.waiting:
            await self._treat("deliver", 0)

    async def pass_time(self, seconds: int) -> None:
        for _ in range(seconds):
            self._clock.advance(1)
            for hub in self._hubs:
                hub.keeper.check_time()
            for _ in range(TURNS):
                await turn()
            await self.deliver_all()

    def flagged(self) -> list[Cell]:
        """What the store has of the game."""
        known = run(self.store, find_player(player_id(KEY)))
        assert known is not None
        opened = run(self.store, open_game(known.current))
        assert opened is not None
        grid = Grid.of(SIZE)
        return [grid.cell(unpack_entry(entry)[2]) for entry in unpack_entries(opened.entries)]

    @property
    def shown(self) -> list[int]:
        """How many entries each server shows."""
        return [len(match.game.log) for hub in self._hubs for match in hub.backend.matches]


@given(st.lists(steps, max_size=30))
@example([("come", 1), ("play", 0), ("play", 1), ("deliver", 0), ("deliver", 0)])
def test_what_becomes_of_a_message_changes_nothing_of_what_is_stored(
    asked: Sequence[tuple[str, int]],
) -> None:
    async def test() -> None:
        player = Player()
        await player.begin()
        for step in asked:
            await player.take(*step)
            assert player.connections[-1].is_open
        for number in range(len(player.connections)):
            await player.play(number)
        assert player.flagged() == player.acknowledged

    asyncio.run(test())


@given(st.lists(st.integers(0, 1), min_size=1, max_size=9))
def test_who_hears_of_it_shows_what_another_server_stored(played: Sequence[int]) -> None:
    async def test() -> None:
        player = Player()
        await player.begin()
        await player.come(1)
        await player.deliver_all()
        for number in played:
            await player.play(number)
            await player.deliver_all()
            assert player.shown == [len(player.acknowledged)] * 2

    asyncio.run(test())


@given(st.lists(steps, max_size=9))
@example([("lose", 0)] * 9)
def test_servers_that_missed_each_other_show_the_same_after_some_seconds(
    asked: Sequence[tuple[str, int]],
) -> None:
    async def test() -> None:
        player = Player()
        await player.begin()
        await player.come(1)
        for step in asked:
            await player.take(*step)
        player.bus.waiting.clear()
        await player.play(0)
        await player.pass_time(PATIENCE_S)
        assert player.shown == [len(player.acknowledged)] * 2

    asyncio.run(test())
