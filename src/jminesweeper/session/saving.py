"""Saving the game at hand: in passing, or under a name that is typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from jminesweeper.screen import MenuItem, Tone
from jminesweeper.session import messages
from jminesweeper.session.effects import NO_EFFECTS, Effects
from jminesweeper.session.keeper import running_game
from jminesweeper.session.menus import Act, Field, Menu, question
from jminesweeper.session.names import printable
from jminesweeper.session.play import Play
from jminesweeper.session.seat import Seat
from jminesweeper.session.summary import shown_share
from jminesweeper.session.titles import with_share
from jminesweeper.store.ports import ListSaves, PutSave, RunningGame, SaveLabel

UNNAMED_SAVE: Final = "quick save"


def save(seat: Seat, name: str, now_ms: int) -> Effects:
    """Save the game at hand under a name, in place of what was saved under it."""
    play = _savable(seat)
    if play is None:
        return NO_EFFECTS
    name = printable(name) or UNNAMED_SAVE
    return _put(seat, play, name, lambda _now_ms: _tell(seat, name), now_ms)


def ask_name(seat: Seat, then: Act, _now_ms: int) -> Effects:
    """Let a name be typed, save the game under it, and go on with something."""
    play = _savable(seat)
    if play is None:
        return NO_EFFECTS

    def offer(saves: Sequence[SaveLabel], now_ms: int) -> Effects:
        naming = _Naming(seat, play, frozenset(label.name for label in saves), then)
        return seat.show(naming.field(), now_ms)

    return seat.look_up(ListSaves(seat.table.ledger.player), offer)


def stay(_now_ms: int) -> Effects:
    """Go on with nothing."""
    return NO_EFFECTS


def _savable(seat: Seat) -> Play | None:
    """Return the game that can be saved, or tell why there is none."""
    play = seat.table.play
    if not seat.table.ledger.player:
        seat.warn(messages.NO_KEY)
    elif play is None or play.is_over:
        seat.warn(messages.NOTHING_TO_SAVE)
    else:
        return play
    return None


@dataclass(frozen=True, slots=True)
class _Naming:
    """A game that is to be saved under a name that is being typed, and what comes after that."""

    seat: Seat
    play: Play
    taken: frozenset[str]
    then: Act

    def field(self) -> Menu:
        item = MenuItem("Name", self._usual_name(), note="Type another name, or take this one.")
        return Field("Save", item, self._accept)

    def _usual_name(self) -> str:
        """Return the name the game was saved under, or a new one that says what is played."""
        if self.play.saved_as not in {"", UNNAMED_SAVE}:
            return self.play.saved_as
        label = self.play.label
        names = (label if number == 1 else f"{label} {number}" for number in count(1))
        return next(name for name in names if name not in self.taken)

    def _accept(self, text: str, now_ms: int) -> Effects:
        name = printable(text)
        if not name:
            return self.seat.warn(messages.NO_NAME)
        if name in self.taken - {self.play.saved_as}:
            return self.seat.show(self._ask_to_replace(name), now_ms)
        return self._keep(name, now_ms)

    def _ask_to_replace(self, name: str) -> Menu:
        return question(
            "This name is taken",
            "Choose another name",
            MenuItem("Replace it", note="What was saved under it is lost."),
            self.seat.navigator.back,
            lambda now_ms: self._keep(name, now_ms),
        )

    def _keep(self, name: str, now_ms: int) -> Effects:
        return _put(self.seat, self.play, name, lambda now: self._leave(name, now), now_ms)

    def _leave(self, name: str, now_ms: int) -> Effects:
        closing = self.seat.navigator.back(now_ms)
        return (*closing, *_tell(self.seat, name), *self.then(now_ms))


def _put(seat: Seat, play: Play, name: str, then: Act, now_ms: int) -> Effects:
    """Save a game, and go on once that is done."""

    def go_on(_answer: None, now_ms: int) -> Effects:
        play.note_saved(name)
        return then(now_ms)

    operation = PutSave(
        seat.table.ledger.player, name, _written(play, now_ms), seat.config.seconds(now_ms)
    )
    return seat.look_up(operation, go_on)


def _tell(seat: Seat, name: str) -> Effects:
    seat.table.say(messages.saved(name), Tone.GOOD)
    return NO_EFFECTS


def _written(play: Play, now_ms: int) -> RunningGame:
    """Write a game down with how far it is: who lists saves does not read their logs."""
    game = running_game(play, now_ms)
    return replace(game, header=with_share(game.header, shown_share(play.game)))
