"""`jminesweeper scores`, as it is typed."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.main import main
from jminesweeper.core.rules import PRESETS
from jminesweeper.records.keys import ladder_key
from jminesweeper.records.ladder import PROVISIONAL, move
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Commit, Document, Found, Read
from jminesweeper.store.sqlite.store import SqliteStore
from tests.unit.cli.kept_games import ANN, BEGINNER, BOB, EXPERT, introduce, record, win


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store in which Ann and Bob have won."""
    path = tmp_path / "jminesweeper" / "games.sqlite3"
    path.parent.mkdir()
    with closing(SqliteStore(path)) as opened:
        introduce(opened, ANN, "Ann\x1b[2J")
        introduce(opened, BOB, "Bob")
        for game in (
            win("slow", 90_500),
            win("fast", 80_000, player=BOB),
            win("small", 4_000, variant=BEGINNER),
            win("today", 70_000, variant=replace(EXPERT, daily=date(2026, 11, 18))),
            win("formal", 1_000, variant=replace(EXPERT, rules=PRESETS["formal"])),
        ):
            record(opened, game)
    return path


def run(store: Path, *arguments: str) -> Result:
    environment = {"XDG_DATA_HOME": str(store.parents[1])}
    return CliRunner(env=environment).invoke(main, ["scores", *arguments])


def headings(result: Result) -> list[str]:
    return [line for line in result.output.splitlines() if line and not line.startswith(" ")]


def test_every_board_is_printed_with_its_best(store: Path) -> None:
    result = run(store)
    assert result.exit_code == 0
    assert headings(result) == [
        "beginner 9x9, 10 mines",
        "expert 30x16, 99 mines",
        "expert 30x16, 99 mines, open or flag all",
        "daily expert 2026-11-18 30x16, 99 mines",
    ]
    lines = [line.split() for line in result.output.splitlines() if line.startswith(" ")]
    assert ["1.", "Bob", "80.000", "fast"] in lines
    assert ["2.", "Ann?[2J", "90.500", "slow"] in lines


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--preset", "beginner"], ["beginner 9x9, 10 mines"]),
        (["--rules", "formal"], ["expert 30x16, 99 mines, open or flag all"]),
        (
            ["--daily", "2026-11-18"],
            ["daily expert 2026-11-18 30x16, 99 mines"],
        ),
        (["--preset", "intermediate"], ["No scores yet."]),
    ],
)
def test_boards_can_be_chosen(store: Path, arguments: list[str], expected: list[str]) -> None:
    assert headings(run(store, *arguments)) == expected


@pytest.mark.parametrize(
    ("option", "value"),
    [("--preset", "foo"), ("--rules", "foo"), ("--daily", "foo"), ("--daily", "18.11.2026")],
)
def test_boards_that_cannot_be_are_refused(store: Path, option: str, value: str) -> None:
    result = run(store, option, value)
    assert result.exit_code == 2
    assert value in result.output


def test_programs_get_json(store: Path) -> None:
    result = run(store, "--json", "--rules", "classic", "--limit", "1")
    boards = json.loads(result.output)
    assert [board["board"] for board in boards] == [
        "beginner classic",
        "expert classic",
        "expert classic daily=2026-11-18",
    ]
    assert boards[1]["scores"] == [
        {
            "rank": 1,
            "name": "Bob",
            "time_ms": 80_000,
            "luck": None,
            "game": "fast",
            "ended_at": "2023-11-14T22:13:20Z",
        }
    ]


def test_another_store_can_be_named(store: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "x" / "y", "--store", str(store)).exit_code == 0


def test_a_store_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    result = run(tmp_path / "x" / "y")
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert "does not exist." in result.output


def test_a_long_list_of_boards_ends_with_how_many_more_there_are(tmp_path: Path) -> None:
    path = tmp_path / "jminesweeper" / "games.sqlite3"
    path.parent.mkdir()
    with closing(SqliteStore(path)) as opened:
        introduce(opened, ANN, "Ann")
        for number in range(MAX_LISTED + 2):
            day = date(2026, 1, 1) + timedelta(number)
            record(opened, win(f"{number}", variant=replace(EXPERT, daily=day)))
    result = run(path)
    assert len(headings(result)) == MAX_LISTED + 1
    assert headings(result)[-1] == "and 2 more: --preset, --rules or --daily choose"
    assert len(json.loads(run(path, "--json").output)) == MAX_LISTED + 2


def test_todays_boards_are_asked_for_by_a_word(store: Path) -> None:
    today = datetime.now(UTC).date()
    with closing(SqliteStore(store)) as opened:
        record(opened, win("new", variant=replace(EXPERT, daily=today)))
    (heading,) = headings(run(store, "--daily", "today"))
    assert heading.startswith("daily expert")


def test_the_ladder_ranks_who_has_raced_known_players(store: Path) -> None:
    with closing(SqliteStore(store)) as opened:
        for _ in range(PROVISIONAL):
            stored = {each: perform_read(opened, each) for each in (BOB, ANN)}
            for number, moved in enumerate(move("expert", stored).values(), start=1):
                places = tuple(moved.places)
                perform(opened, Commit(number, (moved.check,), (moved.put,), places=places))
    lines = [line.split() for line in run(store, "--ladder").output.splitlines()]
    assert any(line[:2] == ["1.", "Bob"] and line[-1] == "10" for line in lines)
    assert lines.count(["Nobody", "is", "ranked", "yet."]) == 2
    (expert,) = json.loads(run(store, "--ladder", "--preset=expert", "--json").output)
    assert [each["races"] for each in expert["ladder"]] == [10, 10]
    assert "cannot be combined" in run(store, "--ladder", "--rules=classic").output


def perform_read(store: SqliteStore, player: str) -> Document:
    found: Found = perform(store, Read((ladder_key(player),)))
    return found.documents[0]
