"""Run the benchmarks: ``python -m benchmarks [SUITE ...] [--full] [--json FILE] [--write]``.

Each suite also runs alone, as ``python -m benchmarks.SUITE``. Tables are written as Markdown; with
--write they replace those of docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.suites import ROOT, SUITES, conditions
from benchmarks.tables import TABLES, of_aims, of_conditions

DOCUMENT = ROOT / "docs" / "benchmarks.md"


def between(name: str) -> tuple[str, str]:
    """Return the lines around a table in the document."""
    return f"<!-- {name} -->", f"<!-- end of {name} -->"


def rewrite(text: str, name: str, content: str) -> str:
    """Put a table in the place of the one that was there."""
    begin, end = between(name)
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{DOCUMENT} has no place for {name}")
    return pattern.sub(lambda _: f"{begin}\n{content}\n{end}", text)


def measure(names: list[str], *, is_quick: bool, say: Callable[[str], None]) -> dict[str, Any]:
    figures: dict[str, Any] = {"conditions": {**conditions(), "is_quick": is_quick}}
    for name in names:
        figures[name] = SUITES[name](is_quick)
        say(f"\n## {name}\n\n{TABLES[name](figures[name])}")
    return figures


def summary(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return what is told of all suites together, and so only when all were run."""
    if not SUITES.keys() <= figures.keys():
        return {}
    return {"conditions": of_conditions(figures["conditions"]), "aims": of_aims(figures)}


def write(figures: Mapping[str, Any]) -> None:
    """Replace the tables of the document by those of these figures."""
    tables = {name: of(figures[name]) for name, of in TABLES.items() if name in figures}
    text = DOCUMENT.read_text(encoding="utf-8")
    for name, content in {**tables, **summary(figures)}.items():
        text = rewrite(text, name, content)
    DOCUMENT.write_text(text, encoding="utf-8")


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=", ".join(SUITES))
    parser.add_argument(
        "--full", action="store_true", help="about half an hour instead of five minutes"
    )
    parser.add_argument("--json", type=Path, help="where to keep the figures")
    parser.add_argument("--from", type=Path, dest="source", help="show kept figures, measure none")
    parser.add_argument("--write", action="store_true", help="replace the tables of the document")
    options = parser.parse_args()
    if unknown := set(options.suites) - set(SUITES):
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")
    if options.source:
        figures = json.loads(options.source.read_text(encoding="utf-8"))
        for name, of in TABLES.items():
            if name in figures:
                say(f"\n## {name}\n\n{of(figures[name])}")
    else:
        figures = measure(options.suites or [*SUITES], is_quick=not options.full, say=say)
    for name, content in summary(figures).items():
        say(f"\n## {name}\n\n{content}")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if options.write:
        write(figures)


if __name__ == "__main__":
    main(lambda text: print(text, flush=True))
