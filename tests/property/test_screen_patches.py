"""A chain of patches leaves on the terminal what a whole frame would, whatever is played."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.screen.models import (
    CellSize,
    ColourDepth,
    GameScreen,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Palette,
    ScreenModel,
    Taste,
    Terminal,
    Tone,
    Typing,
)
from jminesweeper.screen.painter import AnsiPainter
from tests.golden.terminal import PaintedTerminal
from tests.property.core_strategies import cells, masks, setups

_KEYS = (("RETURN", "reveal"), ("SPACE", "flag"), ("m", "menu"), ("x", "quit"))

texts = st.text(max_size=90)
messages = st.builds(Message, texts, st.sampled_from(Tone))
terminals = st.builds(
    Terminal,
    st.integers(1, 90),
    st.integers(1, 30),
    st.sampled_from(ColourDepth),
    st.booleans(),
)
tastes = st.builds(Taste, st.sampled_from(Palette), st.booleans(), st.sampled_from(CellSize))
items = st.builds(
    MenuItem,
    texts,
    texts,
    st.booleans(),
    st.booleans(),
    texts,
    st.sampled_from(Typing),
    st.just(("1", "23 %")) | st.just(()),
)
pages = st.builds(
    PageScreen,
    texts,
    st.lists(texts, max_size=40),
    st.integers(0, 50),
    messages,
    keys=st.just(_KEYS),
    part_keys=st.sampled_from([(), _KEYS[:2]]),
)


@st.composite
def menus(draw: st.DrawFn) -> MenuScreen:
    listed = draw(st.lists(items, min_size=1, max_size=30))
    selected = draw(st.integers(0, len(listed) - 1))
    return MenuScreen(draw(texts), listed, selected, draw(messages), _KEYS)


class ScreenMachine(RuleBasedStateMachine):
    """Paint the same screens twice: as patches on one terminal, and each whole on another."""

    @initialize(setup=setups(60), terminal=terminals, taste=tastes)
    def begin(self, setup: Setup, terminal: Terminal, taste: Taste) -> None:
        self.terminal = terminal
        self.patching = AnsiPainter(terminal, taste)
        self.repainting = AnsiPainter(terminal, taste)
        self.patched = PaintedTerminal(terminal.columns, terminal.rows)
        self.start(setup)

    @rule(setup=setups(60))
    def start(self, setup: Setup) -> None:
        self.game = Game(setup)
        self.screen = GameScreen(self.game.view, Cell(0, 0), "a game", 0, keys=_KEYS)
        self.paint(self.screen)

    def paint(self, model: ScreenModel) -> None:
        patch = self.patching.paint(model)
        self.repainting.forget()
        whole = self.repainting.paint(model)
        assert whole.is_full
        assert whole[1:7] == patch[1:7]
        self.patched.apply(patch)
        self.expected = PaintedTerminal(self.terminal.columns, self.terminal.rows)
        self.expected.fill("#")
        self.expected.apply(whole)

    @rule(data=st.data(), kind=st.sampled_from(["reveal", "reveal", "flag", "undo"]))
    def act(self, data: st.DataObject, kind: str) -> None:
        action = ActionKind[kind.upper()]
        cell = self.screen.cursor if action is not ActionKind.UNDO else None
        self.game.apply(Action(action, cell), self.screen.elapsed_ms)
        self.screen = self.screen._replace(view=self.game.view, hint_cells=0)
        if self.screen.debug_mines:
            self.screen = self.screen._replace(debug_mines=self.game.reveal_truth().mines)
        self.paint(self.screen)

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        cursor = data.draw(cells(self.game.setup.size))
        self.screen = self.screen._replace(cursor=cursor)
        self.paint(self.screen)

    @rule(ms=st.integers(0, 700_000), message=messages, share=st.none() | st.floats(0, 1))
    def tick(self, ms: int, message: Message, share: float | None) -> None:
        elapsed_ms = self.screen.elapsed_ms + ms
        self.screen = self.screen._replace(
            elapsed_ms=elapsed_ms, message=message, solved_share=share
        )
        self.paint(self.screen)

    @rule(ms=st.integers(0, 700_000))
    def wait(self, ms: int) -> None:
        self.screen = self.screen._replace(elapsed_ms=self.screen.elapsed_ms + ms)
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
        self.paint(self.screen)

    @rule(terminal=terminals)
    def resize(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.patching.resize(terminal)
        self.repainting.resize(terminal)
        self.patched.resize(terminal.columns, terminal.rows)
        self.paint(self.screen)

    @rule(taste=tastes)
    def dress(self, taste: Taste) -> None:
        self.patching.dress(taste)
        self.repainting.dress(taste)
        self.paint(self.screen)

    @invariant()
    @precondition(lambda self: hasattr(self, "expected"))
    def both_show_the_same(self) -> None:
        assert self.patched.text == self.expected.text
        assert self.patched.looks() == self.expected.looks()
        assert self.patched.cursor == self.expected.cursor


ScreenMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestScreenMachine = ScreenMachine.TestCase


@given(model=menus() | pages, terminal=terminals, taste=tastes)
@pytest.mark.requirement("J:screen content")
def test_no_text_from_outside_reaches_the_terminal_as_a_control_sequence(
    model: ScreenModel, terminal: Terminal, taste: Taste
) -> None:
    text = AnsiPainter(terminal, taste).paint(model).text.decode()
    shown = PaintedTerminal(terminal.columns, terminal.rows)
    shown.apply(AnsiPainter(terminal, taste).paint(model))
    controls = {character for character in text if ord(character) < 32 or ord(character) == 127}
    assert controls <= set("\x1b\r\n")
