"""The example programs of docs/protocol.md, as they stand there."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import ThreadingTCPServer
from typing import Any

from jminesweeper.client.address import Address

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def example(heading: str) -> str:
    """The program in the section of that name."""
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n##")[0]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block[1]


def changed(program: str, right: str, wrong: str) -> str:
    """The same program with one thing in it done otherwise."""
    assert program.count(right) == 1
    return program.replace(right, wrong)


class QuietServer(ThreadingTCPServer):
    """Serves until its block ends."""

    daemon_threads = True
    block_on_close = False


@contextmanager
def example_server(program: str) -> Iterator[Address]:
    """Serve with the handler of the program, which is not run as a script."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(program, "docs/protocol.md", "exec"), names)
    # The same boards each time.
    names["random"] = random.Random(7)
    with QuietServer(("127.0.0.1", 0), names["Player"]) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield Address(port=server.server_address[1])
        finally:
            server.shutdown()
            thread.join()
