"""Lists to choose from and pages to read, walked through with the packets that move the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from jminesweeper.screen import MenuItem, MenuScreen, Message, PageScreen
from jminesweeper.session import messages
from jminesweeper.session.effects import Effect

Effects: TypeAlias = tuple[Effect, ...]
Act: TypeAlias = Callable[[int], Effects]
"""Something to do at a time."""
Turn: TypeAlias = Callable[[int], Effects]
"""Moves a value by so many steps."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An item of a menu and what it does."""

    item: MenuItem
    choose: Act | None = None
    turn: Turn | None = None


@dataclass(slots=True)
class Menu:
    """A list whose items are made anew each time, so that they show how things stand."""

    title: str
    choices: Callable[[], Sequence[Choice]]
    selected: int = 0

    @property
    def current(self) -> Choice:
        return self.choices()[self.selected]

    def step(self, rows: int) -> None:
        """Select another item; the list goes round."""
        choices = self.choices()
        for _ in choices:
            self.selected = (self.selected + rows) % len(choices)
            if choices[self.selected].item.is_enabled:
                return

    def select(self, number: int) -> bool:
        """Select an item by its place, if it can be chosen."""
        choices = self.choices()
        if number < len(choices) and choices[number].item.is_enabled:
            self.selected = number
            return True
        return False

    def model(self, message: Message) -> MenuScreen:
        choices = self.choices()
        can_turn = choices[self.selected].turn is not None
        keys = messages.KEYS_SETTINGS if can_turn else messages.KEYS_MENU
        return MenuScreen(
            self.title, [choice.item for choice in choices], self.selected, message, keys
        )


@dataclass(slots=True)
class Page:
    """Lines to read."""

    title: str
    lines: Sequence[str]
    first_line: int = field(default=0)

    def step(self, rows: int) -> None:
        """Scroll, as far as there are lines."""
        self.first_line = min(max(self.first_line + rows, 0), max(0, len(self.lines) - 1))

    def model(self, message: Message) -> PageScreen:
        return PageScreen(self.title, self.lines, self.first_line, message, messages.KEYS_PAGE)


Layer: TypeAlias = Menu | Page
