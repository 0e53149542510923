"""Random games of any rules, beside the same games played by the naive oracle."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import HiddenError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Spread, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status, parse_position
from jminesweeper.recordings.text import format_game, parse_game
from tests.property.core_oracle import NaiveGame, Place
from tests.property.core_strategies import actions, examples, minefields, own_rules, setups


class Duel:
    """One game of the engine beside one of the oracle."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = Game(setup)
        size = setup.size
        self.naive = NaiveGame(size.columns, size.rows, self.true_mines(), setup.rules, setup.first)
        self.is_protected = setup.first is None and setup.protects_first_reveal
        self.now = 0

    def true_mines(self) -> set[Place]:
        field = self.game.reveal_truth()
        return {(cell.column, cell.row) for cell in field.grid.cells(field.mines)}

    def do(self, action: Action) -> None:
        self.naive.now = self.now = self.now + 3_000
        if self.is_about_to_be_protected(action):
            changed = self.game.apply(action, self.now)
            self.take_over_the_layout(action.cell)
            assert self.do_naively(action) == changed
        else:
            assert self.do_naively(action) == self.game.apply(action, self.now), action

    def is_about_to_be_protected(self, action: Action) -> bool:
        kind, cell = action
        if not self.is_protected or kind is not ActionKind.REVEAL or cell is None:
            return False
        is_flagged = self.naive.flagged[cell.row][cell.column]
        return self.naive.status == "ongoing" and not is_flagged

    def take_over_the_layout(self, first: Cell | None) -> None:
        """Check that the engine kept the first reveal safe, and play on with its layout."""
        assert first is not None
        self.is_protected = False
        naive, mines = self.naive, self.true_mines()
        assert len(mines) == self.setup.mine_count
        zone = {(first.column, first.row)}
        if self.setup.rules.first_reveal is FirstReveal.ZERO:
            zone |= set(naive.around(first.column, first.row))
        free_outside = len(naive.places()) - len(zone)
        assert len(mines & zone) == max(0, self.setup.mine_count - free_outside)
        if self.setup.mine_count < len(naive.places()):
            assert (first.column, first.row) not in mines
        before = {(x, y) for x, y in naive.places() if naive.mined[y][x]}
        if not before & zone:
            assert mines == before
        naive.mined = [[(x, y) in mines for x in range(naive.columns)] for y in range(naive.rows)]

    def do_naively(self, action: Action) -> bool:
        kind, cell = action
        naive = self.naive
        if cell is not None:
            on_cells: dict[ActionKind, Callable[[int, int], bool]] = {
                ActionKind.REVEAL: naive.reveal,
                ActionKind.FLAG: naive.toggle_flag,
                ActionKind.QUESTION: naive.toggle_question,
                ActionKind.CHORD: naive.chord,
            }
            return on_cells[kind](cell.column, cell.row)
        whole = {
            ActionKind.UNDO: naive.undo,
            ActionKind.HINT: naive.ask_for_help,
            ActionKind.DEBUG: naive.ask_for_help,
            ActionKind.TERMINATE: naive.terminate,
        }
        return whole[kind]()

    def check_same(self) -> None:
        game, naive = self.game, self.naive
        exploded = None if naive.exploded is None else Cell(*naive.exploded)
        assert (game.status.value, game.exploded) == (naive.status, exploded)
        assert game.assisted == naive.assisted
        assert str(game.view) == naive.picture()
        questioned = {(cell.column, cell.row) for cell in game.grid.cells(game.questioned)}
        assert questioned == {(x, y) for x, y in naive.places() if naive.questioned[y][x]}

    def check_invariants(self) -> None:
        """Everything that holds after every action, whatever the rules."""
        view, field, rules = self.game.view, self.game.reveal_truth(), self.setup.rules
        visible_mines = view.visible & field.mines
        assert visible_mines.bit_count() <= 1
        assert (view.status is Status.LOST) == bool(visible_mines)
        by_flags = view.flagged | view.known == field.mines
        by_sight = view.visible == field.safe
        # Without a safe cell they are all visible before anything is done, which wins nothing yet.
        if view.status is not Status.TERMINATED and not visible_mines and field.safe:
            assert (view.status is Status.WON) == {
                Victory.FLAGS: by_flags,
                Victory.SAFE_VISIBLE: by_sight,
                Victory.EITHER: by_flags or by_sight,
            }[rules.victory]
        assert not view.visible & view.flagged
        assert view.visible | view.flagged | view.covered | view.known == field.grid.mask
        assert not view.covered & (view.visible | view.flagged | view.known)
        assert not view.known & (field.safe | view.visible | view.flagged)
        assert view.known == 0 or rules.mine is not MineEffect.ENDS
        assert view.mines_left == self.setup.mine_count - (view.flagged | view.known).bit_count()
        if rules.auto_open:
            grow = field.grid.beside if rules.spread is Spread.FOUR else field.grid.neighbours
            assert not grow(view.visible & field.zeros) & ~view.visible

    def check_view_is_honest(self) -> None:
        view, field = self.game.view, self.game.reveal_truth()
        shown = view.visible & field.safe
        assert view.clue_planes == tuple(plane & shown for plane in field.clue_planes)
        if view.status.is_over:
            assert view.mines == field.mines
        else:
            with pytest.raises(HiddenError):
                _ = view.mines

    def check_the_log_is_the_game(self) -> None:
        game = self.game
        again = Game.replay(self.setup, game.log.entries)
        texted = parse_game(format_game(game))
        if not game.was_played:
            assert not again.was_played
            return
        for copy in (again, texted):
            assert copy.view == game.view
            assert copy.log.entries == game.log.entries
            assert copy.assisted == game.assisted
            assert copy.elapsed_ms == game.elapsed_ms


class GameMachine(RuleBasedStateMachine):
    """Drive both games with the same moves, whichever hypothesis thinks of."""

    duel: Duel

    @initialize(setup=setups(8))
    def start(self, setup: Setup) -> None:
        self.duel = Duel(setup)

    @rule(data=st.data())
    def reveal(self, data: st.DataObject) -> None:
        self.on_a_cell(ActionKind.REVEAL, data)

    @rule(data=st.data())
    def toggle_flag(self, data: st.DataObject) -> None:
        self.on_a_cell(ActionKind.FLAG, data)

    @rule(data=st.data())
    def question_a_flag(self, data: st.DataObject) -> None:
        naive = self.duel.naive
        marked = [
            (x, y) for x, y in naive.places() if naive.flagged[y][x] or naive.questioned[y][x]
        ]
        if marked:
            self.duel.do(Action(ActionKind.QUESTION, Cell(*data.draw(st.sampled_from(marked)))))

    @rule(data=st.data())
    def chord(self, data: st.DataObject) -> None:
        self.on_a_cell(ActionKind.CHORD, data)

    @rule(data=st.data())
    def flag_a_mine(self, data: st.DataObject) -> None:
        """Flag rightly, for chords and victories need more luck than hypothesis has."""
        unflagged = [
            (x, y)
            for x, y in self.duel.naive.places()
            if self.duel.naive.mined[y][x] and not self.duel.naive.flagged[y][x]
        ]
        if unflagged:
            self.duel.do(Action(ActionKind.FLAG, Cell(*data.draw(st.sampled_from(unflagged)))))

    @rule(data=st.data())
    def reveal_a_safe_cell(self, data: st.DataObject) -> None:
        naive = self.duel.naive
        safe = [(x, y) for x, y in naive.places() if not naive.mined[y][x]]
        if safe:
            self.duel.do(Action(ActionKind.REVEAL, Cell(*data.draw(st.sampled_from(safe)))))

    @rule(data=st.data())
    def chord_on_flags_that_match_the_number(self, data: st.DataObject) -> None:
        """Flag anywhere around a number, rightly or wrongly, so that a chord may hit many mines."""
        naive = self.duel.naive
        numbers = [(x, y) for x, y in naive.places() if naive.visible[y][x]]
        if not numbers:
            return
        x, y = data.draw(st.sampled_from(numbers))
        covered = [(nx, ny) for nx, ny in naive.around(x, y) if not naive.visible[ny][nx]]
        for nx, ny in data.draw(st.permutations(covered))[: naive.clue(x, y)]:
            if not naive.flagged[ny][nx]:
                self.duel.do(Action(ActionKind.FLAG, Cell(nx, ny)))
        self.duel.do(Action(ActionKind.CHORD, Cell(x, y)))

    @rule(steps=st.integers(1, 30))
    def undo(self, steps: int) -> None:
        for _ in range(steps):
            self.duel.do(Action(ActionKind.UNDO))

    @rule(kind=st.sampled_from([ActionKind.HINT, ActionKind.DEBUG]))
    def ask_for_help(self, kind: ActionKind) -> None:
        self.duel.do(Action(kind))

    @invariant()
    def both_games_are_the_same(self) -> None:
        self.duel.check_same()

    @invariant()
    def the_rules_hold(self) -> None:
        self.duel.check_invariants()
        self.duel.check_view_is_honest()

    @invariant()
    def the_log_is_the_game(self) -> None:
        self.duel.check_the_log_is_the_game()

    @invariant()
    def a_position_is_read_as_it_is_written(self) -> None:
        view = self.duel.game.view
        read = parse_position(str(view), view.mine_count, view.status)
        # Question marks mean something to their player alone.
        assert read == replace(view, questioned=0)
        assert pickle.loads(pickle.dumps(view)) == view

    def teardown(self) -> None:
        if hasattr(self, "duel"):
            while self.duel.naive.past and self.duel.naive.status != "terminated":
                self.duel.do(Action(ActionKind.UNDO))
                self.duel.check_same()

    def on_a_cell(self, kind: ActionKind, data: st.DataObject) -> None:
        size = self.duel.setup.size
        column = data.draw(st.integers(0, size.columns - 1))
        row = data.draw(st.integers(0, size.rows - 1))
        self.duel.do(Action(kind, Cell(column, row)))


TestGameMachine = pytest.mark.requirement(
    "F:V.Game.at_most_one_uncovered_mine",
    "F:V.Game.victory_condition",
    "F:V.Game.loss_condition",
)(GameMachine.TestCase)
TestGameMachine.settings = examples(0.5, stateful_step_count=40)


@pytest.mark.requirement("F:V.Game.at_most_one_uncovered_mine", "E:85c38ac5", "C:Chord-Clicking")
@given(st.data(), minefields(5), own_rules, st.randoms(use_true_random=False))
def test_a_chord_on_any_flags_does_what_the_oracle_does(
    data: st.DataObject, field: Minefield, rules: Rules, random: Random
) -> None:
    """Wrong flags in any number that matches, so that a chord hits none, one or several mines."""
    numbers = [cell for cell in field.grid.cells(field.safe) if field.clue(cell)]
    assume(numbers)
    duel = Duel(Setup.of(field.size, rules=replace(rules, chording=True), layout=field.mines))
    number = data.draw(st.sampled_from(numbers))
    duel.do(Action(ActionKind.REVEAL, number))
    around = list(field.grid.cells(field.grid.neighbours(field.grid.bit(number))))
    for cell in random.sample(around, field.clue(number)):
        duel.do(Action(ActionKind.FLAG, cell))
    duel.do(Action(random.choice([ActionKind.CHORD, ActionKind.REVEAL]), number))
    duel.check_same()
    duel.check_invariants()
    duel.do(Action(ActionKind.UNDO))
    duel.check_same()
    duel.check_the_log_is_the_game()


@given(st.data(), setups(12))
def test_any_game_is_the_game_the_oracle_plays(data: st.DataObject, setup: Setup) -> None:
    duel = Duel(setup)
    for action in data.draw(st.lists(actions(setup.size), max_size=40)):
        duel.do(action)
        duel.check_same()
    duel.check_the_log_is_the_game()


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@examples(0.25)
@given(st.data())
def test_a_game_in_every_preset_is_the_game_the_oracle_plays(
    rules: Rules, data: st.DataObject
) -> None:
    """Longer games on larger boards, played out to their end by someone who peeks."""
    drawn = data.draw(setups(25))
    setup = replace(drawn, variant=replace(drawn.variant, rules=rules))
    duel = Duel(setup)
    random = data.draw(st.randoms(use_true_random=False))
    for _ in range(60):
        field = duel.game.reveal_truth()
        pool = field.mines if (is_flag := random.random() < 0.5) else field.safe
        places = list(field.grid.cells(pool)) or list(field.grid.cells(field.grid.mask))
        kind = ActionKind.FLAG if is_flag else ActionKind.REVEAL
        duel.do(Action(kind, random.choice(places)))
    duel.check_same()
    duel.check_invariants()
    duel.check_the_log_is_the_game()


@given(st.data(), setups(10))
def test_after_the_end_nothing_changes_but_by_undo(data: st.DataObject, setup: Setup) -> None:
    game = Game(setup)
    game.reveal(Cell(0, 0), 0)
    game.terminate()
    before = (game.view, len(game.log), game.assisted)
    for action in data.draw(st.lists(actions(setup.size), max_size=20)):
        if action.kind is not ActionKind.UNDO:
            assert not game.apply(action, 99)
    assert (game.view, len(game.log), game.assisted) == before
