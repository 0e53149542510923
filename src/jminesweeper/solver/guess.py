from __future__ import annotations
from dataclasses import dataclass
from jminesweeper.solver.analysis import Assessment
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge

@dataclass(frozen=True, slots=True)
class Guess:
    index: int
    risk: float
    why: str

@dataclass(frozen=True, slots=True)
class Strategy:
    progress: bool = True

class Guesser:
    def __init__(self, strategy):
        self.strategy = strategy

    def choose(self, k: Knowledge, a: Assessment):
        best=[]
        for pos,(comp,_) in enumerate(a.counted):
            for box,p in zip(comp.boxes,a.box_chances(pos)):
                for c in box.cells: best.append((p,c))
        for comp,ps in a.estimated:
            for box,p in zip(comp.boxes,ps):
                for c in box.cells: best.append((p,c))
        seen={c for _,c in best}
        if a.unseen:
            p=a.unseen_chance
            for c in k.terrain.cells:
                if k.status[c]==UNKNOWN and c not in seen: best.append((p,c))
        lo=min(best)[0]
        st=k.status
        _,c,p=min((sum(st[n]==0 for n in k.terrain.neighbours[c]),c,p) for p,c in best if p<=lo+1e-9)
        return Guess(c,p,"lowest risk")
