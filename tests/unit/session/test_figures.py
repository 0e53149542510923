"""The figures of a game."""

import pytest

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import MoveTo
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.results import figures_by_name
from jminesweeper.session.figures import summarise
from tests.world.games import waiting
from tests.world.server import seated

SEEDED = Setup.of("beginner", seed=7)


def won() -> Game:
    """Win after six clicks and 4 s: a flag, a zero with its border, the lone cells."""
    game = Game(waiting("*.*..\n.....").setup)
    game.flag(Cell(0, 0), 0)
    for cell in ((4, 0), (1, 0), (0, 1), (1, 1), (2, 1)):
        game.reveal(Cell(*cell), 4_000)
    return game


def test_figures_have_names_and_no_empty_values() -> None:
    figures = figures_by_name(won())
    assert figures["3bv"] == figures["3bv solved"] == 5
    assert figures["3bv/s"] == pytest.approx(1.25)
    assert (figures["left clicks"], figures["right clicks"], figures["chords"]) == (5, 1, 0)
    assert "3bv/s" not in figures_by_name(Game(SEEDED))


def test_the_end_is_described_in_short_lines() -> None:
    assert [*summarise(won())] == [
        ("time", "4.000 s"),
        ("3BV", "5 of 5, 1.25 a second"),
        ("openings", "1, islands 1"),
        ("clicks 6:", "5 left, 1 right, 0 chords"),
        ("efficiency", "83 %"),
    ]


def test_the_end_shows_the_seed_code_and_why_a_game_is_not_ranked() -> None:
    repeat = Setup(SEEDED.variant.as_repeat(), seed=7)
    assert summarise(Game(repeat))[-1] == ("not ranked:", "board known before")
    helped = Game(repeat)
    helped.apply(Action(ActionKind.DEBUG), 0)
    lines = summarise(helped)
    assert ("seed code", format_seed_code(repeat)) in lines
    assert lines[-1] == ("not ranked:", "help used")


def test_lines_are_short_enough_to_fit_beside_a_board() -> None:
    repeat = Setup(SEEDED.variant.as_repeat(), seed=7)
    assert max(len(" ".join(one)) for one in [*summarise(won()), *summarise(Game(repeat))]) <= 40


def test_what_a_zero_hides_does_not_show_in_the_progress() -> None:
    """Only one of the two numbers has a zero beside it; until it is opened both look alike."""
    shares = []
    for board in ("*....\n.....", "*..*.\n....."):
        player, _ = seated(board)
        player.send(MoveTo(1, 0), Command.REVEAL)
        shares.append(player.entry("solved"))
    assert shares == ["11 %", "12 %"]
