"""The dashboard's HTML: Jinja2's templates in ``templates/``, which escape all that they are given."""

from typing import Any

from jinja2 import Environment, PackageLoader

TEMPLATES = Environment(
    loader=PackageLoader("syncpoint.dashboard"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)


def render(template: str, **values: Any) -> str:
    """A template, filled with these values, without white space around it."""
    return TEMPLATES.get_template(template).render(values).strip()
