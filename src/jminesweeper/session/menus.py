"""Menus as tables: a row has its id, its text, its value, and what it does.

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

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import NamedTuple

from jminesweeper.protocol.view import RowKind
from jminesweeper.session.choosing import ChoiceError
from jminesweeper.session.player import Player
from jminesweeper.session.rights import Verb
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Chosen, Dialog, Flow, Menu, Row
from jminesweeper.store.errors import StoreError


class Option(NamedTuple):
    """A row of a menu, and what it does."""

    row: Row
    do: Callable[..., Flow | bool | None] = lambda: STAY
    """Called with the value that was typed or chosen, where the row has one."""
    drop: Callable[[], Flow] | None = None
    """Deletes what the row stands for, after asking."""
    drop_now: Callable[[], Flow] | None = None
    """Deletes it without asking."""


def option(
    player: Player,
    verb: Verb,
    label: str,
    do: Callable[[Player], Flow | bool | None],
    told: str = "",
    *,
    value: str = "",
) -> Option:
    """Make an option of a verb, dimmed while the player may not do that."""
    row = Row(verb, label, value, help=told, disabled=player.why_not(verb))
    return Option(row, partial(do, player))


def choose(
    player: Player,
    menu_id: str,
    title: str,
    list_options: Callable[[], Sequence[Option]],
    selected: str = "",
) -> Flow:
    """Do what the player picks, until that leads back to the board, or the player goes back."""
    options: dict[str, Option] = {}

    def list_rows() -> Sequence[Row]:
        options.clear()
        options.update((each.row.id, each) for each in list_options())
        return [each.row for each in options.values()]

    menu = Menu(menu_id, title, list_rows, selected)
    pick: Chosen | None
    while (pick := (yield menu)) is not None:
        row, do, drop, drop_now = options[pick.row]
        if pick.is_drop:
            do = (drop_now if pick.is_sure else drop) or Option(row).do
        has_value = row.kind is not RowKind.ROW and not pick.is_drop
        try:
            outcome = do(pick.value) if has_value else do()
            if isinstance(outcome, Generator):
                outcome = yield from outcome
        except ChoiceError as error:
            player.tell(error.said)
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
