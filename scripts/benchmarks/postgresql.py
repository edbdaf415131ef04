"""A real PostgreSQL server for tests and benchmarks: in its own folder, behind a Unix socket, temporary."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import create_engine, text

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
# No TCP, and no waiting for the disk: no data here must survive a power failure.
DURABLE = "-c listen_addresses=''"
SETTINGS = f"{DURABLE} -c fsync=off -c synchronous_commit=off -c full_page_writes=off"


def program(name: str) -> str | None:
    """Return the path of a PostgreSQL program: on PATH, or where Debian keeps the servers."""
    return shutil.which(name) or next(
        (str(folder / name) for folder in reversed(PROGRAMS) if (folder / name).exists()), None
    )


MISSING = [name for name in ("initdb", "pg_ctl") if program(name) is None]


class Server:
    """A cluster in ``folder``. Its superuser is "syncpoint", for everybody who can reach the socket."""

    def __init__(self, folder: Path, settings: str = SETTINGS):
        self.folder, self._settings = folder, settings
        # The server refuses to run as root.
        names = {user.pw_name for user in pwd.getpwall()}
        user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def url(self, database: str) -> str:
        """Return a database's address for SQLAlchemy and nbgrader."""
        return f"postgresql+psycopg://syncpoint@/{database}?host={self.folder}"

    @property
    def process(self) -> int:
        """The number of its first process, whose children serve the connections."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    @property
    def variables(self) -> dict[str, str]:
        """Variables with which PostgreSQL's own programs find the server."""
        return {"PGHOST": str(self.folder), "PGUSER": "syncpoint"}

    def create(self, database: str) -> str:
        """Make a database; its address."""
        with create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT").connect() as connection:
            connection.execute(text(f'CREATE DATABASE "{database}"'))
        return self.url(database)

    def make(self) -> None:
        """Write the cluster's files."""
        self._run(
            "initdb",
            "--pgdata",
            "data",
            "--username",
            "syncpoint",
            "--auth",
            "trust",
            "--no-sync",
            "--encoding",
            "UTF8",
        )

    def start(self) -> None:
        """Start the server; returns when it answers."""
        self._run("pg_ctl", "start", "-w", "-D", "data", "-l", "log", "-o", f"{self._settings} -k {self.folder}")

    def kill(self) -> None:
        """Kill the server's first process; the others end with it."""
        first = psutil.Process(self.process)
        processes = [first, *first.children(recursive=True)]
        first.kill()
        psutil.wait_procs(processes)

    def stop(self) -> None:
        """Stop the server at once."""
        self._run("pg_ctl", "stop", "-w", "-D", "data", "-m", "immediate")

    def _run(self, name: str, *arguments: str) -> None:
        # A file, not a pipe: the server inherits it, and would keep a pipe open forever.
        with (self.folder / f"{name}.log").open("w+") as output:
            done = subprocess.run(
                [str(program(name)), *arguments],
                cwd=self.folder,
                env={"LC_ALL": "C"},
                stdout=output,
                stderr=output,
                **self._as,
            )
            output.seek(0)
            assert done.returncode == 0, output.read()


@contextmanager
def running(settings: str = SETTINGS) -> Iterator[Server]:
    """Yield a server that runs during the block."""
    # Not pytest's folder: only root may enter it, and a socket's path has at most 107 characters.
    folder = Path(tempfile.mkdtemp(prefix="spg-", dir="/tmp"))
    server = Server(folder, settings)
    try:
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)
