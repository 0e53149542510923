"""What help a player gets from the solver: a hint with its reason, the next solved cell, the odds.

Each makes a running game an assisted one. The odds of a game that is over are free: they are those
that the player had before the last step.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.screen.models import Odds
from jminesweeper.session import messages
from jminesweeper.session.player import Player
from jminesweeper.session.reply import (
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundSolved,
)
from jminesweeper.session.talks import LEAVE_MENUS, Flow


def hint(player: Player, _packet: Command) -> None:
    player.begin_talk(give_hint(player))


def give_hint(player: Player) -> Flow:
    """Show where to play next, and why."""
    found: FoundHint | None = yield from _ask(player, FindHint)
    if found is not None:
        player.cursor = found.cell
        player.hint_cells = found.cells
        player.say(found.text)
        player.keep()
    return LEAVE_MENUS


def seek(player: Player, _packet: Command) -> None:
    player.begin_talk(_go_to_solved(player))


def _go_to_solved(player: Player) -> Flow:
    """Put the cursor on the next cell that a rule solves."""
    found: FoundSolved | None = yield from _ask(player, FindSolved)
    if found is not None:
        if found.cell is None:
            player.say(messages.NOTHING_SOLVED)
        else:
            player.cursor = found.cell
            player.say(messages.solved(found.cell, is_mine=found.is_mine))
        player.keep()
    return LEAVE_MENUS


def _ask(
    player: Player, question: type[FindHint | FindSolved]
) -> Generator[FindHint | FindSolved, Any, Any]:
    """Return the solver's answer, or None after telling the player why there is none."""
    game = _game_to_help(player)
    if game is None:
        return None
    found = yield question(game.view, player.cursor)
    if found is None:
        player.warn(messages.NO_HINT)
        return None
    # Knowing that there is no such cell is help, too.
    player.act(ActionKind.HINT)
    player.touch()
    return found


def show_odds(player: Player, _packet: Command) -> None:
    """Show the odds on the cells, or hide them."""
    if player.odds is not None:
        player.hush()
        player.odds = None
    else:
        player.begin_talk(_find_odds(player))


def _find_odds(player: Player) -> Flow:
    match = player.match
    is_over = match is not None and match.is_over
    if match is None or not is_over:
        game = _game_to_help(player)
    else:
        game = match.game if _has_solver(player) else None
    if game is None:
        return LEAVE_MENUS
    found: FoundOdds | None = yield FindOdds(game.view.before_the_end(), player.cursor)
    if found is None:
        player.warn(messages.NO_ODDS)
        return LEAVE_MENUS
    if not is_over:
        player.act(ActionKind.HINT)
    player.touch()
    player.odds = Odds(found.percents)
    player.say(messages.ODDS if found.is_exact else messages.ROUGH_ODDS)
    if not is_over:
        player.keep()
    return LEAVE_MENUS


def _game_to_help(player: Player) -> Game | None:
    """Return the running game, or say why the solver is not asked."""
    match = player.live_match()
    if match is None:
        player.idle()
        return None
    game = match.game
    if not _has_solver(player):
        return None
    if game.is_full:
        player.warn(messages.GAME_IS_FULL)
        return None
    if _is_any_cell_safe(game):
        player.say(messages.FIRST_IS_SAFE)
        return None
    return game


def _has_solver(player: Player) -> bool:
    if not player.config.has_solver:
        player.warn(messages.NO_HINTS)
    return player.config.has_solver


def _is_any_cell_safe(game: Game) -> bool:
    """Whether the rules protect the first reveal, which a solver, knowing no rules, cannot tell."""
    setup = game.setup
    has_room = setup.mine_count < setup.size.cells
    is_first = not game.log.count_kinds()[ActionKind.REVEAL]
    return setup.protects_first_reveal and has_room and is_first
