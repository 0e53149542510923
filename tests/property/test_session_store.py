"""A known player's game against a store that fails, a server that crashes and a rival connection.

The model is the store itself: whatever a session calls saved is there, entry by entry, and whoever
comes back goes on from exactly that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

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
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, NewGameFlag
from jminesweeper.session.keeping import RETRY_AFTER_MS
from jminesweeper.session.match import Match
from jminesweeper.session.player import Player
from jminesweeper.session.reply import (
    Effects,
    FindOdds,
    FoundHint,
    FoundOdds,
    LaidBoard,
    LayBoard,
    Reply,
)
from jminesweeper.session.session import Session
from jminesweeper.store import (
    Fault,
    FencedError,
    FindGame,
    Operation,
    PutRunning,
    RevisionError,
    RunningGame,
    StoreUnavailableError,
    pack_entries,
)
from tests.unit.session.backstage import ADA, CONFIG, KNOWN, Backstage

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
    NewGame(GameKind.BEGINNER, rules=1),
    NewGame(GameKind.OWN, 5, 4, 3, rules=2, flags=NewGameFlag.NO_GUESS),
    NewGame(GameKind.SAME_BOARD),
    NewGame(GameKind.DAILY),
    Save("one"),
    Load("one"),
    Act(2, 1, Button.REVEAL, 16),
    Act(1, 2, Button.FLAG, 16),
    *(MoveTo(column, row) for column in range(6) for row in range(5)),
)


class StoredGame(RuleBasedStateMachine):
    """One player at a time writes; operations wait in a line, as they do in a real store."""

    def __init__(self) -> None:
        super().__init__()
        self.backstage = Backstage()
        self.rng = Random(1)
        self.now_ms = 10_000
        self.line: deque[tuple[Session, Operation[Any]]] = deque()
        self.session = Session(CONFIG, self.rng.getrandbits)
        self.loses_answers = False
        self.was_ever_broken = False
        self.puts = 0

    @property
    def player(self) -> Player:
        return self.session._player

    @property
    def match(self) -> Match | None:
        return self.player.match

    @property
    def is_saved(self) -> bool:
        return self.player.lease.is_saved

    @property
    def stored(self) -> RunningGame | None:
        """The running game as the store has it, without claiming it."""
        tables = self.backstage.store._tables
        assert tables is not None
        slot = tables.slots.get(ADA)
        return slot.game if slot else None

    # What the shell does

    @initialize()
    def connect(self) -> None:
        self.session = Session(CONFIG, self.rng.getrandbits)
        self._send(KNOWN)

    def _send(self, packet: Packet) -> None:
        self._carry_out(self.session.receive(packet, self.now_ms))

    def _carry_out(self, reply: Reply) -> None:
        effects = reply.effects or Effects()
        self._queue(effects)
        if effects.writes or effects.question is not None:
            self._empty_line()
        if effects.question is not None:
            answer = self._answer(effects.question)
            self._carry_out(self.session.resolve(answer, self.now_ms))
        else:
            assert reply.screen

    def _queue(self, effects: Effects) -> None:
        for operation in (*effects.writes, *effects.notes):
            self.line.append((self.session, operation))

    def _empty_line(self) -> None:
        while self.line:
            session, operation = self.line.popleft()
            self.puts += isinstance(operation, PutRunning)
            answer = self.backstage.submit(operation)
            if self.loses_answers and not isinstance(answer, FencedError):
                answer = StoreUnavailableError(Fault.BROKEN)
            if not self.was_ever_broken:
                assert not isinstance(answer, RevisionError), "a gap between revisions"
            session.settle(operation, answer)

    def _answer(self, asked: Any) -> object:
        if isinstance(asked, LayBoard):
            return self._lay(asked)
        if isinstance(asked, FindOdds):
            return FoundOdds({}, is_exact=True)
        self.backstage.hints.append(FoundHint("Here.", Cell(0, 0)))
        answer = self.backstage.answer(asked)
        is_lost = self.loses_answers and isinstance(asked, Operation)
        return StoreUnavailableError(Fault.BROKEN) if is_lost else answer

    def _lay(self, asked: LayBoard) -> LaidBoard:
        grid = Grid.of(asked.setup.size)
        others = [cell for cell in grid.cells(grid.mask) if cell != asked.first]
        mined = self.rng.sample(others, asked.setup.mine_count)
        return LaidBoard(sum(map(grid.bit, mined)), is_uniform=True)

    # What happens

    @rule(
        packets=st.lists(st.sampled_from(PACKETS), min_size=1, max_size=8),
        wait_ms=st.sampled_from((0, 7, 1_500)),
    )
    def send(self, packets: list[Packet], wait_ms: int) -> None:
        self.now_ms += wait_ms
        for packet in packets:
            self._send(packet)

    @rule()
    def store_what_waits(self) -> None:
        self._empty_line()

    @precondition(lambda self: not self.was_ever_broken)
    @rule()
    def crash(self) -> None:
        """Of what was acknowledged nothing is lost; what is not stored yet is a note."""
        self.line.clear()
        before = self.match
        self.connect()
        self._assert_same_game(before)

    @precondition(lambda self: not self.was_ever_broken)
    @rule()
    def hang_up_and_come_back(self) -> None:
        before = self._standing()
        match = self.match
        self._queue(self.session.leave(self.now_ms).effects or Effects())
        self._empty_line()
        self.now_ms += 60_000
        self.connect()
        self._assert_same_game(match)
        if match is not None and match.game.was_played and not match.is_over:
            assert self._standing() == before

    def _standing(self) -> tuple[int, Cell, bool] | None:
        """Return clock, cursor and pause."""
        player, match = self.player, self.match
        if match is None:
            return None
        return match.elapsed_ms(self.now_ms), player.cursor, player.is_paused

    @precondition(lambda self: not self.was_ever_broken and self.stored is not None)
    @rule(packets=st.lists(st.sampled_from(ACTS), min_size=1, max_size=3))
    def be_taken_over(self, packets: list[Packet]) -> None:
        """Nothing of the connection that was left behind is stored any more."""
        rival, before = self.session, self.match
        self._empty_line()
        self.connect()
        self._assert_same_game(before)
        stored = self.stored
        mine, self.session = self.session, rival
        for packet in packets:
            self._send(packet)
        self._queue(rival.leave(self.now_ms).effects or Effects())
        self._empty_line()
        self.session = mine
        assert self.stored == stored

    @rule(is_reached=st.booleans())
    def break_store(self, is_reached: bool) -> None:
        """Writes fail, or are carried out and nobody hears of it."""
        self.was_ever_broken = True
        self.loses_answers = is_reached
        self.backstage.fault = None if is_reached else StoreUnavailableError(Fault.FULL)

    @precondition(lambda self: self.was_ever_broken)
    @rule()
    def mend_store(self) -> None:
        """One put brings the store up to date; the next action is saved again."""
        self._empty_line()
        self.backstage.fault, self.loses_answers = None, False
        self.now_ms += RETRY_AFTER_MS
        self.puts = 0
        self._send(Command.REFRESH)
        self._empty_line()
        while self.player.talks.stack and self.match is not None:
            self._send(OpenMenu(""))
            self._empty_line()
        if self.match is None or self.match.is_over:
            self._send(Start(6, 5, 1))
        if self.player.is_paused:
            self._send(Command.PAUSE)
            self._empty_line()
        self._send(Command.TOGGLE_BOMB_MARK)
        self._send(Command.REFRESH)
        assert self.is_saved
        assert self.puts <= 1

    # What always holds

    @invariant()
    def what_is_called_saved_is_stored(self) -> None:
        match = self.match
        if match is None or not match.game.was_played or self.line or not self.is_saved:
            return
        if self.backstage.fault or self.loses_answers:
            return
        stored = self.stored
        assert stored is not None
        assert (stored.code, stored.setup) == (match.code, match.game.setup)
        assert stored.entries == pack_entries(match.game.log.entries)
        if match.is_over:
            assert self.backstage.look(FindGame(match.code)) is not None

    @invariant()
    def a_failing_store_is_told_and_never_loses_play(self) -> None:
        if not self.is_saved:
            assert self.was_ever_broken
        match = self.match
        if match is not None and match.game.was_played:
            game = match.game
            again = Game.replay(game.setup, game.log.entries)
            assert (again.visible, again.flagged) == (game.visible, game.flagged)
            assert (again.status, again.assisted) == (game.status, game.assisted)

    def _assert_same_game(self, before: Match | None) -> None:
        after = self.match
        if before is None or before.is_over or not before.game.was_played:
            assert after is None or not after.game.was_played or after.code
            return
        assert after is not None
        assert (after.code, after.game.setup) == (before.code, before.game.setup)
        assert after.game.log.entries == before.game.log.entries
        assert after.begun_ms == before.begun_ms


TestStoredGame = StoredGame.TestCase
TestStoredGame.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
