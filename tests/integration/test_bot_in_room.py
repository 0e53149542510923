"""Programs in rooms, on a real server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jminesweeper.bot.link import BotError
from jminesweeper.bot.playing import play_out
from jminesweeper.bot.remote import connect
from jminesweeper.core.grid import Size
from jminesweeper.core.view import Status
from tests.integration.documented import example
from tests.integration.server_process import hasty, running_server


@pytest.fixture(name="server", scope="module")
def running() -> Iterator[str]:
    with running_server(command=hasty("--workers=1")) as server:
        yield f"127.0.0.1:{server.port}"


async def test_programs_race_each_other(server: str) -> None:
    async with (
        connect(server, "beginner", room="race", name="One", no_guess=True) as one,
        connect(server, room=one.code, name="Two") as two,
    ):
        assert all(await asyncio.gather(one.next_round(), two.next_round()))
        assert one.view == two.view
        first = await play_out(one, one.rules)
        second = await play_out(two, two.rules)
        assert first.status is second.status is Status.WON
        assert first.guesses == 0
        await asyncio.gather(one.next_round(), two.next_round())
        assert {seat.name for seat in one.seats} == {"One", "Two"}
        assert all(seat.is_bot for seat in one.seats)


async def test_programs_share_a_board(server: str) -> None:
    async with connect(server, "intermediate", room="shared", name="One") as one:
        assert await one.next_round()
        async with connect(server, room=one.code, name="Two") as two:
            for _ in range(3):
                assert not one.view.status.is_over
                await one.flag(one.view.cells(one.view.covered)[0])
                await two.flag(two.view.cells(two.view.covered)[-1])
            assert two.view.flag_count >= 5


async def test_a_program_plays_on_after_a_mine(server: str) -> None:
    tight = Size(6, 6)
    async with (
        connect(server, tight, 14, room="race", name="One") as one,
        connect(server, room=one.code, name="Two") as two,
    ):
        await asyncio.gather(one.next_round(), two.next_round())
        mine = 0
        for cell in one.view.cells(one.view.covered):
            if not one.view.known:
                await one.reveal(cell)
                mine = one.view.known
        assert mine
        assert one.view.status is Status.ONGOING
        assert not one.view.covered & mine


def test_the_command_plays_the_rounds_of_a_room(server: str) -> None:
    async def play() -> str:
        async with connect(server, "beginner", room="race", name="One", no_guess=True) as one:
            command = f"-m jminesweeper bot --host={server} --join={one.code} --pace=merciless"
            bot = await asyncio.create_subprocess_exec(
                sys.executable, *command.split(), stdout=asyncio.subprocess.PIPE
            )
            assert bot.stdout is not None
            said = await bot.stdout.readline()
            await one.next_round()
            await play_out(one, one.rules)
            said += await bot.stdout.readline()
            bot.terminate()
            await bot.communicate()
        return said.decode()

    said = asyncio.run(play())
    assert said.startswith("In room ")
    assert "won with" in said


async def test_the_racing_bot_of_the_documents_races(server: str, tmp_path: Path) -> None:
    program = tmp_path / "racer.py"
    program.write_text(example("A racing bot"))
    host, _, port = server.partition(":")

    async def race(code: str) -> str:
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, program, host, port, code)
        racer = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
        said, trouble = await racer.communicate()
        return (said + trouble).decode().strip()

    async with connect(server, Size(9, 9), 6, room="race", name="One", no_guess=True) as one:
        racing = asyncio.create_task(race(one.code))
        while len(one.seats) < 2:
            await one.look()
        await one.next_round()
        await play_out(one, one.rules)
        (won,) = [seat for seat in await one.result() if seat.name == "Racer"]
        assert won.is_bot
        assert await racing == str(won.place)
        assert one.place is not None
    assert "no room KRTPWX" in await race("KRTPWX")


async def test_a_room_that_there_is_not_is_said_in_a_sentence(server: str) -> None:
    with pytest.raises(BotError, match="no room KRTPWX"):
        async with connect(server, room="KRTPWX"):
            pass


async def test_a_program_that_crashes_leaves_its_room_at_once(server: str) -> None:
    async with connect(server, "beginner", room="race", name="One", no_guess=True) as one:

        async def crash() -> None:
            async with connect(server, room=one.code, name="Two") as two:
                await asyncio.gather(one.next_round(), two.next_round())
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await crash()
        # Nobody waits for it: the round ends with the only player who is left.
        await play_out(one, one.rules)
        (first, *_) = await one.result()
        assert first.name == "One"
        while any(seat.name == "Two" and seat.is_here for seat in one.seats):
            await one.look()
