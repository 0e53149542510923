"""Messages that are lost, doubled, late or out of order change nothing of what is stored.

A player comes again and again, now to one server and now to the other, and goes on playing at every
connection that is still open. Both servers share a store.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from jminesweeper.bus import Listener, Unsubscribe
from jminesweeper.core.actions import unpack_entries, unpack_entry
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.protocol.packets import MoveTo, NewGame, Pick
from jminesweeper.protocol.vocabulary import Command
from tests.world.player import Player
from tests.world.server import UNDECIDED, World

GRID = Grid.of(Size(16, 16))
PATIENCE_S = 12
"""Within which servers find each other, whatever messages were lost before."""

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


class Comings:
    """A player who comes and plays, and what was acknowledged."""

    def __init__(self) -> None:
        self.bus = UnreliableBus()
        world = World(bus=self.bus)
        self.servers = (world, world.elsewhere())
        self.devices: list[Player] = []
        self.acknowledged: list[Cell] = []
        self._cells = GRID.cells(GRID.mask)
        self._connect(0).say(NewGame("intermediate jminesweeper"))
        self.play(0)

    def come(self, server: int) -> None:
        """Connect, and resume the game that waits."""
        self._connect(server).say(Pick("resume", "resume"))

    def _connect(self, server: int) -> Player:
        self.devices.append(self.servers[server].player())
        self.devices[-1].say(UNDECIDED)
        return self.devices[-1]

    def play(self, number: int) -> None:
        """Flag a cell that was not flagged before."""
        device, cell = self.devices[number], next(self._cells)
        if device.is_connected:
            device.say(MoveTo(*cell), Command.TOGGLE_BOMB_MARK)
        if device.is_connected:
            self.acknowledged.append(cell)

    def take(self, step: str, number: int) -> None:
        match step:
            case "come":
                self.come(number)
            case "play":
                still_open = [n for n, each in enumerate(self.devices) if each.is_connected]
                self.play(still_open[number % len(still_open)])
            case _ if self.bus.waiting:
                self._treat(step, number % len(self.bus.waiting))

    def _treat(self, step: str, number: int) -> None:
        if step != "lose":
            self.servers[0].have(self.bus.deliver, number)
        if step != "double":
            del self.bus.waiting[number]

    def deliver_all(self) -> None:
        while self.bus.waiting:
            self._treat("deliver", 0)

    def pass_time(self, seconds: int) -> None:
        for _ in range(seconds):
            self.servers[0].pass_time(1_000)
            self.deliver_all()

    def flagged(self) -> list[Cell]:
        """Return the cells that the stored game names."""
        entries = unpack_entries(self.servers[0].running.entries)
        return [GRID.cell(unpack_entry(entry)[2]) for entry in entries]

    @property
    def shown(self) -> list[int]:
        """The number of entries that each server shows."""
        return [len(match.game.log) for server in self.servers for match in server.matches]


@given(st.lists(steps, max_size=30))
@example([("come", 1), ("play", 0), ("play", 1), ("deliver", 0), ("deliver", 0)])
def test_what_becomes_of_a_message_changes_nothing_of_what_is_stored(
    asked: Sequence[tuple[str, int]],
) -> None:
    player = Comings()
    for step in asked:
        player.take(*step)
        assert player.devices[-1].is_connected
    for number in range(len(player.devices)):
        player.play(number)
    assert player.flagged() == player.acknowledged


@given(st.lists(st.integers(0, 1), min_size=1, max_size=9))
def test_who_hears_of_it_shows_what_another_server_stored(played: Sequence[int]) -> None:
    player = Comings()
    player.come(1)
    player.deliver_all()
    for number in played:
        player.play(number)
        player.deliver_all()
        assert player.shown == [len(player.acknowledged)] * 2


@given(st.lists(steps, max_size=9))
@example([("lose", 0)] * 9)
def test_servers_that_missed_each_other_show_the_same_after_some_seconds(
    asked: Sequence[tuple[str, int]],
) -> None:
    player = Comings()
    player.come(1)
    for step in asked:
        player.take(*step)
    player.bus.waiting.clear()
    player.play(0)
    player.pass_time(PATIENCE_S)
    assert player.shown == [len(player.acknowledged)] * 2
