"""Changing a board where a proof is stuck.

The best change takes place among cells that are unknown to the proof: one number of the stuck
place is made easy, by moving its mines out or by filling its cells up, and the mines come from or
go to the unknown rest. Nothing that was proved becomes wrong by that, so the proof goes on. Where
the unknown cells alone allow no change (a sealed fifty-fifty, a walled-off part), a cell that was
settled takes part, and the proof has to start over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from jminesweeper.core import RandomBits
from jminesweeper.solver.draft import Draft
from jminesweeper.solver.knowledge import MINE, SHOWN, UNKNOWN
from jminesweeper.solver.proof import Proof

Item = TypeVar("Item")


class Repair:
    """The changes made during one proof."""

    __slots__ = ("_draft", "_proof", "_random_bits", "_zone")

    def __init__(self, draft: Draft, proof: Proof, start: int, random_bits: RandomBits) -> None:
        self._draft = draft
        self._proof = proof
        self._random_bits = random_bits
        self._zone = {start, *draft.terrain.neighbours[start]}

    def loosen(self) -> bool:
        """Change the board where the proof is stuck; say whether the proof can go on."""
        stuck = self._proof.stuck
        if not stuck:
            self._open_wall()
            return False
        number = self._pick(self._pick(stuck).numbers)
        if self._ease(number):
            return True
        for component in stuck:
            self._ease_from_afar(self._pick(component.numbers))
        return False

    def _ease(self, number: int) -> bool:
        """Empty or fill a number's cells, the unknown rest of the board taking up the change."""
        knowledge, mined = self._proof.knowledge, self._draft.mined
        cells = knowledge.unknown_around(number)
        rest = self._unknown_except(set(cells))
        dense = knowledge.mines_left * self._draft.terrain.size.cells > (
            self._draft.mine_count * knowledge.unknown_left
        )
        fills = (dense, not dense) if self._random_bits(2) else (not dense, dense)
        for fill in fills:
            changing = [cell for cell in cells if mined[cell] != fill]
            partners = [cell for cell in rest if mined[cell] == fill]
            if changing and len(partners) >= len(changing):
                for cell in changing:
                    partner = self._take(partners)
                    self._revise(cell, mine=fill)
                    self._revise(partner, mine=not fill)
                return True
        return False

    def _unknown_except(self, cells: set[int]) -> list[int]:
        """Return the unknown cells outside some: those no number sees, if they are enough."""
        knowledge = self._proof.knowledge
        status, room, neighbours = knowledge.status, knowledge.room, knowledge.terrain.neighbours
        unknown = [
            index
            for index in knowledge.terrain.cells
            if status[index] == UNKNOWN and index not in cells
        ]
        unseen = [index for index in unknown if not any(room[near] for near in neighbours[index])]
        return unseen if len(unseen) * 2 > len(unknown) else unknown

    def _revise(self, index: int, *, mine: bool) -> None:
        change = int(mine) - self._draft.mined[index]
        self._draft.put(index, mine=mine)
        self._proof.knowledge.correct_clues(index, change)

    def _ease_from_afar(self, number: int) -> None:
        """Empty or fill a number's cells, settled cells taking up the change."""
        knowledge, draft = self._proof.knowledge, self._draft
        status, mined = knowledge.status, draft.mined
        fill = bool(self._random_bits(1))
        wanted = MINE if fill else SHOWN
        partners = [
            index
            for index in knowledge.terrain.cells
            if status[index] == wanted and mined[index] == fill and index not in self._zone
        ]
        for cell in knowledge.unknown_around(number):
            if mined[cell] != fill and partners and cell not in self._zone:
                draft.put(cell, mine=fill)
                draft.put(self._take(partners), mine=not fill)

    def _open_wall(self) -> None:
        """Let the unknown part be reached: a mine of its wall changes places with a safe cell."""
        knowledge, draft = self._proof.knowledge, self._draft
        status, neighbours = knowledge.status, knowledge.terrain.neighbours
        walls = [
            index
            for index in knowledge.terrain.cells
            if status[index] == MINE
            and any(status[near] == UNKNOWN for near in neighbours[index])
            and any(status[near] == SHOWN for near in neighbours[index])
        ]
        behind = [
            index
            for index in knowledge.terrain.cells
            if status[index] == UNKNOWN and not draft.mined[index]
        ]
        if walls and behind:
            draft.put(self._take(walls), mine=False)
            draft.put(self._take(behind), mine=True)

    def _pick(self, items: Sequence[Item]) -> Item:
        return items[self._below(len(items))]

    def _take(self, items: list[int]) -> int:
        position = self._below(len(items))
        items[position], items[-1] = items[-1], items[position]
        return items.pop()

    def _below(self, limit: int) -> int:
        width = (limit - 1).bit_length()
        if not width:
            return 0
        while (number := self._random_bits(width)) >= limit:
            pass
        return number
