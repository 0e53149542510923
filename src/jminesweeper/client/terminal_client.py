"""A game on a terminal: keys and clicks to the conversation, its screens to the terminal.

This is a `Program` for the shell: events in, effects out, time an argument. The client's own
notices (where it plays, what is wrong) cover the bottom line of the screen. Once the player does
something, the server repaints that line.
"""

from __future__ import annotations

from typing import Final, assert_never

from jminesweeper.client import events
from jminesweeper.client.controls import Controls
from jminesweeper.client.conversation import ClientConversation
from jminesweeper.client.escapes import plain_text
from jminesweeper.client.events import ClientEvent, ConnectionRequest, Effect, Event
from jminesweeper.client.painter import Painter, paint_notice, paint_trouble
from jminesweeper.client.profile import Profile, TerminalSize
from jminesweeper.client.timers import Backoff, earliest
from jminesweeper.client.typeahead import Keystroke
from jminesweeper.protocol import ScreenContent, ScreenPatch

_DISMISSED: Final = "The server ended the game."
_NO_GAME_WAITS: Final = "This server keeps no games; this is a new one."
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
        self._controls = Controls(profile.start)
        self._notice = ""
        self._is_notice_shown = False
        self._trouble = ""

    @property
    def deadline(self) -> float | None:
        return earliest(self._conversation.deadline, self._controls.deadline)

    def begin(self) -> list[Effect]:
        """Connect for the first time."""
        return [ConnectionRequest.DIAL]

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Do what the event calls for."""
        effects = self._effects(event, now_s)
        data = self._conversation.data_to_send()
        return [events.Send(data), *effects] if data else effects

    def _effects(self, event: Event, now_s: float) -> list[Effect]:
        conversation = self._conversation
        match event:
            case events.Received(data):
                effects = self._follow(conversation.receive(data, now_s))
            case events.Typed(data):
                has_mouse = self._profile.has_mouse and conversation.version == 2
                typed = self._controls.decode(data, now_s, has_mouse=has_mouse)
                effects = self._type(typed, now_s)
            case events.Expired():
                effects = self._type(self._controls.expire(now_s), now_s)
                effects += self._follow(conversation.expire(now_s))
            case events.Connected(notice):
                effects = self._connected(notice, now_s)
            case events.Lost(reason):
                effects = self._follow(conversation.lose(reason, now_s))
            case events.Resized(size):
                effects = self._resize(size)
            case events.Stopped(exit_code):
                conversation.quit()
                effects = [events.Leave(exit_code)]
            case _:
                assert_never(event)
        return effects

    def _connected(self, notice: str, now_s: float) -> list[Effect]:
        self._conversation.connected(now_s)
        self._notice = notice
        return [events.Tell(notice)] if notice else []

    def _type(self, typed: list[Keystroke], now_s: float) -> list[Effect]:
        owed = self._conversation.owed
        effects = self._follow(self._conversation.type(typed, now_s))
        if self._is_notice_shown and self._conversation.owed > owed:
            # The player has seen it; in version 1 the next frame paints over it anyway.
            self._notice, self._is_notice_shown = "", False
            self._conversation.resize(self._size)
        return effects

    def _resize(self, size: TerminalSize) -> list[Effect]:
        self._size = size
        self._conversation.resize(size)
        if self._conversation.is_coming_back:
            return [events.Paint(self._painter.repaint()), self._paint_trouble()]
        if self._conversation.is_playing and self._conversation.version == 1:
            return [events.Paint(self._painter.repaint())]
        return []

    def _follow(self, happened: list[ClientEvent]) -> list[Effect]:
        return [effect for event in happened for effect in self._effects_of(event)]

    def _effects_of(self, event: ClientEvent) -> list[Effect]:
        match event:
            case events.FirstScreen():
                return self._begin_playing(event)
            case events.Shown():
                return self._paint(event)
            case events.Interrupted():
                self._trouble = event.reason
                return [self._paint_trouble()]
            case events.Dismissed():
                return self._dismissed(event)
            case events.Over():
                return [events.Leave(1 if event.reason else 0, event.reason)]
            case _:
                return [event]

    def _begin_playing(self, screen: events.FirstScreen) -> list[Effect]:
        if screen.version == 2:
            return [events.EnableMouse()] if self._profile.has_mouse else []
        if self._profile.resumes:
            self._notice = _NO_GAME_WAITS
        return [events.Paint(self._painter.paint_frame(screen.text)), *self._paint_notice()]

    def _paint(self, shown: events.Shown) -> list[Effect]:
        match shown.packet:
            case ScreenPatch():
                painted = self._painter.paint_patch(shown.packet)
            case ScreenContent():
                painted = self._painter.paint_frame(shown.packet.text)
            case _:
                return []
        return [events.Paint(painted), *self._paint_notice()]

    def _paint_notice(self) -> list[Effect]:
        """Cover the bottom of the screen, after every patch, until the player does something."""
        self._is_notice_shown = bool(self._notice)
        return [events.Paint(paint_notice(self._notice, self._size))] if self._notice else []

    def _paint_trouble(self) -> Effect:
        return events.Paint(paint_trouble(self._trouble, self._size))

    def _dismissed(self, last: events.Dismissed) -> list[Effect]:
        words = _sentences(last.text)
        return [
            events.Leave(0, words) if last.was_asked_for else events.Leave(1, words or _DISMISSED)
        ]


def _sentences(screen: bytes) -> str:
    """Return what a screen says in sentences, without the frame and the keys around them."""
    lines = (line.strip(_BORDERS) for line in plain_text(screen))
    return " ".join(line for line in lines if line.endswith((".", "!")) and " " in line)
