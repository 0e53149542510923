"""An evening in a room: what is said of the others, and how rounds end."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.protocol.packets import Join, Ready
from jminesweeper.protocol.vocabulary import Command
from tests.unit.session.party import RACE, SHARED, Party, reveal, seats, solve
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
