#!/usr/bin/env bash
# Creates Python environments, .venv-<engine>, from each engine's engine.toml; fast if nothing is missing.
#
#   bash environments.sh FOLDER PYTHON [ENGINE...]   of these engines, in a course folder; PYTHON has the tools
#
# `syncpoint engine install` runs it in this way, and scripts/setup.sh reads it.  Without a name it creates the
# environments of the engines that the assignments use.
#
# An engine with PyTorch gets its CPU build (Python 3.11; or $TORCH_PYTHON), and stops before it downloads a CUDA build
# of 5.5 GB, unless TORCH_CUDA=1 is set. SYNCPOINT_NO_UV=1 installs only with venv and pip.

setup=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)

say() { printf 'setup: %s\n' "$*"; }
stop() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

. "$setup/torch.sh"
. "$setup/certificates.sh"

find_uv() {
    [ -z "${SYNCPOINT_NO_UV:-}" ] || return 1
    local candidate
    for candidate in "$(command -v uv || true)" "${tools%/*}/uv"; do
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

# find_python OVERRIDE OLDEST NEWEST: every match on PATH is tried, because the first may be a shim that fails. Of one
# version, a Python that was built with optimizations comes first: with it, judging takes about a sixth less time.
find_python() {
    local minor candidate found first
    if [ -n "$1" ]; then
        interpreter_behind "$1" "$2" "$3"
        return
    fi
    for ((minor = $3; minor >= $2; minor--)); do
        first=
        while IFS= read -r candidate; do
            [ -n "$candidate" ] && found=$(interpreter_behind "$candidate" "$minor" "$minor") || continue
            if is_optimized "$found"; then
                printf '%s\n' "$found"
                return 0
            fi
            first=${first:-$found}
        done <<<"$(
            type -ap "python3.$minor" python3 python || true
            [ -z "$uv" ] || "$uv" python find --no-project "3.$minor" 2>/dev/null || true
        )"
        if [ -n "$first" ]; then
            printf '%s\n' "$first"
            return 0
        fi
    done
    return 1
}

# Distributions build with optimizations, although Debian's Python does not say so.
is_optimized() {
    "$1" -I -c 'import sys, sysconfig
optimized = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
sys.exit(not optimized and sys.base_prefix != "/usr")' 2>/dev/null </dev/null
}

# The inputs of an environment. The path is one of them because a moved environment has stale scripts.
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

# install_ours ENVIRONMENT FOLDER: installs our own package.  A sandbox mounts only the environment, so it gets a copy;
# the version contains a digest of the content, so a result records what judged it.
install_ours() {
    local environment=$1 folder=$2 sum copy
    sum=$(cd -- "$folder" && find pyproject.toml src -type f ! -name '*.pyc' ! -path '*.egg-info/*' | LC_ALL=C sort | xargs cat | cksum | tr ' ' .)
    [ "$(cat "$environment/.syncpoint-ours" 2>/dev/null)" != "$sum" ] || return 0
    say "installing ${folder##*/} into $environment"
    copy=$(mktemp -d)
    cp -r -- "$folder/pyproject.toml" "$folder/README.md" "$folder/src" "$copy/"
    rm -rf -- "$copy"/src/*.egg-info
    sed -i.before "s/^\(__version__\|version\) = \"\(.*\)\"$/\1 = \"\2+$sum\"/" "$copy/pyproject.toml" "$copy"/src/*/__init__.py
    grep -qF "+$sum\"" "$copy/pyproject.toml" "$copy"/src/*/__init__.py || stop "${folder##*/} does not say its version."
    if "$environment/bin/python" -m pip --version >/dev/null 2>&1; then
        "$environment/bin/python" -m pip --disable-pip-version-check --no-input -qq install --no-deps --no-build-isolation --no-index "$copy"
    else
        "$(find_uv)" pip install --quiet --python "$environment/bin/python" --no-deps --no-build-isolation --offline "$copy"
    fi || stop "could not install ${folder##*/} into $environment; the lines above say why."
    rm -rf -- "$copy"
    printf '%s' "$sum" >"$environment/.syncpoint-ours"
    changed=yes
}

# The status with which a parallel set-up ends if it has created something.
CHANGED=10
changed=
how="Install one (Debian: apt install python3.11 python3.11-venv; anywhere: uv python install 3.11), \
or name one with"

# make_engines [ENGINE...]: all in parallel, because each one is unpacked and compiled by one processor.  Ctrl-C also ends
# them, although background jobs of a script ignore it.
make_engines() {
    local engines failed= status setup_of engine requirements oldest newest module override title backend ours
    engines=$("$tools" -I "$setup/../find.py" "$@") || stop "the engines are not in order; the line above says why."
    trap 'trap - INT; kill 0' INT
    local setups=()
    while IFS='|' read -r -u 3 engine requirements oldest newest module override title backend ours; do
        # A link leads to the environment of another course or clone, which updates it.
        [ ! -L ".venv-$engine" ] || [ ! -x ".venv-$engine/bin/python" ] || continue
        (
            make_environment ".venv-$engine" "$requirements" "${!override:-}" "$oldest" "$newest" "$module" \
                "no usable Python ${!override:+at $override=${!override} }for $title: it needs Python 3.$oldest to 3.$newest with venv. $how $override=." "$backend"
            [ -z "$ours" ] || install_ours ".venv-$engine" "$ours"
            [ -z "$changed" ] || exit "$CHANGED"
        ) &
        setups+=("$!")
    done 3<<<"$engines"
    for setup_of in "${setups[@]}"; do
        status=0
        wait "$setup_of" || status=$?
        case $status in
        0) ;;
        "$CHANGED") changed=yes ;;
        *) failed=yes ;;
        esac
    done
    [ -z "$failed" ] || exit 1
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    unset CDPATH VIRTUAL_ENV PYTHONHOME PYTHONPATH
    root=$1 tools=$2
    cd -- "$root"
    make_engines "${@:3}"
    [ -n "$changed" ] && say "done" || say "nothing to do"
fi
