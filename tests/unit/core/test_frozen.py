from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any, ClassVar

import pytest

from jminesweeper.core.frozen import frozen


@frozen
class Move:
    column: int
    row: int = 0
    names: list[str] = dataclasses.field(default_factory=list)
    secret: str = dataclasses.field(default="", repr=False, compare=False)
    WIRE: ClassVar[int] = 7


@frozen
class Jump(Move):
    height: int = 1


@frozen
class Nothing:
    pass


@frozen
class Pair:
    first: int
    second: int


@frozen
class Checked:
    number: int
    label: str = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError("too small")
        object.__setattr__(self, "label", f"number {self.number}")

    def __hash__(self) -> int:
        return 42


@frozen(kw_only=True)
class Options:
    """What may be chosen."""

    size: int = 9
    name: str


@frozen(eq=False)
class Marker:
    name: str


def test_arguments_are_taken_by_place_and_by_name() -> None:
    move = Move(1, row=2, secret="hidden")

    assert (move.column, move.row, move.names, move.secret) == (1, 2, [], "hidden")


def test_a_default_that_is_made_is_made_for_each_value() -> None:
    one, other = Move(1), Move(1)

    one.names.append("mine")

    assert other.names == []


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3), {}), ((1, 2), {"third": 3})])
def test_wrong_arguments_are_refused_by_the_name_of_the_class(
    given: tuple[int, ...], named: dict[str, int]
) -> None:
    with pytest.raises(TypeError, match=r"Pair\.__init__\(\)"):
        Pair(*given, **named)


def test_values_of_one_class_are_compared_and_hashed_by_their_fields() -> None:
    assert Pair(1, 2) == Pair(1, 2)
    assert Pair(1, 2) != Pair(2, 1)
    assert len({Pair(1, 2), Pair(1, 2), Pair(2, 1)}) == 2
    assert Move(1, secret="one") == Move(1, secret="other")
    assert Nothing() == Nothing()


def test_values_of_two_classes_are_never_equal() -> None:
    assert Move(1) != Jump(1)
    assert Nothing() not in {Marker("here"), Pair(1, 2)}


def test_without_eq_a_value_equals_nothing_but_itself() -> None:
    here, there = Marker("here"), Marker("here")

    assert here != there
    assert len({here, there, here}) == 2


def test_nothing_can_be_changed_or_added() -> None:
    move = Move(1)

    for name in ("column", "colour"):
        with pytest.raises(dataclasses.FrozenInstanceError, match=name):
            setattr(move, name, 2)
        with pytest.raises(dataclasses.FrozenInstanceError, match=name):
            delattr(move, name)
    assert not hasattr(move, "__dict__")


def test_a_value_is_shown_as_it_is_written() -> None:
    assert repr(Jump(1, 2, secret="hidden")) == "Jump(column=1, row=2, names=[], height=1)"
    assert repr(Nothing()) == "Nothing()"


def test_a_class_has_the_fields_of_the_class_before_it() -> None:
    assert Jump(1, 2, [], "", 3).height == 3
    assert Jump.__match_args__ == ("column", "row", "names", "secret", "height")
    assert Jump.WIRE == 7


def test_what_a_class_says_itself_counts() -> None:
    assert Checked(1).label == "number 1"
    assert hash(Checked(1)) == 42
    with pytest.raises(ValueError, match="too small"):
        Checked(-1)


def test_options_are_given_by_name_in_any_order() -> None:
    assert Options(name="expert").size == 9
    by_place: Any = Options
    with pytest.raises(TypeError, match="positional"):
        by_place(9, "expert")
    assert dataclasses.replace(Options(name="expert"), size=16) == Options(name="expert", size=16)


def test_the_signature_is_that_of_a_dataclass() -> None:
    shown = (
        "(column: 'int', row: 'int' = 0, names: 'list[str]' = <class 'list'>, secret: 'str' = '')"
    )
    assert str(inspect.signature(Move)) == shown
    assert str(inspect.signature(Options)) == "(*, size: 'int' = 9, name: 'str')"
    assert str(inspect.signature(Checked)) == "(number: 'int')"


def test_a_value_is_taken_apart_by_a_pattern() -> None:
    match Pair(1, 2):
        case Pair(first, second):
            assert (first, second) == (1, 2)


def test_the_functions_of_dataclasses_take_it() -> None:
    assert dataclasses.replace(Jump(1), row=5) == Jump(1, 5)
    assert vars(Pair)["__replace__"](Pair(1, 2), second=3) == Pair(1, 3)
    assert [each.name for each in dataclasses.fields(Checked)] == ["number", "label"]
    assert dataclasses.asdict(Pair(1, 2)) == {"first": 1, "second": 2}
    assert dataclasses.is_dataclass(Nothing)


@pytest.mark.parametrize("value", [Jump(1, 2, ["mine"], "hidden"), Checked(3), Nothing()])
def test_a_copy_is_the_same_value(value: object) -> None:
    for copied in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert copied == value
        assert repr(copied) == repr(value)
