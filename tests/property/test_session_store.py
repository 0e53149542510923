"""Known players' games against a store that fails, servers that crash and devices that rival.

The model is the store itself: what a session calls saved is there, entry by entry, and who comes
back continues from exactly that.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jminesweeper.bus.local import LocalBus
from jminesweeper.core.actions import unpack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    Load,
    MoveTo,
    NewGame,
    Odds,
    OpenMenu,
    Packet,
    Pick,
    Save,
    Start,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.limits import AUTOMATIC_SAVES
from jminesweeper.session.matches import Match
from jminesweeper.session.player import RETRY_AFTER_MS
from jminesweeper.session.reply import FindHint, FoundHint, LayBoard
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.property.core_strategies import examples
from tests.world.player import Player
from tests.world.server import LIVE, World

BROKEN = StoreUnavailableError(Fault.BROKEN)
ACTS: list[Packet] = [Command.REVEAL, Command.TOGGLE_BOMB_MARK, Act(2, 2, Button.CHORD, 1)]
PACKETS: Sequence[Packet] = (
    *ACTS,
    *ACTS,
    *ACTS,
    Command.MOVE_RIGHT,
    Command.MOVE_DOWN,
    Command.PAUSE,
    Hint(1, 1),
    Odds(1, 1),
    OpenMenu(""),
    Pick("assist", "yes"),
    Command.REFRESH,
    Command.TOGGLE_DEBUG_MODE,
    Undo(1),
    Undo(3),
    Start(6, 5, 1),
    Start(3, 3, 3),
    NewGame("beginner"),
    NewGame("5x4/3 formal no-guess"),
    NewGame("again"),
    NewGame("daily"),
    Save("one"),
    Load("one"),
    Load("auto 1"),
    Act(2, 1, Button.REVEAL, 16),
    Act(1, 2, Button.FLAG, 16),
    *(MoveTo(column, row) for column in range(6) for row in range(5)),
)


class Host(World):
    """One server, which hears nothing of the others: the store is all that they share."""

    def __init__(self, random: Random, beside: World | None = None) -> None:
        super().__init__(beside=beside)
        self.bus = LocalBus(self.loop.call_soon)
        self.random = random

    def solve(self, request: object) -> Any:
        if isinstance(request, LayBoard):
            grid = Grid.of(request.setup.size)
            others = [cell for cell in grid.cells(grid.mask) if cell != request.first]
            mined = self.random.sample(others, request.setup.mine_count)
            return sum(map(grid.bit, mined))
        return FoundHint("Here.", Cell(0, 0)) if isinstance(request, FindHint) else None


class StoredGame(RuleBasedStateMachine):
    """One player on two servers, with a device at each."""

    def __init__(self) -> None:
        super().__init__()
        self.random = Random(1)
        first = Host(self.random)
        self.hosts = [first, Host(self.random, first)]
        self.players: list[Player] = []

    @initialize()
    def connect(self) -> None:
        self.hosts[0].let_pass(10_000)
        self.players = [host.player().do(LIVE) for host in self.hosts]

    @rule(
        number=st.integers(0, 1),
        packets=st.lists(st.sampled_from(PACKETS), min_size=1, max_size=8),
        wait_ms=st.sampled_from((0, 7, 1_500)),
    )
    def send(self, number: int, packets: list[Packet], wait_ms: int) -> None:
        player = self.players[number]
        player.world.let_pass(wait_ms)
        for packet in packets:
            player.send(packet)
            assert not player.is_kept_waiting

    @precondition(lambda self: not self.is_broken)
    @rule(number=st.integers(0, 1))
    def crash(self, number: int) -> None:
        """Of what was acknowledged nothing is lost."""
        before = self.players[number].inside.match
        self.hosts[number].die()
        self.hosts[number] = host = Host(self.random, self.hosts[1 - number])
        self.players[number] = host.player().do(LIVE)
        if before is not None and before.journal.stored:
            kept = self.hosts[number].find(before.code)
            if kept is None:
                assert self.may_be_gone(before)
                return
            entries = list(before.game.log.entries)
            assert list(unpack_entries(kept.entries))[: len(entries)] == entries

    @rule(number=st.integers(0, 1))
    def hang_up_and_come_back(self, number: int) -> None:
        self.players[number].hang_up()
        self.players[number].world.let_pass(60_000)
        self.players[number] = self.hosts[number].player().do(LIVE)

    @rule(number=st.integers(0, 1), is_reached=st.booleans())
    def break_store(self, number: int, is_reached: bool) -> None:
        """Have operations fail, or be carried out with nobody hearing of it."""
        host = self.hosts[number]
        host.fault, host.line.is_reached = BROKEN, is_reached

    @precondition(lambda self: self.is_broken)
    @rule()
    def mend_store(self) -> None:
        """Everything becomes one by itself, without a packet."""
        for host in self.hosts:
            host.fault = None
            host.pass_time(RETRY_AFTER_MS)
            host.look_again()
        for host, player in zip(self.hosts, self.players, strict=True):
            host.look_again()
            match = player.inside.match
            assert match is None or match.journal.is_at_rest
            assert player.inside.account.is_saved(match)

    def may_be_gone(self, match: Match) -> bool:
        """True if another device may have replaced it: nobody acted on it, or it was the oldest."""
        ada = self.hosts[0].ada
        is_full = ada is not None and {*AUTOMATIC_SAVES} <= ada.saves.keys()
        return is_full or not match.was_acted_on

    @property
    def is_broken(self) -> bool:
        return any(host.fault for host in self.hosts)

    @invariant()
    def what_is_called_saved_is_stored(self) -> None:
        for host, player in zip(self.hosts, self.players, strict=True):
            match = player.inside.match
            if match is None or not match.is_kept or match.journal.fault is not None:
                continue
            kept = host.find(match.code)
            entries = list(match.game.log.entries)
            assert kept is not None or self.may_be_gone(match) or not match.journal.stored
            if kept is not None and match.journal.is_at_rest:
                assert list(unpack_entries(kept.entries))[: len(entries)] == entries

    @invariant()
    def what_is_shown_is_what_was_played(self) -> None:
        for player in self.players:
            match: Match | None = player.inside.match
            if match is not None and match.game.was_played:
                game = match.game
                again = Game.replay(game.setup, game.log.entries)
                assert (again.visible, again.flagged) == (game.visible, game.flagged)
                assert (again.status, again.assisted) == (game.status, game.assisted)

    @invariant()
    def every_result_counts_once(self) -> None:
        if self.players:
            codes = [game.code for game in self.hosts[0].finished]
            assert len(codes) == len(set(codes))


TestStoredGame = StoredGame.TestCase
TestStoredGame.settings = examples(0.3, stateful_step_count=40)
