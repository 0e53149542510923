"""A player's conversation with a server, without a socket, a clock or a terminal.

Its program reports what happens (`connected`, `receive`, `lose`, `expire`) and what the player
wants (`send`, `hurry`, `quit`), with the time. The answer is events: what the program should know
or do. Bytes for the server collect until `data_to_send` returns them. The terminal client, the line
mode and a bot's link are three such programs (`driver`).

A conversation lasts as long as its player plays, over as many connections as that takes.

**Two versions.** START is the first packet of every connection, because every server understands
it. The first screen shows what the server speaks. If it announces version 2, and the player has
not ruled that out, HELLO follows, and after it the game that START cannot express. Otherwise that
screen is already the game's.

**What is owed.** Each packet but QUIT is answered by exactly one screen, in order, so it takes no
more than counting to know which screen answers what. A frame flagged UNASKED answers nothing and
is not counted. Any other screen that comes while nothing is owed is the last one of a server that
is being stopped.

**Reconnecting.** A game of version 2 that is cut off waits on the server under the player's key.
So the conversation asks for another connection, less and less often, and its HELLO says RESUME. A
game of version 1 is lost with its connection.

`TRANSITIONS` is the table of states. What has no entry there changes nothing: it comes late from a
connection that was given up. A server that stays silent is hung up on and counts as lost. From
every state QUIT leads to OVER, and so do a last screen and bytes that are not packets.

**What is typed** is kept while DIALLING and GREETING, because the first screen settles which
packets the keys stand for. While PLAYING it goes out, except what has to wait until a screen
shows what it means (see `terminal_client`). On the way back it is dropped: it was meant for a
screen that is gone, but RETURN tries at once. Only QUIT counts everywhere.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final

from jminesweeper.client import events
from jminesweeper.client.escapes import plain_text
from jminesweeper.client.events import ClientEvent, ConnectionRequest
from jminesweeper.protocol.packets import (
    LONGEST_NAME,
    Hello,
    Join,
    LookBack,
    Packet,
    RecordingContent,
    ScreenContent,
    Start,
    View,
    Watch,
    encode,
)
from jminesweeper.protocol.reader import PacketReader, StreamError
from jminesweeper.protocol.vocabulary import (
    Command,
    Direction,
    Feature,
    LookBackAt,
    ProtocolError,
    announced_version,
)

FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 15.0
_SPREAD: Final = 0.5
QUIET_S: Final = 2.0
"""Seconds that an answer may take before the client says so; a slow line stays below it."""


def earliest(*deadlines: float | None) -> float | None:
    """Return the first of the deadlines that are set."""
    return min((each for each in deadlines if each is not None), default=None)


def is_due(deadline: float | None, now_s: float) -> bool:
    """Return True if a deadline is set and has come."""
    return deadline is not None and deadline <= now_s


class SilenceTimer:
    """Due when an answer has been owed for some time, and repeatedly from then on."""

    def __init__(self, quiet_s: float = QUIET_S, repeat_s: float = 1.0) -> None:
        self._quiet_s, self._repeat_s = quiet_s, repeat_s
        self.deadline: float | None = None
        self.is_silent = False
        self._since_s = 0.0

    def note(self, now_s: float, *, is_owed: bool, has_heard: bool = False) -> None:
        """Note whether an answer is owed, and whether anything was heard just now."""
        if not is_owed:
            self.deadline, self.is_silent = None, False
        elif has_heard or self.deadline is None:
            self.deadline, self.is_silent = now_s + self._quiet_s, False
            self._since_s = now_s

    def expire(self, now_s: float) -> int:
        """Return for how many whole seconds nothing was heard."""
        self.is_silent, self.deadline = True, now_s + self._repeat_s
        return round(now_s - self._since_s)


class Backoff:
    """Waits that double up to a limit, each spread at random.

    A server that restarts loses all its players at the same moment: without the spread they would
    all reconnect at the same moment too.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._wait_s = FIRST_WAIT_S

    def next_wait_s(self) -> float:
        """Return how long to wait before the next try."""
        wait_s = self._wait_s
        self._wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        return wait_s * (1 - _SPREAD * self._random())

    def reset(self) -> None:
        """Start over, because the connection is back."""
        self._wait_s = FIRST_WAIT_S


class Wire(Enum):
    """The option `--wire`: which version of the protocol to speak."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"


@dataclass(frozen=True, slots=True)
class Profile:
    """The player, and the game asked for.

    `wish` asks for more than START can: for a game, for a room, to watch. Without it a known player
    is asked whether to resume the game that waits. With `resumes` it is resumed at once, or the
    server says there is none.
    """

    start: Start
    wish: Packet | None = None
    wire: Wire = Wire.AUTO
    needs_version_2: bool = False
    is_live: bool = False
    """Views may come unasked; programs count on one for each command."""
    name: str = ""
    resumes: bool = False
    is_bot: bool = False
    """A program plays, and says so."""
    key: bytes = field(default=b"", repr=False)
    reconnects: bool = True
    """False where nothing but a new start of the program leads to the server again."""

    def hello(self, *, returns: bool = False) -> Hello:
        """Introduce this client; after a reconnect it wants the interrupted game."""
        features = Feature.LIVE if self.is_live else Feature(0)
        if self.resumes or returns:
            features |= Feature.RESUME
        if self.is_bot:
            features |= Feature.BOT
        return Hello(features, self.key, self.name)


class ClientState(Enum):
    """States of a conversation; `TRANSITIONS` says what comes next."""

    DIALLING = auto()
    GREETING = auto()
    PLAYING_1 = auto()
    PLAYING_2 = auto()
    WAITING = auto()
    REDIALLING = auto()
    REGREETING = auto()
    OVER = auto()


class ClientTrigger(Enum):
    """Events that change the state of a conversation."""

    CONNECTED = auto()
    SPOKE_1 = auto()
    SPOKE_2 = auto()
    LOST = auto()
    DUE = auto()


TRANSITIONS: Final[Mapping[tuple[ClientState, ClientTrigger], ClientState]] = {
    (ClientState.DIALLING, ClientTrigger.CONNECTED): ClientState.GREETING,
    (ClientState.DIALLING, ClientTrigger.LOST): ClientState.OVER,
    (ClientState.GREETING, ClientTrigger.SPOKE_1): ClientState.PLAYING_1,
    (ClientState.GREETING, ClientTrigger.SPOKE_2): ClientState.PLAYING_2,
    (ClientState.GREETING, ClientTrigger.LOST): ClientState.OVER,
    (ClientState.PLAYING_1, ClientTrigger.LOST): ClientState.OVER,
    (ClientState.PLAYING_2, ClientTrigger.LOST): ClientState.WAITING,
    (ClientState.WAITING, ClientTrigger.DUE): ClientState.REDIALLING,
    (ClientState.REDIALLING, ClientTrigger.CONNECTED): ClientState.REGREETING,
    (ClientState.REDIALLING, ClientTrigger.LOST): ClientState.WAITING,
    (ClientState.REGREETING, ClientTrigger.SPOKE_1): ClientState.WAITING,
    (ClientState.REGREETING, ClientTrigger.SPOKE_2): ClientState.PLAYING_2,
    (ClientState.REGREETING, ClientTrigger.LOST): ClientState.WAITING,
}
GREETING: Final = frozenset({ClientState.GREETING, ClientState.REGREETING})
PLAYING: Final = frozenset({ClientState.PLAYING_1, ClientState.PLAYING_2})
COMING_BACK: Final = frozenset(
    {ClientState.WAITING, ClientState.REDIALLING, ClientState.REGREETING}
)


FIRST_SCREEN_WAIT_S: Final = 10.0
"""Seconds that the first screen may take before the client doubts that this is a server."""
REFRESH_S: Final = 60.0
"""Seconds of silence before a REFRESH: servers hang up on silent clients."""

_ASK_FOR_RECORDING: Final = LookBack(LookBackAt.RECORDING)
STOPPED: Final = "The server was stopped."
_NO_SCREEN: Final = "The server sends no screen. Is it JMinesweeper?"
_NO_ANSWER: Final = "The server does not answer."
_NO_VERSION_2_ANY_MORE: Final = "The server no longer speaks version 2."
_NO_VERSION_2: Final = "The server speaks only version 1, which cannot play this."
_TLS_ALERT: Final = b"\x15\x03"
"""First bytes from a server that only speaks TLS, to a client that does not."""
_NEEDS_TLS: Final = "If it speaks TLS, try tls://HOST."
"""Advice about a server that hung up without an answer."""
_SPEAKS_TLS: Final = "This server speaks TLS: try tls://HOST."
_NOT_THE_PROTOCOL: Final = "The server does not speak JMinesweeper's protocol"


class ClientConversation:
    """One player and one server; `deadline` is when to call `expire`.

    A server that owes a reply for `answer_wait_s` is given up; without that limit the player
    decides when to stop waiting.
    """

    def __init__(
        self,
        profile: Profile,
        backoff: Backoff,
        answer_wait_s: float | None = None,
    ) -> None:
        self.state = ClientState.DIALLING
        self._profile = profile
        self._backoff = backoff
        self._answer_wait_s = answer_wait_s
        self._state_deadline: float | None = None
        self._last_screen = b""
        self._said_goodbye = False
        self._room: Packet | None = None
        """The packet that brings the player back to the room."""
        self._begin_connection()

    def _begin_connection(self) -> None:
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._out = b""
        self._unanswered: deque[Packet] = deque()
        self._refresh_deadline: float | None = None

    @property
    def version(self) -> int:
        """The version of the protocol that keys are translated to."""
        return 2 if self.state is ClientState.PLAYING_2 or self.is_coming_back else 1

    @property
    def owed(self) -> int:
        """Number of replies still owed."""
        return len(self._unanswered)

    @property
    def is_playing(self) -> bool:
        return self.state in PLAYING

    @property
    def is_connected(self) -> bool:
        return self.is_playing or self.state in GREETING

    @property
    def is_waiting(self) -> bool:
        """True while the server owes an answer, to the connection or to a packet."""
        if self.is_coming_back:
            return False
        return self.state is ClientState.DIALLING or (self.is_connected and self.owed > 0)

    @property
    def is_coming_back(self) -> bool:
        return self.state in COMING_BACK

    @property
    def deadline(self) -> float | None:
        return earliest(self._state_deadline, self._refresh_deadline)

    def data_to_send(self) -> bytes:
        """Return the bytes to send now, and forget them."""
        data, self._out = self._out, b""
        return data

    def connected(self, now_s: float) -> None:
        """Greet the server at the other end of a new connection."""
        if not self._advance(ClientTrigger.CONNECTED, now_s + FIRST_SCREEN_WAIT_S):
            return
        self._said_goodbye = False
        self._put(self._profile.start)

    def receive(self, data: bytes, now_s: float) -> list[ClientEvent]:
        """Process bytes from the server, however the network cut them."""
        if not self.is_connected:
            return []
        try:
            packets: Sequence[Packet] = self._reader.feed(data)
            failure = None
        except StreamError as error:
            packets, failure = error.packets, error
        happened: list[ClientEvent] = []
        for packet in packets:
            if self.state in GREETING:
                happened += self._take_first(packet, now_s)
            elif self.is_playing:
                happened += self._take_next(packet, now_s)
        if failure is not None and self.is_connected:
            speaks_tls = self.state in GREETING and data.startswith(_TLS_ALERT)
            reason = f"{_NOT_THE_PROTOCOL}: {failure.reason}"
            happened += self._give_up(_SPEAKS_TLS if speaks_tls else reason)
        return happened

    def lose(self, reason: str, now_s: float) -> list[ClientEvent]:
        """Note that the connection failed or ended; the reason is a sentence."""
        if self.state is ClientState.GREETING and not self._last_screen:
            reason = f"{reason} {_NEEDS_TLS}"
        happened = self._break_off(ClientTrigger.LOST, reason, now_s)
        return [each for each in happened if each is not ConnectionRequest.HANG_UP]

    def expire(self, now_s: float) -> list[ClientEvent]:
        """Do what is due."""
        if is_due(self._refresh_deadline, now_s):
            self.send([Command.REFRESH], now_s)
        if not is_due(self._state_deadline, now_s):
            return []
        if self.state is ClientState.WAITING:
            return self._dial_again()
        reason = _NO_SCREEN if self.state in GREETING else _NO_ANSWER
        return self._break_off(ClientTrigger.LOST, reason, now_s)

    def hurry(self) -> list[ClientEvent]:
        """Reconnect at once rather than later."""
        return self._dial_again() if self.state is ClientState.WAITING else []

    def send(self, packets: Iterable[Packet], now_s: float) -> None:
        """Send packets; each is owed an answer from now on."""
        for packet in packets:
            self._put(packet)
        self._backoff.reset()
        self._await_answer(now_s)
        is_live = self._profile.is_live and self.version == 2
        self._refresh_deadline = now_s + REFRESH_S if is_live else None

    def quit(self) -> list[ClientEvent]:
        """Send QUIT, if there is a connection."""
        if self.is_connected:
            self._put(Command.QUIT)
        return self._end(events.Over())

    def _take_first(self, packet: Packet, now_s: float) -> list[ClientEvent]:
        """Settle the version by the first screen; HELLO follows where it is 2."""
        if not isinstance(packet, ScreenContent):
            return self._give_up(f"{_NOT_THE_PROTOCOL}.")
        self._unanswered.clear()
        self._last_screen = packet.text
        speaks_2, returns = announced_version(packet.text) >= 2, self.is_coming_back
        if not speaks_2 and (returns or self._profile.needs_version_2):
            # A server that is full or about to stop says so on a screen without an announcement.
            sentence = self._last_sentence()
            if returns:
                reason = sentence or _NO_VERSION_2_ANY_MORE
                return self._break_off(ClientTrigger.SPOKE_1, reason, now_s)
            return self._give_up(sentence or _NO_VERSION_2)
        if speaks_2 and self._profile.wire is not Wire.ONE:
            self._advance(ClientTrigger.SPOKE_2, None)
            # A player who comes back wants the interrupted game, or the seat, and not another one.
            wish = self._room if returns else self._profile.wish
            hello = self._profile.hello(returns=returns)
            self.send([hello] if wish is None else [hello, wish], now_s)
        else:
            self._advance(ClientTrigger.SPOKE_1, None)
        return [events.FirstScreen(self.version, packet.text)]

    def _take_next(self, packet: Packet, now_s: float) -> list[ClientEvent]:
        """Take what answers the oldest packet without an answer, or comes unasked."""
        members: Mapping[str, Any] = {}
        if isinstance(packet, View):
            try:
                members = packet.members()
            except ProtocolError as error:
                return self._give_up(str(error))
        is_unasked = bool(members.get("unasked"))
        is_reply = bool(self._unanswered) and not is_unasked
        answers = self._unanswered.popleft() if is_reply else None
        self._said_goodbye = not (is_reply or is_unasked)
        self._await_answer(now_s)
        if isinstance(packet, RecordingContent):
            return [events.KeepRecording(packet.text)] if answers == _ASK_FOR_RECORDING else []
        if not isinstance(packet, View):
            self._last_screen = packet.text if isinstance(packet, ScreenContent) else b""
            return [events.FrameReceived(packet)]
        refresh_ms = members.get("refresh")
        if self._profile.is_live and type(refresh_ms) is int and 0 < refresh_ms < 1000 * REFRESH_S:
            # More may be known then: ask again.
            at_s = now_s + refresh_ms / 1000
            self._refresh_deadline = earliest(self._refresh_deadline, at_s)
        if "room" in members:
            # What brings the player back to the room, if this is one.
            room = members["room"] if isinstance(members["room"], dict) else {}
            code: Any = room.get("code")
            self._room = None
            if isinstance(code, str) and code.isascii() and 0 < len(code) <= LONGEST_NAME:
                self._room = Join(code) if room.get("you") else Watch(code)
        viewed = events.Viewed(members, packet.cells, answers)
        return [viewed, *(self._end(events.Dismissed(is_reply)) if members.get("last") else ())]

    def _put(self, packet: Packet) -> None:
        self._out += encode(packet)
        if packet is not Command.QUIT:
            self._unanswered.append(packet)

    def _await_answer(self, now_s: float) -> None:
        if self.is_playing and self._answer_wait_s is not None:
            self._state_deadline = now_s + self._answer_wait_s if self.owed else None

    def _dial_again(self) -> list[ClientEvent]:
        self._advance(ClientTrigger.DUE, None)
        return [ConnectionRequest.DIAL]

    def _break_off(self, trigger: ClientTrigger, reason: str, now_s: float) -> list[ClientEvent]:
        """Give the connection up, and reconnect later if a game waits there."""
        if not self._advance(trigger, None):
            return []
        if self.state is ClientState.OVER:
            return self._give_up(f"{reason} {self._last_sentence()}".strip())
        reason = STOPPED if self._said_goodbye else reason
        if not self._profile.reconnects:
            return self._give_up(reason)
        self._state_deadline = now_s + self._backoff.next_wait_s()
        self._begin_connection()
        return [
            ConnectionRequest.HANG_UP,
            events.Interrupted(reason),
        ]

    def _give_up(self, reason: str) -> list[ClientEvent]:
        return [ConnectionRequest.HANG_UP, *self._end(events.Over(reason))]

    def _end(self, event: ClientEvent) -> list[ClientEvent]:
        self.state, self._state_deadline = ClientState.OVER, None
        return [event]

    def _advance(self, trigger: ClientTrigger, deadline: float | None) -> bool:
        state = TRANSITIONS.get((self.state, trigger))
        if state is None:
            return False
        self.state, self._state_deadline = state, deadline
        return True

    def _last_sentence(self) -> str:
        """Return the text of the last screen if it is one line, and so not a game."""
        lines = plain_text(self._last_screen)
        return lines[0] if len(lines) == 1 else ""
