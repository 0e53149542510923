import pytest

from jminesweeper.protocol import Colours, Glyphs, Hello, Resize
from jminesweeper.screen import ColourDepth, Terminal
from jminesweeper.session.terminals import resized, terminal_of


def test_a_terminal_is_what_hello_says_of_it() -> None:
    hello = Hello(120, 40, colours=Colours.INDEXED, glyphs=Glyphs.UNICODE)
    assert terminal_of(hello) == Terminal(120, 40, ColourDepth.INDEXED, has_unicode=True)


@pytest.mark.parametrize(("length", "side"), [(0, 1), (1, 1), (255, 255), (65535, 255)])
def test_a_side_is_1_to_255_for_cursors_on_the_wire_are_bytes(length: int, side: int) -> None:
    terminal = terminal_of(Hello(length, length))
    assert (terminal.columns, terminal.rows) == (side, side)
    again = resized(Terminal(), Resize(length, length))
    assert (again.columns, again.rows) == (side, side)


def test_what_is_not_known_counts_as_the_least() -> None:
    terminal = terminal_of(Hello(80, 24, colours=99, glyphs=99))
    assert (terminal.colours, terminal.has_unicode) == (ColourDepth.NONE, False)


def test_a_new_size_changes_nothing_else() -> None:
    before = Terminal(80, 24, ColourDepth.TRUE, has_unicode=True)
    assert resized(before, Resize(100, 30)) == Terminal(100, 30, ColourDepth.TRUE, has_unicode=True)
