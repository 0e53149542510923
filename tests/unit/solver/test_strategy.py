from dataclasses import fields

from jminesweeper.solver import FULL, PARTS, Strategy


def test_the_full_strategy_is_the_default() -> None:
    assert PARTS["full"] is FULL
    assert Strategy() == FULL


def test_every_rung_of_the_ladder_is_another_strategy() -> None:
    assert len(set(PARTS.values())) == len(PARTS)


def test_each_part_is_off_in_some_rung() -> None:
    for part in ("progress", "fifty_fifties", "regions", "endgame_layouts"):
        assert part in {field.name for field in fields(Strategy)}
        assert not all(getattr(strategy, part) for strategy in PARTS.values())
