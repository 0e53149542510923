"""One browser for all tests of a worker, one server for those that need none of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from tests.browser.page_player import DESK, PHONE, Device, PagePlayer
from tests.integration.server_process import ServerProcess, running_server

PATIENCE_MS = int(os.environ.get("BROWSER_PATIENCE_MS", "60000"))
"""Time to wait for anything: on a slow machine a worker of the server takes its time to start,
and what never comes is rare."""


@pytest.fixture(scope="session")
def chromium(require_program: Callable[[str], str]) -> Iterator[Browser]:
    path = require_program("chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            # One process for all pages of a server: to start one costs more than to test a page.
            args=["--no-sandbox", "--renderer-process-limit=1", "--disable-site-isolation-trials"],
            timeout=120_000,
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    with running_server("--store=memory", "--workers=1") as running:
        yield running


@pytest.fixture
def new_context(chromium: Browser) -> Iterator[Callable[[Device], BrowserContext]]:
    """Make contexts of devices; each is somebody with a key of their own."""
    contexts: list[BrowserContext] = []

    def make(device: Device) -> BrowserContext:
        contexts.append(chromium.new_context(**device.options))
        contexts[-1].set_default_timeout(PATIENCE_MS)
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def desk(
    new_context: Callable[[Device], BrowserContext], server: ServerProcess
) -> Iterator[PagePlayer]:
    """Somebody with a mouse and a keyboard, at the first board."""
    player = PagePlayer(new_context(DESK).new_page(), server.port)
    player.open()
    yield player
    assert player.errors == []


@pytest.fixture
def slow_desk(desk: PagePlayer) -> PagePlayer:
    """Somebody at a desk who waits for answers as long as the test says."""
    desk.be_slow()
    return desk


@pytest.fixture
def phone(
    new_context: Callable[[Device], BrowserContext], server: ServerProcess
) -> Iterator[PagePlayer]:
    """Somebody with a finger, at the first board."""
    player = PagePlayer(new_context(PHONE).new_page(), server.port)
    player.open()
    yield player
    assert player.errors == []


@pytest.fixture
def finger(phone: PagePlayer) -> PagePlayer:
    """Somebody with a finger, whose presses last as long as the test says."""
    phone.stop_time()
    return phone
