import asyncio
import os

import pytest

from jminesweeper.client.lines import lines_of


async def read_all(descriptor: int) -> list[str]:
    return [line async for line in lines_of(descriptor)]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([b"open 3 4\nshow\n"], ["open 3 4", "show"]),
        ([b"op", b"en 3 4\nsh", b"ow"], ["open 3 4", "show"]),
        ([b"\n\n"], ["", ""]),
        ([b"\xff\n"], ["\ufffd"]),
        ([], []),
    ],
)
def test_lines_come_out_however_they_came_in(chunks: list[bytes], expected: list[str]) -> None:
    read_end, write_end = os.pipe()
    for chunk in chunks:
        os.write(write_end, chunk)
    os.close(write_end)
    try:
        assert asyncio.run(read_all(read_end)) == expected
    finally:
        os.close(read_end)


def test_a_line_is_delivered_before_the_next_one_is_written() -> None:
    async def run() -> None:
        read_end, write_end = os.pipe()
        lines = lines_of(read_end)
        for line in ("one", "two"):
            os.write(write_end, f"{line}\n".encode())
            assert await anext(lines) == line
        os.close(write_end)
        with pytest.raises(StopAsyncIteration):
            await anext(lines)
        os.close(read_end)

    asyncio.run(run())
