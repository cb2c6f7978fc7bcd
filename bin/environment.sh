# Sourced by bin/start and bin/test: find a Python, and make or renew a virtual environment. POSIX sh.
#
#   make_environment FOLDER REQUIREMENT    e.g. make_environment .venv .
#
# The environment is renewed when pyproject.toml or the Python changed, and rebuilt when it does not run.
# Nothing is written outside FOLDER (and pip's cache).

say() { printf '%s\n' "$*" >&2; }

# Version managers put commands on PATH that only print an error, so each candidate is tried, not looked up.
is_suitable() {
    "$1" -I -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${ROOFLAB_PYTHON:-}" ]; then
        if is_suitable "$ROOFLAB_PYTHON"; then
            printf '%s\n' "$ROOFLAB_PYTHON"
            return
        fi
        say "rooflab: ROOFLAB_PYTHON is $ROOFLAB_PYTHON, which is no Python 3.10 or newer that runs."
        return 1
    fi
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
        if is_suitable "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say "rooflab: no Python 3.10 or newer was found: install one (apt install python3 python3-venv," \
        "dnf install python3.12, module load python) or set ROOFLAB_PYTHON to its path."
    return 1
}

# An environment with pip inside, or without where Python has no ensurepip (Debian without python3-venv).
create_environment() {
    rm -rf "$2"
    "$1" -I -m venv "$2" >/dev/null 2>&1 && return
    rm -rf "$2"
    "$1" -I -m venv --without-pip "$2" >/dev/null 2>&1 && return
    say "rooflab: $1 cannot make a virtual environment in $2: install its venv module" \
        "(apt install python3-venv) or set ROOFLAB_PYTHON to another Python, and see that the folder can be written."
    return 1
}

# pip of the environment, or the pip of the Python it was made with working on the environment.
install_into() {
    environment=$1 python=$2
    shift 2
    if "$environment/bin/python" -I -m pip --version >/dev/null 2>&1; then
        set -- "$environment/bin/python" -m pip install "$@"
    elif "$python" -I -m pip --python "$environment/bin/python" --version >/dev/null 2>&1; then
        set -- "$python" -m pip --python "$environment/bin/python" install "$@"
    else
        say "rooflab: $python has no pip (22.3 or newer): install it (apt install python3-venv," \
            "dnf install python3-pip) or set ROOFLAB_PYTHON to a Python that has one."
        return 1
    fi
    "$@" --quiet --disable-pip-version-check >&2 && return
    say "rooflab: the installation failed, what pip said stands above; mend that and start again."
    return 1
}

make_environment() {
    environment=$1 requirement=$2
    stamp="$environment/rooflab-stamp"
    # The folder is part of the stamp: a copied clone must not run the code of the original.
    wanted="$(cksum <pyproject.toml) $requirement $(pwd) ${ROOFLAB_PYTHON:-}"
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] &&
        "$environment/bin/python" -I -c 'import tui, textual' >/dev/null 2>&1; then
        return
    fi
    python=$(find_python) || return
    say "rooflab: making the environment $environment with $("$python" --version 2>&1) (once; needs the network) ..."
    create_environment "$python" "$environment" || return
    if ! install_into "$environment" "$python" --editable "$requirement"; then
        rm -rf "$environment"
        return 1
    fi
    printf '%s\n' "$wanted" >"$stamp"
}
