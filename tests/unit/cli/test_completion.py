"""`jminesweeper completion`, as it is typed, and what a shell does with it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.main import main

BEGINNINGS = {"bash": "_jminesweeper", "zsh": "#compdef", "fish": "function"}
FILES = {
    "bash": "data/bash-completion/completions/jminesweeper",
    "zsh": "data/zsh/site-functions/_jminesweeper",
    "fish": "config/fish/completions/jminesweeper.fish",
}


def run(home: Path, *arguments: str) -> Result:
    folders = {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
    return CliRunner(env=folders).invoke(main, ["completion", *arguments])


@pytest.mark.parametrize("shell", BEGINNINGS)
def test_a_script_is_printed(tmp_path: Path, shell: str) -> None:
    result = run(tmp_path, shell, "--print")
    assert result.exit_code == 0
    assert result.output.lstrip().startswith(BEGINNINGS[shell])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shell", BEGINNINGS)
def test_a_script_is_written_where_the_shell_looks(tmp_path: Path, shell: str) -> None:
    result = run(tmp_path, shell)
    path = tmp_path / FILES[shell]
    assert result.exit_code == 0
    assert f"Written to {path}." in result.output
    assert path.read_text() + "\n" == run(tmp_path, shell, "--print").output
    # Again, after an upgrade.
    assert run(tmp_path, shell).exit_code == 0


def test_zsh_is_told_of_the_folder(tmp_path: Path) -> None:
    assert f"fpath+=({tmp_path / 'data/zsh/site-functions'})" in run(tmp_path, "zsh").output


def test_what_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    result = run(tmp_path, "bash")
    assert result.exit_code == 1
    assert "cannot be written: Not a directory." in result.output


COMPLETIONS = {
    "bash": """
        source {home}/data/bash-completion/completions/jminesweeper
        COMP_WORDS=(jminesweeper serv) COMP_CWORD=1
        $(complete -p jminesweeper | sed 's/.*-F //; s/ .*//') jminesweeper serv
        echo "${{COMPREPLY[@]}}"
    """,
    # Its own list is shown on a terminal; here it is printed.
    "zsh": """
        fpath=({home}/data/zsh/site-functions $fpath)
        autoload -Uz compinit
        compinit -u -D
        _describe() {{ print -l -- ${{(P)3}} }}
        words=(jminesweeper serv) CURRENT=2
        $_comps[jminesweeper]
    """,
    "fish": "complete -C 'jminesweeper serv'",
}


@pytest.mark.parametrize("shell", COMPLETIONS)
def test_a_shell_that_has_the_script_completes_a_command(
    require_program: Callable[[str], str], tmp_path: Path, shell: str
) -> None:
    run(tmp_path, shell)
    plain = {"bash": "--norc", "zsh": "-f", "fish": "--private"}[shell]
    result = subprocess.run(
        [require_program(shell), plain, "-c", COMPLETIONS[shell].format(home=tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        env={
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
    )
    assert (re.split(r"[\s:]", result.stdout)[0], result.stderr) == ("server", "")
