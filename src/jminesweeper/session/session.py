"""A session: packets and the time go in, replies come out.

The way of a packet is told by `Session`, from top to bottom. `receive` finds its handler, by its
kind and by whether a layer covers the board; the two tables are at the end. A packet that is not in
the table does nothing, and one that the player has no right to is refused (`rights`). A handler
does something to the player, and returns nothing: `board` has the actions at the board, `entering`,
`saves`, `rounds` and the modules beside them the others, and the handlers of menus are here.
`_reply` then follows the room or the game that is watched. `_compose` takes in what others did to
the match, makes the screen (`ground`, `view`), and names the entries of the game that have to be
stored before it may leave.

What an action entails besides the screen is collected on the way (`reply.Outbound`). A handler that
needs an answer first begins a dialog (`talks`), and the reply holds the question; `resolve`
continues with the answer.

A session reads no socket, clock or file, and has no randomness that it was not given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, assert_never

from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.frames import paint_page
from jminesweeper.protocol import packets
from jminesweeper.protocol.packets import HEADER_BYTES, Hello, Packet, encode_screen
from jminesweeper.protocol.vocabulary import (
    ANNOUNCEMENT,
    DAILY_BOARD,
    SAME_BOARD,
    Command,
    LookBackAt,
    NewGameFlag,
    PickWhat,
    ProtocolError,
)
from jminesweeper.records.rooms import Parting
from jminesweeper.records.table import EVERY
from jminesweeper.session import (
    board,
    entering,
    looking_back,
    puzzles,
    room_menu,
    rounds,
    saves,
    together,
    watching,
)
from jminesweeper.session.archive import begin_daily
from jminesweeper.session.classic import ClassicPresenter
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.ground import has_moments, picture_of, scene_of
from jminesweeper.session.main_menu import MENUS, main_menu, play_code
from jminesweeper.session.matches import NOTE_LATER_MS, DueReview, Matches
from jminesweeper.session.messages import SILENCE, ChoiceError, Message, farewell, printable
from jminesweeper.session.player import Player, Wanted
from jminesweeper.session.reply import Effects, Event, Moved, Reply, Reviewed, Ticked, Wait
from jminesweeper.session.rights import REFUSED_ALONE, VERBS, Verb, VerbRule
from jminesweeper.session.settings import setup_of_start, setup_of_text
from jminesweeper.session.talks import AGAIN, Chosen, Flow, Menu, Page
from jminesweeper.session.view import Known, Viewer

# It is looked up with every key.
_REFRESH: Final = Command.REFRESH


class Session:
    """One player's screens and actions, from the first packet to the last."""

    __slots__ = ("_classic", "_has_announced", "_is_unasked", "_player", "_stack", "_viewer")

    def __init__(self, config: SessionConfig, entropy: RandomBits, matches: Matches) -> None:
        self._player = Player(config, entropy, matches)
        self._stack = self._player.talks.stack
        self._classic: ClassicPresenter | None = None
        """Draws the frames of version 1, until HELLO."""
        self._has_announced = False
        self._viewer = Viewer()
        self._is_unasked = False
        """No packet has asked for what is shown now, or for the dialog under way."""

    def receive(self, packet: Packet, now_ms: int) -> Reply:
        """Carry out one packet; the reply is the screen afterwards."""
        player = self._player
        player.now_ms = now_ms
        self._is_unasked = False
        kind = packet if packet.__class__ is Command else packet.__class__
        if kind is _REFRESH:
            self._viewer.forget_clock()
        elif kind is Hello:
            self._viewer.begin_anew()
        if kind is not _REFRESH and player.seat is not None:
            player.seat.flash = ()
        if (found := (UNDER_COVER if self._stack else AT_BOARD).get(kind)) is not None:
            handle, alone, in_room = found
            verb = alone if player.sitting is None else in_room
            if verb is not None and not isinstance(verb, Verb):
                verb = verb(packet)
            if verb is not None and (why := player.refusal(verb)).id:
                player.message = why
            else:
                try:
                    handle(player, packet)
                except ChoiceError as error:
                    player.message = error.said
        return self._reply()

    def resolve(self, answer: object, now_ms: int) -> Reply:
        """Continue with the answer to the last question."""
        player = self._player
        player.now_ms = now_ms
        player.talks.answer(answer)
        return self._reply()

    def _reply(self) -> Reply:
        """Bring the player up to date after a packet or an answer, and compose the screen."""
        player, out = self._player, self._player.out
        if out.question is None and player.client.has_view:
            self._catch_up()
        if out.question is not None:
            return b"", out.drain()
        if player.has_moved_on:
            watching.redirect_watchers(player)
        if (seat := player.seat) is not None:
            if self._stack or seat.is_covered:
                seat.cover(player.now_ms, is_covered=player.talks.layer is not None)
            if seat.match.is_kept:
                player.note()
        if out.reply_bytes:
            reply_bytes, out.reply_bytes = out.reply_bytes, b""
            return reply_bytes, out.drain()
        if out.closes:
            screen = self._compose_last(player.message, is_final=True) if player.message.id else b""
            return screen, out.drain()
        if self._is_unasked and not player.client.is_live:
            return b"", out.drain()
        return self._compose()

    def _catch_up(self) -> None:
        """Follow the room, the watched game, the search for an opponent and the store's return."""
        player = self._player
        if player.account.retry_at_ms is not None:
            entering.retry(player)
        if player.search is not None:
            together.keep_looking(player)
        sitting = player.sitting
        if sitting is not None and sitting.followed != sitting.table.changes:
            rounds.follow_room(player, sitting)
        is_nowhere = not (player.seat or player.sitting or self._stack or player.out.closes)
        if is_nowhere and player.client.has_view:
            entering.welcome(player)
        if player.talks.layer is not None and player.talks.layer.is_live:
            watching.follow(player)

    def _compose(self) -> Reply:
        """Compose the screen; the reply waits until the store has the entries that it shows."""
        player = self._player
        if not player.client.has_view:
            if self._classic is None:
                self._classic = ClassicPresenter()
            screen = self._classic.present(player)
            if not self._has_announced:
                self._has_announced = True
                screen = encode_screen(ANNOUNCEMENT + screen[HEADER_BYTES:])
            return screen, player.out.drain()
        seat, wait, known = player.seat, None, self._viewer.known
        if player.sitting is not None:
            player.sitting.seen = player.sitting.table.changes
        if seat is not None:
            match = seat.match
            if match.changes != seat.seen:
                board.catch_up(player, seat)
            journal, length = match.journal, len(match.game.log.entries)
            if not journal.may_show(length):
                wait = Wait(journal, length, known)
                match.owe(player.hear, length)
        # Others' actions are described and encoded once for all clients that knew the same.
        layer = player.talks.layer
        is_shared = player.sitting is not None or (layer is not None and layer.is_live)
        scene = scene_of(player) if is_shared else None
        is_alike = scene is not None and not has_moments(player, known)
        view = self._viewer.repeat(scene) if is_alike and self._is_unasked else None
        if view is None:
            picture = picture_of(player, known, scene)
            unasked = self._is_unasked
            view = self._viewer.write(picture, player.now_ms, unasked=unasked, is_alike=is_alike)
        return view, player.out.drain(wait)

    # What comes without a packet

    def notice(self, event: Event, now_ms: int) -> Reply:
        """Process an event. The reply has no screen: `show` sends what has changed."""
        player = self._player
        player.now_ms = now_ms
        match event:
            case Reviewed(review, found):
                if player.seat is not None:
                    player.seat.take_review(review, found.figures if found is not None else ())
                if review.code and found is not None:
                    due = DueReview(len(review.entries), found.verdict, now_ms)
                    player.matches.reviews[review.code] = due
            case Moved():
                self._is_unasked = True
                entering.follow(player)
            case Ticked():
                self._is_unasked = True
                self._catch_up()
                if player.has_moved_on:
                    watching.redirect_watchers(player)
                watching.publish_presence(player)
                player.note(NOTE_LATER_MS)
            case _:
                assert_never(event)
        return b"", player.out.drain()

    @property
    def is_stale(self) -> bool:
        """True if the screen has changed since it was sent."""
        player = self._player
        seat, sitting, layer = player.seat, player.sitting, player.talks.layer
        return (
            (seat is not None and seat.match.changes != seat.seen)
            or (sitting is not None and sitting.table.changes != sitting.seen)
            or (layer is not None and layer.is_live and layer.is_stale)
            or (player.search is not None and player.search.is_called)
        )

    @property
    def shows_every_s(self) -> float:
        """Least time between two views of the others' actions."""
        layer = self._player.talks.layer
        what = "watch" if layer is not None and layer.is_live else "show"
        return EVERY[what][0] / 1000

    def show(self, now_ms: int) -> Reply:
        """Show the match as others left it, unasked, if the client accepts that."""
        player, out = self._player, self._player.out
        player.now_ms = now_ms
        self._is_unasked = True
        was_covered = bool(self._stack)
        self._catch_up()
        layer, accepts = player.talks.layer, player.client.is_live and player.client.has_view
        is_at_rest = was_covered and self._stack and not (layer is not None and layer.is_live)
        if out.question is not None or not accepts or is_at_rest:
            return b"", out.drain()
        return self._compose()

    def renew(self, wait: Wait, replies: int, now_ms: int) -> Sequence[Reply]:
        """Compose replies again that have waited, from what the client knew before the first one.

        With no reply to renew the client's knowledge is still set back.
        """
        self._player.now_ms = now_ms
        self._is_unasked = False
        if isinstance(wait.before, Known):
            self._viewer.known = wait.before
        return [self._compose() for _ in range(replies)]

    # Beginning and end

    def arrive(
        self, address: str, hear: Callable[[bool], object], show: Callable[[], object]
    ) -> None:
        """Set the player's address, and the callbacks that hear of changes and show the news."""
        self._player.account.address = address
        self._player.hear, self._player.show = hear, show

    def come_from(self, address: str) -> None:
        """Take the player's address in place of a proxy's."""
        self._player.account.address = address

    def believe(self, account: str, login: str) -> None:
        """Set the account that a player has proved, and the name used to log in."""
        self._player.account.proven, self._player.account.login = account, login

    @property
    def player_id(self) -> str:
        """The player here; empty until the store has let them in."""
        account = self._player.account
        return account.held.id if account.is_in else ""

    @property
    def game_code(self) -> str:
        """The code of the match at hand; empty if there is none, or it is not stored."""
        match = self._player.match
        return "" if match is None else match.code

    def reject(self, error: ProtocolError, now_ms: int) -> Reply:
        """Answer bytes that are not a packet with a last screen that says so."""
        self._player.out.closes = True
        screen = self.farewell(str(error), now_ms, is_final=True)
        return screen, self._player.out.drain()

    def farewell(self, text: str, now_ms: int, *, is_final: bool = False) -> bytes:
        """Return a last screen, unasked; the connection ends with it.

        A final one stops the client from reconnecting on its own.
        """
        self._player.now_ms = now_ms
        return self._compose_last(farewell(text), is_final=is_final)

    def leave(self, now_ms: int) -> Effects | None:
        """End the session, and store or end the game."""
        player = self._player
        player.now_ms = now_ms
        watching.depart(player, Parting.LOST)
        player.leave()
        player.end()
        return player.out.drain()

    def _compose_last(self, said: Message, *, is_final: bool) -> bytes:
        if self._player.client.has_view:
            return self._viewer.write_farewell(said, is_final=is_final)
        return encode_screen(paint_page(("", f"  {said.text}", "")))


# Beginning and quitting a game


def _start(player: Player, packet: packets.Start) -> None:
    player.begin(setup_of_start(packet, player.entropy))


def _new_game(player: Player, packet: packets.NewGame) -> None:
    day = player.config.today(player.now_ms)
    match, layer = player.match, player.talks.layer
    asked = layer.id if isinstance(layer, Menu) else ""
    is_asked = asked in {"resume", "seat"}
    if packet.flags & NewGameFlag.IF_NONE and (match is not None or asked == "resume"):
        return
    setup = setup_of_text(
        packet.board, player.settings, match, player.entropy, config=player.config, day=day
    )
    if packet.flags & (NewGameFlag.AFTER_ASKING | NewGameFlag.IF_NONE) and is_asked:
        wanted = Wanted(setup.variant.label, partial(_begin, player, packet, setup))
        player.account.wanted = wanted
        if isinstance(layer, Menu):
            layer.refresh()
    elif (flow := _begin(player, packet, setup)) is not None:
        player.talks.begin(flow)


def _begin(player: Player, packet: packets.NewGame, setup: Setup) -> Flow | None:
    """Begin a game; the board of the day takes a talk with the store."""
    if packet.board.partition(" ")[0] == DAILY_BOARD:
        return begin_daily(player, setup)
    is_seen, match = packet.board == SAME_BOARD, player.match
    player.begin(setup, rival=match.rival if is_seen and match is not None else None)
    if setup.variant.is_repeat and not player.message.id:
        player.say("repeat.seen" if is_seen else "repeat.code")
    return None


def _quit(player: Player, _packet: Command) -> None:
    watching.depart(player, Parting.QUITS)
    player.leave()
    # Who quits needs no last screen.
    player.message = SILENCE
    player.out.closes = True


# Menus and pages


def _open_menu(player: Player, packet: packets.OpenMenu) -> None:
    """Open a menu or a page by its id."""
    usual = "main" if player.sitting is None else "room"
    flow = MENUS.get(packet.name or usual)
    if flow is None:
        player.say("bad.menu", name=printable(packet.name))
    else:
        player.message = SILENCE
        player.talks.begin(flow(player))


def _open_in_menu(player: Player, packet: packets.OpenMenu) -> None:
    """Go back, or open another menu in place of all; the help opens over them."""
    layer = player.talks.layer
    is_on_top = isinstance(layer, Menu | Page) and layer.id == packet.name
    player.message = SILENCE
    if not packet.name or is_on_top:
        player.talks.answer(None)
        return
    if packet.name in MENUS and packet.name != "help":
        player.talks.close()
        if player.match is None and packet.name != "main" and player.sitting is None:
            player.talks.begin(main_menu(player))
    _open_menu(player, packet)


def _pick(player: Player, packet: packets.Pick) -> None:
    player.message = SILENCE
    layer = player.talks.layer
    is_there = isinstance(layer, Menu) and layer.id == packet.menu
    row = layer.pick(packet.row) if isinstance(layer, Menu) and is_there else None
    if row is None:
        player.say("changed.menu")
    elif packet.what == PickWhat.DROP:
        if row.can_drop:
            player.talks.answer(Chosen(row.id, is_drop=True))
    elif packet.what == PickWhat.OTHER:
        if row.other:
            player.talks.answer(Chosen(row.id, is_other=True))
    elif (value := row.read(packet.value)) is not None:
        player.talks.answer(Chosen(row.id, value))


def _look_again(player: Player, _packet: Command) -> None:
    """Refresh a menu that changes by itself."""
    layer = player.talks.layer
    if isinstance(layer, Menu) and layer.asks_again_ms is not None:
        player.talks.answer(AGAIN)


def _look_back_in_menu(player: Player, packet: packets.LookBack) -> None:
    """Hand a game over, or play on; the rest of looking back is done at the board."""
    if packet.what in {LookBackAt.RECORDING, LookBackAt.PICTURE, LookBackAt.PLAY_ON}:
        looking_back.look(player, packet)


def _leave(player: Player, _packet: Command) -> None:
    """Leave the room, or stop watching."""
    layer = player.talks.layer
    if layer is not None and layer.is_live:
        player.message = SILENCE
        player.talks.answer(None)
    else:
        together.leave(player)


# Which packet does what


Handler: TypeAlias = Callable[[Player, Any], None]


def _with_verbs(
    handlers: Mapping[object, Handler],
) -> Mapping[object, tuple[Handler, VerbRule | None, VerbRule | None]]:
    """Add the verbs to look up for a player alone and for one in a room.

    Most packets come from players alone, and most verbs are never refused to them: then the first
    is None, and nothing is looked up.
    """
    table = {}
    for kind, handle in handlers.items():
        verb = VERBS.get(kind)
        is_free_alone = isinstance(verb, Verb) and verb not in REFUSED_ALONE
        table[kind] = handle, None if is_free_alone else verb, verb
    return table


_ALWAYS: Final[Mapping[object, Handler]] = {
    Command.QUIT: _quit,
    packets.Start: _start,
    packets.NewGame: _new_game,
    packets.Hello: entering.hello,
    packets.Load: saves.load,
    packets.Drop: saves.drop,
    packets.Code: play_code,
    packets.Join: together.join,
    packets.OpenRoom: together.open_new,
    packets.Ready: rounds.be_ready,
    packets.Say: rounds.say,
    packets.Watch: watching.watch,
    Command.LEAVE: _leave,
    Command.GIVE_UP: rounds.give_up,
}

AT_BOARD: Final = _with_verbs(
    {
        **_ALWAYS,
        **dict.fromkeys(board.STEPS, board.move),
        **dict.fromkeys(board.ACTIONS, board.act),
        packets.MoveTo: board.move_to,
        packets.Act: board.act_on,
        packets.Undo: board.undo,
        Command.TOGGLE_DEBUG_MODE: board.toggle_debug,
        Command.PAUSE: board.toggle_pause,
        packets.Hint: board.hint,
        packets.Odds: board.show_odds,
        packets.Seek: board.seek,
        packets.OpenMenu: _open_menu,
        packets.Save: saves.save,
        packets.LookBack: looking_back.look,
        packets.Pick: room_menu.set_up,
    }
)

UNDER_COVER: Final = _with_verbs(
    {
        **_ALWAYS,
        packets.OpenMenu: _open_in_menu,
        packets.Pick: _pick,
        Command.REFRESH: _look_again,
        packets.LookBack: _look_back_in_menu,
        packets.Replay: looking_back.show_position,
        packets.Odds: looking_back.show_odds,
        packets.Act: puzzles.answer,
        packets.Hint: puzzles.show_hint,
    }
)
"""While a layer covers the board."""
