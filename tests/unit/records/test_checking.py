"""A store that makes sense has no problems, and each harm to it is one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.records.checking import Checks
from jminesweeper.records.documents import Due, GameDocument, PlayerDocument, Win
from jminesweeper.records.games import ReplacedGame, begin, put_aside, save
from jminesweeper.records.keys import DUE, player_key
from jminesweeper.records.players import PlayerCopy, accept_offer, put_offer, put_player
from jminesweeper.records.results import list_due
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Add, Append, Commit, Place, Put, Read, Scan
from tests.unit.records.club import Club


def play(is_won: bool = True) -> Game:
    """Play a board with its mines in the first row, to a win or for one move."""
    mines = (1 << 9) - 1 | 1 << 10
    game = Game(Setup(CLASSIC_BOARDS["beginner"], layout=mines))
    cells = [*game.grid.cells(game.grid.mask & ~mines)]
    for cell in cells if is_won else cells[:1]:
        game.reveal(cell, 1_000)
    return game


@pytest.fixture
def ann(club: Club) -> PlayerCopy:
    """Ann won, gave a game up, saved one, and plays on her telephone, too."""
    ann = club.enter("ann", "Ann")
    club.do(put_player(ann, "Ann", {"a": "b"}, club.now_s))
    club.record(ann, "won1", play())
    club.record(ann, "gone", play(is_won=False))
    game = play(is_won=False)
    document, entries = GameDocument(game.setup, ("ann",), 1), pack_entries(game.log.entries)
    club.do(put_aside(ann, ReplacedGame("gone"), club.now_s, club.draw))
    club.do(begin(ann, "run1", document, entries, club.now_s))
    club.do(save(ann, "before", club.label("run1"), club.now_s))
    club.do(put_offer(ann, "code", club.now_s, club.now_s + 600))
    assert club.do(accept_offer("phone", "code", club.now_s, club.draw))
    return ann


def problems(club: Club) -> list[str]:
    checks = Checks(lambda asked: perform(club.store, asked))
    found = checks.check(perform(club.store, Scan()).commits)
    return [*found, *checks.check_sums()]


@pytest.mark.usefixtures("ann")
def test_a_store_as_it_should_be_has_no_problems(club: Club) -> None:
    assert club.do(list_due()) == []
    assert problems(club) == []


def harm(club: Club, key: str, before: str, after: str) -> None:
    (document,) = perform(club.store, Read((key,))).documents
    assert before in document.body
    harmed = document.body.replace(before, after)
    perform(club.store, Commit(9, puts=(Put(key, harmed),)))


@pytest.mark.usefixtures("ann")
@pytest.mark.parametrize("key", ["game:won1", "player:ann"])
def test_a_document_that_cannot_be_read_is_named(club: Club, key: str) -> None:
    perform(club.store, Commit(9, puts=(Put(key, "{"),)))
    assert f"{key} cannot be read." in problems(club)


@pytest.mark.usefixtures("ann")
def test_a_result_that_the_log_does_not_bear_out_is_named(club: Club) -> None:
    harm(club, "game:won1", '"won"', '"lost"')
    found = problems(club)
    assert "Game won1 is recorded as lost, but its log is not." in found
    assert any(each.startswith("own:ann:") for each in found)
    assert any(each.startswith("board:") for each in found)
    assert "The statistics of ann count 0 of 1 games lost." in found


@pytest.mark.usefixtures("ann")
def test_a_log_that_cannot_be_played_is_named(club: Club) -> None:
    last = pack_entries(play(is_won=False).log.entries)
    perform(club.store, Commit(appends=(Append("game:run1", 1, last, b"\xff" * 8),)))
    assert problems(club) == ["The log of game run1 cannot be played."]


@pytest.mark.usefixtures("ann")
def test_a_game_that_is_missing_is_missed_wherever_it_is_named(club: Club) -> None:
    perform(club.store, Commit(puts=(Put("game:run1", None), Put("game:gone", None))))
    assert problems(club) == [
        "Game run1 of player ann is not there, or too short.",
        "games:ann has game gone, which is not there or not such a game.",
    ]


@pytest.mark.usefixtures("ann")
def test_a_device_of_nobody_is_named(club: Club) -> None:
    perform(club.store, Commit(9, puts=(Put("device:other", "nobody"),)))
    assert problems(club) == ["The device other plays as nobody, whom nobody knows."]


@pytest.mark.usefixtures("ann")
def test_a_place_that_is_not_deserved_is_named(club: Club) -> None:
    win = Win(5, 6, "order", "won1", "ann").format()
    perform(club.store, Commit(places=(Place("own:ann:x", win), Place("board:x", "rubbish"))))
    assert problems(club) == [
        "board:x has a place that cannot be read: rubbish.",
        "own:ann:x has game won1, which is not there or not such a game.",
    ]


@pytest.mark.usefixtures("ann")
def test_totals_that_count_less_than_players_have_are_named(club: Club) -> None:
    (total,) = [c for c in perform(club.store, Scan()).commits if c.adds]
    counter = total.adds[0].counter
    perform(club.store, Commit(adds=(Add(counter, "won", -1),)))
    assert problems(club) == ["Players have 1 games won, all together 0."]


@pytest.mark.usefixtures("ann")
def test_a_game_that_ended_and_is_neither_counted_nor_due_is_named(club: Club) -> None:
    (document,) = perform(club.store, Read(("game:won1",))).documents
    uncounted = replace(GameDocument.parse(document.body), outcome=None).format()
    perform(club.store, Commit(9, puts=(Put("game:won1", uncounted),)))
    assert "Game won1 has ended, and is not counted." in problems(club)
    due = Place(DUE, Due(1, "won1", 1).format())
    perform(club.store, Commit(places=(due,)))
    assert "Game won1 has ended, and is not counted." not in problems(club)


def test_a_running_game_that_nobody_can_find_is_named(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    (document,) = perform(club.store, Read((player_key("ann"),))).documents
    lost = replace(PlayerDocument.parse("ann", document.body), current="")
    perform(club.store, Commit(9, puts=(Put(player_key("ann"), lost.format()),)))
    assert f"Game {code} is neither its player's nor given up." in problems(club)


@pytest.mark.usefixtures("ann")
def test_a_number_of_games_that_is_not_what_is_listed_is_named(club: Club) -> None:
    harm(club, "listed:ann", "1", "0")
    assert problems(club) == ["Of the finished games of ann, 1 are not counted."]
