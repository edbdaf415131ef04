"""Which build of PyTorch set-up installs: what it asks uv and pip for, and what it refuses before it is fetched.

syncpoint/engines/setup/torch.sh decides; uv and pip are programs that write down what they are asked.
"""

import subprocess
from pathlib import Path

import pytest
from classroom import ROOT

CPU = "file:///wheels/torch-2.13.0%2Bcpu-cp311-cp311-manylinux_2_28_x86_64.whl"
CUDA = "https://files.pythonhosted.org/torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl"
MAC = "https://files.pythonhosted.org/torch-2.13.0-cp311-cp311-macosx_14_0_arm64.whl"
# A Python that makes environments of itself, and whose pip would choose the wheel $FOUND.
PYTHON = """#!/bin/bash
echo "python $*" >>"$LOG"
case "$*" in
"-m venv "*) mkdir -p "$3/bin" "$3/lib/python3.11/site-packages/$ALONG"; cp "$0" "$3/bin/python" ;;
*--dry-run*) printf '{"install": [{"download_info": {"url": "%s"}}]}' "$FOUND" ;;
esac
"""
UV = """#!/bin/bash
echo "uv $*" >>"$LOG"
case "$*" in "pip "*) exit "$UV_ENDS" ;; *) mkdir -p "${@: -1}/bin" ;; esac
"""
SETUP = """
set -euo pipefail
known=$1
find_uv() { [ -n "$known" ] && echo "$known"; }
say() { echo "setup: $*"; }
stop() { echo "stop: $*"; exit 1; }
[ -z "${SYSTEM:-}" ] || uname() { [ "$1" = -s ] && echo "${SYSTEM% *}" || echo "${SYSTEM#* }"; }
. syncpoint/engines/setup/torch.sh
install_torch "$2" "$3" syncpoint/engines/torch/requirements.txt cpu || stop failed
check_torch "$2"
"""


@pytest.fixture
def install(tmp_path: Path):
    """Run the decision: its exit status, what it said, and what uv and pip were asked."""

    def run(found: str, uv_ends: int | None, **variables: str) -> tuple[int, str, list[str]]:
        for name, text in {"python": PYTHON, "uv": UV}.items():
            (tmp_path / name).write_text(text)
            (tmp_path / name).chmod(0o755)
        log, environment = tmp_path / "log", tmp_path / "environment"
        log.write_text("")
        uv = "" if uv_ends is None else str(tmp_path / "uv")
        given = {"PATH": "/usr/bin:/bin", "LOG": log, "FOUND": found, "UV_ENDS": uv_ends or 0, "ALONG": "", **variables}
        command = ["bash", "-c", SETUP, "setup", uv, str(environment), str(tmp_path / "python")]
        env = {name: str(value) for name, value in given.items()}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.stderr == ""
        return done.returncode, done.stdout, log.read_text().splitlines()

    return run


def installs(asked: list[str]) -> list[str]:
    """The commands that fetch packages."""
    return [line for line in asked if " install " in line and "--dry-run" not in line]


def test_uv_is_asked_first_and_for_the_cpu_build_with_hashes(install):
    status, output, asked = install(CPU, 0)
    assert (status, output) == (0, "")
    (line,) = installs(asked)
    assert line.startswith("uv pip install ")
    assert "--torch-backend cpu --require-hashes -r syncpoint/engines/torch/requirements.txt" in line


@pytest.mark.parametrize("uv_ends", [1, None])
def test_where_uv_is_refused_or_missing_pip_installs_a_cpu_build_it_has_found(install, uv_ends: int | None):
    status, output, asked = install(CPU, uv_ends, SYSTEM="Linux x86_64")
    assert (status, "trying pip" in output) == (0, uv_ends == 1)
    line = installs(asked)[-1]
    assert line.startswith("python -m pip ") and line.endswith(
        "install --require-hashes -r syncpoint/engines/torch/requirements.txt"
    )
    assert not [line for line in asked if line.startswith("uv pip") and "--torch-backend" not in line]
    (asked_for,) = [line for line in asked if "--dry-run" in line]
    assert asked_for.endswith(" torch==2.13.0")


def test_a_cuda_build_is_refused_with_its_size_before_it_is_fetched(install):
    status, output, asked = install(CUDA, None, SYSTEM="Linux x86_64")
    assert (status, installs(asked)) == (1, [])
    assert output.startswith("stop: pip would fetch PyTorch's CUDA build, about 5.5 GB") and "TORCH_CUDA=1" in output


def test_pip_that_finds_nothing_is_a_failure_and_installs_nothing(install):
    status, output, asked = install("", None, SYSTEM="Linux x86_64")
    assert (status, output, installs(asked)) == (1, "stop: failed\n", [])


@pytest.mark.parametrize(
    ("system", "found"), [("Darwin arm64", MAC), ("Linux aarch64", CUDA.replace("x86_64", "aarch64"))]
)
def test_other_systems_get_the_default_build(install, system: str, found: str):
    status, _, asked = install(found, None, SYSTEM=system)
    assert (status, len(installs(asked))) == (0, 1)


def test_whoever_asks_for_cuda_gets_what_pip_finds(install):
    status, _, asked = install(CUDA, 0, TORCH_CUDA="1", ALONG="nvidia_cublas", SYSTEM="Linux x86_64")
    assert (status, [line for line in asked if line.startswith("uv")]) == (0, [])
    (line,) = installs(asked)
    assert "torch==2.13.0" in line and "--require-hashes" not in line


@pytest.mark.parametrize("name", ["nvidia_cublas", "triton"])
def test_what_comes_along_of_cuda_goes_again(install, tmp_path: Path, name: str):
    status, output, _ = install(CPU, None, ALONG=name, SYSTEM="Linux x86_64")
    assert (status, (tmp_path / "environment").exists()) == (1, False)
    assert "packages of CUDA came along" in output
