"""Files that the dashboard hands out: they hold students' work, so with no script, no rights, and only from below."""

from pathlib import Path

from bokeh.server.views.auth_request_handler import AuthRequestHandler
from tornado.web import HTTPError

# A page in a sandbox has no origin: nothing in it could read the dashboard, even if a script got past nbgrader.
POLICY = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
HTML = "text/html; charset=utf-8"


class SandboxedHandler(AuthRequestHandler):
    """What its answers show is only to be looked at, and is kept nowhere."""

    def set_default_headers(self) -> None:
        """Tornado calls this for every answer."""
        self.set_header("Content-Security-Policy", POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")


def found(root: Path, *parts: str) -> Path:
    """Return what lies at this place below a folder.

    Raises:
        HTTPError: 404 if nothing does, or if links or names lead elsewhere.
    """
    try:
        root = root.resolve(strict=True)
        path = root.joinpath(*parts).resolve(strict=True)
    except (OSError, ValueError):  # a name that no file can have
        raise HTTPError(404) from None
    # As text: Path itself would drop what leads nowhere, such as "." and an empty name.
    if str(path) != "/".join([str(root), *parts]):
        raise HTTPError(404)
    return path
