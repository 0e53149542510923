"""How a player's screen goes out: as version 1 frames, as patches, or as plain text.

A presenter is chosen by HELLO; it keeps what the client shows, so that it can send what changed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, Protocol

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.frames.frame import ClassicFrame, paint_page, untouched_frame
from jminesweeper.protocol.encode import (
    HEADER_BYTES,
    encode_patch,
    encode_screen,
    encode_screen_opening,
)
from jminesweeper.protocol.packets import Hello, Resize
from jminesweeper.protocol.view import encode_view
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Feature, Glyphs, PatchFlag
from jminesweeper.screen.cells import CellsPainter
from jminesweeper.screen.models import (
    ColourDepth,
    GameScreen,
    Message,
    ScreenModel,
    Taste,
    Terminal,
)
from jminesweeper.screen.painter import AnsiPainter
from jminesweeper.screen.plain import format_plain
from jminesweeper.session import messages
from jminesweeper.session.match import Match

NO_FLAGS: Final = 0
# Plain numbers: combining an IntFlag takes microseconds, for every reply.
_FULL_REPAINT: Final = int(PatchFlag.FULL_REPAINT)
_CURSOR_SHOWN: Final = int(PatchFlag.CURSOR_SHOWN)
_CURSOR_MARKED: Final = int(PatchFlag.CURSOR_MARKED)
_CLOCK_RUNS: Final = int(PatchFlag.CLOCK_RUNS)
_ON_TILES: Final = int(PatchFlag.ON_TILES)
_LAST_SCREEN: Final = int(PatchFlag.LAST_SCREEN)
_TAKES_TEXT: Final = int(PatchFlag.TAKES_TEXT)
_UNASKED: Final = int(PatchFlag.UNASKED)
_TILES: Final = int(Feature.TILES)


class Presenter(Protocol):
    """Turns a screen model into one reply."""

    @property
    def first_line(self) -> int:
        """The first line of a page that is shown."""

    def present(self, model: ScreenModel, flags: int = NO_FLAGS) -> bytes: ...

    def locate(self, column: int, row: int) -> Cell | int | str | None: ...

    def resize(self, terminal: Terminal) -> None: ...

    def dress(self, taste: Taste) -> None: ...


class Seen(Protocol):
    """What version 1 shows of a player."""

    match: Match | None
    cursor: Cell
    message: Message
    is_paused: bool
    is_debugged: bool
    changes: int
    """Counts the changes to the look of the field."""
    now_ms: int

    def debug_mines(self) -> int: ...


class ClassicPresenter:
    """Version 1: the board and nothing else, the whole screen each time.

    All of a frame but the cursor is kept, with the packet's header: the answer to a cursor key is
    two byte strings joined, unless the new cursor takes more bytes or fewer.
    """

    __slots__ = (
        "_changes",
        "_elapsed_s",
        "_frame",
        "_is_shared",
        "_line",
        "_match",
        "_message",
        "_opening",
        "_painted",
        "_status",
        "_tail_bytes",
    )

    def __init__(self) -> None:
        self._match: Match | None = None
        self._frame: ClassicFrame | None = None
        self._is_shared = False
        """Nothing may be shown in the frame: other games have it as well."""
        self._changes = 0
        self._elapsed_s = 0
        self._message: Message | None = None
        self._status: Status | None = None
        self._line = ""
        """Says the message, or what wins, for the status of the game."""
        self._painted = b""
        self._opening = b""
        """The packet up to a cursor of this many bytes."""
        self._tail_bytes = 0

    def present(self, player: Seen) -> bytes:
        """Return the frame of the match, or the welcome before the first one."""
        match, frame = player.match, self._frame
        if match is None:
            return encode_screen(paint_page(messages.welcome(player.message.text)))
        if player.is_paused:
            return encode_screen(paint_page(("", f"  {messages.PAUSED.text}", "")))
        elapsed_s = match.elapsed_ms(player.now_ms) // 1000
        if (
            frame is None
            or match is not self._match
            or player.changes != self._changes
            or elapsed_s != self._elapsed_s
            or player.message is not self._message
        ):
            frame = self._repaint(player, match, elapsed_s)
        tail = frame.cursor_tail(player.cursor)
        if len(tail) != self._tail_bytes:
            self._tail_bytes = len(tail)
            self._opening = encode_screen_opening(self._painted, len(tail))
        return self._opening + tail

    def _repaint(self, player: Seen, match: Match, elapsed_s: int) -> ClassicFrame:
        frame = self._frame
        game, variant = match.game, match.game.setup.variant
        if frame is None or match is not self._match:
            frame, self._is_shared = untouched_frame(game.grid, messages.CLASSIC_KEYS), True
            self._match, self._message = match, None
            self._changes = -1 if game.was_played else player.changes
        if player.changes != self._changes:
            if self._is_shared:
                frame, self._is_shared = ClassicFrame(game.grid, messages.CLASSIC_KEYS), False
            frame.show(game.view, player.debug_mines())
            self._changes = player.changes
        self._frame, self._elapsed_s = frame, elapsed_s
        if player.message is not self._message or game.status is not self._status:
            self._message, self._status = player.message, game.status
            self._line = _message_line(player.message, game, is_wide=frame.is_wide)
        status = messages.status_line(
            variant.label,
            variant.mine_count - game.flagged.bit_count(),
            elapsed_s,
            game.status,
            is_debugged=player.is_debugged,
        )
        paint = _paint_untouched if self._is_shared else ClassicFrame.without_cursor
        self._painted = paint(frame, status, self._line)
        self._tail_bytes = 0
        return frame


# Most games begin like one that began before.
_paint_untouched = lru_cache(maxsize=64)(ClassicFrame.without_cursor)


def _message_line(message: Message, game: Game, *, is_wide: bool) -> str:
    """Say the message; while there is none, say what wins."""
    if not message.text and game.status is Status.ONGOING:
        variant = game.setup.variant
        message = messages.aim_of(variant.rules, is_repeat=variant.is_repeat)
    return messages.classic_text(message, is_wide=is_wide)


def announce(screen: bytes) -> bytes:
    """Announce version 2 in the first screen of a connection."""
    return encode_screen(ANNOUNCEMENT, screen[HEADER_BYTES:])


class AnsiPresenter:
    """Version 2 on a terminal: what changed since the last reply."""

    def __init__(self, terminal: Terminal, taste: Taste) -> None:
        self._painter = AnsiPainter(terminal, taste)
        self._taste = taste
        self.locate = self._painter.locate
        self.resize = self._painter.resize
        self.pan = self._painter.pan
        self.show = self._painter.show

    @property
    def first_line(self) -> int:
        return self._painter.first_line

    @property
    def shows_part(self) -> bool:
        """Whether the board is larger than the screen."""
        return self._painter.is_windowed

    def present(self, model: ScreenModel, flags: int = NO_FLAGS) -> bytes:
        if flags & _LAST_SCREEN:
            # Whole, so that the client keeps the text even after the screen is gone.
            self._painter.forget()
        patch = self._painter.paint(model)
        flags |= (
            _FULL_REPAINT * patch.is_full
            | _CURSOR_SHOWN * patch.cursor_shown
            | _CURSOR_MARKED * patch.cursor_marked
            | _CLOCK_RUNS * patch.clock_runs
            | _TAKES_TEXT * patch.takes_text
        )
        text = patch.text
        if patch.grounds:
            flags |= _ON_TILES
            text = patch.grounds + text
        return encode_patch(flags, patch.cursor_row, patch.cursor_column, text)

    def dress(self, taste: Taste) -> None:
        """Change the look; that repaints everything."""
        if taste != self._taste:
            self._taste = taste
            self._painter.dress(taste)


class PlainPresenter:
    """Version 2 for programs and screen readers: every screen whole, as plain text."""

    first_line = 0

    def present(self, model: ScreenModel, flags: int = NO_FLAGS) -> bytes:
        if isinstance(model, GameScreen):
            model = model._replace(message=messages.in_plain(model.message))
        text = format_plain(model).encode()
        return encode_patch(flags, 0, 0, text) if flags else encode_screen(text)

    def locate(self, column: int, row: int) -> None:
        """Find nothing: there are no places on plain text."""

    def resize(self, terminal: Terminal) -> None:
        """Change nothing: plain text has no size."""

    def dress(self, taste: Taste) -> None:
        """Change nothing: plain text has no looks."""


class CellsPresenter:
    """Version 2 for clients that draw cells themselves: what changed, as data."""

    first_line = 0

    def __init__(self, taste: Taste) -> None:
        self._painter = CellsPainter(taste)
        self.locate = self._painter.locate
        self.dress = self._painter.dress

    def present(self, model: ScreenModel, flags: int = NO_FLAGS) -> bytes:
        patch = self._painter.paint(
            model,
            unasked=bool(flags & _UNASKED),
            last=bool(flags & _LAST_SCREEN),
        )
        return encode_view(patch.text, patch.cells)

    def resize(self, terminal: Terminal) -> None:
        """Describe everything next time: a client that resizes may have lost its cells."""
        self._painter.forget()


_LARGEST_SIDE: Final = 255
_DEPTHS: Final = {depth.value for depth in ColourDepth}


def terminal_of(hello: Hello) -> Terminal:
    """Read a screen's size and abilities; an unknown ability counts as the least of its kind."""
    depth = ColourDepth(hello.colours) if hello.colours in _DEPTHS else ColourDepth.NONE
    return Terminal(
        _side(hello.columns),
        _side(hello.rows),
        depth,
        has_unicode=hello.glyphs == Glyphs.UNICODE,
        keeps_tiles=bool(hello.features & _TILES),
    )


def resized(terminal: Terminal, packet: Resize) -> Terminal:
    return replace(terminal, columns=_side(packet.columns), rows=_side(packet.rows))


def _side(length: int) -> int:
    """Bound a side: cursor positions on the wire are single bytes."""
    return min(max(length, 1), _LARGEST_SIDE)
