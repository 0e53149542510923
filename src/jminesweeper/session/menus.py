"""Lists to choose from and pages to read, walked through with the packets that move the cursor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from jminesweeper.screen import MenuItem, MenuScreen, Message, PageScreen
from jminesweeper.session import messages
from jminesweeper.session.effects import Effects

Act: TypeAlias = Callable[[int], Effects]
"""Something to do at a time."""
Turn: TypeAlias = Callable[[int], Effects]
"""Moves a value by so many steps."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An item of a menu and what it does."""

    item: MenuItem
    choose: Act
    turn: Turn | None = None


class Menu:
    """A list whose items are made anew each time, so that they show how things stand.

    There are always as many, and one at least can be chosen.
    """

    def __init__(self, title: str, choices: Callable[[], Sequence[Choice]]) -> None:
        self.title = title
        self.choices = choices
        self.selected = -1
        self.step(1)

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
        keys = messages.KEYS_MENU if self.current.turn is None else messages.KEYS_SETTINGS
        items = [choice.item for choice in choices]
        return MenuScreen(self.title, items, self.selected, message, keys)


class Page:
    """Lines to read."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        self.title = title
        self.lines = lines
        self.first_line = 0

    def step(self, rows: int) -> None:
        """Scroll, as far as there are lines."""
        self.first_line = min(max(self.first_line + rows, 0), max(0, len(self.lines) - 1))

    def model(self, message: Message) -> PageScreen:
        return PageScreen(self.title, self.lines, self.first_line, message, messages.KEYS_PAGE)


Layer: TypeAlias = Menu | Page
