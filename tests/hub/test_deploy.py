"""The files of deploy/: each is what the program that reads it takes, and hub.toml says its mistakes in one line."""

import json
import os
import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
import yaml
from classroom import ROOT
from hub import HUB, prepare, write_hub
from typer.testing import CliRunner

from deploy.hub import UNIT, WATCH, app, unit_text
from deploy.settings import KERNELS, HubError, read_hub
from syncpoint.engines.find import find

DEPLOY = ROOT / "deploy"
CONTAINERS = DEPLOY / "containers"
EXAMPLE = (DEPLOY / "hub.toml").read_text()


def test_the_example_can_be_read():
    hub = read_hub(DEPLOY / "hub.toml")
    assert hub.accounts and hub.people == {"ines", "tom", "ada", "ben"} and hub.origin == "127.0.0.1:8000"


@pytest.mark.parametrize(
    ("there", "instead", "printed"),
    [
        ('graders = ["ines", "tom"]', 'grader = ["ines"]', "courses.autumn-2026.grader"),
        ('students = ["ada", "ben"]', 'students = ["ada", "ines"]', "both a grader and a student of the course"),
        ('students = ["ada", "ben"]', 'students = ["-rf"]', "not a valid Linux account name"),
        ('account = "autumn-2026"', 'account = "ada"', "is both a person and the account of the course autumn-2026"),
        ('exchange = "/srv', 'exchange = "srv', "must be an absolute path"),
        ("[courses.autumn-2026]", '[courses."a b"]', "not a valid course name"),
        ("admins = []", "admins = [", "cannot be read"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, there: str, instead: str, printed: str):
    assert there in EXAMPLE
    (tmp_path / "hub.toml").write_text(EXAMPLE.replace(there, instead))
    with pytest.raises(HubError, match=re.escape(printed)):
        read_hub(tmp_path / "hub.toml")


def test_a_mistake_is_one_sentence_of_the_program(tmp_path: Path):
    (tmp_path / "hub.toml").write_text("courses = 3")
    done = subprocess.run([*HUB, "prepare", tmp_path / "hub.toml"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("hub: ") and "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hub.toml of which everything is made that it names."""
    path = write_hub(tmp_path_factory.mktemp("hub"))
    prepare(path)
    return path


def check_private(path: Path) -> None:
    """Fail unless what must be private is."""
    modes = {
        name: oct((path.parent / name).stat().st_mode & 0o7777) for name in ("syncpoint", "exchange", "state/private")
    }
    assert modes == {"syncpoint": "0o700", "exchange": "0o1777", "state/private": "0o700"}
    settings = (path.parent / "syncpoint" / "nbgrader_config.py").read_text()
    assert settings.count("c.Exchange.root") == 1


@pytest.mark.hub
def test_prepare_makes_private_what_must_be_private(prepared: Path):
    check_private(prepared)


def check_kernels(folder: Path, engines: dict[str, str]) -> None:
    """Fail unless each kernel below a folder is that of its engine, by its title and in its Python."""
    kernels = folder / KERNELS / "kernels"
    about = {one.name: json.loads((one / "kernel.json").read_text()) for one in kernels.iterdir()}
    for kernel, engine in engines.items():
        assert about[kernel]["display_name"] == find(engine).title
        assert Path(about[kernel]["argv"][0]) == ROOT / f".venv-{engine}" / "bin" / "python"


@pytest.mark.hub
def test_each_engine_has_a_kernel_by_its_title_in_its_own_python(prepared: Path):
    check_kernels(prepared.parent / "state", {"python3": "torch", "mxnet": "mxnet"})


def test_the_kernels_come_alone_for_a_hub_of_ones_own_and_take_nothing_away(tmp_path: Path):
    for _ in range(2):
        done = CliRunner().invoke(app, ["kernels", str(tmp_path / "new"), "--engine", "mxnet"])
    check_kernels(tmp_path / "new", {"python3": "mxnet", "torch": "torch"})
    assert done.exit_code == 1 and "already exists" in done.output


@pytest.mark.hub
def test_a_course_of_another_name_is_refused(tmp_path: Path, released: Any):
    released.copy(tmp_path / "syncpoint")
    path = write_hub(tmp_path)
    path.write_text(path.read_text().replace("[courses.syncpoint]", "[courses.autumn]"))
    done = subprocess.run([*HUB, "prepare", path], capture_output=True, text=True)
    assert done.returncode == 1 and "has the course_id 'syncpoint'" in done.stderr


def test_the_first_call_writes_an_example_and_makes_nothing(tmp_path: Path):
    path = tmp_path / "etc" / "hub.toml"
    done = subprocess.run([*HUB, "up", path], capture_output=True, text=True)
    assert done.returncode == 1 and f"created {path}: enter the graders and students of your courses" in done.stderr
    assert path.read_text() == EXAMPLE and list(path.parent.iterdir()) == [path]


@pytest.mark.hub
@pytest.mark.skipif(shutil.which("systemctl") is None, reason="there is no systemctl")
def test_up_may_come_again_writes_units_that_systemd_enables_and_asks_it_to_start_the_hub(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """systemd is not the first process where tests run: its own systemctl enables in a folder, and no more is done."""
    root, asked = tmp_path / "root", tmp_path / "asked"
    units = root / "etc" / "systemd" / "system"
    units.mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    enable = f'case "$1" in enable) exec {shutil.which("systemctl")} --root={root} "$@";; esac'
    (tmp_path / "bin" / "systemctl").write_text(f'#!/bin/sh\necho "$@" >> {asked}\n{enable}\n')
    (tmp_path / "bin" / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setattr("deploy.hub.SYSTEMD", units)
    monkeypatch.setattr("deploy.hub.UNITS", units)
    done = CliRunner().invoke(app, ["up", str(prepared)])
    assert done.exit_code == 0, (done.output, done.exception)
    check_private(prepared)
    assert asked.read_text().split("\n") == ["daemon-reload", f"enable {UNIT.name}", f"restart {UNIT.name}", ""]
    subprocess.run(["systemctl", "enable", "syncpoint-watch@autumn-2026"], check=True)
    links = (units / "multi-user.target.wants").iterdir()
    started = {link.name: (units / link.readlink().name).read_text() for link in links}
    assert started.keys() == {UNIT.name, "syncpoint-watch@autumn-2026.service"}
    assert f"ExecStart={ROOT}/.venv/bin/python {ROOT}/deploy/hub.py run {prepared}\n" in started[UNIT.name]
    watch = started["syncpoint-watch@autumn-2026.service"]
    assert f"\nExecStart={ROOT}/.venv/bin/syncpoint watch --course /srv/syncpoint/courses/%i\n" in watch


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
@pytest.mark.parametrize("unit", [UNIT, WATCH], ids=lambda unit: unit.name)
def test_systemd_takes_the_unit(tmp_path: Path, unit: Path):
    name = unit.name.replace("@", "@root")
    (tmp_path / name).write_text(unit_text(unit, tmp_path / "hub.toml"))
    done = subprocess.run(["systemd-analyze", "verify", tmp_path / name], capture_output=True, text=True)
    assert name not in done.stderr, done.stderr


class OneOfEach(yaml.SafeLoader):
    """YAML in which no key stands twice: the second one would count, without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = sorted({str(key) for key in keys if keys.count(key) > 1})
        if twice:
            raise yaml.constructor.ConstructorError("in a mapping", node.start_mark, f"{twice[0]} stands twice")
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Any:
    return yaml.load(text, OneOfEach)


def test_a_key_that_stands_twice_is_found():
    with pytest.raises(yaml.constructor.ConstructorError, match="image stands twice"):
        read_yaml("hub:\n  image: a\n  tag: b\n  image: c\n")


@pytest.mark.parametrize("name", ["compose", "helm-values"])
def test_a_file_for_containers_fits_its_schema(name: str):
    schema = json.loads((CONTAINERS / "schema" / f"{name}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(read_yaml((CONTAINERS / f"{name}.yaml").read_text()), schema)


@pytest.mark.parametrize("name", ["compose", "helm-values"])
def test_a_schema_refuses_a_key_that_is_no_key(name: str):
    schema = json.loads((CONTAINERS / "schema" / f"{name}.json").read_text())
    data = yaml.safe_load((CONTAINERS / f"{name}.yaml").read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "servics": {}}, schema)


def mounts() -> list[Any]:
    """What the service of compose.yaml mounts."""
    return read_yaml((CONTAINERS / "compose.yaml").read_text())["services"]["hub"]["volumes"]


def test_what_the_hub_keeps_lies_in_volumes_and_hub_toml_is_a_file():
    stored = mounts()
    hub = read_hub(DEPLOY / "hub.toml")
    volumes = {Path(one.split(":")[1]) for one in stored if isinstance(one, str)}
    for folder in (hub.exchange, hub.state, Path("/home"), *(course.folder for course in hub.courses.values())):
        assert volumes & {folder, *folder.parents}, folder
    (mounted,) = [one for one in stored if isinstance(one, dict)]
    assert mounted["bind"] == {"create_host_path": False}  # else Docker makes a folder where there is no hub.toml


def test_what_compose_publishes_is_where_the_hub_listens_in_the_container(tmp_path: Path):
    """By the command that stands at the head of the file: as the example has it, the hub would answer nobody."""
    text = (CONTAINERS / "compose.yaml").read_text()
    (command,) = re.findall(r"^# +(sed .*)$", text, re.MULTILINE)
    (tmp_path / "deploy" / "containers").mkdir(parents=True)
    shutil.copy(DEPLOY / "hub.toml", tmp_path / "deploy")
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    made, example = read_hub(tmp_path / "deploy" / "containers" / "hub.toml"), read_hub(DEPLOY / "hub.toml")
    (published,) = read_yaml(text)["services"]["hub"]["ports"]
    assert published == f"{made.origin}:{urlsplit(made.bind).port}" and urlsplit(made.bind).hostname == "0.0.0.0"
    assert made.model_copy(update={"bind": example.bind, "host": example.host}) == example


def test_a_container_of_a_student_has_the_kernels_of_the_container_file():
    env = read_yaml((CONTAINERS / "helm-values.yaml").read_text())["singleuser"]["extraEnv"]
    (folder,) = re.findall(r"deploy/hub.py kernels (\S+)$", (CONTAINERS / "Containerfile").read_text(), re.MULTILINE)
    assert Path(env["JUPYTER_PATH"]) == Path(folder, KERNELS)


def test_the_container_file_runs_what_there_is():
    """Read here, and run by nobody: each line is an instruction, and what it names is in the clone."""
    text = (CONTAINERS / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    assert [name for name, _ in lines] == ["FROM", "RUN", "WORKDIR", "COPY", "RUN", "EXPOSE", "CMD"]
    (python,) = re.findall(r"^FROM python:3\.(\d+)-slim-bookworm$", text, re.MULTILINE)
    assert 11 <= int(python) <= 13  # as scripts/setup.sh wants it
    packages = dict(lines)["RUN"], lines[1][1]
    assert {"bubblewrap", "libgomp1", "make", "nodejs", "npm"} <= set(packages[1].split())
    made = [step.split() for step in packages[0].split("&&")]
    assert made[:2] == [["make", "setup"], ["bash", "scripts/setup.sh", "hub"]]
    assert "\nsetup:" in (ROOT / "Makefile").read_text()
    assert dict(lines)["WORKDIR"] == "/opt/syncpoint"
    command = json.loads(dict(lines)["CMD"])
    names = [one.name or one.callback.__name__ for one in app.registered_commands]
    for program, script, name, *_ in (made[2], command):
        assert program == ".venv/bin/python" and (ROOT / script).is_file() and name in names
    (there,) = [one["target"] for one in mounts() if isinstance(one, dict)]
    assert command[3] == there


def test_no_image_gets_what_students_and_grading_have_left():
    ignored = {
        line.removesuffix("/*").strip("/") for line in (ROOT / ".gitignore").read_text().splitlines() if line[:1] != "!"
    }
    left_out = (CONTAINERS / "Containerfile.dockerignore").read_text().splitlines()
    students = {line for line in ignored if line.startswith(("gradebook", "*.", "submitted", "autograded", "feedback"))}
    covered = [line for line in students if any(fnmatch(line, pattern) for pattern in left_out)]
    assert sorted(students - set(covered)) == ["*.egg-info", "*.py[cod]"]


def test_the_code_in_the_values_is_python():
    values = yaml.safe_load((CONTAINERS / "helm-values.yaml").read_text())
    for file in values["singleuser"]["extraFiles"].values():
        compile(file["stringData"], "stringData", "exec")


def test_the_proxy_is_pinned_and_names_no_registry():
    lock = json.loads((DEPLOY / "package-lock.json").read_text())
    wanted = json.loads((DEPLOY / "package.json").read_text())["dependencies"]
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert lock["packages"][""]["dependencies"] == wanted
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert all("resolved" not in package for package in packages.values())


def test_every_file_of_jupyters_is_json():
    for path in DEPLOY.glob("*/*/*.json"):
        json.loads(path.read_text())


@pytest.mark.skipif(os.geteuid() == 0, reason="is about who is not root")
def test_accounts_need_root(tmp_path: Path):
    (tmp_path / "hub.toml").write_text(EXAMPLE)
    done = subprocess.run([*HUB, "prepare", tmp_path / "hub.toml"], capture_output=True, text=True)
    assert done.returncode == 1 and "make hub-try" in done.stderr
