"""The real server on a chosen event loop.

python -m benchmarks.server.ours asyncio|uvloop server [OPTIONS]
"""

from __future__ import annotations

import importlib.util
import sys

from jminesweeper.cli.main import main

if __name__ == "__main__":
    if sys.argv.pop(1) == "asyncio":
        # The server takes uvloop wherever it finds it.
        find_spec = importlib.util.find_spec
        importlib.util.find_spec = lambda name, package=None: (
            None if name == "uvloop" else find_spec(name, package)
        )
    main()
