"""The page that the demo ends with: the class, with what everybody did and their feedback one click away."""

from pathlib import Path

from jinja2 import Environment, PackageLoader

from ..core.atomic_write import write_whole
from .outcome import StudentOutcome


def write_page(path: Path, shown: list[StudentOutcome]) -> None:
    """Write the page; its links are relative to its folder."""
    templates = Environment(
        loader=PackageLoader("syncpoint.demo", "."), autoescape=True, trim_blocks=True, auto_reload=False
    )
    by_assignment: dict[str, list[StudentOutcome]] = {}
    for line in shown:
        by_assignment.setdefault(line.assignment, []).append(line)
    write_whole(path, templates.get_template("page.html").render(classes=by_assignment).encode())
