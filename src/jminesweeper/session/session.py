"""A session: packets and the time go in, replies come out.

`handlers` says what a packet does to the player; what that entails is collected on the way
(`reply.Outbound`), and the reply is what there is to see then. A handler that needs an answer first
begins a dialog (`talks`), and the reply holds the question.

A session reads no socket, clock or file, and has no randomness that it was not given.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from jminesweeper.core.generator import RandomBits
from jminesweeper.frames.frame import paint_page
from jminesweeper.protocol.encode import encode_screen
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Hello, Packet
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session import entering
from jminesweeper.session.archive import tell_best
from jminesweeper.session.classic import ClassicPresenter, announce
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.handlers import HANDLERS, Mode
from jminesweeper.session.keeping import store_asides
from jminesweeper.session.messages import Message, farewell
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Claimed, Event, Reply, Reviewed
from jminesweeper.session.view import Viewer
from jminesweeper.store import FencedError, Operation, UnknownPlayerError

# A mode is looked up with every key.
_AT_BOARD, _IN_MENUS = HANDLERS[Mode.BOARD], HANDLERS[Mode.MENU]
_REFRESH: Final = Command.REFRESH


class Session:
    """What one player sees and may do, from the first packet to the last."""

    __slots__ = ("_classic", "_has_announced", "_player", "_stack", "_viewer")

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self._player = Player(config, entropy)
        self._stack = self._player.talks.stack
        self._classic = ClassicPresenter()
        self._has_announced = False
        self._viewer = Viewer()

    def receive(self, packet: Packet, now_ms: int) -> Reply:
        """Carry out one packet; the reply is what there is to see afterwards."""
        player = self._player
        player.now_ms = now_ms
        if packet is _REFRESH:
            self._viewer.forget_clock()
        else:
            player.flash = ()
        kind = packet if packet.__class__ is Command else packet.__class__
        if kind is Hello:
            self._viewer = Viewer()
        handle = (_IN_MENUS if self._stack else _AT_BOARD).get(kind)
        if handle is not None:
            handle(player, packet)
        if player.retry_at_ms is not None and player.out.is_empty:
            entering.retry(player)
        return self._reply()

    def resolve(self, answer: object, now_ms: int) -> Reply:
        """Continue with the answer to the last question."""
        player = self._player
        player.now_ms = now_ms
        player.answer_talk(answer)
        if player.retry_at_ms is not None and player.out.question is None:
            entering.retry(player)
        return self._reply()

    def notice(self, event: Event, now_ms: int, *, may_show: bool) -> Reply:
        """Process an event.

        The reply has a view, marked as unasked, if the event changed it, it may be shown now, and
        the client accepts such frames; otherwise the change shows with the next packet.
        """
        player = self._player
        player.now_ms = now_ms
        has_changed = False
        match event:
            case Claimed():
                player.lease.confirm()
            case Reviewed(review, figures):
                has_changed = player.review is review and bool(figures)
                if player.review is review:
                    player.review, player.review_figures = None, figures or ()
            case _:
                assert_never(event)
        can_show = may_show and player.is_live and player.has_view
        if has_changed and can_show and not self._stack:
            return Reply(self._viewer.write(player, unasked=True), player.out.take())
        return Reply(b"", player.out.take())

    def settle(self, operation: Operation[Any], answer: object) -> None:
        """Process the answer to a write or a note."""
        player = self._player
        lease = player.lease
        lease.settle(operation, answer)
        if isinstance(answer, FencedError) and lease.covers(operation):
            player.let_go()
        elif isinstance(answer, UnknownPlayerError) and lease.covers(operation):
            # The store is new and empty: introduce the player again.
            player.retry_at_ms = 0

    def reject(self, error: ProtocolError, now_ms: int) -> Reply:
        """Answer bytes that are not a packet with a last screen that says so."""
        self._player.out.close()
        screen = self.farewell(str(error), now_ms, is_final=True)
        return Reply(screen, self._player.out.take())

    def farewell(self, text: str, now_ms: int, *, is_final: bool = False) -> bytes:
        """Return a last screen that nobody asked for; the connection ends with it.

        A final one stops the client from reconnecting on its own.
        """
        self._player.now_ms = now_ms
        return self._part(farewell(text), is_final=is_final)

    def leave(self, now_ms: int) -> Reply:
        """End the session, and store or end the game."""
        self._player.now_ms = now_ms
        self._player.leave()
        return Reply(b"", self._player.out.take())

    def _reply(self) -> Reply:
        player, out = self._player, self._player.out
        is_held = player.lease.is_held
        if is_held and player.others.are_due and out.question is None:
            player.begin_talk(store_asides(player))
        if is_held and player.is_best_due and out.question is None:
            player.begin_talk(tell_best(player))
        if out.question is not None:
            return Reply(b"", out.take())
        if self._stack or player.is_covered:
            player.cover()
        if is_held:
            player.note()
        if out.is_empty:
            # The same as Reply(screen), in half the time: most packets end here.
            return tuple.__new__(Reply, (self._screen(), None))
        if out.parcel:
            return Reply(out.parcel, out.take())
        if out.closes and player.has_quit:
            return Reply(b"", out.take())
        if out.closes:
            return Reply(self._part(player.message, is_final=True), out.take())
        return Reply(self._screen(), out.take())

    def _screen(self) -> bytes:
        if self._player.has_view:
            return self._viewer.write(self._player)
        screen = self._classic.present(self._player)
        if self._has_announced:
            return screen
        self._has_announced = True
        return announce(screen)

    def _part(self, said: Message, *, is_final: bool) -> bytes:
        if self._player.has_view:
            return self._viewer.write_farewell(said, is_final=is_final)
        return encode_screen(paint_page(("", f"  {said.text}", "")))
