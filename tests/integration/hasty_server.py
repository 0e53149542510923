"""A server for tests.

Its rooms count down in no time, its players are looked after all the time, and are taken for people
however fast they play.
"""

from types import ModuleType

from jminesweeper.cli.main import main
from jminesweeper.records import results, rooms, table
from jminesweeper.server import game_server
from jminesweeper.session import watching


def hurry(module: ModuleType, name: str, value: object) -> None:
    """Set a constant that there is."""
    assert name in vars(module)
    setattr(module, name, value)


if __name__ == "__main__":
    for module in (rooms, table):
        hurry(module, "COUNTDOWN_MS", 100)
    hurry(results, "LEAST_3BV", 1_000)
    hurry(watching, "FOLLOW_MS", 200)
    hurry(watching, "SEEN_AT_LEAST_MS", 200)
    hurry(game_server, "LONGEST_SWEEP_S", 0.1)
    main()
