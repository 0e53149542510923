"""What a player does at the board: cursor, reveal, flag, chord, undo, debug, pause, hint.

Every function takes the packet that asked for it. What RETURN does on a number is the game's to
say (`core.game`), since a reveal of a visible cell is a chord where the rules have one.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.faces import COVERED, EXPLODED, MINED
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import ONGOING, Status
from jminesweeper.protocol.packets import Act, MoveTo, Packet, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.games import play_on
from jminesweeper.session import rounds
from jminesweeper.session.archive import tell_rank
from jminesweeper.session.choosing import is_board_of_day
from jminesweeper.session.hints import agree_to_help
from jminesweeper.session.messages import missing
from jminesweeper.session.player import Player
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.seat import Seat
from jminesweeper.session.talks import LEAVE_MENUS, Flow
from jminesweeper.store.errors import StoreError

MOST_UNDO_STEPS: Final = 1_000
"""In one packet: no player may keep the others waiting."""

STEPS: Final[Mapping[Packet, tuple[int, int]]] = {
    Command.MOVE_LEFT: (-1, 0),
    Command.MOVE_RIGHT: (1, 0),
    Command.MOVE_UP: (0, -1),
    Command.MOVE_DOWN: (0, 1),
}
ACTIONS: Final[Mapping[Packet, ActionKind]] = {
    Command.REVEAL: ActionKind.REVEAL,
    Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
}
_REVEAL, _FLAG = ActionKind.REVEAL, ActionKind.FLAG
_BUTTONS: Final[Mapping[int, ActionKind]] = {
    Button.REVEAL: ActionKind.REVEAL,
    Button.FLAG: ActionKind.FLAG,
    Button.CHORD: ActionKind.CHORD,
    Button.OPEN: ActionKind.REVEAL,
}
_SEEN: Final = 0xFF ^ (MINED | EXPLODED)
"""What counts of a face: mines are seen in debug mode, and not by everybody."""


# The cursor


def move(player: Player, packet: Command) -> None:
    """Move the cursor by a step, stopping at the edge."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return
    columns, rows = STEPS[packet]
    size = seat.match.game.grid.size
    column, row = seat.cursor
    column, row = column + columns, row + rows
    if 0 <= column < size.columns and 0 <= row < size.rows:
        seat.put_cursor(Cell(column, row))


def move_to(player: Player, packet: MoveTo) -> None:
    """Note where the player is, for resuming."""
    seat = player.live_seat()
    if seat is not None and _note_cursor(player, seat, Cell(packet.column, packet.row)):
        rounds.show_cursor(player)


def _note_cursor(player: Player, seat: Seat, cell: Cell) -> bool:
    """Note where the player is; return whether that is on the board."""
    if not seat.match.game.setup.size.has(cell):
        player.say("bad.cell", column=cell.column, row=cell.row)
        return False
    seat.cursor = cell
    return True


# Reveal, flag and chord


def act(player: Player, packet: Command) -> None:
    """Do what a key of version 1 does, at the cursor."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
    else:
        _act(player, seat, ACTIONS[packet])


def act_on(player: Player, packet: Act) -> None:
    """Press a button on a cell, if it looks as it did when it was pressed."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return
    kind = _BUTTONS.get(packet.button)
    if kind is None:
        player.say("bad.button", number=packet.button)
    elif _note_cursor(player, seat, Cell(packet.column, packet.row)):
        rounds.show_cursor(player)
        face = seat.match.face_of(seat.cursor)
        if (face ^ packet.seen) & _SEEN:
            player.say("changed")
        elif packet.button != Button.OPEN or face & COVERED:
            _act(player, seat, kind)


def _act(player: Player, seat: Seat, kind: ActionKind) -> None:
    """Reveal, flag or chord at the cursor."""
    match = seat.match
    if player.sitting is not None and (blocked_ms := rounds.blocked_ms(player, match)) > 0:
        player.say("blocked", seconds=-(-blocked_ms // 1000))
    elif match.game.is_full:
        player.say("full")
    elif kind is ActionKind.CHORD and not match.game.visible:
        player.hush()  # without a number to chord on nothing begins, and no clock
    elif kind is _REVEAL and match.needs_layout(seat.cursor):
        player.begin_talk(_reveal_on_laid_board(player, seat))
    else:
        _apply(player, seat, kind)
        if match.game.status is not ONGOING:
            player.begin_talk(tell_rank(player, seat))


def _apply(player: Player, seat: Seat, kind: ActionKind) -> None:
    player.hush()
    game = seat.match.game
    if kind is _FLAG and player.has_question_marks and seat.is_on_mark:
        kind = ActionKind.QUESTION
    if not player.act(kind, seat.cursor):
        _flash(player, seat, kind)
    else:
        seat.touch()
        if game.status is not ONGOING:
            tell_end(player, seat)
        elif flags := seat.match.missing_flags():
            player.tell(missing(flags))
    player.keep()


def tell_end(player: Player, seat: Seat) -> None:
    """Say how the match ended, and have it reviewed if its player will see the result."""
    match = seat.match
    if player.sitting is not None:
        rounds.tell_end(player, player.sitting, match.game)
    elif match.game.status is Status.WON:
        player.say("won")
    elif match.game.status is Status.LOST:
        is_first = match.is_unprotected and match.game.visible_count == 1
        player.say("lost.unprotected" if is_first else "lost")
    if player.config.has_solver and player.client.is_live:
        player.out.work = seat.begin_review()


def catch_up(player: Player, seat: Seat) -> None:
    """Learn what others did to the match, on another device or at another seat."""
    before, is_over = seat.seen_status, seat.match.is_over
    seat.know_match()
    seat.touch()
    if is_over and before is ONGOING:
        tell_end(player, seat)
    elif before is not ONGOING and not is_over:
        seat.forget_end()
        player.hush()


def _flash(player: Player, seat: Seat, kind: ActionKind) -> None:
    """Show which cells around a number could not be opened because flags are missing."""
    game, cursor = seat.match.game, seat.cursor
    view = game.view
    if not view.is_visible(cursor):
        return
    if not game.setup.rules.chording:
        if kind is ActionKind.CHORD:
            player.say("chords.none")
        return
    around = game.grid.around(game.grid.index(cursor))
    clue, flags = view.clue(cursor), (around & view.flagged).bit_count()
    if clue == flags:
        return  # a flag was put on a number that lacks none
    seat.flash = seat.places(game.grid.cells(around & view.covered))
    if seat.flash:
        player.say("chords.unmet", clue=clue, needed=clue, flags=flags)


def _reveal_on_laid_board(player: Player, seat: Seat) -> Flow:
    """Make the first reveal on a board that needs no guess, once it is laid."""
    match = seat.match
    laid = yield LayBoard(match.game.setup, seat.cursor)
    if laid is None:
        match.allow_guesses()
    else:
        match.lay(laid.mines, seat.cursor)
    _apply(player, seat, ActionKind.REVEAL)
    if match.is_over:
        yield from tell_rank(player, seat)
    elif laid is None:
        player.say("laid.none")
    else:
        player.say("laid", origin="drawn at random" if laid.is_uniform else "adjusted cell by cell")
    return LEAVE_MENUS


def undo(player: Player, packet: Undo) -> None:
    """Undo actions, the one that ended the game included."""
    seat = player.seat
    if seat is None or seat.is_paused:
        player.idle()
        return
    match = seat.match
    if not match.game.can_undo or packet.steps < 1:
        player.say("undo.none")
    elif packet.steps == 1 and match.game.undo_is_no_help and not match.is_over:
        _take_back(player, seat, 1)
    else:
        player.begin_talk(_agree_to_undo(player, seat, min(packet.steps, MOST_UNDO_STEPS)))


def _agree_to_undo(player: Player, seat: Seat, steps: int) -> Flow:
    if (yield from agree_to_help(player)):
        match, held = seat.match, player.account.held
        if match.is_over and held is not None and player.sitting is None:
            # If the store fails, it says so.
            with suppress(StoreError):
                yield from play_on(held, match.code, player.now_s)
        _take_back(player, seat, steps)
    return LEAVE_MENUS


def _take_back(player: Player, seat: Seat, steps: int) -> None:
    taken = 0
    while taken < steps and player.act(ActionKind.UNDO):
        taken += 1
    if not taken:
        player.say("full")
        return
    seat.forget_end()
    player.say("undone", steps=taken)
    player.keep()


def toggle_debug(player: Player, _packet: Command) -> None:
    """Show or hide the mines; the game is assisted from then on."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return
    game = seat.match.game
    if not player.config.debug_allowed:
        player.say("debug.forbidden")
    elif is_board_of_day(game.setup, player.config.today(player.now_ms)):
        player.say("debug.today")
    elif game.is_full and not game.assisted:
        player.say("full")
    else:
        player.begin_talk(_switch_debug(player, seat))


def _switch_debug(player: Player, seat: Seat) -> Flow:
    if not (seat.is_debugged or (yield from agree_to_help(player))):
        return LEAVE_MENUS
    seat.switch_debug()
    player.say("debug.on" if seat.is_debugged else "debug.off")
    if seat.is_debugged and not seat.match.game.assisted:
        player.act(ActionKind.DEBUG)
        player.keep()
    return LEAVE_MENUS


def toggle_pause(player: Player, _packet: Command) -> None:
    seat = player.seat
    if seat is None or seat.match.is_over:
        return
    player.hush()
    if player.sitting is not None:
        rounds.vote_for_pause(player)
    elif seat.is_paused:
        seat.go_on(player.now_ms)
    else:
        seat.pause(player.now_ms)
