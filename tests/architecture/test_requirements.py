import os
import subprocess
import sys

import pytest

from tests.architecture.tree import ROOT

TABLE = ROOT / "docs" / "requirements.md"


# It collects all other tests.
@pytest.mark.timeout(300)
def test_the_table_is_true_and_up_to_date() -> None:
    outside = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    result = subprocess.run(
        [sys.executable, "scripts/requirements.py", "--check"],
        cwd=ROOT,
        env=outside,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_every_requirement_is_met() -> None:
    rows = [row for row in TABLE.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    assert [row.split("|")[1].strip() for row in rows if " | open | " in row] == []
