import dataclasses
import typing

import pytest

from jminesweeper.client import events


@pytest.mark.parametrize("kind", [*typing.get_args(events.Event), *typing.get_args(events.Effect)])
def test_events_and_effects_are_values(kind: type) -> None:
    assert dataclasses.is_dataclass(kind)
    required = [field for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING]
    assert kind(*(None for _ in required)) == kind(*(None for _ in required))
