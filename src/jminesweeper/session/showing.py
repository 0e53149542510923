"""What a player sees: the menu or page on top, or else the match.

Version 1 has a frame of its own (`presenters.ClassicPresenter`); for all other clients a screen
model is made here, which their presenter turns into their format.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.core.game import Game
from jminesweeper.core.view import Status
from jminesweeper.screen.models import GameScreen, Message, PageScreen, ScreenModel
from jminesweeper.session import messages
from jminesweeper.session.match import Match
from jminesweeper.session.player import Player

_CLOCK: Final = GameScreen._fields.index("elapsed_ms")


def screen_of(player: Player) -> ScreenModel:
    """Describe the player's screen."""
    layer = player.talks.layer
    if layer is not None:
        return layer.model(player.message)
    if player.match is not None:
        return game_screen(player, player.match)
    # Without a match there is a menu, unless another connection took the match.
    return page_of(messages.TAKEN_OVER)


def page_of(text: str) -> ScreenModel:
    """Describe a screen with one message, which nothing follows."""
    return PageScreen("JMinesweeper", (text,), keys=messages.KEYS_GOODBYE)


def interrupted_screen(player: Player, match: Match, text: str) -> ScreenModel:
    """Describe the board as it is when the connection ends, though the game does not."""
    shown = game_screen(player, match)
    return shown._replace(
        message=Message(text), keys=messages.KEYS_GOODBYE, part_keys=(), clock_runs=False
    )


def game_screen(player: Player, match: Match) -> GameScreen:
    """Describe the screen of a match."""
    game = match.game
    return GameScreen(
        view=game.view,
        cursor=player.cursor,
        label=match.variant.label,
        elapsed_ms=match.elapsed_ms(player.now_ms),
        message=_message(player),
        aim=_aim(match),
        state=_state(player, match),
        debug_mines=player.debug_mines(),
        hint_cells=player.hint_cells,
        flash_cells=player.flash_cells,
        odds=player.odds,
        solved_share=match.opened_share,
        clock_runs=match.clock_runs,
        is_paused=player.is_paused,
        is_overview=player.is_overview,
        summary=(*match.summary(), *player.review_lines),
        keys=_keys(player, game),
        part_keys=_part_keys(player, game),
    )


def after_a_while(shown: GameScreen, player: Player, match: Match) -> GameScreen:
    """Describe the screen of a match again, after nothing but time has passed."""
    state, elapsed_ms = _state(player, match), match.elapsed_ms(player.now_ms)
    if state != shown.state:
        shown = shown._replace(state=state)
    return GameScreen._make((*shown[:_CLOCK], elapsed_ms, *shown[_CLOCK + 1 :]))


def _state(player: Player, match: Match) -> str:
    return messages.state_of(
        match.game.status,
        is_paused=player.is_paused,
        is_debugged=player.is_debugged,
        is_assisted=match.game.assisted,
        is_saved=player.lease.is_saved,
        pace=_pace(player, match),
    )


def _pace(player: Player, match: Match) -> str:
    """Write the pace of the game, if the player's settings ask for it."""
    if not player.settings.pace or match.is_over:
        return ""
    return match.pace(player.now_ms)


def _aim(match: Match) -> str:
    """Say what wins, or what is missing once every safe cell is open, while the game runs."""
    if match.is_over:
        return ""
    if missing := match.missing_flags():
        return messages.missing(missing)
    return messages.aim_of(match.variant.rules, is_repeat=match.variant.is_repeat).text


def _message(player: Player) -> Message:
    """Return the message to show; the standing ones only while there is no newer one."""
    if player.odds is not None and player.match is not None:
        percent = player.odds.percents.get(player.match.game.grid.index(player.cursor))
        if percent is not None:
            return Message(messages.odds_here(percent))
    if player.message.text:
        return player.message
    if player.is_paused:
        return messages.PAUSED
    return messages.OVERVIEW if player.is_overview else player.message


def _keys(player: Player, game: Game) -> Sequence[tuple[str, str]]:
    if player.is_overview:
        return messages.KEYS_OVERVIEW
    if player.is_paused:
        return messages.KEYS_PAUSED
    return messages.KEYS_PLAYING if game.status is Status.ONGOING else messages.KEYS_OVER


def _part_keys(player: Player, game: Game) -> Sequence[tuple[str, str]]:
    is_playing = game.status is Status.ONGOING and not (player.is_overview or player.is_paused)
    return messages.KEYS_AT_PART if is_playing else ()
