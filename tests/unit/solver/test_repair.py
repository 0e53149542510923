import pytest

from jminesweeper.core import Size, Spread, place_mines, seeded_bits
from jminesweeper.solver import Counter
from jminesweeper.solver.draft import Draft
from jminesweeper.solver.knowledge import UNKNOWN
from jminesweeper.solver.proof import Proof
from jminesweeper.solver.repair import Repair

SIZE = Size(12, 10)


def stuck_proofs(mines: int) -> list[tuple[Draft, Proof, Repair]]:
    """Boards on which a proof got stuck."""
    found = []
    for seed in range(60):
        random_bits = seeded_bits(seed)
        layout = place_mines(SIZE, mines, random_bits) & ~(1 << 70)
        draft = Draft(SIZE, layout, Spread.EIGHT)
        proof = Proof(draft, 70, Counter())
        if not proof.run():
            found.append((draft, proof, Repair(draft, proof, 70, random_bits)))
    return found


@pytest.mark.parametrize("mines", [12, 30, 55])
def test_a_repair_keeps_the_number_of_mines(mines: int) -> None:
    for draft, _, repair in stuck_proofs(mines):
        repair.loosen()
        assert sum(draft.mined) == draft.mine_count


@pytest.mark.parametrize("mines", [12, 30, 55])
def test_a_proof_goes_on_only_if_nothing_it_had_settled_was_changed(mines: int) -> None:
    for draft, proof, repair in stuck_proofs(mines):
        status = proof.knowledge.status
        settled = {
            cell: draft.mined[cell]
            for cell in proof.knowledge.terrain.cells
            if status[cell] != UNKNOWN
        }
        goes_on = repair.loosen()
        changed = any(draft.mined[cell] != mined for cell, mined in settled.items())
        assert not (goes_on and changed)
        if goes_on:
            proof.run()
            for cell in proof.knowledge.terrain.cells:
                assert status[cell] == UNKNOWN or (status[cell] == 2) == draft.mined[cell]


def test_the_first_reveal_stays_safe() -> None:
    for draft, _, repair in stuck_proofs(20):
        repair.loosen()
        assert not draft.mined[70]
