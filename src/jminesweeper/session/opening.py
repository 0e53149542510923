"""Games that were read from the store, as matches; and whose games a player may see.

Nobody sees the games of a player who lets nobody watch, or a board of a day on which they may still
rank themselves.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta
from typing import Any

from jminesweeper.core.actions import unpack_entries
from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.records.documents import (
    QUICK_LOG_BYTES,
    GameDocument,
    PlayerDocument,
    read_document,
)
from jminesweeper.records.journal import Journal
from jminesweeper.records.keys import daily_code, game_key, player_key
from jminesweeper.records.players import Opened, PlayerCopy
from jminesweeper.session.figures import Rival
from jminesweeper.session.matches import Match
from jminesweeper.session.player import Player, WaitingGame
from jminesweeper.session.reply import Rebuild
from jminesweeper.session.settings import NOBODY_WATCHES, Settings, board_of_day
from jminesweeper.session.talks import Dialog, Flow


def rebuild(opened: Opened) -> Dialog[Game | None]:
    """Replay the log of a game that was read; None if it cannot be played."""
    request = Rebuild(opened.game.setup, opened.entries)
    if len(opened.entries) <= QUICK_LOG_BYTES:
        return replay(request)
    game: Game | None = yield request
    return game


def replay(request: Rebuild) -> Game | None:
    try:
        return Game.replay(request.setup, unpack_entries(request.entries))
    except CoreError:
        return None


def match_of(player: Player, held: PlayerCopy, opened: Opened, game: Game) -> WaitingGame:
    """Make a match of a game that was read, or find the one that others here are at."""
    noted, match = opened.noted, player.matches.find(opened.code)
    if match is None:
        journal = Journal.of(opened, game, held, player.tokens)
        match = Match(game, journal, opened.game.begun_at_ms)
        match.rival = Rival.read(opened.game.rival) if opened.game.rival else None
        match.set_clock(noted.clock_ms, player.now_ms)
    return WaitingGame(match, noted)


def open_match(player: Player, opened: Opened) -> Generator[Any, Any, Match | None]:
    """Make a match of a game that somebody else may play."""
    game = yield from rebuild(opened)
    account = player.account
    held = account.held if account.is_in else PlayerCopy(player.token, player.tokens)
    return None if game is None else match_of(player, held, opened, game).match


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
    document = yield from read_document(player_key(owner))
    if not document.version:
        return ""
    seat = PlayerDocument.parse(owner, document.body)
    watchers = Settings.from_texts(*seat.settings.items()).watchers
    is_closed = watchers == NOBODY_WATCHES and owner != player.account.id
    return None if is_closed else seat.name


def may_see(player: Player, setup: Setup) -> Flow:
    """Return True if a player may see this board: not one of a day on which they may still rank.

    After midnight that is so of yesterday's board, too, if they have begun it.
    """
    today = player.config.today(player.now_ms)
    yesterday = today - timedelta(1)
    board = setup.variant if setup.variant.daily else None
    board = board or board_of_day(player.config, setup, today)
    board = board or board_of_day(player.config, setup, yesterday)
    if board is None:
        return True
    # They may, if it is new, or runs unseen; so may a guest on today's, who may be anybody.
    account, match, may_rank = player.account, player.match, board.daily == today
    if account.is_in:
        code = daily_code(account.id, board)
        document = yield from read_document(game_key(code))
        may_rank = may_rank or (match is not None and match.code == code)
        if document.version:
            game = GameDocument.parse(document.body)
            may_rank = not (game.outcome or game.is_given_up or game.variant.is_repeat)
    if may_rank:
        player.say("watch.daily")
    return not may_rank
