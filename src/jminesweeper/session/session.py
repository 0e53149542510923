"""One connection as a state machine.

A packet goes through one table to the function that carries it out, and whatever that did, the
reply is the screen as it is then. Where a session stands follows from what it has: no game is
the welcome, a game is being played or over, and layers of menus and pages may lie upon it.
"""

from __future__ import annotations

from typing import Any

from jminesweeper.core import RandomBits
from jminesweeper.protocol import Command, Packet, ProtocolError, encode_screen
from jminesweeper.screen import paint_page
from jminesweeper.session import coaching, entering, messages
from jminesweeper.session.at_table import AT_TABLE
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Ask, Close, Effects, Output
from jminesweeper.session.in_menus import IN_MENUS
from jminesweeper.session.presenters import ClassicPresenter, announce
from jminesweeper.session.requests import Enter, FindHint, LayBoard, Review
from jminesweeper.session.seat import Seat, notice
from jminesweeper.store.ports import FencedError, UnknownPlayerError


class Session:
    """What one player sees and may do, from the first packet to the last."""

    __slots__ = ("_asked", "_classic", "_has_announced", "_layers", "_seat", "_table")

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self._seat = Seat(config, entropy)
        self._table = self._seat.table
        self._layers = self._seat.navigator.layers
        self._classic = ClassicPresenter()
        self._has_announced = False
        self._asked: object = None

    def receive(self, packet: Packet, now_ms: int) -> Output:
        """Carry out one packet; the reply is the screen afterwards."""
        kind = packet if packet.__class__ is Command else packet.__class__
        handle = IN_MENUS.get(kind) if self._layers else AT_TABLE.get(kind)
        effects = handle(self._seat, packet, now_ms) if handle else NO_EFFECTS
        if not effects and self._seat.retry_at_ms is not None:
            effects = entering.retry(self._seat, now_ms)
        if effects:
            return self._reply(packet, effects, now_ms)
        return self._screen(now_ms), NO_EFFECTS

    def resolve(self, answer: Any, now_ms: int) -> Output:
        """Go on with the answer to what was asked last."""
        asked, self._asked = self._asked, None
        return self._reply(asked, self._take(asked, answer, now_ms), now_ms)

    def settle(self, operation: object, answer: object) -> None:
        """Take note of how a Commit or a Jot went."""
        self._table.ledger.settle(operation, answer)
        if isinstance(answer, FencedError):
            self._table.let_go()
            self._seat.entering = None
        elif isinstance(answer, UnknownPlayerError):
            # The store has begun anew: introduce the player once more.
            self._seat.retry_at_ms = 0

    def reject(self, error: ProtocolError, now_ms: int) -> Output:
        """Answer bytes that are no packets: say so on a last screen."""
        return self.farewell(str(error), now_ms, is_final=True), (Close(),)

    def farewell(self, message: str, now_ms: int, *, is_final: bool = False) -> bytes:
        """Return a last screen that nobody asked for; the connection ends with it.

        A final one tells the client not to come back by itself.
        """
        presenter = self._seat.presenter
        if presenter is None:
            return encode_screen(paint_page(("", f"  {message}", "")))
        return presenter.present(notice(message), is_last=is_final)

    def leave(self, now_ms: int) -> Effects:
        """End what the player leaves behind."""
        return self._table.leave(now_ms)

    def _take(self, asked: object, answer: Any, now_ms: int) -> Effects:
        match asked:
            case Enter():
                return entering.take_entrance(self._seat, answer, now_ms)
            case FindHint():
                return coaching.take_hint(self._table, answer, now_ms)
            case LayBoard():
                return coaching.take_board(self._table, answer, now_ms)
            case Review():
                return coaching.take_review(self._table, answer)
            case _:
                return self._seat.take_answer(answer, now_ms)

    def _reply(self, cause: object, effects: Effects, now_ms: int) -> Output:
        """Give the reply that goes with effects: none yet to a question, none to QUIT."""
        match effects[-1] if effects else None:
            case Ask(request):
                self._asked = request
                return b"", effects
            case Close() if cause is Command.QUIT:
                return b"", effects
            case Close():
                return self.farewell(messages.GOODBYE, now_ms, is_final=True), effects
        return self._screen(now_ms), effects

    def _screen(self, now_ms: int) -> bytes:
        presenter = self._seat.presenter
        if presenter is not None:
            screen = presenter.present(self._seat.model(now_ms))
            self._seat.navigator.note_shown(presenter.first_line)
            return screen
        screen = self._classic.present(self._table, now_ms)
        if self._has_announced:
            return screen
        self._has_announced = True
        return announce(screen)
