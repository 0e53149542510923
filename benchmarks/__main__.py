"""Measure: ``python -m benchmarks [SUITE ...] [--full] [--beside TREE] [--write]``.

The suites are those of `SUITES`. With ``--beside`` the server of another checkout takes turns with
ours. ``--write`` replaces the tables of docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import platform
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks.tables import Run, Table, write

SUITES: Final = ("engine", "solver", "server", "store", "wire", "page", "ssh", "crowd", "calls")


def conditions(run: Run) -> Table:
    machine = f"CPython {platform.python_version()}, {platform.system()} {platform.machine()}"
    load, extent = round(os.getloadavg()[0], 1), "quick" if run.is_quick else "full"
    head = ("measured on", "processors", "load before", "run")
    return Table("conditions", head, [(machine, str(os.cpu_count()), str(load), extent)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", choices=[*SUITES, []])
    parser.add_argument("--full", action="store_true", help="half an hour instead of five minutes")
    parser.add_argument("--beside", type=Path, metavar="TREE", help="another checkout")
    parser.add_argument("--write", action="store_true", help="replace the tables of the document")
    options = parser.parse_args()
    run = Run(not options.full, options.beside)
    tables = [conditions(run)]
    print(tables[0])
    for name in options.suites or SUITES:
        suite = import_module(f"benchmarks.{name}")
        for table in suite.measure(run):
            print(f"\n## {table.name}\n\n{table}", flush=True)
            tables.append(table)
    if options.write:
        for table in tables:
            write(table)


if __name__ == "__main__":
    main()
