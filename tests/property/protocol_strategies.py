"""Any packet of either direction, and any way a network may chop bytes."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from jminesweeper.protocol.packets import (
    KEY_LENGTH,
    LONGEST_NAME,
    Act,
    Code,
    Drop,
    Hello,
    Hint,
    Load,
    LookBack,
    MoveTo,
    NewGame,
    Odds,
    OpenMenu,
    OpenRoom,
    Packet,
    Pick,
    Replay,
    Save,
    ScreenContent,
    Seek,
    Start,
    Undo,
    UnknownPacket,
    View,
)
from jminesweeper.protocol.vocabulary import FIRST_WITH_LENGTH, Command, Direction, PacketType

u8 = st.integers(0, 0xFF)
u16 = st.integers(0, 0xFFFF)
names = st.text(st.characters(codec="utf-8"), max_size=40).filter(
    lambda name: len(name.encode()) <= LONGEST_NAME
)
keys = st.just(b"") | st.binary(min_size=KEY_LENGTH, max_size=KEY_LENGTH)
later_types = sorted(set(range(FIRST_WITH_LENGTH, 256)) - set(PacketType))
later_packets = st.builds(UnknownPacket, st.sampled_from(later_types), st.integers(0, 300))

client_packets: st.SearchStrategy[Packet] = st.one_of(
    st.sampled_from(Command),
    st.builds(Start, u8, u8, u8),
    st.builds(Hello, u8, keys, names, u8),
    st.builds(MoveTo, u8, u8),
    st.builds(NewGame, names, u8),
    st.builds(OpenRoom, u8, u8, u8, names),
    st.builds(Undo, u16),
    st.builds(Hint, u8, u8),
    st.builds(Odds, u8, u8),
    st.builds(Seek, u8, u8),
    st.builds(Save, names),
    st.builds(Load, names),
    st.builds(Drop, names),
    st.builds(OpenMenu, names),
    st.builds(Code, names),
    st.builds(Act, u8, u8, u8, u8),
    st.builds(Pick, names, names, names, u8),
    st.builds(LookBack, u8),
    st.builds(Replay, u16),
    later_packets,
)
server_packets: st.SearchStrategy[Packet] = st.one_of(
    st.builds(ScreenContent, st.binary(max_size=300)),
    st.builds(View, st.binary(min_size=2, max_size=300), st.binary(max_size=300)),
    later_packets,
)
PACKETS = {
    Direction.FROM_CLIENT: client_packets,
    Direction.FROM_SERVER: server_packets,
}


@st.composite
def chopped(draw: st.DrawFn, stream: bytes) -> list[bytes]:
    """The stream in pieces, empty ones included."""
    cuts = draw(st.lists(st.integers(0, len(stream)), max_size=12))
    return [stream[start:end] for start, end in pairwise([0, *sorted(cuts), len(stream)])]
