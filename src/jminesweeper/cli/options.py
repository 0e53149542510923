"""Options that can also be environment variables, and their values."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeVar

import click

from jminesweeper import __version__
from jminesweeper.client.address import Address, AddressError
from jminesweeper.core.errors import NotationError
from jminesweeper.core.variant import Variant, asked_board
from jminesweeper.protocol.packets import LONGEST_NAME, Join
from jminesweeper.protocol.vocabulary import EncodeError


class ServerAddress(click.ParamType[Address]):
    """HOST, HOST:PORT, or either after tls://."""

    name = "HOST[:PORT]"

    def convert(
        self, value: str | Address, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address:
        try:
            return value if isinstance(value, Address) else Address.parse(value)
        except AddressError as error:
            self.fail(f"{error}.", param, ctx)


class BoardText(click.ParamType[Variant]):
    """A board by its text, such as expert, 30x20/130, or several words in quotes."""

    name = "board"

    def convert(
        self, value: str | Variant, param: click.Parameter | None, ctx: click.Context | None
    ) -> Variant:
        try:
            return value if isinstance(value, Variant) else asked_board(value)
        except NotationError as error:
            self.fail(f"{error}.", param, ctx)


class Name(click.ParamType[str]):
    """A name or a code that the wire has room for."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            Join(value).payload()
        except EncodeError:
            self.fail(f"it is no text of at most {LONGEST_NAME} bytes.", param, ctx)
        return value


ENVIRONMENT: Final = "JMINESWEEPER"
LOOPBACK: Final = "127.0.0.1"


class _LevelChoice(click.Choice[str]):
    """A level by its number or name."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        *others, last = self.choices
        return f"type {', '.join(others)} or {last}."


LEVEL: Final = _LevelChoice(["1", "2", "3", "easy", "medium", "hard"], case_sensitive=False)

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Number(click.IntRange):
    """A whole number, with its range in words: `1 to 255`, not `1<=x<=255`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and not value.isprintable():
            # Such as arrow keys at a question: click would quote their escape codes.
            self.fail(f"type a number, {self._describe_range()}.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number

    def _describe_range(self) -> str:
        return f"from {self.min} up" if self.max is None else f"{self.min} to {self.max}"


class Quantity(click.FloatRange):
    """A number with a fraction or without, with its range in words."""

    name = "number"

    def _describe_range(self) -> str:
        return f"above {self.min}" if self.max is None else f"{self.min} to {self.max}"


class ListenAddress(NamedTuple):
    """A place to listen."""

    host: str
    port: int


class ListenPlace(click.ParamType[ListenAddress]):
    """A port, of the loopback interface unless a host comes before it."""

    name = "[HOST:]PORT"

    def convert(
        self, value: str | ListenAddress, param: click.Parameter | None, ctx: click.Context | None
    ) -> ListenAddress:
        if not isinstance(value, str):
            return value
        host, _, port = value.rpartition(":")
        if not (port.isdecimal() and port.isascii() and int(port) <= 65535):
            self.fail(f"{value} is neither PORT nor HOST:PORT.", param, ctx)
        return ListenAddress(host.strip("[]") or LOOPBACK, int(port))


def how_to_install(extra: str) -> str:
    """Return the command that installs an extra for this very program."""
    return f"{shlex.quote(sys.executable)} -m pip install 'jminesweeper[{extra}]'"


@contextmanager
def pyte_is_needed(what: str) -> Iterator[None]:
    """Say how to install pyte where it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "pyte":
            raise
        how = how_to_install("check")
        raise click.ClickException(f"{what} needs the extra check: {how}") from error


version_option = click.version_option(
    __version__, prog_name="JMinesweeper", message="%(prog)s %(version)s"
)
"""For users of the run scripts, on each command that they start."""


def option(*names: str, variable: str = "", **settings: Any) -> Callable[[Decorated], Decorated]:
    """Declare an option that is also an environment variable, named after its long form."""
    long_name = next(name for name in names if name.startswith("--")).partition("/")[0]
    variable = variable or f"{ENVIRONMENT}{long_name[1:].replace('-', '_').upper()}"
    return click.option(*names, envvar=variable, show_envvar=True, **settings)
