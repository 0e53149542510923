"""The moving picture on the first page, and the recording that it is drawn from."""

import json
import subprocess
import sys

import pyte

from tests.architecture.tree import ROOT

CAST = ROOT / "docs" / "pictures" / "game.cast"
MOST_BYTES = 400_000


def recording() -> tuple[dict[str, object], list[tuple[float, str, str]]]:
    head, *events = map(json.loads, CAST.read_text(encoding="utf-8").splitlines())
    return head, [(at_s, kind, text) for at_s, kind, text in events]


def test_the_recording_is_one_that_players_of_such_recordings_take() -> None:
    head, events = recording()
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    times = [at_s for at_s, _, _ in events]
    assert times == sorted(times)
    assert {kind for _, kind, _ in events} == {"o"}


def test_the_recording_shows_a_whole_game() -> None:
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    _, events = recording()
    for _, _, text in events:
        stream.feed(text)
    shown = "\n".join(screen.display)
    assert "intermediate 16x16" in shown
    assert "won" in shown.lower()


def test_the_picture_shows_the_recording_and_nothing_that_runs() -> None:
    result = subprocess.run(
        [sys.executable, "scripts/screenshots.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    picture = CAST.with_suffix(".svg").read_text(encoding="utf-8")
    assert len(picture) < MOST_BYTES
    assert "script" not in picture
    assert "http://" not in picture.replace('xmlns="http://www.w3.org/2000/svg"', "")
