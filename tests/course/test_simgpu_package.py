"""simgpu as a product of its own: its wheel and its sdist, by pip and by uv, where PyTorch is and where it is not."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from classroom import ROOT

from syncpoint.course.wheel import wheel

pytestmark = pytest.mark.exhaustive
SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
COMPUTES = "import torch, simgpu; print(simgpu.__file__, torch.ones(2, device='simgpu').sum().item())"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel and the sdist."""
    folder = tmp_path_factory.mktemp("packages")
    name, content = wheel(ROOT / "simgpu")
    (folder / name).write_bytes(content)
    copy = shutil.copytree(
        ROOT / "simgpu", folder / "copy", ignore=shutil.ignore_patterns("__pycache__", "dist", "build")
    )
    subprocess.run([sys.executable, "-c", SDIST, folder], cwd=copy, check=True, capture_output=True)
    (sdist,) = folder.glob("*.tar.gz")
    return {"wheel": folder / name, "sdist": sdist}


def environment(folder: Path, engine: Path, with_pytorch: bool) -> Path:
    """An empty environment, or one that has all but simgpu of an engine's packages; its Python."""
    subprocess.run([engine / "bin" / "python", "-m", "venv", folder], check=True)
    if with_pytorch:
        (site,) = folder.glob("lib/python*/site-packages")
        for old in (*site.glob("setuptools*"), *site.glob("_distutils_hack")):
            shutil.rmtree(old)
        (tools,), (theirs,) = ((place / "lib").glob("python*/site-packages") for place in (ROOT / ".venv", engine))
        for path in (*tools.glob("setuptools*"), *tools.glob("_distutils_hack"), *theirs.iterdir()):
            if not path.name.lower().startswith("simgpu") and not (site / path.name).exists():
                _give(path, site / path.name)
    return folder / "bin" / "python"


def _give(path: Path, to: Path) -> None:
    """Installers read what a package says of itself; uv follows no link to it."""
    if path.suffix == ".dist-info":
        shutil.copytree(path, to)
    else:
        to.symlink_to(path)


def install(tool: str, python: Path, package: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Install a package from its file alone; no index is asked."""
    uv = shutil.which("uv") or str(ROOT / ".venv" / "bin" / "uv")
    command = [uv, "pip", "install", "--python", python] if tool == "uv" else [python, "-m", "pip", "install"]
    return subprocess.run([*command, "--no-index", *options, package], capture_output=True, text=True)


def run(python: Path, program: str) -> "subprocess.CompletedProcess[str]":
    """Run a program of an environment, in a folder where no source is."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([python, "-c", program], capture_output=True, text=True, cwd=python.parent, env=clean)


def test_the_wheel_and_the_sdist_hold_the_license(packages: dict[str, Path]):
    ours = (ROOT / "LICENSE").read_bytes()
    assert (ROOT / "simgpu" / "LICENSE").read_bytes() == ours
    with zipfile.ZipFile(packages["wheel"]) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/LICENSE"))
        assert archive.read(name) == ours
    with tarfile.open(packages["sdist"]) as archive:
        (name,) = (name for name in archive.getnames() if name.endswith("/LICENSE"))
        assert archive.extractfile(name).read() == ours


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("tool", ["pip", "uv"])
def test_it_installs_beside_the_pytorch_that_is_there(
    tool: str, kind: str, packages: dict[str, Path], torch_engine: Path, tmp_path: Path
):
    python = environment(tmp_path / "there", torch_engine, with_pytorch=True)
    done = install(tool, python, packages[kind], "--no-build-isolation")
    assert done.returncode == 0, done.stderr
    computed = run(python, COMPUTES)
    assert computed.returncode == 0, computed.stderr
    place, value = computed.stdout.split()
    assert Path(place).is_relative_to(tmp_path)
    assert value == "2.0"


@pytest.mark.parametrize("tool", ["pip", "uv"])
def test_without_pytorch_it_names_what_is_missing(
    tool: str, packages: dict[str, Path], torch_engine: Path, tmp_path: Path
):
    python = environment(tmp_path / "empty", torch_engine, with_pytorch=False)
    refused = install(tool, python, packages["wheel"])
    assert refused.returncode
    assert any(name in refused.stderr for name in ("torch", "numpy"))
    assert install(tool, python, packages["wheel"], "--no-deps").returncode == 0
    imported = run(python, "import simgpu")
    assert imported.stderr.splitlines()[-1] == (
        "ImportError: simgpu needs PyTorch, which is not installed: pip install torch"
    )


def test_the_wheel_is_pure_python_and_pins_no_pytorch(packages: dict[str, Path]):
    assert packages["wheel"].name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(io.BytesIO(packages["wheel"].read_bytes())) as archive:
        names = archive.namelist()
        (about,) = (archive.read(name).decode() for name in names if name.endswith("/METADATA"))
    assert {Path(name).suffix for name in names if ".dist-info/" not in name} == {".py", ".txt", ".typed"}
    required = [line for line in about.splitlines() if line.startswith("Requires-Dist")]
    assert required == ["Requires-Dist: torch>=2.10", "Requires-Dist: numpy"]


def test_the_sdist_has_what_a_reader_and_a_volunteer_need(packages: dict[str, Path]):
    with tarfile.open(packages["sdist"]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "README.md",
        "CHANGELOG.md",
        "docs/semantics.md",
        "examples/overlap_a_copy.py",
        "tests/conftest.py",
    } <= names
