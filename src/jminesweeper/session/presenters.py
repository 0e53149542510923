"""How a session's screen goes out: as version 1 frames, as patches, or as plain text."""

from __future__ import annotations

from typing import Protocol

from jminesweeper.core import Cell
from jminesweeper.protocol import PatchFlag, encode_patch, encode_screen
from jminesweeper.screen import (
    AnsiPainter,
    ClassicFrame,
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

    def present(self, model: ScreenModel) -> bytes: ...

    def locate(self, column: int, row: int) -> Cell | int | None: ...

    def resize(self, terminal: Terminal) -> None: ...

    def dress(self, taste: Taste) -> None: ...


class ClassicPresenter:
    """Version 1: the table and nothing else, the whole screen each time."""

    __slots__ = ("_changes", "_frame", "_play", "_status", "_status_key")

    def __init__(self) -> None:
        self._play: Play | None = None
        self._frame: ClassicFrame | None = None
        self._changes = 0
        self._status = ""
        self._status_key: object = None

    def present_table(self, table: Table, now_ms: int, *first: bytes) -> bytes:
        """Return the frame of the game, or the welcome before the first one, after `first`."""
        play = table.play
        if play is None:
            return encode_screen(*first, paint_page(messages.welcome(table.message.text)))
        frame = self._frame
        if play is not self._play or frame is None:
            self._play = play
            self._frame = frame = ClassicFrame(play.game.setup.size, messages.CLASSIC_KEYS)
            self._changes = -1
        if table.changes != self._changes:
            self._changes = table.changes
            frame.field.show(play.game.view(), play.debug_mines())
        elapsed_s = play.elapsed_ms(now_ms) // 1000
        key = (elapsed_s, table.changes)
        if key != self._status_key:
            self._status_key = key
            self._status = messages.status_line(play, elapsed_s)
        return encode_screen(*first, *frame.pieces(self._status, table.message.text, play.cursor))


class AnsiPresenter:
    """Version 2 on a terminal: what changed since the last reply."""

    def __init__(self, terminal: Terminal, taste: Taste) -> None:
        self._painter = AnsiPainter(terminal, taste)
        self.locate = self._painter.locate
        self.resize = self._painter.resize
        self.dress = self._painter.dress

    def present(self, model: ScreenModel) -> bytes:
        patch = self._painter.paint(model)
        flags = (
            PatchFlag.FULL_REPAINT * patch.is_full
            | PatchFlag.CURSOR_SHOWN * patch.cursor_shown
            | PatchFlag.CURSOR_MARKED * patch.cursor_marked
            | PatchFlag.CLOCK_RUNS * patch.clock_runs
            | PatchFlag.BUSY * patch.is_busy
        )
        return encode_patch(flags, patch.cursor_row, patch.cursor_column, patch.text)


class PlainPresenter:
    """Version 2 for programs and screen readers: every screen whole, as plain text."""

    def present(self, model: ScreenModel) -> bytes:
        return encode_screen(format_plain(model).encode())

    def locate(self, column: int, row: int) -> None:
        """Find nothing: there are no places on plain text."""

    def resize(self, terminal: Terminal) -> None:
        """Change nothing: plain text has no size."""

    def dress(self, taste: Taste) -> None:
        """Change nothing: plain text has no looks."""
