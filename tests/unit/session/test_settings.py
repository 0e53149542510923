"""Settings that a player chooses and keeps."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.session.settings import Settings, choices_of


@pytest.mark.requirement("C:Difficulty Selection")
@pytest.mark.parametrize(
    ("board", "size", "mines"),
    [
        ("beginner", Size(9, 9), 10),
        ("intermediate", Size(16, 16), 40),
        ("expert", Size(30, 16), 99),
        ("easy", Size(20, 10), 10),
        ("medium", Size(20, 10), 50),
        ("hard", Size(20, 10), 90),
        ("custom", Size(12, 10), 25),
    ],
)
def test_the_board_gives_size_and_mines(board: str, size: Size, mines: int) -> None:
    settings = Settings(board=board, columns=12, rows=10, mines=25)
    assert (settings.variant.size, settings.variant.mine_count) == (size, mines)


@pytest.mark.parametrize(("columns", "mines", "fitting"), [(1, 9, 1), (3, 9, 2), (10, 9, 9)])
def test_a_custom_board_has_a_safe_cell_where_it_can(
    columns: int, mines: int, fitting: int
) -> None:
    settings = Settings(board="custom", columns=columns, rows=1, mines=mines)
    assert settings.variant.mine_count == fitting


@pytest.mark.requirement("C:Settings Menu")
def test_rules_are_the_preset_s_but_for_what_is_set() -> None:
    assert Settings().variant.rules == PRESETS["classic"]
    changed = Settings(
        rules="jminesweeper",
        first_click=FirstReveal.SAFE,
        chording=True,
        auto_open=False,
    ).variant.rules
    assert changed.first_reveal is FirstReveal.SAFE
    assert changed.chording
    assert not changed.auto_open
    assert changed.victory is PRESETS["jminesweeper"].victory


NUMBERS = {"columns": (1, 255), "rows": (1, 255), "mines": (1, 599)}
CHOICES = ("board", "rules", "first_click", "chording", "auto_open", "no_guess", "pace")


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_can_be_made(name: str) -> None:
    texts = choices_of(name)
    assert [Settings().with_text(name, text).text(name) for text in texts] == [*texts]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_stop_at_their_ends(name: str) -> None:
    low, high = NUMBERS[name]
    assert Settings().range_of(name) == (low, high)
    assert getattr(Settings().with_text(name, "0"), name) == low
    assert getattr(Settings().with_text(name, "9" * 99), name) == high


@st.composite
def all_settings(draw: st.DrawFn) -> Settings:
    settings = Settings()
    for name in CHOICES:
        settings = settings.with_text(name, draw(st.sampled_from(choices_of(name))))
    for name in NUMBERS:
        settings = settings.with_text(name, str(draw(st.integers(0, 600))))
    return replace(settings, last_board=draw(st.sampled_from((None, settings.variant))))


class TestKeeping:
    @pytest.mark.requirement("C:Settings Menu")
    @given(all_settings())
    def test_what_is_kept_is_read_back(self, settings: Settings) -> None:
        assert Settings.from_texts(*settings.to_texts().items()) == settings

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("board", "infinity"),
            ("columns", "0"),
            ("rows", "256"),
            ("mines", "many"),
            ("mines", "9" * 9_999),
            ("rules", ""),
            ("no_guess", "perhaps"),
            ("last_board", "experts"),
            ("last_board", "expert 30x16 no-guess"),
            ("last_board", "expert 30x16/481 classic"),
        ],
    )
    def test_what_makes_no_sense_is_as_if_not_set(self, name: str, text: str) -> None:
        kept = {**Settings(columns=17).to_texts(), name: text}
        read = Settings.from_texts(*kept.items())
        assert getattr(read, name) == getattr(Settings(), name)
        assert Settings.from_texts(("later", "1")) == Settings()
