from jminesweeper.screen import (
    CellWidth,
    ColourDepth,
    MenuItem,
    Message,
    Palette,
    Taste,
    Terminal,
    Tone,
)


def test_a_terminal_of_which_nothing_is_known_shows_plain_ascii() -> None:
    assert Terminal() == Terminal(80, 24, ColourDepth.NONE, has_unicode=False)


def test_nothing_is_changed_for_players_without_wishes() -> None:
    assert Taste() == Taste(Palette.DEFAULT, has_unicode=True, cell_width=CellWidth.AUTO)


def test_a_message_is_plain_unless_it_is_meant_otherwise() -> None:
    assert Message("Hello").tone is Tone.PLAIN


def test_an_item_of_a_menu_can_be_chosen_unless_it_says_otherwise() -> None:
    assert MenuItem("New game").is_enabled


def test_models_are_values() -> None:
    assert len({Message("Hello"), Message("Hello"), MenuItem("Hello")}) == 2
