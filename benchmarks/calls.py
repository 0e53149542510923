"""Calls of functions that an action costs a server: the same on a quiet machine and a busy one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from types import FrameType
from typing import Final

from benchmarks.processes import HOST, ROOT, ServerProcess, server
from benchmarks.tables import Run, Table
from benchmarks.together import EXPERT, Crowd, Guest, sit_down
from jminesweeper.cli.main import main

SOURCE: Final = str(ROOT / "src")
PLAYERS: Final = 50


def serve(place: str) -> None:
    """Run the server, and write how many calls there were into a file, whenever asked."""
    total = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal total
        code = frame.f_code
        is_ours = code.co_filename.startswith(SOURCE) and code.co_name[0] != "<"
        total += is_ours and event == "call"

    def write(*_: object) -> None:
        beside = Path(f"{place}.new")
        beside.write_text(str(total), encoding="ascii")
        beside.rename(place)

    signal.signal(signal.SIGUSR1, write)
    threading.setprofile(count)
    sys.setprofile(count)
    main()


def measure(run: Run) -> Iterator[Table]:
    seconds = 5 if run.is_quick else 20
    rows = [
        ("alone", *_play(seconds, is_together=False)),
        ("in rooms of five", *_play(seconds, is_together=True)),
    ]
    yield Table("calls", (f"{PLAYERS} known players", "frames an action", "calls an action"), rows)


def _play(seconds: int, *, is_together: bool) -> tuple[float, float]:
    with TemporaryDirectory() as folder, ExitStack() as running:
        place = Path(folder, "calls")
        code = f"from benchmarks.calls import serve; serve({str(place)!r})"
        options = ("--workers", "0", "--max-per-address", "0", "--store", f"{folder}/calls.db")
        asked = ("-c", code, "server", "--host", HOST, "--port", "0", *options)
        target = running.enter_context(server(*asked))
        guests = [Guest(target.port, number) for number in range(PLAYERS)]
        for guest in guests:
            running.enter_context(guest.socket)
        crowd = Crowd()
        crowd.come(guests)
        if is_together:
            sit_down(crowd, guests)
        else:
            crowd.ask(guests, lambda _: EXPERT)
        crowd.play(2)
        before = _calls(target, place)
        frames, waits = crowd.play(seconds)
        calls = _calls(target, place) - before
    return frames / len(waits), calls / len(waits)


def _calls(target: ServerProcess, place: Path) -> int:
    place.unlink(missing_ok=True)
    os.kill(target.pid, signal.SIGUSR1)
    while not place.exists():
        sleep(0.01)
    return int(place.read_text(encoding="ascii"))
