"""A picture that moves, played by a small reader of it: what is seen at each moment."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from xml.etree import ElementTree as ET

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.svg import END_S, LONGEST_S, format_svg
from jminesweeper.solver.playing import Solver
from tests.unit.core.boards import play

SVG = "{http://www.w3.org/2000/svg}"
SIDE = 20


class Film:
    """A picture at one moment: by kind the cells at which something is seen."""

    def __init__(self, game: Game) -> None:
        self.text = format_svg(game)
        self._root = ET.fromstring(self.text)

    @property
    def long_s(self) -> float:
        (clock,) = (each for each in self._root.iter(f"{SVG}animate") if each.get("id") == "r")
        return float(clock.attrib["dur"].removesuffix("s"))

    @property
    def changes_s(self) -> list[float]:
        return sorted({begin_s for each in self._root.iter(f"{SVG}set") for begin_s in times(each)})

    def seen(self, now_s: float) -> dict[str, set[Cell]]:
        kinds: dict[str, set[Cell]] = {}
        for group in self._root:
            if group.tag == f"{SVG}g" and visibility(group, now_s) == "hidden":
                continue
            for each in (group, *group):
                for kind, cell in drawn(each):
                    kinds.setdefault(kind, set()).add(cell)
        return kinds


def times(change: ET.Element) -> tuple[float, float]:
    begin_s = float(change.attrib["begin"].removeprefix("r.begin+").removesuffix("s"))
    return begin_s, begin_s + float(change.attrib["dur"].removesuffix("s"))


def visibility(group: ET.Element, now_s: float) -> str:
    for change in group.iter(f"{SVG}set"):
        begin_s, end_s = times(change)
        if begin_s <= now_s < end_s:
            return change.attrib["to"]
    return group.get("visibility", "visible")


def drawn(each: ET.Element) -> Iterator[tuple[str, Cell]]:
    if each.tag == f"{SVG}use":
        place = int(each.attrib["x"]), int(each.attrib["y"])
        yield each.attrib["href"], Cell(place[0] // SIDE, place[1] // SIDE)
    elif each.tag == f"{SVG}path" and "class" in each.attrib:
        for tile in each.attrib["d"].removeprefix("M").split("M"):
            x, y = tile.partition("h")[0].split()
            yield each.attrib["class"], Cell(int(x) // SIDE, int(y) // SIDE)


def cells(*places: tuple[int, int]) -> set[Cell]:
    return {Cell(*place) for place in places}


def test_a_game_is_seen_action_by_action() -> None:
    film = Film(play("*..\n...", "classic", "flag 0 0", "reveal 2 0", "reveal 0 1"))
    every = cells(*((column, row) for column in range(3) for row in range(2)))
    begin, flagged, won = (film.seen(at_s) for at_s in (0.0, 0.5, film.long_s - 0.1))
    assert begin["c"] == every
    assert "#f" not in begin
    assert (flagged["c"], flagged.get("#f")) == (every, cells((0, 0)))
    assert won["c"] == cells((0, 0))
    assert won["#n1"] == cells((1, 0), (0, 1), (1, 1))


def test_an_undo_covers_cells_again() -> None:
    film = Film(play("*...\n....", "classic", "flag 0 0", "reveal 1 0", "undo", "reveal 0 1"))
    opened = [Cell(1, 0) not in film.seen(at_s)["c"] for at_s in (1.5, 2.5, 3.5)]
    assert opened == [True, False, False]


def test_a_lost_game_ends_with_its_mines_and_wrong_flags() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    film = Film(play("**..*\n.....", "classic", *moves))
    end = film.seen(film.long_s - 0.1)
    assert end["x"] == cells((0, 0))
    assert end["#m"] == cells((0, 0), (4, 0))
    assert end["#f"] == cells((1, 0), (3, 0))
    assert end["#w"] == cells((3, 0))
    assert "#m" not in film.seen(0.5)


def test_a_game_that_goes_on_shows_no_mine() -> None:
    film = Film(play("*..\n..*", "classic", "reveal 1 1"))
    assert not {"#m", "x"} & film.seen(film.long_s).keys()
    assert "unfinished" in film.text


@pytest.mark.parametrize("seed", range(4))
def test_an_expert_game_is_light_and_short(seed: int) -> None:
    game, solver, random = Game(Setup.of("expert", seed=seed)), Solver(), Random(seed)
    at_ms = 0
    while not game.status.is_over:
        decision = solver.choose(game.view)
        at_ms += random.randrange(200, 20_000)
        game.apply(decision.action, at_ms)
    film = Film(game)
    assert len(film.text.encode()) < 100_000
    assert film.long_s <= LONGEST_S + END_S + 0.001
    assert film.changes_s[-1] <= LONGEST_S
