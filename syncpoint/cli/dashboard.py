"""The command that serves the web page for teachers."""

from pathlib import Path
from typing import Annotated

import typer

from ..dashboard.settings import FORMGRADER, PORT
from .options import HERE, InCourse, course_around, in_one_line


def dashboard(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port on 127.0.0.1.")] = PORT,
    unix_socket: Annotated[
        Path | None,
        typer.Option(help="Listen on this Unix socket instead of a port, for JupyterHub or jupyter-server-proxy."),
    ] = None,
    prefix: Annotated[str, typer.Option(help="The path under which a proxy serves the dashboard.")] = "",
    origin: Annotated[
        list[str] | None, typer.Option(help="A proxy's host[:port] as browsers see it; may be given more than once.")
    ] = None,
    passwords: Annotated[
        Path | None, typer.Option(help="Log in with a name and a password from this JSON file instead of a token.")
    ] = None,
    oauth: Annotated[
        str, typer.Option(help="Log in with this OAuth provider, such as github, instead of a token.")
    ] = "",
    allow: Annotated[
        list[str] | None, typer.Option(help="A user who may log in by OAuth; may be given more than once.")
    ] = None,
    formgrader: Annotated[str, typer.Option(help="The address at which your browser opens formgrader.")] = FORMGRADER,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Show pseudonyms instead of students' names; see `syncpoint who`.")
    ] = False,
    browser: Annotated[bool, typer.Option("--open", help="Open the dashboard in the browser.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Serve the dashboard: a web page for teachers about the class, exercises, students and grading."""
    with in_one_line():
        from ..dashboard.serve import run
        from ..dashboard.settings import Address, Login

        address = Address(port, unix_socket, prefix, tuple(origin or ()))
        login = Login(passwords, oauth, frozenset(allow or ()))
        run(course_around(folder), address, login, formgrader, browser, anonymous)
