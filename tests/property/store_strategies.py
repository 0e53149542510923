"""Operations on a store, from so few players, games and times that they often meet."""

from typing import Any

from hypothesis import strategies as st

from jminesweeper.core import Cell, Size, Status
from jminesweeper.store.ports import (
    Append,
    Board,
    Category,
    Claim,
    DropSave,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    FinishedGame,
    Greet,
    ListBoards,
    ListGames,
    ListSaves,
    Operation,
    PutRunning,
    PutSave,
    PutSettings,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    Record,
    RunningGame,
    pack_entries,
)

players = st.sampled_from(["ann", "bob", "nobody"])
greeted = st.sampled_from(["ann", "bob"])
owners = st.sampled_from(["first", "second"])
names = st.sampled_from(["", "Ann", "Änne ⚑", "'; DROP TABLE player; --"])
times = st.integers(0, 3)
entries = st.lists(st.integers(0, 2**64 - 1), max_size=3).map(pack_entries)
cells = st.builds(Cell, st.integers(0, 254), st.integers(0, 254))
categories = st.builds(
    Category, st.sampled_from(["expert", "own"]), st.sampled_from(["classic", "formal"])
)
days = st.sampled_from(["", "2026-01-01", "2026-01-02"])
codes = st.sampled_from(["g1", "g2", "g3"])
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
games = st.builds(RunningGame, codes, texts, entries, times, cells, st.booleans())
statuses = st.sampled_from([Status.WON, Status.WON, Status.LOST, Status.TERMINATED])


def finished(player: st.SearchStrategy[str | None]) -> st.SearchStrategy[FinishedGame]:
    return st.builds(
        FinishedGame,
        code=codes,
        category=categories,
        size=st.just(Size(30, 16)),
        mine_count=st.integers(1, 99),
        status=statuses,
        time_ms=times,
        ended_at_s=times,
        player=player,
        header=texts,
        entries=entries,
        seed=names,
        daily=days,
        is_assisted=st.booleans(),
        is_repeat=st.booleans(),
        figures=st.dictionaries(st.sampled_from(["3bv/s", "3bv"]), st.integers(0, 9)),
    )


def appends(player: st.SearchStrategy[str]) -> st.SearchStrategy[Append]:
    return st.builds(
        Append, player, owners, st.integers(0, 6), entries, times, cells, st.booleans()
    )


def finishes(player: str) -> st.SearchStrategy[Finish]:
    return st.builds(Finish, appends(st.just(player)), finished(st.just(player)))


operations: st.SearchStrategy[Operation[Any]] = st.one_of(
    st.builds(Greet, greeted, names, times),
    st.builds(PutSettings, players, st.dictionaries(texts, texts, max_size=2)),
    st.builds(Claim, players, owners),
    st.builds(PutRunning, players, owners, games, st.booleans()),
    appends(players),
    appends(players),
    st.builds(Record, finished(st.none() | players)),
    greeted.flatmap(finishes),
    st.builds(PutSave, players, names, games, times),
    st.builds(DropSave, players, names),
    st.builds(FindPlayer, players),
    st.builds(ListSaves, players),
    st.builds(FindSave, players, names),
    st.builds(FindGame, codes),
    st.builds(ListGames, players, st.integers(0, 3)),
    st.builds(ReadStatistics, players),
    st.builds(ReadLeaderboard, st.builds(Board, categories, days), st.integers(0, 3)),
    st.builds(ListBoards, st.integers(0, 5)),
    st.just(ReadTotals()),
)
