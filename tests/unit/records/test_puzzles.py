"""Puzzles: which positions there are, and when each comes back."""

import pytest

from jminesweeper.core.view import Status
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.reviews import (
    A_DAY,
    MAX_OF_GAME,
    MAX_PUZZLES,
    RETURN_DAYS,
    Puzzle,
    PuzzleDocument,
    Verdict,
    drop_puzzle,
    note_answer,
    read_puzzles,
    record_review,
)
from jminesweeper.store.port import StoreUnavailableError
from tests.unit.records.club import Club

TODAY = 20_000


def places(document: PuzzleDocument) -> list[tuple[str, int]]:
    return [(each.code, each.place) for each in document.puzzles]


def test_the_positions_of_a_game_are_added_once() -> None:
    document = PuzzleDocument().with_new("one", (3, 5), TODAY).with_new("one", (3, 5, 7), TODAY)
    assert places(document) == [("one", 3), ("one", 5), ("one", 7)]
    assert [each.due_day for each in document.due(TODAY)] == [TODAY] * 3


def test_a_game_has_a_few_puzzles_at_most() -> None:
    document = PuzzleDocument().with_new("one", range(3), TODAY).with_new("one", range(99), TODAY)
    assert places(document) == [("one", place) for place in range(MAX_OF_GAME)]


def test_of_too_many_those_that_were_solved_go_first_and_then_the_oldest() -> None:
    document = PuzzleDocument()
    for number in range(MAX_PUZZLES):
        document = document.with_new(f"{number}", (0,), TODAY)
    document = document.answer(document.puzzles[7], TODAY, is_right=True)
    document = document.with_new("new", (0,), TODAY).with_new("newer", (0,), TODAY)
    kept = [code for code, _ in places(document)]
    assert len(kept) == MAX_PUZZLES
    assert {"0", "7"}.isdisjoint(kept)
    assert kept[-2:] == ["new", "newer"]


def test_one_that_is_solved_at_once_does_not_come_back() -> None:
    (puzzle,) = PuzzleDocument().with_new("one", (3,), TODAY).puzzles
    document = PuzzleDocument((puzzle,)).answer(puzzle, TODAY, is_right=True)
    assert document.due(TODAY + 9_999) == []
    assert places(document.with_new("one", (3,), TODAY)) == [("one", 3)]


def test_one_that_was_missed_comes_back_after_longer_and_longer_times() -> None:
    puzzle, day = Puzzle("one", 3, TODAY), TODAY
    puzzle = puzzle.after(day, is_right=False)
    for days in RETURN_DAYS:
        assert puzzle.due_day == day + days
        assert PuzzleDocument((puzzle,)).due(day + days - 1) == []
        assert PuzzleDocument((puzzle,)).due(day + days) == [puzzle]
        day += days
        puzzle = puzzle.after(day, is_right=True)
    assert puzzle.is_solved
    assert puzzle.after(day, is_right=False).due_day == day + 1


def test_those_that_come_back_are_asked_before_new_ones() -> None:
    new, back = Puzzle("new", 1, TODAY - 5), Puzzle("back", 1, TODAY, 1)
    assert PuzzleDocument((new, back)).due(TODAY) == [back, new]


def test_five_a_day_are_those_that_are_left_of_the_day() -> None:
    document = PuzzleDocument().with_new("one", range(5), TODAY).with_new("two", range(5), TODAY)
    assert document.left(TODAY) == A_DAY
    for left in (4, 3, 2, 1, 0, 0):
        document = document.answer(document.due(TODAY)[0], TODAY, is_right=True)
        assert document.left(TODAY) == left
    assert document.left(TODAY + 1) == 4
    assert PuzzleDocument().left(TODAY) == 0


def test_they_are_stored_and_read_back() -> None:
    document = PuzzleDocument().with_new("one", (3,), TODAY)
    document = document.answer(document.puzzles[0], TODAY, is_right=False)
    assert PuzzleDocument.parse(document.format()) == document
    assert PuzzleDocument.parse("") == PuzzleDocument()
    with pytest.raises(StoreUnavailableError):
        PuzzleDocument.parse("[1,2]")


def test_an_answer_counts_once_whichever_device_it_comes_from(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.end(code, Status.LOST)
    day = club.now_s // DAY_S
    club.do(record_review(code, 1, Verdict(0.5, (0,)), day, club.draw))
    (puzzle,) = club.do(read_puzzles("ann")).puzzles
    first = club.do(note_answer("ann", puzzle, day, club.draw, is_right=False))
    assert first.answered == 1
    assert club.do(note_answer("ann", puzzle, day, club.draw, is_right=True)) == first
    assert club.do(read_puzzles("ann")) == first


def test_one_whose_game_is_gone_is_dropped(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.end(code, Status.LOST)
    day = club.now_s // DAY_S
    club.do(record_review(code, 1, Verdict(0.5, (0,)), day, club.draw))
    (puzzle,) = club.do(read_puzzles("ann")).puzzles
    assert club.do(drop_puzzle("ann", puzzle, club.draw)).puzzles == ()
    assert club.do(drop_puzzle("ann", puzzle, club.draw)).puzzles == ()
