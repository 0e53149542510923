"""One player, one running game, one holder of it: in every store."""

from dataclasses import replace

import pytest

from jminesweeper.core import Cell
from jminesweeper.store.ports import (
    Claim,
    FencedError,
    FindGame,
    FindPlayer,
    Finish,
    Player,
    PutRunning,
    RevisionError,
    RunningGame,
    TakenCodeError,
    UnknownPlayerError,
    pack_entries,
)
from tests.contract.examples import ANN, BOB, GAME, NOBODY, Ask, append, loss, win

HEADER = "a layout of 64 KB " * 3600


def hold(ask: Ask, game: RunningGame = GAME, owner: str = "first") -> int:
    ask(Claim(ANN, owner))
    return ask(PutRunning(ANN, owner, game))


def claimed_game(ask: Ask, owner: str = "next") -> RunningGame:
    game = ask(Claim(ANN, owner)).game
    assert game is not None
    return game


def test_who_has_no_game_claims_none(ask: Ask) -> None:
    holding = ask(Claim(ANN, "first"))
    assert (holding.generation, holding.game) == (1, None)


def test_a_game_is_claimed_as_it_was_put(ask: Ask) -> None:
    game = RunningGame("g", HEADER, pack_entries([2**64 - 1, 0]), 2**44, Cell(254, 7), True)
    revision = hold(ask, game)
    holding = ask(Claim(ANN, "second"))
    assert (holding.generation, holding.revision, holding.game) == (2, revision, game)


@pytest.mark.requirement("C:Standard Controls")
def test_what_was_appended_is_claimed_with_the_game_clock_and_cursor(ask: Ask) -> None:
    revision = hold(ask)
    revision = ask(append(revision, 3, 4))
    last = append(revision, 5, clock_ms=9000, cursor=Cell(8, 9), is_paused=True)
    revision = ask(last)
    holding = ask(Claim(ANN, "second"))
    assert holding.revision == revision
    assert holding.game == replace(
        GAME,
        entries=pack_entries([1, 2, 3, 4, 5]),
        clock_ms=9000,
        cursor=Cell(8, 9),
        is_paused=True,
    )


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
    revision = ask(Claim(ANN, "first")).revision
    with pytest.raises(RevisionError):
        ask(append(revision, 3))


def test_an_append_of_the_game_before_does_not_reach_the_next(ask: Ask) -> None:
    revision = hold(ask)
    ask(PutRunning(ANN, "first", replace(GAME, code="game2")))
    with pytest.raises(RevisionError):
        ask(append(revision, 3))
    assert claimed_game(ask) == replace(GAME, code="game2")


def test_who_was_taken_over_can_no_longer_write(ask: Ask) -> None:
    revision = hold(ask)
    ask(Claim(ANN, "second"))
    with pytest.raises(FencedError):
        ask(append(revision, 3, owner="first"))
    with pytest.raises(FencedError):
        ask(PutRunning(ANN, "first", replace(GAME, code="game2")))
    with pytest.raises(FencedError):
        ask(Finish(append(revision, 3, owner="first"), loss("game1")))
    assert ask(FindGame("game1")) is None
    assert ask(append(revision, 4, owner="second")) == revision + 1
    assert claimed_game(ask).entries == pack_entries([1, 2, 4])


def test_who_never_claimed_cannot_write(ask: Ask) -> None:
    with pytest.raises(FencedError):
        ask(append(1, 3))


def test_where_nobody_has_claimed_a_game_can_be_put(ask: Ask) -> None:
    revision = ask(PutRunning(ANN, "first", GAME))
    assert ask(append(revision, 3)) == revision + 1


def test_who_came_while_the_store_was_away_puts_a_game_without_a_greeting(ask: Ask) -> None:
    revision = ask(PutRunning(NOBODY, "first", GAME))
    assert ask(append(revision, 3, player=NOBODY)) == revision + 1
    assert ask(FindPlayer(NOBODY)) == Player(NOBODY)


def test_who_came_while_the_store_was_away_takes_the_game_over_with_a_put(ask: Ask) -> None:
    hold(ask)
    later = replace(GAME, code="played meanwhile")
    revision = ask(PutRunning(ANN, "second", later, takes_over=True))
    assert ask(append(revision, 3, owner="second")) == revision + 1
    with pytest.raises(FencedError):
        ask(append(revision + 1, 4, owner="first"))
    holding = ask(Claim(ANN, "third"))
    assert (holding.generation, holding.game and holding.game.code) == (3, "played meanwhile")


def test_who_holds_the_game_takes_nothing_over(ask: Ask) -> None:
    hold(ask)
    ask(PutRunning(ANN, "first", GAME, takes_over=True))
    assert ask(Claim(ANN, "second")).generation == 2


def test_a_put_replaces_the_whole_game(ask: Ask) -> None:
    revision = hold(ask)
    ask(append(revision, 3))
    ahead = replace(GAME, entries=pack_entries([1, 2, 3, 4, 5]), clock_ms=700)
    ask(PutRunning(ANN, "first", ahead))
    assert claimed_game(ask) == ahead


def test_games_of_different_players_are_apart(ask: Ask) -> None:
    revision = hold(ask)
    ask(Claim(BOB, "first"))
    ask(PutRunning(BOB, "first", replace(GAME, code="bobs")))
    ask(append(revision, 3))
    holding = ask(Claim(BOB, "second"))
    assert holding.game == replace(GAME, code="bobs")


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
    ask(Claim(BOB, "bobs"))
    bobs = ask(PutRunning(BOB, "bobs", GAME))
    bobs_end = append(bobs, player=BOB, owner="bobs")
    ask(Finish(bobs_end, loss("game1", player=BOB)))
    with pytest.raises(TakenCodeError):
        ask(Finish(append(revision, 3), loss("game1")))
    assert claimed_game(ask) == GAME


def test_an_unknown_player_holds_nothing(ask: Ask) -> None:
    nobodys = loss("x", player=NOBODY)
    for operation in (
        Claim(NOBODY, "first"),
        append(1, 3, player=NOBODY),
        Finish(append(1, 3, player=NOBODY), nobodys),
    ):
        with pytest.raises(UnknownPlayerError):
            ask(operation)
