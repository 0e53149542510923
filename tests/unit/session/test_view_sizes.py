"""How few bytes a browser gets for an action."""

from benchmarks.page import measure_bytes


def test_a_view_of_an_expert_game_is_small() -> None:
    sizes = {figure.name: figure.value for figure in measure_bytes(8)}
    assert sizes["page: median reply of an Expert game"] <= 70
    assert sizes["page: largest reply while it runs"] <= 200
