"""Keyboard and mouse of one player: from the bytes that a terminal sends to keystrokes.

A key is its text in `readchar.key`: a character, or the sequence that xterm sends for it. Other
terminals' sequences for the same key, and those with modifiers, become that one, so that the
table of keys has each of them once. Unknown sequences are dropped whole. Pasted text is not keys:
it comes out in one piece, for a text field. Terminals on touch screens send taps as presses and
releases of the left button: there a press that is held flags, as document C asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from readchar import key as named

from jminesweeper.client.conversation import earliest, is_due
from jminesweeper.protocol.packets import LONGEST_NAME, Packet
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.keys import Click, KeyAction, KeyMap, Keystroke, Press
from jminesweeper.terminal.looks import Ground

HOLD_S: Final = 0.4
"""A longer press flags, a shorter one reveals."""

_CTRL: Final = 16
_MOTION: Final = 32
# Shift and Meta change nothing; the terminal uses most of them itself.
_IGNORED_MODIFIERS: Final = 4 | 8
_LEFT: Final = 0

# By the code of the SGR report: the buttons that act when pressed.
_AT_ONCE: Final[Mapping[int, Press]] = {
    1: Press.CHORD,
    2: Press.FLAG,
    _LEFT | _CTRL: Press.FLAG,
    1 | _CTRL: Press.CHORD,
    2 | _CTRL: Press.FLAG,
    64: Press.WHEEL_UP,
    65: Press.WHEEL_DOWN,
    64 | _CTRL: Press.WHEEL_UP,
    65 | _CTRL: Press.WHEEL_DOWN,
}


@dataclass(frozen=True, slots=True)
class MouseReport:
    """One SGR report: a raw button code, and the screen position counted from 0."""

    code: int
    column: int
    row: int
    pressed: bool

    def is_near(self, other: MouseReport) -> bool:
        """Return True if it is close enough to be the same press of an unsteady finger."""
        return abs(self.column - other.column) <= 1 and abs(self.row - other.row) <= 1

    def click(self, press: Press) -> Click:
        return Click(self.row, self.column, press)


class Gestures:
    """Tells clicks from long presses; `deadline` is when a held press becomes a flag."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._held: MouseReport | None = None

    def report(self, report: MouseReport, now_s: float) -> Click | None:
        """Return the gesture that this report completes."""
        code = report.code & ~_IGNORED_MODIFIERS
        if code & _MOTION:
            if self._held is not None and not report.is_near(self._held):
                self._finish(Press.OPEN)
            return None
        if not report.pressed:
            return self._release(code)
        if code == _LEFT:
            self._held, self.deadline = report, now_s + HOLD_S
            return None
        press = _AT_ONCE.get(code)
        return None if press is None else report.click(press)

    def expire(self) -> Click | None:
        """Flag, because the press was held long enough."""
        return self._finish(Press.FLAG)

    def _release(self, code: int) -> Click | None:
        return self._finish(Press.OPEN) if code & ~_CTRL == _LEFT else None

    def _finish(self, press: Press) -> Click | None:
        held, self._held, self.deadline = self._held, None, None
        return None if held is None else held.click(press)


class BackgroundAnswer(NamedTuple):
    """The terminal's answer about its background; None if it only answers at all."""

    ground: Ground | None


class Pasted(NamedTuple):
    """Pasted text, cut to the room in a packet."""

    text: str


Input: TypeAlias = str | MouseReport | Pasted | BackgroundAnswer

ESC_WAIT_S: Final = 0.05
"""Seconds that a lone ESC waits for the rest of a sequence before it is the key itself."""
SEQUENCE_WAIT_S: Final = 0.5
"""Seconds that the start of a sequence waits for the rest: a slow line delivers it in pieces."""
PASTE_WAIT_S: Final = 1.0
"""Seconds that a paste may pause before keys count again, in case its end was lost."""
MOST_PASTED: Final = LONGEST_NAME
"""Bytes of a paste that are kept; a packet carries no more."""

_CURSOR_KEYS: Final[Mapping[bytes, str]] = {
    b"A": named.UP,
    b"B": named.DOWN,
    b"C": named.RIGHT,
    b"D": named.LEFT,
    b"H": named.HOME,
    b"F": named.END,
    # rxvt with Shift or Ctrl
    b"a": named.UP,
    b"b": named.DOWN,
    b"c": named.RIGHT,
    b"d": named.LEFT,
}
_FUNCTION_KEYS: Final = (named.F1, named.F2, named.F3, named.F4, named.F5)

# After the ESC, without modifiers.
_SEQUENCES: Final[Mapping[bytes, str]] = {
    **{b"[" + final: key for final, key in _CURSOR_KEYS.items()},
    **{b"O" + final: key for final, key in _CURSOR_KEYS.items()},
    **{b"[[%c" % final: key for final, key in zip(b"ABCDE", _FUNCTION_KEYS, strict=True)},
    **{b"O%c" % final: key for final, key in zip(b"PQRS", _FUNCTION_KEYS[:4], strict=True)},
    **{b"[%c" % final: key for final, key in zip(b"PQRS", _FUNCTION_KEYS[:4], strict=True)},
    **{b"[1%d~" % number: key for number, key in enumerate(_FUNCTION_KEYS, start=1)},
    b"[1~": named.HOME,
    b"[3~": named.DELETE,
    b"[4~": named.END,
    b"[5~": named.PAGE_UP,
    b"[6~": named.PAGE_DOWN,
    b"[7~": named.HOME,
    b"[8~": named.END,
    b"[Z": named.SHIFT_TAB,
    b"OM": named.CR,
}

_TOKEN: Final = re.compile(
    rb"""
      \x1b\[<(?P<button>\d{1,4});(?P<column>\d{1,5});(?P<row>\d{1,5})(?P<final>[Mm])
    | \x1b\[M(?s:...)                                # a mouse report of the oldest kind
    | \x1b\](?P<told>[0-9][ -~]*)(?:\x07|\x1b\\      # an answer of the terminal
          |(?=[^ -~\x07\x1b])|(?=\x1b[^\\]))         # or one cut off
    | \x1b\](?=[^0-9])                               # Alt and a bracket
    | \x1b\[\?[0-9;]{0,40}(?P<attributes>c)
    | \x1b(?P<sequence>\[\[[ -~]                     # function keys of the Linux console
          | \[(?![M\[])[0-?]*[ -/]*[@-~]
          | O[ -~])
    | \x1b(?:\[(?!M)\[?|O)[0-?]*[ -/]*(?=[^ -~])     # cut off by a byte of no sequence
    | \x1b[^\x1b\[\]O]                               # Alt and a key
    | (?P<escape>\x1b)(?=\x1b)
    | (?P<character>[\x00-\x1a\x1c-\x7f])
    | (?P<letter>[\xc2-\xdf][\x80-\xbf]
          | [\xe0-\xef][\x80-\xbf]{2}
          | [\xf0-\xf4][\x80-\xbf]{3})
    | (?!(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})\Z)[\x80-\xff]
    """,
    re.VERBOSE,
)
_BACKGROUND: Final = re.compile(
    rb"11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})(?:/[0-9a-fA-F]{1,4})?"
)
_MODIFIER: Final = re.compile(rb"1;\d{1,3}(?=[A-Za-z])|;\d{1,3}(?=~)")
_PASTE_BEGIN: Final = b"[200~"
_PASTE_END: Final = b"\x1b[201~"


class KeyDecoder:
    """Incremental decoder; `deadline` is when to call `expire` if nothing comes."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._held = b""
        self._pasting = False
        self._pasted = b""

    def feed(self, data: bytes, now_s: float) -> list[Input]:
        """Return the keys and mouse reports that `data` completes, in the order typed."""
        inputs = list(self._decode(self._held + data))
        wait_s = self._wait_s()
        self.deadline = None if wait_s is None else now_s + wait_s
        return inputs

    def expire(self) -> list[Input]:
        """Decide about a sequence that was never completed."""
        held, self._held = self._held, b""
        alone = held == b"\x1b" and not self._pasting
        self._pasting = False
        self.deadline = None
        return [named.ESC] if alone else []

    def _wait_s(self) -> float | None:
        if self._pasting:
            return PASTE_WAIT_S
        if self._held == b"\x1b":
            return ESC_WAIT_S
        return SEQUENCE_WAIT_S if self._held else None

    def _decode(self, data: bytes) -> Iterator[Input]:
        position = 0
        while True:
            if self._pasting:
                # The beginning of a paste is kept until it has ended.
                end = data.find(_PASTE_END, position)
                self._pasting = end < 0
                if self._pasting:
                    end = max(position, len(data) - len(_PASTE_END) + 1)
                self._pasted = (self._pasted + data[position:end])[:MOST_PASTED]
                position = end
                if not self._pasting:
                    position += len(_PASTE_END)
                    yield Pasted(self._pasted.decode(errors="ignore"))
            token = None if self._pasting else _TOKEN.match(data, position)
            if token is None:
                break
            position = token.end()
            match token.lastgroup:
                case "final":
                    column, row = max(0, int(token["column"]) - 1), max(0, int(token["row"]) - 1)
                    yield MouseReport(int(token["button"]), column, row, token["final"] == b"M")
                case "told":
                    if (found := _BACKGROUND.fullmatch(token["told"])) is not None:
                        # Each part of a colour has one to four digits; eyes weigh them so.
                        red, green, blue = (
                            int(part, 16) / (16 ** len(part) - 1) for part in found.groups()
                        )
                        is_light = 0.3 * red + 0.6 * green + 0.1 * blue > 0.5
                        yield BackgroundAnswer(Ground.LIGHT if is_light else Ground.DARK)
                case "attributes":
                    yield BackgroundAnswer(None)
                case "sequence":
                    yield from self._keys(token["sequence"])
                case "escape" | "character":
                    yield token[0].decode()
                case "letter":
                    yield from token[0].decode(errors="ignore")
                case _:
                    pass
        self._held = data[position:]

    def _keys(self, sequence: bytes) -> Iterator[str]:
        if sequence == _PASTE_BEGIN:
            self._pasting, self._pasted = True, b""
        elif key := _SEQUENCES.get(_MODIFIER.sub(b"", sequence)):
            yield key


IN_VERSION_1: Final[Mapping[KeyAction, Packet]] = {
    KeyAction.UP: Command.MOVE_UP,
    KeyAction.LEFT: Command.MOVE_LEFT,
    KeyAction.DOWN: Command.MOVE_DOWN,
    KeyAction.RIGHT: Command.MOVE_RIGHT,
    KeyAction.REVEAL: Command.REVEAL,
    KeyAction.FLAG: Command.TOGGLE_BOMB_MARK,
    KeyAction.DEBUG: Command.TOGGLE_DEBUG_MODE,
    KeyAction.QUIT: Command.QUIT,
}
"""Packets for keys in version 1; a new game is the START of the one before."""


class Controls:
    """Decodes one player's keys and clicks; `deadline` is when to call `expire`."""

    def __init__(self, keys: KeyMap) -> None:
        self._keys = keys
        self._decoder = KeyDecoder()
        self._gestures = Gestures()
        self.answer: BackgroundAnswer | None = None
        """The terminal's answer about its background, until it has been used."""

    @property
    def deadline(self) -> float | None:
        return earliest(self._decoder.deadline, self._gestures.deadline)

    def decode(self, data: bytes, now_s: float) -> list[Keystroke]:
        """Return what was typed and clicked, in order."""
        return self._keystrokes(self._decoder.feed(data, now_s), now_s)

    def expire(self, now_s: float) -> list[Keystroke]:
        """Return what only time decides: a lone ESC, and a press that is held."""
        keystrokes = []
        if is_due(self._decoder.deadline, now_s):
            keystrokes += self._keystrokes(self._decoder.expire(), now_s)
        if is_due(self._gestures.deadline, now_s):
            keystrokes.append(Keystroke(click=self._gestures.expire()))
        return keystrokes

    def _keystrokes(self, inputs: Iterable[Input], now_s: float) -> list[Keystroke]:
        keystrokes = []
        for each in inputs:
            match each:
                case MouseReport():
                    if click := self._gestures.report(each, now_s):
                        keystrokes.append(Keystroke(click=click))
                case Pasted(text):
                    keystrokes.append(Keystroke(text))
                case BackgroundAnswer():
                    self.answer = self.answer or each
                case _:
                    text = each if each.isprintable() else ""
                    keystrokes.append(Keystroke(text, self._keys.action(each)))
        return keystrokes
