"""systemd's units: systemd itself finds nothing wrong with them, and they start what there is."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from classroom import BIN, ROOT
from how_to import section

from syncpoint.cli import app

FOLDER = ROOT / "deploy" / "systemd"
UNITS = [*sorted(FOLDER.glob("syncpoint-*")), ROOT / "deploy" / "syncpoint-watch@.service"]
JUDGE = ("grade", "watch")  # commands that run student code
VERIFY = shutil.which("systemd-analyze")
CLONE, COURSE = "/opt/syncpoint", "autumn-2026"


def complaints(folder: Path, unit: Path, text: str = "") -> str:
    """What systemd says of a unit as it would stand on this machine for one course."""
    for other in UNITS:  # a timer names its service
        written = text if text and other == unit else other.read_text()
        here = written.replace(f"{CLONE}/.venv/bin", str(BIN)).replace(f"{CLONE}/deploy", f"{ROOT}/deploy")
        (folder / other.name.replace("@.", f"@{COURSE}.")).write_text(here)
    path = folder / unit.name.replace("@.", f"@{COURSE}.")
    done = subprocess.run([str(VERIFY), "verify", "--man=no", path], capture_output=True, text=True)
    return "\n".join(line for line in done.stderr.splitlines() if "syncpoint" in line)


needs_systemd = pytest.mark.skipif(VERIFY is None, reason="systemd-analyze is not installed")


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_understands_every_line(unit: Path, tmp_path: Path):
    assert complaints(tmp_path, unit) == ""


@needs_systemd
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("NoNewPrivileges=", "NoNewPrivilege="), ("/bin/syncpoint dashboard", "/bin/syncpoin dashboard")],
)
def test_systemd_does_find_a_wrong_line(tmp_path: Path, right: str, wrong: str):
    unit = FOLDER / "syncpoint-dashboard@.service"
    assert complaints(tmp_path, unit, unit.read_text().replace(right, wrong)) != ""


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda path: path.name)
def test_a_service_starts_a_command_that_there_is_as_the_courses_own_user(unit: Path):
    text = unit.read_text()
    (started,) = re.findall(r"^ExecStart=(\S+) (\S+)", text, re.MULTILINE)
    if started[0].endswith("/syncpoint"):
        assert started[1] in [command.name or command.callback.__name__ for command in app.registered_commands]
    else:
        assert (ROOT / Path(started[0]).relative_to(CLONE)).stat().st_mode & 0o111
    assert "\nUser=%i\n" in text and "\nUMask=0077\n" in text


@pytest.mark.parametrize("command", JUDGE)
def test_a_grading_service_gives_each_sandbox_a_control_group_and_cannot_change_its_user(command: str):
    (text,) = [unit.read_text() for unit in UNITS if f"/bin/syncpoint {command} " in unit.read_text()]
    assert "\nDelegate=yes\n" in text and "\nNoNewPrivileges=yes\n" in text and "PrivateTmp=yes" not in text


def test_every_timer_has_its_service_and_the_page_names_all_units():
    names = {unit.name for unit in UNITS}
    assert {name.replace(".timer", ".service") for name in names if name.endswith(".timer")} <= names
    reported = section("install.md", "Run it as services")
    assert {name for name in names if name.split("@")[0] not in reported} == set()
