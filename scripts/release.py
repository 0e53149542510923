#!/usr/bin/env python3
"""Check that a release is one: ``.venv/bin/python scripts/release.py --home URL``.

The version of the program, the tag of this commit and the newest heading of the changelog, with its
date, have to be one; nothing may be uncommitted; a store that this version wrote has to be kept for
later versions. All that is wrong is named at once. Then the packages are built, installed and
played in a fresh environment of every Python there is, and left in dist/ (`packages.py`).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DATED: Final = re.compile(r"^## (\S+), (\d{4}-\d\d-\d\d)$")


def git(root: Path, *words: str) -> list[str]:
    """Ask git; return the lines of its answer."""
    program = shutil.which("git") or sys.exit("git is not installed")
    asked = subprocess.run([program, *words], cwd=root, capture_output=True, text=True, check=True)
    return asked.stdout.splitlines()


def problems(root: Path) -> Iterator[str]:
    """Name what keeps the tree from being a release."""
    code = (root / "src" / "jminesweeper" / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(\S+)"$', code, re.MULTILINE)
    if changed := git(root, "status", "--porcelain"):
        yield f"{len(changed)} files are changed or unknown: commit or remove them"
    if f"v{version}" not in git(root, "tag", "--points-at", "HEAD"):
        yield f"this commit has no tag v{version}"
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    heading = next((line for line in changelog if line.startswith("## ")), "")
    dated = DATED.match(heading)
    if dated is None or dated[1] != version:
        yield f'the changelog begins with "{heading}", not with "## {version}, YYYY-MM-DD"'
    if not (root / "tests" / "upgrade" / version).is_dir():
        yield f"no store of {version} is kept: python -m tests.upgrade.played"


def main() -> None:
    """Check, build, play."""
    parser = ArgumentParser(description="Check that a release is one, and make its packages.")
    parser.add_argument("--home", metavar="URL", required=True)
    asked = parser.parse_args()
    if found := [*problems(ROOT)]:
        sys.exit("\n".join(["No release yet:", *(f"- {problem}" for problem in found)]))
    command = (sys.executable, ROOT / "scripts" / "packages.py", "--home", asked.home)
    sys.exit(subprocess.call(command, cwd=ROOT))


if __name__ == "__main__":
    main()
