"""Dialogs with a player, as generators.

An action that needs an answer before it can continue is a generator. It yields its question: an
operation of the store, a question to a worker, a wish to a room, or a layer for the player to pick
from. The answer is the value of the `yield`. An error of the store is raised there; uncaught, it
ends the dialog and is shown to the player. A room's refusal is raised there, too, and must be
caught.

    def save_game(player: Player, name: str) -> Flow:
        yield from save(...)
        player.say("saved", name=name)
        return LEAVE_MENUS

Dialogs form a stack: help asked for within a menu covers the menu. One that ends with
LEAVE_MENUS ends all others, and the game continues.

Menus are tables: a row has its id, its text, its value, and what it does.

    def _options(player: Player) -> Sequence[Option]:
        return (
            option(player, Verb.SCORES, "Best times", show_leaderboards, "Of everybody."),
            Option(Row("name", "Name", player.account.name, RowKind.TEXT), partial(rename, player)),
        )

`choose` is the one loop over what a player picks. A row does something at once, or by a dialog; a
true result leads back to the board, out of all menus. What the store or a setup refuses is said,
and the menu stays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from jminesweeper.protocol.view import Listing, RowKind
from jminesweeper.records.rooms import RoomError
from jminesweeper.session.messages import ChoiceError, typeable
from jminesweeper.session.picture import Picture, Scene
from jminesweeper.session.reply import Outbound, Question
from jminesweeper.session.rights import RIGHTS, Mode, Verb
from jminesweeper.store.port import StoreError

if TYPE_CHECKING:
    from jminesweeper.session.player import Player


class Row(NamedTuple):
    """A row of a menu."""

    id: str
    label: str
    value: str = ""
    """Shown at the right; what a choice, a number or a text is now."""
    kind: RowKind = RowKind.ROW
    choices: tuple[str, ...] = ()
    range: tuple[int, int] | None = None
    """The least and the most of a number; for a text, of its characters."""
    help: str = ""
    figures: tuple[str, ...] = ()
    """More values, in columns with those of the other rows."""
    disabled: str = ""
    """The reason why it cannot be picked, if it cannot."""
    can_drop: bool = False
    other: str = ""
    """The other thing that can be done with it, as a front end knows it: `watch`."""

    def read(self, typed: str) -> str | None:
        """Return the value that a player gives the row, or None if it takes no such value."""
        match self.kind:
            case RowKind.CHOICE:
                return typed if typed in self.choices else None
            case RowKind.NUMBER if self.range is not None and typed.isascii() and typed.isdecimal():
                least, most = self.range
                return str(min(max(int(typed), least), most))
            case RowKind.TEXT:
                return typeable(typed)
            case RowKind.ROW:
                return ""
            case _:
                return None


class Chosen(NamedTuple):
    """A player's choice of a row."""

    row: str
    value: str = ""
    is_drop: bool = False
    is_other: bool = False
    """The other thing of the row is wanted."""
    is_sure: bool = False
    """The player need not be asked again."""


AGAIN: Final = Chosen("")
"""The player's client looks again after `Menu.asks_again_ms`."""


class SessionLayer(ABC):
    """A cover of the board: a menu, a page, a replay, a puzzle or a watched game."""

    leaves_game = False
    """The game under it stays as it is, but for the clock and the others in a room."""

    is_live = False
    """It shows what others do, as they do it."""

    @property
    def is_stale(self) -> bool:
        """True if a live one has changed since it was shown."""
        return False

    def scene(self, _player: Player) -> Scene | None:
        """Return the scene that all who see the layer share, if they do."""
        return None

    @abstractmethod
    def describe(self, player: Player) -> Picture:
        """Describe the screen while the layer is on top."""


class Menu(SessionLayer):
    """A list of rows, perhaps with what each does.

    Rows that can change are given as a function, which makes them again.
    """

    leaves_game = True

    def __init__(
        self,
        menu_id: str,
        title: str,
        rows: Iterable[Row | Option] | Callable[[], Iterable[Row | Option]],
        selected: str = "",
        *,
        asks_again_ms: int | None = None,
    ) -> None:
        self.id = menu_id
        self.title = title
        self.selected = selected
        """The row to begin at, such as the one picked last; if empty, the first one."""
        self.asks_again_ms = asks_again_ms
        """After what time a client should look again; more may be known then."""
        self._make_rows = rows if callable(rows) else lambda: rows
        self.rows: tuple[Row, ...] = ()
        self.options: tuple[Option, ...] = ()

    def refresh(self) -> None:
        """Make the rows again; done whenever a dialog shows the menu."""
        self.options = tuple(
            each if isinstance(each, Option) else Option(each) for each in self._make_rows()
        )
        self.rows = tuple(each.row for each in self.options)

    def describe(self, player: Player) -> Picture:
        keys = RIGHTS[Mode.SAVES if self.id == Verb.SAVES else Mode.MENU].offers
        own = {"page": None, "message": player.message, "keys": keys, "refresh": self.asks_again_ms}
        return Picture(own, menu=self)

    def pick(self, row_id: str) -> Row | None:
        """Return this row, if it can be picked; the menu begins there when it is opened again."""
        for row in self.rows:
            if row.id == row_id and not row.disabled:
                self.selected = row_id
                return row
        return None


class Page(SessionLayer):
    """Lines to read."""

    leaves_game = True
    mode = Mode.PAGE

    def __init__(self, page_id: str, title: str, lines: Sequence[str | Listing]) -> None:
        self.id = page_id
        self.title = title
        self.lines = tuple(lines)

    def describe(self, player: Player) -> Picture:
        keys = RIGHTS[self.mode].offers
        return Picture({"page": self, "message": player.message, "keys": keys, "refresh": None})


Result = TypeVar("Result")
Dialog: TypeAlias = Generator[Question | SessionLayer, Any, Result]
"""A part of a dialog with a player, and what it comes to."""
Flow: TypeAlias = Dialog[bool]
"""A dialog; its result says whether the menus are left."""

MOST_OPEN: Final = 12
"""Dialogs on top of each other. People open three or four, and programs might for ever."""
LEAVE_MENUS: Final = True
STAY: Final = False


@dataclass(eq=False, slots=True)
class Talk:
    """A dialog, and the layer it shows, if any."""

    flow: Flow
    layer: SessionLayer | None = None
    is_running: bool = False


@dataclass(eq=False, slots=True)
class Talks:
    """The open dialogs of one player, the latest last."""

    _out: Outbound
    _tell: Callable[[str], object]
    """Says why the store has ended a dialog."""
    stack: list[Talk] = field(default_factory=list)
    layer: SessionLayer | None = None
    """The layer over the board."""

    def begin(self, flow: Flow) -> None:
        """Begin a dialog on top of the others; in place of them, where there are too many."""
        if len(self.stack) >= MOST_OPEN:
            self.close()
        self.stack.append(Talk(flow))
        self.answer(None)

    def answer(self, answer: object) -> None:
        """Continue the topmost dialog; the store's error may end it."""
        talk = self.stack[-1]
        talk.is_running = True
        try:
            if isinstance(answer, StoreError | RoomError):
                asked = talk.flow.throw(answer)
            else:
                asked = talk.flow.send(answer)
        except StopIteration as end:
            self.stack.remove(talk)
            if end.value:
                self.close()
        except StoreError as error:
            self.stack.remove(talk)
            self._tell(str(error))
        else:
            if isinstance(asked, SessionLayer):
                if isinstance(asked, Menu):
                    asked.refresh()
                talk.layer = asked
            else:
                self._out.question = asked
        finally:
            talk.is_running = False
            self.layer = next((talk.layer for talk in reversed(self.stack) if talk.layer), None)

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
        self.layer = None


# Menus as tables


class Option(NamedTuple):
    """A row of a menu, and what it does."""

    row: Row
    do: Callable[..., Flow | bool | None] = lambda: STAY
    """Called with the value that was typed or chosen, where the row has one."""
    drop: Callable[[], Flow] | None = None
    """Deletes what the row stands for, after asking."""
    drop_now: Callable[[], Flow] | None = None
    """Deletes it without asking."""
    takes_player: bool = False
    """`do` is called with the player, so that the menus of all players share the option."""


def option(
    player: Player,
    verb: Verb,
    label: str,
    do: Callable[[Player], Flow | bool | None],
    help_text: str = "",
    *,
    value: str = "",
) -> Option:
    """Make an option of a verb, dimmed while the player may not do that."""
    row = Row(verb, label, value, help=help_text, disabled=player.refusal(verb).text)
    return _shared_option(row, do)


# All who come see the main menu: rows and options of their own took 3 KiB for each.
_shared_option: Final = lru_cache(maxsize=1_024)(partial(Option, takes_player=True))


def choose(
    player: Player,
    menu_id: str,
    title: str,
    list_options: Callable[[], Iterable[Option]],
    selected: str = "",
) -> Flow:
    """Carry out the player's picks, until one leads back to the board, or the player goes back."""
    menu = Menu(menu_id, title, list_options, selected)
    pick: Chosen | None
    while (pick := (yield menu)) is not None:
        picked = next(each for each in menu.options if each.row.id == pick.row)
        do, given = picked.do, (player,) if picked.takes_player else ()
        if pick.is_drop:
            do = (picked.drop_now if pick.is_sure else picked.drop) or Option(picked.row).do
        elif picked.row.kind is not RowKind.ROW:
            given = (pick.value,)
        try:
            outcome = do(*given)
            if isinstance(outcome, Generator):
                outcome = yield from outcome
        except ChoiceError as error:
            player.message = error.said
        except StoreError as error:
            player.say("store", text=str(error))
        else:
            if outcome:
                return LEAVE_MENUS
    return STAY


def ask(menu_id: str, title: str, *answers: Row, selected: str = "") -> Dialog[str]:
    """Ask a question with a few answers; return the row's id, empty if the player goes back."""
    pick: Chosen | None = yield Menu(menu_id, title, answers, selected)
    return "" if pick is None else pick.row
