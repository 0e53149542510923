"""Write docs/commands.md, the reference of every command, from the commands themselves.

With --check nothing is written, and a page that is not up to date ends the program with 1.
"""

import argparse
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from jminesweeper.cli.main import main as jminesweeper

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
OPENING = """\
# Every command and option

Written by `make commands` from the commands themselves; `--help` says the same in the terminal.
`./run_client.sh` is `jminesweeper client`, and `./run_server.sh` is `jminesweeper server`.
"""
PREFORMATTED = "\b"


def page() -> str:
    """Return the whole page."""
    return "\n".join([OPENING, *sections(jminesweeper, "jminesweeper")])


def sections(command: click.Command, path: str) -> Iterator[str]:
    """Describe a command, and after it each of its subcommands."""
    context = click.Context(command, info_name=path)
    yield f"## `{path}`\n"
    yield f"```text\n{usage(command, context)}\n```\n"
    yield from paragraphs(command.help or "")
    yield from table(command, context)
    yield from paragraphs(command.epilog or "")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            subcommand = command.get_command(context, name)
            if subcommand is not None:
                yield from sections(subcommand, f"{path} {name}")


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
        case click.IntRange(min=low, max=high) | click.FloatRange(min=low, max=high):
            return f"{low} to {high}" if high is not None else f"{low} or more"
        case kind:
            return option.metavar or kind.name


def does(option: click.Option, context: click.Context) -> str:
    default = option.get_default(context)
    notes = [
        *(
            [f"Default: {default}."]
            if option.show_default and isinstance(default, str | int)
            else []
        ),
        *([f"Environment: `{option.envvar}`."] if isinstance(option.envvar, str) else []),
    ]
    return " ".join([option.help or "", *notes])


def escaped(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say whether it is up to date")
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    current = page()
    if not parser.parse_args().check:
        PAGE.write_text(current, encoding="utf-8")
    elif written != current:
        sys.exit("docs/commands.md is not up to date: make commands.")


if __name__ == "__main__":
    main()
