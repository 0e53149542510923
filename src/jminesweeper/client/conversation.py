"""A player's conversation with a server, without a socket, a clock or a terminal.

Its driver reports what happens (`connected`, `receive`, `lose`, `expire`) and what the player
wants (`type`, `send`, `resize`, `quit`), with the time. The answer is events: what the driver
should know or do. Bytes for the server collect until `data_to_send` returns them. The terminal, the
line mode and the bot are three such drivers. `states` explains the states.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from jminesweeper.client.escapes import plain_text
from jminesweeper.client.events import (
    ClientEvent,
    ConnectionRequest,
    Dismissed,
    FirstScreen,
    Interrupted,
    Keep,
    Over,
    Shown,
)
from jminesweeper.client.profile import Profile, TerminalSize, Wire
from jminesweeper.client.states import (
    COMING_BACK,
    GREETING,
    PLAYING,
    TRANSITIONS,
    ClientState,
    ClientTrigger,
)
from jminesweeper.client.timers import Backoff, RefreshTimer, earliest, is_due
from jminesweeper.client.typeahead import Keystroke, TypeAhead
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import (
    LookBack,
    Packet,
    RecordingContent,
    Resize,
    ScreenContent,
    ScreenPatch,
)
from jminesweeper.protocol.reader import PacketReader, StreamError
from jminesweeper.protocol.vocabulary import (
    Command,
    Direction,
    LookBackAt,
    PatchFlag,
    announced_version,
)

FIRST_SCREEN_WAIT_S: Final = 10.0
"""How long the first screen may take before the client doubts that this is a server."""

_ASK_FOR_RECORDING: Final = LookBack(LookBackAt.RECORDING)
STOPPED: Final = "The server was stopped."
_NO_SCREEN: Final = "The server sends no screen. Is it JMinesweeper?"
_NO_ANSWER: Final = "The server does not answer."
_NO_VERSION_2_ANY_MORE: Final = "The server no longer speaks version 2."
_NO_VERSION_2: Final = "The server speaks only version 1, which cannot play this."
_TLS_ALERT: Final = b"\x15\x03"
"""How a server that only speaks TLS answers a client that does not."""
_NEEDS_TLS: Final = "If it speaks TLS, try tls://HOST."
"""What to say after a server that hung up without an answer."""
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
        size: TerminalSize,
        backoff: Backoff,
        answer_wait_s: float | None = None,
    ) -> None:
        self.state = ClientState.DIALLING
        self._profile = profile
        self._size = size
        self._backoff = backoff
        self._answer_wait_s = answer_wait_s
        self._state_deadline: float | None = None
        self._last_screen = b""
        self._said_goodbye = False
        self._begin_connection()

    def _begin_connection(self) -> None:
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._out = b""
        self._asked = self._answered = 0
        self._typed = TypeAhead()
        self._refresh = RefreshTimer()
        self._recordings: set[int] = set()
        """The numbers of the packets that asked for one."""

    @property
    def version(self) -> int:
        """The version of the protocol that keys are translated to."""
        return 2 if self.state is ClientState.PLAYING_2 or self.is_coming_back else 1

    @property
    def owed(self) -> int:
        """How many replies are still owed."""
        return self._asked - self._answered

    @property
    def is_playing(self) -> bool:
        return self.state in PLAYING

    @property
    def is_connected(self) -> bool:
        return self.is_playing or self.state in GREETING

    @property
    def is_waiting(self) -> bool:
        """Whether the server still owes an answer, to the connection or to a packet."""
        if self.is_coming_back:
            return False
        return self.state is ClientState.DIALLING or (self.is_connected and self.owed > 0)

    @property
    def is_coming_back(self) -> bool:
        return self.state in COMING_BACK

    @property
    def deadline(self) -> float | None:
        return earliest(self._state_deadline, self._refresh.deadline)

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
        events = [event for packet in packets for event in self._take(packet, now_s)]
        if failure is not None and self.is_connected:
            speaks_tls = self.state in GREETING and data.startswith(_TLS_ALERT)
            reason = f"{_NOT_THE_PROTOCOL}: {failure.reason}"
            events += self._give_up(_SPEAKS_TLS if speaks_tls else reason)
        return events

    def lose(self, reason: str, now_s: float) -> list[ClientEvent]:
        """Note that the connection failed or ended; the reason is a sentence."""
        if self.state is ClientState.GREETING and not self._last_screen:
            reason = f"{reason} {_NEEDS_TLS}"
        events = self._break_off(ClientTrigger.LOST, reason, now_s)
        return [each for each in events if each is not ConnectionRequest.HANG_UP]

    def expire(self, now_s: float) -> list[ClientEvent]:
        """Do what is due."""
        if is_due(self._refresh.deadline, now_s):
            self._put(Command.REFRESH)
            self._refresh.note_refresh(self._asked)
        if not is_due(self._state_deadline, now_s):
            return []
        if self.state is ClientState.WAITING:
            return self._dial_again()
        reason = _NO_SCREEN if self.state in GREETING else _NO_ANSWER
        return self._break_off(ClientTrigger.LOST, reason, now_s)

    def type(self, keystrokes: Iterable[Keystroke], now_s: float) -> list[ClientEvent]:
        """Process what the player typed."""
        typed = list(keystrokes)
        if not self.is_coming_back:
            self._typed.hold(typed)
        if self.is_playing:
            return self._send_typed(now_s)
        packets = [each.packet(self.version) for each in typed]
        if Command.QUIT not in packets:
            is_hurried = self.state is ClientState.WAITING and Command.REVEAL in packets
            return self._dial_again() if is_hurried else []
        if self.state is ClientState.GREETING:
            return self._send_typed(now_s)
        return self._end(Over())

    def send(self, packets: Iterable[Packet], now_s: float) -> None:
        """Send packets whose meaning does not depend on the screen."""
        for packet in packets:
            self._put(packet)
        self._backoff.reset()
        self._await_answer(now_s)

    def resize(self, size: TerminalSize) -> None:
        """Report the size of the terminal; the answer repaints the whole screen."""
        self._size = size
        if self.state is ClientState.PLAYING_2:
            self._put(Resize(*size))

    def quit(self) -> None:
        """Send QUIT, if there is a connection."""
        if self.is_connected:
            self._put(Command.QUIT)
        self._end(Over())

    def _take(self, packet: Packet, now_s: float) -> list[ClientEvent]:
        if self.state in GREETING:
            return self._take_first(packet, now_s)
        return self._take_next(packet, now_s) if self.is_playing else []

    def _take_first(self, packet: Packet, now_s: float) -> list[ClientEvent]:
        if not isinstance(packet, ScreenContent):
            return self._give_up(f"{_NOT_THE_PROTOCOL}.")
        self._answered += 1
        self._last_screen = packet.text
        speaks_2 = announced_version(packet.text) >= 2
        if not speaks_2 and (self.is_coming_back or self._profile.needs_version_2):
            return self._refuse_version_1(now_s)
        if speaks_2 and self._profile.wire is not Wire.ONE:
            self._begin_version_2(now_s)
        else:
            self._advance(ClientTrigger.SPOKE_1, None)
        return [FirstScreen(self.version, packet.text), *self._send_typed(now_s)]

    def _refuse_version_1(self, now_s: float) -> list[ClientEvent]:
        # A server that is full or about to stop says so on a screen without an announcement.
        sentence = self._last_sentence()
        if self.is_coming_back:
            return self._break_off(ClientTrigger.SPOKE_1, sentence or _NO_VERSION_2_ANY_MORE, now_s)
        return self._give_up(sentence or _NO_VERSION_2)

    def _begin_version_2(self, now_s: float) -> None:
        returns = self.is_coming_back
        self._advance(ClientTrigger.SPOKE_2, None)
        self._put(self._profile.hello(self._size, returns=returns))
        # A player who comes back wants the interrupted game, not another one.
        if self._profile.new_game is not None and not returns:
            self._put(self._profile.new_game)
        self._await_answer(now_s)

    def _take_next(self, packet: Packet, now_s: float) -> list[ClientEvent]:
        flags = PatchFlag(packet.flags) if isinstance(packet, ScreenPatch) else PatchFlag(0)
        is_unasked = PatchFlag.UNASKED in flags
        shown = Shown(packet, is_reply=self.owed > 0 and not is_unasked)
        self._said_goodbye = not (shown.is_reply or is_unasked)
        self._answered += shown.is_reply
        recorded = self._take_recording(shown)
        self._last_screen = self._last_screen if recorded else shown.text
        if PatchFlag.LAST_SCREEN in flags:
            return self._end(Dismissed(shown.text, shown.is_reply))
        self._await_answer(now_s)
        clock_runs = PatchFlag.CLOCK_RUNS in flags
        self._refresh.note_screen(self._answered, now_s, clock_runs=clock_runs)
        if self.version == 2:
            self._typed.note_screen(flags, is_settled=not self.owed)
        return [shown, *recorded, *self._send_typed(now_s)]

    def _take_recording(self, shown: Shown) -> list[ClientEvent]:
        """Pass a recording on, if it is the reply to a packet that asked for one."""
        was_asked_for = shown.is_reply and self._answered in self._recordings
        if not was_asked_for or not isinstance(shown.packet, RecordingContent):
            return []
        return [Keep(shown.packet.text)]

    def _send_typed(self, now_s: float) -> list[ClientEvent]:
        packets = self._typed.release(self.version)
        if Command.QUIT in packets:
            packets = packets[: packets.index(Command.QUIT) + 1]
        if packets:
            self.send(packets, now_s)
        return self._end(Over()) if Command.QUIT in packets else []

    def _put(self, packet: Packet) -> None:
        self._out += encode(packet)
        self._asked += packet is not Command.QUIT
        if packet == _ASK_FOR_RECORDING:
            self._recordings.add(self._asked)

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
        self._state_deadline = now_s + self._backoff.next_wait_s()
        self._begin_connection()
        return [ConnectionRequest.HANG_UP, Interrupted(STOPPED if self._said_goodbye else reason)]

    def _give_up(self, reason: str) -> list[ClientEvent]:
        return [ConnectionRequest.HANG_UP, *self._end(Over(reason))]

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
