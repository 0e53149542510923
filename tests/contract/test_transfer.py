"""Moving players between stores: what is taken out of one is what is put into the next."""

from dataclasses import replace

import pytest

from jminesweeper.store import (
    DropSave,
    Enter,
    FindGame,
    FindPlayer,
    KnownPlayer,
    ListBoards,
    ListGames,
    ListSaves,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    Record,
    StoreLimitError,
    TakenCodeError,
)
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
    PlayerData,
)
from jminesweeper.store.values import MAX_GAMES
from tests.contract.examples import (
    ANN,
    BOB,
    CEY,
    CUSTOM,
    EXPERT,
    GAME,
    NOBODY,
    SETUPS,
    Ask,
    append,
    loss,
    note,
    win,
)


def play_much(ask: Ask) -> None:
    """Leave something of every kind of Ann's in the store."""
    ask(PutPlayer(ANN, "Änne ⚑", {"palette": "okabe-ito"}, 9))
    ask(Enter(ANN, "", "first"))
    revision = ask(PutRunning(ANN, "first", GAME))
    ask(append(revision, 3, 4))
    ask(note(9_000, is_paused=True))
    for number, setup in enumerate(SETUPS):
        ask(PutSave(ANN, f"save {number}", replace(GAME, setup=setup), number, 0.25))
        ask(Record(win(f"win {number}", 9_000 - number, setup=setup, figures={"3bv/s": 1.1})))
    ask(Record(loss("lost", CUSTOM)))
    ask(Record(loss("undone")))
    ask(Record(win("undone", is_assisted=True)))


def export(ask: Ask, player: str = ANN) -> PlayerData:
    data = ask(ExportPlayer(player))
    assert data is not None
    return data


def test_players_are_listed_page_by_page(ask: Ask) -> None:
    ask(PutPlayer(CEY, "Cey", {}, 1))
    assert ask(ListPlayers()) == (ANN, BOB, CEY)
    assert ask(ListPlayers(limit=2)) == (ANN, BOB)
    assert ask(ListPlayers(BOB)) == (CEY,)
    assert ask(ListPlayers(CEY)) == ()


def test_nothing_is_taken_of_an_unknown_player(ask: Ask) -> None:
    assert ask(ExportPlayer(NOBODY)) is None


def test_a_player_who_only_has_a_name_is_taken_whole(ask: Ask) -> None:
    assert ask(ExportPlayer(ANN)) == PlayerData(KnownPlayer(ANN, "Ann", {}, 1))


def test_a_player_is_taken_with_everything(ask: Ask) -> None:
    play_much(ask)
    data = export(ask)
    assert data.player == ask(FindPlayer(ANN))
    assert data.running == ask(Enter(ANN, "", "next")).game
    assert {save.name: save.game for save in data.saves}.keys() == {
        label.name for label in ask(ListSaves(ANN))
    }
    assert data.games == ask(ListGames(ANN, limit=99))[::-1]
    assert sum(sums.played for sums in data.tally.values()) == len(SETUPS) + 2


def test_a_player_who_is_put_in_has_everything(ask: Ask) -> None:
    play_much(ask)
    data, totals = export(ask), ask(ExportTotals())
    before = [
        ask(question)
        for question in (
            FindPlayer(ANN),
            ListSaves(ANN),
            ListGames(ANN),
            ReadStatistics(ANN),
            ReadLeaderboard(EXPERT),
            ListBoards(),
            ReadTotals(),
        )
    ]
    ask(PutPlayer(ANN, "Other", {"other": "setting"}, 99))
    ask(DropSave(ANN, "save 1"))
    ask(PutSave(ANN, "other", GAME, 1))
    ask(PutRunning(ANN, "first", replace(GAME, code="other")))
    ask(Record(win("fastest", 1)))
    ask(ImportPlayer(data))
    ask(ImportTotals(totals))
    assert export(ask) == data
    assert [
        ask(question)
        for question in (
            FindPlayer(ANN),
            ListSaves(ANN),
            ListGames(ANN),
            ReadStatistics(ANN),
            ReadLeaderboard(EXPERT),
            ListBoards(),
            ReadTotals(),
        )
    ] == before
    assert ask(FindGame("fastest")) is None


def test_whoever_enters_next_holds_the_game_that_was_put_in(ask: Ask) -> None:
    play_much(ask)
    ask(ImportPlayer(export(ask)))
    entrance = ask(Enter(ANN, "", "next"))
    assert entrance.game is not None
    assert ask(append(entrance.revision, 5, owner="next")) == entrance.revision + 1


def test_putting_one_player_in_leaves_the_others(ask: Ask) -> None:
    ask(Record(win("bobs", player=BOB)))
    bobs, totals = export(ask, BOB), ask(ExportTotals())
    play_much(ask)
    data = export(ask)
    ask(ImportPlayer(data))
    assert export(ask, BOB) == bobs
    assert ask(ExportTotals()) != totals


def test_a_game_of_another_player_is_not_replaced(ask: Ask) -> None:
    ask(Record(loss("one", player=BOB)))
    before = export(ask)
    data = PlayerData(KnownPlayer(ANN), games=(loss("two"), loss("one")))
    with pytest.raises(TakenCodeError, match="one"):
        ask(ImportPlayer(data))
    assert export(ask) == before
    assert ask(FindGame("one")) == loss("one", player=BOB)


def test_games_that_are_no_longer_kept_stay_in_the_sums(ask: Ask) -> None:
    for number in range(MAX_GAMES + 5):
        ask(Record(loss(f"game {number}")))
    data = export(ask)
    assert len(data.games) == MAX_GAMES
    ask(ImportPlayer(data))
    assert export(ask) == data
    assert ask(ReadStatistics(ANN)).games_played == MAX_GAMES + 5


def test_a_players_data_holds_no_game_of_another() -> None:
    with pytest.raises(StoreLimitError):
        PlayerData(KnownPlayer(ANN), games=(loss("one", player=BOB),))
    with pytest.raises(StoreLimitError):
        PlayerData(KnownPlayer(ANN), saves=(PutSave(BOB, "one", GAME, 1),))
