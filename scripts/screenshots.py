#!/usr/bin/env python3
"""Take pictures of the terminal client: ``.venv/bin/python scripts/screenshots.py [FOLDER]``.

Without a folder those of the documents are taken, otherwise every scene in every scheme. The
real client plays known boards on a pseudo-terminal, and xterm under Xvfb shows what it wrote there
(Debian: ``apt-get install xterm xvfb``).
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pyte

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
DISPLAY_SIDE: Final = 2_400
START_S: Final = 5.0
MOST_LINES: Final = 40
"""Of a menu."""
QUIET_S: Final = 0.4
"""After so long without output the client has painted what it was asked for."""
SHOW_S: Final = 20.0
XTERM, XVFB = "/usr/bin/xterm", "/usr/bin/Xvfb"
FONT: Final = ("-fa", "DejaVu Sans Mono", "-fs", "10")
BACKGROUNDS: Final[Mapping[str, tuple[str, str]]] = {
    "dark": ("#1d1f21", "#d8d8d8"),
    "light": ("#ffffff", "#202020"),
}


class Scene(NamedTuple):
    """What is played on a terminal."""

    columns: int
    rows: int
    options: str
    keys: str
    """Pieces with a pause after each; one that begins with > goes down to the line of that name."""
    shows: str
    """What the last screen says: a picture of something else would be wrong."""


_EXPERT: Final = "--preset expert --seed 38"
_OPENED: Final = "JJ LLL \r"
_FLAGGED: Final = f"{_OPENED} kkkkkkllf kf hf hhhhjf LLjf jjjjhh"
_SETTINGS: Final = "m >Settings \r >Colours"
_INTERMEDIATE: Final = "--preset intermediate --seed 3"
_LARGE: Final = "--rows 120 --columns 120 --mines 1500 --seed 4"
SCENES: Final[Mapping[str, Scene]] = {
    "terminal": Scene(80, 24, _EXPERT, f"{_FLAGGED} hh", "24 %"),
    "terminal-lost": Scene(80, 24, _EXPERT, f"{_FLAGGED} \r", "LOST"),
    "terminal-won": Scene(100, 30, "--rows 12 --columns 16 --mines 1", "\r", "WON"),
    "terminal-100x30": Scene(100, 30, _INTERMEDIATE, "\r", "%"),
    "terminal-lost-100x30": Scene(100, 30, _INTERMEDIATE, "\r ll j \r", "LOST"),
    "terminal-200x60": Scene(200, 60, _EXPERT, _FLAGGED, "24 %"),
    "terminal-beginner-200x60": Scene(200, 60, "--preset beginner --seed 7", "LL jjjj \r", "%"),
    "terminal-settings": Scene(100, 30, "--preset beginner", _SETTINGS, "Colours"),
    "terminal-classic": Scene(100, 30, _EXPERT, f"{_SETTINGS} l m m {_FLAGGED}", "24 %"),
    "terminal-monochrome": Scene(80, 24, _EXPERT, f"{_SETTINGS} h m m {_FLAGGED}", "24 %"),
    "terminal-menu": Scene(80, 24, _EXPERT, "m", "Continue"),
    "terminal-help": Scene(80, 24, _EXPERT, "?", "This game:"),
    "terminal-overview": Scene(80, 24, _LARGE, "JJJ LLL \r v", "The whole board."),
    "terminal-small": Scene(40, 20, _INTERMEDIATE, "\r", "%"),
}

KEPT: Final = frozenset(
    {
        *("terminal-dark.png", "terminal-light.png", "terminal-lost-dark.png"),
        *("terminal-classic-light.png", "terminal-200x60-dark.png"),
    }
)
"""What the documents show."""


def client_output(scene: Scene) -> bytes:
    """Play a scene; return everything that the client wrote."""
    with tempfile.TemporaryDirectory() as home:
        master, terminal = pty.openpty()
        size = struct.pack("HHHH", scene.rows, scene.columns, 0, 0)
        fcntl.ioctl(master, termios.TIOCSWINSZ, size)
        settings = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        command = (sys.executable, "-m", "jminesweeper", "client", "--port=1", "--no-mouse")
        client = subprocess.Popen(
            (*command, *scene.options.split()),
            stdin=terminal,
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **settings, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home},
        )
        os.close(terminal)
        player = Player(master, scene)
        player.read(START_S)
        # The notice about where the game is played goes with the first key.
        for piece in scene.keys.split(" "):
            player.type(piece)
        client.terminate()
        client.wait()
        os.close(master)
    if scene.shows not in player.text:
        raise SystemExit(f"not shown: {scene.shows}\n{player.text}")
    return player.written


class Player:
    """Types, and sees what the client writes."""

    def __init__(self, master: int, scene: Scene) -> None:
        self._master = master
        self._screen = pyte.Screen(scene.columns, scene.rows)
        self._stream = pyte.ByteStream(self._screen)
        self.written = b""

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def type(self, piece: str) -> None:
        keys, _, goal = piece.partition(">")
        os.write(self._master, keys.encode())
        self.read(QUIET_S)
        for _ in range(MOST_LINES):
            if not goal or f"> {goal}" in self.text:
                break
            os.write(self._master, b"j")
            self.read(QUIET_S)

    def read(self, first_s: float) -> None:
        """Read until there is a pause."""
        wait_s = first_s
        while select.select([self._master], [], [], wait_s)[0]:
            written = os.read(self._master, 1 << 16)
            self._stream.feed(written)
            self.written += written
            wait_s = QUIET_S


@contextmanager
def display(folder: Path) -> Iterator[str]:
    """Run a display whose screen is a file in a folder."""
    screen = f"{DISPLAY_SIDE}x{DISPLAY_SIDE}x24"
    arguments = ("-screen", "0", screen, "-fbdir", str(folder), "-nolisten", "tcp", "-displayfd")
    reader, writer = os.pipe()
    process = subprocess.Popen(
        (XVFB, *arguments, str(writer)), pass_fds=(writer,), stderr=subprocess.DEVNULL
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            yield f":{told.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


def show(scene: Scene, written: bytes, scheme: str, where: str, folder: Path) -> list[bytes]:
    """Let xterm show it; return the rows of its window as red, green and blue."""
    background, foreground = BACKGROUNDS[scheme]
    output, done = folder / "output", folder / "done"
    output.write_bytes(written)
    done.unlink(missing_ok=True)
    script = f"stty raw -echo; cat {output}; touch {done}; sleep {SHOW_S}"
    xterm = subprocess.Popen(
        (
            *(XTERM, "-display", where, "-geometry", f"{scene.columns}x{scene.rows}+0+0"),
            *(*FONT, "-bg", background, "-fg", foreground, "+sb", "-b", "8", "-bw", "0"),
            *("-xrm", "XTerm*directColor: true", "-e", "sh", "-c", script),
        ),
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(done)
        return _cropped(_pixels(folder / "Xvfb_screen0"), int(background[1:], 16))
    finally:
        xterm.terminate()
        xterm.wait()


def _wait_for(done: Path) -> None:
    deadline = time.monotonic() + SHOW_S
    while not done.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)


def _pixels(path: Path) -> list[bytes]:
    """Read a window dump: four bytes a pixel, blue first."""
    dump = path.read_bytes()
    header = struct.unpack(">25I", dump[:100])
    header_size, height, colours = header[0], header[5], header[19]
    line = header[12]
    start = header_size + 12 * colours
    rows = (dump[start + row * line : start + (row + 1) * line] for row in range(height))
    return [_red_first(row) for row in rows]


def _red_first(row: bytes) -> bytes:
    pixels = bytearray(len(row) // 4 * 3)
    pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
    return bytes(pixels)


def _cropped(rows: list[bytes], background: int) -> list[bytes]:
    """Cut out the window: from its first pixel to the last in the terminal's background."""
    ground = background.to_bytes(3, "big")
    edge = rows[2]
    width = next(place for place in range(len(edge), 0, -3) if edge[place - 3 : place] == ground)
    height = next(row for row in range(len(rows), 0, -1) if rows[row - 1][6:9] == ground)
    return [row[:width] for row in rows[:height]]


def write_png(path: Path, rows: list[bytes]) -> None:
    """Write a picture with a palette, as its colours are few."""
    colours = sorted({row[place : place + 3] for row in rows for place in range(0, len(row), 3)})
    width, height = len(rows[0]) // 3, len(rows)
    if len(colours) <= 256:
        number = {colour: index for index, colour in enumerate(colours)}
        lines = [
            bytes(number[row[place : place + 3]] for place in range(0, len(row), 3)) for row in rows
        ]
        kind, palette = 3, _chunk(b"PLTE", b"".join(colours))
    else:
        lines, kind, palette = rows, 2, b""
    data = zlib.compress(b"".join(b"\0" + line for line in lines), 9)
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
    end = _chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + header + palette + _chunk(b"IDAT", data) + end)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work, display(Path(work)) as where:
        for name, scene in SCENES.items():
            wanted = [
                (path, scheme)
                for scheme in BACKGROUNDS
                if (path := folder / f"{name}-{scheme}.png").name in KEPT or folder != PICTURES
            ]
            written = client_output(scene) if wanted else b""
            for path, scheme in wanted:
                write_png(path, show(scene, written, scheme, where, Path(work)))


if __name__ == "__main__":
    main()
