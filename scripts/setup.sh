#!/usr/bin/env bash
# Makes whatever is missing of the Python environments; says nothing twice and is fast when all is there.
#
#   .venv            tools: the judge, nbgrader, tests       (Python 3.11 to 3.13, newest found; or $PYTHON)
#   .venv-<engine>   engine: what a student's kernel runs in (as syncpoint/engines/<engine>/engine.toml says)
#
# Of the engines it makes those that the assignments use. `setup.sh plain` makes the one of that name besides.
#
# `setup.sh otter` makes one more, which `make bench` alone needs:
#
#   .venv-otter   Otter and an engine, to grade a notebook beside us (Python 3.11; or $ENGINE_PYTHON)
#
#   .venv-site    Sphinx, for `make site` (Python 3.11 to 3.13; or $PYTHON): `setup.sh site`
#
# `setup.sh hub` installs the proxy that stands before JupyterHub, with npm, into deploy/node_modules;
# `setup.sh axe` (and `site`) installs axe-core, which looks at web pages for accessibility, into tests/node_modules;
# `setup.sh dolos` installs Dolos, which says who wrote alike, into scripts/dolos/node_modules.
#
# An engine that computes with PyTorch gets its CPU build (Python 3.11; or
# $TORCH_PYTHON), and stops before a CUDA build of 5.5 GB would come; TORCH_CUDA=1 lets it come.
#
# SYNCPOINT_NO_UV=1 installs with venv and pip alone.
set -euo pipefail
unset CDPATH VIRTUAL_ENV PYTHONHOME PYTHONPATH

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
cd -- "$root"

# The Makefile puts .venv/bin on PATH; an environment must not be rebuilt from the Python inside it.
PATH=":$PATH:"
PATH=${PATH//":$root/.venv/bin:"/:}
PATH=${PATH#:}
PATH=${PATH%:}

# Two setups at once (make demo in one terminal, make test in another) wait for each other.
if command -v flock >/dev/null; then
    exec 9<"$root/scripts/setup.sh"
    flock 9
fi

say() { printf 'setup: %s\n' "$*"; }
stop() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

. "$root/scripts/torch.sh"
. "$root/scripts/certificates.sh"

find_uv() {
    [ -z "${SYNCPOINT_NO_UV:-}" ] || return 1
    local candidate
    for candidate in "$(command -v uv || true)" "$root/.venv/bin/uv"; do
        if [ -n "$candidate" ] && "$candidate" --version >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

# Prints the real interpreter behind a command (a pyenv shim, a virtual environment) if its version is
# between 3.$2 and 3.$3. Without uv it must also be able to make an environment with pip inside.
interpreter_behind() {
    local needs=ensurepip,venv
    [ -z "$uv" ] || needs=sys
    "$1" -c "import $needs, sys
if not (3, $2) <= sys.version_info[:2] <= (3, $3): sys.exit(1)
print(getattr(sys, '_base_executable', None) or sys.executable)" 2>/dev/null </dev/null
}

# find_python OVERRIDE OLDEST NEWEST: every match on PATH is tried, because the first may be a shim that fails.
find_python() {
    local minor command candidate
    if [ -n "$1" ]; then
        interpreter_behind "$1" "$2" "$3"
        return
    fi
    for ((minor = $3; minor >= $2; minor--)); do
        for command in "python3.$minor" python3 python; do
            while IFS= read -r candidate; do
                if [ -n "$candidate" ] && interpreter_behind "$candidate" "$minor" "$minor"; then return 0; fi
            done <<<"$(type -ap "$command" || true)"
        done
        if [ -n "$uv" ] && candidate=$("$uv" python find --no-project "3.$minor" 2>/dev/null); then
            interpreter_behind "$candidate" "$minor" "$minor" && return 0
        fi
    done
    return 1
}

# What an environment was made from. The path is in it because a moved environment has stale scripts.
stamp_of() { printf '%s %s\n' "$(cksum <"$1")" "$root"; }

is_ready() { # ENVIRONMENT STAMP-NAME SOURCE
    [ -f "$1/$2" ] && [ "$(cat "$1/$2")" = "$(stamp_of "$3")" ] && "$1/bin/python" -c '' 2>/dev/null
}

install_with_uv() { # ENVIRONMENT PYTHON REQUIREMENTS
    "$uv" venv --quiet --no-project --clear --python "$2" "$1" &&
        "$uv" pip install --quiet --compile-bytecode --python "$1/bin/python" --require-hashes -r "$3"
}

install_with_pip() { # ENVIRONMENT PYTHON REQUIREMENTS
    rm -rf -- "$1"
    "$2" -m venv "$1" || return 1
    local pip=("$1/bin/python" -m pip --disable-pip-version-check --no-input -qq install --require-hashes)
    if [ "$1" = .venv ] && [ -z "${SYNCPOINT_NO_UV:-}" ] && "${pip[@]}" -r scripts/requirements/uv.txt 2>/dev/null; then
        trust_the_system "$1/bin/uv"
        "$1/bin/uv" pip install --quiet --compile-bytecode --python "$1/bin/python" --require-hashes -r "$3" && return 0
        say "uv could not install $3; trying pip"
    fi
    "${pip[@]}" -r "$3"
}

# make_environment ENVIRONMENT REQUIREMENTS OVERRIDE OLDEST NEWEST MODULE WHAT-TO-DO [TORCH-BACKEND]
# The stamp is written last, so an interrupted installation is started again.
make_environment() {
    local environment=$1 requirements=$2 python uv
    is_ready "$environment" .syncpoint-stamp "$requirements" && return 0
    uv=$(find_uv) || uv=
    # The uv inside an environment cannot rebuild that environment.
    [ "$uv" != "$root/$environment/bin/uv" ] || uv=
    [ -z "$uv" ] || trust_the_system "$uv"
    python=$(find_python "$3" "$4" "$5") || stop "$7"
    say "making $environment with $("$python" -V 2>&1) (takes a minute the first time)"
    rm -rf -- "$environment"
    if [ -n "${8:-}" ]; then
        install_torch "$environment" "$python" "$requirements" "$8" ||
            stop "could not install $requirements into $environment; the lines above say why. Then run this again."
        check_torch "$environment"
    elif [ -z "$uv" ] || ! install_with_uv "$environment" "$python" "$requirements"; then
        install_with_pip "$environment" "$python" "$requirements" ||
            stop "could not install $requirements into $environment; the lines above say why. Then run this again."
    fi
    "$environment/bin/python" -c "import $6" ||
        stop "$environment is installed but '$6' cannot be imported; the lines above say why.\
 (A missing libgomp.so.1 is the package libgomp1 on Debian.)"
    stamp_of "$requirements" >"$environment/.syncpoint-stamp"
    changed=yes
}

# install_ours ENVIRONMENT FOLDER: a package of ours.  A sandbox mounts the environment alone, so it gets a copy; the
# version names the content, by which a result knows what it was judged with.
install_ours() {
    local environment=$1 folder=$2 sum copy
    sum=$(cd -- "$folder" && find pyproject.toml src -type f ! -name '*.pyc' ! -path '*.egg-info/*' | LC_ALL=C sort | xargs cat | cksum | tr ' ' .)
    [ "$(cat "$environment/.syncpoint-ours" 2>/dev/null)" != "$sum" ] || return 0
    say "installing ${folder##*/} into $environment"
    copy=$(mktemp -d)
    cp -r -- "$folder/pyproject.toml" "$folder/README.md" "$folder/src" "$copy/"
    rm -rf -- "$copy"/src/*.egg-info
    sed -i.before "s/^version = \"\(.*\)\"$/version = \"\1+$sum\"/" "$copy/pyproject.toml"
    if "$environment/bin/python" -m pip --version >/dev/null 2>&1; then
        "$environment/bin/python" -m pip --disable-pip-version-check --no-input -qq install --no-deps --no-build-isolation --no-index "$copy"
    else
        "$(find_uv)" pip install --quiet --python "$environment/bin/python" --no-deps --no-build-isolation --offline "$copy"
    fi || stop "could not install ${folder##*/} into $environment; the lines above say why."
    rm -rf -- "$copy"
    printf '%s' "$sum" >"$environment/.syncpoint-ours"
    changed=yes
}

# install_with_npm FOLDER WHAT: what package-lock.json of a folder names, into its node_modules.
install_with_npm() {
    local stamp=$1/node_modules/.syncpoint-stamp
    [ "$(cat "$stamp" 2>/dev/null)" != "$(stamp_of "$1/package-lock.json")" ] || return 0
    command -v npm >/dev/null || stop "$2 needs Node.js and npm. Install them (Debian: apt install npm)."
    say "installing $2 into $1/node_modules"
    (cd -- "$1" && npm ci --no-audit --no-fund --loglevel=error >/dev/null) ||
        stop "could not install $1/package-lock.json; the lines above say why. Then run this again."
    stamp_of "$1/package-lock.json" >"$stamp"
    changed=yes
}

install_package() {
    is_ready .venv .syncpoint-package pyproject.toml && return 0
    say "installing syncpoint itself into .venv"
    local uv
    if uv=$(find_uv); then
        "$uv" pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
    else
        .venv/bin/python -m pip --disable-pip-version-check -qq install --no-deps --no-build-isolation --editable .
    fi || stop "could not install syncpoint into .venv; the lines above say why."
    stamp_of pyproject.toml >.venv/.syncpoint-package
    changed=yes
}

# What a setup beside this one ends with if it has made something.
CHANGED=10
changed=
how="Install one (Debian: apt install python3.11 python3.11-venv; anywhere: uv python install 3.11), \
or name one with"
make_environment .venv scripts/requirements/tools.txt "${PYTHON:-}" 11 13 nbgrader \
    "no usable Python ${PYTHON:+at PYTHON=$PYTHON }for the tools: they need Python 3.11, 3.12 or 3.13 with venv. $how PYTHON=."
install_package
# Also where PYTHONDONTWRITEBYTECODE is set: every command would compile all of it anew.
.venv/bin/python -m compileall -q syncpoint || true
engines=$(.venv/bin/python -I syncpoint/engines/find.py) || stop "the engines are not in order; the line above says why."
case "${1:-}" in
"" | otter | hub | site | axe | dolos) ;;
*) engines=$(.venv/bin/python -I syncpoint/engines/find.py "$1") || stop "usage: setup.sh [otter | hub | site | axe | dolos | an engine]" ;;
esac
# All at a time: each one is unpacked and compiled by one processor. Ctrl-C, to which what runs beside a script is deaf,
# ends them, too.
trap 'trap - INT; kill 0' INT
setups=()
while IFS='|' read -r -u 3 engine requirements oldest newest module override title backend ours; do
    (
        make_environment ".venv-$engine" "$requirements" "${!override:-}" "$oldest" "$newest" "$module" \
            "no usable Python ${!override:+at $override=${!override} }for $title: it needs Python 3.$oldest to 3.$newest with venv. $how $override=." "$backend"
        [ -z "$ours" ] || install_ours ".venv-$engine" "$ours"
        [ -z "$changed" ] || exit "$CHANGED"
    ) &
    setups+=("$!")
done 3<<<"$engines"
failed=
for setup in "${setups[@]}"; do
    status=0
    wait "$setup" || status=$?
    case $status in
    0) ;;
    "$CHANGED") changed=yes ;;
    *) failed=yes ;;
    esac
done
[ -z "$failed" ] || exit 1
if [ "${1:-}" = otter ]; then
    make_environment .venv-otter scripts/requirements/otter.txt "${ENGINE_PYTHON:-}" 11 11 otter \
        "no usable Python ${ENGINE_PYTHON:+at ENGINE_PYTHON=$ENGINE_PYTHON }for Otter and its engine: they need Python 3.11 with venv. $how ENGINE_PYTHON=."
fi
if [ "${1:-}" = site ]; then
    make_environment .venv-site scripts/requirements/site.txt "${PYTHON:-}" 11 13 sphinx \
        "no usable Python ${PYTHON:+at PYTHON=$PYTHON }for the site: it needs Python 3.11, 3.12 or 3.13 with venv. $how PYTHON=."
fi
case "${1:-}" in site | axe) install_with_npm tests "axe-core" ;; esac
# Where the ready-made tree-sitter does not run on the machine, npm compiles it: half a minute, with make, g++ and Python.
[ "${1:-}" != dolos ] || install_with_npm scripts/dolos "Dolos"
# The proxy on PyPI answers ten requests at a time and gives each 20 s, less than a Validate may take.
[ "${1:-}" != hub ] || install_with_npm deploy "JupyterHub's proxy"
if [ -n "$changed" ]; then
    say "done"
    # Only tests of web pages need a browser, so a machine without one is a machine that is set up.
    no_browser=$(.venv/bin/python -I syncpoint/doctor/browser.py 2>&1 >/dev/null) ||
        say "make test will skip the tests of web pages: $no_browser"
else
    say "nothing to do"
fi
