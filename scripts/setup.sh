#!/usr/bin/env bash
# Creates missing Python environments; fast if nothing is missing.
#
#   .venv            tools: the judge, nbgrader, tests       (Python 3.11 to 3.13, newest found; or $PYTHON)
#   .venv-<engine>   engine: what a student's kernel runs in (as syncpoint/engines/<engine>/engine.toml says)
#
# It creates the environments of engines that assignments use; `setup.sh plain` also creates that of the engine `plain`.
#
# `setup.sh otter` creates one more, which only `make bench` needs:
#
#   .venv-otter   Otter and an engine, to grade a notebook for comparison (Python 3.11; or $ENGINE_PYTHON)
#
#   .venv-site    Sphinx, for `make site` (Python 3.11 to 3.13; or $PYTHON): `setup.sh site`
#
# `setup.sh hub` installs JupyterHub's proxy with npm into deploy/node_modules;
# `setup.sh axe` (and `site`) installs axe-core, which checks the accessibility of web pages, into tests/node_modules;
# `setup.sh slides` installs reveal.js, which shows slides, into scripts/reveal/node_modules;
# `setup.sh dolos` installs Dolos, which finds similar code, into scripts/dolos/node_modules.
#
# An engine that computes with PyTorch gets its CPU build (Python 3.11; or
# $TORCH_PYTHON), and stops before it downloads a CUDA build of 5.5 GB, unless TORCH_CUDA=1 is set.
#
# SYNCPOINT_NO_UV=1 installs only with venv and pip.
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

# install_with_npm FOLDER WHAT: installs the packages in a folder's package-lock.json into its node_modules.
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
# Even if PYTHONDONTWRITEBYTECODE is set: otherwise every command would compile everything again.
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
# If the prebuilt tree-sitter does not run on the machine, npm compiles it in half a minute, with make, g++ and Python.
[ "${1:-}" != dolos ] || install_with_npm scripts/dolos "Dolos"
[ "${1:-}" != slides ] || install_with_npm scripts/reveal "reveal.js"
# The proxy on PyPI answers ten requests at a time, each for at most 20 s, which is less than a Validate may take.
[ "${1:-}" != hub ] || install_with_npm deploy "JupyterHub's proxy"
if [ -n "$changed" ]; then
    say "done"
    # Only tests of web pages need a browser, so set-up does not require one.
    no_browser=$(.venv/bin/python -I syncpoint/doctor/browser.py 2>&1 >/dev/null) ||
        say "make test will skip the tests of web pages: $no_browser"
    PATH=$PATH:/usr/sbin command -v slapd >/dev/null ||
        say "make test will skip the tests of a login by a directory: no slapd (Debian: apt install slapd)"
else
    say "nothing to do"
fi
