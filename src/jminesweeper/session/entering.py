"""Entering: HELLO, and what the store knows of the player who said it.

A failing store keeps nobody from playing: the game begins at once, and says that it is not saved;
the store is asked for the player again from time to time, and what was played in between is stored
from then on, beside the game that waits there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Hello
from jminesweeper.protocol.vocabulary import Feature
from jminesweeper.records.keys import player_id
from jminesweeper.records.limits import MAX_LABEL_CHARS
from jminesweeper.records.meeting import find_room
from jminesweeper.records.players import PlayerCopy, enter, open_game
from jminesweeper.records.results import withdraw_end
from jminesweeper.records.rooms import Parting
from jminesweeper.session import board, together, watching
from jminesweeper.session.main_menu import main_menu
from jminesweeper.session.messages import SILENCE, player_name
from jminesweeper.session.opening import match_of, rebuild
from jminesweeper.session.player import RETRY_AFTER_MS, Client, Player, WaitingGame
from jminesweeper.session.settings import Settings
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Chosen, Dialog, Flow, Menu, Row
from jminesweeper.store.port import StoreError

MOST_PLAYERS: Final = 16
"""Players who may say HELLO on one connection, one after the other. Each is looked up in the store,
so nobody may make up thousands of keys a second."""


def hello(player: Player, packet: Hello) -> None:
    """Speak version 2 from now on; look a player with a key up first."""
    name = player_name(packet.name)[:MAX_LABEL_CHARS]
    proven = player.account.proven
    is_guest = not ((packet.key or proven) and player.config.has_store)
    player.client = Client(
        has_view=True,
        is_live=bool(packet.features & Feature.LIVE),
        is_bot=bool(packet.features & Feature.BOT),
        guest_name=name if is_guest else "",
    )
    player.account.wants_to_resume = bool(packet.features & Feature.RESUME)
    if is_guest:
        welcome(player)
        _say_if_nothing_waited(player)
        return
    # The player of this key may not be the one before.
    account, device = player.account, proven or player_id(packet.key)
    if (account.device, account.name) == (device, name) and account.is_in:
        welcome(player)
        return
    if account.device != device:
        if account.greeted == MOST_PLAYERS:
            player.say("players")
            return
        account.greeted += 1
        if player.sitting is not None or player.search is not None:
            # A guest's seat in a room is a guest's as well.
            together.depart(player)
        if account.device:
            watching.depart(player, Parting.LOST)
            player.leave()
            account.forget()
            # The open menu lists the first player's saves, or asks about the first player's game.
            player.talks.close()
    account.device, account.name, account.wanted = device, name, None
    player.talks.begin(_enter(player))


def retry(player: Player) -> None:
    """Ask the store for a player again when it is time, if it failed before."""
    account = player.account
    is_due = account.retry_at_ms is not None and player.now_ms >= account.retry_at_ms
    if is_due and player.sitting is None:
        player.talks.begin(_enter(player))


def follow(player: Player) -> None:
    """Show the game that this player has begun or resumed on another device.

    Who has begun another board here, or done what is not stored yet, is not taken away from it.
    """
    match = player.match
    if match is None or player.sitting is not None or player.talks.stack:
        return
    if match.journal.is_stored and match.journal.fault is None:
        player.talks.begin(_follow(player))


def _enter(player: Player) -> Flow:
    """Let a player in, and to the game that waits or has just ended."""
    account = player.account
    try:
        held = PlayerCopy(account.device, player.tokens, name=account.name, address=account.address)
        yield from enter(held)
        waiting, is_damaged = yield from _current_game(player, held)
    except StoreError:
        if account.retry_at_ms is None:
            player.say("store.trouble")
        account.retry_at_ms = player.now_ms + RETRY_AFTER_MS
        welcome(player)
        return STAY
    account.held, account.is_in, account.name = held, True, held.document.name
    account.retry_at_ms = None
    player.settings = Settings.from_texts(*held.document.settings.items())
    if held.is_renamed:
        player.put_settings(player.settings)
    if is_damaged:
        player.say("unreadable")
    match, wants = player.match, account.wants_to_resume
    was_played = match is not None and match.game.was_played
    is_busy = was_played and match is not None and not match.is_over
    if waiting is not None and waiting.match.is_over and (was_played or not wants):
        # Only who lost the connection as the game ended has not seen how.
        waiting = None
    may_resume = waiting is None or wants or not waiting.match.game.was_played
    resumed = waiting if may_resume and not is_busy else None
    _store_what_was_played(player, stays=was_played or resumed is None)
    if resumed is not None:
        seat = player.resume(*resumed)
        # It is stored already, and is stored again only once it differs.
        seat.noted = resumed.note
        if seat.match.is_over:
            board.tell_end(player, seat)
    elif waiting is not None and not is_busy:
        # A player who goes to a room first is asked after it.
        account.waiting = waiting
    if held.room and (yield from _ask_to_return(player, held.room)):
        return LEAVE_MENUS
    if resumed is not None:
        return STAY
    if is_busy:
        if waiting is not None:
            player.say("kept", board=waiting.match.variant.board)
        return STAY
    if waiting is not None:
        return (yield from _ask_to_resume(player, waiting))
    if account.wanted is not None:
        return (yield from _begin_wanted(player))
    if not is_damaged:
        _say_if_nothing_waited(player)
    welcome(player)
    return STAY


def _begin_wanted(player: Player) -> Flow:
    """Begin the game that was asked for while a question was open."""
    wanted, player.account.wanted = player.account.wanted, None
    flow = None if wanted is None else wanted.begin()
    return LEAVE_MENUS if flow is None else (yield from flow)


def _ask_to_return(player: Player, code: str) -> Flow:
    """Ask whether to return to the seat that is kept in a room."""
    if not player.client.is_live or player.sitting is not None:
        return STAY
    room = yield from find_room(code)
    if room is None or room.seat_of(player.token) is None:
        return STAY
    state = "A round is on." if room.round is not None else "Nobody plays there now."
    rows = (Row("return", "Return", room.variant.label, help=state), Row("stay", "Not now"))
    # News of the own game would read as an answer to the question.
    told = player.message
    player.message = SILENCE
    pick: Chosen | None = yield Menu("seat", f"Your seat in {code} is kept", rows)
    if pick is None or pick.row != "return":
        player.message = told
        return STAY
    player.account.wanted = None
    return (yield from together.sit_in(player, code))


def _current_game(player: Player, held: PlayerCopy) -> Dialog[tuple[WaitingGame | None, bool]]:
    """Read the current game in the store, over or not; also say whether it cannot be played."""
    code = held.document.current
    opened = (yield from open_game(code)) if code else None
    if opened is None:
        return None, False
    game = yield from rebuild(opened)
    if game is None:
        return None, True
    is_gone = game.status is Status.TERMINATED
    if opened.game.outcome is not None and not game.status.is_over:
        # A crash left it recorded as given up after it was resumed.
        player.begin_errand(withdraw_end(code, player.tokens))
    return (None if is_gone else match_of(player, held, opened, game)), False


def _store_what_was_played(player: Player, *, stays: bool) -> None:
    """Store what was played before the store let the player in; the match at hand, if it stays.

    A match that was played by nobody known becomes a repeat, or people would say who they are only
    when a game goes well. So does the board of the day: nobody asked whether this player has seen
    it.
    """
    account, match = player.account, player.match
    for ended in account.unstored:
        account.keep(ended)
        player.matches.note_change(ended)
    if match is None or match.is_kept or match.is_over or not stays:
        return
    if match.owner != account.device and (match.game.was_played or match.variant.daily):
        match.play_as(match.variant.as_repeat())
    account.keep(match)
    player.matches.note_change(match)


def _ask_to_resume(player: Player, waiting: WaitingGame) -> Flow:
    """Ask whether to resume the game that waits; nothing happens to it before the answer."""
    account, name = player.account, waiting.match.variant.board
    otherwise = (
        "The waiting game is kept under Saves."
        if waiting.match.is_worth_keeping
        else "Your first move then ends the waiting game."
    )

    def rows() -> Sequence[Row]:
        board = "" if player.match is None else player.match.variant.label
        if account.wanted is not None:
            board = account.wanted.board
        label = waiting.match.variant.label
        return (
            Row("resume", "Resume", label, help="It continues where you left it."),
            Row("new", "New game", board, help=otherwise),
        )

    account.waiting = waiting
    player.message = SILENCE
    pick: Chosen | None = yield Menu("resume", f"Your {name} game is waiting", rows)
    if pick is not None and pick.row == "resume":
        account.waiting = account.wanted = None
        # Another device may have played on while the question was open.
        waiting.match.journal.read_anew()
        player.resume(*waiting).noted = waiting.note
        return LEAVE_MENUS
    if account.wanted is not None:
        return (yield from _begin_wanted(player))
    if player.match is None:
        return (yield from main_menu(player))
    kept = player.put_aside_waiting()
    if kept:
        player.say("kept", board=kept)
    return LEAVE_MENUS


def _follow(player: Player) -> Flow:
    held, match = player.account.held, player.match
    try:
        yield from held.refresh()
        waiting, _ = yield from _current_game(player, held)
    except StoreError:
        return STAY
    if waiting is not None and waiting.match is not match and not waiting.match.is_over:
        player.resume(*waiting)
        player.say("elsewhere")
    return STAY


def _say_if_nothing_waited(player: Player) -> None:
    """Tell a player who asked to resume that no game was waiting."""
    match = player.match
    if player.account.wants_to_resume and match is not None and not match.game.was_played:
        player.say("waited.none")


def welcome(player: Player) -> None:
    """Show a player without a game the menu, or ask about the game that waits."""
    account = player.account
    if player.match is not None or player.talks.layer is not None or player.sitting is not None:
        return
    if account.waiting is not None:
        player.talks.begin(_ask_to_resume(player, account.waiting))
    else:
        player.talks.begin(main_menu(player))
