"""Buttons to actions."""

from __future__ import annotations

import pytest

from jminesweeper.core.game import Game
from jminesweeper.recordings.figures import Figures
from jminesweeper.recordings.rawvf import parse_rawvf
from jminesweeper.recordings.text import format_action

# The middle cell of the lower row is a 1 when it is open, the mine above it the only one.
OPEN = ("lc 2 2", "lr 2 2")
FLAG = ("rc 2 1", "rr 2 1")


def game_of(*events: str, **options: str) -> Game:
    header = "".join(f"{name}: {value}\n" for name, value in options.items())
    timed = "\n".join(f"0.5 {event}" for event in events)
    return parse_rawvf(f"{header}Board:\n0*0\n000\nEvents:\n{timed}\n")


def moves(*events: str, **options: str) -> list[str]:
    game = game_of(*events, **options)
    return [format_action(logged).removeprefix("500 ") for logged in game.log]


def after_open_and_flag(*events: str, **options: str) -> list[str]:
    before = moves(*OPEN, *FLAG)
    assert before == ["reveal 1 1", "flag 1 0"]
    return moves(*OPEN, *FLAG, *events, **options)[len(before) :]


def test_the_cell_where_the_left_button_is_released_is_opened() -> None:
    assert moves("lc 1 1", "mv 3 2", "lr 3 2") == ["reveal 2 1"]
    assert moves("lc 1 1", "lr 0 0") == []
    assert moves("lr 1 1") == []


def test_the_right_button_flags_when_it_is_pressed() -> None:
    assert moves("rc 2 1", "mv 3 1", "rr 3 1") == ["flag 1 0"]
    assert moves(*FLAG, *FLAG) == ["flag 1 0", "flag 1 0"]
    assert moves("rr 2 1", "rc 0 0", "rr 0 0") == []


@pytest.mark.parametrize(
    "chord",
    [
        ("mc 2 2", "mr 2 2"),
        ("sc 2 2", "lr 2 2"),
        ("lc 2 2", "rc 2 2", "lr 2 2", "rr 2 2"),
        ("rc 2 2", "lc 2 2", "lr 2 2", "rr 2 2"),
        ("lc 2 2", "rc 2 2", "rr 2 2", "lr 1 1"),
        ("lc 1 1", "rc 1 1", "mv 2 2", "lr 2 2", "rr 2 2"),
    ],
)
def test_a_chord_counts_once_however_it_is_made(chord: tuple[str, ...]) -> None:
    assert after_open_and_flag(*chord) == ["chord 1 1"]


def test_a_flag_and_a_chord_in_one_go() -> None:
    assert moves(*OPEN, "rc 2 1", "lc 2 1", "lr 2 2", "rr 2 2") == [
        "reveal 1 1",
        "flag 1 0",
        "chord 1 1",
    ]


def test_a_button_that_was_left_over_from_a_chord_is_free_again_afterwards() -> None:
    chord = ("lc 2 2", "rc 2 2", "rr 2 2", "lr 1 1")
    assert after_open_and_flag(*chord, "lc 1 1", "lr 1 1") == ["chord 1 1"]
    assert moves(*OPEN, *chord, "lc 1 1", "lr 1 1") == ["reveal 1 1", "chord 1 1", "reveal 0 0"]
    beside = ("lc 2 2", "rc 2 2", "rr 0 0", "lr 0 0")
    assert moves(*beside, "lc 1 1", "lr 1 1") == ["reveal 0 0"]


def test_the_middle_button_cancels_the_others_and_they_do_nothing_while_it_is_down() -> None:
    assert moves("lc 1 1", "mc 1 1", "lr 1 1", "mr 1 1") == ["chord 0 0"]
    assert moves("mc 1 1", "lc 1 1", "rc 1 1", "sc 1 1", "mr 0 0", "lr 1 1", "rr 1 1") == []
    assert moves("mr 1 1") == []


def test_a_left_click_on_a_number_chords_only_where_it_does_so_but_counts() -> None:
    for options in ({}, {"SuperClick": "Off"}):
        # Here a click on the number would chord, so the click goes to the flag.
        assert after_open_and_flag(*OPEN, **options) == ["reveal 1 0"]
        assert moves(*OPEN, *OPEN, **options) == ["reveal 1 1"] * 2
    two_flags = ("rc 1 1", "rr 1 1", *OPEN)
    assert after_open_and_flag(*two_flags) == ["flag 0 0", "reveal 1 1"]
    assert after_open_and_flag(*OPEN, SuperClick="On") == ["reveal 1 1"]
    without_chording = {"JMinesweeper_Rules": "kata chording=no"}
    assert moves(*OPEN, *OPEN, **without_chording) == ["reveal 1 1", "reveal 1 1"]


def test_a_right_click_on_a_number_does_nothing_but_counts() -> None:
    game = game_of(*OPEN, "rc 2 2", "rr 2 2")
    assert [format_action(logged) for logged in game.log][1:] == ["500 flag 1 1"]
    assert not game.flagged
    assert moves(*OPEN, "rc 2 2", "rr 1 1") == ["reveal 1 1", "flag 1 1"]


def test_clicks_without_effect_count_for_the_efficiency() -> None:
    game = game_of(*OPEN, *FLAG, *OPEN, *OPEN, "rc 2 2", "rr 2 2", "mc 1 1", "mr 1 1")
    figures = Figures.of(game)
    assert (figures.left_clicks, figures.right_clicks, figures.chords) == (3, 2, 1)
    assert (figures.solved, figures.efficiency) == (1, 1 / 6)
    assert figures.correctness == 2 / 6


def test_question_marks_come_between_a_flag_and_none() -> None:
    cycle = ["flag 1 0", "question 1 0", "question 1 0"]
    assert moves(*FLAG * 3, Marks="On") == cycle
    assert moves(*FLAG * 4, Marks="On") == [*cycle, "flag 1 0"]
    assert moves("mt 1 1", *FLAG * 3) == cycle
    assert moves("mt", *FLAG * 3, Marks="On") == ["flag 1 0"] * 3
