"""Everything one connection has: a table, a screen, menus over the table, and the player's choices.

Which packet does what is not told here but in `at_table`, `in_menus`, `entering`, `main_menu` and
the modules beside them, whose functions take the seat they act on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from jminesweeper.core import RandomBits
from jminesweeper.screen import Message, ScreenModel, Terminal, Tone
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Ask, Effects
from jminesweeper.session.keeper import rebuild
from jminesweeper.session.menus import Layer, Page
from jminesweeper.session.navigator import Navigator
from jminesweeper.session.orders import Order
from jminesweeper.session.play import Play
from jminesweeper.session.presenters import Presenter
from jminesweeper.session.requests import Consult, Enter, Rebuild
from jminesweeper.session.settings import Settings
from jminesweeper.session.table import Table
from jminesweeper.store.ports import Operation, RunningGame, StoreError

Then = Callable[[Any, int], Effects]
"""What to do with an answer of the store, which may be a StoreError."""

AnswerT = TypeVar("AnswerT")

QUICK_LOG_BYTES: Final = 8_000
"""A log so long is played again at once. Others would notice the time that a longer one takes."""


class Seat:
    """The state of one session."""

    __slots__ = (
        "config",
        "entering",
        "entropy",
        "navigator",
        "players",
        "presenter",
        "retry_at_ms",
        "settings",
        "table",
        "terminal",
        "then",
        "wants_to_resume",
    )

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self.config = config
        self.entropy = entropy
        self.table = Table(config, config.tokens or entropy)
        self.navigator = Navigator(self.table)
        self.settings = Settings()
        self.terminal = Terminal()
        self.presenter: Presenter | None = None
        """What draws the screens of version 2; before HELLO those of version 1 are drawn."""
        self.entering: Enter | None = None
        """Who said HELLO with a key."""
        self.players = 0
        """How many did so one after the other."""
        self.retry_at_ms: int | None = None
        """When to ask the store again to let this player in."""
        self.wants_to_resume = False
        """Whether the client asked for the game that waits."""
        self.then: Then | None = None

    def model(self, now_ms: int) -> ScreenModel:
        """Describe the screen of version 2."""
        top = self.navigator.top
        if top is not None:
            return top.model(self.table.message)
        # Without a game there is a menu, unless the game was taken away.
        return self.table.model(now_ms) or notice(messages.TAKEN_OVER)

    def warn(self, text: str) -> Effects:
        """Tell why nothing was done."""
        self.table.say(text, Tone.WARNING)
        return NO_EFFECTS

    def show(self, layer: Layer, now_ms: int) -> Effects:
        return self.navigator.open(layer, now_ms)

    def begin(self, order: Order, now_ms: int) -> Effects:
        """Begin a game and let the player at it."""
        self.navigator.layers.clear()
        return self.table.begin(order, now_ms)

    def consult(self, operation: Operation[Any], then: Then) -> Effects:
        """Ask the store, and go on with its answer."""
        self.then = then
        return (Ask(Consult(operation)),)

    def look_up(
        self, operation: Operation[AnswerT], then: Callable[[AnswerT, int], Effects]
    ) -> Effects:
        """Ask the store, and go on with its answer; if it has none, the player is told why."""

        def take(answer: AnswerT | StoreError, now_ms: int) -> Effects:
            if isinstance(answer, StoreError):
                self.table.say(str(answer), Tone.BAD)
                return NO_EFFECTS
            return then(answer, now_ms)

        return self.consult(operation, take)

    def rebuild(
        self, kept: RunningGame, then: Callable[[Play | None, int], Effects], now_ms: int
    ) -> Effects:
        """Play a kept game's log again, and go on with the game, or None if it cannot be read."""
        request = Rebuild(kept)
        if len(kept.entries) <= QUICK_LOG_BYTES:
            return then(rebuild(request), now_ms)
        self.then = then
        return (Ask(request),)

    def take_answer(self, answer: object, now_ms: int) -> Effects:
        then, self.then = self.then, None
        return then(answer, now_ms) if then else NO_EFFECTS

    def dress(self) -> None:
        """Let the screen look as the settings say."""
        if self.presenter is not None:
            has_unicode = self.terminal.has_unicode
            self.presenter.dress(self.settings.taste(terminal_has_unicode=has_unicode))


def notice(text: str) -> ScreenModel:
    """Describe a screen that says one thing."""
    return Page("JMinesweeper", (text,)).model(Message())
