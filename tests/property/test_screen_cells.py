"""A chain of views leaves with the client what a whole one would, whatever is played."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jminesweeper.check.kept_view import KeptView
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.packets import View
from jminesweeper.screen.cells import CellsPainter, harmless, read_faces
from jminesweeper.screen.models import GameScreen, Message, Palette, ScreenModel, Taste
from tests.property.core_strategies import cells, masks, setups
from tests.property.test_screen_patches import menus, messages, pages, texts

COVERED, FLAGGED, MINED, EXPLODED = 16, 32, 64, 128


def face(view: PlayerView, cell: Cell, debug_mines: int) -> int:
    """Say what a cell shows, asked one by one."""
    is_covered = not view.is_visible(cell) and cell != view.exploded
    shown = COVERED * is_covered + FLAGGED * view.is_flagged(cell)
    bit = view.grid.bit(cell)
    if view.shown_mines is None:
        return shown + (MINED if is_covered and debug_mines & bit else 0) + _clue(view, cell)
    if view.shown_mines & bit:
        return shown + MINED + EXPLODED * (cell == view.exploded)
    around = view.grid.neighbours(bit) & view.shown_mines & ~bit
    return shown + around.bit_count()


def _clue(view: PlayerView, cell: Cell) -> int:
    return view.clue(cell) if view.is_visible(cell) else 0


class CellsMachine(RuleBasedStateMachine):
    """Describe the same screens twice: by changes to one client, and each whole to another."""

    @initialize(setup=setups(40))
    def begin(self, setup: Setup) -> None:
        self.painter = CellsPainter(Taste())
        self.client = KeptView()
        self.start(setup)

    @rule(setup=setups(40))
    def start(self, setup: Setup) -> None:
        self.game = Game(setup)
        self.screen = GameScreen(self.game.view, Cell(0, 0), "a game", 0)
        self.paint(self.screen)

    def paint(self, model: ScreenModel) -> None:
        self.client.apply(View(*self.painter.paint(model)))
        whole = CellsPainter(Taste(self.painter.palette))
        self.expected = KeptView()
        self.expected.apply(View(*whole.paint(model)))

    @rule(data=st.data(), kind=st.sampled_from(["reveal", "reveal", "flag", "undo"]))
    def act(self, data: st.DataObject, kind: str) -> None:
        action = ActionKind[kind.upper()]
        cursor = data.draw(cells(self.game.setup.size))
        self.game.apply(Action(action, None if action is ActionKind.UNDO else cursor), 0)
        debug_mines = self.game.reveal_truth().mines if self.screen.debug_mines else 0
        self.screen = self.screen._replace(
            view=self.game.view, cursor=cursor, debug_mines=debug_mines
        )
        self.paint(self.screen)

    @rule(ms=st.integers(0, 7_000), message=messages, runs=st.booleans())
    def tick(self, ms: int, message: Message, runs: bool) -> None:
        elapsed_ms = self.screen.elapsed_ms + ms
        self.screen = self.screen._replace(elapsed_ms=elapsed_ms, message=message, clock_runs=runs)
        self.paint(self.screen)

    @rule(data=st.data())
    def hint(self, data: st.DataObject) -> None:
        self.screen = self.screen._replace(hint_cells=data.draw(masks(self.game.setup.size)))
        self.paint(self.screen)

    @rule(is_debugged=st.booleans(), is_paused=st.booleans())
    def switch(self, is_debugged: bool, is_paused: bool) -> None:
        mines = self.game.reveal_truth().mines if is_debugged else 0
        self.screen = self.screen._replace(debug_mines=mines, is_paused=is_paused)
        self.paint(self.screen)

    @rule(summary=st.lists(texts, max_size=9), state=texts, label=texts)
    def tell(self, summary: list[str], state: str, label: str) -> None:
        self.screen = self.screen._replace(summary=tuple(summary), state=state, label=label)
        self.paint(self.screen)

    @rule(model=menus() | pages)
    def open(self, model: ScreenModel) -> None:
        self.paint(model)
        assert {"menu", "page", "keys", "message"} <= self.client.members.keys()
        self.assert_expected_members()
        self.paint(self.screen)

    @rule(palette=st.sampled_from(Palette))
    def dress(self, palette: Palette) -> None:
        self.painter.dress(Taste(palette))
        self.paint(self.screen)

    @rule()
    def forget(self) -> None:
        self.painter.forget()
        self.paint(self.screen)

    def assert_expected_members(self) -> None:
        ours, expected = self.client.members, self.expected.members
        known = {name: ours[name] for name in expected if name != "clock"}
        assert known == {name: value for name, value in expected.items() if name != "clock"}

    @invariant()
    @precondition(lambda self: hasattr(self, "expected"))
    def both_know_the_same(self) -> None:
        self.assert_expected_members()
        ours, expected = self.client.members["clock"], self.expected.members["clock"]
        if self.screen.clock_runs:
            assert ours // 1000 == expected // 1000
        else:
            assert ours == expected

    @invariant()
    @precondition(lambda self: hasattr(self, "expected") and not self.screen.is_paused)
    def each_cell_has_its_face(self) -> None:
        view = self.screen.view
        size = view.size
        shown = [
            face(view, Cell(column, row), self.screen.debug_mines)
            for row in range(size.rows)
            for column in range(size.columns)
        ]
        assert list(self.client.faces) == shown
        assert list(self.expected.faces) == shown
        assert read_faces(bytes(shown), size, view.mine_count, view.status) == view


CellsMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestCellsMachine = CellsMachine.TestCase


@given(model=menus() | pages, text=texts)
def test_no_control_sequence_reaches_the_client(model: ScreenModel, text: str) -> None:
    described = CellsPainter(Taste()).paint(model).text.decode()
    assert not [character for character in described if ord(character) < 32]
    assert harmless(text) == harmless(harmless(text))
    assert "\u202e" not in harmless(f"{text}\u202e")
