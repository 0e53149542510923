"""The board of the day: the same for everybody, and ranked once."""

import re
from datetime import date
from hashlib import sha256
from itertools import pairwise

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.seedcode import daily_setup, format_seed_code
from jminesweeper.protocol.packets import Act, Code, Hello, MoveTo, NewGame, Packet, Start
from jminesweeper.protocol.vocabulary import Button, Command, Feature
from jminesweeper.records.days import DaySeeds
from jminesweeper.records.reading import list_boards
from jminesweeper.session.messages import day_of, ordinal
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.player import BACK, SEEN, Player, cells_of
from tests.world.server import ANONYMOUS, DAY_SEEDS, KNOWN, World, alone, daily

DAILY = NewGame("daily beginner")
DAY_MS = 86_400_000
FLAG = Command.TOGGLE_BOMB_MARK
LOOK = (MoveTo(4, 4), Command.REVEAL, Command.PAUSE, Command.PAUSE)
KNOWN_BOARD = "Seen before, so not ranked."


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def player(world: World) -> Player:
    world.know_for_a_day()
    return world.player().do(KNOWN)


def repeats(world: World) -> list[bool]:
    return [game.variant.is_repeat for game in world.finished]


def test_everybody_gets_the_same_board_by_day(player: Player, world: World) -> None:
    player.send(DAILY)
    assert player.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")
    assert KNOWN_BOARD not in player.message
    other = world.player(entropy=lambda bits: (1 << bits) - 1)
    other.send(ANONYMOUS, DAILY)
    boards = [one.send(*LOOK).text.partition("field:")[2] for one in (player, other)]
    assert boards[0] == boards[1]


def test_the_next_day_has_another_board(player: Player) -> None:
    player.send(DAILY, *LOOK)
    before = player.text.partition("field:")[2]
    player.send_after(86_400_000, DAILY)
    assert player.text.startswith("JMinesweeper daily beginner 2001-09-10 9x9")
    assert player.text.partition("field:")[2] != before


def test_the_second_time_is_a_repeat(player: Player, world: World) -> None:
    for _ in range(2):
        player.send_after(1_000, DAILY, FLAG, Start(9, 9, 1))
    first, second = world.finished
    assert repeats(world) == [False, True]
    assert first.code != second.code
    assert first.variant.daily == second.variant.daily == date(2001, 9, 9)


def test_the_one_at_hand_is_known(player: Player, world: World) -> None:
    player.do(DAILY, FLAG, DAILY).sees({"remark": "repeat"})
    assert repeats(world) == [False]


def test_one_that_was_only_looked_at_is_not_seen(player: Player) -> None:
    player.send(DAILY, Command.MOVE_RIGHT, DAILY)
    assert KNOWN_BOARD not in player.message


@pytest.mark.parametrize("ways", [(), (FLAG, NewGame("again"))])
def test_todays_mines_cannot_be_looked_at(player: Player, ways: tuple[Packet, ...]) -> None:
    player.send(DAILY, *ways, Command.TOGGLE_DEBUG_MODE)
    player.sees({"message": "Debug mode is off on today's daily board.", "remark": ""})


def test_nor_under_its_seed_code(player: Player) -> None:
    player.do(BACK, "Seed code")
    code = format_seed_code(daily(date(2001, 9, 9)))
    player.send(Code(code), Command.REVEAL, Command.TOGGLE_DEBUG_MODE)
    assert player.message == "Debug mode is off on today's daily board."


def test_debug_mode_ends_where_todays_board_begins(player: Player) -> None:
    player.do(Start(9, 9, 1), Command.TOGGLE_DEBUG_MODE, DAILY).sees({"remark": ""})


def reveal(cell: Cell) -> Act:
    return Act(*cell, Button.REVEAL, SEEN)


def win(player: Player, ms: int) -> None:
    """Win the board of the day after so many milliseconds, most of it at once."""
    field = daily(day_of(1_000_000_000 + player.world.now_ms // 1000)).minefield()
    first, *others = cells_of(field, field.safe)
    player.do(DAILY, reveal(first), ms, *map(reveal, [*others, first])).sees({"state": "won"})


def figures(player: Player) -> dict[str, str]:
    return dict(map(tuple, player.members["figures"]))


def friend(world: World, name: str) -> Player:
    other = world.player()
    world.know_for_a_day(name.encode().ljust(16))
    other.send(Hello(key=name.encode().ljust(16), name=name))
    return other


def test_a_win_says_its_rank_among_all_who_have_won(player: Player, world: World) -> None:
    for name, ms in (("Bob", 2_000), ("Eve", 4_000)):
        win(friend(world, name), ms)
    win(player, 3_000)
    assert player.message == "You won! 2nd of 3 today. Not one flag!"
    assert figures(player)["today"] == "2nd of 3"
    win(friend(world, "Joe"), 3_000)
    player.send(BACK, BACK)
    assert figures(player)["today"] == "2nd of 3"


def test_one_line_to_share_gives_nothing_of_the_board_away(player: Player) -> None:
    win(player, 3_000)
    line = figures(player)["share"]
    assert line.startswith("JMinesweeper beginner 2001-09-09: won in 0:03.0 ")
    assert re.fullmatch("[▁-█]▁{8}[▁-█]", line[-10:])


def test_a_loss_has_a_line_to_share_and_no_rank(player: Player) -> None:
    field = daily(date(2001, 9, 9)).minefield()
    player.send(DAILY, reveal(cells_of(field, field.safe)[0]))
    player.send_after(62_300, reveal(cells_of(field, field.mines)[0]))
    assert re.search(r": lost at \d+ % after 1:02.3 ", figures(player)["share"])
    assert "today" not in figures(player)


def test_who_plays_it_again_has_neither(player: Player) -> None:
    win(player, 3_000)
    player.send(DAILY)
    win(player, 1_000)
    assert not {"today", "share", "days in a row"} & {*figures(player)}


def test_days_in_a_row_are_counted_and_a_day_left_out_ends_them(player: Player) -> None:
    for days in (1, 2, 3):
        win(player, 3_000)
        assert figures(player)["days in a row"] == f"{days}"
        player.world.let_pass(DAY_MS)
    assert "days in a row with a board of the day 3" in player.open("Records", "Statistics").text
    player.world.let_pass(DAY_MS)
    player.send(BACK, BACK, BACK)
    assert "days in a row" not in player.open("Records", "Statistics").text
    player.send(BACK, BACK, BACK)
    win(player, 3_000)
    assert figures(player)["days in a row"] == "1"


def test_a_guest_has_a_line_to_share(world: World) -> None:
    guest = world.player().do(ANONYMOUS)
    win(guest, 3_000)
    assert "share" in figures(guest)
    assert "today" not in figures(guest)


def test_a_store_that_fails_leaves_the_line_to_share(player: Player, world: World) -> None:
    player.send(DAILY)
    world.fault = StoreUnavailableError(Fault.FULL)
    field = daily(date(2001, 9, 9)).minefield()
    player.send(*map(reveal, [*cells_of(field, field.safe)] * 2))
    world.fault = None
    world.look_again()
    assert "share" in figures(player)


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (121, "121st")],
)
def test_places_are_written_as_people_say_them(number: int, said: str) -> None:
    assert ordinal(number) == said


def test_yesterdays_mines_can(player: Player) -> None:
    player.do(DAILY, 86_400_000, Command.TOGGLE_DEBUG_MODE).sees({"remark": "debug assisted"})


def test_each_board_and_each_player_has_a_first_time(player: Player, world: World) -> None:
    player.do(DAILY, FLAG, NewGame("daily expert"), FLAG, Start(9, 9, 1))
    assert repeats(world) == [False, False]


def test_it_continues_after_an_absence(player: Player, world: World) -> None:
    player.send(DAILY, FLAG)
    again = world.player().do(KNOWN)
    assert again.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")
    again.do(Start(9, 9, 1), DAILY).sees({"message": KNOWN_BOARD})


def test_it_is_a_repeat_if_the_store_cannot_tell(player: Player, world: World) -> None:
    world.fault = StoreUnavailableError(Fault.FULL)
    player.send(DAILY)
    assert (player.entry("size"), player.message) == (
        "9x9",
        "The server cannot tell if you saw this board; not ranked.",
    )
    world.fault = None
    player.send(FLAG, Start(9, 9, 1))
    assert repeats(world) == [True]


def test_nobody_knows_a_board_by_its_day_alone() -> None:
    day = date(2001, 9, 9)
    boards = {
        daily_setup(day, "beginner", DaySeeds(bytes([n]) * 32).of(day) or b"") for n in (1, 2)
    }
    assert len(boards) == 2


def test_the_hash_of_a_seed_is_shown_before_and_the_seed_after_its_day(player: Player) -> None:
    player.do(BACK, "Board of the day", "Seeds")
    shown = {seed_under(player, day) for day in ("2001-09-10", "2001-09-09", "2001-09-08")}
    seeds = {day: DAY_SEEDS.of(date(2001, 9, day)) or b"" for day in (8, 9, 10)}
    assert shown == {sha256(seeds[10]).hexdigest(), sha256(seeds[9]).hexdigest(), seeds[8].hex()}
    assert seeds[9].hex() not in player.text
    player.do(BACK, BACK, DAY_MS, "Board of the day", "Seeds")
    today = bytes.fromhex(seed_under(player, "2001-09-09"))
    assert sha256(today).hexdigest() in shown
    assert daily_setup(date(2001, 9, 9), "beginner", today) == daily(date(2001, 9, 9))


def seed_under(player: Player, day: str) -> str:
    lines: list[str] = player.members["page"]["lines"]
    return next(after for line, after in pairwise(lines) if line.startswith(day))


def test_without_a_store_there_is_none() -> None:
    player = alone().do(ANONYMOUS, DAILY)
    assert player.message == "This server has no board of the day."
    player.send(BACK)
    assert player.row("Board of the day")["disabled"] == "This server has no board of the day."


def test_a_new_player_wins_unranked(world: World) -> None:
    """Otherwise a second key would be a second try: look with one, win with the other."""
    new = world.player().do(KNOWN)
    win(new, 3_000)
    assert new.message == "You won! Daily ranks open an hour after your first game."
    assert "today" not in figures(new)
    assert world.run(list_boards()) == []


def test_a_program_ranks_among_programs(player: Player, world: World) -> None:
    win(player, 3_000)
    world.know_for_a_day(b"bot".ljust(16))
    bot = world.player()
    bot.send(Hello(Feature.BOT | Feature.RESUME, b"bot".ljust(16), "Bot"))
    win(bot, 1_000)
    assert bot.message == "You won! 1st of 1 today among programs."
    assert [each.is_of_programs for each in world.run(list_boards())] == [False, True]
    names = [row["label"] for row in best_times(player)]
    assert names == ["daily beginner 2001-09-09", "daily beginner 2001-09-09, programs"]


def best_times(player: Player) -> list[dict[str, str]]:
    player.open("Records", "Best times")
    rows: list[dict[str, str]] = player.members["menu"]["rows"]
    return rows


def test_the_menu_says_how_each_board_ended(player: Player) -> None:
    win(player, 3_000)
    player.open("Board of the day")
    assert player.row("Beginner")["value"] == "won in 3.000 s, 1st of 1"
    assert player.row("Expert")["value"].startswith("30x16, 99 mines")


def test_a_board_that_is_done_is_played_again_only_by_the_players_word(player: Player) -> None:
    field = daily(date(2001, 9, 9)).minefield()
    player.do(
        DAILY, reveal(cells_of(field, field.safe)[0]), reveal(cells_of(field, field.mines)[0])
    )
    player.open("Board of the day")
    assert player.row("Beginner")["value"] == "lost"
    player.do("Beginner").sees({"screen": "play_again"})
    player.do("Leave it at that").sees({"screen": "daily"})
    player.do("Beginner", "Play it again").sees({"remark": "repeat", "message": KNOWN_BOARD})


def test_the_cell_at_which_a_board_opens_is_told_until_it_is_open(player: Player) -> None:
    player.send(DAILY)
    first = daily(date(2001, 9, 9)).first
    assert first is not None
    assert player.members["first"] == [first.row * 9 + first.column]
    player.send(Command.TOGGLE_BOMB_MARK)
    assert player.members["first"]
    player.send(reveal(Cell(0, 1)))
    assert player.members["first"] == []
    player.send(NewGame("beginner"))
    assert player.members["first"] == []
