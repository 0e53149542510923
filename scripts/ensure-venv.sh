# shellcheck shell=bash
# Sets up the virtual environment in .venv. Sourced by run_server.sh, run_client.sh and the Makefile.
#
#   ensure_venv ROOT STAGE       install what is missing; return at once when nothing is
#
# Stages: `base` is what a player needs, `server` is base with uvloop for speed, websockets for
# the page and asyncssh for SSH if they can be had, `test` is everything a developer needs. What is set up leaves a stamp
# in .venv that is younger than pyproject.toml and names ROOT: the programs of a virtual environment
# know its path, so a folder that was moved is set up anew.

ensure_venv() {
    _is_set_up "$1" "$2" || _set_up "$1" "$2"
}

# No process is started here: this is all that a warm start pays for.
_is_set_up() {
    local stamp=$1/.venv/.jminesweeper-$2
    [[ $stamp -nt $1/pyproject.toml ]] && _names_root "$stamp" "$1"
}

_names_root() {
    local stamped_root=
    IFS= read -r stamped_root <"$1" || true
    [[ $stamped_root == "$2" ]]
}

# No module is taken from the folder of whoever starts it (`-I`), nor by any child from PYTHONPATH.
# The lock is on the folder itself and gone with the subshell: nothing that is started later holds it.
_set_up() (
    set -eu
    unset PYTHONPATH PYTHONHOME
    [[ -w $1 ]] || _give_up "Cannot write to $1. Let its owner run this script once."
    exec 9<"$1"
    if command -v flock >/dev/null && ! flock --nonblock 9; then
        _say "Another start is setting up; waiting for it."
        flock 9
    fi
    _is_set_up "$1" "$2" || _install "$1" "$2"
)

_install() {
    local root=$1
    _ensure_environment "$root"
    case $2 in
        base)
            _pip_install "$root" --editable "$root" || _give_up_on_packages
            _stamp "$root" base
            ;;
        server)
            _install_server "$root"
            ;;
        test)
            _pip_install "$root" --editable "${root}[test]" || _give_up_on_packages
            _stamp "$root" base server test
            ;;
    esac
}

# A server gains from all three and needs none: without a network the next start tries again.
_install_server() {
    local root=$1
    _say "Adding uvloop (speed), websockets (page) and asyncssh (SSH) ..."
    if _pip_install "$root" --only-binary uvloop --editable "${root}[fast,ssh,web]" 2>/dev/null ||
        _pip_install "$root" --editable "${root}[ssh,web]" 2>/dev/null ||
        _pip_install "$root" --editable "${root}[web]" 2>/dev/null; then
        _stamp "$root" base server
    elif _is_set_up "$root" base; then
        _say "None of them can be had now; starting without."
    else
        _pip_install "$root" --editable "$root" || _give_up_on_packages
        _stamp "$root" base server
    fi
}

_stamp() {
    local root=$1 stage
    shift
    for stage in "$@"; do
        printf '%s\n' "$root" >"$root/.venv/.jminesweeper-$stage"
    done
}

# A developer's own environment is kept; one that was moved or whose Python is gone is made anew.
_ensure_environment() {
    local venv=$1/.venv python
    if ! _is_recent "$venv/bin/python" || _was_moved "$1"; then
        python=$(_find_python) || exit 1
        _say "Setting up in $venv (once, a few seconds) ..."
        "$python" -I -m venv --clear "$venv" >&2 || _give_up "The environment $venv could not be made."
    fi
    "$venv/bin/python" -I -m pip --version &>/dev/null ||
        "$venv/bin/python" -I -m ensurepip >/dev/null ||
        _give_up "There is no pip in $venv. Remove that folder and start again."
}

_was_moved() {
    local stamp
    for stamp in "$1"/.venv/.jminesweeper-*; do
        if [[ -f $stamp ]] && ! _names_root "$stamp" "$1"; then
            return 0
        fi
    done
    return 1
}

_find_python() {
    local candidate too_old=
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
        command -v "$candidate" >/dev/null || continue
        if ! _is_recent "$candidate"; then
            too_old=${too_old:-$("$candidate" --version 2>&1 || true)}
        elif ! "$candidate" -I -c 'import ensurepip, venv' 2>/dev/null; then
            _give_up "$candidate lacks the venv module. On Debian and Ubuntu: apt-get install python3-venv"
        else
            printf '%s\n' "$candidate"
            return
        fi
    done
    _give_up "Python 3.11 or newer is needed; found ${too_old:-none}.
If it is somewhere else: PYTHON=/path/to/python3 $0"
}

_is_recent() {
    "$1" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# What pip has to say matters only when it fails.
_pip_install() {
    local root=$1 words
    shift
    words=$("$root/.venv/bin/python" -I -m pip install --quiet "$@" 2>&1) && return
    printf '%s\n' "$words" | tail -n 12 >&2
    return 1
}

_give_up_on_packages() {
    _give_up "The packages could not be installed; pip's own words are above.
The first start needs the network, or a package mirror that pip is configured for."
}

_say() {
    printf 'JMinesweeper: %s\n' "$1" >&2
}

_give_up() {
    _say "$1"
    exit 1
}
