"""A student's own Jupyter server with the pages of their feedback, as on a hub."""

import io
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bs4 import BeautifulSoup
from classroom import SmallCourse
from dashboard_server import free_port
from exchange import inbound
from requests import Response, Session
from requests.exceptions import ConnectionError

TOKEN = "a-token-of-a-test"
CONFIG = """c = get_config()
c.Exchange.root, c.Exchange.cache = {root!r}, {cache!r}
"""
EXTENSION = '{"ServerApp": {"jpserver_extensions": {"syncpoint.check.feedback_page": true}}}'


@dataclass
class Visitor:
    """Somebody with a browser."""

    url: str  # of the server
    session: Session = field(default_factory=Session)

    def get(self, path: str = "", **options: Any) -> Response:
        """Open a page of feedback."""
        return self.session.get(f"{self.url}/syncpoint/feedback{path}", timeout=60, **options)

    def page(self, path: str = "") -> BeautifulSoup:
        """Return what they see there."""
        answer = self.get(path)
        assert answer.ok, answer.text
        return BeautifulSoup(answer.text, "html.parser")

    def post(self, path: str, exercise: str, question: str, **changed: str) -> Response:
        """Send the form of an exercise, with some fields changed."""
        token = self.session.cookies.get("_xsrf", default="")
        data = {"_xsrf": token, "exercise": exercise, "question": question, **changed}
        address = f"{self.url}/syncpoint/feedback{path}"
        return self.session.post(address, data=data, timeout=60, allow_redirects=False)


@contextmanager
def own_server(course: SmallCourse, student: str, wheel: bytes = b"") -> Iterator[Visitor]:
    """Yield the student, logged in to their server; they have what `nbgrader submit` leaves with them.

    With the release's wheel, the server has only that instead of the package.
    """
    home = course.root.parent / f"home of {student}"
    shutil.rmtree(home, ignore_errors=True)
    cache, config = home / "cache", home / "config"
    (config / "jupyter_server_config.d").mkdir(parents=True)
    if wheel:
        zipfile.ZipFile(io.BytesIO(wheel)).extractall(home)
        (data,) = home.glob("*.data")
        shutil.copytree(data / "data" / "etc" / "jupyter", config, dirs_exist_ok=True)
    else:
        (config / "jupyter_server_config.d" / "feedback.json").write_text(EXTENSION)
    (config / "nbgrader_config.py").write_text(CONFIG.format(root=str(inbound(course).parents[1]), cache=str(cache)))
    for folder in inbound(course).glob(f"{student}+async+*"):
        shutil.copytree(folder, cache / "syncpoint" / folder.name.rsplit("+", 1)[0])
    port = free_port()
    options = [f"--port={port}", f"--IdentityProvider.token={TOKEN}", "--ServerApp.port_retries=0", "--allow-root"]
    options += [f"--ServerApp.base_url=/user/{student}", "--no-browser"]
    environment = {**os.environ, "HOME": str(home), "JUPYTER_CONFIG_DIR": str(config), "PYTHONPATH": str(home)}
    with (home / "log").open("w") as log:
        command = [sys.executable, "-m", "jupyter_server", *options]
        server = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)
    visitor = Visitor(f"http://127.0.0.1:{port}/user/{student}")
    try:
        while True:
            assert server.poll() is None, (home / "log").read_text()
            try:
                visitor.get(f"?token={TOKEN}")
                break
            except ConnectionError:
                time.sleep(0.1)
        yield visitor
    finally:
        server.terminate()
        server.wait(60)
