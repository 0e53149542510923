"""The page, and getting about on it without a hand on the board."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED, Status, parse_position
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    Load,
    LookBack,
    NewGame,
    Odds,
    OpenMenu,
    Packet,
    Save,
    Seek,
    Undo,
    encode,
)
from jminesweeper.protocol.vocabulary import Button, Command, LookBackAt, PacketType
from jminesweeper.solver.position import analyse
from tests.browser.page_player import BEGINNER, DESK, Device, KnownGame, PagePlayer, win
from tests.integration.server_process import ServerProcess, running_server

NewContext = Callable[[Device], BrowserContext]

SENT: dict[str, Packet] = {
    "Enter": Act(0, 0, Button.REVEAL, COVERED),
    "Space": Act(0, 0, Button.FLAG, COVERED),
    "f": Act(0, 0, Button.FLAG, COVERED),
    "c": Act(0, 0, Button.CHORD, COVERED),
    "C": Act(0, 0, Button.CHORD, COVERED),
    "u": Undo(1),
    "U": Undo(0),
    "i": Hint(0, 0),
    "o": Odds(0, 0),
    "g": Seek(0, 0),
    "p": Command.PAUSE,
    "n": NewGame(),
    "r": NewGame("again"),
    "b": LookBack(LookBackAt.REPLAY),
    "y": LookBack(LookBackAt.ANALYSIS),
    "m": OpenMenu(""),
    "Escape": OpenMenu(""),
    "?": OpenMenu("help"),
    "F1": OpenMenu("help"),
    "#": Command.TOGGLE_DEBUG_MODE,
    "Control+s": Save(""),
    "Control+o": Load(""),
    "x": Command.QUIT,
}
"""The packets of keys at the first cell of a board. A key that only moves the cursor sends none."""
LARGE = format_seed_code(Setup.of(Size(100, 60), 700, seed=3))

CONTRASTS = """
() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const light = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
      part /= 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.documentElement);
  const value = (name) => {
    const probe = document.createElement('p');
    document.body.append(probe);
    probe.style.color = `var(--${name})`;
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return light(colour);
  };
  const contrast = (one, two) => {
    const [high, low] = [value(one), value(two)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const isMonochrome = document.documentElement.dataset.palette === 'monochrome';
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].map((clue) => `n${clue}`);
  document.documentElement.style.setProperty(
    '--heat', 'color-mix(in srgb, var(--warm) 80%, var(--open))');
  const texts = ['ink', 'soft', 'good', 'bad', 'warning', 'accent'];
  const pairs = [
    [isMonochrome ? ['ink'] : digits, ['open', 'open2']],
    [['flag', 'mine'], ['tile', 'tile2']],
    [['sign'], ['back', 'panel']],
    [['mine'], ['open', 'heat']],
    [texts, ['back', 'panel']],
  ].flatMap(([ones, others]) => ones.flatMap((one) => others.map((other) => [one, other])));
  // Tiles and opened cells differ by their edges.
  const edge = (ground) => Math.max(contrast('shine', ground), contrast('shade', ground));
  const edges = ['open', 'open2'].map((ground) => [`edge on ${ground}`, 1.5 * edge(ground)]);
  return [...pairs.map(([one, two]) => [`${one} on ${two}`, contrast(one, two)]), ...edges];
}
"""


def custom_fields(player: PagePlayer) -> tuple[Locator, Locator, Locator]:
    """Open the menu for a board of one's own; return its fields."""
    player.label.click()
    player.expect_title("New game")
    player.sheet.get_by_role("button", name="Custom").click()
    player.expect_title("Custom board")
    columns, rows, mines = (
        player.sheet.get_by_label(name, exact=True) for name in ("Columns", "Rows", "Mines")
    )
    return columns, rows, mines


SYMBOLS = {"covered": "?", "empty": "."}


def heard(tree: list[dict[str, Any]], role: str) -> list[str]:
    """List the names of everything in an accessibility tree that plays a part."""
    nodes = [node for node in tree if node.get("role", {}).get("value") == role]
    return [node["name"]["value"] for node in nodes]


def known_code() -> str:
    """Return the code that a won game shows: it says where the game began as well."""
    game = KnownGame()
    game.reveal(4, 4)
    return game.code


def test_a_visitor_finds_a_game_and_no_menu(desk: PagePlayer) -> None:
    expect(desk.label).to_have_text("beginner 9x9")
    expect(desk.message).to_have_text(
        "Open every safe cell. Left button opens, right button flags."
    )
    desk.expect_no_sheet()


def test_a_win_says_so_in_words_face_and_figures(desk: PagePlayer) -> None:
    win(desk)
    expect(desk.message).to_contain_text("You won!")
    expect(desk.page.get_by_label("Figures")).to_contain_text("3BV 16 of 16")
    expect(desk.page.locator(".cell.flag")).to_have_count(10)
    expect(desk.page.get_by_role("link", name=known_code())).to_be_visible()


def test_a_win_is_celebrated_for_a_moment_and_until_the_next_game(desk: PagePlayer) -> None:
    desk.stop_time()
    win(desk)
    pieces = desk.page.locator("#party i")
    expect(pieces).not_to_have_count(0)
    desk.press("n")
    desk.expect_state("playing")
    expect(desk.page.locator("#party")).to_be_hidden()
    desk.pass_time(1_500)
    expect(pieces).to_have_count(0)


def test_a_loss_shows_every_mine_and_which_one_it_was(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    game = KnownGame()
    game.reveal(4, 4)
    desk.cell(4, 4).click()
    wrong, mine = game.covered()[0], game.mines[0]
    desk.cell(*game.mines[1]).click(button="right")
    desk.cell(*wrong).click(button="right")
    desk.cell(*mine).click()
    desk.expect_state("lost")
    names = desk.names()
    assert names[mine] == "the mine that went off"
    assert names[game.mines[1]] == "mine with a flag"
    assert names[wrong] == "wrong flag"
    assert all(names[other] == "mine" for other in game.mines[2:])


def test_only_the_cells_in_sight_are_in_the_document(phone: PagePlayer) -> None:
    phone.play_custom(255, 255, 9_000)
    begun = Cell(127, 127)
    expect(phone.cell(*begun)).to_be_attached()
    assert len(phone.names()) < 500
    box = phone.box(phone.cell(*begun))
    phone.page.evaluate("document.getElementById('view').scrollTo(7000, 8000)")
    expect(phone.cell(int(7000 / box["width"]) + 2, int(8000 / box["height"]) + 2)).to_be_attached()
    far = phone.names().keys() - {begun}
    assert len(far) < 500
    assert min(cell.row for cell in far) > 200
    # The cell with the cursor stays: it is the way in for the keyboard.
    assert begun in phone.names()
    assert phone.field.locator("[tabindex='0']").count() == 1


def test_cells_are_at_their_places_wherever_a_large_board_is_scrolled_to(
    desk: PagePlayer,
) -> None:
    desk.play_custom(255, 255, 9_000)
    strange = desk.page.evaluate(
        """async (steps) => {
          const [view, field] = ['view', 'field'].map((id) => document.getElementById(id));
          const frame = () => new Promise(requestAnimationFrame);
          const cell = field.clientWidth / 255;
          const strange = [];
          for (const [across, down] of steps) {
            view.scrollBy(across, down);
            for (let waited = 0; waited < 3; waited++) await frame();
            const [outer, inner] = [view, field].map((one) => one.getBoundingClientRect());
            const first = (from, start) => Math.max(0, Math.ceil((from - start) / cell));
            const last = (to, start) => Math.min(255, Math.floor((to - 20 - start) / cell));
            for (let x = first(outer.left, inner.left); x < last(outer.right, inner.left); x += 3) {
              for (let y = first(outer.top, inner.top); y < last(outer.bottom, inner.top); y += 2) {
                const point = [inner.left + (x + 0.5) * cell, inner.top + (y + 0.5) * cell];
                const found = document.elementFromPoint(...point).closest('.cell');
                if (found?.dataset.index !== `${y * 255 + x}`) strange.push([across, down, x, y]);
              }
            }
          }
          return strange;
        }""",
        [*[[30, 20]] * 30, [2000, 2000], *[[-70, 10]] * 30, *[[15, -80]] * 20, [-6000, -6000]],
    )
    assert strange == []
    desk.expect_cell(127, 127, "covered")


def test_a_cascade_over_the_largest_board_changes_what_is_in_sight_alone(desk: PagePlayer) -> None:
    desk.open(format_seed_code(Setup.of(Size(255, 255), 1, seed=1)))
    desk.page.evaluate(
        """
        () => {
          window.writes = 0;
          new MutationObserver((records) => (window.writes += records.length)).observe(
            document.body, {attributes: true, childList: true, characterData: true, subtree: true});
        }
        """
    )
    desk.cell(9, 9).click()
    expect(desk.page.locator("#solved")).to_have_attribute("style", "width: 100%;")
    assert desk.page.evaluate("window.writes") < 10 * len(desk.names())
    assert set(desk.names().values()) <= {"empty", "1", "covered", "flag"}


def test_a_whole_game_is_played_with_the_keyboard_alone(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    game = KnownGame()
    here, cell = Cell(0, 0), Cell(4, 4)
    while True:
        desk.walk(here, cell)
        expect(desk.page.locator(".cell:focus")).to_have_attribute(
            "aria-label", f"covered ({cell.column},{cell.row})"
        )
        desk.press("Enter")
        game.reveal(*cell)
        if game.is_over:
            break
        desk.expect_cell(*cell, game.name(cell))
        here, cell = cell, game.covered()[0]
    desk.expect_state("won")
    desk.press("n")
    desk.expect_state("playing")


def test_every_key_sends_the_packets_of_its_command(desk: PagePlayer) -> None:
    nothing_new = b"\0\0{}"
    answer = bytes([PacketType.VIEW, *len(nothing_new).to_bytes(4), *nothing_new])
    desk.page.evaluate(
        """(answer) => {
            window.sent = [];
            WebSocket.prototype.send = function (data) {
              sent.push(...data);
              queueMicrotask(() => this.onmessage?.({data: answer}));
            };
        }""",
        [*answer],
    )
    for name, packet in SENT.items():
        desk.press(name)
        assert bytes(desk.page.evaluate("sent.splice(0)")) == encode(packet), name


def test_the_whole_of_a_large_board_is_shown_and_gone_to(desk: PagePlayer) -> None:
    desk.open(LARGE)
    whole = desk.page.get_by_role("img", name="The whole board")
    desk.press("v")
    box = desk.box(whole)
    whole.click(position={"x": box["width"] * 0.755, "y": box["height"] * 0.505})
    expect(whole).to_be_hidden()
    expect(desk.cell(75, 30)).to_be_focused()
    expect(desk.cell(75, 30)).to_be_in_viewport()
    desk.press("v")
    expect(whole).to_be_visible()
    desk.press("ArrowLeft", "Escape")
    expect(whole).to_be_hidden()
    expect(desk.cell(74, 30)).to_be_focused()
    desk.expect_no_sheet()


def test_a_finger_finds_the_whole_of_a_large_board_among_the_buttons(phone: PagePlayer) -> None:
    button = phone.page.get_by_role("button", name="whole board")
    expect(button).to_be_hidden()
    phone.press("v")
    expect(phone.message).to_have_text("The whole board is on the screen already.")
    phone.open(LARGE)
    button.tap()
    expect(phone.page.get_by_role("img", name="The whole board")).to_be_visible()
    button.tap()
    expect(phone.page.get_by_role("img", name="The whole board")).to_be_hidden()
    expect(phone.page.locator(".cell.open")).to_have_count(0)
    phone.page.set_viewport_size({"width": 3800, "height": 2400})
    expect(button).to_be_hidden()


def test_the_whole_board_is_drawn_in_the_colours_of_its_cells(desk: PagePlayer) -> None:
    desk.open(LARGE)
    desk.cell(6, 8).click()
    desk.expect_cell(6, 8, "empty")
    desk.press("v")
    expect(desk.page.locator("#map")).to_be_visible()
    colours = desk.page.evaluate(
        """
        () => {
          const canvas = document.querySelector('canvas');
          const [side, brush] = [canvas.width / 100, canvas.getContext('2d')];
          const pixel = (...place) =>
            brush.getImageData(...place.map((at) => (at + 0.5) * side), 1, 1).data;
          const hex = (x, y) => [...pixel(x, y)].slice(0, 3)
            .map((part) => part.toString(16).padStart(2, '0')).join('');
          return Object.fromEntries([...document.querySelectorAll('.cell')].map((cell) => {
            const [x, y] = cell.ariaLabel.match(/\\d+(?=[,)])/g).map(Number);
            return [`${x},${y}`, hex(x, y)];
          }));
        }
        """
    )
    names = desk.names()
    style = "getComputedStyle(document.documentElement)"
    inks = {
        name: desk.page.evaluate(f"{style}.getPropertyValue('--{ink}')").strip(" #")
        for name, ink in (("covered", "tile"), ("empty", "open"), ("1", "n1"), ("2", "n2"))
    }
    for cell, name in names.items():
        # The frame around the cursor is drawn over some cells.
        if name in inks and (abs(cell.column - 6) > 3 or abs(cell.row - 8) > 3):
            assert colours[f"{cell.column},{cell.row}"] == inks[name], (cell, name)
    assert set(inks) <= set(names.values())


def test_the_keys_of_the_terminal_move_the_cursor(desk: PagePlayer) -> None:
    for key, column, row in (
        ("d", 1, 0),
        ("L", 6, 0),
        ("l", 7, 0),
        ("End", 8, 0),
        ("PageDown", 8, 8),
    ):
        desk.press(key)
        expect(desk.cell(column, row)).to_be_focused()


def test_the_keys_of_the_terminal_do_what_they_do_there(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.press(" ")
    desk.expect_cell(0, 0, "flag")
    desk.press("u")
    desk.expect_cell(0, 0, "covered")
    desk.press("#")
    expect(desk.label).to_contain_text("debug")
    assert list(desk.names().values()).count("covered, mine") == 10
    desk.press("?")
    desk.expect_title("Help")
    desk.press("Escape")
    desk.expect_no_sheet()
    desk.press("m")
    desk.expect_title("JMinesweeper")
    desk.press("?")
    desk.expect_title("Help")
    desk.press("?")
    desk.expect_title("JMinesweeper")
    desk.press("m")
    desk.expect_no_sheet()
    desk.press("z")
    desk.expect_title("Play together")


def test_a_hint_marks_cells_and_says_why(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    desk.press("i")
    expect(desk.page.locator(".hint")).not_to_have_count(0)
    expect(desk.message).to_contain_text("(")


def test_the_chance_of_a_mine_is_shown_on_each_covered_cell(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    desk.press("o")
    chances = desk.field.locator(".chance")
    expect(chances).not_to_have_count(0)
    covered = [name for name in desk.names().values() if name.startswith("covered")]
    assert all(name.endswith(" %") for name in covered)
    assert chances.count() == len(covered)
    desk.press("o")
    expect(chances).to_have_count(0)


def test_question_marks_come_after_flags_where_they_are_wanted(desk: PagePlayer) -> None:
    desk.press("m")
    desk.choose("Settings")
    desk.sheet.get_by_label("Question marks").select_option("on")
    desk.close_settings()
    for name in ("flag", "question mark", "covered"):
        desk.press(" ")
        desk.expect_cell(0, 0, name)


def test_a_number_that_lacks_flags_shows_what_is_around_it(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    desk.cell(4, 4).click()
    around = desk.field.locator(".flash")
    expect(around).not_to_have_count(0)
    desk.press("ArrowRight")
    expect(around).to_have_count(0)


def test_the_menu_is_walked_with_the_keyboard_and_chosen_from(desk: PagePlayer) -> None:
    desk.press("m", "ArrowDown")
    item = desk.sheet.locator("button:focus")
    expect(item).to_contain_text("New game")
    desk.press("Enter")
    desk.expect_title("New game")
    expect(item).to_contain_text("Beginner")
    desk.press("ArrowDown")
    expect(item).to_contain_text("Intermediate")
    desk.press("Enter")
    expect(desk.label).to_have_text("intermediate 16x16")


def test_what_is_typed_is_not_taken_away_by_a_late_answer(slow_desk: PagePlayer) -> None:
    columns, rows, _ = custom_fields(slow_desk)
    with slow_desk.late_answers():
        columns.fill("40")
        columns.press("Enter")
        slow_desk.await_late_answers(1)
        rows.fill("1")
    slow_desk.press("2", "Enter")
    expect(rows).to_have_js_property("defaultValue", "12")
    expect(rows).to_be_focused()
    expect(columns).to_have_value("40")


def test_what_was_typed_and_given_up_is_not_sent(desk: PagePlayer) -> None:
    custom_fields(desk)[0].press_sequentially("41")
    desk.press("Escape")
    desk.expect_title("New game")
    desk.sheet.get_by_role("button", name="Custom").click()
    desk.expect_title("Custom board")
    expect(desk.sheet.get_by_label("Columns", exact=True)).to_have_value("30")


def test_a_button_can_be_clicked_while_a_late_answer_comes(slow_desk: PagePlayer) -> None:
    columns, _, _ = custom_fields(slow_desk)
    begin = slow_desk.box(slow_desk.sheet.get_by_role("button", name="Begin"))
    slow_desk.page.mouse.move(begin["x"] + 5, begin["y"] + 5)
    with slow_desk.late_answers():
        columns.fill("12")
        columns.press("Enter")
        slow_desk.await_late_answers(1)
        slow_desk.page.mouse.down()
    slow_desk.page.mouse.up()
    expect(slow_desk.label).to_contain_text("custom 12x")


def test_a_name_is_typed_for_a_save_that_is_loaded_and_deleted(phone: PagePlayer) -> None:
    name = "<img src=x onerror=alert(1)> & <b>"
    phone.cell(0, 0).tap()
    phone.press("m")
    phone.choose("Saves")
    phone.choose("Save this game")
    phone.sheet.get_by_role("textbox").fill(name)
    phone.sheet.get_by_role("button", name="OK").tap()
    expect(phone.sheet.get_by_role("status")).to_contain_text(f"Saved as {name}")
    phone.sheet.get_by_role("button", name=f"delete {name}").tap()
    expect(phone.sheet.get_by_role("heading", level=2)).to_contain_text("Delete")
    phone.choose("Delete it")
    expect(phone.sheet.get_by_role("status")).to_contain_text("is deleted")
    assert phone.page.locator("img").count() == 0


def test_a_save_is_replaced_only_after_a_question(phone: PagePlayer) -> None:
    for times in (1, 2):
        phone.press("n")
        phone.cell(0, 0).tap()
        phone.press("m")
        phone.choose("Saves")
        phone.choose("Save this game")
        phone.sheet.get_by_role("textbox").fill("evening")
        phone.sheet.get_by_role("button", name="OK").tap()
        if times == 2:
            phone.expect_title("This name is taken")
            phone.choose("Replace it")
        expect(phone.sheet.get_by_role("status")).to_contain_text("Saved as evening")
        phone.press("Escape")
        phone.press("Escape")


def test_a_figure_list_is_a_table(desk: PagePlayer) -> None:
    win(desk)
    desk.press("m")
    desk.choose("Records")
    desk.choose("Statistics")
    expect(desk.sheet.get_by_role("columnheader", name="played")).to_be_visible()


@pytest.mark.parametrize("code", ["NO-CODE", "%", "%FF"])
def test_a_code_that_is_none_says_so(desk: PagePlayer, code: str) -> None:
    desk.page.goto(f"{desk.url}#{code}")
    expect(desk.message).to_have_text("Invalid seed code; check for typos.")


def test_who_quits_by_the_menu_may_play_on(desk: PagePlayer) -> None:
    desk.press(" ")
    desk.expect_cell(0, 0, "flag")
    desk.press("m")
    desk.choose("Quit")
    desk.expect_title("Goodbye")
    desk.sheet.get_by_role("button", name="Play on").click()
    desk.expect_cell(0, 0, "flag")


def test_each_act_is_said_with_its_place(desk: PagePlayer) -> None:
    news = desk.page.locator("#news")
    for column in range(3):
        desk.press(" ")
        expect(news).to_have_text(f"flag ({column},0)")
        desk.press("ArrowRight")


def test_what_a_room_says_stands_in_its_sheet(desk: PagePlayer) -> None:
    desk.press("m")
    desk.choose("Play together")
    desk.sheet.get_by_role("button", name=re.compile("^Race beginner")).click()
    expect(desk.sheet.get_by_role("heading", level=2)).to_contain_text("Race: ")
    desk.sheet.get_by_role("button", name="ready", exact=True).click()
    expect(desk.sheet.get_by_role("status")).to_contain_text("A race takes two")


def test_an_open_page_reloads_when_its_parts_are_gone(
    new_context: NewContext, server: ServerProcess
) -> None:
    """The server was updated, and names its files otherwise."""
    device = replace(DESK, more={"service_workers": "block"})
    desk = PagePlayer(new_context(device).new_page(), server.port)
    desk.open()
    desk.page.route(re.compile(r"after\.js$"), lambda route: route.fulfill(status=404))
    desk.press(" ")
    desk.expect_cell(0, 0, "flag")
    desk.press("e")
    desk.expect_title("This page was updated")
    desk.page.unroute_all()
    desk.sheet.get_by_role("button", name="reload").click()
    desk.expect_cell(0, 0, "flag")


def test_an_invitation_that_is_no_text_is_read_like_any_other(desk: PagePlayer) -> None:
    desk.page.goto(f"{desk.url}#join=%")
    desk.expect_title("Play together")


def test_a_code_that_comes_before_the_first_screen_is_read_with_it(slow_desk: PagePlayer) -> None:
    page = slow_desk.page
    page.add_init_script("answers.hold()")
    page.reload()
    page.evaluate(
        """(code) => new Promise((resolve) => {
            addEventListener('hashchange', () => setTimeout(resolve));
            location.hash = code;
        })""",
        BEGINNER,
    )
    slow_desk.await_late_answers(1)
    connections = slow_desk.connections
    page.evaluate("answers.come()")
    expect(slow_desk.message).to_contain_text("not ranked")
    assert slow_desk.connections == connections


def test_a_code_in_the_address_stays_to_be_kept_and_is_played_once(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    expect(desk.page).to_have_url(f"{desk.url}#{BEGINNER}")
    desk.page.reload()
    desk.expect_cell(4, 4, "1")
    desk.press("n")
    desk.expect_cell(4, 4, "covered")
    expect(desk.page).to_have_url(desk.url)


def test_a_link_to_a_board_plays_it(desk: PagePlayer) -> None:
    win(desk)
    desk.page.get_by_role("link", name=known_code()).click()
    expect(desk.message).to_contain_text("not ranked")
    desk.expect_state("playing")


def test_a_screen_reader_finds_a_grid_with_named_cells_and_one_way_in(desk: PagePlayer) -> None:
    session = desk.page.context.new_cdp_session(desk.page)
    tree: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]

    def find(role: str) -> list[dict[str, Any]]:
        return [node for node in tree if node.get("role", {}).get("value") == role]

    (grid,) = find("grid")
    assert grid["name"]["value"] == "Minefield"
    assert len(find("row")) == 9
    cells = find("gridcell")
    assert len(cells) == 81
    assert cells[0]["name"]["value"] == "covered (0,0)"
    assert cells[80]["name"]["value"] == "covered (8,8)"
    assert desk.field.locator("[tabindex='0']").count() == 1
    assert {node["name"]["value"] for node in find("status")} >= {""}
    assert all(node["name"]["value"] for node in find("button"))


def test_what_happened_is_said_in_the_live_region(desk: PagePlayer) -> None:
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.page.locator("#news", has_text="1").wait_for(state="attached")
    desk.cell(6, 6).click()
    desk.page.locator("#news", has_text="cells open").wait_for(state="attached")


def test_a_whole_game_is_won_with_what_a_screen_reader_tells_and_the_keyboard(
    desk: PagePlayer,
) -> None:
    desk.open("9A3Q")
    session = desk.page.context.new_cdp_session(desk.page)
    here, cell, size = Cell(0, 0), Cell(4, 4), Size(9, 9)
    while True:
        desk.walk(here, cell)
        desk.press("Enter")
        expect(desk.cell(*cell)).to_be_focused()
        expect(desk.cell(*cell)).not_to_have_attribute("aria-label", re.compile("covered"))
        tree: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
        if any(text.startswith("You won!") for text in heard(tree, "StaticText")):
            break
        told = [name.split(" (")[0] for name in heard(tree, "gridcell")]
        symbols = "".join(SYMBOLS.get(name, name) for name in told)
        rows = [symbols[start : start + size.columns] for start in range(0, size.cells, 9)]
        view = parse_position("\n".join(rows), 10, Status.ONGOING)
        here, cell = cell, next(view.grid.cells(analyse(view).safe))


def test_everything_has_the_contrast_to_be_read(desk: PagePlayer) -> None:
    desk.press("m")
    desk.choose("Settings")
    for palette in ("tiles", "classic", "okabe-ito", "monochrome"):
        desk.sheet.get_by_label("Colours").select_option(palette)
        desk.until(
            f"'{palette}' === 'tiles' || document.querySelector('link[href*=palettes]').sheet"
        )
        schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
        for scheme in schemes:
            desk.page.emulate_media(color_scheme=scheme)
            contrasts = dict(desk.page.evaluate(CONTRASTS))
            low = {pair: ratio for pair, ratio in contrasts.items() if ratio < 4.5}
            assert (palette, scheme, low) == (palette, scheme, {})


def test_nothing_moves_for_who_asked_for_that(
    new_context: NewContext, server: ServerProcess
) -> None:
    context = new_context(replace(DESK, more={"reduced_motion": "reduce"}))
    player = PagePlayer(context.new_page(), server.port)
    win(player)
    assert player.page.locator("#party i").count() == 0
    assert player.page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("command", ["hint", "next"])
def test_a_hint_is_scrolled_to_where_nothing_has_the_focus(desk: PagePlayer, command: str) -> None:
    desk.open(LARGE)
    desk.cell(6, 8).click()
    desk.expect_cell(6, 8, "empty")
    desk.page.evaluate("document.getElementById('view').scrollTo(9999, 9999)")
    expect(desk.cell(6, 8)).not_to_be_in_viewport()
    desk.page.get_by_role("button", name=command).click()
    expect(desk.page.locator(".hint, .here").first).to_be_in_viewport(ratio=1)


def test_arrows_lead_on_from_a_field_for_a_number(desk: PagePlayer) -> None:
    columns, rows, mines = custom_fields(desk)
    columns.focus()
    desk.press("ArrowDown")
    expect(rows).to_be_focused()
    desk.press("1", "2", "ArrowDown")
    expect(mines).to_be_focused()
    expect(rows).to_have_value("12")
    expect(columns).to_have_value("30")


def test_sounds_are_off_until_they_are_wanted(desk: PagePlayer) -> None:
    desk.page.add_init_script(
        """
        window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...at) { tones += 1; start.apply(this, at); };
        """
    )
    desk.open()
    desk.open(BEGINNER)
    desk.cell(4, 4).click()
    desk.expect_cell(4, 4, "1")
    assert desk.page.evaluate("tones") == 0
    desk.press("m")
    desk.choose("Settings")
    desk.sheet.get_by_label("Sounds").check()
    desk.close_settings()
    desk.press("f", "ArrowRight", "ArrowRight", "f")
    desk.until("tones > 0")


def test_the_first_screen_takes_one_round_trip(desk: PagePlayer) -> None:
    desk.page.add_init_script(
        """
        window.order = [];
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (data) { order.push(data[0]); send.call(this, data); };
        const {set} = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
        Object.defineProperty(WebSocket.prototype, 'onmessage', {set(take) {
          set.call(this, take && ((event) => { order.push('heard'); take.call(this, event); }));
        }});
        """
    )
    desk.open()
    assert desk.page.evaluate("order")[:3] == [11, 15, "heard"]


def test_an_installed_page_opens_without_a_server_and_says_so(
    new_context: NewContext,
) -> None:
    with running_server("--store=memory", "--workers=0") as server:
        player = PagePlayer(new_context(DESK).new_page(), server.port)
        player.open()
        # A cache that is opened by a name that is none yet would be made, and stay empty.
        player.until("(await caches.keys()).length")
        player.until("(await (await caches.open((await caches.keys())[0])).keys()).length > 2")
        player.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    player.page.reload()
    expect(player.page.get_by_role("alert")).to_have_text("No server answers. Trying again …")
    expect(player.page.get_by_role("button", name="New game")).to_be_visible()


def test_a_new_worker_drops_what_the_old_one_held_once_it_holds_the_whole_page(
    new_context: NewContext, server: ServerProcess
) -> None:
    player = PagePlayer(new_context(DESK).new_page(), server.port)
    # The page's origin, with caches of its former worker and of another page of this host.
    player.page.goto(f"{player.url}none")
    old, other = f"{player.url} old.worker.js", f"{player.url}other/ its.worker.js"
    for name in (old, other):
        player.page.evaluate("(name) => caches.open(name).then(() => 0)", name)
    player.open()
    player.until("!(await caches.keys()).some((name) => name.endsWith(' old.worker.js'))")
    names: list[str] = player.page.evaluate("caches.keys()")
    assert other in names
    (new,) = (name for name in names if name != other)
    held: list[str] = player.page.evaluate(
        "async (name) => (await (await caches.open(name)).keys()).map(({url}) => url)", new
    )
    assert player.url in held
    for part in ("after.js", "later.css", "replay.js"):
        assert any(url.endswith(f".{part}") for url in held)
