"""Saved games: saved by key or by name, listed, loaded, deleted; and games given up for others.

A menu row that ends the running game asks first, if the player would lose something. A packet (TAB,
START, LOAD) does not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import count
from typing import Any, Final

from jminesweeper.protocol.packets import Drop, Load, Save
from jminesweeper.session.config import day_of
from jminesweeper.session.figures import format_clock
from jminesweeper.session.keeping import AUTOMATIC_SAVES, is_still_unfinished, store_asides
from jminesweeper.session.match import Match
from jminesweeper.session.menus import TEXT, Layer, Menu, Pick, Row
from jminesweeper.session.names import LONGEST_NAME, printable
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Question, Rebuild
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow
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


_IS_SAVE: Final = "="
"""Stands before the name of a save in the id of its row."""


# From packets


def save(player: Player, packet: Save) -> None:
    """Save the match under a name, replacing an earlier save of that name."""
    name = printable(packet.name) or UNNAMED_SAVE
    if name in AUTOMATIC_SAVES:
        player.say("name.automatic")
    else:
        player.begin_talk(_save_as(player, name))


def load(player: Player, packet: Load) -> None:
    """Load a saved game without asking."""
    if not player.lease.player:
        player.say("unknown")
    else:
        player.begin_talk(_load(player, printable(packet.name) or UNNAMED_SAVE))


def drop(player: Player, packet: Drop) -> None:
    """Delete the saved game that was named."""
    name, layer = printable(packet.name), player.talks.layer
    if not player.lease.player:
        player.say("unknown")
    elif isinstance(layer, Menu) and layer.id == "saves":
        player.answer_talk(Pick(_IS_SAVE + name, is_drop=True, is_sure=True))
    else:
        player.begin_talk(_delete(player, name))


# Saving


def _name_and_save(player: Player) -> Flow:
    """Ask for a name, and save the match under it; return whether that was done."""
    if _savable(player) is None:
        return False
    labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
    taken = {label.name for label in labels}
    usual = _usual_name(player, taken)
    menu = Menu("save", "Save", (Row("name", "Name", usual, TEXT, range=(1, LONGEST_NAME)),))
    while (pick := (yield menu)) is not None:
        name = printable(pick.value)
        if not name:
            player.say("name.none")
        elif name in AUTOMATIC_SAVES:
            player.say("name.automatic")
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
        player.say("store", text=str(error))
        return False


def _savable(player: Player) -> Match | None:
    """Return the match that can be saved, or say why there is none."""
    if not player.lease.player:
        player.say("unknown")
    elif player.match is None or player.match.is_over:
        player.say("save.none")
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
        "replace",
        "This name is taken",
        Row("no", "Choose another name"),
        Row("yes", "Replace it", help="Overwrites the game saved under this name."),
    )
    return answer == "yes"


def _save_as(player: Player, name: str) -> Flow:
    """Save the match under a name; return whether that was done."""
    match = _savable(player)
    if match is None:
        return False
    labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
    others = {label.name for label in labels} - {name, *AUTOMATIC_SAVES}
    if len(others) >= MOST_NAMED_SAVES:
        raise StoreLimitError(f"You have {MOST_NAMED_SAVES} saved games; delete one first.")
    written = match.written(
        player.cursor, player.now_ms, player.config.epoch_ms(), is_paused=player.is_paused
    )
    at_s = player.config.seconds(player.now_ms)
    player.lease.introduce(player.now_ms)
    yield PutSave(player.lease.player, name, written, at_s, match.opened_share)
    player.note_saved(name)
    player.say("saved", name=name)
    return True


# Loading and deleting


def choose_save(player: Player) -> Flow:
    """List the saves to load or delete, and offer to save the match."""
    if not player.lease.player:
        player.say("unknown")
        return STAY
    labels: Sequence[SaveLabel] = yield ListSaves(player.lease.player)
    menu = Menu("saves", "Saves", lambda: _rows(player, labels))
    while (pick := (yield menu)) is not None:
        menu.selected, name = pick.row, pick.row.removeprefix(_IS_SAVE)
        try:
            if pick.row == "save":
                yield from _name_and_save(player)
            elif not pick.is_drop:
                if (yield from give_up_for(player, partial(_load, player, name))):
                    return LEAVE_MENUS
            elif pick.is_sure or (yield from _agree_to_delete(name)):
                yield from _delete(player, name)
            labels = yield ListSaves(player.lease.player)
        except StoreError as error:
            player.say("store", text=str(error))
        menu.refresh()
    return STAY


def _rows(player: Player, labels: Sequence[SaveLabel]) -> Sequence[Row]:
    is_running = player.match is not None and not player.match.is_over
    save = Row("save", "Save this game", disabled="" if is_running else "There is no game to save.")
    return [save, *map(_row, labels)]


def _row(label: SaveLabel) -> Row:
    variant = label.variant
    clock = format_clock(label.clock_ms // 1000)
    share = f"{int(label.opened_share * 100)} %"
    figures = (variant.label, share, clock, day_of(label.saved_at_s).isoformat())
    told = f"{label.name}: {', '.join(figures)}"
    return Row(_IS_SAVE + label.name, label.name, help=told, figures=figures, can_drop=True)


def _agree_to_delete(name: str) -> Flow:
    answer = yield from ask(
        "delete",
        f"Delete {name}?",
        Row("no", "Keep it"),
        Row("yes", "Delete it", help="This cannot be undone."),
    )
    return answer == "yes"


def _delete(player: Player, name: str) -> Flow:
    if not (yield DropSave(player.lease.player, name)):
        player.say("save.unknown")
        return STAY
    if player.saved_as == name:
        player.saved_as = ""
    player.say("dropped", name=name)
    return STAY


def _load(player: Player, name: str) -> Flow:
    """Continue a saved game in place of the running one."""
    kept: RunningGame | None = yield FindSave(player.lease.player, name)
    if kept is None:
        player.say("save.unknown")
        return STAY
    match = yield from rebuild(player, kept)
    if match is None or match.is_over:
        player.say("unreadable")
        return STAY
    is_same = name in AUTOMATIC_SAVES and (yield from is_still_unfinished(player, match))
    board = player.put_aside()
    yield from store_asides(player, free=name if is_same else "")
    if is_same:
        player.change_to(match, kept.cursor)
        player.say("resumed")
        if not board or player.others.asides:
            # No other game was stored in its place.
            player.out.write(DropSave(player.lease.player, name))
    else:
        # The player may have seen more of this board after saving.
        match.play_as(match.variant.as_repeat())
        match.code = player.lease.new_code()
        player.change_to(match, kept.cursor)
        player.say("loaded")
        player.note_saved(name)
    if board:
        player.say("kept" if is_same else "loaded.beside", board=board)
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
        if not answer:
            return STAY
        if answer == "no":
            return LEAVE_MENUS
        if answer == "yes" or (yield from _name_and_save(player)):
            break
    player.has_given_up = True
    try:
        flow = act()
        return LEAVE_MENUS if flow is None else (yield from flow)
    finally:
        player.has_given_up = False


def _ask_to_give_up(player: Player) -> Generator[Question | Layer, Any, str]:
    unknown = "" if player.lease.player else "The server does not know you."
    return ask(
        "give_up",
        "Give up this game?",
        Row("save", "Save first", help="You can load it later.", disabled=unknown),
        Row("yes", "Give up", help="The game ends and counts as given up."),
        Row("no", "Keep playing", help="The game continues."),
        selected="no" if unknown else "save",
    )


def ask(
    menu_id: str, title: str, *answers: Row, selected: str = ""
) -> Generator[Question | Layer, Any, str]:
    """Ask a question with a few answers; return the row's id, empty if the player goes back."""
    pick: Pick | None = yield Menu(menu_id, title, answers, selected)
    return "" if pick is None else pick.row
