"""The servers of `servers.txt` and the clients of `clients.txt`, as programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Final, NamedTuple

from tests.integration.documented import changed
from tests.unit.check.reference import CLIENT, VERSION_1, VERSION_2


class Row(NamedTuple):
    """A server, or a client."""

    name: str
    check: str
    """The one check that fails; empty if it is right."""
    came: str
    """A part of what that check says."""
    program: str
    has_large_fields: bool
    """It is asked for large fields, too, which takes as long as all else."""


def rows(name: str, example: str) -> Iterator[Row]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    _, *sections = re.split(r"^=== ", text, flags=re.MULTILINE)
    for section in sections:
        head, *parts = re.split(r"^<<<\n", section.strip("\n"), flags=re.MULTILINE)
        name, *lines = head.strip().splitlines()
        facts = dict(line.split(": ", 1) for line in lines)
        changes = [part.rstrip("\n").split("\n>>>") for part in parts]
        of = VERSION_2 if facts.get("of") == "version 2" else example
        program = reduce(
            lambda text, change: changed(text, change[0], change[1].removeprefix("\n")), changes, of
        )
        is_large = "large fields" in facts
        yield Row(name, facts.get("fails", ""), facts.get("says", ""), program, is_large)


SERVERS: Final = list(rows("servers.txt", VERSION_1))
CLIENTS: Final = list(rows("clients.txt", CLIENT))
