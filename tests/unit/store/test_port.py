import subprocess
import sys

from jminesweeper import store


def test_completions_run_at_once_unless_somebody_says_where() -> None:
    ran: list[str] = []
    store.deliver_at_once(lambda: ran.append("now"))
    assert ran == ["now"]


def test_the_port_is_light_enough_for_a_client_to_import() -> None:
    heavy = "sqlite3", "threading", "concurrent.futures", "asyncio"
    script = f"""
import sys
before = set(sys.modules)
import jminesweeper.store
print(*(name for name in {heavy!r} if name in set(sys.modules) - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
