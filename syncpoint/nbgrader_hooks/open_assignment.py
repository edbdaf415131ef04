"""A page of a student's server: fetches an assignment unless it exists, and opens it in JupyterLab.

Links of learning platforms lead here, see deploy/launches.py.  It is an extension of Jupyter's server, and fetches as
nbgrader's *Assignment List* does.
"""

from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

MANAGER = "assignment_list_manager"  # the name of nbgrader's extension in the server's settings
NAME = r"([A-Za-z0-9_][A-Za-z0-9_.-]*)"


class OpenAssignment(JupyterHandler):
    """Fetches and opens."""

    @authenticated
    def get(self, course: str, assignment: str) -> None:
        """Redirect to the assignment's notebook, or to its folder if it has several, or raise HTTPError."""
        manager = self.settings[MANAGER]
        folder = Path(manager.root_dir, course, assignment)
        if not folder.is_dir() and not manager.fetch_assignment(course, assignment)["success"]:
            raise HTTPError(404, f"{assignment} cannot be fetched: perhaps it is not released yet. Ask your teacher.")
        notebooks = [path.name for path in folder.glob("*.ipynb")]
        place = (course, assignment, *(notebooks if len(notebooks) == 1 else ()))
        self.redirect(url_path_join(self.base_url, "lab", "tree", *place))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    base = server.web_app.settings["base_url"]
    server.web_app.add_handlers(".*$", [(url_path_join(base, "syncpoint", "open", NAME, NAME), OpenAssignment)])
