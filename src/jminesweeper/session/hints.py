"""What help a player gets from the solver: a hint with its reason, the next solved cell, the odds.

Each makes a running game an assisted one, so a player of a ranked one is asked first. The odds of a
game that is over are free: they are those that the player had before the last step.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Hint, Odds, Seek
from jminesweeper.session.menus import Layer, Menu, Row
from jminesweeper.session.player import Player
from jminesweeper.session.reply import FindHint, FindOdds, FindSolved, FoundOdds, Question
from jminesweeper.session.seat import Seat
from jminesweeper.session.talks import LEAVE_MENUS, Flow


def agree_to_help(player: Player) -> Generator[Question | Layer, Any, bool]:
    """Ask, before a ranked game gets its first help, whether it may."""
    if not player.is_ranked:
        return True
    rows = (
        Row("no", "No help", help="The game stays ranked."),
        Row("yes", "Help", help="The game is then not ranked."),
    )
    player.hush()
    pick = yield Menu("assist", "Use help in this ranked game?", rows)
    return pick is not None and pick.row == "yes"


def hint(player: Player, packet: Hint) -> None:
    player.begin_talk(_give_hint(player, Cell(packet.column, packet.row)))


def _give_hint(player: Player, near: Cell) -> Flow:
    """Show where to play next, and why."""
    seat, found = yield from _ask(player, near, FindHint)
    if seat is not None:
        seat.put_cursor(found.cell)
        seat.show_hint((found.cell, *found.because))
        player.say("hint", text=found.text)
        player.keep()
    return LEAVE_MENUS


def seek(player: Player, packet: Seek) -> None:
    player.begin_talk(_go_to_solved(player, Cell(packet.column, packet.row)))


def _go_to_solved(player: Player, near: Cell) -> Flow:
    """Put the cursor on the next cell that a rule solves."""
    seat, found = yield from _ask(player, near, FindSolved)
    if seat is not None:
        if found.cell is None:
            player.say("next.none")
        else:
            column, row = found.cell
            seat.put_cursor(found.cell)
            what = "a mine" if found.is_mine else "safe"
            player.say("next", column=column, row=row, what=what)
        player.keep()
    return LEAVE_MENUS


def _ask(
    player: Player, near: Cell, question: type[FindHint | FindSolved]
) -> Generator[Question | Layer, Any, tuple[Seat | None, Any]]:
    """Return the seat with the solver's answer; no seat, once the player was told why not."""
    seat = yield from _seat_to_help(player, near)
    found = None if seat is None else (yield question(seat.match.game.view, near))
    if seat is None:
        return None, None
    if found is None:
        player.say("hint.none")
        return None, None
    # Knowing that there is no such cell is help, too.
    player.act(ActionKind.HINT)
    seat.touch()
    return seat, found


def show_odds(player: Player, packet: Odds) -> None:
    """Show the odds on the cells, or hide them."""
    seat = player.seat
    if seat is not None and seat.odds is not None:
        player.hush()
        seat.odds = None
    else:
        player.begin_talk(_find_odds(player, Cell(packet.column, packet.row)))


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
    seat.touch()
    seat.odds = found.on(game.grid)
    player.say("odds" if found.is_exact else "odds.rough")
    if not is_over:
        player.keep()
    return LEAVE_MENUS


def _seat_to_help(player: Player, near: Cell) -> Generator[Question | Layer, Any, Seat | None]:
    """Return the seat at a running game, or say why the solver is not asked."""
    seat = player.live_seat()
    if seat is None:
        player.idle()
        return None
    game = seat.match.game
    if not _can_help(player, near):
        return None
    if game.is_full:
        player.say("full")
    elif _is_any_cell_safe(game):
        player.say("first.safe")
    elif (yield from agree_to_help(player)):
        return seat
    return None


def _can_help(player: Player, near: Cell) -> bool:
    """Whether there is a solver, and such a cell; else say so."""
    match = player.match
    if not player.config.has_solver:
        player.say("hints.off")
    elif match is None or not match.game.setup.size.has(near):
        player.say("bad.cell", column=near.column, row=near.row)
    else:
        return True
    return False


def _is_any_cell_safe(game: Game) -> bool:
    """Whether the rules protect the first reveal, which a solver, knowing no rules, cannot tell."""
    setup = game.setup
    has_room = setup.mine_count < setup.size.cells
    is_first = not game.log.count_kinds()[ActionKind.REVEAL]
    return setup.protects_first_reveal and has_room and is_first
