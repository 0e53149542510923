"""How a session's screen goes out: as version 1 frames, as patches, or as plain text."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from jminesweeper.core import Cell
from jminesweeper.protocol import (
    ANNOUNCEMENT,
    HEADER_BYTES,
    PatchFlag,
    encode_patch,
    encode_screen,
    encode_screen_opening,
)
from jminesweeper.screen import (
    AnsiPainter,
    ClassicFrame,
    GameScreen,
    Message,
    ScreenModel,
    Taste,
    Terminal,
    format_plain,
    paint_page,
)
from jminesweeper.session import messages
from jminesweeper.session.play import Play
from jminesweeper.session.table import Table


class Presenter(Protocol):
    """Makes one reply out of what is to be shown."""

    @property
    def first_line(self) -> int:
        """The line of a page that is the first one shown."""

    def present(self, model: ScreenModel, *, is_last: bool = False) -> bytes: ...

    def locate(self, column: int, row: int) -> Cell | int | None: ...

    def resize(self, terminal: Terminal) -> None: ...

    def dress(self, taste: Taste) -> None: ...


class ClassicPresenter:
    """Version 1: the table and nothing else, the whole screen each time.

    All of a frame but the cursor is kept, with the packet's header, for each length a cursor may
    have: to answer a cursor key two byte strings are put together.
    """

    __slots__ = ("_changes", "_elapsed_s", "_frame", "_message", "_openings", "_painted", "_play")

    def __init__(self) -> None:
        self._play: Play | None = None
        self._frame: ClassicFrame | None = None
        self._changes = 0
        self._elapsed_s = 0
        self._message: Message | None = None
        self._painted = b""
        self._openings: dict[int, bytes] = {}

    def present(self, table: Table, now_ms: int) -> bytes:
        """Return the frame of the game, or the welcome before the first one."""
        play, frame = table.play, self._frame
        if play is None:
            return encode_screen(paint_page(messages.welcome(table.message.text)))
        if play.is_paused:
            return encode_screen(paint_page(("", f"  {messages.PAUSED.text}", "")))
        elapsed_s = play.elapsed_ms(now_ms) // 1000
        if (
            frame is None
            or play is not self._play
            or table.changes != self._changes
            or elapsed_s != self._elapsed_s
            or table.message is not self._message
        ):
            frame = self._repaint(table, play, elapsed_s)
        tail = frame.field.cursor_tail(play.cursor)
        opening = self._openings.get(len(tail))
        if opening is None:
            opening = encode_screen_opening(self._painted, len(tail))
            self._openings[len(tail)] = opening
        return opening + tail

    def _repaint(self, table: Table, play: Play, elapsed_s: int) -> ClassicFrame:
        frame = self._frame
        if frame is None or play is not self._play:
            frame = ClassicFrame(play.game.setup.size, messages.CLASSIC_KEYS)
            self._play, self._frame, self._changes = play, frame, -1
        # A field on which nothing was done is painted already.
        if table.changes != self._changes and play.game.was_played:
            frame.field.show(play.game.view(), play.debug_mines())
        self._changes, self._elapsed_s, self._message = table.changes, elapsed_s, table.message
        status = messages.status_line(play, elapsed_s)
        self._painted = frame.without_cursor(status, messages.classic_text(table.message))
        self._openings.clear()
        return frame


def announce(screen: bytes) -> bytes:
    """Tell, in a connection's first screen, that version 2 is spoken here."""
    return encode_screen(ANNOUNCEMENT, screen[HEADER_BYTES:])


class AnsiPresenter:
    """Version 2 on a terminal: what changed since the last reply."""

    def __init__(self, terminal: Terminal, taste: Taste) -> None:
        self._painter = AnsiPainter(terminal, taste)
        self._taste = taste
        self.locate = self._painter.locate
        self.resize = self._painter.resize

    @property
    def first_line(self) -> int:
        return self._painter.first_line

    def present(self, model: ScreenModel, *, is_last: bool = False) -> bytes:
        if is_last:
            # Whole, so that the client has its words also when the screen is gone.
            self._painter.forget()
        patch = self._painter.paint(model)
        flags = (
            PatchFlag.FULL_REPAINT * patch.is_full
            | PatchFlag.CURSOR_SHOWN * patch.cursor_shown
            | PatchFlag.CURSOR_MARKED * patch.cursor_marked
            | PatchFlag.CLOCK_RUNS * patch.clock_runs
            | PatchFlag.LAST_SCREEN * is_last
            | PatchFlag.TAKES_TEXT * patch.takes_text
        )
        return encode_patch(flags, patch.cursor_row, patch.cursor_column, patch.text)

    def dress(self, taste: Taste) -> None:
        """Change the looks; that repaints everything."""
        if taste != self._taste:
            self._taste = taste
            self._painter.dress(taste)


class PlainPresenter:
    """Version 2 for programs and screen readers: every screen whole, as plain text."""

    first_line = 0

    def present(self, model: ScreenModel, *, is_last: bool = False) -> bytes:
        if isinstance(model, GameScreen):
            model = replace(model, message=messages.in_plain(model.message))
        text = format_plain(model).encode()
        return encode_patch(PatchFlag.LAST_SCREEN, 0, 0, text) if is_last else encode_screen(text)

    def locate(self, column: int, row: int) -> None:
        """Find nothing: there are no places on plain text."""

    def resize(self, terminal: Terminal) -> None:
        """Change nothing: plain text has no size."""

    def dress(self, taste: Taste) -> None:
        """Change nothing: plain text has no looks."""
