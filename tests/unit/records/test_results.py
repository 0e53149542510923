from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from itertools import cycle
from typing import Any

import pytest

from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import ONGOING, Status, parse_board
from jminesweeper.records.documents import Due, GameDocument, Hoard, Leaderboard, Outcome
from jminesweeper.records.games import begin, resume, save
from jminesweeper.records.keys import HOARDS, daily_code
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.reading import (
    list_boards,
    list_games,
    read_days,
    read_leaderboard,
    read_own_best,
    read_places,
    read_statistics,
    read_totals,
)
from jminesweeper.records.results import (
    Judgement,
    count_anonymous,
    is_faster_than_hands,
    judge,
    list_due,
    make_room,
    settle,
    withdraw_end,
)
from jminesweeper.records.rounds import join_record
from jminesweeper.records.statistics import CategorySums, Sums
from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Commit, Conflict, Importance, Part, Put, Read, StoreFullError
from tests.unit.records.club import BEGINNER, EXPERT, Club


@pytest.fixture
def bob(club: Club) -> PlayerCopy:
    return club.enter("bob", "Bob")


@pytest.fixture(autouse=True)
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (
        ("MAX_GAMES", 4),
        ("MAX_CATEGORIES", 2),
        ("MAX_OWN_BEST", 2),
        ("SAFE_GAMES", 2),
    ):
        monkeypatch.setattr(f"jminesweeper.records.results.{name}", limit)


def codes(club: Club, player: str, limit: int = 20) -> list[str]:
    return [code for code, _ in club.do(list_games(player, limit))]


def only_sums(club: Club, player: str) -> CategorySums:
    ((_, sums),) = club.do(read_statistics(player)).categories
    return sums


@pytest.mark.requirement("F:games_played", "F:games_won", "E:Statistics")
def test_a_result_counts_once(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    for _ in range(3):
        club.end(code)
    counts = club.do(read_statistics("ann")).counts
    assert (counts.played, counts.won) == (1, 1)
    ((category, total),) = club.do(read_totals())
    assert (category, total.played) == (EXPERT.variant, 1)
    assert codes(club, "ann") == [code]


def test_a_game_that_was_undone_and_played_on_counts_as_it_ended_last(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann)
    club.end(code, Status.LOST)
    club.end(code, Status.WON, length=3, is_assisted=True)
    club.end(code, Status.LOST, length=2)
    sums = only_sums(club, "ann")
    assert (sums.ranked.played, sums.unranked.won) == (0, 1)
    assert len(codes(club, "ann")) == 1


def test_what_was_won_stays_won(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.end(code)
    club.end(code, Status.LOST, length=9)
    assert only_sums(club, "ann").ranked == Sums(1, 0, 0, 5_000, 5_000, 2.0, 1)


def test_a_resumed_game_leaves_statistics_and_history(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.end(code, Status.TERMINATED)
    assert only_sums(club, "ann").ranked.terminated == 1
    club.do(withdraw_end(code, club.draw))
    assert only_sums(club, "ann").ranked.terminated == 0
    assert codes(club, "ann") == []
    club.end(code, Status.WON, length=4)
    assert only_sums(club, "ann").ranked.won == 1
    assert codes(club, "ann") == [code]


def test_a_loss_ends_a_streak(club: Club, ann: PlayerCopy) -> None:
    for status in (Status.WON, Status.WON, Status.LOST, Status.WON):
        club.play(ann, status=status)
    sums = only_sums(club, "ann")
    assert (sums.streak, sums.best_streak) == (1, 2)


def test_categories_beyond_the_limit_are_counted_together(club: Club, ann: PlayerCopy) -> None:
    for board in ("beginner", "intermediate", "expert"):
        club.play(ann, Setup.of(board, seed=1))
    statistics = club.do(read_statistics("ann"))
    assert len(statistics.categories) == 2
    assert statistics.others.won == 1
    assert [category is None for category, _ in club.do(read_totals())] == [False, False, True]


def test_games_without_a_player_count_in_the_totals_alone(club: Club) -> None:
    for games in (1, 2):
        club.do(count_anonymous(EXPERT.variant, Status.LOST, games))
    ((_, total),) = club.do(read_totals())
    assert total.lost == 3


# Leaderboards


def test_a_leaderboard_has_the_best_win_of_each_player(
    club: Club, ann: PlayerCopy, bob: PlayerCopy
) -> None:
    for held, wall_ms in ((ann, 9_000), (ann, 7_000), (bob, 8_000), (ann, 7_500)):
        club.now_s += 1
        club.end(club.begin(held), wall_ms=wall_ms)
    scores = club.do(read_leaderboard(Leaderboard(EXPERT.variant)))
    assert [(score.name, score.wall_ms) for score in scores] == [("Ann", 7_000), ("Bob", 8_000)]
    own = club.do(read_own_best("ann", Leaderboard(EXPERT.variant)))
    assert [score.wall_ms for score in own] == [7_000, 7_500]


@pytest.mark.parametrize(
    ("setup", "status", "is_assisted"),
    [
        (EXPERT, Status.LOST, False),
        (EXPERT, Status.WON, True),
        (EXPERT.as_repeat(), Status.WON, False),
        (Setup.of(Size(5, 5), 3, seed=4), Status.WON, False),
    ],
    ids=["lost", "assisted", "repeat", "another board"],
)
def test_only_unaided_wins_of_the_presets_are_ranked(
    club: Club, ann: PlayerCopy, setup: Setup, status: Status, is_assisted: bool
) -> None:
    club.end(club.begin(ann, setup), status, is_assisted=is_assisted)
    assert club.do(list_boards()) == []


def test_boards_are_listed_with_the_latest_day_first(club: Club, ann: PlayerCopy) -> None:
    days = [None, date(2026, 1, 2), date(2026, 1, 3)]
    boards = [replace(EXPERT.variant, daily=day) for day in days]
    club.play(ann)
    club.now_s += DAY_S
    for board in boards:
        club.play(ann, Setup(board, seed=5))
    listed = [board.variant for board in club.do(list_boards())]
    assert listed == [boards[0], boards[2], boards[1]]


@pytest.mark.parametrize(
    ("passed_s", "is_ranked"), [(None, False), (60, False), (3_600, True), (7 * 3_600, True)]
)
def test_a_win_of_a_days_board_ranks_for_who_had_finished_a_game_before(
    club: Club, ann: PlayerCopy, passed_s: int | None, is_ranked: bool
) -> None:
    if passed_s is not None:
        club.now_s = club.now_s // DAY_S * DAY_S
        club.play(ann, BEGINNER, Status.LOST)
        club.now_s += passed_s
    day = Setup(replace(EXPERT.variant, daily=date(2026, 1, 2)), seed=5)
    club.play(club.enter("ann"), day)
    assert bool(club.do(list_boards())) is is_ranked
    won = [sums.ranked.won for _, sums in club.do(read_statistics("ann")).categories]
    assert sum(won) == 1, "it counts in any case"


def test_so_does_one_just_after_midnight(club: Club, ann: PlayerCopy) -> None:
    club.now_s = club.now_s // DAY_S * DAY_S - 60
    club.play(ann, BEGINNER, Status.LOST)
    club.now_s += 120
    club.play(club.enter("ann"), Setup(replace(EXPERT.variant, daily=date(2026, 1, 2)), seed=5))
    assert club.do(list_boards())


MANY_CLICKS = "* . * . *\n. . . . .\n* . * . *\n. . . . ."
LUCKY = "* . . . .\n. . . . .\n. . . . ."


@pytest.mark.parametrize(
    ("board", "pauses_ms", "is_fast"),
    [
        (MANY_CLICKS, [300], False),
        (MANY_CLICKS, [70, 70, 90], False),
        (MANY_CLICKS, [50], True),
        (MANY_CLICKS, [0, 0, 0, 0, 2_000], True),
        (MANY_CLICKS, [2_000, 2_000, 0], False),
        (LUCKY, [10], False),
    ],
    ids=["calm", "fast", "too fast", "in bursts", "two at once", "lucky"],
)
def test_no_hand_wins_with_such_pauses(board: str, pauses_ms: list[int], is_fast: bool) -> None:
    field = parse_board(board)
    game, at_ms, pauses = Game(Setup.of(field.size, layout=field.mines)), 0, cycle(pauses_ms)
    for cell in game.grid.cells(field.safe):
        if game.status is ONGOING:
            game.reveal(cell, at_ms)
            at_ms += next(pauses)
    assert game.status is Status.WON
    assert is_faster_than_hands(game) is is_fast


def test_programs_rank_on_a_list_of_their_own(club: Club, ann: PlayerCopy, bob: PlayerCopy) -> None:
    club.play(ann)
    code = club.begin(bob)
    outcome = Outcome(Status.WON, 1, 5_000, 5_000, club.now_s, is_fast=True)
    due = Due(club.now_s * 1000, code, 1)
    club.do(settle(due, Judgement(outcome, is_over=True), club.draw))
    people, programs = club.do(list_boards())
    assert (people.is_of_programs, programs.is_of_programs) == (False, True)
    ranked = [[win.player for win in club.do(read_places(each))] for each in (people, programs)]
    assert ranked == [["ann"], ["bob"]]
    best = club.do(read_own_best("bob", programs))
    assert [score.code for score in best] == [code]


# Histories


def test_the_oldest_games_beyond_the_limit_go_and_stay_counted(club: Club, ann: PlayerCopy) -> None:
    played = [club.play(ann, status=Status.LOST) for _ in range(6)]
    assert codes(club, "ann") == played[:1:-1]
    assert club.find(played[0]) is None
    assert only_sums(club, "ann").ranked.lost == 6


def test_best_wins_and_first_daily_games_are_kept(club: Club, ann: PlayerCopy) -> None:
    best = club.play(ann)
    day = replace(BEGINNER.variant, daily=date(2026, 1, 2))
    daily = club.begin(ann, Setup(day, seed=5), daily_code("ann", day))
    club.end(daily, Status.LOST)
    for _ in range(6):
        club.play(ann, status=Status.LOST)
    assert {best, daily} <= {*codes(club, "ann")}


def test_a_dropped_game_that_a_save_names_stays(club: Club, ann: PlayerCopy) -> None:
    code = club.play(ann, status=Status.LOST)
    ann = club.enter("ann")
    club.do(save(ann, "mine", club.label(code), club.now_s))
    for _ in range(6):
        club.play(ann, status=Status.LOST)
    assert code not in codes(club, "ann")
    assert club.find(code)


def test_a_shared_game_stays_while_one_of_its_players_lists_it(
    club: Club, ann: PlayerCopy, bob: PlayerCopy
) -> None:
    shared = club.begin(ann)
    club.do(join_record(shared, "bob", club.now_s, club.draw))
    club.end(shared, Status.LOST)
    for _ in range(6):
        club.play(ann, status=Status.LOST)
    assert shared not in codes(club, "ann")
    assert shared in codes(club, "bob")
    for _ in range(6):
        club.play(bob, status=Status.LOST)
    assert club.find(shared) is None


def lose(club: Club, player: str, games: int) -> list[str]:
    return [club.play(club.enter(player), status=Status.LOST) for _ in range(games)]


def test_room_is_made_of_who_never_finished_a_game_the_longest_away_first(club: Club) -> None:
    games = lose(club, "ann", 4)
    first = club.begin(club.enter("away"))
    club.now_s += DAY_S
    second = club.begin(club.enter("new"))
    assert club.do(make_room(1, club.draw)) == 1
    assert (club.find(first), bool(club.find(second))) == (None, True)
    assert not club.enter("away").is_known
    assert codes(club, "ann") == games[::-1]


def test_then_the_oldest_games_go_of_who_has_most(club: Club) -> None:
    few, many = lose(club, "bob", 3), lose(club, "ann", 4)
    assert club.do(make_room(1, club.draw)) == 1
    assert codes(club, "ann") == many[:0:-1]
    assert club.do(make_room(5, club.draw)) == 1
    assert club.do(make_room(5, club.draw)) == 1
    assert (codes(club, "ann"), codes(club, "bob")) == (many[:1:-1], few[:0:-1])


def test_the_last_games_of_everybody_stay(club: Club) -> None:
    for player in ("ann", "bob"):
        lose(club, player, 2)
    assert club.do(make_room(5, club.draw)) == 0
    assert [len(codes(club, player)) for player in ("ann", "bob")] == [2, 2]


def test_who_has_most_is_known_after_games_were_kept_dropped_and_taken_back(club: Club) -> None:
    ann = club.enter("ann")
    kept = club.play(ann)
    lose(club, "ann", 6)
    assert most(club) == 4
    given_up = club.begin(club.enter("ann"))
    club.end(given_up, Status.TERMINATED)
    assert most(club) == 4
    club.do(withdraw_end(given_up, club.draw))
    assert most(club) == 3
    assert len(codes(club, "ann")) == 4, "the win is kept"
    faster = [club.begin(club.enter("ann")) for _ in range(2)]
    for code in faster:
        club.end(code, wall_ms=1_000)
    assert kept in codes(club, "ann"), "and may go now that two others are better"
    assert most(club) == 4


def most(club: Club) -> int:
    found = perform(club.store, Read(parts=(Part(HOARDS, 10),)))
    (hoard,) = map(Hoard.parse, found.parts[0])
    return hoard.games


def test_invented_players_and_a_busy_stranger_take_nothing_from_a_regular(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, limit in (("MAX_GAMES", 1_000), ("SAFE_GAMES", 50)):
        monkeypatch.setattr(f"jminesweeper.records.results.{name}", limit)
    crowds: list[None] = []
    club = Club(MemoryStore(limit_bytes=400_000, on_crowded=lambda: crowds.append(None)))

    regular = lose(club, "ann", 30)
    refused = 0
    for number in range(300):
        try:
            club.begin(club.enter(f"invented{number}"))
            lose(club, "busy", 1)
        except StoreFullError:
            refused += 1
        # Once a second, as a server does.
        club.do(make_room(50, club.draw)) if number % 10 == 0 and crowds else None
    assert crowds
    assert codes(club, "ann", 30) == regular[::-1]
    assert len(codes(club, "busy", 1_000)) < 300
    club.do(make_room(50, club.draw))
    assert club.find(club.begin(club.enter("newcomer")))


def test_a_game_that_is_saved_while_room_is_made_stays(club: Club) -> None:
    code = lose(club, "ann", 3)[0]
    ann = club.enter("ann")
    flow = make_room(1, club.draw)
    asked = next(flow)
    while isinstance(asked, Read):
        asked = flow.send(perform(club.store, asked))
    club.do(save(ann, "mine", club.label(code), club.now_s))
    assert perform(club.store, asked) == Conflict("player:ann")
    assert club.find(code)


def test_a_saved_game_does_not_keep_a_full_store_from_making_room() -> None:
    club = Club(MemoryStore(limit_bytes=100_000))
    first = lose(club, "ann", 1)[0]
    ann = club.enter("ann")
    club.do(save(ann, "mine", club.label(first), club.now_s))
    second = lose(club, "ann", 3)[0]
    high = Importance.HIGH
    fillers = [Commit(1, puts=(Put(f"{n}", "x" * 9_000),), importance=high) for n in range(20)]
    with pytest.raises(StoreFullError):
        perform_all(club.store, fillers)
    assert club.do(make_room(2, club.draw)) == 1
    assert (bool(club.find(first)), club.find(second)) == (True, None)


# Days and races


@pytest.mark.parametrize(("days", "gap"), [(3, None), (12, None), (25, 11), (3, 0), (3, 1)])
def test_days_in_a_row_end_with_the_first_one_left_out(
    club: Club, ann: PlayerCopy, days: int, gap: int | None
) -> None:
    today = date(2026, 1, 30)
    for ago in range(days):
        variant = replace(BEGINNER.variant, daily=today - timedelta(ago))
        status = Status.TERMINATED if ago == gap else Status.LOST
        club.end(club.begin(ann, Setup(variant, seed=5), daily_code("ann", variant)), status)
    row = days if gap is None else gap
    assert club.do(read_days("ann", today)) == row
    # Today there is still time.
    assert club.do(read_statistics("ann", today)).days == (row or days - 1)
    assert club.do(read_statistics("ann", today + timedelta(1))).days == row


def lost_game() -> Game:
    game = Game(BEGINNER)
    game.reveal((0, 0), 5)
    mine = game.reveal_truth().mines.bit_length() - 1
    game.push(pack_entry(70, ActionKind.REVEAL, mine))
    return game


def store_game(club: Club, held: PlayerCopy, game: Game) -> str:
    document = GameDocument(game.setup, (held.id,), 1_000)
    assert club.do(begin(held, "c", document, pack_entries(game.log.entries), club.now_s))
    return "c"


def test_a_game_whose_host_died_is_settled_from_its_log(club: Club, ann: PlayerCopy) -> None:
    opened = club.find(store_game(club, ann, lost_game()))
    assert opened is not None
    due = Due(1_090, "c", 2)
    verdict = judge(opened, due)
    assert verdict is not None
    outcome = verdict.outcome
    assert (outcome.status, outcome.time_ms, outcome.wall_ms) == (Status.LOST, 70, 90)
    club.do(settle(due, verdict, club.draw))
    assert only_sums(club, "ann").ranked.lost == 1


def test_a_game_that_goes_on_is_not_settled(club: Club, ann: PlayerCopy) -> None:
    game = lost_game()
    opened = club.find(store_game(club, ann, game))
    assert opened is not None
    assert judge(opened, Due(1_090, "c", 1)) is None
    assert judge(opened, Due(1_090, "c", 3)) is None
    club.do(settle(Due(1_090, "c", 1), None, club.draw))
    assert club.do(list_due()) == []


def test_a_running_game_that_is_due_was_given_up(club: Club, ann: PlayerCopy) -> None:
    game = Game(BEGINNER)
    game.flag((0, 0), 5)
    opened = club.find(store_game(club, ann, game))
    assert opened is not None
    due = Due(1_090, "c", 1)
    verdict = judge(opened, due)
    assert verdict is not None
    assert (verdict.outcome.status, verdict.is_over) == (Status.TERMINATED, False)
    club.do(settle(due, verdict, club.draw))
    assert club.do(read_statistics("ann")).categories == []
    club.begin(ann, replaced=club.set_aside("c"))
    club.do(settle(due, verdict, club.draw))
    assert only_sums(club, "ann").ranked.terminated == 1


@pytest.mark.parametrize("steps", range(5))
def test_a_game_that_is_resumed_while_it_is_settled_goes_on(
    club: Club, ann: PlayerCopy, steps: int
) -> None:
    code = club.begin(ann)
    replaced = club.set_aside(code)
    club.begin(ann, replaced=replaced)
    assert replaced.due is not None
    outcome = Outcome(Status.TERMINATED, 1, 5, 5, club.now_s)
    flow = settle(replaced.due, Judgement(outcome, is_over=False), club.draw)
    operation: Any = next(flow)
    for _ in range(steps):
        operation = flow.send(perform(club.store, operation))
    club.do(resume(club.enter("ann"), "auto 1", club.now_s))
    with suppress(StopIteration):
        while True:
            operation = flow.send(perform(club.store, operation))
    opened = club.find(code)
    assert opened is not None
    assert opened.game.outcome is None
    assert code not in [due.code for due in club.do(list_due())]


def test_a_game_that_goes_on_though_it_counts_as_given_up_is_kept_aside(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann)
    club.begin(ann, replaced=club.set_aside(code))
    club.end(code, Status.TERMINATED)
    club.do(resume(ann, "auto 1", club.now_s))
    elsewhere = club.enter("ann")
    document = GameDocument(BEGINNER, ("ann",), 1)
    club.do(begin(elsewhere, "other", document, b"", club.now_s))
    assert code in {save.code for save in elsewhere.document.saves.values()}
