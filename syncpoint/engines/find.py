"""Finds engines, and reads each folder's engine.toml.

Run as a program, for setup/environments.sh, it prints how to make environments.  So it needs nothing but Python itself.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, field, fields
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):  # a student's check may import this module with an older Python, but reads no such file
    import tomllib

DEFAULT = "torch"  # for a course that names none
GROUP = "syncpoint.engines"  # entry points: the engine's name = the package that is its folder
FILE = "engine.toml"
HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE / "setup" / "environments.sh"
COPY = HERE.parent / "shipped"  # in an installed package: made by scripts/build_wheel.py
SHIPPED = COPY if COPY.is_dir() else HERE.parents[1]  # our course and packages; without the copy, those of the clone
OURS = "syncpoint.engines"
KEYS = {"title", "kind", "environment", "variables", "words", "datasets", "release_files", "student_requirements"}
KINDS = ("inside", "process")  # see base.py


class EngineError(Exception):
    """There is no such engine, or its engine.toml is invalid; the message says what to do."""


@dataclass(frozen=True)
class EngineTerms:
    """The names of an engine's objects in feedback."""

    array: str = "an array of the engine"  # what an array is called, with an article
    device: str = "a device"  # what a device is called, with an article
    host_copy: str = "a copy of the values to the host"  # a wait in which values go to the host, at length
    # what an engine error usually means, by the name of its class: feedback does not show its text, which may contain
    # an input of a hidden test
    errors: dict[str, str] = field(default_factory=dict)
    # beginnings of engine errors without an input, so that feedback may show them; "..." stands for parts that vary
    known: tuple[str, ...] = ()
    # names of waits and operations that are words, not function names; for translators
    labels: tuple[str, ...] = ()
    # last parts of the names of calls in which the host waits
    waits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Environment:
    """The settings for creating and checking the engine's Python environment."""

    python: tuple[tuple[int, int], tuple[int, int]]  # the oldest and the newest version, as (3, 9)
    requirements: Path  # the file of pinned, hashed packages
    check: str  # the module that must be importable
    # for the doctor: package -> accepted versions, in pip's syntax
    packages: dict[str, str] = field(default_factory=dict)
    override: str = "ENGINE_PYTHON"  # the environment variable that sets another Python for it
    # the build of PyTorch, as in uv's option of that name; "" for an engine without PyTorch
    torch_backend: str = ""
    # the folder of our own package to install as well, or None; named like `release_files`
    package: Path | None = None


@dataclass(frozen=True)
class Engine:
    """One engine, as its folder describes it."""

    name: str
    folder: Path
    title: str  # for people
    kind: str  # "inside" the student's process, or another "process" that the judge talks to
    environment: Environment
    # of the kernel's environment; ``{home}`` is the home folder inside.
    variables: dict[str, str] = field(default_factory=dict)
    words: EngineTerms = field(default_factory=EngineTerms)
    datasets: Path | None = None  # where the engine keeps data sets that it has downloaded, or None
    module: str = ""  # how Python imports the folder
    # what every release has next to the notebooks: files, and for folders of packages their wheels. Files are in the
    # engine's folder; our packages are next to Syncpoint's course.
    release_files: tuple[Path, ...] = ()
    # the pinned packages that a student installs with these wheels, or None; each release contains this file
    student_requirements: Path | None = None

    def part(self, name: str) -> Path:
        """Return the folder of a part: "inside", next to student code, or "device", the engine's own process."""
        return self.folder / name


def folders() -> dict[str, Path]:
    """Return the available engines by name: the folders next to this file, and those of other packages."""
    return {name: folder for name, (folder, _) in _found().items()}


def _found() -> dict[str, tuple[Path, str]]:
    """The engines by name, each with its folder and its import name."""
    found = {path.parent.name: (path.parent, f"{OURS}.{path.parent.name}") for path in sorted(HERE.glob(f"*/{FILE}"))}
    for point in entry_points(group=GROUP):
        spec = find_spec(point.value)
        for place in (spec.submodule_search_locations or []) if spec else []:
            found.setdefault(point.name, (Path(place), point.value))  # no package replaces one of our engines
    return found


@functools.cache
def find(name: str) -> Engine:
    """Return the engine of that name, or raise EngineError."""
    ours = HERE / name
    if name.isidentifier() and (ours / FILE).is_file():  # searching all installed packages takes a while
        return read(name, ours, f"{OURS}.{name}")
    known = _found()
    if name not in known:
        raise EngineError(f"there is no engine {name!r}: the engines are {', '.join(sorted(known))}.")
    return read(name, *known[name])


def read(name: str, folder: Path, module: str = "") -> Engine:
    """Read the engine.toml in a folder, which Python imports as ``module``. Raises EngineError if it cannot be used."""
    path = folder / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        _only(data, KEYS)
        made = data["environment"]
        _only(made, {field.name for field in fields(Environment)})
        oldest, newest = (tuple(int(part) for part in version.split(".")) for version in made["python"])
        paths = {key: _place(folder, made[key]) for key in ("requirements", "package") if key in made}
        environment = Environment(**{**made, "python": (oldest, newest), "requirements": made["requirements"], **paths})
        kind = data.get("kind", "inside")
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}: it must be one of {', '.join(KINDS)}")
        datasets, student = data.get("datasets"), data.get("student_requirements")
        return Engine(
            name=name,
            folder=folder,
            title=str(data.get("title", name)),
            kind=kind,
            environment=environment,
            variables={key: str(value) for key, value in data.get("variables", {}).items()},
            words=EngineTerms(**data.get("words", {})),
            datasets=None if datasets is None else Path(datasets).expanduser(),
            module=module,
            release_files=tuple(_place(folder, name) for name in data.get("release_files", [])),
            student_requirements=None if student is None else _place(folder, student),
        )
    except (OSError, KeyError, TypeError, ValueError) as problem:
        reason = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
        raise EngineError(f"{path} does not describe an engine: {reason}.") from None


def _place(folder: Path, name: str) -> Path:
    """Return the path of an engine's file, or of one of our packages."""
    own, ours = (folder / name).resolve(), SHIPPED / name
    return ours if not own.exists() and (ours / "pyproject.toml").is_file() else own


def _only(table: dict[str, Any], known: set[str]) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise ValueError(f"unknown setting {', '.join(unknown)} (known: {', '.join(sorted(known))})")


def used_by(course: Path) -> list[str]:
    """The engines that the assignments of a course folder name, or the default one."""
    named = set()
    for path in sorted(course.glob("grader_tests/*/assignment.toml")):
        try:
            named.add(tomllib.loads(path.read_text(encoding="utf-8")).get("engine", DEFAULT))
        except (OSError, ValueError):
            continue  # grading with it reports the problem
    return sorted(named) or [DEFAULT]


def main(names: list[str]) -> None:
    """Print a line for each engine, with fields separated by bars, for setup/environments.sh."""
    for name in names or used_by(Path.cwd()):
        engine = find(name)
        made = engine.environment
        (_, oldest), (_, newest) = made.python
        fields_of_it = (name, made.requirements, oldest, newest, made.check, made.override, engine.title)
        print(*fields_of_it, made.torch_backend, made.package or "", sep="|")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except EngineError as problem:
        sys.exit(str(problem))
