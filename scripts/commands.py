"""Write docs/commands.md, the reference of every command, and the tables of docs/check.md.

With --check nothing is written, and a page that is not up to date ends the program with 1.
"""

import argparse
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from jminesweeper.check.catalogue import CLIENT_CHECKS, SERVER_CHECKS
from jminesweeper.check.suite import ProtocolCheck
from jminesweeper.cli.main import main as jminesweeper

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "commands.md"
CHECKS = DOCS / "check.md"
OPENING = """\
# Every command and option

Written by `make commands` from the commands themselves; `--help` says the same in the terminal.
`./run_client.sh` is `jminesweeper client`, and `./run_server.sh` is `jminesweeper server`. Where a
variable of the environment is named, it is what holds if the option is not given.
"""
PREFORMATTED = "\b"


def page() -> str:
    """Return the whole page."""
    return "\n".join([OPENING, *sections(jminesweeper, "jminesweeper", None)])


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


def sections(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    """Describe a command, and after it each of its subcommands."""
    context = click.Context(command, parent, info_name=name, **command.context_settings)
    yield f"## `{context.command_path}`\n"
    yield f"```text\n{usage(command, context)}\n```\n"
    yield from paragraphs(command.help or "")
    yield from table(command, context)
    yield from paragraphs(command.epilog or "")
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            subcommand = command.get_command(context, each)
            if subcommand is not None:
                yield from sections(subcommand, each, context)


def usage(command: click.Command, context: click.Context) -> str:
    return " ".join(["Usage:", context.command_path, *command.collect_usage_pieces(context)])


def paragraphs(text: str) -> Iterator[str]:
    """Set text as click would: what follows a backspace keeps its lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        preformatted = paragraph.strip("\n").startswith(PREFORMATTED)
        content = paragraph.replace(PREFORMATTED, "").strip("\n")
        if content:
            yield f"```text\n{inspect.cleandoc(content)}\n```\n" if preformatted else f"{content}\n"


def table(command: click.Command, context: click.Context) -> Iterator[str]:
    parameters = command.get_params(context)
    options = [each for each in parameters if isinstance(each, click.Option) and not each.hidden]
    yield "| option | takes | does |"
    yield "|---|---|---|"
    for option in options:
        cells = spellings(option), escaped(takes(option)), escaped(does(option, context))
        yield f"| {' | '.join(cells)} |"
    yield ""


def spellings(option: click.Option) -> str:
    return ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])


def takes(option: click.Option) -> str:
    if option.is_flag or option.count:
        return ""
    match option.type:
        case click.Choice(choices=choices):
            return ", ".join(str(choice) for choice in choices)
        case click.IntRange() | click.FloatRange() as numbers:
            return span(numbers)
        case kind:
            # An empty metavar is that of an option that takes nothing, such as --daily.
            return kind.name if option.metavar is None else option.metavar


def span(numbers: click.IntRange | click.FloatRange) -> str:
    if numbers.max is not None:
        return f"{numbers.min} to {numbers.max}"
    return f"more than {numbers.min}" if numbers.min_open else f"{numbers.min} or more"


def does(option: click.Option, context: click.Context) -> str:
    default = default_of(option, context)
    notes = [
        f"Default: {default}." if default else "",
        f"Environment: `{option.envvar}`." if isinstance(option.envvar, str) else "",
    ]
    return " ".join(filter(None, [option.help, *notes]))


def default_of(option: click.Option, context: click.Context) -> str:
    shown = context.show_default if option.show_default is None else option.show_default
    if isinstance(shown, str):
        return shown
    default = option.get_default(context)
    is_value = isinstance(default, str | int | float) and not option.is_flag
    return str(default) if shown and is_value else ""


def escaped(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say whether it is up to date")
    checks = CHECKS.read_text(encoding="utf-8")
    pages = {PAGE: page(), CHECKS: page_of_checks(checks)}
    may_write = not parser.parse_args().check
    for path, current in pages.items():
        if may_write:
            path.write_text(current, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != current:
            sys.exit(f"docs/{path.name} is not up to date: make commands.")


if __name__ == "__main__":
    main()
