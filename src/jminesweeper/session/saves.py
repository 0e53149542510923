"""Saved games: saved by key or by name, listed, loaded, deleted; and games given up for others.

A menu row that ends the running game asks first, if the player would lose something. A packet (TAB,
START, LOAD) does not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Final

from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.protocol.packets import Drop, Load, Save
from jminesweeper.protocol.view import RowKind
from jminesweeper.records import games
from jminesweeper.records.documents import Label, Note
from jminesweeper.records.journal import Journal, State
from jminesweeper.records.keys import game_code
from jminesweeper.records.limits import AUTOMATIC_SAVES
from jminesweeper.records.players import open_game
from jminesweeper.records.results import withdraw_end
from jminesweeper.session.messages import LONGEST_NAME, day_of, format_clock, printable
from jminesweeper.session.opening import match_of, rebuild
from jminesweeper.session.player import Player
from jminesweeper.session.rights import Verb
from jminesweeper.session.talks import (
    LEAVE_MENUS,
    STAY,
    Chosen,
    Dialog,
    Flow,
    Menu,
    Option,
    Row,
    ask,
    choose,
    option,
)

UNNAMED_SAVE: Final = "quick save"

_IS_SAVE: Final = "="
"""Stands before the name of a save in the id of its row."""


# From packets


def save(player: Player, packet: Save) -> None:
    """Save the match under a name, replacing an earlier save of that name."""
    name = printable(packet.name) or UNNAMED_SAVE
    player.talks.begin(_save_as(player, name, name))


def load(player: Player, packet: Load) -> None:
    """Load a saved game without asking."""
    player.talks.begin(_load(player, printable(packet.name) or UNNAMED_SAVE))


def drop(player: Player, packet: Drop) -> None:
    """Delete the saved game that was named."""
    name, layer = printable(packet.name), player.talks.layer
    if isinstance(layer, Menu) and layer.id == "saves":
        player.talks.answer(Chosen(_IS_SAVE + name, is_drop=True, is_sure=True))
    else:
        player.talks.begin(_delete(player, name))


# Saving


def _name_and_save(player: Player) -> Flow:
    """Ask for a name, and save the match under it."""
    why, seat = player.refusal(Verb.SAVE), player.seat
    if why.id or seat is None:
        player.message = why
        return STAY
    usual, taken = seat.saved_as, player.account.held.document.saves
    if usual in {"", UNNAMED_SAVE}:
        # A new one after the board.
        label = seat.match.game.setup.variant.label
        names = (label if number == 1 else f"{label} {number}" for number in count(1))
        usual = next(name for name in names if name not in taken)
    row = Row("name", "Name", usual, RowKind.TEXT, range=(1, LONGEST_NAME))
    options = (Option(row, partial(_save_as, player, seat.saved_as)),)
    yield from choose(player, "save", "Save", lambda: options)
    return STAY


def _save_as(player: Player, own: str, typed: str) -> Flow:
    """Save the match under a name; return True if that was done.

    If the name is taken, and not by `own`, the save of this match, the player is asked first.
    """
    name, taken = printable(typed), player.account.held.document.saves
    if not name or name in AUTOMATIC_SAVES:
        player.say("name.automatic" if name else "name.none")
        return False
    # Another device may take a free name meanwhile.
    may_replace = name == own or name in taken
    if name != own and name in taken:
        answer = yield from ask(
            "replace",
            "This name is taken",
            Row("no", "Choose another name"),
            Row("yes", "Replace it", help="Overwrites the game saved under this name."),
        )
        if answer != "yes":
            return False
    why, seat = player.refusal(Verb.SAVE), player.seat
    if why.id or seat is None:
        player.message = why
        return False
    held, match, journal = player.account.held, seat.match, seat.match.journal
    if isinstance(journal, Journal) and journal.state is State.NEW and not journal.length:
        yield from player.account.put_aside_all()
        begun = games.begin(held, match.code, journal.document, b"", player.now_s)
        journal.note_made((yield from begun))
    yield from match.wait_until_stored()
    label = match.label(seat.note(player.now_ms), player.now_s)
    # Another device may have acted since.
    label = label._replace(length=min(label.length, journal.stored))
    if not (yield from games.save(held, name, label, player.now_s, may_replace=may_replace)):
        player.say("save.none")
        return False
    seat.saved_as, seat.saved_entries = name, label.length
    player.say("saved", name=name)
    return True


# Loading and deleting


def choose_save(player: Player) -> Flow:
    """List the saves to load or delete, and offer to save the match."""
    # A game that was just replaced here is listed as well, and what another device has saved.
    yield from player.account.put_aside_all()
    yield from player.account.held.refresh()
    return (yield from choose(player, "saves", "Saves", partial(_options, player)))


def _options(player: Player) -> Sequence[Option]:
    options = [option(player, Verb.SAVE, "Save this game", _name_and_save)]
    saves = player.account.held.document.saves.items()
    for name, label in sorted(saves, key=lambda save: (-save[1].saved_at_s, save[0])):
        clock, share = format_clock(label.clock_ms // 1000), f"{int(label.opened_share * 100)} %"
        figures = (label.variant.label, share, clock, day_of(label.saved_at_s).isoformat())
        told = f"{name}: {', '.join(figures)}"
        options.append(
            Option(
                Row(_IS_SAVE + name, name, help=told, figures=figures, can_drop=True),
                partial(give_up_for, player, partial(_load, player, name)),
                partial(_delete, player, name, is_sure=False),
                partial(_delete, player, name),
            )
        )
    return options


def _delete(player: Player, name: str, *, is_sure: bool = True) -> Flow:
    """Delete a save; ask before, unless the player is sure."""
    held = player.account.held
    answer = "yes"
    if not is_sure:
        answer = yield from ask(
            "delete",
            f"Delete {name}?",
            Row("no", "Keep it"),
            Row("yes", "Delete it", help="This cannot be undone."),
        )
    if answer != "yes":
        return STAY
    if not (yield from games.drop_save(held, name, player.now_s)):
        player.say("save.unknown")
        return STAY
    if player.seat is not None:
        player.seat.forget_save(name)
    player.say("dropped", name=name)
    return STAY


def _load(player: Player, name: str) -> Flow:
    """Continue a saved game in place of the running one."""
    held = player.account.held
    yield from held.refresh()
    label = held.document.saves.get(name)
    if label is None:
        player.say("save.unknown")
        return STAY
    opened = yield from (open_game(label.code) if label.is_aside else games.open_save(label))
    game = None if opened is None else (yield from rebuild(opened))
    if opened is None or game is None or game.status.is_over:
        player.say("unreadable")
        return STAY
    replaced = player.leave_as_replaced() or games.NO_GAME
    if player.match is not None:
        # Until the store has the end of a game given up for this one, it looks like one that waits.
        yield from player.match.wait_until_stored()
    yield from player.account.put_aside_all()
    player.put_aside_waiting()
    if player.match is not None:
        # Another device may have acted since.
        replaced = replaced.up_to(player.match.journal.stored)
    if label.is_aside:
        yield from _resume(player, name, label, game, replaced)
    else:
        # A copy of the game as it was: the player may have seen more of its board.
        code = game_code(player.tokens)
        copy = yield from games.load(held, opened, code, player.now_s, replaced)
        game.setup = copy.game.setup
        player.begin_errand(games.settle_replaced(replaced, player.tokens))
        seat = player.resume(*match_of(player, held, copy, game))
        seat.saved_as, seat.saved_entries = name, len(game.log)
        player.say("loaded")
    if replaced.aside is not None:
        board = replaced.aside.variant.board
        player.say("kept" if label.is_aside else "loaded.beside", board=board)
    return LEAVE_MENUS


def _resume(
    player: Player, name: str, label: Label, known: Game, replaced: games.ReplacedGame
) -> Dialog[None]:
    """Continue the very game that was set aside."""
    held = player.account.held
    opened = yield from games.resume(held, name, player.now_s, replaced)
    game: Game | None = known
    read = known.setup, pack_entries(known.log.entries)
    if opened is not None and (opened.game.setup, opened.entries) != read:
        # Another device has acted since.
        game = yield from rebuild(opened)
    if opened is None or game is None:
        player.say("unreadable")
        return
    player.begin_errand(games.settle_replaced(replaced, player.tokens))
    player.begin_errand(withdraw_end(opened.code, player.tokens))
    opened = opened._replace(note=Note(label.length, label.clock_ms, label.cursor))
    waiting = match_of(player, held, opened, game)
    # It was given up, and its player may have seen the board elsewhere since.
    waiting.match.play_as(waiting.match.variant.as_repeat())
    player.resume(*waiting)


# Giving up


def give_up_for(player: Player, act: Callable[[], Flow | None]) -> Flow:
    """Do something that ends the running game, once its player agrees."""
    seat, unknown = player.seat, player.refusal(Verb.SAVE).text
    while seat is not None and seat.is_at_stake:
        answer = yield from ask(
            "give_up",
            "Give up this game?",
            Row("save", "Save first", help="You can load it later.", disabled=unknown),
            Row("yes", "Give up", help="The game ends and counts as given up."),
            Row("no", "Keep playing", help="The game continues."),
            selected="no" if unknown else "save",
        )
        if not answer:
            return STAY
        if answer == "no":
            return LEAVE_MENUS
        if answer == "yes":
            seat.has_given_up = True
            break
        yield from _name_and_save(player)
    try:
        flow = act()
        return LEAVE_MENUS if flow is None else (yield from flow)
    finally:
        if seat is not None:
            seat.has_given_up = False
