"""A session: packets and the time go in, replies come out.

`handlers` says what a packet does to the player; what that entails is collected on the way
(`reply.Outbound`), and the reply is what there is to see then. A handler that needs an answer first
begins a dialog (`talks`), and the reply holds the question. A reply that shows what is not stored
yet says what it waits for.

A session reads no socket, clock or file, and has no randomness that it was not given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, assert_never

from jminesweeper.core.generator import RandomBits
from jminesweeper.frames.frame import paint_page
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Hello, Packet, encode_screen
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session import board, entering, rounds, watching
from jminesweeper.session.classic import ClassicPresenter, announce
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.handlers import HANDLERS, Mode
from jminesweeper.session.matches import Matches
from jminesweeper.session.messages import Message, farewell
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Effects, Event, Moved, Reply, Reviewed, Ticked, Wait
from jminesweeper.session.seat import NOTE_LATER_MS
from jminesweeper.session.view import Known, Viewer
from jminesweeper.session.watching import WatchPage

# A mode is looked up with every key.
_AT_BOARD, _IN_MENUS = HANDLERS[Mode.BOARD], HANDLERS[Mode.MENU]
_REFRESH: Final = Command.REFRESH


class Session:
    """What one player sees and may do, from the first packet to the last."""

    def __init__(self, config: SessionConfig, entropy: RandomBits, matches: Matches) -> None:
        self._player = Player(config, entropy, matches)
        self._stack = self._player.talks.stack
        self._classic = ClassicPresenter()
        self._has_announced = False
        self._viewer = Viewer()
        self._is_unasked = False
        """No packet began the dialog that is under way."""

    def arrive(self, address: str, on_change: Callable[[bool], object]) -> None:
        """Learn where the player comes from, and whom to tell that somebody changed the match."""
        self._player.account.address = address
        self._player.on_change = on_change

    @property
    def player_id(self) -> str:
        """Who plays here; empty until the store has let a player in."""
        account = self._player.account
        return account.id if account.is_in else ""

    @property
    def is_stale(self) -> bool:
        """Whether the match has changed since it was drawn."""
        player = self._player
        seat, sitting, layer = player.seat, player.sitting, player.talks.layer
        return (
            (seat is not None and seat.match.changes != seat.seen)
            or (sitting is not None and sitting.table.changes != sitting.seen)
            or (isinstance(layer, WatchPage) and layer.is_stale)
        )

    @property
    def shows_every_s(self) -> float:
        """How often to show what others do, at most."""
        return 0.1 if isinstance(self._player.talks.layer, WatchPage) else 1 / 30

    def receive(self, packet: Packet, now_ms: int) -> Reply:
        """Carry out one packet; the reply is what there is to see afterwards."""
        player = self._player
        player.now_ms = now_ms
        self._is_unasked = False
        if packet is _REFRESH:
            self._viewer.forget_clock()
        elif player.seat is not None:
            player.seat.flash = ()
        kind = packet if packet.__class__ is Command else packet.__class__
        if kind is Hello:
            self._viewer = Viewer()
        handle = (_IN_MENUS if self._stack else _AT_BOARD).get(kind)
        if handle is not None:
            if player.sitting is not None and (why := rounds.refusal(player, kind, packet)):
                player.say(why)
            else:
                handle(player, packet)
        return self._reply()

    def resolve(self, answer: object, now_ms: int) -> Reply:
        """Continue with the answer to the last question."""
        player = self._player
        player.now_ms = now_ms
        player.answer_talk(answer)
        return self._reply()

    def notice(self, event: Event, now_ms: int) -> Reply:
        """Process an event. The reply has no screen: `show` draws what has changed."""
        player = self._player
        player.now_ms = now_ms
        match event:
            case Reviewed(review, figures):
                if player.seat is not None:
                    player.seat.take_review(review, figures or ())
            case Moved(code):
                self._is_unasked = True
                entering.follow(player, code)
            case Ticked():
                self._is_unasked = True
                self._keep_up()
                watching.be_seen(player)
                player.note(NOTE_LATER_MS)
            case _:
                assert_never(event)
        return b"", player.out.take()

    def show(self, now_ms: int) -> Reply:
        """Draw the match without being asked, as others left it, if the client accepts that."""
        player = self._player
        player.now_ms = now_ms
        self._is_unasked = True
        was_in_menu = bool(self._stack)
        self._keep_up()
        if player.out.question is not None or not (
            player.client.is_live and player.client.has_view
        ):
            return b"", player.out.take()
        if was_in_menu and self._stack and not isinstance(player.talks.layer, WatchPage):
            return b"", player.out.take()
        return self._draw()

    def _keep_up(self) -> None:
        """Do what follows from what others did in the room, or in the game that is watched."""
        player = self._player
        if player.account.retry_at_ms is not None:
            entering.retry(player)
        if player.sitting is not None or player.search is not None:
            rounds.keep_up(player)
        if player.client.has_view and not (player.seat or self._stack or player.out.closes):
            entering.welcome(player)
        if self._stack:
            watching.keep_up(player)

    def draw_again(self, wait: Wait, replies: int, now_ms: int) -> Sequence[Reply]:
        """Draw replies again that have waited, from what the client knew before the first one.

        There may be none that were asked for; what the client was not told is forgotten all the
        same.
        """
        self._player.now_ms = now_ms
        self._is_unasked = False
        if isinstance(wait.before, Known):
            self._viewer.go_back(wait.before)
        return [self._draw() for _ in range(replies)]

    def reject(self, error: ProtocolError, now_ms: int) -> Reply:
        """Answer bytes that are not a packet with a last screen that says so."""
        self._player.out.closes = True
        screen = self.farewell(str(error), now_ms, is_final=True)
        return screen, self._player.out.take()

    def farewell(self, text: str, now_ms: int, *, is_final: bool = False) -> bytes:
        """Return a last screen that nobody asked for; the connection ends with it.

        A final one stops the client from reconnecting on its own.
        """
        self._player.now_ms = now_ms
        return self._part(farewell(text), is_final=is_final)

    def leave(self, now_ms: int) -> Effects | None:
        """End the session, and store or end the game."""
        player = self._player
        player.now_ms = now_ms
        watching.depart(player)
        player.leave()
        return player.out.take()

    def _reply(self) -> Reply:
        player, out = self._player, self._player.out
        if out.question is None and player.client.has_view:
            self._keep_up()
        if out.question is not None:
            return b"", out.take()
        if (seat := player.seat) is not None and (self._stack or seat.is_covered):
            seat.cover(player.now_ms, is_covered=player.talks.layer is not None)
        if player.account.held is not None:
            player.note()
        if out.parcel:
            parcel, out.parcel = out.parcel, b""
            return parcel, out.take()
        if out.closes:
            screen = self._part(player.message, is_final=True) if player.message.id else b""
            return screen, out.take()
        if self._is_unasked and not player.client.is_live:
            return b"", out.take()
        return self._draw()

    def _draw(self) -> Reply:
        """Draw the screen, and say what it waits for."""
        player = self._player
        if not player.client.has_view:
            screen = self._classic.present(player)
            if not self._has_announced:
                self._has_announced = True
                screen = announce(screen)
            return screen, player.out.take()
        seat, wait = player.seat, None
        if player.sitting is not None:
            player.sitting.seen = player.sitting.table.changes
        if seat is not None:
            match = seat.match
            if match.changes != seat.seen:
                board.catch_up(player, seat)
            journal = match.journal
            if journal is not None and not journal.may_show(journal.length):
                wait = Wait(journal, journal.length, self._viewer.known)
        return self._viewer.write(player, unasked=self._is_unasked), player.out.take(wait)

    def _part(self, said: Message, *, is_final: bool) -> bytes:
        if self._player.client.has_view:
            return self._viewer.write_farewell(said, is_final=is_final)
        return encode_screen(paint_page(("", f"  {said.text}", "")))
