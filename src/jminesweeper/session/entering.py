"""How a player enters: HELLO, and what the store knows of the player who said it.

A failing store keeps nobody from playing: it is asked for the player again from time to time, and
what was played in between is stored from then on. At first a screen says so; after some time a
game begins, beside the one in the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.protocol.packets import Hello
from jminesweeper.protocol.vocabulary import Feature
from jminesweeper.session.keeping import RETRY_AFTER_MS, drop_copies, store_asides
from jminesweeper.session.main_menu import main_menu
from jminesweeper.session.match import Match
from jminesweeper.session.menus import Menu, Pick, Row
from jminesweeper.session.names import player_name
from jminesweeper.session.others import Waiting
from jminesweeper.session.player import Player
from jminesweeper.session.saves import rebuild
from jminesweeper.session.settings import Settings
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow
from jminesweeper.store import Enter, Entrance, RunningGame, StoreError, player_id

MOST_PLAYERS: Final = 16
"""Who may say HELLO on one connection, one after the other. Each one is looked up in the store, so
nobody may make up thousands of keys a second."""
RETRY_WAITING_MS: Final = 2_000
LONGEST_WAIT_MS: Final = 20_000
"""How long a player waits for a store before a game begins without it."""
# Plain numbers: combining an IntFlag takes microseconds.
_RESUME: Final = int(Feature.RESUME)
_LIVE: Final = int(Feature.LIVE)


def hello(player: Player, packet: Hello) -> None:
    """Speak version 2 from now on; look a player with a key up first."""
    player.has_view = True
    player.wants_to_resume = bool(packet.features & _RESUME)
    player.is_live = bool(packet.features & _LIVE)
    if packet.key and player.config.has_store:
        _introduce(player, player_id(packet.key), player_name(packet.name))
    else:
        _welcome(player)
        _say_if_nothing_waited(player)


def retry(player: Player) -> None:
    """Ask the store for a player again when it is time, if it failed before."""
    layer = player.talks.layer
    if isinstance(layer, StoreWait) and player.now_ms >= layer.until_ms:
        player.answer_talk(Pick("play"))
        return
    is_due = player.retry_at_ms is not None and player.now_ms >= player.retry_at_ms
    if is_due and player.entering is not None:
        player.begin_talk(_enter(player, player.entering))


def _introduce(player: Player, key: str, name: str) -> None:
    """Ask the store for a player, who may not be the one before."""
    known = player.entering
    if known is not None and (known.player, known.name) == (key, name):
        _welcome(player)
        return
    if known is None or known.player != key:
        if player.greeted == MOST_PLAYERS:
            player.say("players")
            return
        player.greeted += 1
    if known is not None and known.player != key:
        player.leave()
        player.lease.end()
        player.others.forget()
        # The open menu lists the first player's saves, or asks about the first player's game.
        player.talks.close()
    player.entering = Enter(key, name, f"{player.tokens(128):032x}")
    player.begin_talk(_enter(player, player.entering))


def _enter(player: Player, asked: Enter) -> Flow:
    """Let a player in, and settle between the current match and the game that waits."""
    try:
        entrance: Entrance = yield asked
        kept = entrance.game
        match = None if kept is None else (yield from rebuild(player, kept))
    except StoreError:
        is_news = player.retry_at_ms is None
        _play_from_memory(player, asked)
        if is_news and not (player.match is not None and player.match.game.was_played):
            return (yield from _wait_for_store(player))
    else:
        _let_in(player, asked.owner, entrance)
        if kept is not None and match is None:
            player.say("unreadable")
        waiting = _waiting(player, kept, match)
        at_hand = player.match
        if at_hand is None or at_hand.is_over or not at_hand.game.was_played:
            return (yield from _go_on(player, waiting, is_new=kept is None or match is not None))
        yield from _play_on_beside(player, at_hand, waiting)
    _welcome(player)
    return STAY


class StoreWait(Menu):
    """Covers the board while the store is asked repeatedly for a player's games."""

    def __init__(self, until_ms: int) -> None:
        rows = (
            Row("again", "Try again", help="The server tries by itself; your games are kept."),
            Row("play", "Play meanwhile", help="Play a new board; the waiting game is kept."),
        )
        super().__init__(
            "wait", "Your games cannot be read now", rows, asks_again_ms=RETRY_WAITING_MS
        )
        self.until_ms = until_ms


def _wait_for_store(player: Player) -> Flow:
    """Wait for the store for some time; then, or if the player prefers, play without it.

    The game that waits there is kept, no matter what is played now.
    """
    player.retry_at_ms = player.now_ms + RETRY_WAITING_MS
    menu = StoreWait(player.now_ms + LONGEST_WAIT_MS)
    while (pick := (yield menu)) is None or pick.row == "again":
        # It is asked as soon as this packet is done.
        player.retry_at_ms = player.now_ms
    player.retry_at_ms = player.now_ms + RETRY_AFTER_MS
    player.say("store.trouble")
    if player.match is None:
        return (yield from main_menu(player))
    return LEAVE_MENUS


def _waits_for_store(player: Player) -> bool:
    return any(isinstance(talk.layer, StoreWait) for talk in player.talks.stack)


def _let_in(player: Player, owner: str, entrance: Entrance) -> None:
    player.retry_at_ms = None
    if _waits_for_store(player):
        player.hush()
        player.talks.close()
    player.settings = Settings.from_texts(entrance.player.settings)
    player.lease.grant(entrance, owner)
    player.out.claim(entrance.player.id)


def _waiting(player: Player, kept: RunningGame | None, match: Match | None) -> Waiting | None:
    """Return the game that waits, if it can be resumed and was not set aside here."""
    if kept is None or match is None or match.is_over or match.code in player.others.asides:
        return None
    return Waiting(match, kept)


def _go_on(player: Player, waiting: Waiting | None, *, is_new: bool) -> Flow:
    """Resume what waits if the player wants that, or continue the current match."""
    if waiting is not None and (player.wants_to_resume or not waiting.match.game.was_played):
        player.take_up(*waiting)
        return STAY
    if player.match is not None:
        _adopt(player, player.match)
    if waiting is not None:
        return (yield from _ask_to_resume(player, waiting))
    if is_new:
        _say_if_nothing_waited(player)
    yield from store_asides(player)
    _welcome(player)
    return STAY


def _ask_to_resume(player: Player, waiting: Waiting) -> Flow:
    """Ask whether to resume what waits; nothing happens to it before the answer."""
    board = waiting.match.variant.board
    is_kept = player.lease.is_kept_aside(waiting.match)
    otherwise = (
        "The waiting game is kept under Saves."
        if is_kept
        else "Your first move then ends the waiting game."
    )

    def rows() -> Sequence[Row]:
        label = waiting.match.variant.label
        return (
            Row("resume", "Resume", label, help="It continues where you left it."),
            Row("new", "New game", _board_otherwise(player), help=otherwise),
        )

    player.others.offer(waiting)
    player.hush()
    pick: Pick | None = yield Menu("resume", f"Your {board} game is waiting", rows)
    wanted, player.others.wanted = player.others.wanted, None
    if pick is not None and pick.row == "resume":
        player.others.waiting = None
        player.take_up(*waiting)
        yield from drop_copies(player, waiting.kept)
        return LEAVE_MENUS
    if wanted is not None:
        flow = wanted.begin()
        return LEAVE_MENUS if flow is None else (yield from flow)
    if player.match is None:
        return (yield from main_menu(player))
    kept = player.make_room()
    if kept:
        player.say("kept", board=kept)
    return LEAVE_MENUS


def _board_otherwise(player: Player) -> str:
    """Name the board that is played if the waiting game is not resumed."""
    if player.others.wanted is not None:
        return player.others.wanted.board
    return "" if player.match is None else player.match.variant.label


def _play_on_beside(player: Player, match: Match, waiting: Waiting | None) -> Flow:
    """Continue what was played here; what waits is kept, so nobody has two running games."""
    if waiting is not None and waiting.match.code != match.code:
        if player.lease.is_kept_aside(waiting.match):
            player.others.set_aside(*waiting, player.config.seconds(player.now_ms))
            player.say("kept", board=waiting.match.variant.board)
        else:
            _give_up(player, waiting.match)
    yield from store_asides(player)
    _adopt(player, match)
    player.keep()
    return STAY


def _play_from_memory(player: Player, asked: Enter) -> None:
    is_news = player.retry_at_ms is None
    wait_ms = RETRY_WAITING_MS if _waits_for_store(player) else RETRY_AFTER_MS
    player.retry_at_ms = player.now_ms + wait_ms
    player.lease.name_player(asked.player)
    if is_news:
        player.say("store.trouble")


def _give_up(player: Player, waiting: Match) -> None:
    """Record a match that waited and is not resumed as given up."""
    if waiting.was_acted_on and not waiting.is_over:
        waiting.game.terminate()
        player.lease.record(waiting, player.now_ms)


def _adopt(player: Player, match: Match) -> None:
    """Give an anonymous player's match to the player who has now said who it is.

    It becomes a repeat if it was played already, or people would say who they are only when a
    game goes well. So does the board of the day: nobody asked whether this player has seen it.
    """
    if match.code:
        return
    match.code = player.lease.new_code()
    if match.game.was_played or match.variant.daily:
        match.play_as(match.variant.as_repeat())


def _say_if_nothing_waited(player: Player) -> None:
    """Tell a player who asked to resume that no game was waiting."""
    match = player.match
    if player.wants_to_resume and match is not None and not match.game.was_played:
        player.say("waited.none")


def _welcome(player: Player) -> None:
    """Show the menu to a player without a game."""
    if player.match is None and player.talks.layer is None:
        player.begin_talk(main_menu(player))
