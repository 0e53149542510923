from contextlib import suppress
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.records import limits
from jminesweeper.records.documents import GameDocument, Note, PlayerDocument
from jminesweeper.records.games import begin, put_note, save
from jminesweeper.records.players import (
    PlayerCopy,
    accept_offer,
    find_player,
    put_offer,
    put_player,
)
from jminesweeper.records.reading import list_games
from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import (
    Commit,
    Importance,
    Put,
    StoreFullError,
    StoreLimitError,
    StoreUnavailableError,
)
from tests.unit.records.club import EXPERT, Club, flags

NOTE = Note(1, 5_000, Cell(0, 0))


def test_entering_writes_nothing(club: Club, ann: PlayerCopy) -> None:
    assert not ann.is_known
    assert club.do(find_player("ann")) is None


@pytest.mark.requirement("C:Settings Menu")
def test_a_player_is_known_by_name_and_settings(club: Club, ann: PlayerCopy) -> None:
    club.do(put_player(ann, "Anna", {"tiles": "off"}, club.now_s))
    again = club.enter("ann")
    assert (again.document.name, again.document.settings) == ("Anna", {"tiles": "off"})


def test_a_name_that_is_given_on_entering_counts(club: Club, ann: PlayerCopy) -> None:
    club.begin(ann)
    assert club.enter("ann", "Other").document.name == "Other"


def test_two_sessions_of_a_player_do_not_undo_each_other(club: Club, ann: PlayerCopy) -> None:
    club.begin(ann)
    other = club.enter("ann")
    code = club.begin(other)
    club.do(put_player(ann, "Ann", {"pace": "on"}, club.now_s))
    document = club.enter("ann").document
    assert (document.current, document.settings) == (code, {"pace": "on"})


def test_two_changes_of_a_session_at_once_do_not_undo_each_other(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann)
    begun = begin(ann, "other", GameDocument(EXPERT, ("ann",), 1), flags(1), club.now_s)
    answer = perform(club.store, next(begun))
    club.do(save(ann, "mine", club.label(code), club.now_s))
    with suppress(StopIteration):
        while True:
            answer = perform(club.store, begun.send(answer))
    known = club.enter("ann").document
    assert (known.current, {"mine"} <= {*known.saves}) == ("other", True)


def test_what_a_player_without_a_finished_game_has_goes_after_thirty_days(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann)
    club.pass_days(29)
    assert club.find(code)
    club.pass_days(2)
    assert club.find(code) is None
    assert not club.enter("ann").is_known


def test_a_first_finished_game_keeps_a_player_for_good(club: Club, ann: PlayerCopy) -> None:
    first = club.begin(ann)
    club.end(first)
    second = club.begin(club.enter("ann"))
    club.pass_days(4_000)
    assert club.find(first)
    assert club.find(second)
    assert club.enter("ann").is_known


def test_a_first_finished_game_keeps_the_running_one_too(club: Club, ann: PlayerCopy) -> None:
    first = club.begin(ann)
    second = club.begin(ann, replaced=club.set_aside(first))
    club.end(first, Status.TERMINATED)
    club.pass_days(4_000)
    assert club.find(second)


def test_a_newcomer_who_comes_back_stays(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.pass_days(20)
    club.do(put_note(club.enter("ann"), code, NOTE, club.now_s))
    club.pass_days(20)
    assert club.find(code)


def test_who_was_a_newcomer_on_another_device_is_kept_for_good_all_the_same(
    club: Club, ann: PlayerCopy
) -> None:
    first = club.begin(ann)
    tablet = club.enter("ann")
    club.end(first)
    club.do(put_note(tablet, first, NOTE, club.now_s))
    club.pass_days(4_000)
    assert club.find(first)
    assert club.enter("ann").is_known


def test_what_strangers_write_matters_less_than_a_known_players_move(
    club: Club, ann: PlayerCopy
) -> None:
    assert ann.importance is Importance.LOW
    club.end(club.begin(ann))
    assert club.enter("ann").importance is Importance.HIGH


def test_a_strangers_first_result_takes_no_room_from_known_players() -> None:
    club = Club(MemoryStore(limit_bytes=100_000))
    known, stranger = club.enter("ann"), club.enter("new")
    club.play(known)
    codes = [club.begin(held) for held in (club.enter("ann"), stranger)]
    fillers = [Commit(1, puts=(Put(f"filler:{number}", "x" * 1_000),)) for number in range(100)]
    with pytest.raises(StoreFullError):
        perform_all(club.store, fillers)
    with pytest.raises(StoreFullError):
        club.end(codes[1])
    club.end(codes[0])
    assert [len(club.do(list_games(player))) for player in ("ann", "new")] == [2, 0]


def test_an_address_brings_a_limited_number_of_players_an_hour(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.players.MAX_NEWCOMERS", 3)
    for number in range(3):
        club.begin(club.enter(f"new{number}", address="192.0.2.1"))
    with pytest.raises(StoreLimitError, match="too many new players"):
        club.begin(club.enter("new4", address="192.0.2.1"))
    club.begin(club.enter("new5", address="192.0.2.2"))
    club.begin(club.enter("new0", address="192.0.2.1"))
    club.now_s += limits.HOUR_S
    club.begin(club.enter("new4", address="192.0.2.1"))


def test_an_emptied_store_gets_the_player_anew(club: Club, ann: PlayerCopy) -> None:
    club.begin(ann)
    club.do(put_player(ann, "Ann", {"pace": "on"}, club.now_s))
    emptied = Club()
    code = emptied.begin(ann)
    document = emptied.enter("ann").document
    assert (document.name, document.settings) == ("Ann", {"pace": "on"})
    assert document.current == code


def test_too_long_a_name_is_refused(club: Club, ann: PlayerCopy) -> None:
    with pytest.raises(StoreLimitError):
        club.do(put_player(ann, "x" * 65, {}, 1))
    with pytest.raises(StoreLimitError):
        club.do(put_player(ann, "", {"x": "y" * 9_000}, 1))


def test_a_damaged_document_is_reported(club: Club, ann: PlayerCopy) -> None:
    club.begin(ann)
    perform(club.store, Commit(7, puts=(Put("player:ann", '{"name":1}'),)))
    with pytest.raises(StoreUnavailableError, match="damaged"):
        club.enter("ann")


def test_a_player_document_reads_as_it_was_written(club: Club) -> None:
    saves = {"one": club.label("c"), "auto 1": club.label("d", is_aside=True)}
    player = PlayerDocument("ann", "Änn", {"a": "b"}, "c", saves, ("x", "y"), "offer", True)
    assert PlayerDocument.parse("ann", player.format()) == player
    assert PlayerDocument.parse_name(player.format()) == "Änn"


# Other devices


def offer(club: Club, held: PlayerCopy, code: str = "code") -> None:
    club.do(put_offer(held, code, club.now_s, club.now_s + 600))


def take(club: Club, device: str, code: str = "code") -> bool:
    return club.do(accept_offer(device, code, club.now_s, club.draw))


def test_a_device_that_takes_an_offer_plays_as_its_maker(club: Club, ann: PlayerCopy) -> None:
    club.begin(ann)
    offer(club, ann)
    assert take(club, "phone")
    assert club.enter("phone").id == "ann"
    found = club.do(find_player("phone"))
    assert found is not None
    assert (found.id, found.devices) == ("ann", ("phone",))


def test_an_offer_works_once_and_for_its_time(club: Club, ann: PlayerCopy) -> None:
    offer(club, ann)
    assert take(club, "phone")
    assert not take(club, "tablet")
    offer(club, ann, "late")
    club.now_s += 601
    assert not take(club, "tablet", "late")


def test_the_latest_of_two_offers_counts(club: Club, ann: PlayerCopy) -> None:
    offer(club, ann, "first")
    offer(club, ann, "second")
    assert not take(club, "phone", "first")
    assert take(club, "phone", "second")


def test_a_device_plays_as_one_player(club: Club, ann: PlayerCopy) -> None:
    bob = club.enter("bob")
    offer(club, ann, "anns")
    offer(club, bob, "bobs")
    assert take(club, "phone", "anns")
    assert take(club, "phone", "bobs")
    assert club.enter("phone").id == "bob"
    assert club.enter("ann").document.devices == ()


def test_a_player_has_a_limited_number_of_devices(club: Club, ann: PlayerCopy) -> None:
    offer(club, ann, "last")
    devices = tuple(f"device{number}" for number in range(limits.MAX_DEVICES))
    full = replace(ann.document, devices=devices)
    perform(club.store, Commit(9, puts=(Put("player:ann", full.format()),)))
    assert not take(club, "one more", "last")


def test_the_devices_of_a_kept_player_are_kept(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    offer(club, ann)
    take(club, "phone")
    club.end(code)
    club.pass_days(4_000)
    assert club.enter("phone").id == "ann"
