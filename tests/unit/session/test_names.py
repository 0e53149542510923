"""Names of players: what counts as one, and which are taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.session.messages import numbered, player_name


@pytest.mark.parametrize(
    "blank", ["", " ", "\u2800", "\u3164 \uffa0", "\u115f\u1160", "\u200b", "\t", "\u0301", "#"]
)
def test_what_shows_nothing_is_no_name(blank: str) -> None:
    assert player_name(blank) == ""


@pytest.mark.parametrize("name", ["anonymous", " Anonymous "])
def test_nobody_is_called_like_the_nameless(name: str) -> None:
    assert player_name(name) == ""


def test_a_name_is_kept_without_blank_characters_and_the_sign_of_numbers() -> None:
    assert player_name("  Ada\u2800 Lovelace ") == "Ada Lovelace"
    assert player_name("Ada #0042") == "Ada 0042"


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert numbered(["Ada", "Bob", "ada", "ADA", "Bob"]) == [
        "Ada",
        "Bob",
        "ada#2",
        "ADA#3",
        "Bob#2",
    ]


def test_the_nameless_are_anonymous_and_have_no_numbers() -> None:
    assert numbered(["", ""]) == ["anonymous", "anonymous"]


@given(st.text(max_size=80))
def test_any_text_is_a_name_or_none(text: str) -> None:
    name = player_name(text)
    assert len(name) <= 64
    assert player_name(name) == name
