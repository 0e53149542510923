"""One line about each game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from jminesweeper.cli.games import Listed, table_of
from jminesweeper.recordings.text import format_game
from tests.unit.cli.kept_games import DAY, LOST, WON, Finished, finished, with_variant


def listed(game: Finished) -> Listed:
    return Listed.of_finished(game.code, game.setup.variant, game.outcome)


def test_games_are_written_in_columns() -> None:
    games = [
        finished("won1", WON),
        finished("lost1", LOST, setup=with_variant(LOST, daily=DAY, is_repeat=True)),
    ]
    table = table_of([listed(game) for game in games])
    assert table.head == ("ID", "result", "time", "board", "mines", "rules", "at", "")
    at = "2023-11-14 22:13"
    assert [*table.rows] == [
        ("won1", "won", "2.000 s", "custom 4x2", "1", "classic", at, ""),
        (
            "lost1",
            "lost",
            "3.000 s",
            "daily custom 2026-11-18 3x2",
            "2",
            "classic",
            at,
            "assisted, repeat",
        ),
    ]


def test_what_a_player_has_named_does_nothing_to_the_terminal() -> None:
    rules = replace(WON.setup.rules, name="r\x9b")
    game = finished("c\x1b[2J", WON, setup=with_variant(WON, board="b\x07", rules=rules))
    (row,) = table_of([listed(game)]).rows
    assert all(cell.isprintable() for cell in row)


def test_an_imported_game_is_told_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "abc.txt"
    path.write_text(format_game(LOST))
    imported = Listed.of_imported(path, LOST)
    assert (imported.code, imported.variant) == ("abc", LOST.setup.variant)
    assert (imported.at_s, imported.time_ms) == (int(path.stat().st_mtime), 3000)
    assert imported.is_assisted


def test_programs_get_everything() -> None:
    assert listed(finished("won1", WON)).as_json() == {
        "game": "won1",
        "at": "2023-11-14T22:13:20Z",
        "label": "custom 4x2",
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
