"""Players are forgotten at a real terminal, and the store is whole afterwards."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.server_process import running_server
from tests.integration.terminal import client_environment, on_pty
from tests.redis_process import RedisProcess

DOWN = "\x1b[B"


@pytest.fixture(params=["sqlite", "redis"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    redis: RedisProcess = request.getfixturevalue("empty_redis")
    return redis.url


def test_a_player_is_forgotten_after_saying_so_twice(store: str, tmp_path: Path) -> None:
    with running_server(f"--store={store}", "--workers=0") as server:
        options = ["-r1", "-c1", "-l1", f"127.0.0.1:{server.port}", "--name=Ada"]
        with on_pty(options, tmp_path, rows=40) as ada:
            ada.wait_for_screen("easy 1x1")
            ada.press("\r", "You lost.")
            ada.press("m", "> Continue")
            ada.choose("Settings")
            ada.wait_for_screen("This device")
            ada.choose("Forget me")
            ada.wait_for_screen("Forget you?")
            ada.press(DOWN + "\r", "Forget everything for good?")
            ada.type(DOWN + "\r")
            assert ada.finish() == 0
            assert b"You are forgotten here. Goodbye." in ada.output
        server.send_signal(signal.SIGTERM)
        server.wait()
    checked = subprocess.run(
        [sys.executable, "-m", "jminesweeper", "store", "check", store],
        env=client_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "is whole" in checked.stdout
    kinds = re.findall(r"[0-9,]+ ([a-z-]+)[,)]", checked.stdout.partition("(")[2])
    assert "forgotten" in kinds
    assert {"player", "game", "tally", "races", "device"}.isdisjoint(kinds)
