"""From what a player asks for to a game's setup."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.core.seedcode import daily_setup, format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import Start
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import ChoiceError
from jminesweeper.session.settings import (
    Settings,
    setup_of_another,
    setup_of_code,
    setup_of_day,
    setup_of_same_board,
    setup_of_settings,
    setup_of_start,
    setup_of_text,
)
from tests.world.player import SEED, same_seed
from tests.world.server import CONFIG, DAY_SEEDS

DAY = date(2026, 11, 18)
SEED_OF_DAY = DAY_SEEDS.of(DAY) or b""
CLASSIC = PRESETS["classic"]
FORMAL = Setup.of(Size(7, 5), 6, "formal", seed=99)


def chosen(text: str, match: Match | None = None, settings: Settings | None = None) -> Setup:
    return setup_of_text(text, settings or Settings(), match, same_seed, config=CONFIG, day=DAY)


def match_of(setup: Setup = FORMAL) -> Match:
    return Match(Game(setup))


class TestStart:
    @pytest.mark.parametrize(
        ("level", "name", "mines"), [(1, "easy", 10), (2, "medium", 50), (3, "hard", 90)]
    )
    def test_it_is_a_level_by_the_rules_of_document_j(
        self, level: int, name: str, mines: int
    ) -> None:
        variant = Variant(name, Size(20, 10), mines, PRESETS["jminesweeper"])
        assert setup_of_start(Start(20, 10, level), same_seed) == Setup(variant, SEED)

    @pytest.mark.parametrize("packet", [Start(0, 1, 1), Start(1, 0, 1), Start(1, 1, 4)])
    def test_what_is_out_of_range_is_an_error_that_says_the_range(self, packet: Start) -> None:
        with pytest.raises(ChoiceError, match="1 to 255, levels 1 to 3"):
            setup_of_start(packet, same_seed)


class TestCode:
    @pytest.mark.parametrize(
        "setup",
        [
            Setup.of("beginner", seed=7),
            Setup.of(Size(20, 10), 10, "jminesweeper", seed=7),
            Setup.of("beginner", rules=replace(PRESETS["kata"], chording=True), seed=7),
        ],
    )
    def test_it_says_everything_about_the_board_which_is_then_a_repeat(self, setup: Setup) -> None:
        found = setup_of_code(f" {format_seed_code(setup).lower()} ")
        assert format_seed_code(found) == format_seed_code(setup)
        assert found.variant.is_repeat
        assert found.variant.label == setup.variant.label

    @pytest.mark.parametrize("code", ["", "no code", "SC1S-MR", "x" * 64])
    def test_anything_else_is_an_error(self, code: str) -> None:
        with pytest.raises(ChoiceError, match="Invalid seed code"):
            setup_of_code(code)


class TestNewGame:
    @pytest.mark.requirement("C:Difficulty Levels")
    @pytest.mark.parametrize(
        ("text", "variant"),
        [
            ("beginner", Variant("beginner", Size(9, 9), 10, CLASSIC)),
            ("intermediate", Variant("intermediate", Size(16, 16), 40, CLASSIC)),
            ("expert", Variant("expert", Size(30, 16), 99, CLASSIC)),
            ("12x8/20 formal", Variant("custom", Size(12, 8), 20, PRESETS["formal"])),
            ("medium 10x10 kata", Variant("medium", Size(10, 10), 25, PRESETS["kata"])),
            ("beginner no-guess", Variant("beginner", Size(9, 9), 10, CLASSIC, is_no_guess=True)),
            (
                "beginner first-reveal=zero auto-open=no",
                Variant(
                    "beginner",
                    Size(9, 9),
                    10,
                    replace(CLASSIC, first_reveal=FirstReveal.ZERO, auto_open=False),
                ),
            ),
        ],
    )
    def test_a_board_is_as_asked_for(self, text: str, variant: Variant) -> None:
        assert chosen(text) == Setup(variant, SEED)

    @pytest.mark.parametrize(
        "text", ["beginner seed=7", "beginner\tseed=7", "beginner seed=7 kata", "9x9/10 first=1,1"]
    )
    def test_a_board_whose_mines_are_named_in_any_way_does_not_rank(self, text: str) -> None:
        assert chosen(text).variant.is_repeat

    def test_a_seed_names_the_board_which_may_then_be_known(self) -> None:
        assert chosen("beginner seed=77 first=4,4").text == (
            "beginner classic repeat seed=77 first=4,4"
        )

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("chess", "not a board: 'chess'"),
            (" ", "not a board: ''"),
            ("again and again", "not a board: 'again and again'"),
            ("daily chess", "the day has boards of the classic game only"),
            ("daily expert expert", "the day has boards of the classic game only"),
            ("0x5/3", "columns must be 1 to 255, not 0"),
            ("5x0/3", "rows must be 1 to 255, not 0"),
            ("5x5/0", "holds 1 to 25 mines, not 0"),
            ("5x5/25", "holds 1 to 24 mines, not 25"),
            ("1x1/2", "holds 1 mine, not 2"),
            ("easy 0x5", "columns must be 1 to 255, not 0"),
            ("beginner chess", "rules 'chess' is none of"),
            ("beginner first-reveal=last", "rules have no 'first-reveal=last'"),
            ("beginner mine=life", "only these change: first-reveal, chording, auto-open"),
            ("beginner victory=flags", "only these change"),
            ("beginner seed=-1", "not a number: '-1'"),
            ("beginner daily=2026-11-18", "only a board that was played"),
            ("beginner repeat", "only a board that was played"),
            ("expert 9x9/10", "is not 'expert'"),
            ("3x1/1 layout=*..", "a server lays the mines itself"),
        ],
    )
    def test_what_makes_no_sense_is_an_error_that_says_so(self, text: str, reason: str) -> None:
        with pytest.raises(ChoiceError, match=f"No such game: .*{reason}"):
            chosen(text)

    def test_one_cell_holds_one_mine(self) -> None:
        assert chosen("1x1/1 jminesweeper").mine_count == 1


class TestAgain:
    @pytest.mark.requirement("C:Standard Controls")
    def test_the_same_settings_make_another_board(self) -> None:
        setup = chosen("", match_of())
        assert setup == replace(FORMAL, seed=SEED)

    def test_what_marked_the_last_game_is_not_carried_over(self) -> None:
        variant = Setup.of("beginner", seed=1).variant
        marked = replace(variant, daily=DAY, is_repeat=True, is_no_guess=True)
        match = match_of(Setup(marked, 1))
        match.allow_guesses()
        again = setup_of_another(match, same_seed)
        assert again.variant == replace(variant, is_no_guess=True)

    def test_a_board_that_was_laid_by_hand_is_drawn_anew(self) -> None:
        setup = setup_of_another(match_of(Setup.of(Size(3, 3), layout=5)), same_seed)
        assert (setup.seed, setup.layout, setup.mine_count) == (SEED, None, 2)

    def test_the_same_board_is_a_repeat(self) -> None:
        setup = chosen("again", match_of())
        assert setup == setup_of_same_board(match_of())
        assert setup.minefield() == FORMAL.minefield()
        assert setup.variant.is_repeat

    def test_the_same_board_has_its_mines_wherever_it_is_begun(self) -> None:
        for seed in range(20):
            match = match_of(Setup.of("beginner", seed=seed))
            match.game.reveal((4, 4))
            again = Game(setup_of_same_board(match))
            again.reveal((0, 0))
            assert again.view == match.game.view

    @pytest.mark.parametrize("text", ["", "again"])
    def test_before_the_first_game_the_settings_count(self, text: str) -> None:
        settings = Settings(board="expert")
        assert chosen(text, settings=settings) == Setup.of("expert", seed=SEED)


class TestDaily:
    def test_it_is_the_day_s_board_of_the_engine(self) -> None:
        setup = setup_of_day(CONFIG, "beginner", DAY)
        assert setup == daily_setup(DAY, "beginner", SEED_OF_DAY)
        assert setup.variant.daily == DAY

    @pytest.mark.parametrize(
        ("text", "board", "name"),
        [
            ("daily beginner", "expert", "beginner"),
            ("daily expert", "beginner", "expert"),
            ("daily", "intermediate", "intermediate"),
            ("daily", "custom", "expert"),
        ],
    )
    def test_its_size_is_named_by_the_text_or_the_settings(
        self, text: str, board: str, name: str
    ) -> None:
        assert chosen(text, settings=Settings(board=board)) == daily_setup(DAY, name, SEED_OF_DAY)

    def test_there_is_none_where_no_store_keeps_a_secret(self) -> None:
        with pytest.raises(ChoiceError, match="no board of the day"):
            setup_of_day(SessionConfig(), "beginner", DAY)


def test_settings_are_played_with_their_rules() -> None:
    settings = Settings(
        board="custom", columns=6, rows=5, mines=4, first_click=FirstReveal.ZERO, no_guess=True
    )
    setup = setup_of_settings(settings, same_seed)
    assert (setup.size, setup.mine_count, setup.seed) == (Size(6, 5), 4, SEED)
    assert setup.rules.first_reveal is FirstReveal.ZERO
    assert setup.variant.is_no_guess
