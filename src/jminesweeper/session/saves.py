"""Saved games: saved by key or by name, listed, loaded, deleted; and games given up for others.

A menu row that ends the running game asks first, if the player would lose something. A packet (TAB,
START, LOAD) does not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from enum import Enum, auto
from functools import partial
from itertools import count
from typing import Any, Final

from jminesweeper.protocol.packets import Drop, Load, Save
from jminesweeper.screen.models import MenuItem, Tone
from jminesweeper.screen.text import format_clock
from jminesweeper.session import messages
from jminesweeper.session.config import day_of
from jminesweeper.session.keeping import AUTOMATIC_SAVES, is_still_unfinished, store_asides
from jminesweeper.session.match import Match
from jminesweeper.session.menus import Menu, Pick, Row, TextField
from jminesweeper.session.names import printable
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Question, Rebuild
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow, Layer
from jminesweeper.store import (
    MAX_SAVES,
    DropSave,
    FindSave,
    ListSaves,
    PutSave,
    RunningGame,
    SaveLabel,
    StoreError,
    StoreLimitError,
)

UNNAMED_SAVE: Final = "quick save"

MOST_NAMED_SAVES: Final = MAX_SAVES - len(AUTOMATIC_SAVES)

QUICK_LOG_BYTES: Final = 8_000
"""A log up to this length is replayed at once. A longer one would delay other players."""


class Consent(Enum):
    """A player's answer to a question."""

    YES = auto()
    SAVE_FIRST = auto()
    NO = auto()


# From packets


def save(player: Player, packet: Save) -> None:
    """Save the match under a name, replacing an earlier save of that name."""
    name = printable(packet.name) or UNNAMED_SAVE
    if name in AUTOMATIC_SAVES:
        player.warn(messages.AUTOMATIC_NAME)
    else:
        player.begin_talk(_save_as(player, name))


def load(player: Player, packet: Load) -> None:
    """Load a saved game without asking, or list the saved games."""
    if not player.lease.player:
        player.warn(messages.NO_KEY)
    elif packet.name:
        player.begin_talk(_load(player, printable(packet.name)))
    else:
        player.begin_talk(choose_save(player))


def drop(player: Player, packet: Drop) -> None:
    """Delete the saved game that was named."""
    if not player.lease.player:
        player.warn(messages.NO_KEY)
    elif isinstance(player.talks.layer, SaveList):
        player.answer_talk(Pick(printable(packet.name), is_drop=True, is_sure=True))
    else:
        player.begin_talk(_delete(player, printable(packet.name)))


# Saving


def save_by_name(player: Player) -> Flow:
    """Ask for a name, and save the match under it."""
    yield from _name_and_save(player)
    return STAY


def _name_and_save(player: Player) -> Flow:
    """Ask for a name, and save the match under it; return whether that was done."""
    if _savable(player) is None:
        return False
    labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
    taken = {label.name for label in labels}
    item = MenuItem("Name", _usual_name(player, taken), note=messages.NAME_A_SAVE)
    field = TextField("Save", item)
    while (pick := (yield field)) is not None:
        name = printable(pick.value)
        if not name:
            player.warn(messages.NO_NAME)
        elif name in AUTOMATIC_SAVES:
            player.warn(messages.AUTOMATIC_NAME)
        elif name in taken - {player.saved_as} and not (yield from _agree_to_replace()):
            continue
        elif (yield from _save_or_say(player, name)):
            return True
    return False


def _save_or_say(player: Player, name: str) -> Flow:
    """Save the match, or say why the store refuses; return whether that was done."""
    try:
        return (yield from _save_as(player, name))
    except StoreError as error:
        player.say(str(error), Tone.BAD)
        return False


def _savable(player: Player) -> Match | None:
    """Return the match that can be saved, or say why there is none."""
    if not player.lease.player:
        player.warn(messages.NO_KEY)
    elif player.match is None or player.match.is_over:
        player.warn(messages.NOTHING_TO_SAVE)
    else:
        return player.match
    return None


def _usual_name(player: Player, taken: set[str]) -> str:
    """Return the name the match was saved under, or a new one after its board."""
    if player.saved_as not in {"", UNNAMED_SAVE} or player.match is None:
        return player.saved_as
    label = player.match.variant.label
    names = (label if number == 1 else f"{label} {number}" for number in count(1))
    return next(name for name in names if name not in taken)


def _agree_to_replace() -> Flow:
    """Ask whether to replace another save."""
    answer = yield from ask(
        "This name is taken",
        ("Choose another name", Consent.NO, ""),
        ("Replace it", Consent.YES, messages.REPLACE_A_SAVE),
    )
    return answer is Consent.YES


def _save_as(player: Player, name: str) -> Flow:
    """Save the match under a name; return whether that was done."""
    match = _savable(player)
    if match is None:
        return False
    labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
    others = {label.name for label in labels} - {name, *AUTOMATIC_SAVES}
    if len(others) >= MOST_NAMED_SAVES:
        raise StoreLimitError(messages.too_many_saves(MOST_NAMED_SAVES))
    written = match.written(
        player.cursor, player.now_ms, player.config.epoch_ms(), is_paused=player.is_paused
    )
    at_s = player.config.seconds(player.now_ms)
    player.lease.introduce(player.now_ms)
    yield PutSave(player.lease.player, name, written, at_s, match.opened_share)
    player.note_saved(name)
    player.say(messages.saved(name), Tone.GOOD)
    return True


# Loading and deleting


class SaveList(Menu):
    """The saves to choose from."""

    def __init__(self, labels: Sequence[SaveLabel]) -> None:
        self._labels = labels
        super().__init__("Load", self._save_rows)

    def show(self, labels: Sequence[SaveLabel]) -> None:
        self._labels = labels
        self.refresh()

    def _save_rows(self) -> Sequence[Row]:
        return [_row(label) for label in self._labels]


def choose_save(player: Player) -> Flow:
    """List the saves to load or delete."""
    labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
    if not labels:
        player.warn(messages.NO_SAVES)
        return STAY
    menu = SaveList(labels)
    while (pick := (yield menu)) is not None:
        try:
            if not pick.is_drop:
                if (yield from give_up_for(player, partial(_load, player, pick.value))):
                    return LEAVE_MENUS
            elif pick.is_sure or (yield from _agree_to_delete(pick.value)):
                yield from _delete(player, pick.value)
            labels = yield ListSaves(player.lease.player)
        except StoreError as error:
            player.say(str(error), Tone.BAD)
            continue
        if not labels:
            return STAY
        menu.show(labels)
    return STAY


def _row(label: SaveLabel) -> Row:
    variant = label.variant
    clock = format_clock(label.clock_ms // 1000)
    share = f"{int(label.opened_share * 100)} %"
    figures = (variant.label, share, clock, day_of(label.saved_at_s).isoformat())
    note = f"{label.name}: {', '.join(figures)}"
    return Row(MenuItem(label.name, note=note, figures=figures), label.name, can_drop=True)


def _agree_to_delete(name: str) -> Flow:
    answer = yield from ask(
        f"Delete {name}?",
        ("Keep it", Consent.NO, ""),
        ("Delete it", Consent.YES, messages.DELETE_A_SAVE),
    )
    return answer is Consent.YES


def _delete(player: Player, name: str) -> Flow:
    if not (yield DropSave(player.lease.player, name)):
        player.warn(messages.NO_SUCH_SAVE)
        return STAY
    if player.saved_as == name:
        player.saved_as = ""
    player.say(messages.dropped(name), Tone.GOOD)
    return STAY


def _load(player: Player, name: str) -> Flow:
    """Continue a saved game in place of the running one."""
    kept: RunningGame | None = yield FindSave(player.lease.player, name)
    if kept is None:
        player.warn(messages.NO_SUCH_SAVE)
        return STAY
    match = yield from rebuild(player, kept)
    if match is None or match.is_over:
        player.warn(messages.UNREADABLE)
        return STAY
    is_same = name in AUTOMATIC_SAVES and (yield from is_still_unfinished(player, match))
    board = player.put_aside()
    yield from store_asides(player, free=name if is_same else "")
    if is_same:
        player.change_to(match, kept.cursor)
        player.say(messages.RESUMED)
        if not board or player.others.asides:
            # No other game was stored in its place.
            player.out.write(DropSave(player.lease.player, name))
    else:
        # The player may have seen more of this board after saving.
        match.play_as(match.variant.as_repeat())
        match.code = player.lease.new_code()
        player.change_to(match, kept.cursor)
        player.say(messages.LOADED)
        player.note_saved(name)
    if board:
        player.say(messages.kept_aside(board) if is_same else messages.loaded_beside(board))
    return LEAVE_MENUS


def rebuild(player: Player, kept: RunningGame) -> Generator[Question | Layer, Any, Match | None]:
    """Replay the log of a kept game; None if it cannot be read."""
    request = Rebuild(kept, player.config.epoch_ms())
    if len(kept.entries) <= QUICK_LOG_BYTES:
        return Match.rebuild(request)
    match: Match | None = yield request
    return match


# Giving up


def give_up_for(player: Player, act: Callable[[], Flow | None]) -> Flow:
    """Do something that ends the running game, once its player agrees."""
    while player.is_at_stake:
        answer = yield from _ask_to_give_up(player)
        if answer is None:
            return STAY
        if answer is Consent.NO:
            return LEAVE_MENUS
        if answer is Consent.YES or (yield from _name_and_save(player)):
            break
    player.has_given_up = True
    try:
        flow = act()
        return LEAVE_MENUS if flow is None else (yield from flow)
    finally:
        player.has_given_up = False


def _ask_to_give_up(player: Player) -> Generator[Question | Layer, Any, Consent | None]:
    can_save = bool(player.lease.player)
    saving = MenuItem("Save first", note=messages.LOAD_BRINGS_IT_BACK, is_enabled=can_save)
    rows = (
        Row(saving, Consent.SAVE_FIRST),
        Row(MenuItem("Give up", note=messages.GIVING_UP), Consent.YES),
        Row(MenuItem("Keep playing", note=messages.GOING_ON), Consent.NO),
    )
    pick = yield Menu("Give up this game?", rows, 0 if can_save else len(rows) - 1)
    answer: Consent | None = None if pick is None else pick.value
    return answer


def ask(
    title: str, *answers: tuple[str, Consent, str]
) -> Generator[Question | Layer, Any, Consent | None]:
    """Ask a question with a few answers, each with a note; None if the player goes back."""
    rows = [Row(MenuItem(label, note=note), answer) for label, answer, note in answers]
    pick = yield Menu(title, rows)
    answer: Consent | None = None if pick is None else pick.value
    return answer
