"""Findings of reviews are recorded once: the luck of ranked wins, wins without a needless guess."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records.checking import Checks
from jminesweeper.records.documents import Leaderboard
from jminesweeper.records.keys import daily_code
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.reading import list_boards, list_games, read_leaderboard, read_own_best
from jminesweeper.records.reviews import (
    Verdict,
    drop_review,
    list_reviews,
    read_puzzles,
    record_review,
)
from jminesweeper.store.blocking import pages, perform
from tests.unit.records.club import BEGINNER, EXPERT, Club

CLEAN, DIRTY = Verdict(0.31), Verdict(0.31, (0,))
ALL, CLEAN_ONES = Leaderboard(EXPERT.variant), Leaderboard(EXPERT.variant, is_clean=True)


@pytest.fixture(autouse=True)
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MAX_GAMES", 4), ("MAX_OWN_BEST", 2)):
        monkeypatch.setattr(f"jminesweeper.records.results.{name}", limit)
    monkeypatch.setattr("jminesweeper.records.reading.MAX_OWN_BEST", 2)
    monkeypatch.setattr("jminesweeper.records.reviews.MAX_OWN_BEST", 2)


def won(club: Club, held: PlayerCopy, wall_ms: int, verdict: Verdict | None = None) -> str:
    club.now_s += 1
    code = club.begin(held)
    club.end(code, wall_ms=wall_ms)
    if verdict is not None:
        assert reviewed(club, code, verdict)
    return code


def reviewed(club: Club, code: str, verdict: Verdict, length: int = 1) -> bool:
    return club.do(record_review(code, length, verdict, club.now_s // DAY_S, club.draw))


def times(club: Club, board: Leaderboard, own: str = "") -> list[tuple[int, float | None]]:
    asked = read_own_best(own, board) if own else read_leaderboard(board)
    return [(score.wall_ms, score.luck) for score in club.do(asked)]


def problems(club: Club) -> list[str]:
    """Return the faults of the store, but for logs that do not win: they are flags."""
    checks = Checks(lambda asked: perform(club.store, asked))
    found = [each for page in pages(club.store) for each in checks.check(page)]
    return [each for each in [*found, *checks.check_sums()] if "but its log is not" not in each]


def test_a_ranked_win_is_due_for_a_review_until_it_has_one(club: Club, ann: PlayerCopy) -> None:
    code = won(club, ann, 9_000)
    (due,) = club.do(list_reviews())
    assert (due.code, due.length) == (code, 1)
    assert times(club, ALL) == [(9_000, None)]
    assert reviewed(club, code, DIRTY)
    assert club.do(list_reviews()) == []
    assert times(club, ALL) == times(club, ALL, "ann") == [(9_000, 0.31)]


def test_a_second_review_changes_nothing(club: Club, ann: PlayerCopy) -> None:
    code = won(club, ann, 9_000, DIRTY)
    before = [*pages(club.store)]
    assert reviewed(club, code, Verdict(0.99))
    assert [*pages(club.store)] == before


@pytest.mark.parametrize(
    ("setup", "status"),
    [(EXPERT, Status.LOST), (EXPERT.as_repeat(), Status.WON)],
    ids=["lost", "repeat"],
)
def test_what_ranks_nowhere_has_no_luck_and_is_not_due(
    club: Club, ann: PlayerCopy, setup: Setup, status: Status
) -> None:
    code = club.begin(ann, setup)
    club.end(code, status)
    assert club.do(list_reviews()) == []
    assert reviewed(club, code, DIRTY)
    ((_, game),) = club.do(list_games("ann"))
    assert game.outcome is not None
    assert game.outcome.luck is None
    assert len(club.do(read_puzzles("ann")).puzzles) == 1


def test_a_review_that_comes_before_the_game_is_settled_has_to_come_again(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann)
    assert not reviewed(club, code, CLEAN)
    assert not reviewed(club, "nothing", CLEAN)
    club.end(code)
    assert reviewed(club, code, CLEAN)


def test_a_review_of_an_end_that_was_undone_counts_nothing(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann, length=2)
    club.end(code, length=2)
    assert reviewed(club, code, DIRTY)
    assert times(club, ALL) == [(5_000, None)]
    assert club.do(read_puzzles("ann")).puzzles == ()


def test_the_fastest_without_a_needless_guess_is_a_record_of_its_own(
    club: Club, ann: PlayerCopy
) -> None:
    bob = club.enter("bob", "Bob")
    for held, wall_ms, verdict in (
        (ann, 9_000, CLEAN),
        (ann, 5_000, DIRTY),
        (ann, 8_000, CLEAN),
        (ann, 8_500, CLEAN),
        (bob, 4_000, Verdict(1.0, is_exact=False)),
        (bob, 9_500, CLEAN),
    ):
        won(club, held, wall_ms, verdict)
    assert times(club, CLEAN_ONES) == [(8_000, 0.31), (9_500, 0.31)]
    assert times(club, CLEAN_ONES, "ann") == [(8_000, 0.31)]
    assert club.do(list_boards()) == [ALL, CLEAN_ONES]


def test_it_is_kept_however_many_games_come_after_it(club: Club, ann: PlayerCopy) -> None:
    clean = won(club, ann, 9_000, CLEAN)
    for wall_ms in (5_000, 4_000, 3_000, 2_000, *[6_000] * 6):
        won(club, ann, wall_ms, DIRTY)
    assert club.find(clean) is not None
    assert problems(club) == []
    faster = won(club, ann, 8_000, CLEAN)
    for _ in range(6):
        won(club, ann, 7_000, DIRTY)
    assert club.find(clean) is None
    assert club.find(faster) is not None
    assert times(club, CLEAN_ONES) == [(8_000, 0.31)]
    assert problems(club) == []


def test_one_that_is_among_the_best_as_well_stays_when_a_faster_clean_one_comes(
    club: Club, ann: PlayerCopy
) -> None:
    first = won(club, ann, 5_000, CLEAN)
    won(club, ann, 4_000, CLEAN)
    for _ in range(6):
        won(club, ann, 9_000, DIRTY)
    assert club.find(first) is not None
    assert problems(club) == []


def test_boards_of_the_day_have_luck_but_no_record_of_clean_wins(
    club: Club, ann: PlayerCopy
) -> None:
    club.play(ann, BEGINNER, Status.LOST)
    club.now_s += DAY_S
    board = replace(EXPERT.variant, daily=date(2026, 1, 2))
    code = club.begin(club.enter("ann"), Setup(board, seed=5), daily_code("ann", board))
    club.end(code)
    assert reviewed(club, code, CLEAN)
    assert times(club, Leaderboard(board)) == [(5_000, 0.31)]
    assert times(club, Leaderboard(board, is_clean=True)) == []


def test_a_win_whose_review_is_given_up_is_left_without_its_luck(
    club: Club, ann: PlayerCopy
) -> None:
    won(club, ann, 9_000)
    (due,) = club.do(list_reviews())
    club.do(drop_review(due))
    assert club.do(list_reviews()) == []
    assert times(club, ALL) == [(9_000, None)]
