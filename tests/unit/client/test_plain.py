import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Backoff, Profile
from jminesweeper.client.events import Deliver, Leave, Lost, Received
from jminesweeper.client.plain import PlainClient, PlainShell
from jminesweeper.client.transport import ConnectError, Dial, Dialler, Link, ServerConnection
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    Hint,
    NewGame,
    Packet,
    Pick,
    RecordingContent,
    ScreenContent,
    Start,
    View,
    encode,
)
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Button, Command
from jminesweeper.recordings.text import format_game
from tests.integration.scripted_server import (
    ANNOUNCE,
    FALL_SILENT,
    HEAR,
    Peer,
    Script,
    ScriptedServer,
    scripted,
    serving,
)
from tests.integration.scripted_server import view_of as viewed
from tests.unit.core.boards import play

START = Start(20, 10, 1)
PLAIN = Profile(START, needs_version_2=True)
BOARD: dict[str, Any] = {"size": [9, 9], "state": "playing"}


def name(packet: Packet) -> str:
    return packet.name if isinstance(packet, Command) else type(packet).__name__


def answer_everything(peer: Peer) -> None:
    peer.announce()
    peer.view("Hello\x1b[6n!", **BOARD)
    while (packet := peer.receive()) not in {None, Command.QUIT}:
        assert packet is not None
        peer.view(f"{name(packet)}\x1b[6n!")


VIEW = viewed("board", **BOARD)
NO_ANSWER = scripted(ANNOUNCE, VIEW, FALL_SILENT)


class Session:
    """A player of the line mode: lines written and read."""

    def __init__(self, answer_wait_s: float = 10.0, quiet_s: float = 10.0) -> None:
        self.answer_wait_s = answer_wait_s
        self.quiet_s = quiet_s
        self.shown: list[str] = []
        self.told: list[str] = []

    def play(
        self, server: ScriptedServer, lines: Sequence[str], profile: Profile | None = None
    ) -> Leave:
        async def typed() -> AsyncIterator[str]:
            for line in lines:
                yield line

        return asyncio.run(self.shell(server, typed(), profile).run())

    @property
    def said(self) -> list[str]:
        """The message in each answer."""
        return [
            next((line for line in answer.splitlines() if not line.endswith(".")), answer.strip())
            for answer in self.shown
        ]

    def shell(
        self, server: ScriptedServer, lines: AsyncIterator[str], profile: Profile | None = None
    ) -> PlainShell:
        return self.at(Dialler(Address("127.0.0.1", server.port)), lines, profile)

    def at(
        self, dial: Dial, lines: AsyncIterator[str], profile: Profile | None = None
    ) -> PlainShell:
        client = PlainClient(
            profile or PLAIN,
            Backoff(lambda: 0.9),
            answer_wait_s=self.answer_wait_s,
            quiet_s=self.quiet_s,
        )
        return PlainShell(client, dial, lines, write=self.shown.append, tell=self.told.append)


GREETING = "A game: 9 columns, 9 rows, 0 mines.\n"
BOARD_TOLD = "\n".join(["?" * 9] * 9)


@pytest.mark.parametrize(
    ("line", "answer", "packet"),
    [
        ("open 3 4", "Act[6n!\nAt 3 4: covered.\n", Act(3, 4, Button.REVEAL, 16)),
        ("hint", "Hint[6n!\n", Hint(0, 0)),
        # What concerns the cursor alone, or is known here, is answered without the server.
        ("go 2 1", "At 2 1: covered.\n", None),
        ("right", "At 1 0: covered.\n", None),
        ("go 9 0", "There is no cell at 9 0.\n", None),
        ("look", "0 0: covered. Around it: 3 covered, 0 flags.\n", None),
        ("look 9 9", "There is no cell at 9 9.\n", None),
        ("row 1", "Row 1: 9 covered.\n", None),
        ("row 9", "There is no row 9.\n", None),
        ("board", f"{BOARD_TOLD}\n", None),
        ("choose 1", "There is no row 1 to choose.\n", None),
        ("dig", "Unknown command 'dig'", None),
        ("help", "open [COLUMN ROW]", None),
    ],
)
def test_a_command_is_answered_with_what_is_there_then(
    line: str, answer: str, packet: Packet | None
) -> None:
    session = Session()
    with serving(answer_everything) as server:
        assert session.play(server, ["", line, "quit", "never read"]) == Leave(0)
        server.expect(START, Hello(), *([packet] if packet else []), Command.QUIT)
    greeting, told = session.shown
    assert greeting.startswith(GREETING)
    assert told == answer if answer.endswith("\n") else answer in told


def test_show_tells_everything_again() -> None:
    session = Session()
    with serving(answer_everything) as server:
        session.play(server, ["show"])
        server.expect(START, Hello(), Command.REFRESH, Command.QUIT)
    assert session.shown[1].splitlines()[2:] == session.shown[0].splitlines()[2:]


PAUSED = viewed("", **{**BOARD, "state": "paused"})
HELP = viewed("", **BOARD, page={"id": "help", "title": "Help", "lines": ["Open safe cells."]})


@pytest.mark.parametrize(
    ("view", "lines", "shown"),
    [(PAUSED, ["board"], "No board is shown now."), (HELP, [], "Page: Help.\nOpen safe cells.")],
    ids=["paused", "help"],
)
def test_what_is_not_there_is_not_told(view: View, lines: list[str], shown: str) -> None:
    session = Session()
    with serving(scripted(ANNOUNCE, view, HEAR)) as server:
        session.play(server, lines)
    assert session.shown[-1].strip() == shown


AGAIN = ["board", "Hello[6n!", "REFRESH[6n!"]
GOODBYE = viewed("Good bye.", last=True)


@pytest.mark.parametrize(
    ("scripts", "lines", "leave", "said", "told"),
    [
        (
            [scripted(ANNOUNCE, VIEW, HEAR), scripted(HEAR), answer_everything],
            ["hint", "show"],
            Leave(0),
            AGAIN,
            "The server closed the connection. Reconnecting.",
        ),
        (
            [
                scripted(ANNOUNCE, encode(VIEW) + encode(viewed("The server is shutting down."))),
                answer_everything,
            ],
            ["open 1 1", "show"],
            Leave(0),
            AGAIN,
            "The server was stopped. Reconnecting.",
        ),
        (
            [NO_ANSWER, scripted(HEAR, "The server is full."), answer_everything],
            ["hint"],
            Leave(0),
            ["board", "Hello[6n!"],
            # A busy machine may keep the server that answers from doing so in time, too.
            "The server does not answer. Reconnecting.",
        ),
        (
            [scripted(ANNOUNCE, VIEW, HEAR, GOODBYE, HEAR)],
            ["menu", "never read"],
            Leave(0, "Good bye."),
            ["board"],
            None,
        ),
        (
            [scripted(ANNOUNCE, encode(VIEW) + encode(GOODBYE), HEAR)],
            ["show", "never read"],
            Leave(1, "Good bye."),
            None,
            None,
        ),
    ],
    ids=["lost", "stopped", "silent", "done", "dismissed"],
)
def test_a_server_that_goes_is_returned_to_or_left(
    scripts: list[Script], lines: list[str], leave: Leave, said: list[str] | None, told: str | None
) -> None:
    session = Session(answer_wait_s=1.0 if NO_ANSWER in scripts else 10.0)
    with serving(*scripts) as server:
        address = server.address
        assert session.play(server, lines) == leave
    assert said is None or session.said == said
    heard = {each.replace(f" {address}", "") for each in session.told}
    assert heard == {*filter(None, [told])}


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (["The server is full.", HEAR], "The server is full."),
        (["a game\r\nof version 1", HEAR], "only version 1"),
        ([b"HTTP/1.1 400\r\n", HEAR], "does not speak"),
        ([], "closed the connection"),
    ],
)
def test_a_server_that_cannot_do_it_is_explained(steps: list[Any], words: str) -> None:
    with serving(scripted(HEAR, *steps)) as server:
        leave = Session().play(server, ["show"])
    assert leave.exit_code == 1
    assert words in leave.message


def test_a_game_that_is_asked_for_is_shown_first() -> None:
    session, game = Session(), NewGame("expert jminesweeper")
    with serving(answer_everything) as server:
        assert session.play(server, [], replace(PLAIN, wish=game)) == Leave(0)
    assert session.said == ["NewGame[6n!"]


def test_rows_are_chosen_and_filled_in() -> None:
    rows = [{"id": "a", "label": "One"}, {"id": "b", "kind": "text", "label": "Two", "value": "x"}]

    def show_menu(peer: Peer) -> None:
        peer.announce()
        while True:
            peer.view(menu={"id": "m", "title": "Menu", "rows": rows})
            if peer.receive() in {Command.QUIT, None}:
                break

    session = Session()
    with serving(show_menu) as server:
        asked = ["choose 1", "open 0 0", "down", "choose", "type a name", "choose 3", "quit"]
        session.play(server, asked)
        server.expect(START, Hello(), Pick("m", "a"), Pick("m", "b", "a name"), Command.QUIT)
    assert session.shown[-1] == "There is no row 3 to choose.\n"
    what_to_do = "A menu is open: choose NUMBER chooses a row, menu goes back.\n"
    assert session.shown[2] == what_to_do
    assert session.shown[0] == "Menu: Menu.\n1. One.\n2. Two: x, a text.\nSelected: 1. One.\n"


def test_ctrl_c_ends_it_even_if_it_interrupts_no_waiting() -> None:
    async def typed() -> AsyncIterator[str]:
        # The other thread gets the signal, so the loop is not woken by it.
        threading.Thread(target=signal.raise_signal, args=(signal.SIGINT,)).start()
        await asyncio.Event().wait()
        yield "never typed"

    with serving(answer_everything) as server:
        leave = asyncio.run(Session().shell(server, typed()).run())
        assert leave == Leave(130)


def test_a_recording_is_written_and_the_answer_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = format_game(play("*..", "classic", "reveal 0 0"))

    session = Session()
    hand_over = scripted(ANNOUNCE, VIEW, HEAR, RecordingContent(game.encode()), HEAR)
    with serving(hand_over) as server:
        session.play(server, ["export"])
    (path,) = tmp_path.iterdir()
    assert path.read_text() == game
    assert session.shown[1] == f"Saved to {path.name}.\n"


class Spoken(ServerConnection):
    """Answers every packet at once, and says more when it is told to."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__("The server", deliver)
        self.closed.set()
        self.deliver = deliver
        self._answers = iter([ScreenContent(ANNOUNCEMENT + b"hello")])

    def send(self, data: bytes) -> None:
        self.deliver(Received(encode(next(self._answers, View()))))


def test_what_comes_while_nothing_is_typed_is_heard_before_the_next_command() -> None:
    connections: list[Spoken] = []

    async def dial(deliver: Deliver) -> Link:
        connections.append(Spoken(deliver))
        return Link(connections[-1])

    async def typed() -> AsyncIterator[str]:
        connections[0].deliver(Received(encode(View())))
        connections[0].deliver(Lost("It is gone."))
        yield "open 1 1"

    session = Session()
    assert asyncio.run(session.at(dial, typed()).run()) == Leave(0)
    assert session.told == ["The server was stopped. Reconnecting."]
    assert len(connections) == 2


def test_a_silent_server_is_told_of_before_it_is_given_up() -> None:
    session = Session(answer_wait_s=1.0, quiet_s=0.05)
    with serving(NO_ANSWER, answer_everything) as server:
        assert session.play(server, ["hint"]) == Leave(0)
    # On a busy machine it may be told of while connecting, too, before and after.
    told = session.told.index("The server has not answered for 0 s.")
    assert "The server does not answer. Reconnecting." in session.told[told:]


def test_a_connection_that_takes_long_is_told_of() -> None:
    session, reached = Session(quiet_s=0.0), asyncio.Event()

    class Reached(list[str]):
        def append(self, text: str) -> None:
            super().append(text)
            reached.set()

    session.told = Reached()

    async def dial(_deliver: Deliver) -> Link:
        await reached.wait()
        raise ConnectError("It cannot be reached.")

    async def play() -> Leave:
        return await session.at(dial, nothing()).run()

    async def nothing() -> AsyncIterator[str]:
        for line in list[str]():
            yield line

    assert asyncio.run(play()) == Leave(1, "It cannot be reached.")
    assert session.told == ["The server does not answer; still connecting."]


def test_news_about_the_server_are_told() -> None:
    async def typed() -> AsyncIterator[str]:
        yield "quit"

    async def run(server: ScriptedServer) -> Leave:
        dial = Dialler(Address("127.0.0.1", server.port))

        async def dial_with_news(deliver: Deliver) -> Link:
            return Link((await dial(deliver)).connection, "All alone.")

        return await session.at(dial_with_news, typed()).run()

    session = Session()
    with serving(answer_everything) as server:
        assert asyncio.run(run(server)) == Leave(0)
    assert session.told == ["All alone."]


def test_without_a_server_there_is_nothing_to_play() -> None:
    async def dial(_deliver: Deliver) -> Link:
        raise ConnectError("There is no server.")

    async def typed() -> AsyncIterator[str]:
        yield "never read"

    leave = asyncio.run(Session().at(dial, typed()).run())
    assert leave == Leave(1, "There is no server.")
