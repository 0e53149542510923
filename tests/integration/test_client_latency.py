"""Over a slow line the cursor is instant, and what was typed hits what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.integration.server_process import running_server
from tests.integration.slow_line import SlowLine, slow_line
from tests.integration.terminal import PtyProcess, on_pty

ROUND_TRIP_S = 0.15
GAME = ["--preset", "beginner", "--seed", "5"]


@pytest.fixture
def line() -> Iterator[SlowLine]:
    with running_server() as server, slow_line(server.port, ROUND_TRIP_S) as opened:
        yield opened


@pytest.fixture
def client(line: SlowLine, tmp_path: Path) -> Iterator[PtyProcess]:
    """A game on a server of ours, far away."""
    with on_pty([*GAME, f"127.0.0.1:{line.near_port}"], tmp_path) as playing:
        playing.wait_for_screen("beginner 9x9")
        yield playing


def cursor(client: PtyProcess) -> tuple[int, int]:
    """The row and column of the cell between the marks."""
    row = next(place for place, line in enumerate(client.lines) if "[" in line and "│" in line)
    return row, client.lines[row].index("[")


def moves_from(client: PtyProcess, before: tuple[int, int]) -> bool:
    return cursor(client) != before


def test_steps_are_painted_before_the_server_answers_any(
    line: SlowLine, client: PtyProcess
) -> None:
    line.hold()
    row, column = cursor(client)
    client.type("sssd")
    client.wait_until(lambda: cursor(client) == (row + 3, column + 2), "the first steps")
    for key in "ad" * 5:
        before = cursor(client)
        client.type(key)
        client.wait_until(partial(moves_from, client, before), "the step")
    line.release()
    client.quit()


def flags(client: PtyProcess) -> set[tuple[int, int]]:
    """The columns and rows of all flags."""
    top = next(place for place, line in enumerate(client.lines) if "╭" in line)
    left = client.lines[top].index("╭") + 2
    return {
        (column, row)
        for row in range(9)
        for column in range(9)
        if client.lines[top + 1 + row][left + 2 * column : left + 2 * column + 1] == "⚑"
    }


def test_a_hundred_keys_typed_over_it_flag_what_was_seen(client: PtyProcess) -> None:
    keys = "dfdsfafsdfdfwf" * 8
    # A classic game starts in the middle.
    flagged, column, row = set[tuple[int, int]](), 4, 4
    for key in keys:
        column = max(0, min(8, column + {"d": 1, "a": -1}.get(key, 0)))
        row = max(0, min(8, row + {"s": 1, "w": -1}.get(key, 0)))
        flagged ^= {(column, row)} if key == "f" else set()
    client.type(keys)
    client.wait_until(lambda: flags(client) == flagged, f"flags at {flagged}")
    client.wait_for_screen(f"mines {10 - len(flagged):>3}")
    client.quit()
