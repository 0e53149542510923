"""The server's side of one conversation: bytes go in, screens come out, and it never waits.

A conversation knows no socket, no loop and no clock. Its driver (`connection`, on a transport)
reports what happens, and then does what it says:

    goes in                                     comes out
    bytes of the peer, the end of its stream    replies.outgoing: screens to send, in order
    the peer stops reading, or reads again      is_reading: whether to take more bytes
    a turn                                      can_answer: it wants a turn
    the match has changed                       errands: to be carried out
    the answer to a question                    question: to be asked
    an event                                    work, games: as `Effects` has them
    the time                                    ending: hang up, and how
    the connection is lost

`phases` says what may happen when, `replies` when a reply may leave, and `turns` who gets the next
turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from jminesweeper.protocol.packets import Hello, Packet
from jminesweeper.protocol.reader import PacketReader, StreamError
from jminesweeper.protocol.vocabulary import Command, Direction
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.measures import PacketKind
from jminesweeper.server.phases import IDLE, OPEN, TRANSITIONS, Ending, Phase, Trigger
from jminesweeper.server.replies import Replies
from jminesweeper.session.names import player_name
from jminesweeper.session.reply import Effects, Errand, Event, Question, Review, Ticked

if TYPE_CHECKING:
    from jminesweeper.session.session import Session

READ_AHEAD: Final = 2
"""With this many packets waiting no more bytes are read. One is too few: for a peer that waits for
each reply, reading would be stopped and started with every packet."""

# Looking a member up in its class takes longer than comparing it.
_DOOR, _PLAYING = Phase.DOOR, Phase.PLAYING
_TICKED: Final = Ticked()


class ServerConversation:
    """What is said on one connection, and what must happen before more can be said."""

    def __init__(
        self,
        new_session: Callable[[], Session],
        now_ms: int,
        counts: dict[PacketKind, int],
        *,
        address: str = "",
        on_change: Callable[[bool], object] = lambda _: None,
    ) -> None:
        self._new_session = new_session
        self._counts = counts
        """Packets received from all peers, by kind."""
        self._session = new_session()
        self._session.arrive(address, on_change)
        self._receive = self._session.receive
        self.phase = Phase.DOOR
        self.replies = Replies()
        self.packets = 0
        self.name = ""
        """What the player was called first, for the log."""
        self.games = 0
        """How many games have ended on this connection."""
        self.heard_ms = now_ms
        """When the last packet came; until the first, when the connection was made."""
        # What the driver has to do; it removes what it has done.
        self.has_wishes = False
        """Whether any of what follows may be set: most packets lead to a reply and nothing else,
        and to look at all of it takes a fiftieth of a key's time."""
        self.question: tuple[int, Question] | None = None
        """The question, with the number that `answered` takes."""
        self.work: Review | None = None
        self.errands: list[Errand] = []
        self.rejected: StreamError | None = None
        """Why the peer's bytes are not packets, for the log."""
        self.ending: Ending | None = None
        # What the peer sent
        self._feed = PacketReader(Direction.FROM_CLIENT).feed
        self.backlog: deque[Packet | StreamError] = deque()
        """Packets that wait for a turn or for an answer, and what ended their stream."""
        self._asked = 0
        self._says_goodbye = False
        self._is_broken = False

    # What the peer sends

    def take_in(self, data: bytes, now_ms: int) -> None:
        """Process bytes; their packets wait for a turn."""
        if self.phase not in OPEN:
            return
        try:
            self.backlog += self._feed(data)
        except StreamError as error:
            self.backlog += (*error.packets, error)
        if self.backlog:
            self.heard_ms = now_ms
            if self.phase is _DOOR:
                self._move(Trigger.FIRST_PACKET)

    def introduce(self) -> None:
        """Say what this is to a peer that does not speak the protocol."""
        if self.phase in OPEN:
            self.replies.send(INTRODUCTION)
            self._part(says_goodbye=True)

    def end_stream(self) -> None:
        """Leave once the peer has what it is owed, because it sends no more."""
        if self.phase in OPEN:
            self._part()

    @property
    def is_reading(self) -> bool:
        """Whether to read more bytes, if only to discard them."""
        return len(self.backlog) < READ_AHEAD

    # Turns

    @property
    def can_answer(self) -> bool:
        return bool(self.backlog) and self.phase is _PLAYING and not self.replies.is_hindered

    def answer_next(self, now_ms: int) -> bool:
        """Answer the next packet, if one can be answered now; return whether one was."""
        if not self.backlog or self.phase is not _PLAYING or self.replies.is_hindered:
            return False
        packet = self.backlog.popleft()
        if isinstance(packet, Command):
            self._counts[packet] += 1
        elif isinstance(packet, StreamError):
            self.rejected, self.has_wishes = packet, True
            self._apply(*self._session.reject(packet, now_ms))
            return True
        else:
            self._counts[type(packet)] += 1
            if isinstance(packet, Hello) and not self.name:
                self.name, self.has_wishes = player_name(packet.name), True
        self.packets += 1
        self._apply(*self._receive(packet, now_ms))
        return True

    # What the store, workers and the hub report

    def match_changed(self, now_ms: int, *, is_rebased: bool) -> None:
        """Learn that more of the match is stored, or that it is not what was drawn."""
        if is_rebased and self.replies.is_waiting and not self._is_broken:
            wait, count = self.replies.to_draw_again
            if wait is not None:
                self.replies.replace(self._session.draw_again(wait, count, now_ms))
        self.replies.release()
        self._see_end()

    def answered(self, number: int, answer: object, now_ms: int) -> None:
        """Process the answer to a question, unless it is no longer needed."""
        if self.phase is Phase.ASKING and number == self._asked:
            self._move(Trigger.ANSWER)
            self._apply(*self._session.resolve(answer, now_ms))

    def notice(self, event: Event, now_ms: int) -> None:
        """Process an event, unless the session has to wait for an answer."""
        if self.phase is _PLAYING:
            self._apply(*self._session.notice(event, now_ms))

    @property
    def is_stale(self) -> bool:
        """Whether there is something to show that nobody here has asked for."""
        return self.phase is _PLAYING and self._session.is_stale

    @property
    def shows_every_s(self) -> float:
        return self._session.shows_every_s

    def show(self, now_ms: int) -> None:
        """Show it, unless a reply will do that."""
        if self.is_stale and not self.backlog and self.replies.is_clear:
            screen, effects = self._session.show(now_ms)
            if effects is not None:
                self._entail(effects)
            if screen:
                self.replies.show(screen, None if effects is None else effects.wait)

    @property
    def player(self) -> str:
        """Who plays; empty for nobody known."""
        return self._session.player_id

    def check_time(self, config: ServerConfig, now_ms: int) -> None:
        """Disconnect a peer that does not read, or has been silent for too long."""
        if self.phase not in OPEN:
            return
        is_new = self.phase is Phase.DOOR
        timeout_s = config.silence_timeout_s if is_new else config.idle_timeout_s
        if unread_ms := self.replies.unread_ms(now_ms):
            if unread_ms >= config.write_timeout_s * 1000:
                self._end(Ending.AT_ONCE)
        elif now_ms - self.heard_ms >= timeout_s * 1000:
            self.let_go(IDLE, now_ms, is_final=True)
        elif not is_new:
            self.notice(_TICKED, now_ms)

    # The end

    def let_go(self, message: str, now_ms: int, *, is_final: bool = False) -> None:
        """End with a last screen, sent after what is owed."""
        if self.phase in OPEN:
            self.replies.send(self._session.farewell(message, now_ms, is_final=is_final))
            self._part(says_goodbye=True)

    def fail(self, message: str, now_ms: int) -> None:
        """End because of a bug: drop what waits, and let a new session say goodbye."""
        self._is_broken = True
        self.replies.drop()
        if self.phase in OPEN:
            self.replies.send(self._new_session().farewell(message, now_ms))
            self._part(says_goodbye=True)
        else:
            self._end(Ending.AT_ONCE)

    def lose(self, now_ms: int) -> None:
        """End with the connection; what the session leaves behind still has to be stored."""
        self._move(Trigger.LOSS)
        self._forget_packets()
        self.replies.drop()
        self.replies.take_outgoing()
        if not self._is_broken and (effects := self._session.leave(now_ms)) is not None:
            self._entail(effects)

    def _part(self, *, says_goodbye: bool = False) -> None:
        self._move(Trigger.PARTING)
        self._says_goodbye = says_goodbye
        self._forget_packets()
        self._see_end()

    def _see_end(self) -> None:
        if self.phase is Phase.LEAVING and not self.replies.is_waiting:
            self._move(Trigger.ALL_SENT)
            self._end(Ending.AFTER_THE_PEER if self._says_goodbye else Ending.NOW)

    def _end(self, ending: Ending) -> None:
        self.ending, self.has_wishes = ending, True

    def _forget_packets(self) -> None:
        self.backlog.clear()
        self.question = None

    def _move(self, trigger: Trigger) -> None:
        self.phase = TRANSITIONS[self.phase, trigger]

    # What a session replies

    def _apply(self, screen: bytes, effects: Effects | None) -> None:
        if effects is None:
            if screen:
                self.replies.send(screen)
            return
        self._entail(effects)
        if screen:
            self.replies.send(screen, effects.wait)
        if effects.closes:
            self._part(says_goodbye=bool(screen))

    def _entail(self, effects: Effects) -> None:
        self.has_wishes = True
        if effects.errands:
            self.errands += effects.errands
            self.replies.begin_errands(len(effects.errands))
        self.games += effects.games_ended
        self.work = effects.work or self.work
        if effects.question is not None:
            self._move(Trigger.QUESTION)
            self._asked += 1
            self.question = (self._asked, effects.question)
