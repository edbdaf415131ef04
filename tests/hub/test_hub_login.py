"""Who gets in and how many: a real directory, accounts from a roster, a full hub, limits of memory and of idle time."""

import asyncio
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import requests
from classroom import ROOT, SmallCourse
from directory import NO_SLAPD, PEOPLE, SLAPD, Directory, running
from hub import COURSE, Hub, prepare, running_hub, write_hub
from traitlets.config import Config, PyFileConfigLoader

from deploy.settings import HubError, read_hub
from scripts.benchmarks.hub import Hub as BenchmarkedHub
from scripts.benchmarks.hub import Student
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course

PASSWORDS = {"ada": "a password", "ben": "another", "mallory": "known to the directory only"}
PATIENCE = 120  # seconds
MEBIBYTES = 700
TAKE_TOO_MUCH = f"import numpy\nnumpy.ones({2 * MEBIBYTES} * 2**20, dtype=numpy.uint8).sum()"


@pytest.fixture(scope="module")
def directory() -> Iterator[Directory]:
    if SLAPD is None:
        pytest.fail(NO_SLAPD) if os.environ.get("CI", "").lower() in ("true", "1") else pytest.skip(NO_SLAPD)
    with running(PASSWORDS) as server:
        yield server


def configured(path: Path) -> Config:
    """JupyterHub's settings for a hub.toml."""
    os.environ["SYNCPOINT_HUB"] = str(path)
    try:
        return PyFileConfigLoader("jupyterhub_config.py", path=str(ROOT / "deploy")).load_config()
    finally:
        del os.environ["SYNCPOINT_HUB"]


def with_directory(folder: Path, server: str, ca: Path | None = None) -> Path:
    """A hub.toml whose people are in a directory."""
    path = write_hub(folder)
    lines = [f'server = "{server}"', f'user = "{PEOPLE}"', *([f'ca = "{ca}"'] if ca else [])]
    path.write_text("\n".join([path.read_text(), "[directory]", *lines, ""]))
    hub = read_hub(path)
    hub.private.mkdir(parents=True)
    hub.password_file.write_text("unused\n")
    return path


def logged_in(path: Path, name: str, password: str) -> str | None:
    """The name under which JupyterHub lets somebody in, with the settings of a hub.toml; None if it does not."""
    from ldapauthenticator import LDAPAuthenticator

    config = configured(path)
    assert config.JupyterHub.authenticator_class == "ldap"
    del config.Authenticator["post_auth_hook"]
    login = LDAPAuthenticator(config=config)
    found = asyncio.run(login.get_authenticated_user(SimpleNamespace(), {"username": name, "password": password}))
    return found["name"] if found else None


@pytest.mark.parametrize("how", ["secure", "plain"])
def test_the_directory_decides_with_its_passwords_over_tls(directory: Directory, tmp_path: Path, how: str):
    path = with_directory(tmp_path, getattr(directory, how), directory.ca)
    assert logged_in(path, "ada", PASSWORDS["ada"]) == "ada"
    assert logged_in(path, "ada", PASSWORDS["ben"]) is None
    assert logged_in(path, "ada", "") is None  # a directory takes an empty password for a bind of nobody
    assert logged_in(path, "tom", "anything") is None  # in hub.toml, and not in the directory
    assert logged_in(path, "ada,ou=people", PASSWORDS["ada"]) is None


def test_who_is_not_in_hub_toml_does_not_get_in_with_a_password_of_the_directory(directory: Directory, tmp_path: Path):
    path = with_directory(tmp_path, directory.secure, directory.ca)
    assert logged_in(path, "mallory", PASSWORDS["mallory"]) is None


@pytest.mark.parametrize("how", ["secure", "plain"])
def test_no_password_is_sent_to_a_server_that_cannot_show_who_it_is(directory: Directory, tmp_path: Path, how: str):
    from ldap3.core.exceptions import LDAPException

    path = with_directory(tmp_path, getattr(directory, how))  # the system's certificates do not vouch for it
    with pytest.raises(LDAPException, match="certificate"):
        logged_in(path, "ada", PASSWORDS["ada"])


@pytest.mark.parametrize(
    ("directory_table", "printed"),
    [
        ('server = "http://x"\nuser = "uid={username}"', "is not the address of a directory"),
        ('server = "ldaps://x"\nuser = "uid=ada"', "must name a person in the directory"),
        ('server = "ldaps://x"', "directory.user"),
    ],
)
def test_a_mistake_in_the_directory_is_named(tmp_path: Path, directory_table: str, printed: str):
    path = write_hub(tmp_path)
    path.write_text(f"{path.read_text()}\n[directory]\n{directory_table}\n")
    with pytest.raises(HubError, match=re.escape(printed)):
        read_hub(path)


def with_roster(folder: Path, text: str) -> Path:
    (folder / "roster.csv").write_text(text)
    path = write_hub(folder)
    path.write_text(path.read_text().replace("students = [", f'roster = "{folder}/roster.csv"\nstudents = [', 1))
    return path


def test_students_come_from_the_roster_and_from_the_list(tmp_path: Path):
    path = with_roster(tmp_path, "id,first name,last name\nzoe,Zoe,Z\nyan,Yan,Y\n")
    assert read_hub(path).courses[COURSE].students == ("ada", "ben", "zoe", "yan")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("id,email\nzoe,z@x.example\nBig Name,b@x.example\n", "line 3: 'Big Name' is not a valid Linux account name"),
        ("id,email\nines,i@x.example\n", "both a grader and a student"),
        ("nothing\n", "roster.csv"),
    ],
)
def test_a_mistake_in_the_roster_is_named(tmp_path: Path, text: str, printed: str):
    with pytest.raises(HubError, match=re.escape(printed)):
        read_hub(with_roster(tmp_path, text))


MAKE = """\
import pwd, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from deploy.hub import make_accounts, make_folders
from deploy.settings import HubError, read_hub
hub = read_hub(Path({path!r}))
make_folders(hub)
make_accounts(hub)
make_accounts(hub)
print(sum(user.pw_uid >= 1000 and Path(user.pw_dir).is_dir() for user in map(pwd.getpwnam, hub.people)))
"""
IN_A_COPY = """\
set -e
for folder in etc home; do
    mkdir -p {place}/$folder
    if [ $folder = etc ]; then cp -a /etc/. {place}/etc; fi
    mount --bind {place}/$folder /$folder
done
{python} {script}
{python} -c "print(open('/etc/shadow').read())" > {place}/shadow.txt
"""


def may_unshare() -> bool:
    return os.getuid() == 0 and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not may_unshare(), reason="accounts of Linux need root, and a mount namespace of the test's own")
@pytest.mark.sample(1)
@pytest.mark.parametrize("students", [5, 300])
def test_accounts_are_made_from_the_roster_once_with_passwords_that_only_root_can_read(students: int, tmp_path: Path):
    """In a copy of /etc, in a mount namespace of its own: this machine gets no account."""
    people = [f"student{number:03}" for number in range(students)]
    path = with_roster(tmp_path, "\n".join(["id", *people, ""]))
    path.write_text(path.read_text().replace("accounts = false", "accounts = true"))
    (tmp_path / "make.py").write_text(MAKE.format(root=str(ROOT), path=str(path)))
    script = IN_A_COPY.format(place=tmp_path / "copy", python=sys.executable, script=tmp_path / "make.py")
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "bash", "-c", script], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    everybody = len(read_hub(path).people)
    assert done.stdout.splitlines()[-1] == str(everybody) and everybody > students
    assert done.stdout.count("new accounts. Their passwords are in") == 1
    written = tmp_path / "state" / "private" / "new-passwords.csv"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    passwords = dict(line.split(",") for line in written.read_text().splitlines())
    assert passwords.keys() == read_hub(path).people and len(set(passwords.values())) == everybody
    shadow = dict(line.split(":")[:2] for line in (tmp_path / "copy" / "shadow.txt").read_text().splitlines() if line)
    assert all(shadow[name].startswith("$") for name in people)
    assert shadow["grader"].startswith("!")  # nobody logs in as a course


@pytest.mark.skipif(not may_unshare(), reason="accounts of Linux need root")
def test_an_account_of_the_system_is_no_student(tmp_path: Path):
    path = with_roster(tmp_path, "id\nroot\n")
    path.write_text(path.read_text().replace("accounts = false", "accounts = true"))
    (tmp_path / "make.py").write_text(MAKE.format(root=str(ROOT), path=str(path)))
    script = IN_A_COPY.format(place=tmp_path / "copy", python=sys.executable, script=tmp_path / "make.py")
    done = subprocess.run(["unshare", "--mount", "bash", "-c", script], capture_output=True, text=True)
    assert done.returncode and "root is a system account and cannot be a person's" in done.stderr


@pytest.fixture(scope="module")
def small_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A hub with room for one server, little memory for each process, and servers that end after seconds."""
    folder = tmp_path_factory.mktemp("small") / "hub"
    folder.mkdir()
    SmallCourse.make(folder / COURSE)
    path = write_hub(folder)
    limits = f'servers = 1\nmemory_mib = {MEBIBYTES}\nidle_minutes = 0.5\nengine = "mxnet"\n'
    path.write_text(limits + path.read_text())
    prepare(path)
    with running_hub(path) as hub:
        yield hub


def student(hub: Hub, name: str) -> Student:
    running = BenchmarkedHub(hub.url, hub.password, psutil.Process(hub.pid))
    return Student(running, name, "async", Course(hub.course.root))


def log_in(hub: Hub, name: str) -> tuple[requests.Session, requests.Response]:
    """Log in with a password, and return the answer to it, which starts a server if there is room."""
    session, login = requests.Session(), f"{hub.url}/hub/login"
    session.get(login)
    form = {"username": name, "password": hub.password, "_xsrf": session.cookies.get("_xsrf", path="/hub/")}
    return session, session.post(login, data=form, headers={"Accept-Language": "en"})


@pytest.mark.hub
@pytest.mark.slow
def test_a_full_hub_says_so_and_a_notebook_that_takes_too_much_goes_on(small_hub: Hub):
    ada = student(small_hub, "ada")
    assert ada.step("log in"), ada.failed

    # Another student cannot start a server, and reads why.
    _, answer = log_in(small_hub, "ben")
    assert answer.status_code == 429
    assert "The hub is full, so your server cannot start yet. Your work is safe." in answer.text
    assert "Active user limit" not in answer.text

    # More memory than a process may have is an error in the notebook, and its kernel goes on.
    channel = ada.kernel("python3")
    with pytest.raises(CommandFailed, match="MemoryError"):
        ada._execute(channel, TAKE_TOO_MUCH)
    ada._execute(channel, "assert 1 + 1 == 2")
    channel.close()


@pytest.mark.exhaustive  # three minutes
@pytest.mark.hub
def test_an_idle_server_ends_and_makes_room(small_hub: Hub):
    ada = student(small_hub, "ada")
    assert ada.step("log in"), ada.failed
    ada.kernel("python3").close()
    ben = log_in(small_hub, "ben")[0]

    # Half a minute later the kernel ends, then the server; then there is room for Ben.
    ends = time.monotonic() + 4 * PATIENCE
    while ada.hub.servers():
        assert time.monotonic() < ends
        time.sleep(0.5)
    while (answer := ben.get(f"{small_hub.url}/hub/spawn/ben")).status_code == 429:
        assert time.monotonic() < ends  # the hub looks every 30 s who is still there
        time.sleep(0.5)
    assert answer.ok, answer.text
