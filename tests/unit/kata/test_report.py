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
@pytest.mark.parametrize(
    ("bombs", "steps", "end"),
    [
        ("--b/---/---", [(0, 0)], ("GREEN  Victory after 1 step", Mood.GREEN)),
        ("--b/b--/b--", [(2, 1), (0, 1)], ("RED  Game over after 2 steps", Mood.RED)),
    ],
)
def test_a_bots_game_ends_green_or_red(
    bombs: str, steps: list[tuple[int, int]], end: ReportLine
) -> None:
    cells = iter([Square(*step).cell for step in steps])
    report = list(report_bot_game(Sandbox.of_bombs(parse_bombs(bombs)), lambda _: next(cells)))
    assert report[-1] == end
    assert (Mood.RED in {line.mood for line in report[:-1]}) is (end[1] is Mood.RED)
