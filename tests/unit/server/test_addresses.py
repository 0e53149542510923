import pytest

from jminesweeper.server.addresses import SocketAddress, format_address, origin_of


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (("192.0.2.7", 4321), "192.0.2.7:4321"),
        (("::ffff:192.0.2.7", 4321, 0, 0), "192.0.2.7:4321"),
        (("2001:db8::1", 4321, 0, 0), "[2001:db8::1]:4321"),
        (("fe80::1%eth0", 4321, 0, 2), "[fe80::1]:4321"),
        (("::", 9999, 0, 0), "[::]:9999"),
    ],
)
def test_an_address_reads_as_a_person_writes_it(address: SocketAddress, text: str) -> None:
    assert format_address(address) == text


def test_an_ipv4_address_counts_alone_whichever_way_it_came() -> None:
    assert origin_of(("192.0.2.7", 1)) == origin_of(("::ffff:192.0.2.7", 2, 0, 0))
    assert origin_of(("192.0.2.7", 1)) != origin_of(("192.0.2.8", 1))


def test_ipv6_addresses_of_one_customer_count_together() -> None:
    assert origin_of(("2001:db8:0:1::a", 1, 0, 0)) == origin_of(("2001:db8:0:1:f::b", 2, 0, 0))
    assert origin_of(("2001:db8:0:1::a", 1, 0, 0)) != origin_of(("2001:db8:0:2::a", 1, 0, 0))
