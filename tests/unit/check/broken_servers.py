"""Servers that break one clause each, and servers that are unlike the example and right.

Each is the text of a right server with something in it done otherwise, the check that tells, and a
part of what it says.
"""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

from tests.integration.documented import changed
from tests.unit.check.reference import VERSION_1, VERSION_2

Change = tuple[str, str]


class Row(NamedTuple):
    """A server."""

    name: str
    check: str
    """The one check that fails; empty if the server is right."""
    came: str
    program: str


def row(name: str, check: str, came: str, *changes: Change, of: str = VERSION_1) -> Row:
    program = reduce(lambda text, change: changed(text, *change), changes, of)
    return Row(name, check, came, program)


def right(name: str, *changes: Change, of: str = VERSION_1) -> Row:
    return row(name, "", "", *changes, of=of)


# Places in the example

BEGIN = "    def play(self, kind, payload):"
LOOP = 'while (kind := self.rfile.read(1)) not in (b"", b"\\x00", b"\\x08", b"\\x09"):'
HEADER = 'struct.pack(">BI", 9, len(text)) + text'
WRITE = f"self.wfile.write({HEADER})"
SEND = f"{WRITE}  # in one send"
PLAY = "            self.play(kind[0], payload)"
SCREEN = "            text = self.screen().encode()"
RESET = "self.at, self.over, self.lost, self.debug = (0, 0), False, False, False"
IS_START = "if kind == 7 and 0 not in payload and payload[2] <= 3:"
OVER = "self.over = self.lost or self.marks == self.mines"
WON = "self.marks == self.mines"
CONTENT = "around = sum((x + i, y + j) in self.mines for i in (-1, 0, 1) for j in (-1, 0, 1))"
MOVE = "self.at = min(max(x + right, 0), self.columns - 1), min(max(y + down, 0), self.rows - 1)"
STEPS = "STEPS = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}"
TURNED = "STEPS = {1: (0, -1), 2: (0, 1), 3: (-1, 0), 4: (1, 0)}"
SIZES = ("self.columns, self.rows, level = payload", "self.rows, self.columns, level = payload")
ROWS = 'rows = ["".join(self.face(x, y) for x in range(self.columns)) for y in range(self.rows)]'
FIELD = 'field = "\\n".join(rows) or "START begins a game."'
FRAME = 'return f"\\x1b[H\\x1b[2J{field}\\x1b[{self.at[1] + 1};{self.at[0] + 1}H"'
CURSOR = "\\x1b[{self.at[1] + 1};{self.at[0] + 1}H"
MARK = "elif kind == 6 and self.at not in self.opened:"
REVEAL = "elif kind == 5 and self.at not in self.marks:"
FLOODS = "self.flood([self.at])"
SPREAD = "waiting += [(x + right, y + down) for right, down in STEPS.values()]"
ENTERS = "if (x, y) not in self.opened and 0 <= x < self.columns and 0 <= y < self.rows:"
SHOWN = "if (x, y) in self.opened or self.lost or (self.debug and is_mine):"
MARKED = 'return f"\\x1b[7m{self.content(x, y)}\\x1b[m" if is_marked else self.content(x, y)'
LOOK = 'return "F" if is_marked else "?"'
DEBUG = "self.debug = not self.debug"
MINES = "mines = max(1, (len(self.cells) * (5, 25, 45)[level - 1] + 50) // 100)"
NEW_SETS = "                set(),\n                set(),\n            )"

START_ANSWERED = "start-is-answered-with-a-screen"
ONE_EACH = "every-packet-is-answered-with-one-screen"
EVERY_PACKET = ONE_EACH
TOGETHER = "packets-that-arrive-together-are-answered-in-order"
QUIT_CLOSES = "quit-closes-without-a-reply"
BEFORE = "packets-before-the-first-game-are-answered"
PIECES = "a-packet-may-come-in-pieces"
VANISHES = "a-client-that-vanishes-disturbs-nobody"
BAD_PACKET = "a-bad-packet-ends-that-connection-alone"
NEW_FIELD = "a-new-field-is-hidden"
ALL_SIZES = "fields-of-all-sizes-can-be-played"
OUT_OF_RANGE = "a-start-out-of-range-changes-nothing"
AT_TOP_LEFT = "a-new-game-has-its-cursor-at-the-top-left"
MOVES = "every-move-goes-its-way"
EDGES = "the-cursor-stops-at-the-edges"
MARK_SHOWS = "a-mark-shows-and-a-second-one-takes-it-away"
LEVELS = "a-lost-game-shows-the-mines-of-its-level"
NUMBERS = "every-number-counts-the-mines-around-it"
AFTER_LOSS = "after-a-loss-only-start-and-quit-do-anything"
LOST_MARKS = "on-a-lost-field-marks-can-be-told-apart"
FLOOD = "an-empty-cell-opens-what-is-above-below-left-and-right"
MARKED_FLOOD = "a-flood-opens-marked-cells-and-takes-their-marks-away"
DEBUG_MODE = "debug-mode-shows-mines-and-hides-them-again"
ONLY_MINE = "marking-the-only-mine-wins"
WINS = "marking-exactly-the-mines-wins"
CURSOR_SHOWN = "the-terminals-cursor-is-on-the-selected-cell"
REVEALED = "revealing-a-revealed-cell-does-nothing"
SWAPPED = "start-names-columns-before-rows"


def again(text: str) -> str:
    """Write the reply, and then something more."""
    return f"{WRITE}\n            {text}"


BROKEN = [
    # Packets
    row(
        "a length one too large",
        START_ANSWERED,
        "a part of a packet",
        ("len(text)) +", "len(text) + 1) +"),
    ),
    row(
        "a length one too small",
        START_ANSWERED,
        "no packet, after a screen of",
        ("len(text)) +", "len(text) - 1) +"),
    ),
    row(
        "a length that counts its header",
        START_ANSWERED,
        "a part of a packet",
        ("len(text)) +", "len(text) + 5) +"),
    ),
    row(
        "a length in little-endian",
        START_ANSWERED,
        "bytes that are no packet",
        ('">BI", 9', '"<BI", 9'),
    ),
    row(
        "a length of two bytes",
        START_ANSWERED,
        "bytes that are no packet",
        ('">BI", 9', '">BH", 9'),
    ),
    row("a length of eight bytes", START_ANSWERED, "", ('">BI", 9', '">BQ", 9')),
    row("no length", START_ANSWERED, "bytes that are no packet", (HEADER, "bytes([9]) + text")),
    row(
        "screens of another type",
        START_ANSWERED,
        "bytes that are no packet",
        ('">BI", 9', '">BI", 30'),
    ),
    row(
        "a length in characters",
        START_ANSWERED,
        "no packet, after a screen of",
        (HEADER, 'struct.pack(">BI", 9, len(self.screen())) + text'),
        (FIELD, f'{FIELD}; field += "é"'),
    ),
    row(
        "START is not answered",
        START_ANSWERED,
        "nothing for",
        (SEND, f"if kind != b'\\x07': {WRITE}"),
    ),
    row(
        "START is answered twice",
        ONE_EACH,
        "packet that nothing was sent for",
        (SEND, again(f"if kind == b'\\x07': {WRITE}")),
    ),
    row(
        "no answer to a move that does nothing",
        ONE_EACH,
        "nothing for",
        (SEND, f"if text != self.__dict__.get('last'): {WRITE}\n            self.last = text"),
        (FIELD, f"{FIELD}; field += '\\n' + str(self.number())"),
        (
            BEGIN,
            "    def number(self):\n        if self.at == (0, 0): return 0\n        self.count = self.__dict__.get('count', 0) + 1\n        return self.count\n\n"
            + BEGIN,
        ),
    ),
    row(
        "a hello before any packet",
        START_ANSWERED,
        "bytes that are no packet",
        (LOOP, f"self.wfile.write(b'Welcome!\\n')\n        {LOOP}"),
    ),
    row(
        "REVEAL is not answered",
        EVERY_PACKET,
        "nothing for",
        (SEND, f"if kind != b'\\x05': {WRITE}"),
    ),
    row(
        "a mark is answered twice",
        EVERY_PACKET,
        "one packet that nothing was sent for",
        (
            SEND,
            again(f"if kind == b'\\x06' and self.at == (0, 0) and len(self.cells) == 81: {WRITE}"),
        ),
    ),
    row(
        "debug mode ends the connection",
        "debug-mode-is-answered-with-one-screen",
        "the server closed the connection",
        (PLAY, f"            if kind == b'\\x0a' and self.columns: return\n{PLAY}"),
    ),
    row(
        "of packets that arrive together the first is answered",
        TOGETHER,
        "nothing for",
        (PLAY, f"{PLAY}\n            self.rfile.read(self.rfile.buffered())"),
    ),
    row(
        "packets that arrive together get one screen",
        TOGETHER,
        "among keys",
        (SEND, f"if not self.rfile.buffered(): {WRITE}"),
    ),
    row(
        "packets that arrive together are played last first",
        TOGETHER,
        "among keys",
        (LOOP, f"if self.stream_is_reversed(): pass\n        {LOOP}"),
        (
            BEGIN,
            "    def stream_is_reversed(self):\n        read = self.rfile.read\n        def backwards(count):\n            stream = self.rfile._stream\n            if count == 1 and set(stream.buffer) <= set(range(1, 7)):\n                stream.buffer = stream.buffer[::-1]\n            return read(count)\n        self.rfile.read = backwards\n\n"
            + BEGIN,
        ),
    ),
    row(
        "a START in pieces is not put together",
        PIECES,
        "",
        ("self.rfile.read(length) if", "self.rfile.read1(length) if"),
    ),
    row(
        "QUIT is answered",
        QUIT_CLOSES,
        "one packet, then the end",
        (LOOP, 'while (kind := self.rfile.read(1)) not in (b"", b"\\x00", b"\\x09"):'),
        (SEND, again("if kind == b'\\x08': return")),
    ),
    row(
        "QUIT changes nothing",
        QUIT_CLOSES,
        "nothing for",
        (LOOP, 'while (kind := self.rfile.read(1)) not in (b"", b"\\x00", b"\\x09"):'),
        (SEND, f"if kind != b'\\x08': {WRITE}"),
    ),
    row(
        "packets after QUIT are answered",
        "packets-after-quit-are-not-answered",
        "2 packets, then the end",
        (
            LOOP,
            'while (kind := self.rfile.read(1)) not in (b"", b"\\x00", b"\\x09"):\n            if kind == b"\\x08" and not self.rfile.buffered(): return',
        ),
        (
            SEND,
            f"if kind != b'\\x08': {WRITE}\n            if self.__dict__.get('left') and not self.rfile.buffered(): return\n            self.left = self.__dict__.get('left') or kind == b'\\x08'",
        ),
    ),
    row(
        "packets before the first game are not answered",
        BEFORE,
        "nothing for",
        (SEND, f"if self.columns: {WRITE}"),
    ),
    row(
        "a packet before the first game ends the connection",
        BEFORE,
        "the server closed",
        (PLAY, f"            if not self.columns and kind != b'\\x07': return\n{PLAY}"),
    ),
    row(
        "a frame that nobody asked for",
        "nothing-comes-unasked",
        "SCREEN_CONTENT, unasked",
        (
            SEND,
            again(
                f"self.wait = self.__dict__.get('wait', 0) + 1; text, number = bytes(text), self.wait\n            later(1.0, lambda: self.wait == number and {WRITE})"
            ),
        ),
    ),
    row(
        "screens in Latin-1",
        "screens-are-utf-8",
        "bytes that are not UTF-8",
        (SCREEN, "            text = self.screen().encode('latin-1')"),
        (FIELD, f'{FIELD}; field += "\\n\\n\\xe9"'),
    ),
    row(
        "header and payload in two sends",
        "a-reply-comes-in-one-piece",
        "in 2 segments",
        (WRITE, 'self.wfile.write(struct.pack(">BI", 9, len(text))); self.wfile.write(text)'),
    ),
    row(
        "nothing is cleared",
        "frames-stand-on-their-own",
        "painted over the screen before it",
        ("\\x1b[H\\x1b[2J", "\\x1b[H"),
    ),
    row(
        "frames show what changed alone",
        "frames-stand-on-their-own",
        "",
        (
            FRAME,
            f"""begin = "\\x1b[H\\x1b[2J" if self.__dict__.get("last_rows", [])[1:] == [] or len(self.last_rows) != len(rows) or self.fresh else ""
        lines = [f"\\x1b[{{y + 1}};1H{{row}}" for y, row in enumerate(rows) if begin or row != self.last_rows[y]]
        self.last_rows, self.fresh = rows, False
        field = "".join(lines) or field
        return f"{{begin}}{{field}}{CURSOR}\"""",
        ),
        (RESET, f"{RESET}; self.fresh = True"),
    ),
    row(
        "a default game of more than a segment",
        "the-default-game-starts-within-one-segment",
        "bytes",
        (FIELD, f'{FIELD}; field += "\\n" + "=" * 1500'),
    ),
    # Players
    row(
        "ends with its first connection",
        "another-connection-may-follow-one-that-broke",
        "after a first connection had ended without QUIT",
        (
            BEGIN,
            f"    def finish(self):\n        super().finish()\n        self.server.shutdown()\n\n{BEGIN}",
        ),
    ),
    row(
        "ends with QUIT",
        "another-connection-may-follow-a-quit",
        "after another connection had sent QUIT",
        (LOOP, LOOP.replace('b"\\x00", b"\\x08"', 'b"\\x00"')),
        (PLAY, f"            if kind == b'\\x08': return self.server.shutdown()\n{PLAY}"),
    ),
    row(
        "one player at a time",
        "two-players-have-a-game-each",
        "nothing for",
        ("STEPS = {", "ONE_AT_A_TIME = True\nSTEPS = {"),
    ),
    row(
        "marks on the boards of all",
        "two-players-have-a-game-each",
        "Ada's screen after Bob has played",
        (
            NEW_SETS,
            "                set(),\n                MARKS.clear() or MARKS,\n            )",
        ),
        ("STEPS = {", "MARKS = set()\nSTEPS = {"),
    ),
    row(
        "ends with a half packet",
        VANISHES,
        "the server closed",
        (
            "            if len(payload) < length or",
            "            if len(payload) < length: return self.server.die()\n            if len(payload) < length or",
        ),
    ),
    row(
        "a bad type ends everything",
        BAD_PACKET,
        "the server closed",
        (LOOP, LOOP.replace('b"\\x00", ', "")),
        (PLAY, f"            if kind == b'\\x00': return self.server.die()\n{PLAY}"),
    ),
    row("a bad type is skipped", BAD_PACKET, "nothing for", (LOOP, LOOP.replace('b"\\x00", ', ""))),
    row(
        "a START of four gigabytes is waited for",
        BAD_PACKET,
        "nothing for",
        (' if length <= 65536 else b""', ""),
    ),
    row(
        "a START of two bytes is played",
        BAD_PACKET,
        "",
        ('or (kind == b"\\x07" and length != 3)', ""),
        (
            IS_START,
            f"payload = payload + b'\\x01' if kind == 7 and len(payload) == 2 else payload\n        {IS_START}",
        ),
    ),
    # Fields
    row("columns and rows are swapped in START", SWAPPED, "columns and rows swapped", SIZES),
    row(
        "columns and rows are swapped throughout",
        SWAPPED,
        "columns and rows swapped",
        SIZES,
        (STEPS, TURNED),
    ),
    row(
        "hidden cells look otherwise",
        NEW_FIELD,
        "this screen",
        (LOOK, 'return "F" if is_marked else "#"'),
    ),
    row(
        "the first cell is open",
        NEW_FIELD,
        "this screen",
        (RESET, f"{RESET}; self.opened.add((0, 0))"),
    ),
    row(
        "sixteen rows are fifteen",
        NEW_FIELD,
        "this screen",
        (SIZES[0], f"{SIZES[0]}\n            self.rows = min(self.rows, 15)"),
    ),
    row(
        "a field has a row too many",
        NEW_FIELD,
        "this screen",
        (ROWS, ROWS.replace("range(self.rows)", "range(self.rows + 1)")),
    ),
    row(
        "a single cell is refused",
        ALL_SIZES,
        "",
        (IS_START, IS_START.replace("0 not in", "payload[:2] != b'\\x01\\x01' and 0 not in")),
    ),
    row(
        "lengths are signed bytes",
        ALL_SIZES,
        "",
        (IS_START, IS_START.replace("0 not in", "max(payload) < 128 and 0 not in")),
    ),
    row(
        "the largest field ends the connection",
        ALL_SIZES,
        "the server closed",
        (PLAY, f"            if payload[:2] == b'\\xff\\xff': return\n{PLAY}"),
    ),
    row(
        "30x16 is wider than a terminal",
        "usual-fields-fit-80x24",
        "reaches to column",
        ('rows = ["".join(', 'rows = ["  ".join('),
        ("{self.at[0] + 1}H", "{3 * self.at[0] + 1}H"),
    ),
    row(
        "30x16 is higher than a terminal",
        "usual-fields-fit-80x24",
        "reaches to column",
        (FIELD, FIELD.replace('"\\n"', '"\\n\\n"')),
        ("{self.at[1] + 1};", "{2 * self.at[1] + 1};"),
    ),
    row(
        "level 4 is played as level 3",
        OUT_OF_RANGE,
        "another field after START 9x9 level 4",
        ("payload[2] <= 3", "payload[2] <= 4"),
        ("(5, 25, 45)[level - 1]", "(5, 25, 45, 45)[level - 1]"),
    ),
    row(
        "a START without columns ends the connection",
        OUT_OF_RANGE,
        "the server closed",
        ("0 not in payload and", ""),
    ),
    row(
        "a START out of range ends the game",
        OUT_OF_RANGE,
        "another field after",
        (
            "        elif self.over:\n",
            "        elif kind == 7:\n            self.marks = set()\n        elif self.over:\n",
        ),
    ),
    row(
        "START within a game changes nothing",
        "a-start-within-a-game-begins-another",
        "this screen",
        ("if kind == 7 and 0", "if kind == 7 and (self.over or not self.columns) and 0"),
    ),
    row(
        "START within a game ends the connection",
        "a-start-within-a-game-begins-another",
        "the server closed",
        (
            PLAY,
            f"            if kind == b'\\x07' and self.columns and not self.over: return\n{PLAY}",
        ),
    ),
    # The cursor
    row(
        "the cursor stays where it was in the last game",
        AT_TOP_LEFT,
        "where the cursor was in the game before",
        (RESET, "self.over, self.lost, self.debug = False, False, False"),
    ),
    row(
        "the cursor starts in the middle",
        AT_TOP_LEFT,
        "the first mark in column",
        (RESET, RESET.replace("(0, 0)", "(self.columns // 2, self.rows // 2)")),
    ),
    row("moves go the wrong way", MOVES, "the cursor in column 2, row 3", (STEPS, TURNED)),
    row(
        "left and right are exchanged",
        MOVES,
        "the cursor in",
        (STEPS, STEPS.replace("1: (-1, 0), 2: (1, 0)", "1: (1, 0), 2: (-1, 0)")),
    ),
    row(
        "a move goes two cells",
        MOVES,
        "the cursor in",
        (STEPS, STEPS.replace("2: (1, 0)", "2: (2, 0)")),
    ),
    row(
        "MOVE_UP does nothing",
        MOVES,
        "the cursor in",
        (STEPS, STEPS.replace("3: (0, -1)", "3: (0, 0)")),
    ),
    row(
        "the cursor wraps at the right",
        EDGES,
        "the cursor in",
        ("min(max(x + right, 0), self.columns - 1)", "max(x + right, 0) % self.columns"),
    ),
    row(
        "the cursor wraps at the top",
        EDGES,
        "the cursor in",
        (
            "min(max(y + down, 0), self.rows - 1)",
            "min((y + down) % self.rows if y + down < 0 else y + down, self.rows - 1)",
        ),
    ),
    row(
        "the cursor leaves at the left",
        EDGES,
        "no cell that can be seen",
        ("min(max(x + right, 0), self.columns - 1)", "min(max(x + right, -1), self.columns - 1)"),
    ),
    row(
        "the cursor leaves at the right",
        EDGES,
        "no cell that can be seen",
        ("self.columns - 1), min", "self.columns), min"),
    ),
    row(
        "the cursor leaves at the bottom",
        EDGES,
        "no cell that can be seen",
        ("self.rows - 1)", "self.rows)"),
    ),
    row(
        "the cursor cannot be seen",
        "a-move-shows-and-the-opposite-one-undoes-it",
        "the same as before",
        (CURSOR, ""),
    ),
    row(
        "the terminal's cursor is a row below",
        CURSOR_SHOWN,
        "the cursor at",
        ("{self.at[1] + 1};", "{self.at[1] + 2};"),
    ),
    row(
        "the terminal's cursor is wrong from column 40 on",
        CURSOR_SHOWN,
        "the cursor at",
        ("{self.at[0] + 1}H", "{self.at[0] + 1 + (self.at[0] > 40)}H"),
    ),
    # Marks
    row("marks do not show", MARK_SHOWS, "the same as before", (LOOK, 'return "?"')),
    row(
        "marks look like mines",
        MARK_SHOWS,
        "a mark that looks like this: 'B'",
        (LOOK, 'return "B" if is_marked else "?"'),
    ),
    row(
        "marks look like a number",
        MARK_SHOWS,
        "a mark that looks like this: '1'",
        (LOOK, 'return "1" if is_marked else "?"'),
    ),
    row(
        "a second mark stays",
        MARK_SHOWS,
        "another field after two marks",
        ("self.marks ^= {self.at}", "self.marks |= {self.at}"),
    ),
    row(
        "a mark is on two cells",
        MARK_SHOWS,
        "2 cells",
        ("self.marks ^= {self.at}", "self.marks ^= {self.at, (self.at[0] + 1, self.at[1])}"),
    ),
    # A lost game
    row(
        "mines look otherwise",
        LEVELS,
        "no B appears",
        ('return "B" if (x, y) in self.mines', 'return "*" if (x, y) in self.mines'),
    ),
    row(
        "a lost field shows one mine",
        LEVELS,
        "1 mines on",
        (
            SHOWN,
            "if (x, y) in self.opened or (self.lost and not is_mine) or (self.debug and is_mine):",
        ),
    ),
    row("mines rounded down", LEVELS, "3 mines on 5x3 at level 2", ("+ 50) // 100", ") // 100")),
    row("mines rounded up", LEVELS, "5 mines on 9x9", ("+ 50) // 100", "+ 99) // 100")),
    row("halves rounded to even", LEVELS, "2 mines on 10x1", ("+ 50) // 100", "+ 49) // 100")),
    row(
        "too few mines at level 3",
        LEVELS,
        "80 mines on 20x10 at level 3",
        ("(5, 25, 45)", "(5, 25, 40)"),
    ),
    row("levels 1 and 2 are exchanged", LEVELS, "mines on", ("(5, 25, 45)", "(25, 5, 45)")),
    row("always ten mines", LEVELS, "mines on", (MINES, "mines = min(10, len(self.cells))")),
    row(
        "a mine does not lose",
        LEVELS,
        "no B appears",
        ("self.lost = self.at in self.mines", "self.lost = False"),
        (FLOODS, f"if self.at not in self.mines: {FLOODS}"),
    ),
    row(
        "a single mine is no mine",
        "revealing-the-only-mine-loses-and-shows-it",
        "this screen",
        (
            "self.lost = self.at in self.mines",
            "self.lost = self.at in self.mines and len(self.cells) > 1",
        ),
        (FLOODS, f"if self.lost or self.at not in self.mines: {FLOODS}"),
    ),
    row(
        "numbers count four neighbours",
        NUMBERS,
        "in column",
        (CONTENT, "around = sum((x + i, y + j) in self.mines for i, j in STEPS.values())"),
    ),
    row(
        "numbers count around the edge",
        NUMBERS,
        "in column",
        (CONTENT, CONTENT.replace("(x + i, y + j)", "((x + i) % self.columns, y + j)")),
    ),
    row(
        "numbers end at four",
        NUMBERS,
        "in column",
        ('str(around or ".")', 'str(min(around, 4) or ".")'),
    ),
    row(
        "an empty cell is a nought",
        NUMBERS,
        "'0' in column",
        ('str(around or ".")', "str(around)"),
        ('if self.content(x, y) == "."', 'if self.content(x, y) == "0"'),
    ),
    row(
        "a lost field hides what is safe",
        NUMBERS,
        "'?' in column",
        (SHOWN, "if (x, y) in self.opened or (self.lost and is_mine) or (self.debug and is_mine):"),
    ),
    row(
        "after a loss marks can be set",
        AFTER_LOSS,
        "another field after TOGGLE_BOMB_MARK",
        ("        elif self.over:", "        elif self.over and (kind != 6 or not self.columns):"),
        (MARK, "elif kind == 6 and (self.over or self.at not in self.opened):"),
    ),
    row(
        "after a loss the cursor moves",
        AFTER_LOSS,
        "another field after",
        (
            "        elif self.over:",
            "        elif self.over and (kind not in STEPS or not self.columns):",
        ),
    ),
    row(
        "after a loss START begins with its mines shown",
        AFTER_LOSS,
        "this screen",
        (RESET, "self.at, self.over, self.debug = (0, 0), False, False"),
    ),
    row(
        "a game that is over ends the connection",
        AFTER_LOSS,
        "the server closed",
        (SEND, again("if self.over and self.columns: return")),
    ),
    row(
        "a lost field shows no marks",
        LOST_MARKS,
        "a marked cell looks like one without a mark",
        (MARKED, "return self.content(x, y)"),
    ),
    row(
        "a lost field shows all marks alike",
        LOST_MARKS,
        "all marked cells look the same",
        (MARKED, 'return "\\x1b[7mX\\x1b[m" if is_marked else self.content(x, y)'),
    ),
    # Reveals
    row("nothing is opened around an empty cell", FLOOD, "opened 1 cells", (SPREAD, "pass")),
    row(
        "a flood goes along rows alone",
        FLOOD,
        "opened",
        (SPREAD, "waiting += [(x + right, y) for right in (-1, 1)]"),
    ),
    row(
        "a flood goes diagonally",
        FLOOD,
        "opened",
        (
            SPREAD,
            "waiting += [(x + right, y + down) for right in (-1, 0, 1) for down in (-1, 0, 1)]",
        ),
    ),
    row(
        "a flood leaves its edge hidden",
        FLOOD,
        "opened",
        (
            "self.opened.add((x, y))",
            'if self.content(x, y) in ".B" or (x, y) == self.at: self.opened.add((x, y))',
        ),
    ),
    row(
        "a flood keeps marks",
        MARKED_FLOOD,
        "still looks marked",
        ("self.marks.discard((x, y))", "pass"),
    ),
    row(
        "a flood stops at marks",
        MARKED_FLOOD,
        "keeps its mark",
        (ENTERS, ENTERS.replace("self.opened and", "self.opened | self.marks and")),
    ),
    row(
        "REVEAL of a number opens what is around it",
        REVEALED,
        "another field after REVEAL",
        (
            FLOODS,
            f"if self.at in self.opened and self.content(*self.at) != '.': self.flood([(self.at[0] + i, self.at[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (self.at[0] + i, self.at[1] + j) not in self.mines])\n            {FLOODS}",
        ),
    ),
    row(
        "REVEAL of a revealed cell hides it",
        REVEALED,
        "another field after REVEAL",
        (
            FLOODS,
            f"if self.at in self.opened: self.opened.discard(self.at)\n            else: {FLOODS}",
        ),
    ),
    row(
        "REVEAL of a number with its marks chords",
        "revealing-a-number-that-has-its-marks-does-nothing",
        "another field after REVEAL",
        (
            FLOODS,
            f"near = {{(self.at[0] + i, self.at[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}}\n            if self.at in self.opened and str(len(near & self.marks)) == self.content(*self.at): self.flood(list(near - self.marks))\n            {FLOODS}",
        ),
    ),
    row(
        "an opened cell takes a mark",
        "marking-a-revealed-cell-does-nothing",
        "another field after TOGGLE_BOMB_MARK",
        (MARK, "elif kind == 6:"),
    ),
    row(
        "REVEAL opens a marked cell",
        "revealing-a-marked-cell-does-nothing",
        "another field after REVEAL",
        (REVEAL, "elif kind == 5:"),
    ),
    # Debug mode
    row("debug mode shows nothing", DEBUG_MODE, "nothing new on the screen", (DEBUG, "pass")),
    row(
        "debug mode shows one mine too few",
        DEBUG_MODE,
        "3 mines in debug mode",
        (
            SHOWN,
            "if (x, y) in self.opened or self.lost or (self.debug and is_mine and (x, y) != min(self.mines)):",
        ),
    ),
    row(
        "debug mode shows every number",
        DEBUG_MODE,
        "another look of",
        (SHOWN, "if (x, y) in self.opened or self.lost or self.debug:"),
    ),
    row("debug mode stays on", DEBUG_MODE, "than before debug mode", (DEBUG, "self.debug = True")),
    row(
        "debug mode shows other cells",
        DEBUG_MODE,
        "mines elsewhere",
        (
            SHOWN,
            "if self.debug and not self.lost:\n            return 'B' if (self.columns - 1 - x, self.rows - 1 - y) in self.mines else '?'\n        if (x, y) in self.opened or self.lost:",
        ),
    ),
    # A win
    row("never won", ONLY_MINE, "another field after", (OVER, "self.over = self.lost")),
    row(
        "won by opening everything",
        "opening-every-safe-cell-does-not-win",
        "the last cell takes no mark",
        (WON, f"{WON} or (self.opened and self.opened == set(self.cells) - self.mines)"),
    ),
    row("won with a mark too many", WINS, "the same as before", (WON, "self.marks >= self.mines")),
    row(
        "a win that can be marked further",
        WINS,
        "another field after",
        (OVER, "self.over = self.lost or (self.marks == self.mines and len(self.mines) == 1)"),
    ),
    # Version 2
    row(
        "the announcement in every screen",
        "the-first-screen-announces-version-2-and-no-other-does",
        "3 of 3",
        ('b"" if self.is_announced else ANNOUNCEMENT', "ANNOUNCEMENT"),
        of=VERSION_2,
    ),
    row(
        "no announcement if a move comes first",
        "the-first-screen-announces-version-2-and-no-other-does",
        "0 of 3",
        (
            'b"" if self.is_announced else ANNOUNCEMENT',
            'b"" if self.is_announced or not self.columns else ANNOUNCEMENT',
        ),
        of=VERSION_2,
    ),
    row(
        "views before HELLO",
        "without-hello-screens-are-those-of-version-1",
        "VIEW",
        (
            "        if self.is_greeted:\n            return self.view()",
            "        if self.is_greeted or (self.is_announced and self.latest not in (p.Start, Command)):\n            return self.view()",
        ),
        (
            "    def answer(self, packet):\n",
            "    def answer(self, packet):\n        self.latest = type(packet)\n",
        ),
        of=VERSION_2,
    ),
    row(
        "HELLO is not answered",
        "after-hello-every-packet-is-answered-with-one-view",
        "nothing for",
        (
            "        self.wfile.write(p.encode(self.reply()))",
            "        if not isinstance(packet, p.Hello): self.wfile.write(p.encode(self.reply()))",
        ),
        of=VERSION_2,
    ),
    row(
        "ODDS is not answered",
        "after-hello-every-packet-is-answered-with-one-view",
        "nothing for",
        (
            "        self.wfile.write(p.encode(self.reply()))",
            "        if not isinstance(packet, p.Odds): self.wfile.write(p.encode(self.reply()))",
        ),
        of=VERSION_2,
    ),
    row(
        "an ACT off the board ends the connection",
        "after-hello-every-packet-is-answered-with-one-view",
        "the server closed",
        (
            "        if self.columns <= cell[0] or self.rows <= cell[1] or self.over:\n            return\n",
            "        self.cells.index(cell)\n",
        ),
        of=VERSION_2,
    ),
    row(
        "views that are no JSON",
        "after-hello-every-packet-is-answered-with-one-view",
        "not JSON",
        ("json.dumps(members).encode(), cells", "json.dumps(members)[:-1].encode(), cells"),
        of=VERSION_2,
    ),
    row(
        "cells off the board",
        "after-hello-every-packet-is-answered-with-one-view",
        "board",
        (
            "json.dumps(members).encode(), cells",
            'json.dumps(members).encode(), cells and b"\\xff\\xff\\x01\\x10"',
        ),
        of=VERSION_2,
    ),
    row(
        "a view that nobody asked for",
        "after-hello-every-packet-is-answered-with-one-view",
        "",
        (
            "        self.wfile.write(p.encode(self.reply()))",
            "        self.wfile.write(p.encode(self.reply()))\n        if isinstance(packet, p.Undo): self.wfile.write(p.encode(self.reply()))",
        ),
        of=VERSION_2,
    ),
    row(
        "another HELLO is answered with what changed",
        "views-add-up-to-what-another-hello-is-answered-with",
        "differ",
        ("self.is_greeted, self.known = True, {}", "self.is_greeted = True"),
        of=VERSION_2,
    ),
    row(
        "views forget what a flag changed",
        "views-add-up-to-what-another-hello-is-answered-with",
        "",
        (
            'cells = b"" if self.known.get("faces") == faces else faces',
            'cells = b"" if self.known.get("faces") == faces or (self.known.get("faces") and 48 in faces) else faces',
        ),
        of=VERSION_2,
    ),
    row(
        "NEW_GAME takes rows for columns",
        "a-game-asked-for-with-new-game-is-covered",
        "size [8, 9]",
        ("SIZES.get(name, own if", "SIZES.get(name, [own[1], own[0], own[2]] if"),
        of=VERSION_2,
    ),
    row(
        "ACT does not look at what was seen",
        "a-cell-that-changed-since-it-was-seen-is-left-alone",
        "faces",
        ("        if action.seen != self.seen(cell):\n            return\n", ""),
        of=VERSION_2,
    ),
    row(
        "a seed is not heeded",
        "the-same-seed-is-the-same-board",
        "cells that differ",
        ("dice_of(seeds[0]) if seeds else random", "random"),
        of=VERSION_2,
    ),
    row(
        "a bad packet of version 2 ends everything",
        "a-bad-packet-of-version-2-ends-that-connection-alone",
        "",
        (
            "            except ProtocolError:\n                return",
            "            except ProtocolError as error:\n                return self.server.die() if data[0] > 10 else None",
        ),
        of=VERSION_2,
    ),
]

HEADLINE = '"Ready? How many? Really? (" + str(len(self.cells) if self.columns else 0) + "?)\\n" + '
SPACED = ('rows = ["".join(', 'rows = [" ".join(')
SPACED_CURSOR = ("{self.at[0] + 1}H", "{2 * self.at[0] + 1}H")

RIGHT = [
    right("the example"),
    right("the example of version 2", of=VERSION_2),
    right(
        "the same board each time",
        (
            "random.sample(self.cells, mines)",
            "__import__('random').Random(1).sample(self.cells, mines)",
        ),
    ),
    right(
        "the same board each time, with a mine first",
        (
            "random.sample(self.cells, mines)",
            "sorted(self.cells, key=lambda c: (c[1], c[0]))[:mines]",
        ),
    ),
    right(
        "question marks in a headline",
        (FIELD, f"{FIELD}; field = {HEADLINE}field"),
        ("{self.at[1] + 1};", "{self.at[1] + 2};"),
    ),
    right(
        "a question mark above and one below",
        (FIELD, f"{FIELD}; field = '?\\n' + field + '\\n? for help'"),
        ("{self.at[1] + 1};", "{self.at[1] + 2};"),
    ),
    right(
        "cells two columns apart, with an edge",
        SPACED,
        SPACED_CURSOR,
        (FIELD, 'field = "\\n".join(row + "|" for row in rows) or "START begins a game."'),
    ),
    right(
        "an edge beside the last cell",
        SPACED,
        SPACED_CURSOR,
        (FIELD, 'field = "\\n".join(row + " |" for row in rows) or "START begins a game."'),
    ),
    right(
        "a frame around the field",
        (
            FIELD,
            'field = "\\n".join(["+" + "-" * self.columns + "+", *["|" + row + "|" for row in rows], "+" + "-" * self.columns + "+"]) if rows else "START"',
        ),
        ("{self.at[1] + 1};{self.at[0] + 1}H", "{self.at[1] + 2};{self.at[0] + 2}H"),
    ),
    right(
        "marks that are wide characters",
        (LOOK, 'return "⚑" if is_marked else "?"'),
        ("(len(self.cells) *", "(len(self.cells) *"),
    ),
    right(
        "debug mode is forbidden",
        (DEBUG, "self.told = 'Debug mode is off here.'"),
        (FIELD, f"{FIELD}; field += '\\n' + self.__dict__.get('told', '')"),
    ),
    right(
        "a clock in every screen",
        (
            FIELD,
            f"{FIELD}; self.ticks = self.__dict__.get('ticks', 0) + 1; field += f'\\n{{self.ticks}} s'",
        ),
    ),
    right("half a second for each reply", (SCREEN, f"{SCREEN}\n            think(0.2)")),
    right(
        "replies that come when they like",
        (SCREEN, f"{SCREEN}\n            think(random.random() / 50)"),
    ),
    right(
        "once it is busy for five seconds",
        (
            SCREEN,
            f"{SCREEN}\n            think(5.0 if STEPS.setdefault('busy', 0) == 400 else 0.0); STEPS['busy'] += 1",
        ),
        ("in STEPS.values()]", "in list(STEPS.values())[:4]]"),
    ),
    right(
        "every tenth reply in two segments",
        (
            SEND,
            "STEPS['n'] = STEPS.get('n', 0) + 1\n            data = "
            + HEADER
            + "\n            [self.wfile.write(part) for part in ([data[:9], data[9:]] if STEPS['n'] % 10 == 0 else [data])]",
        ),
        ("in STEPS.values()]", "in list(STEPS.values())[:4]]"),
    ),
    right(
        "a last screen before a bad packet's end",
        (
            LOOP,
            'while (kind := self.rfile.read(1)) not in (b"", b"\\x08", b"\\x09"):\n            if kind == b"\\x00":\n                text = b"This is no packet."\n                self.wfile.write(struct.pack(">BI", 9, len(text)) + text)\n                return',
        ),
    ),
    right(
        "the selected cell in reverse video",
        (
            'return "F" if is_marked else "?"',
            'shown = "F" if is_marked else "?"\n        return f"\\x1b[7m{shown}\\x1b[m" if (x, y) == self.at else shown',
        ),
    ),
    right(
        "a mine under the first reveal moves",
        (
            REVEAL,
            "elif kind == 5 and self.at in self.mines and not self.opened and not self.marks and len(self.cells) > len(self.mines) + 1:\n            self.mines = self.mines - {self.at} | {next(cell for cell in self.cells if cell not in self.mines and cell != self.at)}\n            self.flood([self.at])\n        "
            + REVEAL,
        ),
    ),
]
