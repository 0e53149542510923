"""The command `jminesweeper`: a table of subcommands, each imported only when it is called."""

import gc
import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click

from jminesweeper.cli.options import pyte_is_needed, version_option

INTERRUPTED = 130  # what shells report for a program that ended by Ctrl-C
TYPED = "JMINESWEEPER_TYPED"
"""What was typed to start a subcommand: a run script says it, and a usage line repeats it."""


class Subcommand(NamedTuple):
    """Where a subcommand is, and its line of help, shown without importing it."""

    target: str
    summary: str

    def load(self) -> click.Command:
        """Import the command."""
        module, _, attribute = self.target.partition(":")
        # What is imported stays: looking for garbage in it, now or later, only takes time.
        gc.disable()
        try:
            with pyte_is_needed("This command"):
                command = getattr(import_module(module), attribute)
        finally:
            gc.freeze()
            gc.enable()
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.target} is not a command")
        return command


SUBCOMMANDS: Mapping[str, Subcommand] = {
    "client": Subcommand(
        "jminesweeper.cli.client:client_command",
        "Play in this terminal, on a server or on this machine alone.",
    ),
    "server": Subcommand(
        "jminesweeper.cli.server:server_command",
        "Let players on the network play, each their own game.",
    ),
    "doctor": Subcommand(
        "jminesweeper.cli.doctor:doctor_command",
        "Check what a server needs, and say what to do about each problem.",
    ),
    "bot": Subcommand(
        "jminesweeper.cli.bot:bot_command",
        "Let the solver play many games, and see how many it wins.",
    ),
    "check": Subcommand(
        "jminesweeper.cli.check:check_command",
        "Check whether a server or a client keeps to the protocol.",
    ),
    "kata": Subcommand(
        "jminesweeper.cli.kata:kata_command", "Let a bot play the 3x3 kata, every move printed."
    ),
    "scores": Subcommand(
        "jminesweeper.cli.scores:scores_command", "Print the leaderboards of this machine's server."
    ),
    "stats": Subcommand(
        "jminesweeper.cli.stats:stats_command", "Print the statistics of your games here."
    ),
    "store": Subcommand(
        "jminesweeper.cli.store:store_command",
        "Move everything from one store into another, or check one.",
    ),
    "replay": Subcommand(
        "jminesweeper.cli.replay:replay_command",
        "Show a game again, forwards and backwards, fast and slow.",
    ),
    "analyse": Subcommand(
        "jminesweeper.cli.analyse:analyse_command",
        "Show which reveals of a game were guesses, and how lucky it was.",
    ),
    "games": Subcommand(
        "jminesweeper.cli.games:games_command",
        "List your finished games with their IDs, the latest first.",
    ),
    "export": Subcommand(
        "jminesweeper.cli.games:export_command",
        "Write a game as text, for instance to pass it on.",
    ),
    "import": Subcommand(
        "jminesweeper.cli.games:import_command",
        "Keep games from files, to replay them by their IDs.",
    ),
}


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is called, so that each starts fast."""

    def __init__(self, *args: Any, subcommands: Mapping[str, Subcommand], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.subcommands = subcommands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.subcommands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        subcommand = self.subcommands.get(cmd_name)
        return subcommand and subcommand.load()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.UsageError as error:
            if alike := _alike(args[0], self.subcommands):
                reason = f"No such command '{args[0]}'. Did you mean '{alike}'?"
                raise click.UsageError(reason, ctx) from error
            raise
        if typed := os.environ.get(TYPED):
            ctx.info_name, name = "", typed
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.subcommands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            ctx.exit(INTERRUPTED)


def _alike(typed: str, known: Mapping[str, Subcommand]) -> str:
    # Imported late: only a wrong command needs it.
    close: list[str] = import_module("difflib").get_close_matches(typed.lower(), known, 1)
    return close[0] if close else ""


@click.group(
    cls=LazyGroup,
    subcommands=SUBCOMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""
    \b
    Examples:
      jminesweeper client                     # play at once: 20x10, level 1
      jminesweeper client -c 30 -r 16 -l 2    # a larger board with 25 % mines
      jminesweeper client example.org         # play on a server somewhere else
      jminesweeper client --help              # every option and key
      jminesweeper server                     # let others play on this machine

    \b
    Completion of commands and options, here for bash (zsh and fish likewise):
      eval "$(_JMINESWEEPER_COMPLETE=bash_source jminesweeper)"
    """,
)
@version_option
def main() -> None:
    """Minesweeper for the terminal, played over the network.

    The server holds the games and draws them; a client sends keys and shows what it receives.
    """
