"""One line about each game."""

from __future__ import annotations

from pathlib import Path

from jminesweeper.cli.listing import Listed, format_list
from jminesweeper.core import format_game
from jminesweeper.store.ports import Category
from tests.unit.cli.kept_games import LOST, WON, finished

REMARKS = "daily, assisted, repeat"


def test_games_are_written_in_columns() -> None:
    games = [
        finished("won1", WON),
        finished("lost1", LOST, daily="2026-11-18", is_repeat=True),
    ]
    assert list(format_list([Listed.of_finished(game) for game in games])) == [
        "ID     at                    board    mines  rules    result  time",
        "won1   2023-11-14T22:13:20Z  own 4x2      1  classic  won        2.000 s",
        "lost1  2023-11-14T22:13:20Z  own 3x2      2  classic  lost       3.000 s  " + REMARKS,
    ]


def test_what_a_player_has_named_does_nothing_to_the_terminal() -> None:
    game = finished("c\x1b[2J", WON, category=Category("p\n", "r\x9b"))
    assert all(line.isprintable() for line in format_list([Listed.of_finished(game)]))


def test_an_imported_game_is_told_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "abc.txt"
    path.write_text(format_game(LOST))
    listed = Listed.of_imported(path, LOST)
    assert (listed.code, listed.label, listed.rules) == ("abc", "classic 3x2", "classic")
    assert (listed.at_s, listed.time_ms) == (int(path.stat().st_mtime), 3000)
    assert listed.is_assisted


def test_programs_get_everything() -> None:
    assert Listed.of_finished(finished("won1", WON)).as_json() == {
        "game": "won1",
        "at": "2023-11-14T22:13:20Z",
        "label": "own 4x2",
        "rules": "classic",
        "columns": 4,
        "rows": 2,
        "mines": 1,
        "result": "won",
        "time_ms": 2000,
        "assisted": False,
        "repeat": False,
        "daily": None,
    }
