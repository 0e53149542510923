"""The real server behind TLS and behind a proxy: polite peers, mistaken ones and rude ones."""

from __future__ import annotations

import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from jminesweeper.protocol.packets import encode
from tests.certificates import CertificateFiles, make_certificate
from tests.integration.scripted_server import Peer as ScriptedPeer
from tests.integration.scripted_server import serving
from tests.integration.server_peer import START, Peer
from tests.integration.server_process import ServerProcess, running_server, server_command
from tests.integration.terminal import CLIENT, client_environment
from tests.integration.web_peer import HELLO, WebPeer
from tests.proxy_header import proxy_header
from tests.unit.server.tls_peer import TlsPeer


@pytest.fixture(scope="module")
def server(certificate: CertificateFiles) -> Iterator[ServerProcess]:
    with running_server("--store=memory", "--workers=0", *serving_tls(certificate)) as running:
        yield running


@pytest.fixture
def trust(certificate: CertificateFiles) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=certificate.certificate)


def serving_tls(files: CertificateFiles) -> tuple[str, str]:
    return f"--tls-cert={files.certificate}", f"--tls-key={files.key}"


class SecurePeer(Peer):
    """Speaks TLS, perhaps after something else."""

    def __init__(self, port: int, trust: ssl.SSLContext, first: bytes = b"") -> None:
        super().__init__(port)
        self.socket.sendall(first)
        plain = self.socket
        try:
            self.socket = trust.wrap_socket(plain, server_hostname="localhost")
        finally:
            plain.close()


def play(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Have our own client open a cell and leave."""
    return subprocess.run(
        [*CLIENT, "--plain", *arguments],
        input="open 1 1\nquit\n",
        env=client_environment(home, TERM="dumb"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


# Who speaks TLS


def test_our_client_plays_with_tls(
    server: ServerProcess, certificate: CertificateFiles, tmp_path: Path
) -> None:
    for address in (f"tls://localhost:{server.port}", f"127.0.0.1:{server.port}"):
        result = play(tmp_path, address, "--tls", f"--tls-ca={certificate.certificate}")
        assert (result.returncode, result.stderr) == (0, "")
        assert "easy 20x10" in result.stdout.lower()


def test_the_bot_plays_with_tls(
    server: ServerProcess, certificate: CertificateFiles, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "jminesweeper", "bot", "--games=1", "--preset=beginner"]
    address = f"--host=tls://localhost:{server.port}"
    trusting = {"SSL_CERT_FILE": str(certificate.certificate)}
    environment = client_environment(tmp_path, **trusting)
    subprocess.run([*command, address], env=environment, check=True, capture_output=True)
    strange = subprocess.run(
        [*command, address],
        env=client_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert strange.returncode == 1
    assert "is not trusted: self-signed certificate" in strange.stderr


def test_the_page_and_its_game_come_through_tls(
    server: ServerProcess, trust: ssl.SSLContext
) -> None:
    with WebPeer(server.port, trust) as peer:
        status, body = peer.ask("/")
        assert status == 200
        assert body.startswith(b"<!doctype html>")
        peer.open_socket()
        assert "menu" in peer.play(HELLO).members()


# Who is mistaken


def test_a_client_that_does_not_trust_the_certificate_says_so(
    server: ServerProcess, tmp_path: Path
) -> None:
    address = f"tls://localhost:{server.port}"
    result = play(tmp_path, address)
    assert result.returncode == 1
    assert result.stderr == (
        f"The certificate of {address} is not trusted: self-signed certificate.\n"
    )


def test_a_client_that_trusts_a_file_without_certificates_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    result = play(tmp_path, "tls://localhost:1", f"--tls-ca={empty}")
    assert (result.returncode, result.stderr) == (
        1,
        f"{empty} holds no certificate to trust.\n",
    )


def test_a_client_with_tls_and_a_server_without_it_say_so(tmp_path: Path) -> None:
    with running_server("--store=memory") as server:
        address = f"tls://localhost:{server.port}"
        result = play(tmp_path, address)
    assert result.returncode == 1
    assert result.stderr == f"{address} does not speak TLS; connect without it.\n"


def test_a_client_with_tls_and_a_server_that_hangs_up_say_so(tmp_path: Path) -> None:
    def hang_up(peer: ScriptedPeer) -> None:
        peer.connection.recv(100)

    with serving(hang_up) as server:
        address = f"tls://{server.address}"
        result = play(tmp_path, address)
    assert result.returncode == 1
    assert result.stderr == f"{address} hung up on TLS; connect without it.\n"


def test_a_client_without_tls_and_a_server_that_speaks_nothing_else_say_so(
    certificate: CertificateFiles, tmp_path: Path
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    def speak_tls(peer: ScriptedPeer) -> None:
        with pytest.raises(ssl.SSLError):
            context.wrap_socket(peer.connection.dup(), server_side=True)

    with serving(speak_tls) as server:
        result = play(tmp_path, server.address)
    assert result.returncode == 1
    assert result.stderr.endswith("closed the connection. If it speaks TLS, try tls://HOST.\n")


# Certificates


def test_a_server_that_cannot_use_its_certificate_says_so(tmp_path: Path) -> None:
    files = make_certificate(tmp_path)
    files.key.write_text("nothing\n")
    result = subprocess.run(
        server_command("--store=memory", *serving_tls(files)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith(f"Error: {files.certificate} and {files.key} are not a pair")


def test_a_new_certificate_is_served_after_sighup_and_nobody_is_cut_off(
    certificate: CertificateFiles, trust: ssl.SSLContext, tmp_path: Path
) -> None:
    files = CertificateFiles(tmp_path / "a.crt", tmp_path / "a.key")
    shutil.copy(certificate.certificate, files.certificate)
    shutil.copy(certificate.key, files.key)
    with (
        running_server("--store=memory", *serving_tls(files)) as server,
        SecurePeer(server.port, trust) as peer,
    ):
        peer.play(START)
        renewed = make_certificate(tmp_path)
        shutil.copy(renewed.certificate, files.certificate)
        server.send_signal(signal.SIGHUP)
        server.await_log("the certificate stays the old one: .* key values mismatch")
        with SecurePeer(server.port, trust) as other:
            other.play(START)
        shutil.copy(renewed.key, files.key)
        server.send_signal(signal.SIGHUP)
        server.await_log("the certificate was read again")
        with pytest.raises(ssl.SSLCertVerificationError):
            SecurePeer(server.port, trust)
        new_trust = ssl.create_default_context(cafile=renewed.certificate)
        with SecurePeer(server.port, new_trust) as new:
            new.play(START)
        assert b"20x10" in peer.play()


# Who is rude


def test_handshakes_that_nobody_finishes_cost_nobody_a_key(
    server: ServerProcess, certificate: CertificateFiles
) -> None:
    with Peer(server.port) as player, ExitStack() as crowd:
        player.play(START)
        before = server.resident_kib()
        for _ in range(200):
            peer = crowd.enter_context(Peer(server.port))
            peer.send(TlsPeer(certificate.certificate).shake_hands())
            assert b"20x10" in player.play()
        assert server.resident_kib() - before < 40_000


def test_a_peer_that_reads_nothing_of_tls_costs_itself_only(
    server: ServerProcess, trust: ssl.SSLContext
) -> None:
    with SecurePeer(server.port, trust) as peer:
        peer.play(START)
        peer.socket.settimeout(0.5)
        before = server.resident_kib()
        with pytest.raises(TimeoutError):
            peer.send(encode(START) * 2_000_000)
        assert server.resident_kib() - before < 20_000


# Behind a proxy


@pytest.fixture(scope="module")
def proxied(certificate: CertificateFiles) -> Iterator[ServerProcess]:
    options = ("--store=memory", "--workers=0", "--max-per-address=1", "--proxy-from=127.0.0.0/8")
    with running_server(*options, *serving_tls(certificate)) as running:
        yield running


def test_players_behind_a_proxy_have_their_own_addresses_and_limits(
    proxied: ServerProcess, trust: ssl.SSLContext
) -> None:
    with Peer(proxied.port) as plain, Peer(proxied.port) as again:
        plain.send(proxy_header("192.0.2.7", 4321))
        plain.play(START)
        proxied.await_log("192.0.2.7:4321 connected")
        again.send(proxy_header("192.0.2.7", 4322) + encode(START))
        assert b"too many connections from your address" in again.screen()
        header = proxy_header("2001:db8::7", 4321)
        with SecurePeer(proxied.port, trust, header) as secure:
            secure.play(START)
            proxied.await_log(r"\[2001:db8::7\]:4321 connected")
