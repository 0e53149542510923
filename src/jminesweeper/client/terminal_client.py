"""A game on a terminal: keys and clicks to the conversation, its screens to the terminal.

This is a `Program` for the shell: events in, effects out, time an argument. The bottom line of the
screen may be the client's own.

A *notice* (where the game is played, where a recording is) hides nothing: the client reports a
screen that is a line shorter, until the player does something or has had the time to read it.
*Silence* and *trouble* cover what is there, because the server's screen is out of date until it
answers again; then it repaints the screen.
"""

from __future__ import annotations

from typing import Final, assert_never

from jminesweeper.client import events
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.client.controls import Controls
from jminesweeper.client.conversation import ClientConversation
from jminesweeper.client.escapes import plain_text
from jminesweeper.client.events import ClientEvent, ConnectionRequest, Effect, Event
from jminesweeper.client.painter import (
    Painter,
    erase_notice,
    paint_notice,
    paint_silence,
    paint_trouble,
)
from jminesweeper.client.profile import Profile, TerminalSize
from jminesweeper.client.timers import Backoff, SilenceTimer, earliest, is_due
from jminesweeper.client.typeahead import Keystroke
from jminesweeper.protocol.packets import ScreenContent, ScreenPatch
from jminesweeper.protocol.vocabulary import Command

_DISMISSED: Final = "The server ended the game."
_NO_GAME_WAITS: Final = "This server keeps no games; this is a new one."
NOTICE_S: Final = 6.0
"""How long a notice stays if the player does nothing."""
_LEAST_ROWS: Final = 16
"""A screen with fewer rows cannot spare a line: a notice covers what the server drew."""
_BORDERS: Final = " |\N{BOX DRAWINGS LIGHT VERTICAL}"


class TerminalClient:
    """One player at one terminal; `deadline` is when to deliver `Expired`."""

    def __init__(
        self, profile: Profile, painter: Painter, backoff: Backoff, size: TerminalSize
    ) -> None:
        self._profile = profile
        self._painter = painter
        self._size = size
        self._conversation = ClientConversation(profile, size, backoff)
        self._controls = Controls(profile.start, profile.bindings)
        self._silence = SilenceTimer()
        self._notice = ""
        self._notice_deadline: float | None = None
        self._trouble = ""
        self._last_frame = b""

    @property
    def deadline(self) -> float | None:
        return earliest(
            self._conversation.deadline,
            self._controls.deadline,
            self._silence.deadline,
            self._notice_deadline,
        )

    def begin(self, now_s: float, /) -> list[Effect]:
        """Connect for the first time."""
        self._note_silence(now_s)
        return [ConnectionRequest.DIAL]

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Handle an event; return the effects."""
        effects = self._effects(event, now_s)
        self._note_silence(now_s)
        data = self._conversation.data_to_send()
        return [events.Send(data), *effects] if data else effects

    def _effects(self, event: Event, now_s: float) -> list[Effect]:
        conversation = self._conversation
        match event:
            case events.Received(data):
                effects = self._hear(now_s)
                effects += self._follow(conversation.receive(data, now_s), now_s)
            case events.Typed(data):
                has_mouse = self._profile.has_mouse and conversation.version == 2
                typed = self._controls.decode(data, now_s, has_mouse=has_mouse)
                effects = self._type(typed, now_s)
            case events.Expired():
                effects = self._expire(now_s)
            case events.Connected(notice):
                effects = self._connected(notice, now_s)
            case events.Lost(reason):
                effects = self._follow(conversation.lose(reason, now_s), now_s)
            case events.Resized(size):
                effects = self._resize(size)
            case events.Kept(notice):
                effects = self._tell(notice)
            case events.Stopped(exit_code):
                conversation.quit()
                effects = [events.Leave(exit_code)]
            case _:
                assert_never(event)
        return effects

    def _connected(self, notice: str, now_s: float) -> list[Effect]:
        self._notice = notice
        self._conversation.resize(self._room)
        self._conversation.connected(now_s)
        return [events.Tell(notice)] if notice else []

    def _tell(self, notice: str) -> list[Effect]:
        """Show a notice until the player does something or has had the time to read it."""
        self._notice, self._notice_deadline = notice, None
        self._conversation.resize(self._room)
        return [events.Paint(paint_notice(notice, self._size))]

    def _type(self, typed: list[Keystroke], now_s: float) -> list[Effect]:
        if self._silence.is_silent and any(
            each.packet(self._conversation.version) is Command.QUIT for each in typed
        ):
            # Ignore what waits to be sent before it: the server does not answer.
            self._conversation.quit()
            return [events.Leave(0)]
        owed = self._conversation.owed
        effects = self._follow(self._conversation.type(typed, now_s), now_s)
        if self._notice_deadline is not None and self._conversation.owed > owed:
            self._end_notice()
        return effects

    def _expire(self, now_s: float) -> list[Effect]:
        effects = self._type(self._controls.expire(now_s), now_s)
        effects += self._follow(self._conversation.expire(now_s), now_s)
        if is_due(self._notice_deadline, now_s):
            self._end_notice()
        if is_due(self._silence.deadline, now_s):
            effects.append(events.Paint(paint_silence(self._silence.expire(now_s), self._size)))
        return effects

    @property
    def _room(self) -> TerminalSize:
        """What the server may paint on."""
        if self._notice and self._size.rows >= _LEAST_ROWS:
            return self._size._replace(rows=self._size.rows - 1)
        return self._size

    def _end_notice(self) -> None:
        """Return the notice's line to the server; in version 1 the next frame paints over it."""
        self._notice, self._notice_deadline = "", None
        self._conversation.resize(self._size)

    def _note_silence(self, now_s: float) -> None:
        self._silence.note(now_s, is_owed=self._conversation.is_waiting)

    def _hear(self, now_s: float) -> list[Effect]:
        """Clear the line about a silence that is over."""
        was_silent = self._silence.is_silent
        is_owed = self._conversation.is_waiting
        self._silence.note(now_s, is_owed=is_owed, has_heard=True)
        if not was_silent:
            return []
        self._conversation.resize(self._room)
        return [events.Paint(erase_notice(self._size))]

    def _resize(self, size: TerminalSize) -> list[Effect]:
        self._size = size
        self._conversation.resize(self._room)
        if self._conversation.is_coming_back:
            return [events.Paint(self._painter.repaint()), self._paint_trouble()]
        if self._conversation.is_playing and self._conversation.version == 1:
            return [events.Paint(self._painter.repaint())]
        return []

    def _follow(self, happened: list[ClientEvent], now_s: float) -> list[Effect]:
        return [effect for event in happened for effect in self._effects_of(event, now_s)]

    def _effects_of(self, event: ClientEvent, now_s: float) -> list[Effect]:
        match event:
            case events.FirstScreen():
                return self._begin_playing(event, now_s)
            case events.Shown():
                return self._paint(event, now_s)
            case events.Interrupted():
                self._trouble = event.reason
                return [self._paint_trouble()]
            case events.Dismissed():
                return self._dismissed(event)
            case events.Over():
                return [self._leave(event.reason)]
            case _:
                return [event]

    def _begin_playing(self, screen: events.FirstScreen, now_s: float) -> list[Effect]:
        if screen.version == 2:
            return [events.EnableMouse()] if self._profile.has_mouse else []
        if self._profile.resumes:
            self._notice = _NO_GAME_WAITS
        self._last_frame = screen.text
        return [events.Paint(self._painter.paint_frame(screen.text)), *self._paint_notice(now_s)]

    def _paint(self, shown: events.Shown, now_s: float) -> list[Effect]:
        match shown.packet:
            case ScreenPatch():
                painted = self._painter.paint_patch(shown.packet)
            case ScreenContent():
                painted = self._painter.paint_frame(shown.packet.text)
                self._last_frame = shown.packet.text
            case _:
                return []
        return [events.Paint(painted), *self._paint_notice(now_s)]

    def _paint_notice(self, now_s: float) -> list[Effect]:
        """Paint the notice after every screen, which may have cleared it."""
        if not self._notice:
            return []
        if self._notice_deadline is None:
            self._notice_deadline = now_s + NOTICE_S
        return [events.Paint(paint_notice(self._notice, self._size))]

    def _paint_trouble(self) -> Effect:
        return events.Paint(paint_trouble(self._trouble, self._size))

    def _leave(self, reason: str) -> events.Leave:
        """End with the last frame still readable, if the server and not the player ended it."""
        if not reason:
            return events.Leave(0)
        screen = CharacterScreen.showing(self._last_frame).text()
        # A single line is the server's reason, which is printed anyway.
        return events.Leave(1, reason, screen if "\n" in screen else "")

    def _dismissed(self, last: events.Dismissed) -> list[Effect]:
        words = _sentences(last.text)
        return [
            events.Leave(0, words) if last.was_asked_for else events.Leave(1, words or _DISMISSED)
        ]


def _sentences(screen: bytes) -> str:
    """Return the sentences of a screen, without the frame and the keys around them."""
    lines = (line.strip(_BORDERS) for line in plain_text(screen))
    return " ".join(line for line in lines if line.endswith((".", "!")) and " " in line)
