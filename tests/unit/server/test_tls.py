"""TLS on memory: records to bytes and back, and certificates that cannot be served."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jminesweeper.server.tls import CertificateError, TlsStream, load_certificate
from tests.certificates import CertificateFiles, make_certificate
from tests.unit.server.tls_peer import TlsPeer


def stream_and_peer(files: CertificateFiles) -> tuple[TlsStream, TlsPeer]:
    """Return both ends after their handshake."""
    stream, peer = TlsStream(load_certificate(*files)), TlsPeer(files.certificate)
    said = peer.shake_hands()
    while not peer.is_ready:
        assert stream.receive(said) == b""
        said = peer.shake_hands(stream.outgoing)
    assert stream.receive(said) == b""
    return stream, peer


def test_what_one_end_says_the_other_hears(certificate: CertificateFiles) -> None:
    stream, peer = stream_and_peer(certificate)
    assert stream.receive(peer.say(b"hello")) == b"hello"
    stream.send(b"welcome")
    assert peer.hear(stream.outgoing) == b"welcome"
    assert not stream.is_over


def test_a_screen_may_take_many_records(certificate: CertificateFiles) -> None:
    stream, peer = stream_and_peer(certificate)
    stream.send(b"x" * 100_000)
    assert peer.hear(stream.outgoing) == b"x" * 100_000
    assert stream.receive(peer.say(b"y" * 40_000)) == b"y" * 40_000


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(1, 700))
def test_the_stream_may_be_cut_anywhere(certificate: CertificateFiles, size: int) -> None:
    stream, peer = TlsStream(load_certificate(*certificate)), TlsPeer(certificate.certificate)

    def cut(data: bytes) -> bytes:
        parts = (data[place : place + size] for place in range(0, len(data), size))
        return b"".join(map(stream.receive, parts))

    assert cut(peer.shake_hands()) == b""
    assert cut(peer.shake_hands(stream.outgoing)) == b""
    assert cut(peer.say(b"hello") + peer.say(b"x" * 2_000)) == b"hello" + b"x" * 2_000


def test_before_the_handshake_nothing_can_be_sent(certificate: CertificateFiles) -> None:
    stream = TlsStream(load_certificate(*certificate))
    stream.send(b"a screen")
    stream.close()
    assert stream.outgoing == b""


def test_a_peer_that_says_goodbye_is_still_told_what_it_is_owed(
    certificate: CertificateFiles,
) -> None:
    stream, peer = stream_and_peer(certificate)
    assert stream.receive(peer.say(b"last") + peer.say_goodbye()) == b"last"
    assert stream.is_over
    assert not stream.failure
    stream.send(b"goodbye")
    assert stream.outgoing
    assert stream.receive(b"more") == b""


def test_after_the_end_nothing_is_sent(certificate: CertificateFiles) -> None:
    stream, peer = stream_and_peer(certificate)
    stream.close()
    assert peer.hear(stream.outgoing) == b""
    stream.send(b"too late")
    stream.close()
    assert stream.outgoing == b""


@pytest.mark.parametrize(
    "rude",
    [b"\x16\x03\x01\x00\x05hello", b"\x16\x03\x01\xff\xff" + b"x" * 70_000, b"GET / HTTP/1.1"],
)
def test_a_handshake_that_is_none_fails_with_an_alert(
    certificate: CertificateFiles, rude: bytes
) -> None:
    stream = TlsStream(load_certificate(*certificate))
    assert stream.receive(rude) == b""
    assert stream.is_over
    assert stream.failure
    assert stream.outgoing[:2] in {b"\x15\x03", b""}


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_record_that_was_tampered_with_ends_the_stream(
    certificate: CertificateFiles, place: int
) -> None:
    stream, peer = stream_and_peer(certificate)
    record = bytearray(peer.say(b"hello"))
    record[place] ^= 1
    assert stream.receive(peer.say(b"") + bytes(record)) == b""
    assert stream.failure
    assert stream.receive(b"more") == b""


@given(rude=st.binary(max_size=300))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_handshake_or_a_failure(certificate: CertificateFiles, rude: bytes) -> None:
    stream = TlsStream(load_certificate(*certificate))
    assert stream.receive(b"\x16\x03" + rude) == b""
    assert stream.is_over is bool(stream.failure)


def test_old_versions_of_tls_are_not_spoken(certificate: CertificateFiles) -> None:
    context = load_certificate(*certificate)
    assert context.minimum_version.name == "TLSv1_2"


# Certificates


def test_a_file_that_holds_no_certificate_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing\n")
    with pytest.raises(
        CertificateError, match=r"empty.pem and .*empty.pem are not a pair for TLS: "
    ):
        load_certificate(empty, empty)


def test_a_missing_file_is_named(tmp_path: Path, certificate: CertificateFiles) -> None:
    with pytest.raises(CertificateError, match=r"gone.pem cannot be read: No such file"):
        load_certificate(certificate.certificate, tmp_path / "gone.pem")


def test_another_certificates_key_is_refused(tmp_path: Path, certificate: CertificateFiles) -> None:
    other = make_certificate(tmp_path, "other")
    with pytest.raises(CertificateError, match="key values mismatch"):
        load_certificate(certificate.certificate, other.key)


def test_nobody_is_asked_for_the_password_of_a_key(tmp_path: Path) -> None:
    protected = make_certificate(tmp_path, "protected", password="secret")
    with pytest.raises(CertificateError, match="has a password"):
        load_certificate(*protected)
