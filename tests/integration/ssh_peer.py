"""Real SSH clients: OpenSSH, PuTTY's plink and Dropbear's dbclient, with keys of their own."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.integration.terminal import PtyProcess, client_environment

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class SshClient:
    """OpenSSH as one player has it: a home of its own, and perhaps a key."""

    program: str
    home: Path
    key: Path | None = None
    options: Sequence[str] = ()

    def command(self, port: int, *words: str, options: Sequence[str] = ("-tt",)) -> list[str]:
        """Return what this player types."""
        key = ["-i", str(self.key)] if self.key else ["-o", "PubkeyAuthentication=no"]
        return [
            *(self.program, "-F", "none", *key),
            *("-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=accept-new"),
            *("-o", f"UserKnownHostsFile={self.home}/known_hosts"),
            *("-o", "LogLevel=ERROR", "-l", "ada", "-p", str(port)),
            *(*self.options, *options),
            *("127.0.0.1", *words),
        ]

    def shell_command(self, port: int, *words: str) -> str:
        return shlex.join(self.command(port, *words))

    def run(
        self, port: int, *words: str, options: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """Run it without a terminal."""
        return subprocess.run(
            self.command(port, *words, options=options),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def play(
        self,
        port: int,
        *words: str,
        rows: int = 24,
        columns: int = 80,
        environment: Mapping[str, str] | None = None,
    ) -> PtyProcess:
        """Run it on a terminal."""
        environ = client_environment(self.home, **(environment or {}))
        return PtyProcess(self.command(port, *words), environ, rows, columns)


def make_key(keygen: str, path: Path, kind: str = "ed25519") -> Path:
    """Make a key for a player."""
    subprocess.run([keygen, "-q", "-t", kind, "-N", "", "-f", path], check=True, timeout=TIMEOUT_S)
    return path


def ssh_player(
    require_program: Callable[[str], str], home: Path, *, has_key: bool = True
) -> SshClient:
    """Give a player a home, and a key unless they play as a guest."""
    home.mkdir(exist_ok=True)
    key = make_key(require_program("ssh-keygen"), home / "id_ed25519") if has_key else None
    return SshClient(require_program("ssh"), home, key)
