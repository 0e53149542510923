"""Write docs/commands.md, the reference of every command, and the tables of docs/check.md.

With --check nothing is written, and a page that is not up to date ends the program with 1.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from jminesweeper.check.checker import CLIENT_CHECKS, SERVER_CHECKS
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.cli.main import main as jminesweeper

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "commands.md"
CHECKS = DOCS / "check.md"
WIDTH = 100
OPENING = """\
# Every command and option

Written by `make commands`: what `--help` says in the terminal. `./run_client.sh` is
`jminesweeper client`, and `./run_server.sh` is `jminesweeper server`. Where a variable of the
environment is named, it is what holds if the option is not given.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([OPENING, *sections(jminesweeper, "jminesweeper", None)])


def sections(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    """Show what a command says of itself, and after it each of its subcommands."""
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, parent, info_name=name, **settings)
    yield f"## `{context.command_path}`\n"
    yield f"```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            subcommand = command.get_command(context, each)
            if subcommand is not None:
                yield from sections(subcommand, each, context)


def page_of_checks(written: str) -> str:
    """Return docs/check.md with its two tables as the checks are now."""
    for heading, checks in (("server", SERVER_CHECKS), ("client", CLIENT_CHECKS)):
        written = re.sub(
            rf"(## The checks of a {heading}\n(?:.*\n)*?)(\|.*\n)+",
            lambda match, rows=checks: match[1] + table_of_checks(rows),
            written,
            count=1,
        )
    return written


def table_of_checks(checks: Iterable[ProtocolCheck]) -> str:
    rows = [f"| `{check.name}` | {check.clause} |\n" for check in checks]
    return "".join(["| check | clause |\n", "|---|---|\n", *rows])


def main() -> None:
    checks = page_of_checks(CHECKS.read_text(encoding="utf-8"))
    for path, current in ((PAGE, page()), (CHECKS, checks)):
        if "--check" not in sys.argv:
            path.write_text(current, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != current:
            sys.exit(f"docs/{path.name} is not up to date: make commands.")


if __name__ == "__main__":
    main()
