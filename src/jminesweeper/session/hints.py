"""What help a player gets from the solver: a hint with its reason, the next solved cell, the odds.

Each makes a running game an assisted one, so a player of a ranked one is asked first. The odds of a
game that is over are free: they are those that the player had before the last step.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeAlias

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Hint, Odds, Seek
from jminesweeper.session.menus import Layer, Menu, Row
from jminesweeper.session.player import Player
from jminesweeper.session.reply import (
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundSolved,
    Question,
)
from jminesweeper.session.talks import LEAVE_MENUS, Flow

_Asking: TypeAlias = Generator[Question | Layer, Any, Any]


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
    found: FoundHint | None = yield from _ask(player, near, FindHint)
    if found is not None:
        player.put_cursor(found.cell)
        player.hint = player.places((found.cell, *found.because))
        player.say("hint", text=found.text)
        player.keep()
    return LEAVE_MENUS


def seek(player: Player, packet: Seek) -> None:
    player.begin_talk(_go_to_solved(player, Cell(packet.column, packet.row)))


def _go_to_solved(player: Player, near: Cell) -> Flow:
    """Put the cursor on the next cell that a rule solves."""
    found: FoundSolved | None = yield from _ask(player, near, FindSolved)
    if found is not None:
        if found.cell is None:
            player.say("next.none")
        else:
            column, row = found.cell
            player.put_cursor(found.cell)
            what = "a mine" if found.is_mine else "safe"
            player.say("next", column=column, row=row, what=what)
        player.keep()
    return LEAVE_MENUS


def _ask(player: Player, near: Cell, question: type[FindHint | FindSolved]) -> _Asking:
    """Return the solver's answer, or None after telling the player why there is none."""
    game = yield from _game_to_help(player, near)
    if game is None:
        return None
    found = yield question(game.view, near)
    if found is None:
        player.say("hint.none")
        return None
    # Knowing that there is no such cell is help, too.
    player.act(ActionKind.HINT)
    player.touch()
    return found


def show_odds(player: Player, packet: Odds) -> None:
    """Show the odds on the cells, or hide them."""
    if player.odds is not None:
        player.hush()
        player.odds = None
    else:
        player.begin_talk(_find_odds(player, Cell(packet.column, packet.row)))


def _find_odds(player: Player, near: Cell) -> Flow:
    match = player.match
    is_over = match is not None and match.is_over
    if match is None or not is_over:
        game = yield from _game_to_help(player, near)
    else:
        game = (
            match.game if _has_solver(player) and _is_on_board(player, match.game, near) else None
        )
    if game is None:
        return LEAVE_MENUS
    found: FoundOdds | None = yield FindOdds(game.view.before_the_end(), near)
    if found is None:
        player.say("odds.none")
        return LEAVE_MENUS
    if not is_over:
        player.act(ActionKind.HINT)
    player.touch()
    player.odds = found.on(game.grid)
    player.say("odds" if found.is_exact else "odds.rough")
    if not is_over:
        player.keep()
    return LEAVE_MENUS


def _game_to_help(player: Player, near: Cell) -> Generator[Question | Layer, Any, Game | None]:
    """Return the running game, or say why the solver is not asked."""
    match = player.live_match()
    if match is None:
        player.idle()
        return None
    game = match.game
    if not _has_solver(player) or not _is_on_board(player, game, near):
        return None
    if game.is_full:
        player.say("full")
    elif _is_any_cell_safe(game):
        player.say("first.safe")
    elif (yield from agree_to_help(player)):
        return game
    return None


def _is_on_board(player: Player, game: Game, cell: Cell) -> bool:
    if not game.setup.size.has(cell):
        player.say("bad.cell", column=cell.column, row=cell.row)
        return False
    return True


def _has_solver(player: Player) -> bool:
    if not player.config.has_solver:
        player.say("hints.off")
    return player.config.has_solver


def _is_any_cell_safe(game: Game) -> bool:
    """Whether the rules protect the first reveal, which a solver, knowing no rules, cannot tell."""
    setup = game.setup
    has_room = setup.mine_count < setup.size.cells
    is_first = not game.log.count_kinds()[ActionKind.REVEAL]
    return setup.protects_first_reveal and has_room and is_first
