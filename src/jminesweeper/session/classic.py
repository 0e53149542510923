"""The screens of version 1: the frame of the match, whole, and in J's own keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import ONGOING
from jminesweeper.frames import ClassicFrame, paint_page
from jminesweeper.protocol.packets import encode_screen
from jminesweeper.protocol.view import STATES
from jminesweeper.session.matches import MatchSeat
from jminesweeper.session.messages import AIMS, SILENCE, Message, format_clock
from jminesweeper.session.player import Player

_KEYS: Final = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
_PAUSED: Final = "Paused. Press p to resume."
_AGAIN: Final = "Press TAB to play again."
_LOST: Final = (
    "You lost: B* went off, BF is a marked mine, 2F a wrong mark. TAB: again.",
    "You lost: * went off, # marked mine, o a-h wrong mark on . 1-8. TAB: again.",
)
_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "won": (f"You won! {_AGAIN}", f"You won! {_AGAIN}"),
    "lost": _LOST,
    "lost.unprotected": _LOST,
    "debug.on": (
        "Debug mode: B is a mine, FB a mine under a mark.",
        "Debug mode: B is a mine, # a mine under a mark.",
    ),
    "full": ("This game is too long. Press TAB for a new one.",) * 2,
}
"""Messages that name keys or signs of a frame: where cells have two columns, and one."""

_WELCOME: Final = (
    "",
    "  JMinesweeper",
    "",
    "  Find the mines without opening one, and mark them all.",
    "",
    "  w a s d   move the cursor",
    "  RETURN    reveal the cell",
    "  SPACE     mark a mine, or remove the mark",
    "  TAB       start a new game",
    "  #         debug mode: see the mines",
    "  X         quit",
    "",
)


class ClassicPresenter:
    """Version 1: the board and nothing else, the whole screen each time.

    All of a frame but the cursor is kept, so the answer to a cursor key takes 2 us, not 6.
    """

    __slots__ = (
        "_aim",
        "_changes",
        "_elapsed_s",
        "_frame",
        "_is_shared",
        "_message",
        "_painted",
        "_seat",
    )

    def __init__(self) -> None:
        self._seat: MatchSeat | None = None
        self._frame: ClassicFrame | None = None
        self._is_shared = False
        """The frame is that of all untouched boards: no game may be shown in it."""
        self._changes = -1
        self._elapsed_s = 0
        self._message = SILENCE
        self._aim = ""
        self._painted = b""

    def present(self, player: Player) -> bytes:
        """Return the frame of the match, or the welcome before the first one."""
        seat, frame = player.seat, self._frame
        if seat is None:
            return encode_screen(paint_page(_welcome(player.message.text)))
        if seat.is_paused:
            return encode_screen(paint_page(("", f"  {_PAUSED}", "")))
        if frame is None or seat is not self._seat:
            frame = self._begin(seat)
        elapsed_s = seat.match.elapsed_ms(player.now_ms) // 1000
        if (
            seat.changes != self._changes
            or elapsed_s != self._elapsed_s
            or player.message is not self._message
        ):
            said, game = player.message, seat.match.game
            if seat.changes != self._changes:
                if self._is_shared:
                    self._frame = frame = ClassicFrame(game.grid, _KEYS)
                    self._is_shared = False
                frame.show(game, game.reveal_truth().mines if seat.is_debugged else 0)
            self._changes, self._elapsed_s, self._message = seat.changes, elapsed_s, said
            line = self._aim
            if said is not SILENCE or game.status is not ONGOING:
                line = _message_line(said, game, is_wide=frame.is_wide)
            status = _status_line(game, elapsed_s, is_debugged=seat.is_debugged)
            self._painted = frame.without_cursor(status, line)
        return encode_screen(self._painted + frame.cursor_tail(seat.cursor))

    def _begin(self, seat: MatchSeat) -> ClassicFrame:
        game = seat.match.game
        self._seat, self._is_shared = seat, True
        frame, self._aim, self._painted = _untouched(game.setup.variant)
        self._frame = frame
        self._message, self._elapsed_s = SILENCE, 0
        # The board of a new game need not even be laid to be shown.
        is_new = game.status is ONGOING and not (game.was_played or seat.is_debugged)
        self._changes = seat.changes if is_new else -1
        return frame


# Most games begin like one that began before: without this START takes half as long again.
@lru_cache(maxsize=32)
def _untouched(variant: Variant) -> tuple[ClassicFrame, str, bytes]:
    """Paint a board before the first action, with the goal of the game."""
    game, frame = Game(Setup(variant, seed=0)), ClassicFrame(variant.grid, _KEYS)
    line = _message_line(SILENCE, game, is_wide=frame.is_wide)
    return frame, line, frame.without_cursor(_status_line(game, 0, is_debugged=False), line)


def _message_line(said: Message, game: Game, *, is_wide: bool) -> str:
    """Say the message; while there is none, say what wins."""
    if said.id:
        wide, narrow = _TEXTS.get(said.id, (said.text, said.text))
        return wide if is_wide else narrow
    if game.status is not ONGOING:
        return ""
    variant = game.setup.variant
    aim = AIMS[variant.rules.victory].text
    return f"{aim} Seen before, so not ranked." if variant.is_repeat else aim


def _welcome(said: str) -> Sequence[str]:
    """Explain how to begin the first game."""
    return (*_WELCOME, f"  {said or 'Start a game to play: TAB, or a START packet.'}", "")


def _status_line(game: Game, elapsed_s: int, *, is_debugged: bool) -> str:
    variant = game.setup.variant
    left = variant.mine_count - game.flagged.bit_count()
    line = f"JMinesweeper  {variant.label}  mines left {left}  {format_clock(elapsed_s)}"
    if game.status is not ONGOING:
        line += f"  {STATES[game.status].upper()}"
        return f"{line} DEBUG" if is_debugged else line
    return f"{line}  DEBUG" if is_debugged else line
