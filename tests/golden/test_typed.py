"""Commands are typed at Ann's home, most of them over her games; all that they print is kept.

A file holds one sitting: a line after `$` is typed, and below it stands what was printed.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from jminesweeper.cli.main import main
from tests.unit.cli.kept_games import furnish

_FOLDER = Path(__file__).parent / "typed"


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    furnish(home)
    return home


def sitting(text: str, home: Path) -> str:
    """Type what was typed, and write down what is printed now."""
    environment = {"XDG_DATA_HOME": str(home), "COLUMNS": "120", "NO_COLOR": "1"}
    imported: dict[Path, int] = {}
    written = []
    for line in text.splitlines():
        if line.startswith("$ "):
            command, *arguments = shlex.split(line.removeprefix("$ "))
            if command == "cat":
                code, printed = 0, (home / arguments[0]).read_text(encoding="utf-8")
            else:
                result = CliRunner(env=environment).invoke(main, [command, *arguments])
                code, printed = result.exit_code, result.output
            for each in home.glob("jminesweeper/imported/*"):
                at_s = imported.setdefault(each, 1_700_000_000 + len(imported))
                os.utime(each, (at_s, at_s))
            ending = f"[exit code {code}]\n" if code else ""
            written.append(f"{line}\n{printed.replace(str(home), '~')}{ending}")
    return "\n".join(written)


@pytest.mark.requirement("F:games_played", "F:games_won", "K:Kata Objective")
@pytest.mark.parametrize("path", sorted(_FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_commands_print_what_was_found_good(
    path: Path,
    furnished: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    updates_golden: bool,
) -> None:
    home = shutil.copytree(furnished, tmp_path / "home")
    monkeypatch.chdir(home)
    kept = path.read_text(encoding="utf-8")
    printed = sitting(kept, home)
    if updates_golden:
        path.write_text(printed, encoding="utf-8")
        kept = printed
    assert printed == kept
