"""The moving pictures on the first page, and the recordings that they are drawn from."""

import json
import re
import subprocess
import sys

import pyte
import pytest

from tests.architecture.tree import ROOT

PICTURES = ROOT / "docs" / "pictures"
LAST = {"game": ("easy 20x10", "WON"), "race": ("You won the race!", "3BV/s", "Bob")}
"""The last screen of a recording."""
MOST_BYTES = 400_000


def recording(name: str) -> tuple[dict[str, object], list[tuple[float, str, str]]]:
    text = (PICTURES / f"{name}.cast").read_text(encoding="utf-8")
    head, *events = map(json.loads, text.splitlines())
    return head, [(at_s, kind, text) for at_s, kind, text in events]


@pytest.mark.parametrize("name", LAST)
def test_a_recording_is_one_that_players_of_such_recordings_take(name: str) -> None:
    head, events = recording(name)
    assert (head["version"], head["width"], head["height"]) == (2, 80, 24)
    times = [at_s for at_s, _, _ in events]
    assert times == sorted(times)
    assert {kind for _, kind, _ in events} == {"o"}


@pytest.mark.parametrize("name", LAST)
def test_a_recording_shows_a_whole_game(name: str) -> None:
    screen = pyte.Screen(80, 24)
    stream = pyte.Stream(screen)
    _, events = recording(name)
    for _, _, text in events:
        stream.feed(text)
    shown = "\n".join(screen.display)
    assert [text for text in LAST[name] if text not in shown] == []


def test_the_pictures_show_the_recordings_and_nothing_that_runs() -> None:
    result = subprocess.run(
        [sys.executable, "scripts/screenshots.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    for name in LAST:
        picture = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
        assert len(picture) < MOST_BYTES
        assert "script" not in picture
        assert "href" not in picture
        # A room shows the addresses at which friends come, as text.
        shown = re.sub(r"> ?http://127\.0\.0\.1:[^<]*</text>", "", picture)
        assert "http://" not in shown.replace('xmlns="http://www.w3.org/2000/svg"', "")
