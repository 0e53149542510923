"""The page beside the terminal.

Processor time and memory of the server for a player through a WebSocket and through TCP; and in
Chromium, where there is one, how long the field takes to be there and a tap to be seen.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from statistics import median
from typing import Final, NamedTuple

from playwright.sync_api import Browser, sync_playwright
from tests.integration.web_peer import WebPeer, frame

from benchmarks.crowd import allow_many
from benchmarks.processes import HOST, ServerProcess, ours, server
from benchmarks.tables import Run, Table
from jminesweeper.core.grid import Size
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Hello, NewGame, encode
from jminesweeper.protocol.vocabulary import Command

SCREENS: Final = {"phone": (390, 844), "desk": (1280, 800)}
SCROLLS: Final = {"down": (0, 45), "across": (45, 0), "both ways": (31, 31)}
"""Pixels in a frame."""
SCROLL: Final = """
async ([across, down]) => {
  document.getElementById('view').scrollBy(across, down);
  for (let waited = 0; waited < 2; waited++) await new Promise(requestAnimationFrame);
}
"""

TIME_TO_PAINT: Final = """
([index, wanted]) => new Promise((resolve) => {
  const cell = document.querySelector(`[data-index="${index}"]`);
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    if (!cell.className.includes(wanted)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
  }).observe(cell, {attributes: true, attributeFilter: ['class']});
  cell.click();
})
"""


class Figure(NamedTuple):
    """Something measured."""

    name: str
    value: float
    unit: str


def measure(run: Run) -> Iterator[Table]:
    connections, rounds, taps = (100, 10, 10) if run.is_quick else (500, 60, 40)
    figures = [*measure_server(connections, rounds), *measure_browser(taps)]
    yield Table("page", ("page", "measured", "unit"), figures)


# The server


BEGINNING: Final = (Hello(), NewGame("easy 20x10"))


class TerminalPeer:
    """A player through TCP, who sends what one through a WebSocket does."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port))

    def begin(self) -> None:
        for packet in BEGINNING:
            self.send(encode(packet))
            self.frame()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def frame(self) -> object:
        return self.socket.recv(65_536)


class BrowserPeer(WebPeer):
    """A player through a WebSocket."""

    def begin(self) -> None:
        self.open_socket()
        for packet in BEGINNING:
            self.send(frame(encode(packet)))
            self.frame()


def come(
    join: type[BrowserPeer | TerminalPeer], target: ServerProcess, count: int, guests: ExitStack
) -> Sequence[BrowserPeer | TerminalPeer]:
    """Have so many players begin, who stay until the stack is unwound."""
    peers = [join(target.port) for _ in range(count)]
    for peer in peers:
        guests.callback(peer.socket.close)
        peer.begin()
    return peers


def measure_server(connections: int, rounds: int) -> Iterator[Figure]:
    allow_many()
    for name, join in (("page", BrowserPeer), ("terminal", TerminalPeer)):
        with server(*ours(loop="asyncio")) as target, ExitStack() as guests:
            # The page is put together for the first of them, and the others take up the megabytes
            # that this has left free.
            come(join, target, connections, guests)
            before = target.resident_kib()
            peers = come(join, target, connections, guests)
            memory = (target.resident_kib() - before) / connections
            yield Figure(f"{name}: server's memory for a player", memory, "KiB")
            yield Figure(f"{name}: processor time of a move", move_us(target, peers, rounds), "us")


def move_us(
    target: ServerProcess, peers: Sequence[BrowserPeer | TerminalPeer], rounds: int
) -> float:
    """Move every cursor to and fro, and return what one move costs the server."""
    sent = [encode(move) for move in (Command.MOVE_RIGHT, Command.MOVE_LEFT)]
    if isinstance(peers[0], BrowserPeer):
        sent = [frame(data) for data in sent]
    before = target.cpu_s()
    for number in range(rounds):
        for peer in peers:
            peer.send(sent[number % 2])
        for peer in peers:
            peer.frame()
    return (target.cpu_s() - before) / (rounds * len(peers)) * 1e6


# The browser


def measure_browser(taps: int) -> Iterator[Figure]:
    path = shutil.which("chromium")
    if path is None:
        return
    with server(*ours(loop="asyncio")) as target, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield Figure("page: field there after", median(_loads(browser, target, taps)), "ms")
        yield Figure("page: tap to paint", median(_taps(browser, target, taps)), "ms")
        for name, (width, height) in SCREENS.items():
            cascades = _cascades(browser, target, taps // 4, width, height)
            figure = f"page: a cascade over 255x255 to its paint, {name}"
            yield Figure(figure, median(cascades), "ms")
        for name, step in SCROLLS.items():
            figure = f"page: processor time of a frame of 255x255 at 2560x1440 scrolled {name}"
            yield Figure(figure, median(_scrolls(browser, target, 2 * taps, step)), "ms")
        yield Figure("page: transferred, with headers and rooms", _kilobytes(browser, target), "KB")
        browser.close()


def _loads(browser: Browser, target: ServerProcess, count: int) -> list[float]:
    times: list[float] = []
    for _ in range(count):
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://{HOST}:{target.port}/")
        page.locator(".here").wait_for()
        times.append(page.evaluate("performance.getEntriesByName('field')[0].startTime"))
        context.close()
    return times


def _taps(browser: Browser, target: ServerProcess, count: int) -> list[float]:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"http://{HOST}:{target.port}/")
    page.locator(".here").wait_for()
    times: list[float] = []
    for number in range(count):
        if number % 8 == 0:
            page.keyboard.press("n")
            page.locator(":root[data-state=playing]").wait_for()
        tile = page.evaluate("+document.querySelector('.tile:not(.here)').dataset.index")
        times.append(page.evaluate(TIME_TO_PAINT, [tile, ""]))
        if page.locator(":root.over").count():
            page.keyboard.press("n")
            page.locator(":root[data-state=playing]").wait_for()
    return times


def _cascades(
    browser: Browser, target: ServerProcess, count: int, width: int, height: int
) -> list[float]:
    times: list[float] = []
    for seed in range(count):
        page = browser.new_page(viewport={"width": width, "height": height})
        code = format_seed_code(Setup.of(Size(255, 255), 1, seed=seed))
        page.goto(f"http://{HOST}:{target.port}/#{code}")
        page.get_by_text("not ranked").wait_for()
        here = page.evaluate("+document.querySelector('.here').dataset.index")
        times.append(page.evaluate(TIME_TO_PAINT, [here, "open"]))
        page.close()
    return times


def _scrolls(
    browser: Browser, target: ServerProcess, count: int, step: tuple[int, int]
) -> list[float]:
    """Return the main thread's time for each frame: of a shared machine's clock little is told."""
    page = browser.new_page(viewport={"width": 2560, "height": 1440})
    code = format_seed_code(Setup.of(Size(255, 255), 9_000, seed=3))
    page.goto(f"http://{HOST}:{target.port}/#{code}")
    page.get_by_text("not ranked").wait_for()
    page.evaluate("document.getElementById('view').scrollTo(0, 0)")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy_ms() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        busy_s: float = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
        return 1000 * busy_s

    times: list[float] = []
    for _ in range(count):
        before = busy_ms()
        page.evaluate(SCROLL, step)
        times.append(busy_ms() - before)
    page.close()
    return times


def _kilobytes(browser: Browser, target: ServerProcess) -> float:
    """Return what a browser takes for the first board; no worker fetches for later."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    taken: list[float] = []
    network = context.new_cdp_session(page)
    network.on("Network.loadingFinished", lambda answer: taken.append(answer["encodedDataLength"]))
    network.send("Network.enable")
    page.goto(f"http://{HOST}:{target.port}/")
    page.locator(".here").wait_for()
    page.wait_for_load_state("networkidle")
    context.close()
    return sum(taken) / 1000
