"""Names of players: what counts as one, and which look alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.records.reading import Score
from jminesweeper.session.names import look, names_of, player_name


def scores(*names: str) -> list[Score]:
    return [
        Score(name, number, f"game {number}", 0, f"player {number}")
        for number, name in enumerate(names)
    ]


@pytest.mark.parametrize(
    "blank", ["", " ", "\u2800", "\u3164 \uffa0", "\u115f\u1160", "\u200b", "\t", "\u0301", "#"]
)
def test_what_shows_nothing_is_no_name(blank: str) -> None:
    assert player_name(blank) == ""


@pytest.mark.parametrize("name", ["anonymous", "Anonymous", " an0nym\u043eus "])
def test_nobody_is_called_like_the_nameless(name: str) -> None:
    assert player_name(name) == ""


def test_a_name_is_kept_without_blank_characters_and_the_sign_of_numbers() -> None:
    assert player_name("  Ada\u2800 Lovelace ") == "Ada Lovelace"
    assert player_name("Ada #0042") == "Ada 0042"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ada"),
        ("Ada", "A d a"),
        ("Ada", "\u0410d\u0430"),
        ("Ada", "\u0391da."),
        ("Ada", "\u00c1da"),
        ("Ada", "\uff21da"),
        ("Bob", "B0b"),
        ("Bob", "8ob"),
        ("Bob", "B\u03bfb"),
        ("Bill", "BI11"),
        ("Bill", "Bi|l"),
        ("Jess", "\u0408e5s"),
        ("modern", "rnodem"),
        ("Wim", "VVim"),
        ("!?", "! ?"),
    ],
)
def test_names_that_look_alike_have_one_look(one: str, other: str) -> None:
    assert look(one) == look(other)


def test_names_that_differ_at_a_glance_have_different_looks() -> None:
    names = ["Ada", "Adam", "Bob", "Rob", "Bill", "Ada 2", "Jess", "\u042f", "?"]
    assert len({look(name) for name in names}) == len(names)


def test_players_whose_names_look_alike_get_numbers_of_their_own() -> None:
    one, other, bob = names_of(scores("Ada", "\u0410da", "Bob"))
    assert one.startswith("Ada #")
    assert other.startswith("\u0410da #")
    assert one[-4:].isdecimal()
    assert one[-4:] != other[-4:]
    assert bob == "Bob"


def test_a_number_does_not_depend_on_the_place() -> None:
    there = scores("Ada", "ada", "ADA")
    assert sorted(names_of(there)) == sorted(names_of(there[::-1]))


def test_the_nameless_are_anonymous_and_have_no_numbers() -> None:
    assert names_of(scores("", "")) == ["anonymous", "anonymous"]


@given(st.text(max_size=80))
def test_any_text_is_a_name_or_none(text: str) -> None:
    name = player_name(text)
    assert len(name) <= 64
    assert player_name(name) == name
    assert not name or look(name)
