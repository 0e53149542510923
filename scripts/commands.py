"""Write docs/commands.md, the tables of docs/check.md, and a man page for each command.

With --check nothing is written, and a page that is not up to date ends the program with 1.
"""

import inspect
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
MAN = DOCS / "man"
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


def man_pages(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[tuple[str, str]]:
    """Return the name and the text of each man page, for a command and its subcommands."""
    context = click.Context(command, parent, info_name=name, **command.context_settings)
    title = context.command_path.replace(" ", "-")
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH {title.upper()} 1 "" JMinesweeper "User Commands"',
        ".SH NAME",
        f"{title} \\- {escaped(command.get_short_help_str(limit=200).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {escaped(context.command_path)}",
        escaped(usage),
        ".SH DESCRIPTION",
        *paragraphs(command.help or ""),
    ]
    records = [each.get_help_record(context) for each in command.get_params(context)]
    lines.append(".SH OPTIONS")
    for declared, explained in filter(None, records):
        lines += [".TP", f".B {escaped(declared)}", escaped(explained)]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for each in command.list_commands(context):
            subcommand = command.get_command(context, each)
            if subcommand is not None:
                says = subcommand.get_short_help_str(limit=200)
                lines += [".TP", f".BR {escaped(f'{title}-{each}')} (1)", escaped(says)]
                yield from man_pages(subcommand, each, context)
    if command.epilog:
        lines += [".SH NOTES", *paragraphs(command.epilog)]
    yield f"{title}.1", "\n".join(lines) + "\n"


def paragraphs(text: str) -> Iterator[str]:
    """Write text of a command for a man page; marked paragraphs keep their lines."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        kept = paragraph.removeprefix("\b\n")
        yield ".PP"
        if kept == paragraph:
            yield escaped(" ".join(paragraph.split()))
        else:
            yield from (".nf", escaped(kept), ".fi")


def escaped(text: str) -> str:
    """Write text so that it is no request and its hyphens can be copied."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", safe, flags=re.MULTILINE)


def main() -> None:
    checks = page_of_checks(CHECKS.read_text(encoding="utf-8"))
    pages = [(MAN / name, text) for name, text in man_pages(jminesweeper, "jminesweeper")]
    for path, current in ((PAGE, page()), (CHECKS, checks), *pages):
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(current, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != current:
            sys.exit(f"{path.name} is not up to date: make commands.")
    left = {path.name for path in MAN.iterdir()} - {path.name for path, _ in pages}
    if left:
        sys.exit(f"No command has these man pages: {', '.join(sorted(left))}.")


if __name__ == "__main__":
    main()
