import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.tree import TESTS

NEEDY = """
def test_of_a_program(require_program):
    require_program("a-program-nobody-has")
"""


@pytest.mark.parametrize(("ci", "outcome"), [("true", "1 failed"), ("", "1 skipped")])
def test_a_missing_program_skips_a_test_but_fails_it_in_ci(
    tmp_path: Path, ci: str, outcome: str
) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    (tmp_path / "test_needy.py").write_text(NEEDY)
    outside = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-rfs", "-c", os.devnull, "--rootdir", tmp_path, tmp_path],
        env=outside | {"CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "a-program-nobody-has is not installed" in result.stdout
    assert outcome in result.stdout.splitlines()[-1]
