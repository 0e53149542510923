"""`jminesweeper completion`: have a shell complete commands, options, and IDs of games."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

PROGRAM: Final = "jminesweeper"
VARIABLE: Final = "_JMINESWEEPER_COMPLETE"


def _below(variable: str, usual: str) -> Path:
    """Return a folder of the XDG base directories."""
    return Path(os.environ.get(variable) or Path.home() / usual)


_FILES: Final[Mapping[str, Callable[[], Path]]] = {
    "bash": lambda: (
        _below("XDG_DATA_HOME", ".local/share") / "bash-completion/completions/jminesweeper"
    ),
    "zsh": lambda: _below("XDG_DATA_HOME", ".local/share") / "zsh/site-functions/_jminesweeper",
    "fish": lambda: _below("XDG_CONFIG_HOME", ".config") / "fish/completions/jminesweeper.fish",
}
_NEXT: Final[Mapping[str, str]] = {
    "bash": "It works in the next shell, if the package bash-completion is installed.",
    "zsh": "Before compinit in ~/.zshrc there must be: fpath+=({folder})",
    "fish": "It works in the next shell.",
}


@click.command(
    "completion",
    epilog="""
    \b
    Examples:
      jminesweeper completion bash             # for this user, from the next shell on
      jminesweeper completion zsh --print      # the script, for /usr/share or a dotfile
    """,
)
@click.argument("shell", type=click.Choice(list(_FILES)))
@click.option("--print", "prints", is_flag=True, help="Print the script instead of writing it.")
@click.pass_context
def completion_command(context: click.Context, *, shell: str, prints: bool) -> None:
    """Let a shell complete commands, options and the IDs of games.

    The script is written to where the shell looks for those of this user.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"{shell} is unknown to click.")
    script = kind(context.find_root().command, {}, PROGRAM, VARIABLE).source()
    if prints:
        click.echo(script)
        return
    path = _FILES[shell]()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from error
    click.echo(f"Written to {path}.")
    click.echo(_NEXT[shell].format(folder=path.parent))
