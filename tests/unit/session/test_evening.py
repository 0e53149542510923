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
from jminesweeper.protocol.vocabulary import Command, Feature, LookBackAt, RoomKind
from jminesweeper.recordings.figures import Figures
from jminesweeper.recordings.text import parse_game
from tests.world.player import Player, cells_of
from tests.world.server import RACE, SHARED, World
from tests.world.together import (
    BEGINNER,
    LIVE_FEATURES,
    people,
    reveal,
    safe_cells,
    said,
    seats,
    solve,
)


def news(player: Player) -> list[str]:
    """Return the texts of the last news, but for those who came."""
    told = [each["text"] for each in player.members.get("news", ())]
    return [text for text in told if not text.endswith("is here.")]


def again(world: World, *friends: Player) -> None:
    for friend in friends:
        friend.send(Ready())
    world.pass_time(3_000)


def room(player: Player) -> dict[str, Any]:
    members: dict[str, Any] = player.members["room"]
    return members


# What the others do


def test_the_first_win_is_said_with_the_time_that_is_left(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(world.begin(ada, bob))
    world.pass_time(41_200)
    solve(world, ada, field)
    assert news(bob) == ["Ada won in 41.2 s: you have 60 s."]
    assert not news(ada)


def test_who_finishes_later_finishes(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    field = world.minefield(world.begin(ada, bob, cy))
    solve(world, ada, field)
    world.pass_time(5_000)
    solve(world, bob, field)
    assert news(cy) == ["Bob finished in 5.0 s."]
    assert news(ada) == ["Bob finished in 5.0 s."]


def test_a_mine_that_somebody_hits_is_said(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(world.begin(ada, bob))
    ada.send(reveal(cells_of(field, field.mines)[0]))
    assert (news(ada), news(bob)) == ([], ["Ada hit a mine."])


def test_who_comes_and_goes_is_said_and_who_is_host_then(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    ada.send(RACE)
    bob.send(Join(room(ada)["code"]))
    assert ada.members["news"][0]["text"] == "Bob is here."
    cy.send(Join(room(ada)["code"]))
    ada.send(Command.LEAVE)
    assert news(bob) == ["Ada left.", "You are the host now."]
    assert news(cy) == ["Ada left.", "Bob is the host now."]


def test_who_quits_has_left_and_only_who_hangs_up_has_lost_the_connection(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    world.begin(ada, bob, cy)
    bob.send(Command.QUIT)
    assert news(ada) == ["Bob left."]
    cy.hang_up()
    world.settle()
    assert news(ada) == ["Cy lost the connection."]
    # Both seats are kept.
    again = world.friend("Bob")
    assert again.screen == "seat"
    again.send(Pick("seat", "return"))
    assert seats(ada)["Bob"]["here"]
    again.hang_up()
    world.settle()
    assert news(ada)[-1] == "Bob lost the connection."


def test_of_two_with_one_name_the_news_tell_which(world: World) -> None:
    ada, first, second = (
        world.friend("Ada"),
        world.friend("Bob"),
        world.friend("Bob", key=b"b" * 16),
    )
    world.begin(ada, first, second)
    second.send(Command.LEAVE)
    assert news(ada) == ["Bob#2 left."]


def test_rivals_are_listed_by_place_then_by_how_much_they_opened(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    field = world.minefield(world.begin(ada, bob, cy))
    cy.send(reveal(safe_cells(cy, field)[-1]))
    world.pass_time(300)
    assert [*seats(ada)] == ["Cy", "Ada", "Bob"]
    solve(world, bob, field)
    assert [*seats(ada)] == ["Bob", "Cy", "Ada"]


# The end of a round


def test_a_race_ends_with_a_headline_for_each(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    field = world.minefield(world.begin(ada, bob, cy))
    solve(world, ada, field)
    world.pass_time(3_100)
    solve(world, bob, field)
    cy.send(Command.LEAVE)
    assert room(ada)["headline"] == "You won the race!"
    assert room(bob)["headline"] == "Ada won by 3.1 s."
    assert (seats(bob)["Ada"]["place"], seats(bob)["Cy"]["place"]) == (1, None)


def test_a_result_lists_those_alone_who_played_the_round(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    code = world.begin(ada, bob)
    cy.send(Join(code))
    win(world, code, ada, bob)
    assert [*seats(ada)] == ["Ada", "Bob"]
    assert room(ada)["score"] == "you 1 : 0 Bob"
    assert [*seats(cy)] == ["Ada", "Bob", "Cy"]


def test_the_only_one_who_finishes_has_no_lead_to_tell(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    solve(world, ada, world.minefield(world.begin(ada, bob)))
    world.pass_time(60_000)
    assert room(bob)["headline"] == "Ada won the race."


def test_the_score_of_the_evening_is_ones_own_first(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = world.begin(ada, bob)
    for winner, loser in ((ada, bob), (bob, ada), (ada, bob)):
        assert room(winner)["state"] == "running"
        field = world.minefield(code)
        solve(world, winner, field)
        world.pass_time(1_000)
        solve(world, loser, field)
        again(world, ada, bob)
    assert (room(ada)["score"], room(bob)["score"]) == ("you 2 : 1 Bob", "you 1 : 2 Ada")


def test_three_have_points_for_everybody_they_beat(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    field = world.minefield(world.begin(ada, bob, cy))
    for friend in (cy, bob, ada):
        solve(world, friend, field)
        world.pass_time(1_000)
    assert room(ada)["score"] == "points: Cy 2, Bob 1, you 0"
    assert seats(ada)["Cy"]["points"] == 2


def test_the_result_stays_with_its_score_while_others_play_on(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    code = world.begin(ada, bob, cy)
    field = world.minefield(code)
    for friend in (ada, bob, cy):
        solve(world, friend, field)
    ada.send(Ready())
    bob.send(Ready())
    world.pass_time(20_000)
    world.pass_time(5_000)
    assert room(ada)["state"] == "running"
    solve(world, bob, field := world.minefield(code))
    solve(world, ada, field)
    assert room(cy)["state"] == "over"
    assert room(cy)["headline"].startswith("Ada won")
    assert room(cy)["score"] == "points: Ada 2, Bob 1, you 0"


@pytest.mark.parametrize("wins", [True, False])
def test_a_shared_board_ends_with_a_headline_for_all(world: World, *, wins: bool) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(world.begin(ada, bob, kind=SHARED))
    if wins:
        solve(world, ada, field)
    else:
        bob.send(reveal(cells_of(field, field.mines)[0]))
    headline = "You have won together!" if wins else "The board is lost."
    assert room(ada)["headline"] == room(bob)["headline"] == headline
    assert room(ada)["score"] == ("boards won together: 1" if wins else "")


def test_before_there_is_a_score_none_is_told(world: World) -> None:
    ada = world.friend("Ada")
    ada.send(RACE)
    assert room(ada)["score"] == ""


# Giving up, and watching those who play on


def test_who_gives_up_a_race_ends_the_own_copy_and_sees_no_mines(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    world.begin(ada, bob, cy)
    ada.send(Command.GIVE_UP)
    assert (ada.members["state"], said(ada)) == ("given up", "race.gave_up")
    assert news(bob) == ["Ada gave up."]
    assert seats(bob)["Ada"]["gave_up"]
    assert not any(face & MINED for face in ada.faces)
    ada.send(LookBack(LookBackAt.REPLAY))
    assert said(ada) == "race.later"


def test_the_last_who_has_not_given_up_has_won(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    world.begin(ada, bob, cy)
    ada.send(Command.GIVE_UP)
    assert room(cy)["state"] == "running"
    bob.send(Command.LEAVE)
    assert room(cy)["headline"] == "You won the race!"
    assert room(ada)["headline"] == "Cy won the race."
    assert (seats(ada)["Cy"]["place"], seats(ada)["Cy"]["points"]) == (1, 2)


def test_a_race_that_all_have_given_up_has_no_winner(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = world.begin(ada, bob, world.friend("Cy"))
    for friend in world.players:
        friend.send(Command.GIVE_UP)
    world.settle()
    assert not world.records(code)
    assert room(ada)["state"] == "over"


def test_nothing_but_a_race_is_given_up(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, Command.GIVE_UP)
    assert (ada.members["state"], said(ada)) == ("playing", "race.none")
    world.begin(ada, bob, kind=SHARED)
    ada.send(Command.GIVE_UP)
    assert (ada.members["state"], said(ada)) == ("playing", "race.none")


def test_a_race_is_given_up_once(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    world.begin(ada, bob, cy)
    ada.send(Command.GIVE_UP, Command.GIVE_UP)
    assert (ada.members["state"], said(ada)) == ("given up", "race.none")
    assert news(bob) == ["Ada gave up."]


def test_who_has_won_watches_those_who_play_on_until_the_round_is_over(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    field = world.minefield(world.begin(ada, bob, cy))
    solve(world, ada, field)
    assert "rivals" in ada.members["keys"]
    ada.send(Watch("2"))
    assert (ada.members["watching"]["name"], ada.members["state"]) == ("Bob", "playing")
    assert ada.faces == bob.faces
    bob.send(reveal(cells_of(field, field.mines)[0]))
    assert ada.faces == bob.faces
    assert seats(ada)["Bob"]["hits"] == 1
    ada.send(Watch("3"))
    assert ada.members["watching"]["name"] == "Cy"
    ada.send(OpenMenu(""))
    assert (ada.members["watching"], ada.members["state"]) == (None, "won")
    ada.send(Watch("2"))
    bob.send(Command.GIVE_UP)
    cy.send(Command.GIVE_UP)
    assert (room(ada)["state"], ada.members["watching"]) == ("over", None)
    assert room(ada)["headline"] == "You won the race!"


@pytest.mark.parametrize("deed", [Command.GIVE_UP, None], ids=["gave up", "plays"])
def test_who_has_not_won_sees_no_board_but_the_own(world: World, deed: Command | None) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    world.begin(ada, bob, cy)
    if deed is not None:
        ada.send(deed)
    assert "rivals" not in ada.members["keys"]
    for seat in ("2", "1", "9", "Bob", "\N{SUPERSCRIPT TWO}"):
        ada.send(Watch(seat))
        assert said(ada) == "room.first"
        assert ada.members.get("watching") is None


def test_boards_of_rivals_are_not_asked_for_by_the_hundred(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(world.begin(ada, bob, world.friend("Cy")))
    solve(world, ada, field)
    for _ in range(10):
        ada.send(Watch("2"))
    assert said(ada) == "slow"
    ada.send(Watch("1"))
    assert said(ada) == "rivals.none"


# What is asked first


def test_leaving_a_running_round_by_the_menu_is_asked(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    world.begin(ada, bob)
    ada.send(OpenMenu("room"))
    ada.send(Pick("room", "leave"))
    assert ada.members["menu"]["title"] == "Leave the running round?"
    ada.send(Pick("leave", "no"))
    assert (ada.members["menu"]["id"], room(ada)["state"]) == ("room", "running")
    ada.send(Pick("room", "leave"))
    ada.send(Pick("leave", "yes"))
    assert ada.members["room"] is None
    assert news(bob) == ["Ada left.", "You are the host now."]


def test_removing_somebody_is_asked_said_to_all_and_done_at_once(world: World) -> None:
    ada, first, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    second = world.friend("Bob", key=b"b" * 16)
    world.begin(ada, first, cy, second)
    ada.send(OpenMenu("room"))
    ada.choose("Remove Bob#2")
    assert ada.members["menu"]["title"] == "Remove Bob#2, for good?"
    ada.send(Pick("remove", "no"))
    assert len(seats(cy)) == 4
    ada.choose("Remove Bob#2")
    ada.send(Pick("remove", "yes"))
    assert said(second) == "room.removed"
    assert len(seats(cy)) == 3
    assert news(cy) == ["The host has removed Bob#2."]


# A series


def best_of(world: World, rounds: str, *friends: Player) -> str:
    host, *others = friends
    host.send(RACE)
    code: str = room(host)["code"]
    host.send(Pick("room", "series", rounds))
    for friend in others:
        friend.send(Join(code))
    for friend in friends:
        friend.send(Ready())
    world.pass_time(3_000)
    return code


def win(world: World, code: str, *ranked: Player) -> None:
    """Have players finish a round one second after the other."""
    field = world.minefield(code)
    for player in ranked:
        world.pass_time(1_000)
        solve(world, player, field)


def test_a_series_goes_on_by_itself_until_it_is_decided(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = best_of(world, "best of 3", ada, bob)
    assert room(ada)["series"] == "round 1 of 3"
    win(world, code, ada, bob)
    assert (room(bob)["state"], room(bob)["headline"]) == ("over", "Ada won by 1.0 s.")
    assert 12_000 < bob.members["starts_in"] <= 13_000
    world.pass_time(9_000)
    assert room(bob)["state"] == "over"
    world.pass_time(2_000)
    assert room(bob)["state"] == "countdown"
    world.pass_time(3_000)
    assert (room(bob)["series"], room(bob)["score"]) == ("round 2 of 3", "you 0 : 1 Ada")
    win(world, code, ada, bob)
    assert (room(ada)["headline"], room(bob)["headline"]) == (
        "You won the series!",
        "Ada won the series.",
    )
    assert room(ada)["share"] == "JMinesweeper, best of 3, beginner 9x9: 1. Ada 2, 2. Bob 0"
    world.pass_time(30_000)
    assert room(ada)["state"] == "over"
    assert ada.members.get("starts_in") is None


def test_the_next_series_begins_at_nil(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = best_of(world, "best of 3", ada, bob)
    win(world, code, ada, bob)
    again(world, ada, bob)
    win(world, code, ada, bob)
    again(world, ada, bob)
    assert (room(ada)["series"], room(ada)["score"]) == ("round 1 of 3", "")


def test_who_comes_in_a_series_races_from_the_next_round_on(world: World) -> None:
    ada, bob, cy = world.friend("Ada"), world.friend("Bob"), world.friend("Cy")
    code = best_of(world, "best of 5", ada, bob)
    cy.send(Join(code))
    assert room(cy)["state"] == "running"
    win(world, code, ada, bob)
    world.pass_time(10_500)
    world.pass_time(3_000)
    assert cy.members["state"] == "playing"
    win(world, code, cy, ada, bob)
    assert room(cy)["score"] == "points: you 2, Ada 2, Bob 0"


def test_a_series_by_time_ends_with_the_round_that_uses_it_up(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = best_of(world, "15 minutes", ada, bob)
    world.pass_time(14 * 60_000)
    win(world, code, bob, ada)
    assert room(ada)["share"] == ""
    world.pass_time(10_500)
    world.pass_time(3_000)
    assert room(ada)["series"] == "14 of 15 minutes"
    world.pass_time(60_000)
    win(world, code, ada, bob)
    assert room(ada)["headline"] == "The series is tied."
    assert "15 minutes" in room(ada)["share"]


def test_a_series_waits_for_a_second_player(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = best_of(world, "best of 5", ada, bob)
    win(world, code, ada, bob)
    bob.send(Command.LEAVE)
    world.pass_time(20_000)
    assert room(ada)["state"] == "over"
    bob.send(Join(code))
    world.pass_time(10_500)
    world.pass_time(3_000)
    assert ada.members["state"] == bob.members["state"] == "playing"
    assert room(bob)["score"] == "you 0 : 1 Ada"


# What the host chooses


def sheet(player: Player) -> dict[str, Any]:
    return {row["id"]: row.get("value") for row in player.members.get("sheet", ())}


def test_the_host_chooses_on_the_sheet_of_the_waiting_room(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(RACE)
    bob.send(Join(room(ada)["code"]))
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
        ada.send(Pick("room", row, value))
        world.pass_time(1_000)
        assert sheet(ada)[row] == value
    assert room(bob)["label"] == "custom 255x200"
    assert (room(bob)["mine"], room(bob)["bots"], room(bob)["open"]) == ("ends", False, True)
    assert room(bob)["series"] == "30 minutes"
    assert not sheet(bob)


def test_nobody_but_the_host_chooses_and_nobody_in_a_round(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(RACE)
    bob.send(Join(room(ada)["code"]))
    bob.send(Pick("room", "columns", "30"))
    ada.send(Pick("room", "columns", "many"), Pick("room", "no row", "1"))
    assert room(ada)["label"] == "beginner 9x9"
    for friend in (ada, bob):
        friend.send(Ready())
    world.pass_time(3_000)
    ada.send(Pick("room", "columns", "30"))
    assert (sheet(ada), room(ada)["label"]) == ({}, "beginner 9x9")


def test_a_board_that_shrinks_keeps_a_safe_cell(world: World) -> None:
    ada = world.friend("Ada")
    ada.send(RACE)
    ada.send(Pick("room", "columns", "1"))
    world.pass_time(1_000)
    ada.send(Pick("room", "rows", "2"))
    assert sheet(ada)["mines"] == "1"


def test_figures_of_a_round_are_those_that_the_library_finds(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    field = world.minefield(world.begin(ada, bob))
    ada.send(reveal(cells_of(field, field.mines)[0]))
    world.pass_time(20_000)
    for friend in (ada, bob):
        solve(world, friend, field)
    ada.send(LookBack(LookBackAt.RECORDING))
    recording = ada.replies[-1]
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


def rated_race(world: World, *friends: Player) -> None:
    """Have friends race, who finish in this order."""
    code = world.begin(*friends)
    win(world, code, *friends)


def test_a_race_between_known_players_moves_their_ratings_once(world: World) -> None:
    ada = world.friend("Ada")
    bob = world.friend("Bob", address="192.0.2.2")
    rated_race(world, ada, bob)
    for friend in (ada, bob):
        assert (seats(friend)["Ada"]["rating"], seats(friend)["Bob"]["rating"]) == (
            "1658?",
            "1342?",
        )
        assert (seats(friend)["Ada"]["change"], seats(friend)["Bob"]["change"]) == (158, -158)
    world.pass_time(70_000)
    ada.send(Ready())
    assert seats(ada)["Ada"]["rating"] == "1658?"
    ada.send(Command.LEAVE)
    ada.send(OpenMenu("records"), Pick("records", "ladder"))
    assert "Beginner, you 1658?" in ada.members["page"]["lines"]


def test_a_rating_is_shown_in_the_next_room(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob", address="192.0.2.2")
    rated_race(world, ada, bob)
    ada.send(Command.LEAVE)
    world.pass_time(2_000)
    ada.send(RACE)
    assert seats(ada)["Ada"]["rating"] == "1658?"


def test_a_rating_stands_beside_the_name_of_who_is_on(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob", address="192.0.2.2")
    cy = world.friend("Cy", address="192.0.2.3")
    rated_race(world, ada, bob)
    world.pass_time(3_000)
    assert [row["label"] for row in people(cy)] == ["Ada (1658?)", "Bob (1342?)"]
    cy.send(OpenMenu(""))
    ada.send(Command.LEAVE, NewGame("expert"), reveal(Cell(4, 4)))
    bob.send(Command.LEAVE, OpenMenu("settings"), Pick("settings", "ladder", "off"))
    bob.send(OpenMenu(""), BEGINNER, reveal(Cell(4, 4)))
    world.pass_time(3_000)
    # Nobody has raced on Expert, and Bob is not on the ladder any more.
    assert {row["label"] for row in people(cy)} == {"Ada", "Bob"}
    cy.send(OpenMenu(""))
    ada.send(replace(RACE, kind=RoomKind.QUICK))
    world.pass_time(3_000)
    assert {row["label"] for row in people(cy)} == {"Ada (1658?)", "Bob"}


@pytest.mark.parametrize("why", ["one address", "a guest", "switched off", "own board", "shared"])
def test_no_other_race_moves_a_rating(world: World, why: str) -> None:
    ada = world.friend("Ada")
    address = "192.0.2.1" if why == "one address" else "192.0.2.2"
    bob = world.friend("Bob", address=address, key=b"" if why == "a guest" else None)
    if why == "switched off":
        bob.send(OpenMenu("settings"), Pick("settings", "ladder", "off"), OpenMenu(""))
    kind = SHARED if why == "shared" else RACE
    board = "9x9/12" if why == "own board" else "beginner"
    code = world.begin(ada, bob, kind=replace(kind, board=board))
    win(world, code, ada, bob)
    assert room(ada)["state"] == "over"
    assert not any("change" in row for row in ada.members["seats"])


def test_a_race_with_a_bot_moves_no_rating(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob", address="192.0.2.2")
    bot = world.friend("Bot", features=LIVE_FEATURES | Feature.BOT, address="192.0.2.3")
    rated_race(world, ada, bob, bot)
    assert not any("change" in row for row in ada.members["seats"])
