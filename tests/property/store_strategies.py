"""Operations on a store, from so few players, games and times that they often meet."""

from dataclasses import replace
from datetime import date
from typing import Any

from hypothesis import strategies as st

from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.store import (
    Append,
    ConfirmHold,
    DropSave,
    Enter,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    FinishedGame,
    ListBoards,
    ListGames,
    ListSaves,
    Note,
    Operation,
    PutOffer,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    Record,
    RunningGame,
    TakeOffer,
    pack_entries,
)
from tests.property.core_strategies import setups

players = st.sampled_from(["ann", "bob", "nobody"])
known = st.sampled_from(["ann", "bob"])
owners = st.sampled_from(["first", "second"])
names = st.sampled_from(["", "Ann", "Änne ⚑", "'; DROP TABLE player; --"])
times = st.integers(0, 3)
entries = st.lists(st.integers(0, 2**64 - 1), max_size=3).map(pack_entries)
cells = st.builds(Cell, st.integers(0, 254), st.integers(0, 254))
days = st.sampled_from([None, date(2026, 1, 1), date(2026, 1, 2)])
variants = st.builds(
    replace,
    st.sampled_from(
        [
            CLASSIC_BOARDS["expert"],
            replace(CLASSIC_BOARDS["expert"], rules=PRESETS["formal"]),
            Variant("own", Size(3, 2), 2, PRESETS["classic"]),
        ]
    ),
    is_no_guess=st.booleans(),
    daily=days,
    is_repeat=st.booleans(),
)
codes = st.sampled_from(["g1", "g2", "g3"])
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
games = st.builds(RunningGame, codes, setups(9), entries, times, cells, st.booleans(), times)
statuses = st.sampled_from([Status.WON, Status.WON, Status.LOST, Status.TERMINATED])


def finished(player: st.SearchStrategy[str | None]) -> st.SearchStrategy[FinishedGame]:
    return st.builds(
        FinishedGame,
        code=codes,
        setup=st.builds(Setup, variants, seed=st.integers(0, 2**64 - 1)),
        status=statuses,
        time_ms=times,
        wall_ms=times,
        ended_at_s=times,
        player=player,
        entries=entries,
        is_assisted=st.booleans(),
        figures=st.dictionaries(st.sampled_from(["3bv/s", "3bv"]), st.integers(0, 9)),
    )


def appends(player: st.SearchStrategy[str]) -> st.SearchStrategy[Append]:
    return st.builds(Append, player, owners, st.integers(0, 6), entries, times, cells)


def finishes(player: str) -> st.SearchStrategy[Finish]:
    return st.builds(Finish, appends(st.just(player)), finished(st.just(player)))


def offers(player: str) -> st.SearchStrategy[PutOffer]:
    codes = st.sampled_from([f"{player}1", f"{player}2"])
    return st.builds(PutOffer, st.just(player), codes, times, st.just(1_000))


settings = st.dictionaries(texts, texts, max_size=2)
saves = st.builds(PutSave, players, names, games, times, st.sampled_from([0.0, 0.5, 1.0]))
operations: st.SearchStrategy[Operation[Any]] = st.one_of(
    st.builds(Enter, players, names, owners),
    st.builds(PutPlayer, known, names, settings, times),
    st.builds(PutRunning, players, owners, games),
    appends(players),
    appends(players),
    st.builds(Note, players, owners, times, cells, st.booleans()),
    st.builds(ConfirmHold, players, owners),
    st.builds(Record, finished(st.none() | players)),
    known.flatmap(finishes),
    saves,
    st.builds(DropSave, players, names),
    st.builds(FindPlayer, players),
    known.flatmap(offers),
    st.builds(
        TakeOffer,
        players,
        st.sampled_from(["ann1", "ann2", "bob1", "bob2"]),
        st.sampled_from([3, 999, 1_000]),
    ),
    st.builds(ListSaves, players),
    st.builds(FindSave, players, names),
    st.builds(FindGame, codes),
    st.builds(ListGames, players, st.integers(0, 3)),
    st.builds(ReadStatistics, players),
    st.builds(ReadLeaderboard, variants, st.integers(0, 3)),
    st.builds(ReadOwnBest, players, variants),
    st.builds(ListBoards, st.integers(0, 5)),
    st.just(ReadTotals()),
)
