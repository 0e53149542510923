"""The server's side of one conversation: bytes go in, screens come out, and it never waits.

A conversation knows no socket, no loop and no clock. Its connection (`connection`, on a transport)
reports what happens, and then does what it says:

    goes in                                     comes out
    bytes of the peer, the end of its stream    replies.outgoing: screens to send, in order
    the peer stops reading, or reads again      is_reading: whether to take more bytes
    a turn                                      can_answer: it wants a turn
    the match has changed                       orders: errands to carry out, a question to ask,
    the answer to a question                      work to begin, how to hang up
    an event                                    games: how many have ended here
    the time
    the connection is lost

The common path is three calls: `take_in` makes packets of bytes, `answer_next` has the session
answer one, `match_changed` sends what was held for the store.

Phases
------

`TRANSITIONS` says where each trigger leads; what the table does not hold cannot happen, and a
KeyError says so.

    DOOR ------------> PLAYING <-----------> ASKING
      |   FIRST_PACKET    |     QUESTION /      |
      |                   |     ANSWER          |
      '-------------------+---------------------'
                          |  PARTING
                          v
                       LEAVING ------------> LINGERING           (any) ------> GONE
                                 ALL_SENT                              LOSS

DOOR        No packet has come. The first bytes say who it is (`door`): a peer that is no client
            is told what this is, and leaves. A silent one is disconnected after a short time.
PLAYING     Packets are answered: one reply for each, in their order.
ASKING      The session needs an answer before it can reply: from the store, a worker, a thread
            that replays a log, a match or a table. Packets wait.
LEAVING     No packet is taken any more: the player has quit, the server has said goodbye, bytes
            came that are not packets, or the peer's stream has ended. What is owed is still sent,
            and waits for the store as ever.
LINGERING   Everything has been sent. What comes in is discarded until the peer hangs up:
            closing a connection with unread bytes would reset it, and the reset can overtake the
            last screen.
GONE        The connection is lost. What the session leaves behind still has to be stored.

                                DOOR    PLAYING   ASKING    LEAVING   LINGERING   GONE
    bytes arrive                who?    answered  wait      dropped   dropped     -
    the peer's stream ends      leaves  leaves    leaves    -         hangs up    -
    the peer stops reading      -       wait      wait      -         -           -
    the store answers a write   -       replies that needed it leave     -        noted
    a question is answered      -       -         resolved  dropped   dropped     dropped
    an event comes              noted   shown     noted     dropped   dropped     dropped
    the server disconnects      leaves  leaves    leaves    -         -           -
    time passes without bytes   leaves  leaves    leaves    -         -           -

When a reply may leave
----------------------

A reply says what is true: that a cell is open, that a game is saved. So one that shows entries of a
game is held until they are stored, no matter who made them, and no reply overtakes another. If
others were faster, or the store has failed, held replies are renewed.

Three things can hold up replies, and each is bounded: unread replies, held replies, errands that no
reply waits for. While one of the bounds is reached no packet is answered. So a peer may send as
fast as it likes, and occupies a bounded part of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from jminesweeper.protocol.packets import Hello, Packet
from jminesweeper.protocol.reader import PacketReader, StreamError
from jminesweeper.protocol.vocabulary import Command, Direction
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.measures import PacketKind
from jminesweeper.session.messages import player_name
from jminesweeper.session.reply import Effects, Errand, Event, Question, Reply, Review, Ticked, Wait

if TYPE_CHECKING:
    from jminesweeper.session.session import Session


IDLE: Final = "You were away for a long time. Connect again to play on."


class Phase(Enum):
    """The phase of a conversation."""

    DOOR = auto()
    PLAYING = auto()
    ASKING = auto()
    LEAVING = auto()
    LINGERING = auto()
    GONE = auto()


class Trigger(Enum):
    """The events that change the phase of a conversation."""

    FIRST_PACKET = auto()
    QUESTION = auto()
    ANSWER = auto()
    PARTING = auto()
    ALL_SENT = auto()
    LOSS = auto()


TRANSITIONS: Final[Mapping[tuple[Phase, Trigger], Phase]] = {
    (Phase.DOOR, Trigger.FIRST_PACKET): Phase.PLAYING,
    (Phase.DOOR, Trigger.PARTING): Phase.LEAVING,
    (Phase.PLAYING, Trigger.QUESTION): Phase.ASKING,
    (Phase.PLAYING, Trigger.PARTING): Phase.LEAVING,
    (Phase.ASKING, Trigger.ANSWER): Phase.PLAYING,
    (Phase.ASKING, Trigger.PARTING): Phase.LEAVING,
    (Phase.LEAVING, Trigger.ALL_SENT): Phase.LINGERING,
    **{(phase, Trigger.LOSS): Phase.GONE for phase in Phase if phase is not Phase.GONE},
}

# Each packet compares its phase with them: `Phase.PLAYING` takes 0.1 us more.
_DOOR, _PLAYING = Phase.DOOR, Phase.PLAYING

OPEN: Final = (_PLAYING, Phase.ASKING, _DOOR)
"""The phases in which packets are taken."""


class Ending(Enum):
    """The ways to hang up, once everything has been sent."""

    AFTER_THE_PEER = auto()
    """Close our half of the connection, and let the peer close the other."""
    NOW = auto()
    """Close the connection: the peer expects nothing more."""
    AT_ONCE = auto()
    """Drop the connection, with everything not yet sent."""


TYPED_AHEAD: Final = 8
"""Most keys a person types ahead. Each gets its reply in a send of its own, for a stock client
takes one segment for the whole reply; a peer that sends more packets at once reads a stream, and
gets the replies joined."""
MAX_HELD: Final = 128
MAX_HELD_BYTES: Final = 256 * 1024
MAX_ERRANDS: Final = 32
"""No reply waits for an errand, so nothing else keeps a peer from causing more of them than the
disk can take."""


class HeldReply(NamedTuple):
    """A reply, and the entries it waits for; None behind another that waits."""

    screen: bytes
    wait: Wait | None
    is_asked: bool


@dataclass(eq=False, slots=True)
class Replies:
    """The replies of one conversation on their way out."""

    outgoing: list[bytes] | tuple[()] = ()
    """To be sent now."""
    outgoing_bytes: int = 0
    is_hindered: bool = False
    """No more replies may be made for now. It is a field since every packet asks for it."""
    _held: tuple[HeldReply, ...] = ()
    _held_bytes: int = 0
    _errands: int = 0
    _unread_since_ms: int | None = None

    @property
    def is_unread(self) -> bool:
        return self._unread_since_ms is not None

    @property
    def is_waiting(self) -> bool:
        return bool(self._held)

    def send(self, screen: bytes, wait: Wait | None = None, *, is_asked: bool = True) -> None:
        """Send a reply as soon as it is true, after all before it."""
        if wait is not None or self._held:
            self._held = (*self._held, HeldReply(screen, wait, is_asked))
            self._held_bytes += len(screen)
            self._note_hindrance()
        else:
            self.outgoing = outgoing = self.outgoing or []
            outgoing.append(screen)
            self.outgoing_bytes += len(screen)

    def release(self) -> None:
        """Send the held replies that have become true, up to the first that has not."""
        free, outgoing = 0, self.outgoing or []
        for screen, wait, _ in self._held:
            if wait is not None and not wait.journal.may_show(wait.length):
                break
            outgoing.append(screen)
            self.outgoing_bytes += len(screen)
            self._held_bytes -= len(screen)
            free += 1
        if free:
            self.outgoing, self._held = outgoing, self._held[free:]
            self._note_hindrance()

    @property
    def to_renew(self) -> tuple[Wait | None, int]:
        """The first wait among the held replies, and how many that were asked for have one."""
        waiting = [held for held in self._held if held.wait is not None]
        first = waiting[0].wait if waiting else None
        return first, sum(held.is_asked for held in waiting)

    def replace(self, renewed: Sequence[Reply]) -> None:
        """Replace held replies by renewed ones; drop frames that nobody asked for."""
        held = self._held
        self.drop()
        rest = iter(renewed)
        for each in held:
            if each.wait is None:
                self.send(each.screen)
            elif each.is_asked and (reply := next(rest, None)) is not None:
                screen, effects = reply
                self.send(screen, None if effects is None else effects.wait)

    def begin_errands(self, count: int) -> None:
        """Count errands that are under way: no reply waits for them."""
        self._errands += count
        self._note_hindrance()

    def end_errand(self) -> None:
        self._errands -= 1
        self._note_hindrance()

    def take_outgoing(self) -> Sequence[bytes]:
        """Return the screens to send, each in a send of its own."""
        outgoing, self.outgoing, self.outgoing_bytes = self.outgoing, (), 0
        return outgoing if len(outgoing) <= TYPED_AHEAD else (b"".join(outgoing),)

    def drop(self) -> None:
        self._held, self._held_bytes = (), 0
        self._note_hindrance()

    def stall(self, now_ms: int) -> None:
        self._unread_since_ms = now_ms
        self._note_hindrance()

    def catch_up(self) -> None:
        self._unread_since_ms = None
        self._note_hindrance()

    def _note_hindrance(self) -> None:
        self.is_hindered = (
            self._unread_since_ms is not None
            or len(self._held) >= MAX_HELD
            or self._held_bytes >= MAX_HELD_BYTES
            or self._errands >= MAX_ERRANDS
        )

    def unread_ms(self, now_ms: int) -> int:
        return 0 if self._unread_since_ms is None else now_ms - self._unread_since_ms


@dataclass(eq=False, slots=True)
class ConnectionOrders:
    """Things for the connection to do besides sending replies: most packets lead to none."""

    question: tuple[int, Question] | None = None
    """To be asked, with the number that `answered` takes."""
    work: Review | None = None
    errands: Sequence[Errand] = ()
    name: str = ""
    """The player's first name here, for the log."""
    rejected: StreamError | None = None
    """The reason why the peer's bytes are not packets, for the log."""
    ending: Ending | None = None
    """Hang up in this way."""


READ_AHEAD: Final = 2
"""With this many packets waiting no more bytes are read. One is too few: for a peer that waits for
each reply, reading would be stopped and started with every packet."""

_TICKED: Final = Ticked()


class ServerConversation:
    """One player's session: its bytes, packets, replies and open questions."""

    __slots__ = (
        "_asked",
        "_counts",
        "_is_broken",
        "_new_session",
        "_reader",
        "_says_goodbye",
        "backlog",
        "games",
        "heard_ms",
        "name",
        "orders",
        "packets",
        "phase",
        "replies",
        "session",
    )

    def __init__(
        self,
        new_session: Callable[[], Session],
        now_ms: int,
        counts: dict[PacketKind, int],
        *,
        address: str = "",
        hear: Callable[[bool], object] = lambda _: None,
        show: Callable[[], object] = lambda: None,
    ) -> None:
        self._new_session = new_session
        self._counts = counts
        """Packets received from all peers, by kind."""
        self.session = new_session()
        self.session.arrive(address, hear, show)
        self.phase = Phase.DOOR
        self.replies = Replies()
        self.packets = 0
        self.name = ""
        """The player's first name here."""
        self.games = 0
        """Number of games that have ended on this connection."""
        self.heard_ms = now_ms
        """Time of the last packet; until the first, that of the connection."""
        self.orders: ConnectionOrders | None = None
        """For the connection, which takes them away."""
        # From the peer
        self._reader = PacketReader(Direction.FROM_CLIENT)
        self.backlog: list[Packet | StreamError] = []
        """Packets that wait for a turn or for an answer, and the error that ended their stream."""
        self._asked = 0
        self._says_goodbye = False
        self._is_broken = False

    # From bytes to replies

    def take_in(self, data: bytes, now_ms: int) -> None:
        """Make packets of bytes; they wait for a turn."""
        if self.phase not in OPEN:
            return
        try:
            self.backlog += self._reader.feed(data)
        except StreamError as error:
            self.backlog += (*error.packets, error)
        if self.backlog:
            self.heard_ms = now_ms
            if self.phase is _DOOR:
                self.phase = TRANSITIONS[self.phase, Trigger.FIRST_PACKET]

    @property
    def is_reading(self) -> bool:
        """True if more bytes may be read, if only to discard them."""
        return len(self.backlog) < READ_AHEAD

    @property
    def can_answer(self) -> bool:
        return bool(self.backlog) and self.phase is _PLAYING and not self.replies.is_hindered

    def answer_next(self, now_ms: int) -> bool:
        """Answer the next packet, if one can be answered now; return True if one was."""
        # As `can_answer`, whose call would be a fiftieth of a key.
        if not self.backlog or self.phase is not _PLAYING or self.replies.is_hindered:
            return False
        packet = self.backlog.pop(0)
        if isinstance(packet, Command):
            self._counts[packet] += 1
        elif isinstance(packet, StreamError):
            self._ordered().rejected = packet
            self._apply(*self.session.reject(packet, now_ms))
            return True
        else:
            self._counts[type(packet)] += 1
            if isinstance(packet, Hello) and not self.name:
                self._ordered().name = self.name = player_name(packet.name)
        self.packets += 1
        self._apply(*self.session.receive(packet, now_ms))
        return True

    def _apply(self, screen: bytes, effects: Effects | None, *, is_asked: bool = True) -> None:
        """Send a reply, or hold it until its entries are stored; note its effects."""
        if effects is None:
            if screen:
                self.replies.send(screen, is_asked=is_asked)
            return
        if effects.errands:
            orders = self._ordered()
            orders.errands = (*orders.errands, *effects.errands)
            self.replies.begin_errands(len(effects.errands))
        self.games += effects.games_ended
        if effects.work is not None:
            self._ordered().work = effects.work
        if effects.question is not None:
            self.phase = TRANSITIONS[self.phase, Trigger.QUESTION]
            self._asked += 1
            self._ordered().question = (self._asked, effects.question)
        if screen:
            self.replies.send(screen, effects.wait, is_asked=is_asked)
        if effects.closes:
            self._part(says_goodbye=bool(screen))

    def _ordered(self) -> ConnectionOrders:
        """Return the orders given so far, to add to them."""
        self.orders = self.orders or ConnectionOrders()
        return self.orders

    def match_changed(self, now_ms: int, *, must_renew: bool) -> None:
        """Send what was held for the store.

        It must be renewed first if others were faster, or if the store has failed.
        """
        if must_renew and self.replies.is_waiting and not self._is_broken:
            wait, count = self.replies.to_renew
            if wait is not None:
                self.replies.replace(self.session.renew(wait, count, now_ms))
        self.replies.release()
        if self.phase is Phase.LEAVING:
            self._end_if_sent()

    # What the store, workers and the hub report

    def answered(self, number: int, answer: object, now_ms: int) -> None:
        """Process the answer to a question, unless it is no longer needed."""
        if self.phase is Phase.ASKING and number == self._asked:
            self.phase = TRANSITIONS[self.phase, Trigger.ANSWER]
            self._apply(*self.session.resolve(answer, now_ms))

    def notice(self, event: Event, now_ms: int) -> None:
        """Process an event, unless the session has to wait for an answer."""
        if self.phase is _PLAYING:
            self._apply(*self.session.notice(event, now_ms))

    @property
    def is_stale(self) -> bool:
        """True if there is something to show that nobody here has asked for."""
        return self.phase is _PLAYING and self.session.is_stale

    def show(self, now_ms: int) -> None:
        """Show the news, unless a reply will do that."""
        replies = self.replies
        if self.phase is not _PLAYING or not self.session.is_stale:
            return
        if not (self.backlog or replies.is_waiting or replies.is_hindered):
            self._apply(*self.session.show(now_ms), is_asked=False)

    def check_time(self, config: ServerConfig, now_ms: int) -> None:
        """Disconnect a peer that does not read, or has been silent for too long."""
        if self.phase not in OPEN:
            return
        is_new = self.phase is _DOOR
        timeout_s = config.silence_timeout_s if is_new else config.idle_timeout_s
        if unread_ms := self.replies.unread_ms(now_ms):
            if unread_ms >= config.write_timeout_s * 1000:
                self._ordered().ending = Ending.AT_ONCE
        elif now_ms - self.heard_ms >= timeout_s * 1000:
            self.disconnect(IDLE, now_ms, is_final=True)
        elif not is_new:
            self.notice(_TICKED, now_ms)

    # The end

    def introduce(self, introduction: bytes = INTRODUCTION) -> None:
        """Introduce the server to a peer that does not speak the protocol, and part."""
        if self.phase in OPEN:
            self.replies.send(introduction)
            self._part(says_goodbye=True)

    def end_stream(self) -> None:
        """Leave once the peer has its pending replies: it sends no more."""
        if self.phase in OPEN:
            self._part()

    def disconnect(self, message: str, now_ms: int, *, is_final: bool = False) -> None:
        """End with a last screen, sent after what is owed."""
        if self.phase in OPEN:
            self.replies.send(self.session.farewell(message, now_ms, is_final=is_final))
            self._part(says_goodbye=True)

    def fail(self, message: str, now_ms: int) -> None:
        """End because of a bug: drop pending replies, and let a new session say goodbye."""
        self._is_broken = True
        self.replies.drop()
        if self.phase in OPEN:
            self.replies.send(self._new_session().farewell(message, now_ms))
            self._part(says_goodbye=True)
        else:
            self._ordered().ending = Ending.AT_ONCE

    def lose(self, now_ms: int) -> None:
        """End with the connection; what the session leaves behind still has to be stored."""
        self.phase = TRANSITIONS[self.phase, Trigger.LOSS]
        self._forget_packets()
        self.replies.drop()
        self.replies.take_outgoing()
        if not self._is_broken and (effects := self.session.leave(now_ms)) is not None:
            self._apply(b"", effects)

    def _part(self, *, says_goodbye: bool = False) -> None:
        self.phase = TRANSITIONS[self.phase, Trigger.PARTING]
        self._says_goodbye = says_goodbye
        self._forget_packets()
        self._end_if_sent()

    def _end_if_sent(self) -> None:
        if self.phase is Phase.LEAVING and not self.replies.is_waiting:
            self.phase = TRANSITIONS[self.phase, Trigger.ALL_SENT]
            ending = Ending.AFTER_THE_PEER if self._says_goodbye else Ending.NOW
            self._ordered().ending = ending

    def _forget_packets(self) -> None:
        self.backlog.clear()
        if self.orders is not None:
            self.orders.question = None
