"""What a player may see of the games of others, and of days whose board is still to be played."""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta
from typing import Any

from jminesweeper.core.setup import Setup
from jminesweeper.records.documents import GameDocument, PlayerDocument
from jminesweeper.records.journal import Journal
from jminesweeper.records.keys import daily_code, game_key, player_key
from jminesweeper.records.players import Held, Opened
from jminesweeper.session.choosing import board_of_day
from jminesweeper.session.match import Match
from jminesweeper.session.player import Player
from jminesweeper.session.saves import rebuild
from jminesweeper.session.settings import NOBODY_WATCHES, Settings
from jminesweeper.session.talks import Flow
from jminesweeper.store.port import Found, Read


def open_match(player: Player, opened: Opened) -> Generator[Any, Any, Match | None]:
    game = yield from rebuild(opened)
    if game is None:
        return None
    held = player.account.held or Held(player.token, player.tokens)
    journal = Journal.of(opened, game, held, player.tokens)
    return player.matches.find(opened.code) or Match(game, journal, opened.game.begun_at_ms)


def see_record(player: Player, opened: Opened) -> Generator[Any, Any, tuple[str, Match] | None]:
    """Return whose game this is, and the game, if this player may see it; else say why not."""
    name = yield from player_to_watch(player, opened.game)
    if name is None:
        player.say("watch.nobody")
        return None
    match = yield from open_match(player, opened)
    if match is None:
        player.say("unreadable")
    elif (yield from may_see(player, match.game.setup)):
        return name, match
    return None


def player_to_watch(player: Player, game: GameDocument) -> Generator[Any, Any, str | None]:
    """Return whose game this is; None if its player lets nobody watch."""
    owner = next(iter(game.seats), "")
    if not owner:
        return ""
    found: Found = yield Read((player_key(owner),))
    (document,) = found.documents
    if not document.version:
        return ""
    seat = PlayerDocument.parse(owner, document.body)
    watchers = Settings.from_texts(seat.settings).watchers
    is_closed = watchers == NOBODY_WATCHES and owner != player.account.id
    return None if is_closed else seat.name


def may_see(player: Player, setup: Setup) -> Flow:
    """Whether a player may see this board: one of a day only who does not play it any more.

    Where midnight has come since it was begun, it still is to be finished first.
    """
    today, account = player.config.today(player.now_ms), player.account
    yesterday = today - timedelta(1)
    board = setup.variant if setup.variant.daily else None
    board = board or board_of_day(setup, today) or board_of_day(setup, yesterday)
    if board is None:
        return True
    may_see = board.daily != today
    if account.is_in:
        code, match = daily_code(account.id, board), player.match
        found: Found = yield Read((game_key(code),))
        (document,) = found.documents
        if document.version:
            may_see = GameDocument.parse(document.body).outcome is not None
        elif match is not None and match.code == code:
            may_see = False
    if not may_see:
        player.say("watch.daily")
    return may_see
