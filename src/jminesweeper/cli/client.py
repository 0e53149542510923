"""`jminesweeper client`: play in this terminal."""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from shutil import get_terminal_size
from ssl import SSLContext
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from jminesweeper.cli.options import (
    ENVIRONMENT,
    LEVEL,
    BoardText,
    Name,
    Number,
    option,
    version_option,
)
from jminesweeper.cli.terminals import canvas_of, color_option
from jminesweeper.client.address import DEFAULT_PORT, Address, AddressError
from jminesweeper.client.capabilities import asks_background, is_dumb, withholds_escape
from jminesweeper.client.conversation import Backoff, Profile, Wire
from jminesweeper.client.events import Leave
from jminesweeper.client.identity import IdentityError, key_for, key_path, load_key
from jminesweeper.client.own_files import OwnFileError, bindings_path, looks_path, read_bindings
from jminesweeper.client.plain import PlainClient, PlainShell
from jminesweeper.client.request import (
    DEFAULT_BOARD,
    DEFAULT_COLUMNS,
    DEFAULT_LEVEL,
    DEFAULT_ROWS,
    GameRequest,
    RequestError,
)
from jminesweeper.client.shell import Shell, TerminalError, Tty
from jminesweeper.client.terminal_client import TerminalClient
from jminesweeper.client.transport import (
    ConnectError,
    Dialler,
    Embedded,
    NoServerError,
    connect,
    lines_of,
    resolve,
    trusting,
)
from jminesweeper.core.errors import NotationError
from jminesweeper.core.grid import MAX_SIDE, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level
from jminesweeper.core.seedcode import parse_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, asked_board, level_variant
from jminesweeper.protocol.packets import Join, Packet, Watch
from jminesweeper.protocol.vocabulary import RoomFlag, RoomKind
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.inks import format_lines
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import FEWEST_ROWS
from jminesweeper.terminal.view import PLAYING

if TYPE_CHECKING:
    from jminesweeper.cli.embedded import EmbeddedServer

_Answer = TypeVar("_Answer")

_NO_TERMINAL: Final = 2
_NEEDS_TERMINAL: Final = "JMinesweeper needs a terminal; use --plain to play without one."
_TERMINAL_IS_DUMB: Final = "TERM names no terminal that can place text; --plain plays line by line."
_ROOMS: Final = {"race": RoomKind.RACE, "coop": RoomKind.SHARED}
_TOGETHER: Final = (*_ROOMS, "join", "watch")


_PICTURE_ROWS: Final = DEFAULT_ROWS + 6
"""The default board in its frame, with the line about it."""
_SIDE: Final = Number(1, MAX_SIDE)
_BOARDS: Final = " or ".join(", ".join(CLASSIC_BOARDS).rsplit(", ", 1))


class _RowsOrBoard(click.ParamType[int | str]):
    """A number of rows, or a board of the classic game, which leaves nothing to ask."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        if value in CLASSIC_BOARDS:
            return str(value)
        try:
            return _SIDE.convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"type rows ({_SIDE.min} to {_SIDE.max}), {_BOARDS}.", param, ctx)


_ROWS_OR_BOARD: Final = _RowsOrBoard()


def _read_seed(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> int | Setup | None:
    """Read a number, or the seed code of a board."""
    if text is None:
        return None
    if re.fullmatch("[0-9]{1,20}", text) and int(text) < 2**SEED_BITS:
        return int(text)
    try:
        return parse_seed_code(text)
    except NotationError as error:
        raise click.BadParameter(f"{error}.") from error


def _read_server(
    _context: click.Context, _argument: click.Parameter, text: str | None
) -> str | None:
    """Refuse a board's name: otherwise `--daily expert` would look for a server named expert."""
    if text in CLASSIC_BOARDS:
        raise click.UsageError(f"{text} is a board, not a server: --preset {text}.")
    return text


@click.command(
    "client",
    epilog="""
    \b
    Keys:
      w a s d, arrows, h j k l   move            RETURN   reveal
      SPACE                      flag a mine     TAB      new game
      #                          debug mode      X        quit
    More on servers that speak version 2, where ? explains them. Bind keys of your own in
    $XDG_CONFIG_HOME/jminesweeper/keys (~/.config/jminesweeper/keys), one a line: e up

    \b
    Examples:
      jminesweeper client                            20 columns, 10 rows, level 1, this machine
      jminesweeper client -r 16 -c 30 -l hard        another board
      jminesweeper client --preset expert            the classic game
      jminesweeper client example.org:9999           asks for rows, columns and level
      jminesweeper client tls://example.org          the same, encrypted
      jminesweeper client --race expert example.org  race against friends
      jminesweeper client --join KTPQAH example.org   join them
      echo open 1 1 | jminesweeper client --plain    line by line, without a terminal
    """,
)
@click.argument(
    "server",
    metavar="[[tls://]HOST[:PORT]]",
    required=False,
    callback=_read_server,
    envvar=f"{ENVIRONMENT}_SERVER",
)
@option("-r", "--rows", "-rows", type=_SIDE, metavar="N", help="Height of the playing field.")
@option("-c", "--columns", "-columns", type=_SIDE, metavar="N", help="Width of the playing field.")
@option("-l", "--level", "-level", type=LEVEL, help="Difficulty: 5, 25 or 45 % mines.")
@option(
    "--port",
    type=Number(1, 65535),
    metavar="N",
    help=f"Port of the server, if not named with the host.  [default: {DEFAULT_PORT}]",
)
@option("--tls", is_flag=True, help="Speak TLS with the server, as tls://HOST does.")
@option(
    "--tls-ca",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Speak TLS, and trust the certificates in this file.",
)
@color_option
@option(
    "--preset",
    type=BoardText(),
    metavar="BOARD",
    help="A board: beginner (9x9 with 10 mines), intermediate (16x16, 40), expert (30x16, 99), "
    "30x20/130 for others, or words such as 'expert kata no-guess'.",
)
@option(
    "--mines",
    type=Number(1, MAX_SIDE**2 - 1),
    metavar="N",
    help="Number of mines, instead of a level.",
)
@option("--rules", type=click.Choice([*PRESETS]), help="The rules to play by.")
@option(
    "--first-click",
    type=click.Choice(["off", "safe", "zero"]),
    help="Protect the first reveal: not at all, from a mine, or from any number.",
)
@option(
    "--seed",
    callback=_read_seed,
    metavar="SEED",
    help="The board: a number, or the seed code that a game shows.",
)
@option("--no-guess", is_flag=True, help="A board that needs no guessing.")
@option("--daily", is_flag=True, help="Today's board, the same for all players.")
@option("--resume", is_flag=True, help="Resume the game you left on this server.")
@option(
    "--race",
    is_flag=False,
    flag_value="",
    metavar="[BOARD]",
    help=f"Open a room for a race on a board.  [default: {DEFAULT_BOARD}]",
)
@option(
    "--coop",
    is_flag=False,
    flag_value="",
    metavar="[BOARD]",
    help=f"Open a room to share a board.  [default: {DEFAULT_BOARD}]",
)
@option("--open", "is_open", is_flag=True, help="Let everybody find the room of --race or --coop.")
@option("--join", type=Name(), metavar="CODE", help="Sit down in the room of a code.")
@option("--watch", type=Name(), metavar="CODE|NAME", help="Watch a game, a room or a player.")
@option("--plain", is_flag=True, help="Play with lines of text, without a terminal.")
@option(
    "--mouse/--no-mouse",
    default=None,
    help="Play with the mouse, too.  [default: --mouse, but not in GNU screen, which loses ESC]",
)
@option("--name", type=Name(), default="", show_default=False, help="Your name on leaderboards.")
@option(
    "--wire",
    type=click.Choice([wire.value for wire in Wire]),
    default=Wire.AUTO.value,
    help="Version of the protocol; auto takes the best that the server announces.",
)
@version_option
@click.pass_context
def client_command(context: click.Context, /, **given: Any) -> None:
    """Play in this terminal, on a server or on this machine alone.

    Without any option: 20 columns, 10 rows, level 1, on 127.0.0.1. With options, the client asks
    for rows, columns and level if they are missing. If no host is named and this machine runs no
    server, the game is played offline.
    """
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not given["plain"] and not (has_terminal and not is_dumb(os.environ)):
        click.echo(_TERMINAL_IS_DUMB if has_terminal else _NEEDS_TERMINAL, err=True)
        context.exit(_NO_TERMINAL)
    try:
        _with_board(given)
        address = _address(
            given["server"], given["port"], has_tls=given["tls"] or given["tls_ca"] is not None
        )
        is_port_given = context.get_parameter_source("port") is ParameterSource.COMMANDLINE
        if is_port_given and address.port != given["port"]:
            raise click.UsageError(f"{given['server']} names its port; leave out --port.")
        trust = trusting(given["tls_ca"]) if address.has_tls else None
        request = _request(given)
        _reach_company(address, trust, given)
        asks = not (given["resume"] or _has_company(given)) and _is_anything_given(context)
        if asks and sys.stdin.isatty():
            if request.is_incomplete:
                asyncio.run(_reach(address, trust, may_fail=given["server"] is None))
            request = _ask(request, "" if given["plain"] else _picture(given["color"]))
        profile = _profile(request, address, given)
        keys = KeyMap({} if given["plain"] else read_bindings(bindings_path(os.environ)))
    except (AddressError, RequestError) as error:
        raise click.UsageError(f"{error}.") from error
    except (OwnFileError, ConnectError) as error:
        _tell(str(error))
        context.exit(1)
    try:
        leave = asyncio.run(_play(profile, keys, address, trust, given))
    except TerminalError as error:
        leave = Leave(1, str(error))
    if leave.screen:
        click.echo(leave.screen)
    if leave.message:
        click.echo(leave.message, err=True)
    context.exit(leave.exit_code)


def _tell(sentence: str) -> None:
    """Print a sentence, on a terminal in lines that end between words."""
    if sys.stderr.isatty():
        sentence = _folded(sentence, get_terminal_size().columns)
    click.echo(sentence, err=True)


def _folded(sentence: str, columns: int) -> str:
    """Break between words; a path stays whole, to be copied."""
    return fill(sentence, columns, break_long_words=False, break_on_hyphens=False)


def _is_anything_given(context: click.Context) -> bool:
    return any(
        context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in context.params
    )


def _address(server: str | None, port: int | None, *, has_tls: bool = False) -> Address:
    port = port or DEFAULT_PORT
    address = Address(port=port) if server is None else Address.parse(server, port)
    return replace(address, has_tls=has_tls or address.has_tls)


def _request(given: Mapping[str, Any]) -> GameRequest:
    seed = given["seed"]
    request = GameRequest(
        columns=given["columns"],
        rows=given["rows"],
        level=given["level"] and Level.parse(given["level"]),
        preset=given["preset"],
        mines=given["mines"],
        rules=given["rules"],
        first_reveal=given["first_click"] and FirstReveal(given["first_click"]),
        seed=seed if isinstance(seed, int) else None,
        board=seed if isinstance(seed, Setup) else None,
        no_guess=given["no_guess"],
        daily=given["daily"],
    )
    request.check()
    return request


def _picture(color: str) -> str:
    """Paint the board that RETURN plays as the game will, above the question."""
    board = level_variant(Size(DEFAULT_COLUMNS, DEFAULT_ROWS), DEFAULT_LEVEL)
    canvas = canvas_of(Tty(sys.stdin.fileno(), sys.stdout.fileno()).size(), color)
    # The last row of the terminal is for the question.
    rows = max(FEWEST_ROWS, min(canvas.rows - 1, _PICTURE_ROWS))
    front_end = FrontEnd(canvas._replace(rows=rows), KeyMap({}))
    known = {
        "size": [DEFAULT_COLUMNS, DEFAULT_ROWS],
        "state": PLAYING,
        "label": board.label,
        "mines": board.mine_count,
        "left": board.mine_count,
    }
    front_end.apply_view(known, b"", None, 0.0)
    return format_lines(front_end.screen(0.0).lines[:-1], canvas)


def _ask(request: GameRequest, picture: str = "") -> GameRequest:
    """Ask for options that are missing, until each answer is valid.

    RETURN leaves a question open, so that a waiting game can be resumed. Where nothing at all was
    said one RETURN answers all questions, with the board in sight that it plays.
    """
    is_open = request.needs_size and not request.is_particular and request.mines is None
    if is_open:
        click.echo(picture, nl=False)
        usual = f"RETURN plays {DEFAULT_COLUMNS}x{DEFAULT_ROWS}, level {DEFAULT_LEVEL.value}"
        # With the longest answer this fits 80 columns.
        rows: int | str | None = click.prompt(
            f"Rows, {', '.join(CLASSIC_BOARDS)} ({usual})",
            default="",
            show_default=False,
            value_proc=lambda text: _ROWS_OR_BOARD.convert(text, None, None) if text else None,
        )
        if rows is None:
            return request
        if isinstance(rows, str):
            return replace(request, preset=CLASSIC_BOARDS[rows])
        request = replace(request, rows=rows)
    if request.needs_size and request.rows is None:
        request = replace(request, rows=_ask_for("Rows", _SIDE, DEFAULT_ROWS))
    if request.needs_size and request.columns is None:
        request = replace(request, columns=_ask_for("Columns", _SIDE, DEFAULT_COLUMNS))
    if request.needs_level and request.level is None:
        level = _ask_for("Level", LEVEL, str(DEFAULT_LEVEL.value))
        request = replace(request, level=None if level is None else Level.parse(level))
    request.check()
    return request


def _ask_for(what: str, wanted: click.ParamType[_Answer], default: _Answer) -> _Answer | None:
    """Return the answer, or None for the default."""
    answers = "" if wanted is LEVEL else f" ({_SIDE.min} to {_SIDE.max})"
    answer: _Answer = click.prompt(f"{what}{answers}", type=wanted, default=default)
    return None if answer == default else answer


def _profile(request: GameRequest, address: Address, given: Mapping[str, Any]) -> Profile:
    wire = Wire(given["wire"])
    has_company = _has_company(given)
    needs_version_2 = wire is Wire.TWO or given["plain"] or request.needs_version_2 or has_company
    if wire is Wire.ONE and given["plain"]:
        raise RequestError("--plain needs version 2 of the protocol")
    if wire is Wire.ONE and needs_version_2:
        raise RequestError("version 1 of the protocol knows only rows, columns and level")
    if has_company and given["resume"]:
        raise RequestError("--resume continues the game that you left alone")
    if given["resume"] and request.is_particular:
        raise RequestError("--resume continues the game that waits; leave out the other options")
    return Profile(
        start=request.start(),
        # A program that plays line by line has nobody to ask.
        wish=_company(given, request) or request.new_game(asks_first=not given["plain"]),
        wire=wire,
        needs_version_2=needs_version_2,
        # Programs count on one answer for each command.
        is_live=not given["plain"],
        name=given["name"],
        resumes=given["resume"],
        key=b"" if wire is Wire.ONE else _key(address),
    )


def _has_company(given: Mapping[str, Any]) -> bool:
    return any(given[name] is not None for name in _TOGETHER)


def _company(given: Mapping[str, Any], request: GameRequest) -> Packet | None:
    """Ask for company: for a room, a seat in one, or somebody to watch."""
    wishes = [name for name in _TOGETHER if given[name] is not None]
    if given["is_open"] and not {*wishes} & {*_ROOMS}:
        raise RequestError("--open goes with --race or --coop")
    if not wishes:
        return None
    name, *others = wishes
    if others:
        raise RequestError(f"use only one of {', '.join(f'--{each}' for each in _TOGETHER)}")
    if name in _ROOMS:
        return request.room(_ROOMS[name], RoomFlag.OPEN if given["is_open"] else RoomFlag(0))
    if request.is_particular:
        raise RequestError(f"--{name} plays the board that is there; leave out the other options")
    return Join(given[name]) if name == "join" else Watch(given[name])


def _with_board(given: dict[str, Any]) -> None:
    """Tell the board of a room from the server, where both may follow the option."""
    for name in _ROOMS:
        text = given[name]
        if not text:
            continue
        try:
            board = asked_board(text)
        except NotationError as error:
            if given["server"] is not None:
                raise RequestError(str(error)) from error
            given["server"] = text
        else:
            if given["preset"] not in {None, board}:
                raise RequestError("two boards for one room")
            given["preset"] = board


def _has_mouse(given: Mapping[str, Any]) -> bool:
    wish: bool | None = given["mouse"]
    return not withholds_escape(os.environ) if wish is None else wish


def _key(address: Address) -> bytes:
    """Return the player's key for this server."""
    try:
        return key_for(address.name, load_key(key_path(os.environ)))
    except IdentityError as error:
        click.echo(f"{error} Playing anonymously; nothing will be saved.", err=True)
        return b""


async def _play(
    profile: Profile,
    keys: KeyMap,
    address: Address,
    trust: SSLContext | None,
    given: Mapping[str, Any],
) -> Leave:
    async with AsyncExitStack() as stack:
        dial = Dialler(address, _embedded(stack) if given["server"] is None else None, trust)
        backoff, tell = Backoff(random.random), partial(click.echo, err=True)
        if given["plain"]:
            lines = lines_of(sys.stdin.fileno())
            client = PlainClient(profile, backoff)
            return await PlainShell(client, dial, lines, write=_print_answer, tell=tell).run()
        terminal = Tty(sys.stdin.fileno(), sys.stdout.fileno())
        canvas = canvas_of(terminal.size(), given["color"])
        host = "" if address.is_local else str(address)
        mouse = _has_mouse(given)
        game = TerminalClient(
            profile,
            backoff,
            canvas,
            keys,
            has_mouse=mouse,
            asks_background=asks_background(canvas, os.environ),
            host=host,
        )
        return await Shell(game, terminal, tell, dial, looks=looks_path(os.environ)).run()


def _print_answer(text: str) -> None:
    """Print; once the pipe is closed, silence the flush at the interpreter's exit, too."""
    try:
        click.echo(text)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


async def _reach(address: Address, trust: SSLContext | None, *, may_fail: bool) -> None:
    """Find out whether there is a server before asking questions."""
    try:
        connection = await connect(address, str(address), lambda _event: None, trust=trust)
    except NoServerError:
        if not may_fail:
            raise
        return
    await connection.finish(0)


def _reach_company(address: Address, trust: SSLContext | None, given: Mapping[str, Any]) -> None:
    """Check for a server where company is wanted: offline there is none."""
    if given["server"] is not None and given["server"] in {given[name] for name in _ROOMS}:
        # After --race or --coop a mistyped board looks like a host.
        try:
            asyncio.run(resolve(address.host, address.port))
        except ConnectError as error:
            raise ConnectError(f"{error} It is no board either: {_BOARDS}.") from error
    if given["server"] is not None or not _has_company(given):
        return
    try:
        asyncio.run(_reach(address, trust, may_fail=False))
    except NoServerError as error:
        hint = "Name the host that your friends play on, or start a server: ./run_server.sh"
        raise ConnectError(f"{error} {hint}") from error


def _embedded(stack: AsyncExitStack) -> Embedded:
    """Prepare the embedded server, which is imported only when needed."""

    @cache
    def server() -> EmbeddedServer:
        loaded: type[EmbeddedServer] = import_module("jminesweeper.cli.embedded").EmbeddedServer
        return loaded(stack)

    return lambda: server().connect()
