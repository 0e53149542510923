"""Calls of functions that an action costs a server: the same on a quiet machine and a busy one."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from types import CodeType, FrameType
from typing import Final

from benchmarks.crowd import Crowd, Guest, play_alone, sit_down
from benchmarks.processes import HOST, ROOT, ServerProcess, server
from benchmarks.tables import Run, Table
from jminesweeper.cli.main import main

SOURCE: Final = str(ROOT / "src")
PLAYERS: Final = 50


def serve(place: str) -> None:
    """Run the server, and write how many calls there were into a file, whenever asked."""
    calls = Counter[str]()
    layers: dict[CodeType, str] = {}

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            if (layer := layers.get(code)) is None:
                layer = layers[code] = _layer_of(code)
            calls[layer] += 1

    def write(*_: object) -> None:
        beside = Path(f"{place}.new")
        beside.write_text(json.dumps(calls), encoding="ascii")
        beside.rename(place)

    signal.signal(signal.SIGUSR1, write)
    threading.setprofile(count)
    sys.setprofile(count)
    main()


def _layer_of(code: CodeType) -> str:
    """Return the package of a function; empty for what is not ours, and what is a comprehension."""
    is_ours = code.co_filename.startswith(SOURCE) and code.co_name[0] != "<"
    return Path(code.co_filename[len(SOURCE) :]).parts[2] if is_ours else ""


def measure(run: Run) -> Iterator[Table]:
    seconds = 5 if run.is_quick else 20
    alone, together = (_play(seconds, is_together=each) for each in (False, True))
    rows = [
        ("alone", alone[0], sum(alone[1].values())),
        ("in rooms of five", together[0], sum(together[1].values())),
    ]
    yield Table("calls", (f"{PLAYERS} known players", "frames an action", "calls an action"), rows)
    found = [layer for layer, calls in together[1].items() if calls >= 1]
    layers = sorted(found, key=together[1].__getitem__, reverse=True)
    parts = [(layer, alone[1].get(layer, 0.0), together[1][layer]) for layer in layers]
    yield Table("layers", ("calls an action", "alone", "in rooms of five"), parts)


def _play(seconds: int, *, is_together: bool) -> tuple[float, dict[str, float]]:
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
            sit_down(crowd, guests, Path(folder, "calls.db"))
        else:
            play_alone(crowd, guests)
        crowd.play(2)
        before = _calls(target, place)
        frames, waits = crowd.play(seconds)
        calls = _calls(target, place)
    actions = len(waits)
    of_each = {layer: (calls[layer] - before.get(layer, 0)) / actions for layer in calls if layer}
    return frames / actions, of_each


def _calls(target: ServerProcess, place: Path) -> dict[str, int]:
    place.unlink(missing_ok=True)
    os.kill(target.pid, signal.SIGUSR1)
    while not place.exists():
        sleep(0.01)
    found: dict[str, int] = json.loads(place.read_text(encoding="ascii"))
    return found
