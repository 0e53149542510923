import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest

from jminesweeper.client.address import Address
from jminesweeper.client.backoff import Backoff
from jminesweeper.client.connection import Connection
from jminesweeper.client.dialling import Dialler
from jminesweeper.client.events import Deliver, Leave, Lost, Received
from jminesweeper.client.plain import PlainShell
from jminesweeper.client.profile import Profile
from jminesweeper.client.shell import Link
from jminesweeper.protocol import (
    ANNOUNCEMENT,
    Command,
    GameKind,
    Hello,
    MoveTo,
    NewGame,
    Packet,
    PatchFlag,
    ScreenContent,
    ScreenFormat,
    ScreenPatch,
    Start,
    UnknownPacket,
    encode,
)
from tests.integration.scripted_server import Peer, Script, ScriptedServer, serving

START = Start(20, 10, 1)


def name(packet: Packet) -> str:
    return packet.name if isinstance(packet, Command) else type(packet).__name__


def answer_everything(peer: Peer) -> None:
    packet: Packet | None = peer.announce()
    while packet is not None and packet is not Command.QUIT:
        if isinstance(packet, MoveTo):
            cursor = f"{min(packet.column, 19)} {packet.row}"
            peer.send(ScreenContent(f"board\ncursor: {cursor}\n".encode()))
        else:
            peer.send(ScreenContent(f"board\n{name(packet)}\x1b[6n\x1b[1m!\x1b[0m\n".encode()))
        packet = peer.receive()


def hang_up_at_the_first_hint(peer: Peer) -> None:
    peer.announce()
    peer.send(ScreenContent(b"board\n"))
    while peer.receive() is not Command.HINT:
        peer.send(ScreenContent(b"later\n"))


def fall_silent(peer: Peer) -> None:
    peer.announce()
    peer.send(ScreenContent(b"board\n"))
    while peer.receive() is not None:
        continue


class Session:
    """What a player of the line mode writes and reads."""

    def __init__(self, answer_wait_s: float = 10.0) -> None:
        self.answer_wait_s = answer_wait_s
        self.shown: list[str] = []
        self.told: list[str] = []

    def play(
        self, server: ScriptedServer, lines: Sequence[str], profile: Profile | None = None
    ) -> Leave:
        async def typed() -> AsyncIterator[str]:
            for line in lines:
                yield line

        shell = PlainShell(
            profile or Profile(START),
            Dialler(Address("127.0.0.1", server.port)),
            Backoff(lambda: 0.9),
            write=self.shown.append,
            tell=self.told.append,
            answer_wait_s=self.answer_wait_s,
        )
        return asyncio.run(shell.run(typed()))


def test_every_command_is_answered_with_the_last_of_its_screens() -> None:
    session = Session()
    with serving(answer_everything) as server:
        leave = session.play(server, ["open 3 4", "", "hint", "quit", "never read"])
        assert leave == Leave(0)
        assert session.shown == ["board\nHello!\n", "board\nREVEAL!\n", "board\nHINT!\n"]
        server.expect(START)
        hello = server.received.get()
        assert isinstance(hello, Hello)
        assert hello.format == ScreenFormat.PLAIN
        server.expect(MoveTo(3, 4), Command.REVEAL, Command.HINT, Command.QUIT)


def test_a_cell_that_is_not_there_is_not_confused_with_another() -> None:
    session = Session()
    with serving(answer_everything) as server:
        session.play(server, ["open 20 4"])
        assert session.shown[1:] == ["board\ncursor: 19 4\n"]
        packets = [server.received.get() for _ in range(4)]
        assert packets[2:] == [MoveTo(20, 4), Command.QUIT]


def test_a_game_that_is_asked_for_is_shown_first() -> None:
    session, game = Session(), NewGame(GameKind.EXPERT)
    with serving(answer_everything) as server:
        assert session.play(server, [], Profile(START, game)) == Leave(0)
    assert session.shown == ["board\nNewGame!\n"]


def test_mistakes_and_help_are_answered_without_the_server() -> None:
    session = Session()
    with serving(answer_everything) as server:
        session.play(server, ["dig", "help"])
    assert "no command 'dig'" in session.shown[1]
    assert "open [COLUMN ROW]" in session.shown[2]


def test_the_end_of_the_input_quits() -> None:
    session = Session()
    with serving(answer_everything) as server:
        assert session.play(server, ["show"]) == Leave(0)
        assert [server.received.get() for _ in range(4)][-1] is Command.QUIT


def refuse(peer: Peer) -> None:
    peer.receive()
    peer.show("The server is full.")
    peer.receive()


def say_more_than_one_line(peer: Peer) -> None:
    peer.receive()
    peer.show("a game\r\nof version 1")
    peer.receive()


def speak_noise(peer: Peer) -> None:
    peer.receive()
    peer.connection.sendall(b"HTTP/1.1 400\r\n")
    peer.receive()


def hang_up(peer: Peer) -> None:
    peer.receive()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (refuse, "The server is full."),
        (say_more_than_one_line, "version 1 of the protocol"),
        (speak_noise, "does not speak"),
        (hang_up, "closed the connection"),
    ],
)
def test_a_server_that_cannot_do_it_is_explained(script: Script, words: str) -> None:
    with serving(script) as server:
        leave = Session().play(server, ["show"])
    assert leave.exit_code == 1
    assert words in leave.message


def test_a_lost_game_is_returned_to_and_nothing_is_done_twice() -> None:
    session = Session()
    with serving(hang_up_at_the_first_hint, hang_up, answer_everything) as server:
        assert session.play(server, ["hint", "show"]) == Leave(0)
    assert session.shown == ["board\n", "board\nHello!\n", "board\nREFRESH!\n"]
    assert "Trying again" in session.told[0]


def stop_after_the_first_answer(peer: Peer) -> None:
    peer.announce()
    screens = (b"board\n", b"The server is shutting down.\n")
    peer.connection.sendall(b"".join(encode(ScreenContent(screen)) for screen in screens))


def test_a_server_that_was_stopped_is_called_so_and_its_last_screen_is_no_answer() -> None:
    session = Session()
    with serving(stop_after_the_first_answer, answer_everything) as server:
        assert session.play(server, ["open 1 1", "show"]) == Leave(0)
    assert session.told == ["The server was stopped. Trying again by itself."]
    assert session.shown == ["board\n", "board\nHello!\n", "board\nREFRESH!\n"]


class Spoken(Connection):
    """Answers every packet at once, and says more when it is told to."""

    def __init__(self, deliver: Deliver) -> None:
        super().__init__("The server", deliver)
        self.closed.set()
        self.deliver = deliver
        self._answers = iter([ANNOUNCEMENT + b"hello"])

    def send(self, data: bytes) -> None:
        self.deliver(Received((ScreenContent(next(self._answers, b"board\n")),)))


@pytest.mark.parametrize("more", [(), (Lost("It is gone."),)])
def test_what_comes_while_nothing_is_typed_is_heard_before_the_next_command(
    more: tuple[Lost, ...],
) -> None:
    connections: list[Spoken] = []
    told: list[str] = []

    async def dial(deliver: Deliver) -> Link:
        connections.append(Spoken(deliver))
        return Link(connections[-1])

    async def typed() -> AsyncIterator[str]:
        connections[0].deliver(Received((ScreenContent(b"The server is shutting down.\n"),)))
        for event in more:
            connections[0].deliver(event)
        yield "open 1 1"

    shell = PlainShell(
        Profile(START), dial, Backoff(lambda: 0.0), write=lambda _text: None, tell=told.append
    )
    assert asyncio.run(shell.run(typed())) == Leave(0)
    assert told == ["The server was stopped. Trying again by itself."]
    assert len(connections) == 2


def test_a_server_that_does_not_answer_is_hung_up_on_and_tried_again() -> None:
    session = Session(answer_wait_s=0.2)
    with serving(fall_silent, refuse, answer_everything) as server:
        assert session.play(server, ["hint"]) == Leave(0)
    assert session.shown == ["board\n", "board\nHello!\n"]
    assert session.told == ["The server does not answer. Trying again by itself."]


def test_a_server_that_is_done_with_the_player_is_left() -> None:
    def dismiss(peer: Peer) -> None:
        peer.announce()
        peer.send(ScreenContent(b"board\n"))
        peer.receive()
        peer.send(ScreenPatch(PatchFlag.LAST_SCREEN, 0, 0, b"Good bye.\n"))
        peer.receive()

    session = Session()
    with serving(dismiss) as server:
        assert session.play(server, ["menu", "never read"]) == Leave(0, "Good bye.")
    assert session.shown == ["board\n"]


def test_news_about_the_server_are_told() -> None:
    async def typed() -> AsyncIterator[str]:
        yield "quit"

    async def run(server: ScriptedServer) -> Leave:
        dial = Dialler(Address("127.0.0.1", server.port))

        async def dial_with_news(deliver: Deliver) -> Link:
            return Link((await dial(deliver)).connection, "All alone.")

        shell = PlainShell(
            Profile(START), dial_with_news, Backoff(lambda: 0.9), write=print, tell=told.append
        )
        return await shell.run(typed())

    told: list[str] = []
    with serving(answer_everything) as server:
        assert asyncio.run(run(server)) == Leave(0)
    assert told == ["All alone."]


def test_an_answer_of_a_later_version_shows_nothing() -> None:
    def answer_strangely(peer: Peer) -> None:
        peer.announce()
        peer.send(UnknownPacket(99, 3))
        peer.receive()

    session = Session()
    with serving(answer_strangely) as server:
        assert session.play(server, []) == Leave(0)
    assert session.shown == ["\n"]
