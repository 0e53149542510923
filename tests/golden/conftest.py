"""`pytest tests/golden --update-golden` writes anew the kept screens, and what commands print."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the kept screens anew")


@pytest.fixture(scope="session")
def updates_golden(pytestconfig: pytest.Config) -> bool:
    """Return True to write. The option is unknown where the whole test suite is run."""
    return bool(pytestconfig.getoption("--update-golden", default=False))
