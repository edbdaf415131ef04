"""The files that an assignment's engine adds to its release."""

import io
import os
import re
import subprocess
import sys
import zipfile
from email import message_from_bytes
from hashlib import sha256
from pathlib import Path

import pytest
import toy_gpu
from classroom import ROOT, SmallCourse, released
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from syncpoint.course.check_wheel import check_wheel
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.course.release import REQUIREMENTS, add_engine_files, add_requirements, stale_files
from syncpoint.course.visible import VISIBLE_FOLDER
from syncpoint.course.wheel import CannotBuild, wheel
from syncpoint.engines.find import read

SIMGPU = ROOT / "simgpu"
COMPAT = ROOT / "scripts" / "requirements" / "mxnet_compat"
MXNET = ROOT / "syncpoint" / "engines" / "mxnet"
FOR_MXNET = "mxnet_compat-1.0-py3-none-any.whl"
PYPROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "toy"
version = "1.0"
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of one module."""
    folder = tmp_path / "toy"
    (folder / "src" / "toy").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "src" / "toy" / "__init__.py").write_text("x = 1\n")
    return folder


OTHER_PLACES = """
import sys, torch
sys.path.insert(0, sys.argv[1])
import simgpu
from simgpu.device import process
x = torch.arange(3.0).to("simgpu")
print((x + 1).tolist(), simgpu.__file__, process.__file__)
"""


@pytest.mark.exhaustive
def test_the_wheel_in_a_release_installs_into_an_empty_folder_and_computes(tmp_path: Path, torch_engine: Path):
    (found,) = released("torch_async", tmp_path / "torch_async").glob("simgpu-*.whl")
    folder, python = tmp_path / "installed", torch_engine / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder, found]
    subprocess.run(pip, check=True, stdin=subprocess.DEVNULL)
    command = [python, "-I", "-c", OTHER_PLACES, folder]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    package = folder / "simgpu"
    assert done.stdout == f"[1.0, 2.0, 3.0] {package / '__init__.py'} {package / 'device' / 'process.py'}\n"


@pytest.mark.exhaustive
def test_the_release_of_a_torch_assignment_holds_the_wheel_of_simgpu(tmp_path: Path):
    course = SmallCourse.make(tmp_path / "course")
    toy_gpu.add_assignment(course.root)
    for assignment in ("gpu", "async"):
        course.must_run("nbgrader", "generate_assignment", assignment)
    name, content = wheel(SIMGPU)
    there = course.root / "release" / "gpu" / name
    assert sorted(path.name for path in there.parent.iterdir()) == sorted(
        ["gpu.ipynb", REQUIREMENTS, name, check_wheel()[0], VISIBLE_FOLDER]
    )
    assert there.read_bytes() == content
    assert oct(there.stat().st_mode) == oct((there.parent / "gpu.ipynb").stat().st_mode)
    assert sorted(path.name for path in (course.root / "release" / "async").iterdir()) == [
        FOR_MXNET,
        REQUIREMENTS,
        check_wheel()[0],
        VISIBLE_FOLDER,
        "work.ipynb",
    ]

    assert stale_files(Course(course.root), "gpu") == []
    there.chmod(0o644)
    there.write_bytes(content[:-1])
    assert stale_files(Course(course.root), "gpu") == [name]


def test_a_wheel_holds_its_package_and_nothing_of_the_machine(package: Path):
    (package / "src" / "toy" / "__pycache__").mkdir()
    (package / "src" / "toy" / "__pycache__" / "__init__.pyc").write_text("")
    name, content = wheel(package)
    (package.parent / name).write_bytes(content)
    with zipfile.ZipFile(package.parent / name) as archive:
        assert archive.testzip() is None
        of_toy = [entry.filename for entry in archive.infolist() if entry.filename.startswith("toy/")]
        assert (name, of_toy) == ("toy-1.0-py3-none-any.whl", ["toy/__init__.py"])
        assert b"syncpoint-wheel" not in content
    assert sorted(path.name for path in package.iterdir()) == ["pyproject.toml", "src"]


def test_the_bytes_of_a_wheel_hang_on_its_package_alone(package: Path, tmp_path: Path):
    contents = []
    for number, umask in enumerate((0o022, 0o077)):
        for path in package.rglob("*"):
            os.utime(path, (number * 1e9, number * 1e9))
            path.chmod(path.stat().st_mode ^ (0o011 if path.is_dir() else 0o044))
        command = [sys.executable, "-m", "syncpoint.course.wheel", str(package), str(tmp_path / str(number))]
        done = subprocess.run(command, umask=umask, cwd=ROOT, capture_output=True, text=True, check=True)
        contents.append(Path(done.stdout.strip()).read_bytes())
    assert contents[0] == contents[1]
    (package / "src" / "toy" / "__init__.py").write_text("x = 2\n")
    assert wheel(package)[1] != contents[0]


def test_a_package_that_cannot_be_built_is_a_sentence(package: Path):
    (package / "pyproject.toml").write_text(PYPROJECT.replace('version = "1.0"', "version = 1"))
    with pytest.raises(CannotBuild, match=f"cannot build a wheel of {package}: .*version"):
        wheel(package)


def test_a_file_of_the_engine_is_released_and_a_missing_one_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    engine = tmp_path / "engine"
    engine.mkdir()
    written = '[environment]\npython = ["3.9", "3.13"]\nrequirements = "r"\ncheck = "numpy"\n'
    (engine / "engine.toml").write_text(f'release_files = ["first_steps.txt"]\n{written}')
    monkeypatch.setattr(Course, "engine", lambda self, name: read("toy", engine))
    release = tmp_path / "release"
    release.mkdir()
    with pytest.raises(CourseError, match=r"async: a file of the engine toy cannot be released: .*first_steps\.txt"):
        add_engine_files(Course(ROOT), "async", release)
    (engine / "first_steps.txt").write_text("hello")
    add_engine_files(Course(ROOT), "async", release)
    assert (release / "first_steps.txt").read_text() == "hello"


def test_what_a_student_installs_is_the_set_of_the_engine_and_every_wheel_of_the_release_with_its_hash(tmp_path: Path):
    (tmp_path / FOR_MXNET).write_bytes(b"is in the set by itself")
    wheels = {"a-1-py3-none-any.whl": b"one", "b-2-py3-none-any.whl": b"two"}
    for name, content in wheels.items():
        (tmp_path / name).write_bytes(content)
    add_requirements(Course(ROOT), "async", tmp_path)
    lines = [f"./{name} \\\n    --hash=sha256:{sha256(content).hexdigest()}\n" for name, content in wheels.items()]
    assert (tmp_path / REQUIREMENTS).read_text() == (MXNET / "student.txt").read_text() + "".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["async", "torch_async"])
def test_pip_accepts_the_list_of_a_release_and_refuses_another_wheel(assignment: str, tmp_path: Path):
    """Only the wheels of ours are installed: the rest of the list needs a package index."""
    release = released(assignment, tmp_path / assignment)
    listed = (release / REQUIREMENTS).read_text()
    (release / "ours.txt").write_text("".join(re.findall(r"^\./(?!mxnet_compat)\S+ \\\n.*\n", listed, re.MULTILINE)))
    command = [ROOT / ".venv" / "bin" / "uv", "pip", "install", "--quiet", "--offline", "--no-deps", "--require-hashes"]
    command += ["--python", sys.executable, "-r", "ours.txt", "--target"]
    done = subprocess.run([*command, tmp_path / "installed"], cwd=release, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "installed" / "syncpoint_check" / "__init__.py").is_file()
    text = (release / "ours.txt").read_text()
    (release / "ours.txt").write_text(re.sub("sha256:.{8}", "sha256:00000000", text))
    refused = subprocess.run([*command, tmp_path / "refused"], cwd=release, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "ash mismatch" in refused.stderr


@pytest.mark.exhaustive
def test_the_wheel_of_syncpoint_holds_all_that_runs():
    """`make dist`: a machine that only judges installs it, and has templates, migrations and what a sandbox mounts."""
    name, content = wheel(ROOT)
    tracked = subprocess.run(["git", "ls-files", "syncpoint"], cwd=ROOT, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        names = packed.namelist()
    assert name.startswith("syncpoint-")
    assert {path for path in tracked.stdout.split() if not path.endswith(".in")} <= set(names)
    assert {Path(path).parts[0].partition("-")[0] for path in names} == {"syncpoint"}


# A stand-in for MXNet, of its lines that newer libraries break.
USES_WHAT_IS_GONE = """
import numpy
from distutils.version import LooseVersion, StrictVersion
kinds = [numpy.bool, numpy.int, numpy.float, numpy.object]
newer = [kind("1.26.4") >= kind("1.17") and not kind("1.9") > kind("1.17") for kind in (LooseVersion, StrictVersion)]
"""
ASKS = """
import sys
before = set(sys.modules)
import mxnet_compat
brought = set(sys.modules) - before
assert not {"numpy", "distutils"} & brought, brought
import mxnet
assert mxnet.newer == [True, True]
assert mxnet.kinds[1:] == [int, float, object]
"""


def test_the_wheel_that_students_install_is_made_of_its_folder():
    name, content = wheel(COMPAT)
    assert (MXNET / name).read_bytes() == content
    student = (MXNET / "student.txt").read_text()
    assert f"./{name} ; python_full_version >= '3.12' \\\n    --hash=sha256:{sha256(content).hexdigest()}\n" in student


def test_what_mxnet_needs_is_put_back_when_it_is_imported(tmp_path: Path):
    (tmp_path / "mxnet.py").write_text(USES_WHAT_IS_GONE)
    path = os.pathsep.join([str(COMPAT), str(tmp_path)])
    done = subprocess.run([sys.executable, "-c", ASKS], env={**os.environ, "PYTHONPATH": path}, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def in_student(name: str) -> list[Requirement]:
    """The lines of student.txt for a package, with their markers."""
    text = (MXNET / "student.txt").read_text()
    lines = [line.removesuffix(" \\") for line in text.splitlines() if line.startswith((f"{name}==", f"./{name}-"))]
    assert lines, name
    # What pip reads as a file is no requirement for others: its name stands in its place.
    return [Requirement(line.replace(f"./{FOR_MXNET}", name)) for line in lines]


def taken(name: str, minor: int) -> list[Requirement]:
    """Those that pip takes on this Python 3."""
    version = {"python_full_version": f"3.{minor}.0", "python_version": f"3.{minor}"}
    return [line for line in in_student(name) if line.marker is None or line.marker.evaluate(version)]


def required_python() -> SpecifierSet:
    """What the wheel says of itself."""
    with zipfile.ZipFile(MXNET / FOR_MXNET) as packed:
        (metadata,) = [name for name in packed.namelist() if name.endswith("/METADATA")]
        return SpecifierSet(message_from_bytes(packed.read(metadata))["Requires-Python"])


@pytest.mark.parametrize("minor", range(9, 16))
def test_where_mxnet_is_installed_it_runs_and_elsewhere_pip_stops_at_our_wheel(minor: int):
    helped, fits = bool(taken("mxnet_compat", minor)), required_python().contains(f"3.{minor}.0")
    if taken("mxnet", minor):
        (numpy,) = taken("numpy", minor)
        assert helped == fits == (minor >= 12)
        pinned = Version(str(numpy.specifier).removeprefix("=="))
        assert pinned < Version("2") and (pinned >= Version("1.26")) == helped
    else:
        # Nothing of MXNet would come, and nobody would say so: the wheel is asked for, and refuses.
        assert helped
        assert not fits


@pytest.mark.parametrize("version", ["3.8", "3.11", "3.12", "3.13", "3.14"])
def test_pip_says_that_the_python_is_another_one_in_the_words_of_the_page(version: str, tmp_path: Path):
    words = ["--isolated", "--disable-pip-version-check", "install", "--dry-run", "--no-index", "--no-deps"]
    there = ["--only-binary=:all:", "--target", tmp_path / "there", "--python-version", version]
    pip = [sys.executable, "-m", "pip", *words, *there, MXNET / FOR_MXNET]
    done = subprocess.run(pip, capture_output=True, text=True, check=False, cwd=tmp_path)
    if required_python().contains(f"{version}.0"):
        assert done.returncode == 0, done.stderr
        assert "Would install mxnet-compat-1.0" in done.stdout
    else:
        assert done.returncode != 0
        last = done.stderr.strip().splitlines()[-1]
        assert last == (
            f"ERROR: Package 'mxnet-compat' requires a different Python: {version}.0 not in '{required_python()}'"
        )
        assert "ends with `requires a different Python`" in (ROOT / "docs" / "students" / "guide.md").read_text()
