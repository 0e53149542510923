"""The games that a player has saved: listed, loaded and forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from jminesweeper.screen import MenuItem, Tone
from jminesweeper.session import messages
from jminesweeper.session.effects import NO_EFFECTS, Effects
from jminesweeper.session.giving_up import ask_before
from jminesweeper.session.menus import Choice, Menu, question
from jminesweeper.session.names import printable
from jminesweeper.session.play import Play
from jminesweeper.session.seat import Seat
from jminesweeper.session.titles import label_in, share_of
from jminesweeper.store.ports import DropSave, FindSave, ListSaves, RunningGame, SaveLabel


class SaveList(Menu):
    """The saves to choose from."""

    def __init__(self, seat: Seat, labels: Sequence[SaveLabel]) -> None:
        choices = [_choice(seat, label) for label in labels]
        super().__init__("Load", lambda: choices)


def load(seat: Seat, name: str, now_ms: int) -> Effects:
    """Load a saved game, whatever runs, or offer those there are."""
    if not seat.table.ledger.player:
        return seat.warn(messages.NO_KEY)
    return _take(seat, printable(name)) if name else offer(seat, now_ms)


def offer(seat: Seat, _now_ms: int) -> Effects:
    """Show what there is to load."""

    def show(labels: Sequence[SaveLabel], now_ms: int) -> Effects:
        if not labels:
            return seat.warn(messages.NO_SAVES)
        return seat.show(SaveList(seat, labels), now_ms)

    return seat.look_up(ListSaves(seat.table.ledger.player), show)


def drop(seat: Seat, name: str) -> Effects:
    """Forget the saved game that was named."""
    if not seat.table.ledger.player:
        return seat.warn(messages.NO_KEY)
    return _forget(seat, printable(name))


def _forget(seat: Seat, name: str) -> Effects:
    """Forget a saved game by the name it is stored under."""

    def tell(was_there: bool, _now_ms: int) -> Effects:
        if not was_there:
            return _list_anew(seat, messages.NO_SUCH_SAVE, Tone.WARNING)
        if seat.table.play is not None:
            seat.table.play.note_dropped(name)
        return _list_anew(seat, messages.dropped(name), Tone.GOOD)

    return seat.look_up(DropSave(seat.table.ledger.player, name), tell)


def _choice(seat: Seat, label: SaveLabel) -> Choice:
    figures = _figures(seat, label)
    told = ", ".join(figure for figure in figures if figure)
    return Choice(
        MenuItem(label.name, note=f"{label.name}: {told}", figures=figures),
        lambda now_ms: ask_before(seat, lambda _now: _take(seat, label.name), now_ms),
        drop=lambda now_ms: seat.show(_ask_to_drop(seat, label.name), now_ms),
    )


def _figures(seat: Seat, label: SaveLabel) -> Sequence[str]:
    """Tell a save's board, how far it is, its clock and its day."""
    clock, day = messages.clock(label.clock_ms // 1000), seat.config.date(label.saved_at_s)
    return label_in(label.header), share_of(label.header), clock, day


def _ask_to_drop(seat: Seat, name: str) -> Menu:
    return question(
        f"Delete {name}?",
        "Keep it",
        MenuItem("Delete it", note="It cannot be brought back."),
        seat.navigator.back,
        lambda _now_ms: _forget(seat, name),
    )


def _take(seat: Seat, name: str) -> Effects:
    """Go on with a saved game in place of the one that runs."""

    def take(kept: RunningGame | None, now_ms: int) -> Effects:
        if kept is None:
            return _list_anew(seat, messages.NO_SUCH_SAVE, Tone.WARNING)
        return seat.rebuild(kept, go_on, now_ms)

    def go_on(play: Play | None, now_ms: int) -> Effects:
        if play is None or play.is_over:
            return seat.warn(messages.UNREADABLE)
        seat.navigator.layers.clear()
        effects = seat.table.load(play, now_ms)
        play.note_saved(name)
        return effects

    return seat.look_up(FindSave(seat.table.ledger.player, name), take)


def _list_anew(seat: Seat, text: str, tone: Tone) -> Effects:
    """Say something, and bring the list up to date if it is there."""
    shown = seat.navigator.top
    if not isinstance(shown, SaveList):
        seat.table.say(text, tone)
        return NO_EFFECTS

    def show(labels: Sequence[SaveLabel], now_ms: int) -> Effects:
        if labels:
            menu = SaveList(seat, labels)
            menu.select(min(shown.selected, len(labels) - 1))
            seat.navigator.replace(menu)
            effects = NO_EFFECTS
        else:
            effects = seat.navigator.back(now_ms)
        seat.table.say(text, tone)
        return effects

    return seat.look_up(ListSaves(seat.table.ledger.player), show)
