"""What a player chooses and keeps."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.screen.models import CellSize, Palette, Taste
from jminesweeper.session.settings import BOARDS, Settings


@pytest.mark.requirement("C:Difficulty Selection")
@pytest.mark.parametrize(
    ("board", "size", "mines"),
    [
        ("beginner", Size(9, 9), 10),
        ("intermediate", Size(16, 16), 40),
        ("expert", Size(30, 16), 99),
        ("easy", Size(12, 10), 6),
        ("medium", Size(12, 10), 30),
        ("hard", Size(12, 10), 54),
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


@pytest.mark.parametrize(
    ("glyphs", "terminal", "has_unicode"),
    [
        (None, True, True),
        (None, False, False),
        (True, False, True),
        (False, True, False),
    ],
)
def test_looks_follow_the_terminal_unless_set(
    glyphs: bool | None, terminal: bool, has_unicode: bool
) -> None:
    settings = Settings(glyphs=glyphs, palette=Palette.OKABE_ITO, cell_size=CellSize.ONE)
    taste = settings.taste(terminal_has_unicode=terminal)
    assert taste == Taste(Palette.OKABE_ITO, has_unicode, CellSize.ONE)


class TestTurning:
    def test_choices_go_round(self) -> None:
        settings = Settings()
        boards = []
        for _ in BOARDS:
            boards.append(settings.board)
            settings = settings.turned("board", 1)
        assert boards == [*BOARDS]
        assert settings == Settings()
        assert settings.turned("board", -1).board == BOARDS[-1]

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("rules", {"jminesweeper", "classic", "kata", "formal"}),
            ("first_click", {None, *FirstReveal}),
            ("chording", {None, True, False}),
            ("auto_open", {None, True, False}),
            ("no_guess", {False, True}),
            ("question_marks", {False, True}),
            ("pace", {False, True}),
            ("palette", set(Palette)),
            ("glyphs", {None, True, False}),
            ("cell_size", set(CellSize)),
        ],
    )
    def test_every_value_can_be_reached(self, name: str, values: set[object]) -> None:
        settings, found = Settings(), set()
        for _ in values:
            found.add(getattr(settings, name))
            settings = settings.turned(name, 1)
        assert found == values
        assert settings == Settings()

    @pytest.mark.parametrize(
        ("name", "low", "high"), [("columns", 1, 255), ("rows", 1, 255), ("mines", 1, 599)]
    )
    def test_numbers_stop_at_their_ends(self, name: str, low: int, high: int) -> None:
        assert getattr(Settings().turned(name, -(1 << 20)), name) == low
        assert getattr(Settings().turned(name, 1 << 20), name) == high


@st.composite
def all_settings(draw: st.DrawFn) -> Settings:
    settings = Settings()
    for name in Settings().to_texts():
        if name != "last_board":
            settings = settings.turned(name, draw(st.integers(-300, 300)))
    return replace(settings, last_board=draw(st.sampled_from((None, settings.variant))))


class TestKeeping:
    @pytest.mark.requirement("C:Settings Menu")
    @given(all_settings())
    def test_what_is_kept_is_read_back(self, settings: Settings) -> None:
        assert Settings.from_texts(settings.to_texts()) == settings

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
            ("palette", "pink"),
            ("last_board", "expert"),
            ("last_board", "expert 30x16 99 no-guess"),
            ("last_board", "expert 30x16 481 classic"),
        ],
    )
    def test_what_makes_no_sense_is_as_if_not_set(self, name: str, text: str) -> None:
        kept = {**Settings(columns=17).to_texts(), name: text}
        read = Settings.from_texts(kept)
        assert getattr(read, name) == getattr(Settings(), name)
        assert Settings.from_texts({"later": "1"}) == Settings()

    def test_what_was_kept_by_earlier_versions_is_read(self) -> None:
        kept = {
            "board": "expert",
            "columns": "12",
            "rules": "formal",
            "first_click": "zero",
            "chording": "on",
            "auto_open": "as the rules say",
            "no_guess": "on",
            "palette": "okabe-ito",
            "glyphs": "as the terminal has",
            "cell_width": "1",
        }
        assert Settings.from_texts(kept) == Settings(
            board="expert",
            columns=12,
            rules="formal",
            first_click=FirstReveal.ZERO,
            chording=True,
            no_guess=True,
            palette=Palette.OKABE_ITO,
            cell_size=CellSize.ONE,
        )
