"""Forgetting a player: nothing of theirs is left, and what is others' stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records import keys
from jminesweeper.records.checking import Checks
from jminesweeper.records.documents import Due, Flow, GameDocument, Leaderboard
from jminesweeper.records.forgetting import FORGOTTEN_S, NOBODY, finish_forgetting, forget_player
from jminesweeper.records.games import begin, save
from jminesweeper.records.ladder import PROVISIONAL, Rating, format_ratings, move
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.meeting import remember_partners
from jminesweeper.records.players import PlayerCopy, accept_offer, keep_looks, put_offer, put_player
from jminesweeper.records.reading import list_games, read_leaderboard, read_statistics
from jminesweeper.records.results import Judgement, outcome_of, settle
from jminesweeper.records.reviews import Verdict, list_reviews, record_review
from jminesweeper.records.rooms import Seat
from jminesweeper.store.blocking import pages, perform
from jminesweeper.store.port import (
    Append,
    Check,
    Commit,
    Document,
    Put,
    Read,
    Store,
    StoreLimitError,
)
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore
from tests.redis_process import RedisProcess
from tests.unit.records.club import EXPERT, Club

ANN, BOB = "ann-by-her-key", "bob-by-his-key"


@pytest.fixture(params=["memory", "sqlite", "redis"])
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    if request.param == "memory":
        yield Club()
    elif request.param == "sqlite":
        with closing(SqliteStore(tmp_path / "games.sqlite3")) as store:
            yield Club(store)
    else:
        redis: RedisProcess = request.getfixturevalue("empty_redis")
        with closing(RedisStore(redis.url)) as store:
            yield Club(store)


def ended(setup: Setup, *, is_won: bool) -> Game:
    game = Game(setup)
    game.reveal(Cell(4, 4), 5_000)
    truth = game.reveal_truth()
    cells = truth.safe & ~game.visible if is_won else truth.mines
    for number, cell in enumerate(game.grid.cells(cells)):
        if not game.status.is_over:
            game.reveal(cell, 6_000 + 500 * number)
    assert game.status is (Status.WON if is_won else Status.LOST)
    return game


def play(club: Club, held: PlayerCopy, code: str, *, is_won: bool = True) -> None:
    club.now_s += 1
    game = ended(Setup.of("beginner", seed=len(code)), is_won=is_won)
    club.record(held, code, game)
    verdict = Verdict(0.5, () if is_won else (1,))
    club.do(record_review(code, len(game.log), verdict, club.now_s // DAY_S, club.draw))


def play_much(club: Club) -> PlayerCopy:
    """Have Ann leave something in every corner of a store, and Bob beside her."""
    ann, bob = club.enter(ANN, "Ann"), club.enter(BOB, "Bob")
    for number in range(30):
        play(club, ann, f"ann{number}", is_won=number % 3 > 0)
    play(club, bob, "bob1")
    club.do(put_player(ann, "Ann", {"rules": "classic"}, club.now_s))
    club.do(put_offer(ann, "offered", club.now_s, club.now_s + 600))
    club.do(accept_offer("phone", "offered", club.now_s, club.draw))
    club.do(ann.refresh())
    club.do(put_offer(ann, "again", club.now_s, club.now_s + 600))
    club.do(keep_looks(ANN, "tiles", club.draw, club.now_s))
    club.do(remember_partners(ANN, [Seat(1, BOB, "Bob")], club.now_s, club.draw))
    running = club.begin(ann)
    club.do(save(ann, "first", club.label(running), club.now_s))
    share(club, "ROOM-1")
    return ann


def share(club: Club, code: str) -> None:
    """Record a game that Ann and Bob played together."""
    game = ended(EXPERT, is_won=False)
    document = GameDocument(EXPERT, (ANN, BOB), club.now_s * 1000)
    put = Put(keys.game_key(code), document.format())
    log = Append(put.key, 0, b"", pack_entries(game.log.entries))
    perform(club.store, Commit(7, (Check(put.key, 0),), (put,), (log,)))
    due = Due(club.now_s * 1000, code, len(game.log))
    outcome = outcome_of(game, document.begun_at_ms, due.ended_at_ms)
    club.do(settle(due, Judgement(outcome, is_over=True), club.draw))


def finish(club: Club, flow: Flow[None], answer: object) -> None:
    """Go on with a flow that was held after a question."""
    with suppress(StopIteration):
        while True:
            answer = perform(club.store, flow.send(answer))


def traces(store: Store) -> list[str]:
    """All that the store says of Ann."""
    told: list[str] = []
    for page in pages(store):
        for commit in page:
            told += [f"{put.key} {put.body}" for put in commit.puts]
            told += [f"{place.board} {place.text}" for place in commit.places]
            told += [f"{add.counter} {add.field}" for add in commit.adds]
    return [each for each in told if ANN in each or "Ann" in each or "phone" in each]


def problems(club: Club) -> list[str]:
    checks = Checks(lambda asked: perform(club.store, asked))
    found = [each for page in pages(club.store) for each in checks.check(page)]
    return [*found, *checks.check_sums()]


def test_nothing_of_a_player_is_left_but_a_mark_for_a_day(club: Club) -> None:
    play_much(club)
    assert len(traces(club.store)) > 60
    assert problems(club) == []
    club.do(forget_player(ANN, club.now_s, club.draw))
    assert traces(club.store) == [f"forgotten:{ANN} -"]
    assert problems(club) == []


def test_a_win_that_is_still_on_the_screen_leaves_the_leaderboards(club: Club) -> None:
    play(club, club.enter(ANN, "Ann"), "won")
    club.do(forget_player(ANN, club.now_s, club.draw))
    assert traces(club.store) == [f"forgotten:{ANN} -"]
    assert problems(club) == []


def test_what_is_others_stays(club: Club) -> None:
    play_much(club)
    club.do(forget_player(ANN, club.now_s, club.draw))
    scores = club.do(read_leaderboard(Leaderboard(Setup.of("beginner", seed=1).variant)))
    assert [score.name for score in scores] == ["Bob"]
    seats = {code: game.seats for code, game in club.do(list_games(BOB))}
    assert seats == {"ROOM-1": (NOBODY, BOB), "bob1": (BOB,)}
    assert club.do(read_statistics(BOB)).counts.played == 2


def test_whoever_comes_back_begins_anew(club: Club) -> None:
    play_much(club)
    club.do(forget_player(ANN, club.now_s, club.draw))
    ann = club.enter(ANN)
    assert not ann.is_known
    play(club, ann, "anew")
    assert club.do(read_statistics(ANN)).counts.played == 1


def test_another_device_that_is_still_on_cannot_store_the_player_anew(club: Club) -> None:
    ann = play_much(club)
    club.do(forget_player(ANN, club.now_s, club.draw))
    with pytest.raises(StoreLimitError, match="You were forgotten here"):
        club.do(put_player(ann, "Ann", {}, club.now_s))
    with pytest.raises(StoreLimitError, match="You were forgotten here"):
        club.do(begin(ann, "new", GameDocument(EXPERT, (ANN,)), b"", club.now_s))
    assert traces(club.store) == [f"forgotten:{ANN} -"]


def test_a_round_that_ends_later_is_not_counted_for_who_is_forgotten(club: Club) -> None:
    play_much(club)
    club.do(forget_player(ANN, club.now_s, club.draw))
    share(club, "ROOM-2")
    assert club.do(read_statistics(ANN)).counts.played == 0
    assert club.do(read_statistics(BOB)).counts.played == 3


class TestCutOff:
    """These need no store of their own kind."""

    @pytest.fixture
    def club(self) -> Club:
        return Club()

    @pytest.mark.parametrize("commits", [1, 2, 15, 33])
    def test_whatever_is_left_when_a_server_dies_another_one_removes(
        self, club: Club, commits: int
    ) -> None:
        play_much(club)
        flow, answer, made = forget_player(ANN, club.now_s, club.draw), None, 0
        while made < commits:
            operation = flow.send(answer)
            made += isinstance(operation, Commit)
            answer = perform(club.store, operation)
        flow.close()
        assert club.do(finish_forgetting(club.now_s, club.draw)) <= 1
        assert traces(club.store) == [f"forgotten:{ANN} -"]
        assert club.do(finish_forgetting(club.now_s, club.draw)) == 0

    @pytest.mark.parametrize("is_first", [False, True], ids=["later", "first"])
    def test_what_ends_while_a_player_is_forgotten_goes_as_well(
        self, club: Club, *, is_first: bool
    ) -> None:
        ann = club.enter(ANN, "Ann") if is_first else play_much(club)
        flow = forget_player(ANN, club.now_s, club.draw)
        read = perform(club.store, next(flow))
        play(club, ann, "late")
        finish(club, flow, read)
        assert traces(club.store) == [f"forgotten:{ANN} -"]
        assert problems(club) == []

    def test_a_rating_that_moves_while_a_player_is_forgotten_goes_as_well(self, club: Club) -> None:
        club.enter(ANN, "Ann")
        flow = forget_player(ANN, club.now_s, club.draw)
        read = perform(club.store, next(flow))
        rated = {"expert": Rating(races=PROVISIONAL)}
        (moved,) = move("expert", {ANN: Document(0, format_ratings(rated))}).values()
        perform(club.store, Commit(8, (moved.check,), (moved.put,), places=tuple(moved.places)))
        finish(club, flow, read)
        assert traces(club.store) == [f"forgotten:{ANN} -"]

    def test_a_game_that_is_settled_after_its_player_is_forgotten_goes_as_well(
        self, club: Club
    ) -> None:
        ann = club.enter(ANN, "Ann")
        game = ended(EXPERT, is_won=True)
        ended_ms = club.now_s * 1000
        document = GameDocument(EXPERT, (ANN,), ended_ms)
        club.do(begin(ann, "due", document, pack_entries(game.log.entries), club.now_s))
        club.play(ann, Setup.of("beginner", seed=9))
        club.do(forget_player(ANN, club.now_s, club.draw))
        due, outcome = Due(ended_ms, "due", len(game.log)), outcome_of(game, ended_ms, ended_ms)
        club.do(settle(due, Judgement(outcome, is_over=True), club.draw))
        club.do(record_review("due", due.length, Verdict(0.5, (1,)), 0, club.draw))
        club.do(finish_forgetting(club.now_s, club.draw))
        assert traces(club.store) == [f"forgotten:{ANN} -"]
        assert club.do(list_reviews()) == []

    def test_a_game_that_cannot_be_read_goes_as_well(self, club: Club) -> None:
        play_much(club)
        perform(club.store, Commit(9, puts=(Put(keys.game_key("ann3"), "damaged"),)))
        club.do(forget_player(ANN, club.now_s, club.draw))
        assert traces(club.store) == [f"forgotten:{ANN} -"]
        assert club.find("ann3") is None

    def test_who_was_never_there_is_forgotten_as_well(self, club: Club) -> None:
        club.do(forget_player("nobody", club.now_s, club.draw))
        assert club.do(finish_forgetting(club.now_s, club.draw)) == 0

    def test_the_mark_goes_after_a_day(self, club: Club) -> None:
        play_much(club)
        club.do(forget_player(ANN, club.now_s, club.draw))
        club.now_s += FORGOTTEN_S + 1
        (mark,) = perform(club.store, Read((keys.forgotten_key(ANN),))).documents
        assert not mark.version
