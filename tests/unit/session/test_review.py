"""The look back at a game that ended: started at its end, shown when it is done."""

from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import Act, Hello, MoveTo, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command, Feature
from jminesweeper.records.reviews import Verdict
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FoundReview, Review
from tests.world.player import BACK, SEEN, Player
from tests.world.server import KNOWN, LIVE, World, alone, seated

BOARD = "*..\n...\n..*"
FIGURES = (("guesses", "1"), ("luck", "50 %, the chance to survive forced guesses"))
FOUND = FoundReview(FIGURES, Verdict(0.5))


def lost(hello: Hello = LIVE) -> tuple[Player, Review | None]:
    """Lose a game; return the review that was started."""
    player, _ = seated(BOARD, hello=hello)
    player.send(Command.REVEAL)
    return player, player.world.works[0] if player.world.works else None


def finished(hello: Hello = LIVE) -> Player:
    """Lose a game that a solver looks back at."""
    player, review = lost(hello)
    assert review is not None
    return player


def told(player: Player, found: FoundReview | None = FOUND, number: int = 0) -> bool:
    """Have the solver be done; return whether the player was shown that unasked."""
    player.world.reviewed(found, number)
    return player.look()


class TestStarting:
    @pytest.mark.parametrize("hello", [LIVE, replace(KNOWN, features=Feature.LIVE)])
    def test_the_end_of_a_game_starts_it_once(self, hello: Hello) -> None:
        player, review = lost(hello)
        assert review is not None
        assert len(review.entries) == 1
        player.send(Command.REFRESH, Command.REVEAL, Command.MOVE_RIGHT)
        assert player.world.works == [review]

    def test_a_game_that_was_won_is_looked_back_at_too(self) -> None:
        player, _ = seated("*..\n...\n...", hello=LIVE)
        player.send(MoveTo(2, 2), Command.REVEAL)
        assert len(player.world.works) == 1

    def test_it_is_not_started_for_who_would_never_see_it(self) -> None:
        _, review = lost(KNOWN)
        assert review is None

    def test_it_is_not_started_without_a_solver(self) -> None:
        player = alone(SessionConfig()).do(replace(KNOWN, key=b""), Start(1, 1, 1), Command.REVEAL)
        assert player.world.works == []

    def test_a_game_that_is_given_up_is_not_looked_back_at(self) -> None:
        player, _ = seated(BOARD, hello=KNOWN)
        player.send(Act(1, 0, Button.REVEAL, SEEN), Start(9, 9, 1))
        assert player.world.works == []

    def test_the_clock_of_an_ended_game_does_not_run(self) -> None:
        player, _ = lost(KNOWN)
        assert not player.members.get("clock_runs")


class TestShowing:
    def test_a_live_client_gets_it_unasked(self) -> None:
        player = finished()
        assert told(player)
        assert player.said["unasked"]
        assert player.members["figures"][-2] == ["guesses", "1"]

    def test_its_next_screen_was_asked_for(self) -> None:
        player = finished(replace(KNOWN, features=Feature.LIVE))
        told(player)
        assert player.said["unasked"]
        assert "guesses 1" in player.text
        player.send(Command.REFRESH)
        assert "unasked" not in player.said

    def test_it_is_below_the_figures(self) -> None:
        player = finished()
        told(player)
        player.send(Command.REFRESH)
        assert player.members["figures"][0] == ["time", "0.000 s"]
        assert player.members["figures"][-2:] == [[*figure] for figure in FIGURES]

    def test_a_menu_is_not_painted_over(self) -> None:
        player = finished()
        player.send(BACK)
        assert not told(player)
        assert "guesses 1" in player.send(BACK).text

    @pytest.mark.parametrize("found", [None, FoundReview((), Verdict(1.0))])
    def test_one_that_found_nothing_shows_nothing(self, found: FoundReview | None) -> None:
        player = finished()
        before = player.send(Command.REFRESH).text
        assert not told(player, found)
        assert player.send(Command.REFRESH).text == before


class TestTooLate:
    @pytest.mark.parametrize("packet", [Undo(1), Start(3, 3, 1)])
    def test_a_game_that_is_no_longer_over_is_not_spoken_of(self, packet: Undo | Start) -> None:
        player = finished()
        player.send(packet)
        assert not told(player)
        assert "guesses" not in player.send(Command.REFRESH).text

    def test_undo_takes_it_away(self) -> None:
        player = finished()
        told(player)
        assert "figure" not in player.send(Undo(1)).text

    def test_the_next_end_has_a_review_of_its_own(self) -> None:
        player = finished()
        player.send(Undo(1), Command.REVEAL)
        assert len(player.world.works) == 2
        assert not told(player)
        assert told(player, FoundReview((("guesses", "2"),), Verdict(1.0)), 1)
        assert "guesses 2" in player.text


class TestRecording:
    def test_what_was_found_is_recorded_even_if_another_game_has_begun(self) -> None:
        player, world = seated(BOARD, hello=LIVE)
        player.send(Command.REVEAL)
        (review,) = player.world.works
        player.send(Start(3, 3, 1))
        told(player)
        assert review.code
        due = world.matches.reviews[review.code]
        assert (due.length, due.verdict) == (1, Verdict(0.5))

    def test_nothing_is_recorded_of_nobodys_game(self) -> None:
        world = World()
        guest = replace(LIVE, key=b"")
        player = world.player().do(guest, Start(1, 1, 1), Command.REVEAL)
        told(player)
        assert world.matches.reviews == {}
