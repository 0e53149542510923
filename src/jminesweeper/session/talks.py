"""Dialogs with a player, as generators.

What needs an answer before it can continue is a generator that yields what it asks: an operation
of the store, a question to a worker, or a layer for the player to pick from. It gets the answer as
the value of the `yield`. An error of the store is raised there; uncaught, it ends the
dialog and is shown to the player.

    def save_game(player: Player, name: str) -> Flow:
        yield from save(...)
        player.say("saved", name=name)
        return LEAVE_MENUS

Dialogs form a stack: help asked for within a menu covers the menu. One that ends with
LEAVE_MENUS ends all others, and the game continues.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final, TypeAlias

from jminesweeper.session.menus import Layer
from jminesweeper.session.reply import Outbound, Question
from jminesweeper.store.errors import StoreError

Flow: TypeAlias = Generator[Question | Layer, Any, bool]
"""A dialog; its result says whether the menus are left."""

LEAVE_MENUS: Final = True
STAY: Final = False


class Talk:
    """A dialog, and the layer it shows, if any."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.layer: Layer | None = None
        self.is_running = False


class Talks:
    """The open dialogs of one player, the latest last."""

    def __init__(self, out: Outbound) -> None:
        self._out = out
        self.stack: list[Talk] = []

    @property
    def layer(self) -> Layer | None:
        """What is shown over the board."""
        if not self.stack:
            return None
        return next((talk.layer for talk in reversed(self.stack) if talk.layer), None)

    def begin(self, flow: Flow) -> StoreError | None:
        """Begin a dialog on top of the others."""
        self.stack.append(Talk(flow))
        return self.answer(None)

    def answer(self, answer: object) -> StoreError | None:
        """Continue the topmost dialog; return the store's error if one ended it."""
        talk = self.stack[-1]
        talk.is_running = True
        try:
            if isinstance(answer, StoreError):
                asked = talk.flow.throw(answer)
            else:
                asked = talk.flow.send(answer)
        except StopIteration as end:
            self.stack.remove(talk)
            if end.value:
                self.close()
        except StoreError as error:
            self.stack.remove(talk)
            return error
        else:
            if isinstance(asked, Layer):
                talk.layer = asked
            else:
                self._out.question = asked
        finally:
            talk.is_running = False
        return None

    def close(self) -> None:
        """End all dialogs, except one that is running now: that one loses its layer."""
        if not self.stack:
            return
        going_on = [talk for talk in self.stack if talk.is_running]
        for talk in self.stack:
            talk.layer = None
            if not talk.is_running:
                talk.flow.close()
        self.stack[:] = going_on
