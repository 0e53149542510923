"""One player, one running game, one holder of it: in every store."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.store import (
    ConfirmHold,
    Enter,
    FencedError,
    FindGame,
    Finish,
    PutRunning,
    RevisionError,
    RunningGame,
    TakenCodeError,
    pack_entries,
)
from tests.contract.examples import ANN, BOB, GAME, NOBODY, SETUPS, Ask, append, loss, note, win


def hold(ask: Ask, game: RunningGame = GAME, owner: str = "first") -> int:
    ask(Enter(ANN, "", owner))
    return ask(PutRunning(ANN, owner, game))


def claimed_game(ask: Ask, owner: str = "next") -> RunningGame:
    game = ask(Enter(ANN, "", owner)).game
    assert game is not None
    return game


def test_who_has_no_game_enters_without_one(ask: Ask) -> None:
    entrance = ask(Enter(ANN, "", "first"))
    assert (entrance.is_known, entrance.revision, entrance.game) == (True, 0, None)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_game_is_claimed_as_it_was_put(ask: Ask, setup: Setup) -> None:
    entries = pack_entries([2**64 - 1, 0])
    game = RunningGame("g", setup, entries, 2**44, Cell(254, 7), True, begun_at_ms=2**41)
    revision = hold(ask, game)
    entrance = ask(Enter(ANN, "", "second"))
    assert (entrance.revision, entrance.game) == (revision, game)


@pytest.mark.requirement("C:Standard Controls")
def test_what_was_appended_is_claimed_with_the_game_clock_and_cursor(ask: Ask) -> None:
    revision = hold(ask)
    revision = ask(append(revision, 3, 4))
    revision = ask(append(revision, 5, clock_ms=9000, cursor=Cell(8, 9)))
    entrance = ask(Enter(ANN, "", "second"))
    assert entrance.revision == revision
    assert entrance.game == replace(
        GAME, entries=pack_entries([1, 2, 3, 4, 5]), clock_ms=9000, cursor=Cell(8, 9)
    )


def test_an_append_continues_with_a_game_that_was_put_paused(ask: Ask) -> None:
    revision = hold(ask, replace(GAME, is_paused=True))
    ask(append(revision, 3))
    assert not claimed_game(ask).is_paused


def test_every_write_raises_the_revision_by_one(ask: Ask) -> None:
    revision = hold(ask)
    assert ask(append(revision, 3)) == revision + 1
    assert ask(append(revision + 1)) == revision + 2
    assert ask(PutRunning(ANN, "first", GAME)) == revision + 3


def test_the_same_append_tried_again_is_not_applied_twice(ask: Ask) -> None:
    revision = hold(ask)
    for _ in range(2):
        assert ask(append(revision, 3)) == revision + 1
    assert claimed_game(ask).entries == pack_entries([1, 2, 3])


def test_a_whole_run_of_appends_tried_again_is_not_applied_twice(ask: Ask) -> None:
    revision = hold(ask)
    for _ in range(2):
        assert ask(append(revision, 3)) == revision + 1
        assert ask(append(revision + 1, 4)) == revision + 2
    assert claimed_game(ask).entries == pack_entries([1, 2, 3, 4])


def test_another_append_at_a_taken_revision_is_refused(ask: Ask) -> None:
    revision = hold(ask)
    ask(append(revision, 3))
    with pytest.raises(RevisionError):
        ask(append(revision, 4))
    assert claimed_game(ask).entries == pack_entries([1, 2, 3])


@pytest.mark.parametrize("ahead", [-1, 1, 2])
def test_an_append_that_does_not_follow_is_refused(ask: Ask, ahead: int) -> None:
    revision = hold(ask)
    with pytest.raises(RevisionError) as refusal:
        ask(append(revision + ahead, 3))
    assert refusal.value.given == revision + ahead
    assert claimed_game(ask) == GAME


def test_appending_to_no_game_is_refused(ask: Ask) -> None:
    revision = ask(Enter(ANN, "", "first")).revision
    with pytest.raises(RevisionError):
        ask(append(revision, 3))


def test_an_append_of_the_game_before_does_not_reach_the_next(ask: Ask) -> None:
    revision = hold(ask)
    ask(PutRunning(ANN, "first", replace(GAME, code="game2")))
    with pytest.raises(RevisionError):
        ask(append(revision, 3))
    assert claimed_game(ask) == replace(GAME, code="game2")


def test_a_holder_may_ask_whether_the_game_is_still_theirs(ask: Ask) -> None:
    hold(ask)
    ask(ConfirmHold(ANN, "first"))
    ask(Enter(ANN, "", "second"))
    ask(ConfirmHold(ANN, "second"))
    with pytest.raises(FencedError):
        ask(ConfirmHold(ANN, "first"))


def test_what_nobody_has_claimed_is_nobody_elses(ask: Ask) -> None:
    ask(ConfirmHold(ANN, "first"))
    ask(ConfirmHold(NOBODY, "first"))


def test_who_was_taken_over_can_no_longer_write(ask: Ask) -> None:
    revision = hold(ask)
    ask(Enter(ANN, "", "second"))
    for operation in (
        append(revision, 3, owner="first"),
        note(500),
        PutRunning(ANN, "first", replace(GAME, code="game2")),
        Finish(append(revision, 3, owner="first"), loss("game1")),
    ):
        with pytest.raises(FencedError):
            ask(operation)
    assert ask(FindGame("game1")) is None
    assert claimed_game(ask) == GAME


def test_who_takes_over_continues_at_the_revision_of_the_claim(ask: Ask) -> None:
    ask(append(hold(ask), 3))
    revision = ask(Enter(ANN, "", "second")).revision
    assert ask(append(revision, 4, owner="second")) == revision + 1
    assert claimed_game(ask).entries == pack_entries([1, 2, 3, 4])


def test_who_never_entered_does_not_write_a_game_that_is_held(ask: Ask) -> None:
    revision = hold(ask)
    with pytest.raises(FencedError):
        ask(append(revision, 3, owner="stranger"))
    with pytest.raises(FencedError):
        ask(PutRunning(ANN, "stranger", GAME))


def test_a_game_that_nobody_claimed_is_taken_up_by_a_put(ask: Ask) -> None:
    revision = ask(PutRunning(ANN, "first", GAME))
    assert ask(append(revision, 3)) == revision + 1


def test_a_note_tells_how_a_game_stands_beside_its_log(ask: Ask) -> None:
    revision = hold(ask)
    ask(append(revision, 3))
    ask(note(4000))
    ask(note(5000, is_paused=True))
    entrance = ask(Enter(ANN, "", "second"))
    assert entrance.revision == revision + 1
    assert entrance.game == replace(
        GAME,
        entries=pack_entries([1, 2, 3]),
        clock_ms=5000,
        cursor=Cell(7, 8),
        is_paused=True,
    )


def test_an_append_says_more_than_the_notes_before_it(ask: Ask) -> None:
    revision = hold(ask)
    ask(note(5000, is_paused=True))
    ask(append(revision, 3, clock_ms=5500, cursor=Cell(1, 2)))
    game = claimed_game(ask)
    assert (game.clock_ms, game.cursor, game.is_paused) == (5500, Cell(1, 2), False)


def test_a_put_says_more_than_the_notes_before_it(ask: Ask) -> None:
    hold(ask)
    ask(note(5000, is_paused=True))
    ask(PutRunning(ANN, "first", GAME))
    assert claimed_game(ask) == GAME


def test_a_note_survives_a_claim(ask: Ask) -> None:
    hold(ask)
    ask(note(5000, is_paused=True))
    assert claimed_game(ask, "second").clock_ms == 5000
    ask(note(6000, owner="second"))
    assert claimed_game(ask, "third").clock_ms == 6000


def test_a_note_on_no_game_is_refused(ask: Ask) -> None:
    with pytest.raises(FencedError):
        ask(note(5000))
    ask(Enter(ANN, "", "first"))
    with pytest.raises(RevisionError):
        ask(note(5000))


def test_a_put_replaces_the_whole_game(ask: Ask) -> None:
    revision = hold(ask)
    ask(append(revision, 3))
    ahead = replace(GAME, entries=pack_entries([1, 2, 3, 4, 5]), clock_ms=700)
    ask(PutRunning(ANN, "first", ahead))
    assert claimed_game(ask) == ahead


def test_games_of_different_players_are_apart(ask: Ask) -> None:
    revision = hold(ask)
    ask(Enter(BOB, "", "first"))
    ask(PutRunning(BOB, "first", replace(GAME, code="bobs")))
    ask(append(revision, 3))
    ask(note(9000))
    assert ask(Enter(BOB, "", "second")).game == replace(GAME, code="bobs")


def test_a_finish_appends_and_records_and_leaves_the_game_claimable(ask: Ask) -> None:
    revision = hold(ask)
    assert ask(Finish(append(revision, 3), win("game1"))) == revision + 1
    assert ask(FindGame("game1")) == win("game1")
    assert claimed_game(ask).entries == pack_entries([1, 2, 3])


def test_a_finish_tried_again_changes_nothing(ask: Ask) -> None:
    revision = hold(ask)
    for _ in range(2):
        assert ask(Finish(append(revision, 3), loss("game1"))) == revision + 1
    assert claimed_game(ask).entries == pack_entries([1, 2, 3])


def test_a_finish_that_is_refused_does_nothing_at_all(ask: Ask) -> None:
    revision = hold(ask)
    ask(Enter(BOB, "", "bobs"))
    bobs = ask(PutRunning(BOB, "bobs", GAME))
    bobs_end = append(bobs, player=BOB, owner="bobs")
    ask(Finish(bobs_end, loss("game1", player=BOB)))
    with pytest.raises(TakenCodeError):
        ask(Finish(append(revision, 3), loss("game1")))
    assert claimed_game(ask) == GAME
