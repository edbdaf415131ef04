"""The files of deploy/: each is what the program that reads it takes, and hub.toml says its mistakes in one line."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from classroom import ROOT
from hub import HUB, write_hub

from deploy.hub import UNIT, WATCH, unit_text
from deploy.settings import HubError, read_hub

DEPLOY = ROOT / "deploy"
CONTAINERS = DEPLOY / "containers"
EXAMPLE = (DEPLOY / "hub.toml").read_text()


# --- hub.toml -----------------------------------------------------------------------------------------------------


def test_the_example_can_be_read():
    hub = read_hub(DEPLOY / "hub.toml")
    assert hub.accounts and hub.people == {"ines", "tom", "ada", "ben"} and hub.origin == "127.0.0.1:8000"


@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        ('graders = ["ines", "tom"]', 'grader = ["ines"]', "courses.autumn-2026.grader"),
        ('students = ["ada", "ben"]', 'students = ["ada", "ines"]', "ines grades the course autumn-2026"),
        ('students = ["ada", "ben"]', 'students = ["-rf"]', "cannot be an account"),
        ('account = "autumn-2026"', 'account = "ada"', "account of the course autumn-2026 and a person"),
        ('exchange = "/srv', 'exchange = "srv', "must begin with /"),
        ("[courses.autumn-2026]", '[courses."a b"]', "cannot be the name of a course"),
        ("admins = []", "admins = [", "cannot be read"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, there: str, instead: str, said: str):
    assert there in EXAMPLE
    (tmp_path / "hub.toml").write_text(EXAMPLE.replace(there, instead))
    with pytest.raises(HubError, match=re.escape(said)):
        read_hub(tmp_path / "hub.toml")


def test_a_mistake_is_one_sentence_of_the_program(tmp_path: Path):
    (tmp_path / "hub.toml").write_text("courses = 3")
    done = subprocess.run([*HUB, "prepare", tmp_path / "hub.toml"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("hub: ") and "Traceback" not in done.stderr


@pytest.mark.hub
def test_prepare_makes_private_what_must_be_private_and_may_be_done_again(tmp_path: Path):
    path = write_hub(tmp_path)
    for _ in range(2):
        done = subprocess.run([*HUB, "prepare", path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    modes = {
        name: oct((tmp_path / name).stat().st_mode & 0o7777) for name in ("syncpoint", "exchange", "state/private")
    }
    assert modes == {"syncpoint": "0o700", "exchange": "0o1777", "state/private": "0o700"}
    settings = (tmp_path / "syncpoint" / "nbgrader_config.py").read_text()
    assert settings.count("c.Exchange.root") == 1


@pytest.mark.hub
def test_a_course_of_another_name_is_refused(tmp_path: Path, released: Any):
    released.copy(tmp_path / "syncpoint")
    path = write_hub(tmp_path)
    path.write_text(path.read_text().replace("[courses.syncpoint]", "[courses.autumn]"))
    done = subprocess.run([*HUB, "prepare", path], capture_output=True, text=True)
    assert done.returncode == 1 and "has the course_id 'syncpoint'" in done.stderr


# --- what other programs read -------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")
@pytest.mark.parametrize("unit", [UNIT, WATCH], ids=lambda unit: unit.name)
def test_systemd_takes_the_unit(tmp_path: Path, unit: Path):
    name = unit.name.replace("@", "@root")
    (tmp_path / name).write_text(unit_text(unit, tmp_path / "hub.toml"))
    done = subprocess.run(["systemd-analyze", "verify", tmp_path / name], capture_output=True, text=True)
    assert name not in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["compose", "helm-values"])
def test_a_file_for_containers_fits_its_schema(name: str):
    schema = json.loads((CONTAINERS / "schema" / f"{name}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load((CONTAINERS / f"{name}.yaml").read_text()), schema)


@pytest.mark.parametrize("name", ["compose", "helm-values"])
def test_a_schema_refuses_a_key_that_is_no_key(name: str):
    schema = json.loads((CONTAINERS / "schema" / f"{name}.json").read_text())
    data = yaml.safe_load((CONTAINERS / f"{name}.yaml").read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "servics": {}}, schema)


def test_the_code_in_the_values_is_python():
    values = yaml.safe_load((CONTAINERS / "helm-values.yaml").read_text())
    for file in values["singleuser"]["extraFiles"].values():
        compile(file["stringData"], "stringData", "exec")


def test_what_is_not_run_says_so():
    assert all("Not run yet" in path.read_text() for path in CONTAINERS.glob("*") if path.is_file())


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
