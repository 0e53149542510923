"""Who was fastest: in every store."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.store import (
    MAX_LISTED,
    Enter,
    ListBoards,
    ReadLeaderboard,
    ReadOwnBest,
    Record,
    Score,
)
from tests.contract.examples import (
    ANN,
    BEGINNER,
    BOB,
    CEY,
    CUSTOM,
    EXPERT,
    MONDAY,
    OWN_RULES,
    TUESDAY,
    WIN,
    Ask,
    loss,
    win,
)

J_EXPERT = replace(EXPERT, rules=PRESETS["jminesweeper"])
CHANGED = replace(BEGINNER, rules=OWN_RULES)


def codes(ask: Ask, board: Variant = EXPERT, limit: int = 10) -> list[str]:
    return [score.code for score in ask(ReadLeaderboard(board, limit))]


def test_a_leaderboard_has_the_best_win_of_each_player(ask: Ask) -> None:
    ask(Record(win("slow", 3000)))
    ask(Record(win("fast", 1000)))
    ask(Record(win("slower", 4000)))
    ask(Record(win("bobs", 2000, player=BOB)))
    assert ask(ReadLeaderboard(EXPERT)) == (
        Score("Ann", 1000, "fast", WIN.ended_at_s, ANN),
        Score("Bob", 2000, "bobs", WIN.ended_at_s, BOB),
    )
    assert codes(ask, limit=1) == ["fast"]


def test_the_wall_ranks_and_not_the_clock(ask: Ask) -> None:
    ask(Record(win("paused", 9000, time_ms=3)))
    ask(Record(win("quick", 5000, player=BOB)))
    assert codes(ask) == ["quick", "paused"]


def own(ask: Ask, board: Variant = EXPERT, player: str = ANN) -> list[str]:
    return [score.code for score in ask(ReadOwnBest(player, board))]


def test_own_wins_are_ranked_as_they_would_be_on_the_leaderboard(ask: Ask) -> None:
    for code, wall_ms, ended_at_s in (("b", 3000, 1), ("a", 1000, 3), ("c", 3000, 2)):
        ask(Record(win(code, wall_ms, ended_at_s=ended_at_s)))
    ask(Record(win("bobs", 500, player=BOB)))
    assert ask(ReadOwnBest(ANN, EXPERT)) == (
        Score("", 1000, "a", 3, ANN),
        Score("", 3000, "b", 1, ANN),
        Score("", 3000, "c", 2, ANN),
    )
    assert own(ask, EXPERT.as_repeat()) == ["a", "b", "c"]
    assert own(ask, player=BOB) == ["bobs"]
    assert own(ask, player=CEY) == own(ask, CUSTOM) == []


def test_of_two_equal_times_the_earlier_is_ahead(ask: Ask) -> None:
    ask(Record(win("later", 1000, ended_at_s=200)))
    ask(Record(win("earlier", 1000, ended_at_s=100, player=BOB)))
    assert codes(ask) == ["earlier", "later"]
    ask(Record(win("earliest", 1000, ended_at_s=50)))
    assert codes(ask) == ["earliest", "earlier"]


@pytest.mark.parametrize(
    "game",
    [
        loss("x"),
        win("x", status=Status.TERMINATED),
        win("x", is_assisted=True),
        win("x", variant=EXPERT.as_repeat()),
        win("", player=None),
        win("x", variant=BEGINNER),
        win("x", variant=J_EXPERT),
        win("x", variant=replace(EXPERT, daily=MONDAY)),
        win("x", variant=replace(EXPERT, is_no_guess=True)),
        win("x", variant=replace(EXPERT, mine_count=1)),
    ],
    ids=[
        "lost",
        "given up",
        "assisted",
        "repeat",
        "anonymous",
        "board",
        "rules",
        "daily",
        "no-guess",
        "another board of that name",
    ],
)
def test_a_leaderboard_has_only_unaided_wins_of_its_own_games(ask: Ask, game: object) -> None:
    assert isinstance(game, type(WIN))
    ask(Record(game))
    assert codes(ask) == own(ask) == []


def test_a_custom_board_has_no_leaderboard(ask: Ask) -> None:
    large = replace(EXPERT, size=Size(100, 100))
    for number, variant in enumerate((CUSTOM, large)):
        ask(Record(win(f"game {number}", variant=variant)))
        assert codes(ask, variant) == own(ask, variant) == []
    assert ask(ListBoards()) == ()


def test_each_day_has_its_own_board(ask: Ask) -> None:
    ask(Record(win("mon", variant=replace(EXPERT, daily=MONDAY))))
    ask(Record(win("tue", variant=replace(EXPERT, daily=TUESDAY), player=BOB)))
    assert codes(ask, replace(EXPERT, daily=MONDAY)) == ["mon"]
    assert codes(ask, replace(EXPERT, daily=TUESDAY)) == ["tue"]
    assert own(ask, replace(EXPERT, daily=MONDAY)) == ["mon"]


def test_who_looks_from_a_repeated_board_sees_its_leaderboard(ask: Ask) -> None:
    ask(Record(win("one")))
    assert codes(ask, EXPERT.as_repeat()) == ["one"]


def test_a_leaderboard_shows_the_players_present_name(ask: Ask) -> None:
    ask(Record(win("one")))
    ask(Enter(ANN, "Anna", "first"))
    assert [score.name for score in ask(ReadLeaderboard(EXPERT))] == ["Anna"]


def test_boards_are_listed_by_name_and_then_the_daily_ones_the_latest_first(ask: Ask) -> None:
    boards = (
        BEGINNER,
        EXPERT,
        replace(EXPERT, is_no_guess=True),
        J_EXPERT,
        CHANGED,
        replace(BEGINNER, daily=TUESDAY),
        replace(EXPERT, daily=TUESDAY),
        replace(EXPERT, daily=MONDAY),
    )
    for number, variant in enumerate(reversed(boards)):
        ask(Record(win(f"game {number}", variant=variant)))
    ask(Record(loss("lost", variant=replace(EXPERT, daily=MONDAY.replace(day=1)))))
    assert ask(ListBoards()) == boards
    assert ask(ListBoards(limit=2)) == boards[:2]


def test_a_list_of_boards_ends_somewhere(ask: Ask) -> None:
    for day in range(1, 29):
        for month in (1, 2):
            variant = replace(EXPERT, daily=MONDAY.replace(month=month, day=day))
            ask(Record(win(f"{month}-{day}", variant=variant)))
    listed = ask(ListBoards())
    assert len(listed) == MAX_LISTED
    assert listed[0].daily == MONDAY.replace(month=2, day=28)
