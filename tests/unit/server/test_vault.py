"""The bridge to the store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from jminesweeper.core import PRESETS, Cell, Game, Setup, Size
from jminesweeper.server import DismissalError, Vault
from jminesweeper.session import Consult, Enter, Entrance, Rebuild
from jminesweeper.session.keeper import Keeper, running_game
from jminesweeper.session.play import Play
from jminesweeper.session.titles import Title
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.ports import FindPlayer, ListSaves, StoreUnavailableError


def use(action: Callable[[Vault, MemoryStore], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        store = MemoryStore()
        vault = Vault(store)
        try:
            return await action(vault, store)
        finally:
            vault.close()

    return asyncio.run(run())


def a_play() -> Play:
    setup = Setup(Size(3, 3), 1, PRESETS["classic"], seed=1)
    return Play(Game(setup), Title("custom"), "code")


def test_a_player_is_greeted_and_given_the_game() -> None:
    entrance = use(lambda vault, _store: vault.enter(Enter("player", "Ada", "owner")))
    assert isinstance(entrance, Entrance)
    assert entrance.player.name == "Ada"
    assert entrance.holding.game is None


def test_what_the_store_answers_is_passed_on() -> None:
    async def ask(vault: Vault, _store: MemoryStore) -> object:
        await vault.enter(Enter("player", "Ada", "owner"))
        return await vault.consult(Consult(ListSaves("player")))

    assert use(ask) == ()


def test_a_store_that_cannot_be_used_is_an_answer() -> None:
    async def ask(vault: Vault, store: MemoryStore) -> tuple[object, object]:
        store.close()
        asked = await vault.consult(Consult(FindPlayer("player")))
        return asked, await vault.enter(Enter("player", "Ada", "owner"))

    assert all(isinstance(answer, StoreUnavailableError) for answer in use(ask))


def test_whoever_was_taken_over_has_to_go() -> None:
    async def play(vault: Vault, _store: MemoryStore) -> None:
        first = await vault.enter(Enter("player", "Ada", "first"))
        await vault.enter(Enter("player", "Ada", "second"))
        assert isinstance(first, Entrance)
        keeper = Keeper("player", "first", first.holding)
        play = a_play()
        play.game.reveal(Cell(0, 0), 0)
        await vault.commit(keeper.write(play, 0))

    with pytest.raises(DismissalError, match="lets go"):
        use(play)


def test_an_answer_that_nobody_waits_for_is_dropped() -> None:
    async def leave(vault: Vault, _store: MemoryStore) -> bool:
        future = vault.commit(FindPlayer("player"))
        future.cancel()
        return future.cancelled() or future.done()

    assert use(leave)


def test_a_long_game_is_rebuilt_beside_the_loop() -> None:
    play = a_play()
    play.game.reveal(Cell(0, 0), 0)
    kept = running_game(play, 0)
    rebuilt = use(lambda vault, _store: vault.rebuild(Rebuild(kept)))
    assert isinstance(rebuilt, Play)
    assert rebuilt.game.view() == play.game.view()
