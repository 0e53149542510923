"""`jminesweeper store`: moving a whole store, and checking one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

import click

from jminesweeper.cli.stores import (
    Place,
    StorePlace,
    default_store_path,
    find_damage,
    one_line_errors,
    open_archive,
    open_store,
)
from jminesweeper.records.checking import Checks
from jminesweeper.store.blocking import Contents, copy_page, pages, perform, strangers
from jminesweeper.store.port import Commit


@click.group("store")
def store_command() -> None:
    """Move everything from one store into another, or check one.

    A store is a file (SQLite) or the address of Redis: redis://HOST, rediss://HOST, unix:///PATH,
    redis+sentinel://HOST,HOST/SERVICE.
    """


@store_command.command("copy")
@click.argument("source", metavar="FROM", type=StorePlace(may_be_memory=False))
@click.argument("target", metavar="TO", type=StorePlace(may_be_memory=False))
def copy_command(*, source: Place, target: Place) -> None:
    """Copy everything from one store into another, from SQLite to Redis or back.

    Stop the servers first. A copy that was interrupted continues when it is started again. A store
    with anything that the first one lacks is refused.
    """
    if source == target:
        raise click.UsageError("FROM and TO are the same store.")
    with (
        open_archive(source, advice="") as origin,
        one_line_errors(),
        closing(open_store(target)) as copy,
    ):
        if stranger := next(strangers(origin, copy), None):
            raise click.ClickException(
                f"{target} has {stranger}, which {source} lacks; copy into an empty store."
            )
        contents, unchanged = Contents(), 0
        for page in _with_progress(pages(origin), contents, "Copied"):
            unchanged += copy_page(page, copy)
    click.echo(f"Copied {contents}; {unchanged:,} of the documents were there already.")


@store_command.command("check")
@click.argument(
    "place",
    metavar="[STORE]",
    type=StorePlace(may_be_memory=False),
    default=default_store_path,
)
def check_command(*, place: Place) -> None:
    """Check that a store is whole: what it holds can be read, logs play, counts add up.

    Without STORE it is the one of this machine, which the client and the server use by default.
    Stop the servers first, or what changes meanwhile may look damaged. Ends with 1 if anything is
    wrong.
    """
    with open_archive(place, advice="") as store:
        problems = list(find_damage(place))
        contents, checks = Contents(), Checks(lambda asked: perform(store, asked))
        for page in _with_progress(pages(store), contents, "Checked"):
            problems += checks.check(page)
        problems += checks.check_sums()
    for problem in problems:
        click.echo(problem)
    if problems:
        raise click.ClickException(f"{place} is damaged: {contents}; {len(problems)} problems.")
    click.echo(f"{place} is whole: {contents}.")


def _with_progress(
    found: Iterable[Sequence[Commit]], contents: Contents, done: str
) -> Iterator[Sequence[Commit]]:
    """Count what goes by; on a terminal a line shows how far it is."""
    is_shown = sys.stderr.isatty()
    for page in found:
        yield page
        contents.add(page)
        if is_shown:
            click.echo(f"\r{done} {contents}", nl=False, err=True)
    if is_shown:
        click.echo(err=True)
