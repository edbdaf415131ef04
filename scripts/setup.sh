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
# `setup.sh slides` installs reveal.js, which shows slides, into scripts/reveal/node_modules;
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

tools=$root/.venv/bin/python
. "$root/syncpoint/engines/setup/environments.sh"

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

make_environment .venv scripts/requirements/tools.txt "${PYTHON:-}" 11 13 nbgrader \
    "no usable Python ${PYTHON:+at PYTHON=$PYTHON }for the tools: they need Python 3.11, 3.12 or 3.13 with venv. $how PYTHON=."
install_package
# Also where PYTHONDONTWRITEBYTECODE is set: every command would compile all of it anew.
.venv/bin/python -m compileall -q syncpoint || true
case "${1:-}" in
"" | otter | hub | site | axe | dolos | slides) make_engines ;;
*) make_engines "$1" ;;
esac
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
[ "${1:-}" != slides ] || install_with_npm scripts/reveal "reveal.js"
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
