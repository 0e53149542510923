"""Views: what they say, and what they leave out."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import median

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Act, Hello, MoveTo, NewGame, OpenMenu, Pick, Start, encode
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.messages import MESSAGES
from jminesweeper.session.picture import DEFAULTS
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.panel import compose_keys
from tests.world.player import BACK, Player
from tests.world.server import ANONYMOUS, KNOWN, World, alone, seated

BOARD = "*....\n.....\n.....\n....*"


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    return player


def said(player: Player, *packets: Start | Act | Command | OpenMenu | Pick) -> set[str]:
    """Return the names of what the answer to the last packet says."""
    player.send(*packets)
    return {*player.said}


def test_the_first_view_says_what_is_not_the_default(player: Player) -> None:
    assert {"size", "state", "label", "aim", "mines", "left", "cursor", "keys"} <= {*player.said}
    assert not {"hint", "odds", "replay", "menu", "page", "clock"} & {*player.said}


def test_a_covered_board_is_told_by_its_size_alone(player: Player) -> None:
    player.send(Start(255, 255, 1))
    assert player.said["size"] == [255, 255]
    assert len(player.faces) == 255 * 255
    player.send(*[Act(9, row, Button.FLAG, 16) for row in range(9)], Start(255, 255, 1))
    assert player.said["size"] == [255, 255]
    assert set(player.faces) == {16}
    player.send(Act(9, 9, Button.FLAG, 16), Act(9, 9, Button.FLAG, 48))
    assert "size" not in player.said


def test_a_view_says_only_what_changed(player: Player) -> None:
    assert said(player, Command.REFRESH) == set()
    assert said(player, Act(0, 0, Button.FLAG, 16)) == {"left", "clock", "clock_runs", "message"}
    assert said(player, Act(1, 1, Button.FLAG, 16)) == {"left"}


def test_a_whole_game_travels_in_few_bytes() -> None:
    expert, seed = Size(30, 16), 5
    rules = replace(PRESETS["classic"], first_reveal=FirstReveal.SAFE)
    game, player = Game(Setup.of(expert, 99, rules, seed=seed)), alone()
    board = NewGame(f"expert first-reveal=safe seed={seed}")
    player.send(Start(30, 16, 1), Hello(), board)
    mines = game.reveal_truth().mines
    cells = [*game.grid.cells(game.grid.mask)]
    Random(seed).shuffle(cells)
    sizes: dict[Button, list[int]] = {Button.REVEAL: [], Button.FLAG: []}
    for cell in cells:
        button = Button.FLAG if mines & game.grid.bit(cell) else Button.REVEAL
        if not game.view.visible & game.grid.bit(cell) and player.members["state"] == "playing":
            player.send_after(700, Act(*cell, button, 16))
            (game.flag if button is Button.FLAG else game.reveal)(cell)
            sizes[button].append(len(encode(player.replies[-1])))
    assert player.members["state"] == "won"
    assert median(sizes[Button.REVEAL]) <= 30
    assert median(sizes[Button.FLAG]) <= 40
    assert sum(map(sum, sizes.values())) <= 13_000


def test_a_hello_is_answered_with_everything_again(player: Player) -> None:
    player.send(Act(1, 0, Button.REVEAL, 16), Act(0, 0, Button.FLAG, 16), Command.REFRESH)
    before, faces = {**player.members}, bytes(player.faces)
    player.send(KNOWN, Command.REFRESH)
    told = {name: value for name, value in before.items() if value and name != "cursor"}
    assert {name: player.members.get(name) for name in told} == told
    assert player.faces == faces


class TestClock:
    def test_a_running_clock_is_left_to_the_client(self, player: Player) -> None:
        player.send(Act(1, 1, Button.FLAG, 16))
        assert (player.said["clock"], player.said["clock_runs"]) == (0, True)
        player.send_after(2_500, Act(2, 2, Button.FLAG, 16))
        assert "clock" not in player.said

    def test_it_is_told_to_who_asks(self, player: Player) -> None:
        player.send(Act(1, 1, Button.FLAG, 16))
        player.send_after(61_000, Command.REFRESH)
        assert player.said == {"clock": 61_000}

    @pytest.mark.parametrize("packet", [BACK, OpenMenu("help"), Command.PAUSE])
    def test_it_stops_where_the_board_is_not_seen(
        self, player: Player, packet: OpenMenu | Command
    ) -> None:
        player.send(Act(1, 1, Button.FLAG, 16))
        player.send_after(3_000, packet)
        assert (player.said["clock"], player.said["clock_runs"]) == (3_000, False)
        player.send_after(60_000, BACK if packet is not Command.PAUSE else packet)
        assert (player.said["clock"], player.said["clock_runs"]) == (3_000, True)


class TestCursor:
    def test_it_is_told_where_the_server_put_it(self, player: Player) -> None:
        player.send(Act(3, 2, Button.FLAG, 16), MoveTo(1, 1))
        assert "cursor" not in player.said
        player.send(Command.MOVE_RIGHT)
        assert player.said == {"cursor": [2, 1]}
        player.send(Start(9, 9, 1))
        assert player.said["cursor"] == [0, 0]
        player.send(Command.REFRESH)
        assert "cursor" not in player.said


class TestMenus:
    def test_a_value_is_answered_with_its_row_alone(self, player: Player) -> None:
        player.send(OpenMenu("settings"), Pick("settings", "pace", "on"))
        assert {*player.said} == {"rows"}
        (row,) = player.said["rows"]
        assert (row["id"], row["value"]) == ("pace", "on")

    def test_one_that_is_opened_again_begins_at_the_row_that_was_picked(
        self, player: Player
    ) -> None:
        player.open("Settings")
        player.send(BACK)
        assert player.members["menu"]["selected"] == "settings"


class TestPages:
    def test_they_have_any_length(self) -> None:
        player = World().player()
        player.send(ANONYMOUS, NewGame("60x60/1 jminesweeper"))
        for row in range(60):
            player.send(*[Act(column, row, Button.FLAG, 16) for column in range(20)])
        player.send(Command.TOGGLE_DEBUG_MODE)
        mine = next(at for at, face in enumerate(player.faces) if face & 64)
        column, row = mine % 60, mine // 60
        if player.faces[mine] & 32:
            player.send(Act(column, row, Button.FLAG, 48))
        player.send(Act(column, row, Button.REVEAL, 16))
        player.open("Records", "Export")
        assert len(player.members["page"]["lines"]) > 1_200
        assert player.members["keys"] == ["export", "back", "quit"]


class TestActing:
    """An ACT says what its player saw, and does nothing to a cell that changed since."""

    @pytest.mark.parametrize("seen", [0, 1, 48, 31])
    def test_a_cell_that_looks_otherwise_is_left_alone(self, player: Player, seen: int) -> None:
        before = player.board
        player.send(Act(1, 0, Button.REVEAL, seen))
        assert (player.board, player.members["message"]["id"]) == (before, "changed")

    def test_one_that_shows_a_mine_besides_is_acted_on(self, player: Player) -> None:
        player.send(Command.TOGGLE_DEBUG_MODE, Act(0, 0, Button.FLAG, 16 | 64))
        assert player.board.startswith("F")

    def test_to_open_never_chords(self, player: Player) -> None:
        player.send(Act(1, 0, Button.OPEN, 16), Act(0, 0, Button.FLAG, 16))
        player.send(Act(1, 0, Button.OPEN, 1))
        assert player.board.splitlines()[0] == "F1???"
        player.send(Act(1, 0, Button.REVEAL, 1))
        assert player.board.splitlines()[0] == "F1..."

    def test_marks_of_the_player_are_what_was_seen(self, player: Player) -> None:
        player.send(Act(0, 0, Button.FLAG, 16), Act(0, 0, Button.FLAG, 48))
        assert player.board.startswith("?")


def test_every_message_has_at_most_twelve_words_or_says_why_not() -> None:
    longest = {which: len(text.split()) for which, (text, _) in MESSAGES.items()}
    assert {which for which, words in longest.items() if words > 12} == {"bad.level"}


def test_no_message_names_a_key() -> None:
    keys = {"TAB", "RETURN", "ESC", "SPACE", "DEL", "Press"}
    assert not [text for text, _ in MESSAGES.values() if keys & {*text.strip(".").split()}]


def test_defaults_are_what_a_client_without_a_view_believes() -> None:
    assert not any(value for name, value in DEFAULTS.items() if name not in {"aim", "message"})


def test_a_player_without_a_game_sees_the_menu() -> None:
    player = World().player()
    player.send(Hello())
    assert player.screen == "main"
    assert "continue" in {row["id"] for row in player.members["menu"]["rows"] if "disabled" in row}


def test_after_a_loss_by_the_first_key_the_last_row_of_eighty_columns_says_how_to_quit() -> None:
    player = alone()
    player.send(Start(1, 1, 1), Hello(), Command.REVEAL)
    line, _ = compose_keys(player.members["keys"], KeyMap(), 80, 0)
    assert player.members["keys"][0] == "classic"
    assert " x quit" in line.text
