"""The look back at a game that ended: started at its end, shown when it is done."""

from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import Act, Hello, MoveTo, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command, Feature
from jminesweeper.records.reviews import Verdict
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FoundReview, Review, Reviewed
from tests.unit.session.backstage import KNOWN, LIVE, Backstage, seated
from tests.unit.session.player import BACK, SEEN, Player

BOARD = "*..\n...\n..*"
FIGURES = (("guesses", "1"), ("luck", "50 %, the chance to survive forced guesses"))
FOUND = FoundReview(FIGURES, Verdict(0.5))


def lost(hello: Hello = LIVE) -> tuple[Player, Review | None]:
    """Lose a game; return the review that was started."""
    player, _ = seated(BOARD, hello=hello)
    player.send(Command.REVEAL)
    return player, player.works[0] if player.works else None


def finished(hello: Hello = LIVE) -> tuple[Player, Reviewed]:
    """Lose a game, and have it reviewed."""
    player, review = lost(hello)
    assert review is not None
    return player, Reviewed(review, FOUND)


class TestStarting:
    @pytest.mark.parametrize("hello", [LIVE, replace(KNOWN, features=Feature.LIVE)])
    def test_the_end_of_a_game_starts_it_once(self, hello: Hello) -> None:
        player, review = lost(hello)
        assert review is not None
        assert len(review.entries) == 1
        player.send(Command.REFRESH, Command.REVEAL, Command.MOVE_RIGHT)
        assert player.works == [review]

    def test_a_game_that_was_won_is_looked_back_at_too(self) -> None:
        player, _ = seated("*..\n...\n...", hello=LIVE)
        player.send(MoveTo(2, 2), Command.REVEAL)
        assert len(player.works) == 1

    def test_it_is_not_started_for_who_would_never_see_it(self) -> None:
        _, review = lost(KNOWN)
        assert review is None

    def test_it_is_not_started_without_a_solver(self) -> None:
        player = Player(SessionConfig()).do(replace(KNOWN, key=b""), Start(1, 1, 1), Command.REVEAL)
        assert player.works == []

    def test_a_game_that_is_given_up_is_not_looked_back_at(self) -> None:
        player, _ = seated(BOARD, hello=KNOWN)
        player.send(Act(1, 0, Button.REVEAL, SEEN), Start(9, 9, 1))
        assert player.works == []

    def test_the_clock_of_an_ended_game_does_not_run(self) -> None:
        player, _ = lost(KNOWN)
        assert not player.members.get("clock_runs")


class TestShowing:
    def test_a_live_client_gets_it_unasked(self) -> None:
        player, event = finished()
        assert player.notice(event)
        assert player.said["unasked"]
        assert player.members["figures"][-2] == ["guesses", "1"]

    def test_its_next_screen_was_asked_for(self) -> None:
        player, event = finished(replace(KNOWN, features=Feature.LIVE))
        player.notice(event)
        assert player.said["unasked"]
        assert "guesses 1" in player.text
        player.send(Command.REFRESH)
        assert "unasked" not in player.said

    def test_a_live_client_that_is_owed_an_answer_gets_it_with_that(self) -> None:
        player, event = finished()
        assert not player.notice(event, may_show=False)
        assert "guesses 1" in player.send(Command.REFRESH)

    def test_it_is_below_the_figures(self) -> None:
        player, event = finished()
        player.notice(event, may_show=False)
        player.send(Command.REFRESH)
        assert player.members["figures"][0] == ["time", "0.000 s"]
        assert player.members["figures"][-2:] == [[*figure] for figure in FIGURES]

    def test_a_menu_is_not_painted_over(self) -> None:
        player, event = finished()
        player.send(BACK)
        assert not player.notice(event)
        assert "guesses 1" in player.send(BACK)

    @pytest.mark.parametrize("found", [None, FoundReview((), Verdict(1.0))])
    def test_one_that_found_nothing_shows_nothing(self, found: FoundReview | None) -> None:
        player, event = finished()
        before = player.send(Command.REFRESH)
        assert not player.notice(event._replace(found=found))
        assert player.send(Command.REFRESH) == before


class TestTooLate:
    @pytest.mark.parametrize("packet", [Undo(1), Start(3, 3, 1)])
    def test_a_game_that_is_no_longer_over_is_not_spoken_of(self, packet: Undo | Start) -> None:
        player, event = finished()
        player.send(packet)
        assert not player.notice(event)
        assert "guesses" not in player.send(Command.REFRESH)

    def test_undo_takes_it_away(self) -> None:
        player, event = finished()
        player.notice(event)
        assert "figure" not in player.send(Undo(1))

    def test_the_next_end_has_a_review_of_its_own(self) -> None:
        player, event = finished()
        player.send(Undo(1), Command.REVEAL)
        assert len(player.works) == 2
        assert not player.notice(event)
        assert player.notice(
            Reviewed(player.works[1], FoundReview((("guesses", "2"),), Verdict(1.0)))
        )
        assert "guesses 2" in player.text


class TestRecording:
    def test_what_was_found_is_recorded_even_if_another_game_has_begun(self) -> None:
        player, backstage = seated(BOARD, hello=LIVE)
        player.send(Command.REVEAL)
        (review,) = player.works
        player.send(Start(3, 3, 1))
        player.notice(Reviewed(review, FOUND))
        assert review.code
        due = backstage.matches.reviews[review.code]
        assert (due.length, due.verdict) == (1, Verdict(0.5))

    def test_nothing_is_recorded_of_nobodys_game(self) -> None:
        backstage = Backstage()
        guest = replace(LIVE, key=b"")
        player = backstage.player().do(guest, Start(1, 1, 1), Command.REVEAL)
        player.notice(Reviewed(player.works[0], FOUND))
        assert backstage.matches.reviews == {}
