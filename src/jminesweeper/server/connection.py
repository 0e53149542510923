"""One player's connection: bytes to packets, and what becomes of the transport.

A key press must cost little more than the system calls it takes, so the way of a single packet
through `buffer_updated` makes no task, no timer and no log line.
"""

from __future__ import annotations

import asyncio
from typing import Final, cast

from jminesweeper.protocol import Direction, PacketReader, ProtocolError
from jminesweeper.server.dialogue import TURN_NS, Dialogue, Phase
from jminesweeper.server.half_close import close_our_half
from jminesweeper.server.lobby import Lobby, logger
from jminesweeper.server.outbox import Outbox

IDLE: Final = "You were away for long, so the server let you go. Please come back any time."

_ONE_BYTE: Final = tuple(bytes((value,)) for value in range(256))
_PLAYING: Final = Phase.PLAYING  # Looking a member up in its class takes longer than comparing it.


class Connection(Dialogue, asyncio.BufferedProtocol):
    """Plays one session over one transport."""

    __slots__ = ("_buffer", "_feed", "_loop", "_said_goodbye", "_timer", "_transport", "_write")

    _transport: asyncio.Transport

    def __init__(self, lobby: Lobby, peer: str, origin: str) -> None:
        super().__init__(lobby, peer, origin)
        self._loop = asyncio.get_running_loop()
        self._buffer = lobby.read_buffer
        self._feed = PacketReader(Direction.FROM_CLIENT).feed
        self._said_goodbye = False
        self._timer: asyncio.TimerHandle | None = None

    # What the loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        # Told as soon as the peer leaves anything unread: never more than a turn's replies wait.
        self._transport.set_write_buffer_limits(high=0)
        self._write = self._transport.write
        self._outbox = Outbox(self._write)
        self._lobby.enter(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        del sizehint
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._phase is not _PLAYING:
            return
        data = _ONE_BYTE[self._buffer[0]] if nbytes == 1 else bytes(self._buffer[:nbytes])
        try:
            packets = self._feed(data)
        except ProtocolError as error:
            self._error = error
            packets = list(error.packets)
        if self._spent_ns:
            self._line_up(packets)
            return
        if len(packets) == 1 and self._reading and self._outbox.is_empty:
            self.packets += 1
            now_ns = self._clock_ns()
            self.heard_ms = now_ms = now_ns // 1_000_000
            try:
                reply, effects = self._receive(packets[0], now_ms)
                if effects:
                    self._settle(reply, effects)
                else:
                    self._write(reply)
                if (took_ns := self._clock_ns() - now_ns) > TURN_NS:
                    self._spent_ns = took_ns
            # The boundary once more, for a wrapper would be a tenth of what a key press costs.
            except Exception as trouble:
                self._give_up(trouble)
        elif packets:
            self._queue(packets)
        if self._backlog or self._error is not None:
            self._take_turn()

    def eof_received(self) -> bool:
        if self._phase is Phase.PLAYING:
            self._depart()
        return self._phase is not Phase.LINGERING

    def pause_writing(self) -> None:
        self._unread_since_ms = self._lobby.now_ms()
        self._set_reading(self._phase is Phase.LINGERING)

    def resume_writing(self) -> None:
        self._unread_since_ms = None
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # However it was lost, the player is gone.
        self._phase = Phase.GONE
        self._drop_unanswered()
        self._outbox.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._end_session()
        self._lobby.leave(self)

    # What the server calls

    def check(self, now_ms: int) -> None:
        """Let go of a peer that does not read, or that has been silent for too long."""
        config = self._lobby.config
        self._forget_half()
        if self._phase is not Phase.PLAYING:
            return
        if self._unread_since_ms is not None:
            if now_ms - self._unread_since_ms >= config.write_timeout_s * 1000:
                logger.info("%s does not read its screens", self.peer)
                self._transport.abort()
        elif now_ms - self.heard_ms >= config.idle_timeout_s * 1000:
            self.let_go(IDLE, is_final=True)

    def abort(self) -> None:
        self._transport.abort()

    # What the dialogue asks for

    def _set_reading(self, reading: bool) -> None:
        if reading == self._reading or self._transport.is_closing():
            return
        self._reading = reading
        if reading:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _depart(self, *, said_goodbye: bool = False) -> None:
        self._phase = Phase.LEAVING
        self._said_goodbye = said_goodbye
        self._drop_unanswered()
        self._timer = self._loop.call_later(self._lobby.config.linger_s, self._transport.abort)
        self._hang_up_when_done()

    def _hang_up_when_done(self) -> None:
        if not self._outbox.is_empty:
            return
        if self._said_goodbye and close_our_half(self._transport):
            self._phase = Phase.LINGERING
            self._set_reading(True)
        else:
            self._transport.close()
