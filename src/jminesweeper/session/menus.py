"""Lists to choose from and pages to read, walked through with the packets that move the cursor.

A field to fill in is a list of one item, whose value is typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from jminesweeper.screen import Listing, MenuItem, MenuScreen, Message, PageScreen, Typing
from jminesweeper.session import messages
from jminesweeper.session.effects import NO_EFFECTS, Effects
from jminesweeper.session.names import LONGEST_NAME, typeable

Act: TypeAlias = Callable[[int], Effects]
"""Something to do at a time."""
Turn: TypeAlias = Callable[[int], Effects]
"""Moves a value by so many steps."""
Write: TypeAlias = Callable[[str], Effects]
"""Takes a value as it was typed so far."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An item of a menu and what it does."""

    item: MenuItem
    choose: Act
    turn: Turn | None = None
    write: Write | None = None
    drop: Act | None = None
    """Asks whether what the item stands for is to go."""


class Menu:
    """A list whose items are made anew each time, so that they show how things stand.

    There are always as many, and one at least can be chosen.
    """

    def __init__(self, title: str, choices: Callable[[], Sequence[Choice]]) -> None:
        self.title = title
        self.choices = choices
        self.selected = -1
        self._is_fresh = True
        """Nothing was typed yet at this item: what is typed first replaces its value."""
        self.step(1)

    @property
    def current(self) -> Choice:
        return self.choices()[self.selected]

    def step(self, rows: int) -> None:
        """Select another item; the list goes round."""
        choices = self.choices()
        count = len(choices)
        places = ((self.selected + rows * steps) % count for steps in range(1, count + 1))
        selected = next(place for place in places if choices[place].item.is_enabled)
        self._is_fresh = self._is_fresh or selected != self.selected
        self.selected = selected

    def select(self, number: int) -> bool:
        """Select an item by its place, if it can be chosen."""
        choices = self.choices()
        if number < len(choices) and choices[number].item.is_enabled:
            self.selected, self._is_fresh = number, True
            return True
        return False

    def choose(self, now_ms: int) -> Effects:
        """Do what the selected item is for, but for a number that was typed: that is done with."""
        choice = self.current
        if choice.item.typing is Typing.DIGITS and not self._is_fresh:
            self.step(1)
            return NO_EFFECTS
        return choice.choose(now_ms) if choice.item.is_enabled else NO_EFFECTS

    def turn(self, steps: int) -> Effects:
        """Move the value of the selected item; a text is kept, to be added to."""
        turn = self.current.turn
        self._is_fresh = turn is not None
        return turn(steps) if turn else NO_EFFECTS

    def type(self, text: str) -> Effects:
        """Add to the value of the selected item what of a text can be typed there."""
        choice = self.current
        typed = _TYPEABLE[choice.item.typing](text)
        if choice.write is None or not typed:
            return NO_EFFECTS
        value = typed if self._is_fresh else choice.item.value + typed
        # Noughts may have become the least number there is: what follows does not go behind that.
        self._is_fresh = choice.item.typing is Typing.DIGITS and not value.strip("0")
        return choice.write(value)

    def erase(self, now_ms: int) -> Effects:
        """Take back the last character of a value, or ask whether an item is to go."""
        choice = self.current
        if choice.write is None:
            return choice.drop(now_ms) if choice.drop else NO_EFFECTS
        left = choice.item.value[:-1]
        self._is_fresh = not left
        return choice.write(left)

    def model(self, message: Message) -> MenuScreen:
        choices = self.choices()
        items = [choice.item for choice in choices]
        keys = _keys(choices[self.selected])
        return MenuScreen(self.title, items, self.selected, message, keys)


def question(title: str, refusal: str, consent: MenuItem, back: Act, act: Act) -> Menu:
    """Ask whether something is to be done. The question goes, whatever the answer is."""
    choices = (
        Choice(MenuItem(refusal), back),
        Choice(consent, lambda now_ms: (*back(now_ms), *act(now_ms))),
    )
    return Menu(title, lambda: choices)


class Field(Menu):
    """A field to fill in; the item says what with, and what is in it at first."""

    def __init__(self, title: str, item: MenuItem, accept: Callable[[str, int], Effects]) -> None:
        self._item = replace(item, typing=Typing.TEXT)
        self._accept = accept
        super().__init__(title, self._choices)

    def _choices(self) -> Sequence[Choice]:
        return (Choice(self._item, self._take, write=self._write),)

    def _take(self, now_ms: int) -> Effects:
        return self._accept(self._item.value, now_ms)

    def _write(self, text: str) -> Effects:
        self._item = replace(self._item, value=text[:LONGEST_NAME])
        return NO_EFFECTS


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdecimal() else ""


_TYPEABLE: Final[Mapping[Typing, Callable[[str], str]]] = {
    Typing.NOTHING: lambda _text: "",
    Typing.DIGITS: _digits,
    Typing.TEXT: typeable,
}


def _keys(choice: Choice) -> Sequence[tuple[str, str]]:
    """Say what can be done with the selected item."""
    if choice.item.typing is Typing.TEXT:
        return messages.KEYS_FIELD
    if choice.item.typing is Typing.DIGITS:
        return messages.KEYS_NUMBER
    if choice.drop is not None:
        return messages.KEYS_DROP
    return messages.KEYS_MENU if choice.turn is None else messages.KEYS_SETTINGS


class Page:
    """Lines to read."""

    def __init__(self, title: str, lines: Sequence[str | Listing]) -> None:
        self.title = title
        self.lines = lines
        self.first_line = 0

    def step(self, rows: int) -> None:
        """Scroll; where the end is depends on the screen, which then says how far it went."""
        self.first_line = max(0, self.first_line + rows)

    def model(self, message: Message) -> PageScreen:
        return PageScreen(self.title, self.lines, self.first_line, message, messages.KEYS_PAGE)


Layer: TypeAlias = Menu | Page
