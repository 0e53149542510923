"""Names that players give."""

import pytest

from jminesweeper.session.names import printable, typeable


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada\t ", "Ada"),
        ("\x1b[31mAda\x07\n", "[31mAda"),
        ("\u202eAda", "Ada"),
        ("x" * 99, "x" * 64),
        ("\x00", ""),
        ("Žofie 🙂", "Žofie 🙂"),
        ("Z\u030cofie", "Žofie"),
        ("A\u0334\u033ada", "Ada"),
        ("\u0301\u0302", ""),
    ],
)
def test_of_a_name_is_kept_what_can_be_shown(name: str, shown: str) -> None:
    assert printable(name) == shown


def test_what_is_typed_keeps_its_blanks() -> None:
    assert typeable(" my\x1b\n game ") == " my game "
