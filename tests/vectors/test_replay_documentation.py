"""The formats are as docs/replays.md shows them."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.rules import PRESETS, RULE_VALUES
from jminesweeper.core.view import Status
from jminesweeper.recordings.rawvf import _BUTTONS, _CANNOT, format_rawvf, parse_rawvf
from jminesweeper.recordings.text import format_game, parse_game

PAGE = (Path(__file__).parents[2] / "docs" / "replays.md").read_text(encoding="utf-8")


def examples(kind: str) -> list[str]:
    blocks = re.findall(rf"<!-- {kind} -->\n\n((?:    .*\n|\n)+)", PAGE)
    return [dedent(block).strip() + "\n" for block in blocks]


def test_the_first_example_is_a_whole_game_as_it_is_written() -> None:
    first, _ = examples("game")
    game = parse_game(first)
    assert format_game(game) == first
    assert (game.status, game.assisted) == (Status.LOST, False), "a flag taken back is no help"


def test_the_second_example_is_won_by_flags() -> None:
    _, second = examples("game")
    game = parse_game(second)
    assert game.status is Status.WON
    assert game.setup.rules == PRESETS["jminesweeper"]


def test_the_video_is_one_as_it_is_written() -> None:
    (video,) = examples("video")
    game = parse_rawvf(video)
    assert format_rawvf(game) == video
    assert game.status is Status.LOST


@pytest.mark.parametrize("kind", ActionKind, ids=lambda kind: kind.name.lower())
def test_every_action_is_described(kind: ActionKind) -> None:
    assert re.search(rf"^\| `{kind.name.lower()}( C R)?` \|", PAGE, re.MULTILINE)


def test_every_rule_is_described() -> None:
    described = re.findall(r"^\| `([a-z-]+)` \| .* \| `", PAGE, re.MULTILINE)
    assert described == [name.replace("_", "-") for name in RULE_VALUES]


def test_every_mouse_event_and_every_refusal_of_a_video_is_described() -> None:
    reading = PAGE[PAGE.index("**Read** are") :]
    assert [event for event in _BUTTONS if f"`{event}`" not in reading] == []
    assert [name for name in _CANNOT if f"`{name}`" not in reading.lower()] == []
