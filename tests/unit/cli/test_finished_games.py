"""Commands over finished games, as far as no file of `tests/golden/typed` can say it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.cli.games import ListedGame
from jminesweeper.core.grid import Size
from jminesweeper.core.view import Status
from jminesweeper.records.documents import format_races
from jminesweeper.records.keys import daily_code, ladder_key, races_key
from jminesweeper.records.ladder import PROVISIONAL, move
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.session.analysis import report
from jminesweeper.solver.review import GameReview
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Commit, Put, Read
from jminesweeper.store.sqlite import SqliteStore
from tests.unit.cli.kept_games import (
    ANN,
    BOB,
    CUSTOM,
    EXPERT,
    SECRET,
    WON,
    furnish,
    loss,
    record,
    run,
    store_games,
    win,
    with_variant,
)
from tests.unit.core.boards import play

STORE = "jminesweeper/games.sqlite3"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path)
    return tmp_path


@pytest.fixture
def new_home(tmp_path: Path) -> Path:
    """A home where only a player without a key has finished games."""
    store_games(tmp_path / STORE)
    (tmp_path / "jminesweeper" / "key").write_text(SECRET.hex())
    return tmp_path


def facts(home: Path, *arguments: str) -> Any:
    return json.loads(run(home, *arguments, "--json").output)


def headings(home: Path, *arguments: str) -> list[str]:
    lines = run(home, "scores", *arguments).output.splitlines()
    return [line for line in lines if line and not line.startswith(" ")]


def test_programs_get_every_figure_of_an_analysis(home: Path) -> None:
    told = facts(home, "analyse", "lost1")
    assert told["label"] == "daily custom 2026-11-18 3x2"
    assert (told["result"], told["assisted"], told["exact"]) == ("lost", True, True)
    assert told["hits"] == sum(not guess["survived"] for guess in told["guesses"]) == 1
    assert told["luck"] == pytest.approx(told["survival"])
    assert told["figures"]["3bv"] > 0
    where = {"action", "at_ms", "kind", "column", "row"}
    assert set(told["guesses"][0]) == {
        *where,
        *("risk", "least_risk", "needless", "survived", "hint"),
    }
    # A game that continues keeps its figures to itself.
    assert facts(home, "analyse", str(home / "begun.txt"))["figures"] is None


def test_estimates_are_called_so() -> None:
    won = play("*.", "kata", "reveal 1 0")
    lines = list(report(won, GameReview(won.status, (), exact=False)))
    assert "a position was too large to count: some figures are estimates" in lines


def test_what_a_player_has_named_does_nothing_to_the_terminal() -> None:
    rules = replace(WON.setup.rules, name="r\x9b")
    variant = with_variant(WON, board="b\x07", rules=rules).variant
    row = ListedGame("c\x1b[2J", 0, variant, Status.WON, 0, False).as_row()
    assert all(cell.isprintable() for cell in row)


def test_an_imported_game_that_was_damaged_since_is_told_and_left_out(home: Path) -> None:
    run(home, "import", str(home / "won.txt"))
    (home / "jminesweeper" / "imported" / "bad.txt").write_text("bad")
    result = run(home, "games", "--imported")
    assert result.exit_code == 0
    assert "bad.txt is not a game" in result.output
    assert "custom 4x2" in result.output


def test_a_long_list_of_boards_ends_with_how_many_more_there_are(new_home: Path) -> None:
    with closing(SqliteStore(new_home / STORE)) as store:
        for number in range(MAX_LISTED + 2):
            day = date(2026, 1, 1) + timedelta(number)
            record(store, win(f"{number}", variant=replace(EXPERT, daily=day)))
    *shown, last = headings(new_home)
    assert len(shown) == MAX_LISTED
    assert last == "and 2 more: --preset, --rules or --daily choose"
    assert len(facts(new_home, "scores")) == MAX_LISTED + 2


def test_todays_boards_are_asked_for_by_a_word(home: Path) -> None:
    with closing(SqliteStore(home / STORE)) as store:
        record(store, win("new", variant=replace(EXPERT, daily=datetime.now(UTC).date())))
    (heading,) = headings(home, "--daily", "today")
    assert heading.startswith("daily expert")


def test_the_ladder_ranks_who_has_raced_known_players(home: Path) -> None:
    with closing(SqliteStore(home / STORE)) as store:
        for _ in range(PROVISIONAL):
            stored = {
                each: perform(store, Read((ladder_key(each),))).documents[0] for each in (BOB, ANN)
            }
            for number, moved in enumerate(move("expert", stored).values(), start=1):
                places = tuple(moved.places)
                perform(store, Commit(number, (moved.check,), (moved.put,), places=places))
    lines = [line.split() for line in run(home, "scores", "--ladder").output.splitlines()]
    assert any(line[:2] == ["1.", "Bob?[2J"] and line[-1] == "10" for line in lines)
    assert lines.count(["Nobody", "is", "ranked", "yet."]) == 2
    (expert,) = facts(home, "scores", "--ladder", "--preset=expert")
    assert [each["races"] for each in expert["ladder"]] == [10, 10]


def test_races_and_days_in_a_row_are_counted(home: Path) -> None:
    today = datetime.now(UTC).date()
    with closing(SqliteStore(home / STORE)) as store:
        for days in range(2):
            daily = replace(EXPERT, daily=today - timedelta(days))
            record(store, loss(daily_code(ANN, daily), variant=daily))
        perform(store, Commit(1, puts=(Put(races_key(ANN), format_races(2, 1)),)))
    lines = run(home, "stats").output.splitlines()
    assert lines[2:4] == ["races played 2   won 1", "days in a row with a board of the day 2"]
    told = facts(home, "stats")
    assert [told[name] for name in ("races_played", "races_won", "days_in_a_row")] == [2, 1, 2]


def test_boards_beyond_the_most_played_are_counted_in_one_line(new_home: Path) -> None:
    with closing(SqliteStore(new_home / STORE)) as store:
        for rows in range(1, MAX_LISTED + 2):
            variant = replace(CUSTOM, size=Size(100, rows))
            record(store, loss(f"game {rows}", variant=variant))
    told = run(new_home, "stats", "--everybody").output
    assert told.endswith("all other boards\n  played 2   won 0   lost 2\n")
    others = {"played": 2, "won": 0, "lost": 2, "terminated": 0}
    assert facts(new_home, "stats", "--everybody")[-1] == others
    assert facts(new_home, "stats")["others"]["lost"] == 1


def test_an_empty_store_has_no_totals(tmp_path: Path) -> None:
    SqliteStore(tmp_path / STORE).close()
    assert run(tmp_path, "stats", "--everybody").output == "No finished games yet.\n"
