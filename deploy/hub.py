"""Sets up and runs the hub that hub.toml describes, see docs/how-to/hub.md."""

import io
import json
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from deploy.settings import KERNELS, CourseOfHub, Hub, HubError, read_hub  # noqa: E402
from syncpoint.core.errors import SyncpointError  # noqa: E402
from syncpoint.course.check_wheel import NAME as CHECK  # noqa: E402
from syncpoint.course.check_wheel import check_wheel  # noqa: E402
from syncpoint.course.folder import CONFIG, Course  # noqa: E402
from syncpoint.course.new_course import begin_course  # noqa: E402
from syncpoint.engines.find import find, folders  # noqa: E402

TOOLS = Path(sys.executable).parent
EXAMPLE = ROOT / "deploy" / "hub.toml"
PROXY = ROOT / "deploy" / "node_modules" / ".bin" / "configurable-http-proxy"
UNIT, WATCH = ROOT / "deploy" / "syncpoint-hub.service", ROOT / "deploy" / "syncpoint-watch@.service"
UNITS = Path("/etc/systemd/system")
SYSTEMD = Path("/run/systemd/system")  # exists if systemd is running
FIRST_UID = 1000  # of people; system accounts have smaller numbers
IN_THE_UNIT = ("/opt/syncpoint", "/etc/syncpoint/hub.toml")  # the unit's placeholders for the clone and for hub.toml
EXCHANGE = "\n# The hub's exchange, for assignments, submissions and feedback.\nc.Exchange.root = {!r}\n"
# In a trial the hub's users are not Linux users, so the owner of a file says nothing.
UNOWNED = "c.ExchangeCollect.check_owner = False\n"
TRY = """\
bind = "http://127.0.0.1:{port}"
exchange = "{folder}/exchange"
state = "{folder}/state"
accounts = false

[courses.syncpoint]
folder = "{folder}/course"
account = "grader"
graders = ["ines"]
students = ["ada", "ben"]
"""

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)
HubFile = Annotated[Path, typer.Argument(metavar="HUB.toml", help="The hub's settings; deploy/hub.toml is an example.")]


@contextmanager
def in_one_line() -> Iterator[None]:
    """Print an expected error as one sentence, with exit status 1."""
    try:
        yield
    except (HubError, SyncpointError) as problem:
        print(f"hub: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None


def say(text: str) -> None:
    print(f"hub: {text}", flush=True)


# --- people, folders, courses, kernels: each function creates what is missing and keeps what exists -------------------


def make_accounts(hub: Hub) -> None:
    """Create the Linux users that do not exist yet; none if a directory service has them.

    People get a first password, unless a directory has theirs.
    """
    wanted = sorted({*hub.people, *(c.account for c in hub.courses.values())})
    for name in wanted:
        if name in hub.people and is_user(name) and pwd.getpwnam(name).pw_uid < FIRST_UID:
            raise HubError(f"{name} is a system account and cannot be a person's: use another name.")
    new = [name for name in wanted if not is_user(name)]
    for name in new:
        subprocess.run(["useradd", "--create-home", "--shell", "/bin/bash", "--", name], check=True)
        if name in hub.people and hub.directory is None:
            set_password(hub, name, secrets.token_urlsafe(9))
    people = sum(name in hub.people for name in new)
    if people and hub.directory is not None:
        say(f"{people} new accounts, with the passwords of {hub.directory.server}")
    elif people:
        say(f"{people} new accounts. Their passwords are in {hub.new_passwords}: distribute them, then delete the file")


def set_password(hub: Hub, name: str, password: str) -> None:
    """Give an account its first password, and write it where only root can read it."""
    with os.fdopen(os.open(hub.new_passwords, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a") as file:
        file.write(f"{name},{password}\n")
    subprocess.run(["chpasswd"], input=f"{name}:{password}\n", text=True, check=True)


def is_user(name: str) -> bool:
    """Whether an account exists on this machine."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def make_folders(hub: Hub) -> None:
    """Create the hub's own folder and the exchange, where nobody can remove another user's files."""
    hub.state.mkdir(parents=True, exist_ok=True)
    hub.state.chmod(0o755)
    hub.private.mkdir(exist_ok=True)
    hub.private.chmod(0o700)
    hub.exchange.mkdir(parents=True, exist_ok=True)
    hub.exchange.chmod(0o1777)
    if not hub.accounts and not hub.password_file.exists():
        hub.password_file.touch(0o600)
        hub.password_file.write_text(secrets.token_urlsafe(9) + "\n")


def make_course(hub: Hub, name: str, course: CourseOfHub) -> None:
    """Create the course folder, closed to other accounts, and its part of the exchange."""
    if not (course.folder / CONFIG).exists():
        if course.folder.name != name:
            raise HubError(
                f"a new course is named after its folder: let {course.folder} end in /{name}, or rename the course."
            )
        say(f"created a new course in {course.folder}")
        begin_course(Course(ROOT), course.folder)
    found = Course(course.folder)
    if found.id != name:
        raise HubError(f"the course in {course.folder} has the course_id {found.id!r}: use this name in hub.toml.")
    if found.settings().Exchange.root != str(hub.exchange):
        with (course.folder / CONFIG).open("a", encoding="utf-8") as settings:
            settings.write(EXCHANGE.format(str(hub.exchange)) + ("" if hub.accounts else UNOWNED))
    course.folder.chmod(0o700)
    place = hub.exchange / name
    place.mkdir(exist_ok=True)
    if hub.accounts:
        subprocess.run(["chown", "-hR", f"{course.account}:", "--", course.folder, place], check=True)
    else:
        (hub.state / "homes" / course.account).mkdir(parents=True, exist_ok=True)


def make_kernels(folder: Path, default: str) -> None:
    """Create a kernel for each installed engine, so that student code runs in the Python in which it will be graded.

    The kernel also has the check, which that Python must not have while it grades.

    Args:
        folder: The kernels go into share/jupyter below it, a folder of JUPYTER_PATH.
        default: The engine of new notebooks.
    """
    kernels = folder / KERNELS
    shutil.rmtree(kernels, ignore_errors=True)
    check = kernels / "check"
    with zipfile.ZipFile(io.BytesIO(check_wheel()[1])) as wheel:
        wheel.extractall(check)
    for name in sorted(folders()):
        python = ROOT / f".venv-{name}" / "bin" / "python"
        if python.exists():
            title = find(name).title
            kernel = "python3" if name == default else name
            command = [str(python), "-m", "ipykernel", "install", "--name", kernel, "--display-name", title]
            found = {**os.environ, "JUPYTER_PATH": str(kernels)}  # otherwise ipykernel warns that it will not be found
            subprocess.run([*command, "--prefix", str(folder)], check=True, stdout=subprocess.DEVNULL, env=found)
            path = kernels / "kernels" / kernel / "kernel.json"
            spec = json.loads(path.read_text(encoding="utf-8"))
            spec["argv"].append(f"--IPKernelApp.extra_extensions={CHECK}")
            spec["env"] = {"PYTHONPATH": str(check)}
            path.write_text(json.dumps(spec, indent=1), encoding="utf-8")
    if not (kernels / "kernels" / "python3").is_dir():
        raise HubError(f"notebooks open with .venv-{default}, which is missing: run `bash scripts/setup.sh {default}`.")


def check_readable(hub: Hub) -> None:
    """Check that everybody can run the clone's Python; fails for a Python below /root or a clone in a home folder."""
    pythons = [TOOLS / "python", *sorted(ROOT.glob(".venv-*/bin/python"))]
    for who in sorted({min(hub.people), *(course.account for course in hub.courses.values())}):
        for python in pythons:
            done = subprocess.run(
                ["runuser", "-u", who, "--", python, "-c", "import zmq"], capture_output=True, text=True, cwd="/"
            )
            if done.returncode:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise HubError(
                    f"{who} cannot run {python} ({reason}). It links to {python.resolve()}. Put the clone where "
                    "everybody can read it, such as /opt/syncpoint, and set it up with a Python that everybody can "
                    "run: `make clean`, then `make hub PYTHON=/usr/bin/python3.11 ENGINE_PYTHON=/usr/bin/python3.11`."
                )


def prepared(path: Path) -> Hub:
    """Create everything that hub.toml names.  Raises HubError."""
    hub = read_hub(path)
    if hub.accounts and os.geteuid():
        raise HubError("creating Linux accounts needs root: use sudo. To try the hub without root, run `make hub-try`.")
    if not PROXY.exists():
        raise HubError("JupyterHub's proxy is missing: install it with `bash scripts/setup.sh hub`, which needs npm.")
    make_folders(hub)
    if hub.accounts:
        make_accounts(hub)
        check_readable(hub)
    for name, course in hub.courses.items():
        make_course(hub, name, course)
    make_kernels(hub.state, hub.engine)
    return hub


# --- commands ---------------------------------------------------------------------------------------------------------


@app.command()
def prepare(path: HubFile) -> None:
    """Create what is missing: accounts, exchange, courses, kernels.  Run it again after every change of HUB.toml."""
    with in_one_line():
        prepared(path)


@app.command()
def kernels(
    folder: Annotated[Path, typer.Argument(help="A new folder; JUPYTER_PATH must contain its share/jupyter.")],
    engine: Annotated[str, typer.Option(help="The engine of new notebooks.")] = "torch",
) -> None:
    """Create only the engines' kernels, for a hub of your own."""
    with in_one_line():
        if folder.exists():
            raise HubError(f"{folder} already exists, and its contents would be lost: name a new folder.")
        make_kernels(folder.absolute(), engine)


@app.command()
def run(path: HubFile) -> None:
    """Run the hub in the foreground; stop it with Ctrl-C."""
    with in_one_line():
        hub = read_hub(path)
        start(path, hub)


def start(path: Path, hub: Hub) -> None:
    """Replace this process by JupyterHub."""
    os.chdir(hub.private)
    # A shell that starts this with & ignores SIGINT; the servers would inherit that and never see JupyterHub's signal.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    environment = {**os.environ, "SYNCPOINT_HUB": str(path.absolute())}
    command = [str(TOOLS / "jupyterhub"), "--config", str(ROOT / "deploy" / "jupyterhub_config.py")]
    os.execve(command[0], command, environment)


@app.command()
def up(path: HubFile) -> None:
    """Create what is missing and start the hub, as a systemd service if systemd is running."""
    with in_one_line():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(EXAMPLE, path)
            raise HubError(f"created {path}: enter the graders and students of your courses, then run this again.")
        hub = prepared(path)
        if not SYSTEMD.is_dir():
            start(path.absolute(), hub)
        for unit in (UNIT, WATCH):
            (UNITS / unit.name).write_text(unit_text(unit, path.absolute()))
        for command in (["daemon-reload"], ["enable", UNIT.name], ["restart", UNIT.name]):
            subprocess.run(["systemctl", *command], check=True)
        say(f"running at {hub.bind}; `journalctl -u {UNIT.stem}` shows its log")


def unit_text(unit: Path, path: Path) -> str:
    """Return a systemd unit with the paths of this machine."""
    text = unit.read_text()
    for there, here in zip(IN_THE_UNIT, (ROOT, path), strict=True):
        text = text.replace(there, str(here))
    return text


@app.command(name="try")
def try_it(
    folder: Annotated[Path, typer.Argument(help="The folder for the trial hub; used again if it exists.")] = ROOT
    / "build"
    / "hub",
    port: Annotated[int, typer.Option(help="The hub's port on 127.0.0.1.")] = 8000,
) -> None:
    """Run a hub to try out, without root: a teacher, two students, one assignment.  Its users are not isolated."""
    with in_one_line():
        path, folder = folder.absolute() / "hub.toml", folder.absolute()
        if not path.exists():
            Course(ROOT).copy_to(folder / "course")
            path.write_text(TRY.format(port=port, folder=folder))
        hub = prepared(path)
        hand_out(hub, "syncpoint", "async")
        password = hub.password_file.read_text().strip()
        say(f"open {hub.bind} as ines (teacher), ada or ben (students); everybody's password is {password}")
        start(path, hub)


def hand_out(hub: Hub, name: str, assignment: str) -> None:
    """Make an assignment's release and put it into the exchange, unless it is already there."""
    if (hub.exchange / name / "outbound" / assignment).exists():
        return
    environment = {**os.environ, "PATH": f"{TOOLS}:{os.environ['PATH']}"}
    for command in ("generate_assignment", "release_assignment"):
        subprocess.run(["nbgrader", command, assignment], cwd=hub.courses[name].folder, env=environment, check=True)


if __name__ == "__main__":
    app()
