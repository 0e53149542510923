"""An evening in a room: what is said of the others, and how rounds end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import MINED
from jminesweeper.protocol.packets import (
    Join,
    LookBack,
    NewGame,
    OpenMenu,
    Pick,
    Ready,
    RecordingContent,
    Watch,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction, Feature, LookBackAt, RoomKind
from jminesweeper.recordings.figures import Figures
from jminesweeper.recordings.text import parse_game
from tests.unit.session.party import (
    BEGINNER,
    LIVE,
    RACE,
    SHARED,
    Party,
    people,
    reveal,
    said,
    seats,
    solve,
)
from tests.unit.session.player import Player, cells_of


def news(player: Player) -> list[str]:
    """Return the texts of the last news, but for those who came."""
    told = [each["text"] for each in player.members.get("news", ())]
    return [text for text in told if not text.endswith("is here.")]


def again(party: Party, *friends: Player) -> None:
    for friend in friends:
        party.do(friend, Ready())
    party.pass_time(3_000)


def room(player: Player) -> dict[str, Any]:
    members: dict[str, Any] = player.members["room"]
    return members


# What the others do


def test_the_first_win_is_said_with_the_time_that_is_left(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob))
    party.pass_time(41_200)
    solve(party, ada, field)
    assert news(bob) == ["Ada won in 41.2 s: you have 60 s."]
    assert not news(ada)


def test_who_finishes_later_finishes(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    field = party.minefield(party.begin(ada, bob, cy))
    solve(party, ada, field)
    party.pass_time(5_000)
    solve(party, bob, field)
    assert news(cy) == ["Bob finished in 5.0 s."]
    assert news(ada) == ["Bob finished in 5.0 s."]


def test_a_mine_that_somebody_hits_is_said(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob))
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    assert (news(ada), news(bob)) == ([], ["Ada hit a mine."])


def test_who_comes_and_goes_is_said_and_who_is_host_then(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    party.do(ada, RACE)
    party.do(bob, Join(room(ada)["code"]))
    assert ada.members["news"][0]["text"] == "Bob is here."
    party.do(cy, Join(room(ada)["code"]))
    party.do(ada, Command.LEAVE)
    assert news(bob) == ["Ada left.", "You are the host now."]
    assert news(cy) == ["Ada left.", "Bob is the host now."]


def test_who_quits_has_left_and_only_who_hangs_up_has_lost_the_connection(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    party.begin(ada, bob, cy)
    party.do(bob, Command.QUIT)
    assert news(ada) == ["Bob left."]
    cy.hang_up()
    party.look()
    assert news(ada) == ["Cy lost the connection."]
    # Both seats are kept.
    again = party.friend("Bob")
    assert again.screen == "seat"
    party.do(again, Pick("seat", "return"))
    assert seats(ada)["Bob"]["here"]
    again.hang_up()
    party.look()
    assert news(ada)[-1] == "Bob lost the connection."


def test_of_two_with_one_name_the_news_tell_which(party: Party) -> None:
    ada, first, second = (
        party.friend("Ada"),
        party.friend("Bob"),
        party.friend("Bob", key=b"b" * 16),
    )
    party.begin(ada, first, second)
    party.do(second, Command.LEAVE)
    assert news(ada) == ["Bob#2 left."]


def test_rivals_are_listed_by_place_then_by_how_much_they_opened(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    field = party.minefield(party.begin(ada, bob, cy))
    party.do(cy, reveal(cells_of(field, field.safe)[-1]))
    assert [*seats(ada)] == ["Cy", "Ada", "Bob"]
    solve(party, bob, field)
    assert [*seats(ada)] == ["Bob", "Cy", "Ada"]


# The end of a round


def test_a_race_ends_with_a_headline_for_each(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    field = party.minefield(party.begin(ada, bob, cy))
    solve(party, ada, field)
    party.pass_time(3_100)
    solve(party, bob, field)
    party.do(cy, Command.LEAVE)
    assert room(ada)["headline"] == "You won the race!"
    assert room(bob)["headline"] == "Ada won by 3.1 s."
    assert (seats(bob)["Ada"]["place"], seats(bob)["Cy"]["place"]) == (1, None)


def test_a_result_lists_those_alone_who_played_the_round(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    code = party.begin(ada, bob)
    party.do(cy, Join(code))
    win(party, code, ada, bob)
    assert [*seats(ada)] == ["Ada", "Bob"]
    assert room(ada)["score"] == "you 1 : 0 Bob"
    assert [*seats(cy)] == ["Ada", "Bob", "Cy"]


def test_the_only_one_who_finishes_has_no_lead_to_tell(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    solve(party, ada, party.minefield(party.begin(ada, bob)))
    party.pass_time(60_000)
    assert room(bob)["headline"] == "Ada won the race."


def test_the_score_of_the_evening_is_ones_own_first(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob)
    for winner, loser in ((ada, bob), (bob, ada), (ada, bob)):
        assert room(winner)["state"] == "running"
        field = party.minefield(code)
        solve(party, winner, field)
        party.pass_time(1_000)
        solve(party, loser, field)
        again(party, ada, bob)
    assert (room(ada)["score"], room(bob)["score"]) == ("you 2 : 1 Bob", "you 1 : 2 Ada")


def test_three_have_points_for_everybody_they_beat(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    field = party.minefield(party.begin(ada, bob, cy))
    for friend in (cy, bob, ada):
        solve(party, friend, field)
        party.pass_time(1_000)
    assert room(ada)["score"] == "points: Cy 2, Bob 1, you 0"
    assert seats(ada)["Cy"]["points"] == 2


def test_the_result_stays_with_its_score_while_others_play_on(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    code = party.begin(ada, bob, cy)
    field = party.minefield(code)
    for friend in (ada, bob, cy):
        solve(party, friend, field)
    party.do(ada, Ready())
    party.do(bob, Ready())
    party.pass_time(20_000)
    party.pass_time(5_000)
    assert room(ada)["state"] == "running"
    solve(party, bob, field := party.minefield(code))
    solve(party, ada, field)
    assert room(cy)["state"] == "over"
    assert room(cy)["headline"].startswith("Ada won")
    assert room(cy)["score"] == "points: Ada 2, Bob 1, you 0"


@pytest.mark.parametrize("wins", [True, False])
def test_a_shared_board_ends_with_a_headline_for_all(party: Party, *, wins: bool) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob, kind=SHARED))
    if wins:
        solve(party, ada, field)
    else:
        party.do(bob, reveal(cells_of(field, field.mines)[0]))
    headline = "You have won together!" if wins else "The board is lost."
    assert room(ada)["headline"] == room(bob)["headline"] == headline
    assert room(ada)["score"] == ("boards won together: 1" if wins else "")


def test_before_there_is_a_score_none_is_told(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, RACE)
    assert room(ada)["score"] == ""


# Giving up, and watching those who play on


def test_who_gives_up_a_race_ends_the_own_copy_and_sees_no_mines(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    party.begin(ada, bob, cy)
    party.do(ada, Command.GIVE_UP)
    assert (ada.members["state"], said(ada)) == ("given up", "race.gave_up")
    assert news(bob) == ["Ada gave up."]
    assert seats(bob)["Ada"]["gave_up"]
    assert not any(face & MINED for face in ada.faces)
    party.do(ada, LookBack(LookBackAt.REPLAY))
    assert said(ada) == "race.later"


def test_the_last_who_has_not_given_up_has_won(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    party.begin(ada, bob, cy)
    party.do(ada, Command.GIVE_UP)
    assert room(cy)["state"] == "running"
    party.do(bob, Command.LEAVE)
    assert room(cy)["headline"] == "You won the race!"
    assert room(ada)["headline"] == "Cy won the race."
    assert (seats(ada)["Cy"]["place"], seats(ada)["Cy"]["points"]) == (1, 2)


def test_a_race_that_all_have_given_up_has_no_winner(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, party.friend("Cy"))
    for friend in party.players:
        friend.send(Command.GIVE_UP)
    party.look()
    assert not party.records(code)
    assert room(ada)["state"] == "over"


def test_nothing_but_a_race_is_given_up(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, Command.GIVE_UP)
    party.begin(ada, bob, kind=SHARED)
    party.do(ada, Command.GIVE_UP)
    assert ada.members["state"] == "playing"


def test_who_has_won_watches_those_who_play_on_until_the_round_is_over(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    field = party.minefield(party.begin(ada, bob, cy))
    solve(party, ada, field)
    assert "rivals" in ada.members["keys"]
    party.do(ada, Watch("2"))
    assert (ada.members["watching"]["name"], ada.members["state"]) == ("Bob", "playing")
    assert ada.faces == bob.faces
    party.do(bob, reveal(cells_of(field, field.mines)[0]))
    assert ada.faces == bob.faces
    assert seats(ada)["Bob"]["hits"] == 1
    party.do(ada, Watch("3"))
    assert ada.members["watching"]["name"] == "Cy"
    party.do(ada, OpenMenu(""))
    assert (ada.members["watching"], ada.members["state"]) == (None, "won")
    party.do(ada, Watch("2"))
    party.do(bob, Command.GIVE_UP)
    party.do(cy, Command.GIVE_UP)
    assert (room(ada)["state"], ada.members["watching"]) == ("over", None)
    assert room(ada)["headline"] == "You won the race!"


@pytest.mark.parametrize("deed", [Command.GIVE_UP, None], ids=["gave up", "plays"])
def test_who_has_not_won_sees_no_board_but_the_own(party: Party, deed: Command | None) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    party.begin(ada, bob, cy)
    if deed is not None:
        party.do(ada, deed)
    assert "rivals" not in ada.members["keys"]
    for seat in ("2", "1", "9", "Bob", "\N{SUPERSCRIPT TWO}"):
        party.do(ada, Watch(seat))
        assert said(ada) == "room.first"
        assert ada.members.get("watching") is None


def test_boards_of_rivals_are_not_asked_for_by_the_hundred(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob, party.friend("Cy")))
    solve(party, ada, field)
    for _ in range(10):
        party.do(ada, Watch("2"))
    assert said(ada) == "slow"
    party.do(ada, Watch("1"))
    assert said(ada) == "rivals.none"


# What is asked first


def test_leaving_a_running_round_by_the_menu_is_asked(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.begin(ada, bob)
    party.do(ada, OpenMenu("room"))
    party.do(ada, Pick("room", "leave"))
    assert ada.members["menu"]["title"] == "Leave the running round?"
    party.do(ada, Pick("leave", "no"))
    assert (ada.members["menu"]["id"], room(ada)["state"]) == ("room", "running")
    party.do(ada, Pick("room", "leave"))
    party.do(ada, Pick("leave", "yes"))
    assert ada.members["room"] is None
    assert news(bob) == ["Ada left.", "You are the host now."]


def test_removing_somebody_is_asked_said_to_all_and_done_at_once(party: Party) -> None:
    ada, first, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    second = party.friend("Bob", key=b"b" * 16)
    party.begin(ada, first, cy, second)
    party.do(ada, OpenMenu("room"))
    ada.choose("Remove Bob#2")
    assert ada.members["menu"]["title"] == "Remove Bob#2, for good?"
    party.do(ada, Pick("remove", "no"))
    assert len(seats(cy)) == 4
    ada.choose("Remove Bob#2")
    party.do(ada, Pick("remove", "yes"))
    assert said(second) == "room.removed"
    assert len(seats(cy)) == 3
    assert news(cy) == ["The host has removed Bob#2."]


# A series


def best_of(party: Party, rounds: str, *friends: Player) -> str:
    host, *others = friends
    party.do(host, RACE)
    code: str = room(host)["code"]
    party.do(host, Pick("room", "series", rounds))
    for friend in others:
        party.do(friend, Join(code))
    for friend in friends:
        party.do(friend, Ready())
    party.pass_time(3_000)
    return code


def win(party: Party, code: str, *ranked: Player) -> None:
    """Have players finish a round one second after the other."""
    field = party.minefield(code)
    for player in ranked:
        party.pass_time(1_000)
        solve(party, player, field)


def test_a_series_goes_on_by_itself_until_it_is_decided(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = best_of(party, "best of 3", ada, bob)
    assert room(ada)["series"] == "round 1 of 3"
    win(party, code, ada, bob)
    assert (room(bob)["state"], room(bob)["headline"]) == ("over", "Ada won by 1.0 s.")
    assert 12_000 < bob.members["starts_in"] <= 13_000
    party.pass_time(9_000)
    assert room(bob)["state"] == "over"
    party.pass_time(2_000)
    assert room(bob)["state"] == "countdown"
    party.pass_time(3_000)
    assert (room(bob)["series"], room(bob)["score"]) == ("round 2 of 3", "you 0 : 1 Ada")
    win(party, code, ada, bob)
    assert (room(ada)["headline"], room(bob)["headline"]) == (
        "You won the series!",
        "Ada won the series.",
    )
    assert room(ada)["share"] == "JMinesweeper, best of 3, beginner 9x9: 1. Ada 2, 2. Bob 0"
    party.pass_time(30_000)
    assert room(ada)["state"] == "over"
    assert ada.members.get("starts_in") is None


def test_the_next_series_begins_at_nil(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = best_of(party, "best of 3", ada, bob)
    win(party, code, ada, bob)
    again(party, ada, bob)
    win(party, code, ada, bob)
    again(party, ada, bob)
    assert (room(ada)["series"], room(ada)["score"]) == ("round 1 of 3", "")


def test_who_comes_in_a_series_races_from_the_next_round_on(party: Party) -> None:
    ada, bob, cy = party.friend("Ada"), party.friend("Bob"), party.friend("Cy")
    code = best_of(party, "best of 5", ada, bob)
    party.do(cy, Join(code))
    assert room(cy)["state"] == "running"
    win(party, code, ada, bob)
    party.pass_time(10_500)
    party.pass_time(3_000)
    assert cy.members["state"] == "playing"
    win(party, code, cy, ada, bob)
    assert room(cy)["score"] == "points: you 2, Ada 2, Bob 0"


def test_a_series_by_time_ends_with_the_round_that_uses_it_up(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = best_of(party, "15 minutes", ada, bob)
    party.pass_time(14 * 60_000)
    win(party, code, bob, ada)
    assert room(ada)["share"] == ""
    party.pass_time(10_500)
    party.pass_time(3_000)
    assert room(ada)["series"] == "14 of 15 minutes"
    party.pass_time(60_000)
    win(party, code, ada, bob)
    assert room(ada)["headline"] == "The series is tied."
    assert "15 minutes" in room(ada)["share"]


def test_a_series_waits_for_a_second_player(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = best_of(party, "best of 5", ada, bob)
    win(party, code, ada, bob)
    party.do(bob, Command.LEAVE)
    party.pass_time(20_000)
    assert room(ada)["state"] == "over"
    party.do(bob, Join(code))
    party.pass_time(10_500)
    party.pass_time(3_000)
    assert ada.members["state"] == bob.members["state"] == "playing"
    assert room(bob)["score"] == "you 0 : 1 Ada"


# What the host chooses


def sheet(player: Player) -> dict[str, Any]:
    return {row["id"]: row.get("value") for row in player.members.get("sheet", ())}


def test_the_host_chooses_on_the_sheet_of_the_waiting_room(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, RACE)
    party.do(bob, Join(room(ada)["code"]))
    for row, value in (
        ("columns", "255"),
        ("rows", "200"),
        ("mines", "9000"),
        ("mine", "the end"),
        ("bots", "people only"),
        ("open", "everybody"),
        ("lock", "on"),
        ("series", "30 minutes"),
    ):
        party.do(ada, Pick("room", row, value))
        party.pass_time(1_000)
        assert sheet(ada)[row] == value
    assert room(bob)["label"] == "custom 255x200"
    assert (room(bob)["mine"], room(bob)["bots"], room(bob)["open"]) == ("ends", False, True)
    assert room(bob)["series"] == "30 minutes"
    assert not sheet(bob)


def test_nobody_but_the_host_chooses_and_nobody_in_a_round(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, RACE)
    party.do(bob, Join(room(ada)["code"]))
    party.do(bob, Pick("room", "columns", "30"))
    party.do(ada, Pick("room", "columns", "many"), Pick("room", "no row", "1"))
    assert room(ada)["label"] == "beginner 9x9"
    for friend in (ada, bob):
        party.do(friend, Ready())
    party.pass_time(3_000)
    party.do(ada, Pick("room", "columns", "30"))
    assert (sheet(ada), room(ada)["label"]) == ({}, "beginner 9x9")


def test_a_board_that_shrinks_keeps_a_safe_cell(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, RACE)
    party.do(ada, Pick("room", "columns", "1"))
    party.pass_time(1_000)
    party.do(ada, Pick("room", "rows", "2"))
    assert sheet(ada)["mines"] == "1"


def test_figures_of_a_round_are_those_that_the_library_finds(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    field = party.minefield(party.begin(ada, bob))
    party.do(ada, reveal(cells_of(field, field.mines)[0]))
    party.pass_time(20_000)
    for friend in (ada, bob):
        solve(party, friend, field)
    answer, _ = ada.session.receive(LookBack(LookBackAt.RECORDING), ada.now_ms)
    (recording,) = PacketReader(Direction.FROM_SERVER).feed(answer)
    assert isinstance(recording, RecordingContent)
    figures = Figures.of(parse_game(recording.text.decode()))
    told, seat = dict(ada.members["figures"]), seats(ada)["Ada"]
    assert figures.bbbv_per_second is not None
    assert figures.efficiency is not None
    assert told["time"] == f"{figures.elapsed_ms / 1000:.3f} s"
    assert told["3BV"] == (
        f"{figures.solved} of {figures.bbbv}, {figures.bbbv_per_second:.2f} a second"
    )
    assert told[f"clicks {figures.clicks}:"] == (
        f"{figures.left_clicks} left, {figures.right_clicks} right, {figures.chords} chords"
    )
    assert told["efficiency"] == f"{figures.efficiency:.0%}".replace("%", " %")
    assert (seat["time"], seat["won"]) == (figures.elapsed_ms, True)
    assert seat["speed"] == round(100 * figures.bbbv_per_second)
    assert seat["efficiency"] == round(100 * figures.efficiency)


# The ladder


def rated_race(party: Party, *friends: Player) -> None:
    """Have friends race, who finish in this order."""
    code = party.begin(*friends)
    win(party, code, *friends)


def test_a_race_between_known_players_moves_their_ratings_once(party: Party) -> None:
    ada = party.friend("Ada")
    bob = party.friend("Bob", address="192.0.2.2")
    rated_race(party, ada, bob)
    for friend in (ada, bob):
        assert (seats(friend)["Ada"]["rating"], seats(friend)["Bob"]["rating"]) == (
            "1658?",
            "1342?",
        )
        assert (seats(friend)["Ada"]["change"], seats(friend)["Bob"]["change"]) == (158, -158)
    party.pass_time(70_000)
    party.do(ada, Ready())
    assert seats(ada)["Ada"]["rating"] == "1658?"
    party.do(ada, Command.LEAVE)
    party.do(ada, OpenMenu("records"), Pick("records", "ladder"))
    assert "Beginner, you 1658?" in ada.members["page"]["lines"]


def test_a_rating_is_shown_in_the_next_room(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob", address="192.0.2.2")
    rated_race(party, ada, bob)
    party.do(ada, Command.LEAVE)
    party.pass_time(2_000)
    party.do(ada, RACE)
    assert seats(ada)["Ada"]["rating"] == "1658?"


def test_a_rating_stands_beside_the_name_of_who_is_on(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob", address="192.0.2.2")
    cy = party.friend("Cy", address="192.0.2.3")
    rated_race(party, ada, bob)
    party.pass_time(3_000)
    assert [row["label"] for row in people(party, cy)] == ["Ada (1658?)", "Bob (1342?)"]
    party.do(cy, OpenMenu(""))
    party.do(ada, Command.LEAVE, NewGame("expert"), reveal(Cell(4, 4)))
    party.do(bob, Command.LEAVE, OpenMenu("settings"), Pick("settings", "ladder", "off"))
    party.do(bob, OpenMenu(""), BEGINNER, reveal(Cell(4, 4)))
    party.pass_time(3_000)
    # Nobody has raced on Expert, and Bob is not on the ladder any more.
    assert {row["label"] for row in people(party, cy)} == {"Ada", "Bob"}
    party.do(cy, OpenMenu(""))
    party.do(ada, replace(RACE, kind=RoomKind.QUICK))
    party.pass_time(3_000)
    assert {row["label"] for row in people(party, cy)} == {"Ada (1658?)", "Bob"}


@pytest.mark.parametrize("why", ["one address", "a guest", "switched off", "own board", "shared"])
def test_no_other_race_moves_a_rating(party: Party, why: str) -> None:
    ada = party.friend("Ada")
    address = "192.0.2.1" if why == "one address" else "192.0.2.2"
    bob = party.friend("Bob", address=address, key=b"" if why == "a guest" else None)
    if why == "switched off":
        party.do(bob, OpenMenu("settings"), Pick("settings", "ladder", "off"), OpenMenu(""))
    kind = SHARED if why == "shared" else RACE
    board = "9x9/12" if why == "own board" else "beginner"
    code = party.begin(ada, bob, kind=replace(kind, board=board))
    win(party, code, ada, bob)
    assert room(ada)["state"] == "over"
    assert not any("change" in row for row in ada.members["seats"])


def test_a_race_with_a_bot_moves_no_rating(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob", address="192.0.2.2")
    bot = party.friend("Bot", features=LIVE | Feature.BOT, address="192.0.2.3")
    rated_race(party, ada, bob, bot)
    assert not any("change" in row for row in ada.members["seats"])
