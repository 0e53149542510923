"""A program of the terminal on a stage: its keys, its clock and its screen are the test's."""

from __future__ import annotations

from jminesweeper.client import events
from jminesweeper.client.driver import Program
from jminesweeper.client.events import Effect, Event
from tests.painted import PaintedTerminal


class Staged:
    """A program that has begun, and the terminal that it paints."""

    def __init__(self, program: Program, columns: int = 80, rows: int = 24) -> None:
        self.program = program
        self.screen = PaintedTerminal(columns, rows)
        self.screen.clear(columns, rows)
        self.now_s = 100.0
        self.left: events.Leave | None = None
        self.written = ""
        """The last text it wrote, if any."""
        self.painted = 0
        """Number of times that it wrote something."""
        self.effects: list[Effect] = program.begin(self.now_s)

    def after(self, event: Event, at_s: float | None = None) -> list[Effect]:
        """Let something happen, now or at a time."""
        self.now_s = self.now_s if at_s is None else at_s
        self.effects = self.program.handle(event, self.now_s)
        leaves = [effect for effect in self.effects if isinstance(effect, events.Leave)]
        self.left = next(iter(leaves), self.left)
        self.written = self.program.paint(self.now_s)
        self.painted += bool(self.written)
        self.screen.feed(self.written)
        return self.effects

    def type(self, keys: bytes) -> list[Effect]:
        return self.after(events.Typed(keys))

    def wait(self) -> list[Effect]:
        """Come when something is due."""
        assert self.program.deadline is not None
        return self.after(events.Expired(), max(self.now_s, self.program.deadline))

    @property
    def text(self) -> str:
        return self.screen.text
