"""A server for tests at which three wrong codes of one address are too many for the day."""

from jminesweeper.cli.main import main
from jminesweeper.records.table import EVERY
from jminesweeper.session import matches
from tests.integration.hasty_server import hurry

if __name__ == "__main__":
    assert "wrong" in EVERY
    hurry(matches, "EVERY", {**EVERY, "wrong": (86_400_000, 3)})
    main()
