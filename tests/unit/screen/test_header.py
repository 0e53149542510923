import pytest

from jminesweeper.screen import GameScreen
from jminesweeper.screen.header import compose_header, format_clock
from jminesweeper.screen.lines import Line
from jminesweeper.screen.styles import Style
from tests.unit.core.boards import play
from tests.unit.screen.examples import screen_of


def header(model: GameScreen, width: int = 64, *, is_windowed: bool = False) -> Line:
    return compose_header(model, width, is_windowed=is_windowed, has_unicode=True)


@pytest.mark.requirement("C:Timer Display")
def test_the_clock_shows_whole_seconds() -> None:
    assert [format_clock(ms) for ms in (0, 999, 1_000, 83_999, 6_000_000)] == [
        "0:00",
        "0:00",
        "0:01",
        "1:23",
        "100:00",
    ]


@pytest.mark.requirement("C:Mine Counter", "C:Timer Display")
def test_the_header_tells_what_is_played_what_is_left_and_how_long_it_took() -> None:
    text = header(screen_of("? F\n1 ?", label="expert 30x16", elapsed_ms=61_000)).text
    assert text.split() == ["JMinesweeper", "expert", "30x16", "mines", "0", "1:01"]
    assert len(text) == 64


@pytest.mark.requirement("C:Mine Counter")
def test_the_counter_may_go_below_zero() -> None:
    assert header(screen_of("F F\nF ?")).text.split()[-2] == "-2"


@pytest.mark.requirement("C:Visual Feedback")
@pytest.mark.parametrize(
    ("moves", "state", "style"),
    [
        (("reveal 1 0", "reveal 0 1", "reveal 1 1"), "WON", Style.GOOD),
        (("reveal 0 1", "reveal 0 0"), "LOST", Style.BAD),
        ((), "paused", Style.WARNING),
    ],
)
def test_the_state_is_told_in_words_and_in_colour(
    moves: tuple[str, ...], state: str, style: Style
) -> None:
    line = header(screen_of(play("*.\n..", "classic", *moves), state=state))
    assert line.styles[line.text.index(state)] == style


def test_the_name_goes_first_where_there_is_little_room_and_then_a_word() -> None:
    model = screen_of("? ?", label="intermediate 16x16")
    assert header(model, 60).text.startswith("JMinesweeper  intermediate 16x16")
    assert header(model, 40).text.startswith("intermediate 16x16")
    assert "mines" in header(model, 40).text
    assert "mines" not in header(model, 30).text
    assert header(model, 30).text.endswith("0:00")


def test_the_cursors_place_is_told_at_the_left_end_while_the_field_does_not_fit() -> None:
    model = screen_of("? ? ?\n? ? ?", (2, 1))
    assert header(model, is_windowed=True).text.startswith("  2,1    JMinesweeper")
    over = screen_of(play("*.", "classic", "reveal 1 0"))
    assert header(over, is_windowed=True).text.startswith("JMinesweeper")


def test_a_step_changes_few_columns_of_the_header() -> None:
    row = "?" * 200
    nine, ten = (header(screen_of(row, (column, 0)), is_windowed=True).text for column in (9, 10))
    assert [column for column in range(64) if nine[column] != ten[column]] == [1, 2]


def test_a_label_from_outside_is_harmless() -> None:
    assert "\x1b" not in header(screen_of("? ?", label="\x1b[2Jgone", state="\x1b[m")).text
