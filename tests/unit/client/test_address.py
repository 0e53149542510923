import pytest

from jminesweeper.client.address import Address, AddressError


@pytest.mark.requirement("J:option host")
@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("example.org", "example.org", 9999),
        ("example.org:1234", "example.org", 1234),
        ("10.0.0.1:80", "10.0.0.1", 80),
        ("[::1]", "::1", 9999),
        ("[::1]:65535", "::1", 65535),
        ("::1", "::1", 9999),
        ("fe80::1%eth0", "fe80::1%eth0", 9999),
        ("[fe80::1%eth0]:1", "fe80::1%eth0", 1),
    ],
)
def test_a_server_is_named_by_host_and_port(text: str, host: str, port: int) -> None:
    assert Address.parse(text) == Address(host, port)


@pytest.mark.parametrize("text", ["tls://example.org:1234", "tls://[::1]:9999"])
def test_an_address_may_ask_for_tls(text: str) -> None:
    address = Address.parse(text)
    assert address.has_tls
    assert str(address) == text
    assert not Address.parse(text.removeprefix("tls://")).has_tls


def test_a_player_is_the_same_with_tls_and_without() -> None:
    assert Address.parse("tls://example.org").name == Address.parse("example.org").name
    assert Address.parse("tls://::1").is_local


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tls://",
        "tls:///",
        "https://a",
        ":1",
        "a:b",
        "a:",
        "a:0",
        "a:65536",
        "a b",
        "[::1",
        "[]:1",
        "g:1:h",
        "a:123456",
    ],
)
def test_other_texts_name_no_server(text: str) -> None:
    with pytest.raises(AddressError):
        Address.parse(text)


@pytest.mark.parametrize("text", ["example.org:1234", "[::1]:9999", "127.0.0.1:1"])
def test_an_address_is_written_as_it_is_read(text: str) -> None:
    assert str(Address.parse(text)) == text


def test_nothing_said_means_this_machine() -> None:
    assert str(Address()) == "127.0.0.1:9999"


@pytest.mark.parametrize(
    "text",
    [
        "localhost",
        "LocalHost.:5",
        "127.0.0.1",
        "127.9.9.9:1",
        "[::1]:7",
        "play.localhost",
        "0.0.0.0",
    ],
)
def test_everything_on_this_machine_has_one_name(text: str) -> None:
    address = Address.parse(text)
    assert address.is_local
    assert address.name == "localhost"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Example.ORG", "example.org:9999"),
        ("example.org.:1234", "example.org:1234"),
        ("localhost.example.org", "localhost.example.org:9999"),
        ("192.0.2.1", "192.0.2.1:9999"),
        ("fe80::1%eth0", "[fe80::1%eth0]:9999"),
    ],
)
def test_another_machine_has_the_name_that_the_player_typed(text: str, name: str) -> None:
    address = Address.parse(text)
    assert not address.is_local
    assert address.name == name
