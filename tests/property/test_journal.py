"""Journals in any interleaving: with lost answers, outages, lost entries, and emptied stores."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from jminesweeper.core.actions import ActionKind, pack_entries, unpack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.records.documents import GameDocument
from jminesweeper.records.journal import Journal, State
from jminesweeper.records.keys import DUE, game_key
from jminesweeper.records.players import PlayerCopy, open_game
from jminesweeper.records.reading import read_statistics
from jminesweeper.store.blocking import perform, run
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Commit, Fault, Found, Part, Put, Read, StoreUnavailableError

BROKEN = StoreUnavailableError(Fault.BROKEN)
CODE = "c"
NOW_MS = 1_000_000
KEY = game_key(CODE)
SETUP = Setup.of("intermediate", seed=7)
# Of each test, with `--hypothesis-profile=long`: 4,000.
WORLDS = settings().max_examples * 2 // 5
KINDS = (*[ActionKind.FLAG] * 6, ActionKind.REVEAL, ActionKind.CHORD, ActionKind.QUESTION)


class World:
    """Several processes with a copy of one game each, and the store between them."""

    def __init__(self, seed: int, copies: int = 4) -> None:
        self.random = random.Random(seed)
        self.store = MemoryStore(now_s=lambda: 1_000)
        self.now_ms = 1_000_000
        self.undoes = 0.03
        self.under_way: list[deque[Any]] = [deque() for _ in range(copies)]
        self.acknowledged: dict[int, int] = {}
        document = GameDocument(SETUP, ("p",))
        self.journals = [
            Journal(
                CODE, document, Game(SETUP), PlayerCopy("p", self.random.getrandbits), self.draw
            )
            for _ in range(copies)
        ]

    def draw(self, bits: int) -> int:
        return self.random.getrandbits(bits)

    def act(self, number: int) -> None:
        journal, game = self.journals[number], self.journals[number].game
        kind = self.random.choice(KINDS)
        if kind is ActionKind.FLAG and self.random.random() < self.undoes:
            kind = ActionKind.UNDO
        index = game.grid.index(Cell(self.random.randrange(16), self.random.randrange(16)))
        if kind is ActionKind.REVEAL and game.reveal_truth().mines >> index & 1:
            kind = ActionKind.FLAG
        self.now_ms += self.random.randrange(5)
        at_ms = self.now_ms - 1_000_000
        journal.act(kind, index, at_ms, number + 1, self.now_ms)

    def submit(self, number: int) -> None:
        if not self.under_way[number] and (op := self.journals[number].next_operation(NOW_MS)):
            self.under_way[number].append(op)

    def settle(self, number: int, fate: str = "answered") -> None:
        """Have an operation answered, or lose it or its answer."""
        if not self.under_way[number]:
            return
        journal, operation = self.journals[number], self.under_way[number].popleft()
        answer: Any = BROKEN if fate == "unsent" else perform(self.store, operation)
        journal.take_answer(BROKEN if fate == "unanswered" else answer)
        if fate == "answered" and answer is True:
            for append in operation.appends:
                for place, entry in enumerate(unpack_entries(append.entries), append.at):
                    self.acknowledged[place] = entry
        self.tell(0.7)

    def tell(self, share: float) -> None:
        if self.random.random() < share:
            for journal in self.journals:
                if self.random.random() < 0.8:
                    journal.note_length(len(self.log()))

    def log(self) -> list[int]:
        opened = run(self.store, open_game(CODE))
        return [] if opened is None else [*unpack_entries(opened.entries)]

    def lose(self, *, everything: bool) -> None:
        """Have the store come back from a backup, or empty, with nothing under way."""
        for number in range(len(self.journals)):
            self.settle(number, "unsent")
        log = self.log()
        if everything:
            self.store = MemoryStore(now_s=lambda: 1_000)
        elif len(log) > 5:
            item = self.store._items[KEY]
            del item.log[8 * self.random.randrange(3, len(log)) :]
        self.acknowledged.clear()
        for journal in self.journals:
            journal.read_anew()

    def rest(self) -> None:
        """Let everything settle."""
        for turn in range(80):
            for number, journal in enumerate(self.journals):
                self.settle(number)
                if turn < 20:
                    journal.read_anew()
                journal.note_length(len(self.log()))
                self.submit(number)

    def play(self, steps: int, *, may_lose: bool) -> None:
        for _ in range(steps):
            number = self.random.randrange(len(self.journals))
            chance = self.random.random()
            if chance < 0.45:
                self.act(number)
            elif chance < 0.8:
                fates = ["answered"] * 8 + ["unanswered", "unsent"]
                self.settle(number, self.random.choice(fates))
            elif chance < 0.9 and self.journals[number].state is State.AWAY:
                self.journals[number].read_anew()
            elif may_lose and chance < 0.906:
                self.lose(everything=chance < 0.903)
            self.submit(number)

    def check(self) -> None:
        log = self.log()
        replayed = Game.replay(SETUP, log)
        assert [*replayed.log.entries] == log, "every stored entry plays"
        for journal in self.journals:
            game = journal.game
            assert journal.is_at_rest
            assert [*game.log.entries] == log
            assert looks(game) == looks(replayed)
        assert all(log[place] == entry for place, entry in self.acknowledged.items())


def lose(journal: Journal, now_ms: int) -> None:
    """Reveal mines until one explodes: the first reveal is protected."""
    while not journal.game.status.is_over:
        mines = journal.game.reveal_truth().mines & ~journal.game.flagged
        journal.act(ActionKind.REVEAL, mines.bit_length() - 1, now_ms - 1_000, 1, now_ms)


def looks(game: Game) -> tuple[object, ...]:
    return game.visible, game.flagged, game.questioned, game.status


@pytest.mark.parametrize("part", range(4))
def test_all_copies_become_one_and_nothing_acknowledged_is_lost(part: int) -> None:
    rebased = dropped = 0
    for seed in range(part, max(240, WORLDS), 4):
        world = World(seed)
        world.play(200, may_lose=seed // 4 % 4 == 3)
        world.rest()
        if world.log():
            world.check()
        rebased += sum(journal.rebased for journal in world.journals)
        dropped += sum(journal.dropped for journal in world.journals)
    assert rebased > 100
    assert dropped


@pytest.mark.parametrize("may_lose", [False, True])
def test_a_result_is_counted_once_whatever_happens_on_the_way(may_lose: bool) -> None:
    for seed in range(max(60, WORLDS)):
        world = World(seed, copies=2)
        world.play(30, may_lose=may_lose)
        world.rest()
        loser = world.journals[seed % 2]
        if not loser.length or loser.game.status.is_over:
            continue
        world.undoes = 0
        lose(loser, world.now_ms)
        world.play(20, may_lose=may_lose)
        world.rest()
        world.check()
        counts = run(world.store, read_statistics("p")).counts
        # What was never stored may have lost its meaning: then the game goes on.
        is_over = world.journals[0].game.status.is_over
        assert (counts.played, counts.won) == (is_over, 0)
        assert may_lose or (is_over and due(world.store) == [])


# One case each, in the order of the table


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(now_s=lambda: 1_000)


def journal_at(store: MemoryStore, seed: int = 1) -> Journal:
    """Make a journal of the stored record, or of a new one."""
    draw = random.Random(seed).getrandbits
    held = PlayerCopy("p", draw)
    opened = run(store, open_game(CODE))
    if opened is None:
        return Journal(CODE, GameDocument(SETUP, ("p",)), Game(SETUP), held, draw)
    run(store, held.refresh())
    game = Game.replay(SETUP, unpack_entries(opened.entries))
    return Journal.of(opened, game, held, draw)


def flag(journal: Journal, index: int, at_ms: int = 5) -> None:
    journal.act(ActionKind.FLAG, index, at_ms, 0, 1_000 + at_ms)


def carry_out(store: MemoryStore, journal: Journal) -> Iterator[bool]:
    while operation := journal.next_operation(NOW_MS):
        yield journal.take_answer(perform(store, operation))


def bring_up_to_date(store: MemoryStore, *journals: Journal) -> None:
    for journal in journals:
        for _ in carry_out(store, journal):
            pass


def indices(journal: Journal) -> list[int]:
    return [entry & 0xFFFF for entry in journal.game.log.entries]


def test_the_first_action_makes_the_record(store: MemoryStore) -> None:
    journal = journal_at(store)
    assert journal.next_operation(NOW_MS) is None
    flag(journal, 20)
    assert not journal.may_show(1)
    bring_up_to_date(store, journal)
    assert (journal.state, journal.may_show(1)) == (State.IDLE, True)
    assert indices(journal_at(store)) == [20]


def test_what_is_done_while_a_write_is_under_way_is_written_after_it(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    bring_up_to_date(store, journal)
    flag(journal, 21)
    write = journal.next_operation(NOW_MS)
    assert write is not None
    flag(journal, 22)
    assert journal.next_operation(NOW_MS) is None
    assert journal.take_answer(perform(store, write)) is False
    assert (journal.may_show(2), journal.may_show(3)) == (True, False)
    bring_up_to_date(store, journal)
    assert indices(journal_at(store)) == [20, 21, 22]


def test_two_who_act_at_once_both_act(store: MemoryStore) -> None:
    one = journal_at(store)
    flag(one, 20)
    bring_up_to_date(store, one)
    other = journal_at(store, 2)
    flag(one, 21)
    flag(other, 22)
    bring_up_to_date(store, one, other)
    one.note_length(3)
    bring_up_to_date(store, one)
    assert indices(one) == indices(other) == [20, 21, 22]
    assert (other.rebased, other.dropped) == (1, 0)


def test_an_action_on_a_cell_that_looks_otherwise_is_dropped(store: MemoryStore) -> None:
    one = journal_at(store)
    flag(one, 20)
    bring_up_to_date(store, one)
    other = journal_at(store, 2)
    flag(one, 20, 6)
    flag(other, 20, 7)
    bring_up_to_date(store, one)
    assert True in list(carry_out(store, other)), "what waits is drawn again"
    assert (indices(other), other.dropped) == ([20, 20], 1)


def test_without_a_store_replies_leave_and_say_so(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    assert journal.next_operation(NOW_MS) is not None
    assert journal.take_answer(BROKEN)
    assert (journal.may_show(1), journal.fault) == (True, BROKEN)
    flag(journal, 21)
    assert journal.next_operation(NOW_MS) is None
    journal.read_anew()
    bring_up_to_date(store, journal)
    assert journal.fault is None
    assert indices(journal_at(store)) == [20, 21]


def test_an_answer_that_was_lost_is_found_by_reading(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    bring_up_to_date(store, journal)
    flag(journal, 20, 6)
    write = journal.next_operation(NOW_MS)
    assert write is not None
    perform(store, write)
    journal.take_answer(BROKEN)
    flag(journal, 20, 6)
    journal.read_anew()
    bring_up_to_date(store, journal)
    assert indices(journal_at(store)) == [20, 20, 20]


def test_an_emptied_store_gets_the_game_anew(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    bring_up_to_date(store, journal)
    emptied = MemoryStore(now_s=lambda: 1_000)
    flag(journal, 21)
    bring_up_to_date(emptied, journal)
    assert indices(journal_at(emptied)) == [20, 21]


def due(store: MemoryStore) -> list[str]:
    found: Found = perform(store, Read(parts=(Part(DUE, 9),)))
    return [*found.parts[0]]


def document_in(store: MemoryStore) -> GameDocument:
    found: Found = perform(store, Read((KEY,)))
    return GameDocument.parse(found.documents[0].body)


def test_a_game_that_ends_before_anything_is_stored_is_due_from_its_first_commit(
    store: MemoryStore,
) -> None:
    journal = journal_at(store)
    lose(journal, 1_005)
    while not due(store):
        operation = journal.next_operation(NOW_MS)
        assert operation is not None, "it was not due before it was settled"
        journal.take_answer(perform(store, operation))
    assert document_in(store).outcome is None
    bring_up_to_date(store, journal)
    assert run(store, read_statistics("p")).counts.played == 1
    assert due(store) == []


def test_a_game_that_ends_in_an_outage_ended_then_and_not_when_the_store_is_back(
    store: MemoryStore,
) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    assert journal.next_operation(NOW_MS) is not None
    journal.take_answer(BROKEN)
    lose(journal, 9_000)
    journal.read_anew()
    bring_up_to_date(store, journal)
    outcome = document_in(store).outcome
    assert outcome is not None
    assert (outcome.ended_at_s, outcome.wall_ms) == (9, 8_000)


def test_a_game_that_was_recorded_is_recorded_in_an_emptied_store_too(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    lose(journal, 9_000)
    bring_up_to_date(store, journal)
    emptied = MemoryStore(now_s=lambda: 1_000)
    journal.read_anew()
    bring_up_to_date(emptied, journal)
    outcome = document_in(emptied).outcome
    assert outcome is not None
    assert (outcome.ended_at_s, outcome.wall_ms) == (9, 8_000)
    assert run(emptied, read_statistics("p")).counts.played == 1


def test_a_board_that_is_laid_is_stored_with_its_first_reveal(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    bring_up_to_date(store, journal)
    laid = Setup(SETUP.variant, layout=SETUP.minefield().mines)
    journal.game.setup = laid
    journal.revise(laid)
    flag(journal, 21)
    bring_up_to_date(store, journal)
    assert document_in(store).setup == laid


def test_mines_laid_elsewhere_replace_those_laid_here(store: MemoryStore) -> None:
    one = journal_at(store)
    flag(one, 20)
    bring_up_to_date(store, one)
    other = journal_at(store, 2)
    mines = SETUP.minefield().mines
    safe = other.game.grid.mask & ~mines
    safe &= -safe
    for journal, layout in ((one, mines), (other, mines ^ (mines & -mines) ^ safe)):
        laid = Setup(SETUP.variant, layout=layout)
        journal.game = Game.replay(laid, journal.game.log.entries)
        journal.revise(laid)
    bring_up_to_date(store, one, other)
    assert other.game.setup == one.game.setup


def test_a_repeat_stays_one_though_the_document_changed_meanwhile(store: MemoryStore) -> None:
    journal = journal_at(store)
    flag(journal, 20)
    bring_up_to_date(store, journal)
    (document,) = perform(store, Read((KEY,))).documents
    journal.revise(SETUP.as_repeat())
    listed = document.body.replace('"begun"', '"listed":true,"begun"')
    perform(store, Commit(99, puts=(Put(KEY, listed),)))
    bring_up_to_date(store, journal)
    game = document_in(store)
    assert (game.variant.is_repeat, game.is_listed) == (True, True)


def test_a_log_packs_into_the_same_bytes_everywhere() -> None:
    assert pack_entries([1, 1 << 40]) == b"\1\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0"
