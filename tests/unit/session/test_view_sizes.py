"""How few bytes a browser gets for an action."""

from benchmarks.page import measure_bytes


def test_a_view_of_an_expert_game_is_small() -> None:
    aims = {figure.name: (figure.value, figure.aim) for figure in measure_bytes(8) if figure.aim}
    assert [aim for _, aim in aims.values()] == [70, 200]
    assert {name: value for name, (value, aim) in aims.items() if value > aim} == {}
