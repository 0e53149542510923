"""The servers of `servers.txt`, as programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Final, NamedTuple

from tests.integration.documented import changed
from tests.unit.check.reference import VERSION_1, VERSION_2

TABLE: Final = Path(__file__).with_name("servers.txt")


class Row(NamedTuple):
    """A server."""

    name: str
    check: str
    """The one check that fails; empty if the server is right."""
    came: str
    """A part of what that check says."""
    program: str


def rows() -> Iterator[Row]:
    _, *sections = re.split(r"^=== ", TABLE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for section in sections:
        head, *parts = re.split(r"^<<<\n", section.strip("\n"), flags=re.MULTILINE)
        name, *lines = head.strip().splitlines()
        facts = dict(line.split(": ", 1) for line in lines)
        changes = [part.rstrip("\n").split("\n>>>") for part in parts]
        of = VERSION_2 if facts.get("of") == "version 2" else VERSION_1
        program = reduce(
            lambda text, change: changed(text, change[0], change[1].removeprefix("\n")), changes, of
        )
        yield Row(name, facts.get("fails", ""), facts.get("says", ""), program)


BROKEN: Final = [row for row in rows() if row.check]
RIGHT: Final = [row for row in rows() if not row.check]
