"""The command `jminesweeper`: a table of subcommands, each imported only when it is called."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click

from jminesweeper.cli.options import version_option

INTERRUPTED = 130  # what shells report for a program that ended by Ctrl-C
TYPED = "JMINESWEEPER_TYPED"
"""The words that started a subcommand: a run script says them, and a usage line repeats them."""


SUBCOMMANDS: Mapping[str, str] = {
    "client": "Play in this terminal, on a server or on this machine alone.",
    "server": "Let players on the network play, each their own game.",
    "bot": "Let the solver play many games, and see how many it wins.",
    "check": "Check whether a server or a client keeps to the protocol.",
    "kata": "Let a bot play the 3x3 kata, every move printed.",
    "scores": "Print the leaderboards of this machine's server.",
    "stats": "Print the statistics of your games here.",
    "store": "Move everything from one store into another, or check one.",
    "replay": "Show a game again, forwards and backwards, fast and slow.",
    "analyse": "Show which reveals of a game were guesses, and how lucky it was.",
    "games": "List your finished games with their IDs, the latest first.",
    "export": "Write a game as text or as a picture, for instance to pass it on.",
    "import": "Keep games from files, to replay them by their IDs.",
    "completion": "Let a shell complete commands, options and the IDs of games.",
}
"""Each with its line of help, shown without importing it."""
_OVER_GAMES: Final = frozenset({"export", "import", "analyse", "scores", "stats"})


def load(name: str) -> click.Command:
    """Import a subcommand from the module of its name; those over finished games share one."""
    module = "games" if name in _OVER_GAMES else name
    found = import_module(f"jminesweeper.cli.{module}")
    command: click.Command = getattr(found, f"{name}_command")
    return command


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is called, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load(cmd_name) if cmd_name in SUBCOMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if typed := os.environ.get(TYPED):
            ctx.info_name, name = "", typed
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            ctx.exit(INTERRUPTED)


@click.group(
    cls=LazyGroup,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
    epilog="""
    \b
    Examples:
      jminesweeper client                     # play at once: 20x10, level 1
      jminesweeper client -c 30 -r 16 -l 2    # a larger board with 25 % mines
      jminesweeper client example.org         # play on a server somewhere else
      jminesweeper client --help              # every option and key
      jminesweeper server                     # let others play on this machine
      jminesweeper completion bash            # complete commands and options in bash
    """,
)
@version_option
def main() -> None:
    """Minesweeper for the terminal, played over the network.

    The server holds the games; a client sends your moves and shows the board.
    """
