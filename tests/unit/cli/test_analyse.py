"""`jminesweeper analyse`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jminesweeper.recordings.text import format_game
from jminesweeper.session.analysis import report
from jminesweeper.solver.review import GameReview
from tests.unit.cli.kept_games import furnish, run
from tests.unit.core.boards import play


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path)
    return tmp_path


def analysed(home: Path, board: str, *moves: str) -> str:
    (home / "g.txt").write_text(format_game(play(board, "kata", *moves)))
    result = run(home, "analyse", str(home / "g.txt"))
    assert result.exit_code == 0
    return result.output


def test_a_finished_game_is_told_whole(home: Path) -> None:
    assert run(home, "analyse", "won1").output.splitlines() == [
        "custom 4x2, 1 mine: won after 2.000 s",
        "",
        "Reveals that might have hit a mine:",
        "                          risk     time   outcome",
        "action 2: reveal (3,1)  12.5 %  1.000 s  survived",
        "action 3: reveal (0,1)  50.0 %  2.000 s  survived",
        "",
        "2 reveals, 2 guesses, none of them needless",
        "chance to survive all guesses 43.8 %",
        "luck 43.8 %: the chance to survive those that were forced",
        "hit 0 mines, where such guesses hit 0.62 on average",
        "",
        "time 2.000 s",
        "3BV 2 of 2, 1.00 a second",
        "openings 1, islands 1",
        "clicks 3: 2 left, 1 right, 0 chords",
        "efficiency 67 %",
        "correctness 100 %, throughput 0.67",
        "RQP 2.00, QG 1.62",
    ]


def test_a_guess_where_a_sure_cell_was_is_needless_and_the_cell_is_shown(home: Path) -> None:
    # The two 1s at the top see the same mine, so both cells on the right are safe.
    output = analysed(home, "...\n*..", "reveal 0 0", "reveal 1 0", "reveal 1 1")
    assert "action 3: reveal (1,1)  50.0 %  2.000 s  survived, without need\n" in output
    seen = "\nWhat there was to see instead:\naction 2: Reveal (2,0): 1 mine is left, and with it"
    assert seen in output
    assert (
        "action 3: Reveal (2,0): wherever the 1 at (0,0) has its mine, the 1 at (1,0) has\n"
        "its mine too.\n"
    ) in output
    assert ", 2 of them needless\n" in output


def test_a_step_on_a_known_mine_is_called_one(home: Path) -> None:
    moves = ("reveal 1 0", "reveal 0 1", "reveal 1 1", "reveal 2 0", "reveal 0 0")
    output = analysed(home, "*..\n...\n..*", *moves)
    assert "100.0 %  4.000 s " in output
    assert " hit a sure mine, without need\n" in output
    assert "hit 1 mine, where" in output


def test_a_safer_cell_is_pointed_at(home: Path) -> None:
    # One of the five around the 1, one of the six further away.
    output = analysed(home, "*....*\n......", "reveal 1 0", "reveal 2 1")
    assert "20.0 %  1.000 s  survived; only 16.7 % at (3,0)\n" in output


def test_a_lost_game_tells_how_long_it_would_have_taken(home: Path) -> None:
    output = analysed(home, "*....*\n......", "reveal 1 0", "reveal 3 0", "reveal 5 0")
    assert "estimated time " in output
    assert "RQP" not in output


def test_a_game_without_guesses_has_no_table(home: Path) -> None:
    output = analysed(home, "*..\n...", "flag 0 0")
    assert output.splitlines() == [
        "custom 3x2, 1 mine, plain: unfinished after 0.000 s",
        "",
        "0 reveals, 0 guesses",
    ]


def test_a_game_that_continues_keeps_its_figures(home: Path) -> None:
    output = analysed(home, "*..\n..*", "reveal 1 0")
    assert "unfinished" in output
    assert "3BV" not in output
    facts = json.loads(run(home, "analyse", str(home / "g.txt"), "--json").output)
    assert facts["figures"] is None


def test_estimates_are_called_so() -> None:
    won = play("*.", "kata", "reveal 1 0")
    lines = list(report(won, GameReview(won.status, (), exact=False)))
    assert "a position was too large to count: some figures are estimates" in lines


def test_programs_get_every_figure(home: Path) -> None:
    facts = json.loads(run(home, "analyse", "lost1", "--json").output)
    assert facts["label"] == "daily custom 2026-11-18 3x2"
    assert (facts["result"], facts["assisted"], facts["exact"]) == ("lost", True, True)
    assert facts["hits"] == sum(not guess["survived"] for guess in facts["guesses"]) == 1
    assert facts["luck"] == pytest.approx(facts["survival"])
    assert facts["figures"]["3bv"] > 0
    assert set(facts["guesses"][0]) == {
        "action",
        "at_ms",
        "kind",
        "column",
        "row",
        "risk",
        "least_risk",
        "needless",
        "survived",
        "hint",
    }


@pytest.mark.parametrize("name", ["nothing", "astray"])
def test_what_is_no_game_is_one_sentence(home: Path, name: str) -> None:
    result = run(home, "analyse", name)
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1
