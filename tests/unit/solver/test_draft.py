import pytest

from jminesweeper.core import Grid, Minefield, Size, Spread, parse_board, place_mines, seeded_bits
from jminesweeper.solver.draft import Draft


@pytest.mark.parametrize("spread", Spread)
def test_a_draft_has_the_clues_of_its_board_and_opens_what_it_opens(spread: Spread) -> None:
    size = Size(12, 9)
    field = Minefield(size, place_mines(size, 12, seeded_bits(2)))
    draft = Draft(size, field.mines, spread)
    grid = Grid.of(size)
    for cell in grid.cells(field.safe):
        index = grid.index(cell)
        assert draft.clues[index] == field.clue(cell)
        opened = draft.open(index, bytearray(len(draft.mined)))
        assert sum(1 << each for each, _ in opened) == field.flood(grid.bit(cell), 0, spread)
    assert draft.mines == field.mines


def test_moving_a_mine_moves_its_clues() -> None:
    before, after = parse_board("* . .\n. . ."), parse_board(". . *\n. . .")
    draft = Draft(before.size, before.mines, Spread.EIGHT)
    draft.put(0, mine=False)
    draft.put(2, mine=True)
    draft.put(2, mine=True)
    fresh = Draft(after.size, after.mines, Spread.EIGHT)
    assert (draft.mined, draft.clues) == (fresh.mined, fresh.clues)


def test_what_is_open_is_not_opened_again() -> None:
    draft = Draft(Size(2, 1), 1, Spread.EIGHT)
    shown = bytearray(3)
    assert draft.open(1, shown) == [(1, 1)]
    assert draft.open(1, shown) == []


def test_the_mind_that_proves_it_starts_empty() -> None:
    knowledge = Draft(Size(3, 3), 0b11, Spread.EIGHT).new_knowledge()
    assert (knowledge.unknown_left, knowledge.mines_left) == (9, 2)
