"""Ratings, against the numbers that openskill publishes for its model of Plackett and Luce."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.records import keys
from jminesweeper.records.documents import read_document
from jminesweeper.records.ladder import (
    PROVISIONAL,
    Rating,
    board_of,
    move,
    parse_ratings,
    rate,
    read_ladder,
    updates,
)
from jminesweeper.store.blocking import perform, run
from jminesweeper.store.port import DONE, Commit, Document
from tests.unit.records.club import Club

# tests/models/data/plackettluce.json of openskill: every player begins so, and a team's strength is
# the sum of its players'.
MEAN, DEVIATION = 31.321989232514305, 11.379964801443018
DRIFT = 25 / 300


@pytest.mark.parametrize(
    ("teams", "wanted"),
    [
        (
            (1, 2),
            ((36.48967347401391, 11.237778601372977), (26.154304991014694, 11.17822477763209)),
        ),
        (
            (2, 1),
            ((32.44943444745767, 11.17822477763209), (30.19454401757094, 11.237778601372977)),
        ),
        (
            (2, 1, 3),
            (
                (34.774820565754936, 11.291328826858104),
                (35.008962716922355, 11.322612945836939),
                (24.182184414865624, 11.192736898569162),
            ),
        ),
    ],
)
def test_the_model_is_that_of_openskill(
    teams: tuple[int, ...], wanted: tuple[tuple[float, float], ...]
) -> None:
    variance = DEVIATION**2 + DRIFT**2
    moved = updates([size * MEAN for size in teams], [size * variance for size in teams])
    for size, (gain, loss), (mean, deviation) in zip(teams, moved, wanted, strict=True):
        assert MEAN + gain / size == pytest.approx(mean, rel=1e-12)
        assert sqrt(variance * (1 - loss / size)) == pytest.approx(deviation, rel=1e-12)


def test_who_wins_gains_and_a_surprise_moves_more() -> None:
    strong, weak = Rating(30, 4, 20), Rating(20, 4, 20)
    expected, surprising = rate([strong, weak]), rate([weak, strong])
    assert expected[0].mean > 30
    assert expected[1].mean < 20
    assert surprising[0].mean - 20 > 2 * (expected[0].mean - 30)
    assert all(after.races == 21 and after.deviation < 4.1 for after in expected)


def test_fifteen_racers_are_rated_and_no_strength_overflows() -> None:
    ratings = rate([Rating(1e6 * number) for number in range(15)])
    assert len(ratings) == 15
    assert all(0 < rating.deviation < 1e3 for rating in ratings)
    assert 0 <= ratings[0].points <= ratings[-1].points


def test_a_rating_is_told_with_a_mark_until_it_says_something() -> None:
    assert Rating().label == "1500?"
    assert Rating(26.5, 2, PROVISIONAL).label == "1590"


def test_only_the_classic_boards_have_a_ladder() -> None:
    for name, board in CLASSIC_BOARDS.items():
        assert board_of(board) == name
    assert board_of(replace(CLASSIC_BOARDS["expert"], size=Size(16, 30))) == ""
    assert board_of(Setup.of("30x20/130", seed=1).variant) == ""


def race(club: Club, *ranked: str) -> None:
    """Store what a race on expert moves."""
    documents = {player: run(club.store, read_document(key_of(player))) for player in ranked}
    for moved in move("expert", documents).values():
        version = club.draw(63)
        commit = Commit(version, (moved.check,), (moved.put,), places=tuple(moved.places))
        assert perform(club.store, commit) is DONE


def key_of(player: str) -> str:
    return keys.ladder_key(player)


def test_the_ladder_lists_who_has_raced_ten_times_the_strongest_first(club: Club) -> None:
    for name in ("ann", "bob"):
        club.enter(name)
    for number in range(PROVISIONAL + 2):
        assert bool(run(club.store, read_ladder("expert"))) is (number >= PROVISIONAL)
        race(club, "bob", "ann")
    listed = run(club.store, read_ladder("expert"))
    assert [each.races for each in listed] == [12, 12]
    assert listed[0].points > 1500 > listed[1].points
    assert not run(club.store, read_ladder("beginner"))


def test_ratings_of_several_boards_are_one_document() -> None:
    stored = Document(0, "")
    for board in ("expert", "beginner"):
        other = Document(0, "")
        stored = Document(1, move(board, {"ann": stored, "bob": other})["ann"].put.body or "")
    assert parse_ratings(stored.body).keys() == {"expert", "beginner"}
