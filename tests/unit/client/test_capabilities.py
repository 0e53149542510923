import pytest

from jminesweeper.client.capabilities import (
    ColourChoice,
    chosen_colours,
    colour_depth,
    has_unicode,
    is_dumb,
    tells_background,
    told_background,
    wants_colour,
)
from jminesweeper.terminal.looks import ColourDepth, Ground

AUTO, ALWAYS, NEVER = ColourChoice.AUTO, ColourChoice.ALWAYS, ColourChoice.NEVER


@pytest.mark.parametrize(
    ("choice", "environ", "is_terminal", "wanted"),
    [
        (ALWAYS, {"NO_COLOR": "1"}, False, True),
        (NEVER, {"FORCE_COLOR": "1"}, True, False),
        (AUTO, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        (AUTO, {"NO_COLOR": ""}, True, True),
        (AUTO, {"FORCE_COLOR": "1"}, False, True),
        (AUTO, {}, True, True),
        (AUTO, {}, False, False),
    ],
)
def test_the_option_counts_before_no_color_before_force_color_before_the_terminal(
    choice: ColourChoice, environ: dict[str, str], is_terminal: bool, wanted: bool
) -> None:
    assert wants_colour(choice, environ, is_terminal=is_terminal) is wanted


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"COLORTERM": "truecolor", "TERM": "xterm"}, ColourDepth.TRUE),
        ({"COLORTERM": "24bit"}, ColourDepth.TRUE),
        ({"TERM": "xterm-direct"}, ColourDepth.TRUE),
        ({"TERM": "xterm-kitty"}, ColourDepth.TRUE),
        ({"TERM": "st-256color"}, ColourDepth.TRUE),
        ({"TERM": "xterm-256color"}, ColourDepth.INDEXED),
        ({"TERM": "screen.xterm-256color", "COLORTERM": "1"}, ColourDepth.INDEXED),
        ({"TERM": "linux"}, ColourDepth.SIXTEEN),
        ({"TERM": "xterm"}, ColourDepth.SIXTEEN),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"}, ColourDepth.TRUE),
        ({"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"}, ColourDepth.TRUE),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(330)"}, ColourDepth.INDEXED),
        ({"TERM": "xterm", "XTERM_VERSION": "odd"}, ColourDepth.SIXTEEN),
        ({"TERM": "screen-256color", "XTERM_VERSION": "XTerm(379)"}, ColourDepth.INDEXED),
        ({"TERM": "vt220", "XTERM_VERSION": "XTerm(379)"}, ColourDepth.NONE),
        ({"TERM": "vt220"}, ColourDepth.NONE),
        ({"TERM": "xterm-mono"}, ColourDepth.NONE),
        ({}, ColourDepth.SIXTEEN),
    ],
)
def test_terminals_are_taken_at_their_word(environ: dict[str, str], depth: ColourDepth) -> None:
    assert colour_depth(environ) == depth


@pytest.mark.parametrize("encoding", ["UTF-8", "utf8", "utf_8"])
def test_a_terminal_of_utf_8_shows_every_character(encoding: str) -> None:
    assert has_unicode(encoding)


@pytest.mark.parametrize("encoding", ["ANSI_X3.4-1968", "ISO-8859-1", ""])
def test_any_other_is_shown_ascii(encoding: str) -> None:
    assert not has_unicode(encoding)


def test_the_linux_console_is_shown_what_its_fonts_have() -> None:
    assert not has_unicode("UTF-8", {"TERM": "linux"})
    assert has_unicode("UTF-8", {"TERM": "xterm"})


def test_a_terminal_without_a_name_or_any_skill_cannot_be_painted_on() -> None:
    assert is_dumb({})
    assert is_dumb({"TERM": "dumb"})
    assert not is_dumb({"TERM": "linux"})


@pytest.mark.parametrize(
    ("choice", "environ", "colours"),
    [
        (ColourChoice.AUTO, {"TERM": "xterm-256color"}, ColourDepth.INDEXED),
        (ColourChoice.AUTO, {"TERM": "vt100"}, ColourDepth.SIXTEEN),
        (ColourChoice.AUTO, {"TERM": "xterm-256color", "NO_COLOR": "1"}, ColourDepth.NONE),
        (ColourChoice.NEVER, {"COLORTERM": "truecolor"}, ColourDepth.NONE),
    ],
)
def test_a_screen_has_no_colours_or_at_least_sixteen(
    choice: ColourChoice, environ: dict[str, str], colours: ColourDepth
) -> None:
    assert chosen_colours(choice, environ) == colours


@pytest.mark.parametrize(
    ("told", "ground"),
    [
        ("15;0", Ground.DARK),
        ("0;15", Ground.LIGHT),
        ("0;default;7", Ground.LIGHT),
        ("7;8", Ground.DARK),
        ("default", None),
        ("", None),
    ],
)
def test_rxvt_tells_its_background_in_the_environment(told: str, ground: Ground | None) -> None:
    assert told_background({"COLORFGBG": told}) is ground


def test_a_terminal_is_asked_for_its_background_only_where_that_is_safe() -> None:
    assert tells_background({"TERM": "tmux-256color"})
    assert tells_background({"TERM": "xterm-256color"})
    assert not tells_background({"TERM": "linux"})
    assert not tells_background({"TERM": "vt100"})
    assert not tells_background({"TERM": "xterm-256color", "STY": "1.pts"})
