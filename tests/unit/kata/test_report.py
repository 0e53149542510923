"""The red and green report."""

from dataclasses import replace

import pytest

from jminesweeper.kata import (
    SCENARIOS,
    Beat,
    Mood,
    ReportLine,
    Sandbox,
    Scenario,
    Square,
    parse_bombs,
    report_bot_game,
    report_scenarios,
    run_scenario,
)

EXAMPLE_5 = next(scenario for scenario in SCENARIOS if scenario.name == "Example 5")
WRONG_NUMBER = replace(
    EXAMPLE_5, beats=(Beat("step 2;1", "---/--2/---", "2 bombs around your square."),) * 2
)
REFUSED_MOVE = replace(EXAMPLE_5, beats=(Beat("unmark 2;1", "---/---/---", "Game created"),))


def report_of(*scenarios: Scenario) -> list[ReportLine]:
    return list(report_scenarios(map(run_scenario, scenarios)))


@pytest.mark.requirement("K:Kata Objective")
def test_all_scenarios_and_examples_are_green() -> None:
    report = report_of(*SCENARIOS)
    assert report[-1] == ("18 played: 18 green, 0 red", Mood.GREEN)
    assert Mood.RED not in {line.mood for line in report}
    assert [line.text for line in report if line.text.startswith("GREEN")] == [
        f"GREEN  {scenario.name}" for scenario in SCENARIOS
    ]


@pytest.mark.requirement("K:Kata Objective")
def test_a_scenario_is_told_board_by_board() -> None:
    assert "\n".join(line.text for line in report_of(EXAMPLE_5)) == (
        "Example 5: Game Over - Step on a bomb on 0;1\n"
        "step 2;1\n---\n--1\n---\n[Sandbox 3x3] 1 bomb around your square.\n"
        "step 0;1\n---\nX-1\n---\n[Sandbox 3x3] BOOM! \u2013 Game Over.\n"
        "GREEN  Example 5\n\n"
        "1 played: 1 green, 0 red"
    )


@pytest.mark.requirement("K:Kata Objective")
def test_a_wrong_board_is_red_beside_the_one_expected() -> None:
    red = [line.text for line in report_of(WRONG_NUMBER) if line.mood is Mood.RED]
    assert red == [
        "expected:\n---\n--2\n---\n[Sandbox 3x3] 2 bombs around your square.",
        "RED  Example 5",
        "1 played: 0 green, 1 red: Example 5",
    ]


def test_a_scenario_stops_at_its_first_wrong_board() -> None:
    assert len(run_scenario(WRONG_NUMBER).checks) == 1


def test_a_move_that_is_refused_is_red_with_its_reason() -> None:
    verdict = run_scenario(REFUSED_MOVE)
    assert not verdict.is_green
    assert verdict.checks[0].actual == "unmark 2;1: the square is not flagged"


@pytest.mark.requirement("K:Kata Objective")
def test_a_bots_game_is_told_move_by_move_up_to_victory() -> None:
    sandbox = Sandbox.of_bombs(parse_bombs("--b/---/---"))
    report = list(report_bot_game(sandbox, lambda _: Square(0, 0).cell))
    assert "\n".join(line.text for line in report) == (
        "+-+-+-+\n| | | |\n+-+-+-+\n| | | |\n+-+-+-+\n| | | |\n+-+-+-+\n"
        "[Sandbox 3x3] Game created\n\n"
        "1. Step on 0;0\n"
        "+-+-+-+\n|_|1| |\n+-+-+-+\n|_|1|1|\n+-+-+-+\n|_|_|_|\n+-+-+-+\n"
        "[Sandbox 3x3] the land is cleared! GOOD JOB!\n\n"
        "GREEN  Victory after 1 step"
    )
    assert report[-1].mood is Mood.GREEN


@pytest.mark.requirement("K:Kata Objective")
def test_a_bots_lost_game_ends_red() -> None:
    sandbox = Sandbox.of_bombs(parse_bombs("--b/b--/b--"))
    steps = iter([Square(2, 1).cell, Square(0, 1).cell])
    report = list(report_bot_game(sandbox, lambda _: next(steps)))
    assert [line.text for line in report if line.mood is Mood.RED] == [
        "[Sandbox 3x3] BOOM! \u2013 Game Over.",
        "RED  Game over after 2 steps",
    ]
