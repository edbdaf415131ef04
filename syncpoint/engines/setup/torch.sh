# Read by setup.sh: the build of PyTorch to install, and the builds to refuse.  It needs find_uv, say and stop.
#
# uv knows the place of PyTorch's CPU builds, so it is tried first; if that place cannot be reached, pip tries the places
# in its configuration.  uv is never used without --torch-backend: on Linux it would download the CUDA build.

TOO_LARGE="pip would fetch PyTorch's CUDA build, about 5.5 GB once installed. Install uv, which finds the CPU build of 0.2 GB, \
or give pip a place that has it (PIP_FIND_LINKS); TORCH_CUDA=1 takes the CUDA build."

install_torch() { # ENVIRONMENT PYTHON REQUIREMENTS BACKEND
    local uv pip=("$1/bin/python" -m pip --disable-pip-version-check --no-input)
    if [ -n "${TORCH_CUDA:-}" ]; then # its packages are other ones, so the pinned versions are all that can be asked for
        new_environment "$1" "$2" &&
            "${pip[@]}" -qq install $(sed -n 's/^\([A-Za-z0-9_.-]*==[^ ]*\).*/\1/p' "$3")
        return
    fi
    if uv=$(find_uv); then
        "$uv" venv --quiet --no-project --clear --python "$2" "$1" 2>/dev/null &&
            "$uv" pip install --quiet --compile-bytecode --python "$1/bin/python" --torch-backend "$4" --require-hashes -r "$3" 2>/dev/null &&
            return
        say "uv could not fetch PyTorch's CPU build; trying pip"
    fi
    new_environment "$1" "$2" || return 1
    refuse_cuda "$("${pip[@]}" -q install --dry-run --ignore-installed --no-deps --report - "$(sed -n 's/^\(torch==[^ ]*\).*/\1/p' "$3")")" || return 1
    "${pip[@]}" -qq install --require-hashes -r "$3"
}

new_environment() { # ENVIRONMENT PYTHON
    rm -rf -- "$1"
    "$2" -m venv "$1"
}

# Stops before pip downloads a CUDA build.  On macOS, Windows and other processors, the usual build is for the CPU.
refuse_cuda() { # PIP'S-REPORT
    local chosen
    chosen=$(sed -n 's/.*"url": "\([^"]*torch-[^"]*\)".*/\1/p' <<<"$1")
    [ -n "$chosen" ] || return 1
    case "$(uname -s)-$(uname -m) $chosen" in
    Linux-x86_64*%2Bcpu* | Linux-x86_64*+cpu*) ;;
    Linux-x86_64*) stop "$TOO_LARGE" ;;
    esac
}

# No CUDA package may have been installed.
check_torch() { # ENVIRONMENT
    [ -z "${TORCH_CUDA:-}" ] || return 0
    if compgen -G "$1/lib/python*/site-packages/nvidia*" >/dev/null || compgen -G "$1/lib/python*/site-packages/triton*" >/dev/null; then
        rm -rf -- "$1"
        stop "packages of CUDA came along with PyTorch; $1 was removed again."
    fi
}
