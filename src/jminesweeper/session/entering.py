"""How a player sits down: HELLO, and what the store knows of whoever said it.

A store that is out of order keeps nobody from playing: the player is asked for again from time to
time, and what was played meanwhile is kept from then on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.protocol import Feature, Hello, Resize, ScreenFormat
from jminesweeper.screen import Tone
from jminesweeper.session import messages
from jminesweeper.session.effects import NO_EFFECTS, Ask, Claimed, Effects
from jminesweeper.session.keeper import Keeper
from jminesweeper.session.main_menu import open_menu
from jminesweeper.session.names import printable
from jminesweeper.session.play import Play
from jminesweeper.session.presenters import AnsiPresenter, PlainPresenter
from jminesweeper.session.requests import Enter, Entrance
from jminesweeper.session.seat import Seat
from jminesweeper.session.settings import Settings
from jminesweeper.session.terminals import resized, terminal_of
from jminesweeper.store.ports import StoreError, player_id

RETRY_AFTER_MS: Final = 5_000

MOST_PLAYERS: Final = 16
"""Who may say HELLO on one connection, one after the other. The store keeps everybody for good, so
nobody shall make up thousands of keys a second."""


def hello(seat: Seat, packet: Hello, now_ms: int) -> Effects:
    """Speak version 2 from now on; a player with a key is looked up first."""
    seat.terminal = terminal_of(packet)
    seat.wants_to_resume = bool(packet.features & Feature.RESUME)
    taste = seat.settings.taste(terminal_has_unicode=seat.terminal.has_unicode)
    if packet.format == ScreenFormat.PLAIN:
        seat.presenter = PlainPresenter()
    else:
        seat.presenter = AnsiPresenter(seat.terminal, taste)
    if packet.key and seat.config.has_store:
        return _introduce(seat, player_id(packet.key), printable(packet.name), now_ms)
    effects = _welcome(seat, now_ms)
    _regret(seat)
    return effects


def resize(seat: Seat, packet: Resize, _now_ms: int) -> Effects:
    seat.terminal = resized(seat.terminal, packet)
    if seat.presenter is not None:
        seat.presenter.resize(seat.terminal)
    return NO_EFFECTS


def take_entrance(seat: Seat, answer: Entrance | StoreError, now_ms: int) -> Effects:
    """Seat a player the store was asked for."""
    asked = seat.entering
    if asked is None:
        return NO_EFFECTS
    if isinstance(answer, StoreError):
        return _play_from_memory(seat, asked, now_ms)
    kept = answer.holding.game
    if kept is None:
        return _seat_player(seat, asked, answer, None, now_ms)
    return seat.rebuild(kept, partial(_seat_player, seat, asked, answer), now_ms)


def _seat_player(
    seat: Seat, asked: Enter, answer: Entrance, kept: Play | None, now_ms: int
) -> Effects:
    """Let a player sit down whose game has been taken out."""
    seat.retry_at_ms = None
    seat.settings = Settings.from_texts(answer.player.settings)
    seat.dress()
    seat.table.ledger.admit(asked.player, Keeper(asked.player, asked.owner, answer.holding))
    effects = (*_welcome(seat, now_ms), *_bring_together(seat, kept, now_ms))
    if kept is None and answer.holding.game is not None:
        seat.table.say(messages.UNREADABLE, Tone.BAD)
    elif seat.table.play is not kept:
        _regret(seat)
    return (*effects, Claimed(asked.player))


def retry(seat: Seat, now_ms: int) -> Effects:
    """Ask again for a player whom the store could not let in, when it is time."""
    if seat.retry_at_ms is None or now_ms < seat.retry_at_ms or seat.entering is None:
        return NO_EFFECTS
    return (Ask(seat.entering),)


def _introduce(seat: Seat, player: str, name: str, now_ms: int) -> Effects:
    """Ask the store for a player, who may be another one than before."""
    known = seat.entering
    if known is not None and (known.player, known.name) == (player, name):
        return _welcome(seat, now_ms)
    if known is None or known.player != player:
        if seat.players == MOST_PLAYERS:
            return seat.warn(messages.TOO_MANY_PLAYERS)
        seat.players += 1
    effects = NO_EFFECTS
    if known is not None and known.player != player:
        effects = seat.table.leave(now_ms)
        seat.table.ledger.admit("", None)
        # What lies open lists the first player's saves, or asks about the first player's game.
        seat.navigator.layers.clear()
    draw = seat.config.tokens or seat.entropy
    seat.entering = Enter(player, name, f"{draw(128):032x}")
    return (*effects, Ask(seat.entering))


def _play_from_memory(seat: Seat, asked: Enter, now_ms: int) -> Effects:
    is_news = seat.retry_at_ms is None
    seat.retry_at_ms = now_ms + RETRY_AFTER_MS
    seat.table.ledger.admit(asked.player, None)
    effects = _welcome(seat, now_ms)
    if is_news:
        seat.table.say(messages.STORE_TROUBLE, Tone.WARNING)
    return effects


def _bring_together(seat: Seat, kept: Play | None, now_ms: int) -> Effects:
    """Choose between the game that waits and the one at hand: nobody has two.

    What was played here is played on, and what waits is given up for it, as any new game does.
    """
    table, ledger = seat.table, seat.table.ledger
    play = table.play
    if play is None or play.is_over or not play.game.was_played:
        if kept is not None and table.take_up(kept, now_ms):
            seat.navigator.layers.clear()
        elif play is not None:
            _adopt(seat, play)
        return NO_EFFECTS
    given_up = NO_EFFECTS
    if kept is not None and kept.code != play.code:
        given_up = _give_up(seat, kept, now_ms)
    _adopt(seat, play)
    return (*given_up, *ledger.keep(play, now_ms))


def _regret(seat: Seat) -> None:
    """Tell who came for the game that waits that there is none, in the new one."""
    play = seat.table.play
    if seat.wants_to_resume and play is not None and not play.game.was_played:
        seat.table.say(messages.NO_GAME_WAITED, Tone.WARNING)


def _adopt(seat: Seat, play: Play) -> None:
    """Make a game the player's that nobody known had begun.

    It counts apart if it was played already, or else only games that go well would be made known,
    and so does the board of the day: whether this player has seen it was not asked.
    """
    if play.code:
        return
    play.code = seat.table.ledger.new_code()
    if play.game.was_played or play.title.daily:
        play.entitle(replace(play.title, is_repeat=True))


def _give_up(seat: Seat, kept: Play, now_ms: int) -> Effects:
    if kept.is_over or not kept.game.was_played:
        return NO_EFFECTS
    kept.game.terminate()
    return seat.table.ledger.record(kept, now_ms)


def _welcome(seat: Seat, now_ms: int) -> Effects:
    """Show the menu to whoever has no game."""
    if seat.table.play is not None or seat.navigator.layers:
        return NO_EFFECTS
    return open_menu(seat, now_ms)
