"""The image of the server: built from its Containerfile, and run where its root is read-only."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.integration.server_peer import START, Peer
from tests.integration.server_process import running_server

ROOT = Path(__file__).parents[2]
CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
(BASE,) = set(re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE))
PROGRAM = "/opt/jminesweeper/bin/jminesweeper"
MOST_ABOVE_THE_BASE = 80_000_000
# As a container is run: mounts of its own, a root that is read-only, and the image's user.
CONTAINED = """
set -eu
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount --bind "$2" "$1/data"
mount --rbind /dev "$1/dev"
mount -t proc proc "$1/proc"
root=$1
shift 2
exec chroot --userspec=10001:10001 "$root" env -i HOME=/data "$@"
"""

pytestmark = pytest.mark.timeout(900)


class Image(NamedTuple):
    """An image, its settings, and its files."""

    settings: dict[str, Any]
    size: int
    root: Path

    def command(self, data: Path, *words: str) -> list[str]:
        """Return what runs a program in the image, with a folder for what it keeps."""
        return ["unshare", "--mount", "sh", "-c", CONTAINED, "-", str(self.root), str(data), *words]


@pytest.fixture(scope="module")
def image(require_program: Callable[[str], str]) -> Iterator[Image]:
    builder = require_program("buildah")
    if os.geteuid() != 0:
        pytest.skip("only root may mount an image")
    name = f"jminesweeper-test-{os.getpid()}"
    environment = {"STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot", **os.environ}

    def build(*words: str) -> str:
        asked = subprocess.run(
            [builder, *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert asked.returncode == 0, asked.stderr
        return asked.stdout.strip()

    def size_of(image: str) -> int:
        (found,) = json.loads(build("images", "--json", image))
        number, unit = found["size"].split()
        return round(float(number) * {"KB": 1e3, "MB": 1e6, "GB": 1e9}[unit])

    fetched = subprocess.run(
        [builder, "pull", "--policy=missing", BASE],
        env=environment,
        capture_output=True,
        check=False,
    )
    if fetched.returncode:
        pytest.skip(f"there is no {BASE} here")
    build(
        "bud",
        "--format=docker",
        "--network=host",
        "--file=deploy/Containerfile",
        f"--tag={name}",
        ".",
    )
    container = build("from", name)
    try:
        settings = json.loads(build("inspect", "--type=image", name))["Docker"]["config"]
        root = Path(build("mount", container))
        yield Image(settings, size_of(name) - size_of(BASE), root)
    finally:
        build("rm", container)
        build("rmi", name)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A volume that belongs to the image's user."""
    folder = tmp_path / "data"
    folder.mkdir()
    os.chown(folder, 10001, 10001)
    tmp_path.chmod(0o755)
    return folder


def test_the_image_is_small_and_runs_as_nobody_special(image: Image) -> None:
    assert image.size <= MOST_ABOVE_THE_BASE
    assert image.settings["User"] == "10001"
    assert image.settings["Entrypoint"] == [PROGRAM]
    assert list(image.settings["ExposedPorts"]) == ["9999/tcp"]
    assert "/data" in image.settings["Volumes"]


def test_a_game_is_played_in_it_where_nothing_but_its_volume_can_be_written(
    image: Image, data: Path
) -> None:
    variables = [each for each in image.settings["Env"] if each.startswith("JMINESWEEPER_STORE=")]
    words = [*variables, PROGRAM, "server", "--host=127.0.0.1", "--port=0", "--admin=0"]
    with running_server(command=image.command(data, *words)) as server:
        admin = server.await_log(r"health and metrics on \S+:(\d+)")[1]
        with Peer(server.port) as peer:
            assert b"20x10" in peer.play(START)
        _, *health = image.settings["Healthcheck"]["Test"]
        asked = [word.replace("9998", admin) for word in health]
        assert subprocess.run(image.command(data, *asked), check=False).returncode == 0
    assert subprocess.run(
        image.command(data, *health), stderr=subprocess.DEVNULL, check=False
    ).returncode
    assert (data / "games.sqlite3").stat().st_uid == 10001
    tried = subprocess.run(
        image.command(data, "touch", "/opt/here"), capture_output=True, text=True, check=False
    )
    assert "Read-only file system" in tried.stderr


def test_what_it_brings_is_what_a_server_may_want(image: Image, data: Path) -> None:
    python = PROGRAM.replace("bin/jminesweeper", "bin/python")
    command = image.command(data, python, "-c", "import redis, hiredis, uvloop, websockets")
    subprocess.run(command, check=True)
    assert image.settings["StopSignal"] == "SIGTERM"
