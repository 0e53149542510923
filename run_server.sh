#!/usr/bin/env bash
# Starts the JMinesweeper server; --help lists its options. Sets itself up on first use.
set -eu
root=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${root%/*}
# shellcheck source=scripts/ensure-venv.sh
. "$root/scripts/ensure-venv.sh"
ensure_venv "$root" server
JMINESWEEPER_TYPED=$0 exec "$root/.venv/bin/python" -I -m jminesweeper server "$@"
