"""A session: packets and the time go in, replies come out.

`handlers` says what a packet does to the player; what that entails is collected on the way
(`reply.Outbound`), and the reply is the resulting screen. A handler that needs an answer first
begins a dialog (`talks`), and the reply holds the question.

A session reads no socket, clock or file, and has no randomness that it was not given.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from jminesweeper.core.generator import RandomBits
from jminesweeper.frames.frame import paint_page
from jminesweeper.protocol.encode import encode_screen
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command, PatchFlag
from jminesweeper.screen.models import GameScreen, ScreenModel
from jminesweeper.session import entering, messages
from jminesweeper.session.archive import tell_best
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.handlers import HANDLERS, Mode
from jminesweeper.session.keeping import store_asides
from jminesweeper.session.menus import Page
from jminesweeper.session.player import Player
from jminesweeper.session.presenters import NO_FLAGS, ClassicPresenter, announce
from jminesweeper.session.reply import Claimed, Event, Reply, Reviewed
from jminesweeper.session.showing import (
    after_a_while,
    game_screen,
    interrupted_screen,
    page_of,
    screen_of,
)
from jminesweeper.session.talks import Flow
from jminesweeper.store import FencedError, Operation, UnknownPlayerError

# A mode is looked up with every key.
_AT_BOARD, _IN_MENUS = HANDLERS[Mode.BOARD], HANDLERS[Mode.MENU]
_REFRESH: Final = Command.REFRESH


class Session:
    """What one player sees and may do, from the first packet to the last."""

    __slots__ = ("_classic", "_has_announced", "_player", "_shown", "_stack")

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self._player = Player(config, entropy)
        self._stack = self._player.talks.stack
        self._classic = ClassicPresenter()
        self._has_announced = False
        self._shown: GameScreen | None = None
        """The board as it was shown last, if nothing but time has passed since then."""

    def receive(self, packet: Packet, now_ms: int) -> Reply:
        """Carry out one packet; the reply is the screen afterwards."""
        player = self._player
        player.now_ms = now_ms
        # Clients refresh the screen by themselves while the clock runs.
        if packet is not _REFRESH:
            player.flash_cells = 0
            self._shown = None
        kind = packet if packet.__class__ is Command else packet.__class__
        handle = (_IN_MENUS if self._stack else _AT_BOARD).get(kind)
        if handle is not None:
            handle(player, packet)
        if player.retry_at_ms is not None and player.out.is_empty:
            self._shown = None
            entering.retry(player)
        return self._reply()

    def resolve(self, answer: object, now_ms: int) -> Reply:
        """Continue with the answer to the last question."""
        player = self._player
        player.now_ms = now_ms
        self._shown = None
        player.answer_talk(answer)
        if player.retry_at_ms is not None and player.out.question is None:
            entering.retry(player)
        return self._reply()

    def notice(self, event: Event, now_ms: int, *, may_show: bool) -> Reply:
        """Process an event.

        The reply has a screen, marked as unasked, if the event changed it, it may be shown now, and
        the client accepts such frames; otherwise the change shows with the next packet.
        """
        player = self._player
        player.now_ms = now_ms
        self._shown = None
        has_changed = False
        match event:
            case Claimed():
                player.lease.confirm()
            case Reviewed(review, lines):
                has_changed = player.review is review and bool(lines)
                if player.review is review:
                    player.review, player.review_lines = None, lines or ()
            case _:
                assert_never(event)
        can_show = may_show and player.is_live and player.presenter is not None
        if has_changed and can_show and not self._stack:
            return Reply(self._screen(PatchFlag.UNASKED), player.out.take())
        return Reply(b"", player.out.take())

    def settle(self, operation: Operation[Any], answer: object) -> None:
        """Process the answer to a write or a note."""
        player = self._player
        lease = player.lease
        lease.settle(operation, answer)
        if isinstance(answer, FencedError) and lease.covers(operation):
            self._shown = None
            player.let_go()
        elif isinstance(answer, UnknownPlayerError) and lease.covers(operation):
            # The store is new and empty: introduce the player again.
            player.retry_at_ms = 0

    def reject(self, error: ProtocolError, now_ms: int) -> Reply:
        """Answer bytes that are not a packet with a last screen that says so."""
        self._player.out.close()
        screen = self.farewell(str(error), now_ms, is_final=True)
        return Reply(screen, self._player.out.take())

    def farewell(self, message: str, now_ms: int, *, is_final: bool = False) -> bytes:
        """Return a last screen that nobody asked for; the connection ends with it.

        A final one stops the client from reconnecting on its own.
        """
        player = self._player
        presenter, match = player.presenter, player.match
        if presenter is None:
            return encode_screen(paint_page(("", f"  {message}", "")))
        if is_final:
            return presenter.present(page_of(message), PatchFlag.LAST_SCREEN)
        if match is None or self._stack:
            return presenter.present(page_of(message))
        return presenter.present(interrupted_screen(player, match, message))

    def leave(self, now_ms: int) -> Reply:
        """End the session, and store or end the game."""
        self._player.now_ms = now_ms
        self._player.leave()
        return Reply(b"", self._player.out.take())

    def _reply(self) -> Reply:
        player, out = self._player, self._player.out
        is_held = player.lease.is_held
        if is_held and player.others.are_due and out.question is None:
            self._begin_talk(store_asides(player))
        if is_held and player.is_best_due and out.question is None:
            self._begin_talk(tell_best(player))
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
            screen = self.farewell(messages.GOODBYE, player.now_ms, is_final=True)
            return Reply(screen, out.take())
        return Reply(self._screen(), out.take())

    def _screen(self, flags: int = NO_FLAGS) -> bytes:
        player = self._player
        presenter = player.presenter
        if presenter is not None:
            screen = presenter.present(self._model(), flags)
            if self._stack and isinstance(layer := player.talks.layer, Page):
                layer.first_line = presenter.first_line
            return screen
        screen = self._classic.present(player)
        if self._has_announced:
            return screen
        self._has_announced = True
        return announce(screen)

    def _begin_talk(self, flow: Flow) -> None:
        self._shown = None
        self._player.begin_talk(flow)

    def _model(self) -> ScreenModel:
        """Describe the screen; what cannot have changed is taken from the last description."""
        player = self._player
        match, shown = player.match, self._shown
        if match is None or self._stack:
            self._shown = None
            return screen_of(player)
        if shown is None:
            self._shown = game_screen(player, match)
        else:
            self._shown = after_a_while(shown, player, match)
        return self._shown
