"""`jminesweeper stats`, as it is typed."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.archives import local_player
from jminesweeper.cli.main import main
from jminesweeper.core.grid import Size
from jminesweeper.core.view import Status
from jminesweeper.records.documents import format_races
from jminesweeper.records.keys import daily_code, races_key
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.records.results import count_anonymous
from jminesweeper.store.blocking import perform
from jminesweeper.store.blocking import run as run_flow
from jminesweeper.store.port import Commit, Put
from jminesweeper.store.sqlite.store import SqliteStore
from tests.unit.cli.kept_games import CUSTOM, EXPERT, introduce, loss, record, win

SECRET = bytes(range(16))
ANN = local_player(SECRET)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Give a data directory with Ann's key and a store that knows her games."""
    folder = tmp_path / "jminesweeper"
    folder.mkdir()
    with closing(SqliteStore(folder / "games.sqlite3")) as store:
        introduce(store, ANN, "Ann")
        for game in (
            win("one", 90_500, player=ANN),
            loss("two", player=ANN),
            win("three", 10, player=ANN, is_assisted=True, figures={}),
        ):
            record(store, game)
        run_flow(store, count_anonymous(EXPERT, Status.LOST, 1))
    (folder / "key").write_text(SECRET.hex())
    (folder / "key").chmod(0o600)
    return tmp_path


def run(data: Path, *arguments: str) -> Result:
    return CliRunner(env={"XDG_DATA_HOME": str(data)}).invoke(main, ["stats", *arguments])


@pytest.mark.requirement("F:games_played", "F:games_won")
def test_a_player_sees_games_played_and_won(data: Path) -> None:
    result = run(data)
    assert result.exit_code == 0
    assert result.output.startswith("Ann\ngames played 3   won 2\n")
    assert "expert       2    1     1  50 %  90.500" in result.output


def test_races_and_days_in_a_row_are_counted(data: Path) -> None:
    today = datetime.now(UTC).date()
    with closing(SqliteStore(data / "jminesweeper" / "games.sqlite3")) as store:
        for days in range(2):
            daily = replace(EXPERT, daily=today - timedelta(days))
            record(store, loss(daily_code(ANN, daily), variant=daily, player=ANN))
        perform(store, Commit(1, puts=(Put(races_key(ANN), format_races(2, 1)),)))
    lines = run(data).output.splitlines()
    assert lines[2:4] == ["races played 2   won 1", "days in a row with a board of the day 2"]
    said = json.loads(run(data, "--json").output)
    assert [said[name] for name in ("races_played", "races_won", "days_in_a_row")] == [2, 1, 2]


def test_programs_get_json(data: Path) -> None:
    statistics = json.loads(run(data, "--json").output)
    assert (statistics["name"], statistics["games_played"], statistics["games_won"]) == (
        "Ann",
        3,
        2,
    )
    (expert,) = statistics["categories"]
    assert (expert["board"], expert["rules"]) == ("expert classic", "classic")
    assert (expert["streak"], expert["best_streak"]) == (0, 1)
    assert expert["unaided"] == {
        "played": 2,
        "won": 1,
        "lost": 1,
        "terminated": 0,
        "win_rate": 0.5,
        "best_ms": 90_500,
        "mean_ms": 90_500.0,
        "mean_3bv_per_s": 1.923,
    }
    assert expert["unranked"]["played"] == 1


def test_everybodys_games_include_those_without_a_key(data: Path) -> None:
    assert run(data, "--everybody").output == (
        "expert 30x16, 99 mines\n  played 4   won 2   lost 2\n"
    )
    assert json.loads(run(data, "--everybody", "--json").output) == [
        {
            "label": "expert 30x16",
            "board": "expert classic",
            "rules": "classic",
            "columns": 30,
            "rows": 16,
            "mines": 99,
            "no_guess": False,
            "daily": None,
            "played": 4,
            "won": 2,
            "lost": 2,
            "terminated": 0,
        }
    ]


def test_boards_beyond_the_most_played_are_counted_in_one_line(data: Path) -> None:
    with closing(SqliteStore(data / "jminesweeper" / "games.sqlite3")) as store:
        for rows in range(1, MAX_LISTED + 2):
            variant = replace(CUSTOM, size=Size(100, rows))
            record(store, loss(f"game {rows}", variant=variant, player=ANN))
    assert run(data, "--everybody").output.endswith(
        "all other boards\n  played 2   won 0   lost 2\n"
    )
    assert json.loads(run(data, "--everybody", "--json").output)[-1] == {
        "played": 2,
        "won": 0,
        "lost": 2,
        "terminated": 0,
    }
    assert json.loads(run(data, "--json").output)["others"]["lost"] == 2


def test_an_empty_store_has_no_totals(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "jminesweeper" / "games.sqlite3").close()
    assert run(tmp_path, "--everybody").output == "No finished games yet.\n"


def test_another_key_can_be_named(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("ff" * 16)
    result = run(data, "--key", str(other))
    assert result.output.startswith("anonymous\n")
    assert json.loads(run(data, "--key", str(other), "--json").output)["games_played"] == 0


def test_who_never_played_has_no_key_and_gets_none(data: Path, tmp_path: Path) -> None:
    result = run(data, "--key", str(tmp_path / "none"))
    assert result.exit_code == 1
    assert "No key found at" in result.output
    assert not (tmp_path / "none").exists()


def test_a_damaged_key_is_one_clear_line(data: Path) -> None:
    (data / "jminesweeper" / "key").write_text("not a key")
    result = run(data)
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "is damaged" in result.output


def test_a_store_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 1
    assert "does not exist." in result.output
