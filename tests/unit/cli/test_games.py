"""`jminesweeper games`, `export` and `import`, as they are typed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jminesweeper.cli.games import ListedGame
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.recordings.rawvf import format_rawvf, parse_rawvf
from jminesweeper.recordings.svg import format_svg
from jminesweeper.recordings.text import format_game
from tests.unit.cli.kept_games import LOST, WON, furnish, run, with_variant


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path)
    return tmp_path


def test_a_player_sees_the_own_games_the_latest_first(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    result = run(home, "games")
    assert result.exit_code == 0
    head, _astray, lost, won = [" ".join(line.split()) for line in result.output.splitlines()]
    assert head == "ID result time board mines rules at"
    assert lost.startswith(
        "lost1 lost 3.000 s daily custom 2026-11-18 3x2 2 classic 2023-11-14 22:"
    )
    assert lost.endswith("assisted")
    assert won.startswith("won1 won 2.000 s custom 4x2 1 classic")


def test_the_list_can_be_shorter_and_json(home: Path) -> None:
    games = json.loads(run(home, "games", "--limit", "2", "--json").output)
    assert [game["game"] for game in games] == ["astray", "lost1"]
    assert games[1] == {
        "game": "lost1",
        "at": "2023-11-14T22:13:20Z",
        "label": "daily custom 2026-11-18 3x2",
        "board": "custom 3x2/2 classic daily=2026-11-18",
        "rules": "classic",
        "columns": 3,
        "rows": 2,
        "mines": 2,
        "no_guess": False,
        "daily": "2026-11-18",
        "result": "lost",
        "time_ms": 3000,
        "assisted": True,
        "repeat": False,
    }
    assert run(home, "games", "--limit", "0").exit_code == 2


def test_what_a_player_has_named_does_nothing_to_the_terminal() -> None:
    rules = replace(WON.setup.rules, name="r\x9b")
    variant = with_variant(WON, board="b\x07", rules=rules).variant
    row = ListedGame("c\x1b[2J", 0, variant, Status.WON, 0, False).as_row()
    assert all(cell.isprintable() for cell in row)


def test_a_list_that_ends_early_says_so(home: Path) -> None:
    more = "The latest 2; --limit lists more."
    assert run(home, "games", "--limit", "2").output.splitlines()[-1] == more
    assert more not in run(home, "games", "--limit", "3").output


def test_without_a_key_or_a_store_there_is_one_sentence(home: Path) -> None:
    (home / "jminesweeper" / "key").unlink()
    assert "No key found at" in run(home, "games").output
    (home / "jminesweeper" / "games.sqlite3").unlink()
    result = run(home, "games")
    assert result.exit_code == 1
    assert "No games yet: the store " in result.output
    assert "games.sqlite3 does not exist. Games on other servers stay there" in result.output


def test_no_games_is_said_in_words_and_as_an_empty_list(home: Path) -> None:
    assert run(home, "games", "--imported").output == "No games yet.\n"
    assert json.loads(run(home, "games", "--imported", "--json").output) == []


def test_a_game_is_printed_as_text_or_as_rawvf(home: Path) -> None:
    assert run(home, "export", "won1").output == format_game(WON)
    assert run(home, "export", "won1", "--format", "rawvf").output == format_rawvf(WON)
    assert run(home, "export", "won1", "-", "--format", "text").output == format_game(WON)


def test_a_game_is_written_in_the_format_of_the_files_name(home: Path) -> None:
    daily = format_game(LOST).replace(" layout=", " daily=2026-11-18 layout=")
    for name, expected in (("g.txt", daily), ("g.RAWVF", format_rawvf(LOST))):
        result = run(home, "export", "lost1", str(home / name))
        assert (result.exit_code, result.output) == (0, "")
        assert (home / name).read_text() == expected


def test_a_game_becomes_a_picture_by_the_name_of_its_file(home: Path) -> None:
    assert run(home, "export", "won1", str(home / "g.svg")).exit_code == 0
    assert (home / "g.svg").read_text() == format_svg(WON)


def test_a_file_is_overwritten_only_by_force(home: Path) -> None:
    (home / "g.txt").write_text("a diary")
    result = run(home, "export", "won1", str(home / "g.txt"))
    assert result.exit_code == 1
    assert result.output.endswith("g.txt exists already; --force overwrites it.\n")
    assert (home / "g.txt").read_text() == "a diary"
    assert run(home, "export", "won1", str(home / "g.txt"), "--force").exit_code == 0
    assert (home / "g.txt").read_text() == format_game(WON)


def test_a_file_is_converted(home: Path) -> None:
    (home / "g.rawvf").write_text(format_rawvf(WON))
    text = run(home, "export", str(home / "g.rawvf")).output
    assert text == format_game(parse_rawvf(format_rawvf(WON)))


def test_a_file_that_cannot_be_written_is_one_sentence(home: Path) -> None:
    result = run(home, "export", "won1", str(home / "missing" / "g.txt"))
    assert result.exit_code == 1
    assert result.output.endswith("g.txt cannot be written: No such file or directory.\n")


def test_a_game_that_rawvf_cannot_tell_is_one_sentence(home: Path) -> None:
    rules = Rules("own", victory=Victory.FLAGS, first_reveal=FirstReveal.SAFE)
    setups = (Setup.of(Size(2, 1), 1, rules, seed=seed) for seed in range(9))
    game = Game(next(each for each in setups if each.minefield().mines == 0b01))
    game.flag(Cell(1, 0), 0)
    game.reveal(Cell(0, 0), 10)
    (home / "g.txt").write_text(format_game(game))
    result = run(home, "export", str(home / "g.txt"), "--format", "rawvf")
    assert result.exit_code == 1
    assert "g.txt cannot be written as rawvf: the game was played on other" in result.output


def test_an_imported_game_is_listed_replayed_and_exported_by_its_id(home: Path) -> None:
    (home / "g.rawvf").write_text(format_rawvf(WON))
    imported = run(home, "import", str(home / "g.rawvf"))
    assert imported.exit_code == 0
    code, _ = imported.output.split()
    assert code in run(home, "games", "--imported").output
    assert "the game is won" in run(home, "replay", code, "--plain").output
    assert run(home, "export", code, "--format", "rawvf").output == format_rawvf(WON)
    assert "(was imported before)" in run(home, "import", str(home / "g.rawvf")).output


def test_what_is_imported_counts_nowhere(home: Path) -> None:
    (home / "g.txt").write_text(format_game(WON))
    before = run(home, "stats", "--json").output, run(home, "scores", "--json").output
    run(home, "import", str(home / "g.txt"))
    assert (run(home, "stats", "--json").output, run(home, "scores", "--json").output) == before
    assert len(json.loads(run(home, "games", "--json").output)) == 3


def test_of_several_files_the_good_ones_are_imported(home: Path) -> None:
    (home / "good.txt").write_text(
        format_game(Game(Setup.of(Size(9, 9), 10, PRESETS["classic"], seed=1)))
    )
    (home / "bad.txt").write_text("bad")
    result = run(home, "import", str(home / "bad.txt"), str(home / "good.txt"), str(home / "none"))
    assert result.exit_code == 1
    assert "bad.txt is not a game: line 1: " in result.output
    assert "none cannot be read" in result.output
    listed = run(home, "games", "--imported").output
    assert "beginner 9x9" in listed
    assert "unfinished" in listed


def test_an_imported_game_that_was_damaged_since_is_told_and_left_out(home: Path) -> None:
    (home / "good.txt").write_text(format_game(WON))
    run(home, "import", str(home / "good.txt"))
    (home / "jminesweeper" / "imported" / "bad.txt").write_text("bad")
    result = run(home, "games", "--imported")
    assert result.exit_code == 0
    assert "bad.txt is not a game" in result.output
    assert "custom 4x2" in result.output


def test_a_description_that_contradicts_its_clicks_is_warned_of(home: Path) -> None:
    path = home / "game.rawvf"
    path.write_text(format_rawvf(LOST).replace("Status: lost", "Status: won"))
    doubt = "the description says won, its clicks say lost."
    for command in ("import", "export", "replay", "analyse"):
        result = run(home, command, str(path))
        assert result.exit_code == 0
        assert f"Warning: {path}: {doubt}" in result.stderr
