"""The command that serves the web page for teachers."""

from pathlib import Path
from typing import Annotated

import typer

from ..dashboard.settings import FORMGRADER, PORT
from .options import HERE, InCourse, course_around, in_one_line


def dashboard(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port on 127.0.0.1.")] = PORT,
    unix_socket: Annotated[
        Path | None, typer.Option(help="Listen on this Unix socket instead, for JupyterHub or jupyter-server-proxy.")
    ] = None,
    prefix: Annotated[str, typer.Option(help="The path that a proxy keeps in front of ours.")] = "",
    origin: Annotated[
        list[str] | None, typer.Option(help="A host[:port] of a proxy as browsers see it; may be given often.")
    ] = None,
    passwords: Annotated[
        Path | None, typer.Option(help="Ask for a name and a password of this JSON file, and not for a token.")
    ] = None,
    oauth: Annotated[str, typer.Option(help="Ask this OAuth provider of Panel's, and not for a token.")] = "",
    allow: Annotated[
        list[str] | None, typer.Option(help="Who may come in by OAuth; may be given more than once.")
    ] = None,
    formgrader: Annotated[str, typer.Option(help="Where formgrader answers in your browser.")] = FORMGRADER,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Show students by pseudonyms; `syncpoint who` tells whose one is.")
    ] = False,
    browser: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Show the class, its exercises, its students and the grading as a web page for its teachers."""
    with in_one_line():
        from ..dashboard.serve import run
        from ..dashboard.settings import Address, Login

        address = Address(port, unix_socket, prefix, tuple(origin or ()))
        login = Login(passwords, oauth, frozenset(allow or ()))
        run(course_around(folder), address, login, formgrader, browser, anonymous)
