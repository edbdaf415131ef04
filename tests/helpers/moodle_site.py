"""A real Moodle from its source, on PHP's own web server and a PostgreSQL of the test's own."""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.postgresql import Server, running
from dashboard_server import free_port

SOURCE = os.environ.get("MOODLE", "")
PASSWORD = "Moodle-1-pass"
PHP = ["php", "-d", "max_input_vars=5000", "-d", "memory_limit=512M", "-d", "display_errors=0"]
SCRIPT = Path(__file__).parents[1] / "lms" / "moodle.php"
PATIENCE = 300  # seconds until its first page is there, on a busy machine


@dataclass(frozen=True)
class Moodle:
    """A site that answers."""

    url: str
    code: Path
    database: Server

    def prepare(self, hub: str, course: str) -> dict[str, Any]:
        """Make people, a course, the tool and a link; returns what an administrator would pass on."""
        return json.loads(self.php(str(SCRIPT), str(self.code), hub, course).splitlines()[-1])

    def grades(self, value: str, column: str = "itemmodule") -> dict[str, tuple[float | None, str]]:
        """The marks and comments in Moodle's gradebook, by user name, of the item that has this value in a column."""
        mark = (
            "CASE i.itemtype WHEN 'manual' THEN g.finalgrade ELSE g.rawgrade END"  # the column of the total is manual
        )
        query = (
            f"SELECT u.username, {mark}, g.feedback FROM mdl_grade_grades g JOIN mdl_user u ON u.id = g.userid "
            f"JOIN mdl_grade_items i ON i.id = g.itemid WHERE i.{column} = '{value}'"
        )
        command = ["psql", "-h", str(self.database.folder), "-U", "syncpoint", "-AtF", "\t", "moodle", "-c", query]
        rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        cells = (row.split("\t") for row in rows)
        return {name: (float(grade) if grade else None, text) for name, grade, text in cells}

    @staticmethod
    def php(*arguments: str) -> str:
        done = subprocess.run([*PHP, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout


@contextmanager
def running_moodle(folder: Path) -> Iterator[Moodle]:
    """Install Moodle from $MOODLE into a folder, and serve it."""
    code = folder / "moodle"
    shutil.copytree(SOURCE, code, ignore=_of_another_site, symlinks=True)
    url = f"http://127.0.0.1:{free_port()}"
    with running() as database:
        database.create("moodle")
        install = {
            "lang": "en",
            "wwwroot": url,
            "dataroot": folder / "data",
            "dbtype": "pgsql",
            "dbhost": database.folder,
            "dbname": "moodle",
            "dbuser": "syncpoint",
            "fullname": "School",
            "shortname": "school",
            "adminpass": PASSWORD,
            "adminemail": "admin@school.example",
        }
        options = [f"--{name}={value}" for name, value in install.items()]
        Moodle.php(f"{code}/admin/cli/install.php", *options, "--non-interactive", "--agree-license")
        with serving(url, code, folder / "php.log"):
            yield Moodle(url, code, database)


def _of_another_site(folder: str, names: list[str]) -> set[str]:
    return {".git", "config.php"} if folder == SOURCE else set()  # other folders have a config.php of Moodle's own


@contextmanager
def serving(url: str, code: Path, log: Path) -> Iterator[None]:
    """Serve an installed site while the block runs."""
    environment = {**os.environ, "PHP_CLI_SERVER_WORKERS": "4"}
    command = [*PHP, "-S", url.removeprefix("http://"), "-t", str(code)]
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output, env=environment) as server:
        try:
            ends = time.monotonic() + PATIENCE
            while not _answers(f"{url}/login/index.php"):
                assert server.poll() is None and time.monotonic() < ends, log.read_text()[-3000:]
            yield
        finally:
            server.terminate()


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=60).close()
    except (urllib.error.URLError, OSError):
        time.sleep(0.2)
        return False
    return True
