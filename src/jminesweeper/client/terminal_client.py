"""A game on a terminal: keys and clicks in, a screen out.

This is a `Program` for the shell: events in, effects out, time an argument. Packets come out first;
once no event waits, the screen is composed anew, and its differences from the last one are painted.

Not all that is typed can be sent at once. Moves of the cursor are nobody else's business, and
presses on cells name the cell that the player saw: they go out however many replies are owed. So do
values that are set, and steps of a replay. Any other packet may bring up another board or a menu,
so the keys typed after it wait for its answer, as does a press on a cell that is being opened. No
key is lost or reordered, however fast the player types, and none does anything unintended.

The bottom line may be the client's own: a *notice* (where the game is played, where a recording is)
until the next key, how long the server has been *silent*, or the *trouble* with the connection.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final, assert_never

from jminesweeper.client import events
from jminesweeper.client.conversation import (
    Backoff,
    ClientConversation,
    Profile,
    SilenceTimer,
    earliest,
    is_due,
)
from jminesweeper.client.escapes import paint_frame, paint_line, plain_text
from jminesweeper.client.events import ClientEvent, ConnectionRequest, Effect, Event
from jminesweeper.client.keys import IN_VERSION_1, Controls
from jminesweeper.protocol.packets import Act, MoveTo, Packet, Replay, Say, ScreenContent
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.escapes import CLEAR
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.inks import Painter
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.lines import span
from jminesweeper.terminal.looks import Canvas, ColourDepth, Style
from jminesweeper.terminal.view import ViewError
from jminesweeper.terminal.words import text_of

_FLOWING: Final = Act | MoveTo | Replay | Say
NOTICE_S: Final = 6.0
"""Seconds that a notice stays if the player does nothing."""
_LEAST_ROWS: Final = 16
"""A screen with fewer rows cannot spare a line: a notice covers what is there."""
BACKGROUND_WAIT_S: Final = 0.1
"""Seconds that the first screen waits for a terminal to tell its background; a later answer, over a
slow line, has it painted again."""
PAUSE_WAIT_S: Final = 0.5
"""Seconds that Ctrl-Z waits for the server to have stopped the clock."""
_NO_GAME_WAITS: Final = "This server keeps no games; this is a new one."
_DISMISSED: Final = "The server ended the game."
_SEAT_KEPT: Final = "Your seat is kept for two minutes; come back with --join {code}."


class TerminalClient:
    """One player at one terminal; `deadline` is when to deliver `Expired`."""

    def __init__(
        self,
        profile: Profile,
        backoff: Backoff,
        canvas: Canvas,
        keys: KeyMap,
        *,
        has_mouse: bool = False,
        asks_background: bool = False,
        host: str = "",
    ) -> None:
        self._profile = profile
        self._size = TerminalSize(canvas.columns, canvas.rows)
        self._keys = keys
        self._has_mouse = has_mouse
        self._asks_background = asks_background
        self._paints_at_s: float | None = None
        """Until then the first screen waits for the terminal to tell its background."""
        self._front = FrontEnd(canvas, keys, host=host)
        self._painter = Painter(canvas)
        self._has_colours = canvas.colours is not ColourDepth.NONE
        self._conversation = ClientConversation(profile, backoff)
        self._controls = Controls(keys)
        self._typed: deque[Keystroke] = deque()
        """Keystrokes not sent yet, because their meaning depends on an answer."""
        self._awaits_answer = False
        self._silence = SilenceTimer()
        self._silent_s = self._dropped = 0
        self._notice = self._trouble = ""
        self._notice_deadline: float | None = None
        self._stops_at_s: float | None = None
        """Ctrl-Z was pressed: when to stop, if the game is not paused before that."""
        self._frame = b""
        """The last screen of version 1."""
        self._unpainted = self._own_shown = ""
        self._has_view = False

    @property
    def deadline(self) -> float | None:
        return earliest(
            self._conversation.deadline,
            self._controls.deadline,
            self._silence.deadline,
            self._notice_deadline,
            self._stops_at_s,
            self._paints_at_s,
            self._front.deadline if self._is_viewing else None,
        )

    @property
    def _is_viewing(self) -> bool:
        """True if there is a connection of version 2, and something to see."""
        return self._has_view and self._conversation.is_playing

    def begin(self, now_s: float, /) -> list[Effect]:
        """Connect for the first time."""
        self._silence.note(now_s, is_owed=self._conversation.is_waiting)
        return [ConnectionRequest.DIAL]

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Handle an event; return the effects."""
        looks = self._front.canvas.looks
        effects = self._effects(event, now_s)
        self._silence.note(now_s, is_owed=self._conversation.is_waiting)
        if self._front.canvas.looks != looks:
            effects.append(events.KeepLooks(self._front.canvas.looks))
        if self._stops_at_s is not None and (
            is_due(self._stops_at_s, now_s) or not self._conversation.owed
        ):
            self._stops_at_s = None
            effects.append(events.Suspend())
        data = self._conversation.data_to_send()
        return [events.Send(data), *effects] if data else effects

    def _effects(self, event: Event, now_s: float) -> list[Effect]:
        conversation = self._conversation
        effects: list[Effect] = []
        match event:
            case events.Received(data):
                self._silence.note(now_s, is_owed=conversation.is_waiting, has_heard=True)
                effects += self._follow(conversation.receive(data, now_s), now_s)
                self._awaits_answer = self._awaits_answer and conversation.owed > 0
                effects += self._send_typed(now_s)
            case events.Typed(data):
                typed = self._controls.decode(data, now_s)
                if (answer := self._controls.answer) is not None:
                    self._controls.answer = self._paints_at_s = None
                    self._front.set_background(answer.ground)
                effects += self._type(typed, now_s)
            case events.Expired():
                effects += self._expire(now_s)
            case events.Connected(notice):
                self._show_notice(notice)
                conversation.connected(now_s)
                effects += [events.Tell(notice)] if notice else []
            case events.Lost(reason):
                effects += self._follow(conversation.lose(reason, now_s), now_s)
            case events.Resized(size):
                self._size = size
                self._painter.forget()
                was_too_small = self._front.is_too_small
                self._front.resize(*size)
                if self._front.is_too_small and not was_too_small:
                    # A clock must not run unseen.
                    self._pause(now_s)
                if self._frame:
                    self._unpainted = CLEAR + self._painted_frame()
            case events.Kept(notice):
                self._show_notice(notice)
            case events.StopAsked():
                # The clock of one's own game stops before the shell gets its terminal back.
                self._stops_at_s = now_s + PAUSE_WAIT_S * self._pause(now_s)
            case events.Stopped(exit_code):
                seat_kept = self._seat_kept()
                conversation.quit()
                effects.append(events.Leave(exit_code, seat_kept))
            case events.LineRead() | events.Submitted():
                # Lines belong to the line mode, and packets to programs that play.
                pass
            case _:
                assert_never(event)
        return effects

    def _pause(self, now_s: float) -> bool:
        """Stop the clock of one's own game; return True if it ran."""
        view = self._front.view
        if not (self._is_viewing and view.clock_runs and "pause" in view.keys):
            return False
        self._send([Command.PAUSE], now_s)
        return True

    # What is typed

    def _type(self, typed: list[Keystroke], now_s: float) -> list[Effect]:
        if typed and self._notice_deadline is not None and not self._silence.is_silent:
            self._notice, self._notice_deadline, self._dropped = "", None, 0
        is_quitting = any(stroke.action is KeyAction.QUIT for stroke in typed)
        if is_quitting and (self._silence.is_silent or not self._conversation.is_playing):
            # What waits to be sent before it does not count: nobody answers.
            self._conversation.quit()
            return [events.Leave(0)]
        if self._conversation.is_coming_back:
            # It was meant for a screen that is gone.
            is_hurried = any(stroke.action is KeyAction.REVEAL for stroke in typed)
            return self._follow(self._conversation.hurry() if is_hurried else [], now_s)
        if self._silence.is_silent:
            self._drop(len(typed))
            return []
        self._typed += typed
        return self._send_typed(now_s)

    def _send_typed(self, now_s: float) -> list[Effect]:
        """Send what was typed, up to the first key whose meaning is not known yet."""
        if not self._conversation.is_playing:
            return []
        if self._conversation.version == 1:
            packets = {**IN_VERSION_1, KeyAction.NEW: self._profile.start}
            actions = [stroke.action for stroke in self._typed if stroke.action in packets]
            self._typed.clear()
            self._send([packets[each] for each in actions], now_s)
            return self._leave_if_over()
        while self._has_view and self._typed:
            if self._awaits_answer or self._front.must_wait(self._typed[0]):
                break
            for packet in self._front.press(self._typed.popleft(), now_s):
                self._send([packet], now_s)
                is_flowing = isinstance(packet, _FLOWING) or self._front.flows(packet)
                self._awaits_answer = self._awaits_answer or not is_flowing
        return self._leave_if_over()

    def _send(self, packets: Iterable[Packet], now_s: float) -> None:
        for packet in packets:
            if packet is Command.QUIT:
                self._conversation.quit()
            elif self._conversation.is_playing:
                self._conversation.send([packet], now_s)

    def _leave_if_over(self) -> list[Effect]:
        is_over = not (self._conversation.is_connected or self._conversation.is_coming_back)
        if not is_over:
            return []
        return [events.Leave(0, self._seat_kept())]

    def _seat_kept(self) -> str:
        """Say how to come back to a seat, where one is kept."""
        view = self._front.view
        room = view.room
        # A room ends with its last player, and a race alone is no room at all.
        if room is None or not (room.code and room.you and view.has_company):
            return ""
        return _SEAT_KEPT.format(code=room.code)

    def _expire(self, now_s: float) -> list[Effect]:
        """Do what is due."""
        if is_due(self._paints_at_s, now_s):
            self._paints_at_s = None
        effects = self._type(self._controls.expire(now_s), now_s)
        effects += self._follow(self._conversation.expire(now_s), now_s)
        if self._is_viewing:
            self._send(self._front.expire(now_s), now_s)
        if is_due(self._notice_deadline, now_s):
            self._notice, self._notice_deadline = "", None
        if is_due(self._silence.deadline, now_s):
            self._silent_s = self._silence.expire(now_s)
            self._drop(len(self._typed))
            self._typed.clear()
        return effects

    def _drop(self, count: int) -> None:
        """Say that keys are dropped: after an answer that does not come they would play blind."""
        if count:
            self._dropped += count
            keys = "1 key is" if self._dropped == 1 else f"{self._dropped} keys are"
            self._notice, self._notice_deadline = f"{keys} dropped.", None

    def _show_notice(self, notice: str) -> None:
        """Show a notice until the player does something or has had the time to read it."""
        self._notice, self._notice_deadline = notice, None

    # What the conversation says

    def _follow(self, happened: list[ClientEvent], now_s: float) -> list[Effect]:
        return [effect for event in happened for effect in self._effects_of(event, now_s)]

    def _effects_of(self, event: ClientEvent, now_s: float) -> list[Effect]:
        match event:
            case events.FirstScreen(version=2):
                self._has_view = False
                self._front.forget()
                asks, self._asks_background = self._asks_background, False
                if asks:
                    self._paints_at_s = now_s + BACKGROUND_WAIT_S
                return [
                    *([events.AskBackground()] if asks else ()),
                    *([events.EnableMouse()] if self._has_mouse else ()),
                ]
            case events.FirstScreen(text=text):
                self._notice = _NO_GAME_WAITS if self._profile.resumes else self._notice
                self._show_frame(text)
            case events.FrameReceived(packet=ScreenContent(text)):
                self._show_frame(text)
            case events.FrameReceived():
                pass
            case events.Viewed(members, cells, answers):
                try:
                    self._front.apply_view(members, cells, answers, now_s)
                except ViewError as error:
                    return [ConnectionRequest.HANG_UP, events.Leave(1, str(error))]
                self._has_view, self._trouble = True, ""
            case events.Interrupted(reason):
                self._trouble = reason
                self._typed.clear()
                self._front.board.forget_presses()
            case events.Dismissed(was_asked_for):
                words = text_of(self._front.view.message, self._keys)
                return [
                    events.Leave(0, words)
                    if was_asked_for
                    else events.Leave(1, words or _DISMISSED)
                ]
            case events.Over(""):
                return [events.Leave(0)]
            case events.Over(reason):
                # The last frame stays readable if the server and not the player ended it; the
                # brackets around the cursor come after the lines that they belong to.
                lines = [line for line in plain_text(self._frame) if line not in {"[", "]"}]
                # A single line is the server's reason, which is printed anyway.
                return [events.Leave(1, reason, "\n".join(lines) if len(lines) > 1 else "")]
            case _:
                return [event]
        return []

    def _show_frame(self, frame: bytes) -> None:
        self._frame = frame
        self._unpainted += self._painted_frame()

    def _painted_frame(self) -> str:
        return paint_frame(self._frame, has_colours=self._has_colours)

    # The screen

    def paint(self, now_s: float) -> str:
        """Return what brings the terminal up to date."""
        if self._paints_at_s is not None:
            return ""
        if self._notice and self._notice_deadline is None:
            self._notice_deadline = now_s + NOTICE_S
        own, shown = self._notice, self._own_shown
        # What is wrong is cut short so that the key to press fits beside it.
        if self._conversation.is_coming_back:
            own = self._fitting(self._trouble, "Reconnecting; RETURN tries now, x quits.")
        elif self._silence.is_silent:
            told = f"The server has not answered for {self._silent_s} s."
            own = self._fitting(f"{told} {self._notice}".strip(), "Press x to quit.")
        if self._has_view:
            columns, rows = self._size
            # A notice hides nothing if a line can be spared; trouble covers what is out of date.
            is_spared = bool(self._notice) and own == self._notice and rows >= _LEAST_ROWS
            self._front.resize(columns, rows - is_spared)
            screen = self._front.screen(now_s)
            if own:
                screen.lines[rows - 1 :] = [span(own[: columns - 1], Style.CHOSEN)]
            return self._painter.paint(screen, self._front.canvas)
        painted, self._unpainted = self._unpainted, ""
        has_screen = bool(self._frame) or self._silence.is_silent
        if has_screen and own and (painted or own != shown):
            self._own_shown = own
            painted += paint_line(own, *self._size)
        return painted

    def _fitting(self, told: str, what_helps: str) -> str:
        room = self._size.columns - 2 - len(what_helps)
        told = told if len(told) <= room else f"{told[: max(0, room - 3)]}..."
        return f"{told} {what_helps}"
