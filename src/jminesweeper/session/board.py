"""Actions at the board: cursor, reveal, flag, chord, undo, debug, pause, and help.

Every function takes the packet that asked for it. What RETURN does on a number is the game's to
say (`core.game`), since a reveal of a visible cell is a chord where the rules have one.

Help is a hint with its reason, the next solved cell, and the odds. Each makes a running game an
assisted one, so a player of a ranked one is asked first. The odds of a game that is over are free:
they are the player's odds before the last step.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import COVERED, EXPLODED, MINED, ONGOING, Status
from jminesweeper.protocol.packets import Act, Hint, MoveTo, Odds, Packet, Seek, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.games import play_on
from jminesweeper.session import rounds
from jminesweeper.session.archive import tell_rank
from jminesweeper.session.matches import Match, MatchSeat
from jminesweeper.session.messages import SILENCE, missing
from jminesweeper.session.player import Player
from jminesweeper.session.reply import FindHint, FindOdds, FindSolved, FoundOdds, LayBoard
from jminesweeper.session.settings import STARTER, is_board_of_day
from jminesweeper.session.talks import LEAVE_MENUS, Dialog, Flow, Row, ask
from jminesweeper.store.port import StoreError

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
_REVEAL, _FLAG, _CHORD = ActionKind.REVEAL, ActionKind.FLAG, ActionKind.CHORD
_BUTTONS: Final[Mapping[int, ActionKind]] = {
    Button.REVEAL: ActionKind.REVEAL,
    Button.FLAG: ActionKind.FLAG,
    Button.CHORD: ActionKind.CHORD,
    Button.OPEN: ActionKind.REVEAL,
}
_SEEN: Final = 0xFF ^ (MINED | EXPLODED)
"""The bits of a face that are compared: mines are seen in debug mode, and not by everybody."""


# The cursor


def move(player: Player, packet: Command) -> None:
    """Move the cursor by a step, stopping at the edge."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return
    columns, rows = STEPS[packet]
    match = seat.match
    size = match.game.grid.size
    column, row = seat.cursor
    column, row = column + columns, row + rows
    if 0 <= column < size.columns and 0 <= row < size.rows:
        seat.put_cursor(Cell(column, row))
        # Nobody sees the cursor of a client that has not introduced itself.
        if player.client.has_view:
            _show_cursor(player, match)


def move_to(player: Player, packet: MoveTo) -> None:
    """Note where the player is, for resuming."""
    seat, cell = player.live_seat(), Cell(packet.column, packet.row)
    if seat is None:
        return
    if seat.match.game.grid.size.has(cell):
        seat.cursor = cell
        _show_cursor(player, seat.match)
    else:
        player.say("bad.cell", column=cell.column, row=cell.row)


def _go_to(player: Player, seat: MatchSeat, cell: Cell) -> None:
    """Put the player's cursor on a cell, where the others in a shared game see it, too."""
    seat.put_cursor(cell)
    _show_cursor(player, seat.match)


def _show_cursor(player: Player, match: Match) -> None:
    """Show the cursor to the others in a shared game, or to watchers."""
    if player.sitting is not None:
        rounds.show_cursor(player)
    elif match.is_watched and player.matches.limits.passes("point", player.now_ms, match):
        match.point()
        player.matches.note_change(match)


# Reveal, flag and chord


def act(player: Player, packet: Command) -> None:
    """Press a key of version 1, at the cursor."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
    else:
        _press(player, seat, ACTIONS[packet])


def act_on(player: Player, packet: Act) -> None:
    """Press a button on a cell, if it looks as it did when it was pressed.

    The packet says how the player saw the cell. Somebody else may have acted on it meanwhile, or
    the player on another device: then the press meant something else, and nothing is done.
    """
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return
    game, kind = seat.match.game, _BUTTONS.get(packet.button)
    if kind is None and packet.button != Button.FLAG_AROUND:
        player.say("bad.button", number=packet.button)
        return
    column, row, size = packet.column, packet.row, game.grid.size
    if column >= size.columns or row >= size.rows:
        player.say("bad.cell", column=column, row=row)
        return
    seat.cursor = Cell(column, row)
    face = game.face(row * game.grid.stride + column)
    if (face ^ packet.seen) & _SEEN:
        player.say("changed")
    elif kind is None:
        _flag_around(player, seat)
    elif packet.button != Button.OPEN or face & COVERED:
        _press(player, seat, kind)


def _press(player: Player, seat: MatchSeat, kind: ActionKind) -> None:
    """Reveal, flag or chord at the cursor, unless something is in the way; say what came of it."""
    match, game = seat.match, seat.match.game
    if _is_held_up(player, match):
        return
    player.message = SILENCE
    if kind is _CHORD and not game.visible:
        return  # without a number to chord on nothing begins, and no clock
    if kind is _REVEAL and game.setup.needs_layout and match.needs_layout(seat.cursor):
        player.talks.begin(_reveal_on_laid_board(player, seat))
        return
    if kind is _FLAG and player.has_question_marks and seat.is_on_mark:
        kind = ActionKind.QUESTION
    if player.act(kind, seat.cursor):
        _tell_outcome(player, seat)
    elif game.rules.chording and kind in {_REVEAL, _CHORD}:
        _flash_unmet(player, seat)
    elif kind is _CHORD and game.view.is_visible(seat.cursor):
        player.say("chords.none")


def _is_held_up(player: Player, match: Match) -> bool:
    """Return True if nothing can be done at the board now, and say why."""
    if player.sitting is not None and rounds.blocked_ms(player, match) > 0:
        player.say("blocked")
    elif match.game.is_full:
        player.say("full")
    else:
        return False
    return True


def _flag_around(player: Player, seat: MatchSeat) -> None:
    """Flag what follows from the number at the cursor; each flag is an action like any other."""
    match, cursor = seat.match, seat.cursor
    if _is_held_up(player, match):
        return
    player.message = SILENCE
    game, view = match.game, match.game.view
    if not view.is_visible(cursor):
        return
    around = game.grid.around(game.grid.index(cursor))
    cells = [*game.grid.cells(around & view.covered)]
    marked = (around & (view.flagged | view.known)).bit_count()
    if len(cells) != view.clue(cursor) - marked:
        seat.flash = seat.places(cells)
        player.say("flags.unsure")
        return
    for cell in cells:
        if match.game.status is ONGOING:
            player.act(_FLAG, cell)
    _tell_outcome(player, seat)


def _tell_outcome(player: Player, seat: MatchSeat) -> None:
    """Report the outcome of actions, and how a game that they ended compares."""
    seat.mark_changed()
    if seat.match.game.status is not ONGOING:
        tell_end(player, seat)
        player.talks.begin(tell_rank(player, seat))
    elif flags := seat.match.missing_flags():
        player.message = missing(flags)


def tell_end(player: Player, seat: MatchSeat) -> None:
    """Say how the match ended, and have it reviewed if its player will see the result."""
    match = seat.match
    if player.sitting is not None:
        rounds.tell_end(player, player.sitting, match.game)
    elif match.game.status is Status.WON:
        player.say("won", how=match.how_won)
    elif match.game.status is Status.LOST:
        is_first = match.is_unprotected and match.game.visible_count == 1
        player.say("lost.unprotected" if is_first else "lost")
    if player.config.has_solver and player.client.is_live:
        player.out.work = seat.begin_review()


def catch_up(player: Player, seat: MatchSeat) -> None:
    """Let the seat follow what others did to the match since it was last shown."""
    before, now = seat.seen_status, seat.match.game.status
    seat.seen, seat.seen_status = seat.match.changes, now
    seat.mark_changed()
    if before is ONGOING and now is not ONGOING:
        tell_end(player, seat)
    elif before is not ONGOING and now is ONGOING:
        seat.forget_end()
        player.message = SILENCE


def _flash_unmet(player: Player, seat: MatchSeat) -> None:
    """Show which cells around a number could not be opened because flags are missing."""
    game, cursor = seat.match.game, seat.cursor
    view = game.view
    if not view.is_visible(cursor):
        return
    around = game.grid.around(game.grid.index(cursor))
    clue, flags = view.clue(cursor), (around & view.flagged).bit_count()
    if clue == flags:
        return  # a flag was put on a number that lacks none
    seat.flash = seat.places(game.grid.cells(around & view.covered))
    if seat.flash:
        player.say("chords.unmet", clue=clue, needed=clue, flags=flags)


def _reveal_on_laid_board(player: Player, seat: MatchSeat) -> Flow:
    """Make the first reveal on a board that needs no guess, once it is laid."""
    match = seat.match
    laid = yield LayBoard(match.game.setup, seat.cursor)
    if laid is None:
        match.allow_guesses()
    else:
        match.lay(laid, seat.cursor)
    player.act(ActionKind.REVEAL, seat.cursor)
    seat.mark_changed()
    if match.is_over:
        tell_end(player, seat)
        yield from tell_rank(player, seat)
    elif laid is None:
        player.say("laid.none")
    else:
        player.say("laid")
    return LEAVE_MENUS


def undo(player: Player, packet: Undo) -> None:
    """Undo actions, the one that ended the game included."""
    seat = player.seat
    if seat is None or seat.is_paused:
        player.idle()
        return
    match = seat.match
    if packet.steps == 0:
        _redo(player, seat)
    elif not match.game.can_undo:
        player.say("undo.none")
    elif match.game.author_to_undo != player.author:
        player.say("room.undo")
    else:
        player.talks.begin(_undo(player, seat, min(packet.steps, MOST_UNDO_STEPS)))


def _undo(player: Player, seat: MatchSeat, steps: int) -> Flow:
    """Undo actions, once the player agrees to play on unranked where that is help."""
    match, held = seat.match, player.account.held
    is_help = steps > 1 or not match.game.undo_is_no_help
    if is_help and not (yield from agree_to_help(player)):
        return LEAVE_MENUS
    if match.is_over and match.is_kept and player.sitting is None:
        # If the store fails, it says so.
        with suppress(StoreError):
            yield from match.wait_until_stored()
            yield from play_on(held, match.code, player.now_s)
    # Of a shared game the player's own actions, up to the last of somebody else.
    game, taken = seat.match.game, 0
    if len(game.log) != seat.redo_length:
        seat.taken_back = ()
    while taken < steps and game.author_to_undo == player.author:
        action = game.action_to_undo
        if not player.act(ActionKind.UNDO):
            break
        taken += 1
        seat.taken_back += () if action is None else (action,)
    seat.redo_length = len(game.log)
    if taken:
        seat.forget_end()
        player.say("undone", steps=taken)
    else:
        player.say("full")
    return LEAVE_MENUS


def _redo(player: Player, seat: MatchSeat) -> None:
    """Do the last action again that was taken back, unless something else was done since."""
    match = seat.match
    if not seat.taken_back or len(match.game.log) != seat.redo_length:
        player.say("redo.none")
        return
    if _is_held_up(player, match):
        return
    *rest, (kind, cell) = seat.taken_back
    player.message = SILENCE
    if cell is not None:
        _go_to(player, seat, cell)
    player.act(kind, cell)
    seat.taken_back, seat.redo_length = tuple(rest), len(match.game.log)
    _tell_outcome(player, seat)


def toggle_debug(player: Player, _packet: Command) -> None:
    """Show or hide the mines; the game is assisted from then on."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return
    game = seat.match.game
    if is_board_of_day(player.config, game.setup, player.config.today(player.now_ms)):
        player.say("debug.today")
    elif game.is_full and not game.assisted:
        player.say("full")
    elif seat.is_debugged:
        seat.switch_debug()
        player.say("debug.off")
    else:

        def show_mines() -> Flow:
            if (yield from agree_to_help(player)):
                seat.switch_debug()
                player.say("debug.on")
                if not game.assisted:
                    player.act(ActionKind.DEBUG)
            return LEAVE_MENUS

        player.talks.begin(show_mines())


def toggle_pause(player: Player, _packet: Command) -> None:
    seat = player.seat
    if seat is None or seat.match.is_over:
        return
    player.message = SILENCE
    if player.sitting is not None:
        rounds.vote_for_pause(player)
    elif seat.is_paused:
        seat.resume(player.now_ms)
    else:
        seat.pause(player.now_ms)


# Help


def agree_to_help(player: Player) -> Dialog[bool]:
    """Ask before the first help in a ranked game; return True to help.

    On the board that a newcomer starts with nobody competes, so nobody is asked.
    """
    match = player.match
    if match is None or not player.is_ranked or match.variant.category == STARTER:
        return True
    player.message = SILENCE
    answer = yield from ask(
        "assist",
        "Use help, and play on unranked?",
        Row("no", "No help", help="The game stays ranked: a win counts for your best times."),
        Row("yes", "Help", help="The game is then not ranked: a win is no best time."),
    )
    return answer == "yes"


def hint(player: Player, packet: Hint) -> None:
    """Show where to play next, and why."""

    def give_hint() -> Flow:
        seat, found = yield from _ask(player, Cell(packet.column, packet.row), FindHint)
        if seat is not None:
            _go_to(player, seat, found.cell)
            seat.show_hint((found.cell, *found.because))
            player.say("hint", text=found.text)
        return LEAVE_MENUS

    player.talks.begin(give_hint())


def seek(player: Player, packet: Seek) -> None:
    """Put the cursor on the next cell that a rule solves."""

    def go_to_solved() -> Flow:
        seat, found = yield from _ask(player, Cell(packet.column, packet.row), FindSolved)
        if seat is not None and found.cell is None:
            player.say("next.none")
        elif seat is not None:
            column, row = found.cell
            _go_to(player, seat, found.cell)
            what = "a mine" if found.is_mine else "safe"
            player.say("next", column=column, row=row, what=what)
        return LEAVE_MENUS

    player.talks.begin(go_to_solved())


def _ask(
    player: Player, near: Cell, question: type[FindHint | FindSolved]
) -> Dialog[tuple[MatchSeat | None, Any]]:
    """Return the seat and the solver's answer; no seat if the player was told why there is none."""
    seat = yield from _seat_to_help(player, near)
    if seat is None:
        return None, None
    found = yield question(seat.match.game.view, near)
    if found is None:
        player.say("hint.none")
        return None, None
    # Knowing that there is no such cell is help, too.
    player.act(ActionKind.HINT)
    seat.mark_changed()
    return seat, found


def show_odds(player: Player, packet: Odds) -> None:
    """Show the odds on the cells, or hide them."""
    seat = player.seat
    if seat is not None and seat.odds is not None:
        player.message = SILENCE
        seat.odds = None
    else:
        player.talks.begin(_find_odds(player, Cell(packet.column, packet.row)))


def _find_odds(player: Player, near: Cell) -> Flow:
    seat = player.seat
    is_over = seat is not None and seat.match.is_over
    if not is_over:
        seat = yield from _seat_to_help(player, near)
    elif not _can_help(player, near):
        seat = None
    if seat is None:
        return LEAVE_MENUS
    game = seat.match.game
    found: FoundOdds | None = yield FindOdds(game.view.before_the_end(), near)
    if found is None:
        player.say("odds.none")
        return LEAVE_MENUS
    if not is_over:
        player.act(ActionKind.HINT)
    seat.mark_changed()
    seat.odds = found.on(game.grid)
    player.say("odds" if found.is_exact else "odds.rough")
    return LEAVE_MENUS


def _seat_to_help(player: Player, near: Cell) -> Dialog[MatchSeat | None]:
    """Return the seat at a running game, or say why the solver is not asked."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return None
    game = seat.match.game
    if not _can_help(player, near):
        return None
    is_first = not game.log.count_kinds()[ActionKind.REVEAL]
    if game.is_full:
        player.say("full")
    elif is_first and game.setup.protects_first_reveal and game.setup.variant.safe_count:
        # The rules make any first reveal safe, which a solver cannot know.
        player.say("first.safe")
    elif (yield from agree_to_help(player)):
        return seat
    return None


def _can_help(player: Player, near: Cell) -> bool:
    """Return True if the solver can be asked about this cell; if not, say why."""
    match = player.match
    if match is None or not match.game.setup.size.has(near):
        player.say("bad.cell", column=near.column, row=near.row)
    else:
        return True
    return False
