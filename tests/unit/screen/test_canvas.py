from jminesweeper.screen import Taste, Terminal
from jminesweeper.screen.canvas import Canvas, Kept, Screen
from jminesweeper.screen.symbols import ASCII, UNICODE


def test_unicode_is_used_where_terminal_and_player_want_it() -> None:
    able, unable = Terminal(has_unicode=True), Terminal(has_unicode=False)
    assert Canvas.of(able, Taste()).symbols is UNICODE
    assert Canvas.of(able, Taste()).has_unicode
    assert Canvas.of(able, Taste(has_unicode=False)).symbols is ASCII
    assert Canvas.of(unable, Taste()).symbols is ASCII


def test_a_screen_has_1_to_255_columns_and_rows() -> None:
    smallest, largest = (Canvas.of(Terminal(side, side), Taste()) for side in (0, 65_535))
    assert (smallest.columns, smallest.rows) == (1, 1)
    assert (largest.columns, largest.rows) == (255, 255)


def test_what_is_kept_is_made_anew_for_another_key_only() -> None:
    kept = Kept[list[int]]()
    first = kept.get((1,), list)
    assert kept.get((1,), list) is first
    assert kept.get((2,), list) is not first


def test_a_screen_hides_its_cursor_unless_it_says_otherwise() -> None:
    assert not Screen([]).cursor_shown
