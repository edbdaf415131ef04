"""The dashboard's HTML: Jinja2 templates in ``templates/``, which escape every value."""

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
    """Return a template filled with these values, without surrounding white space."""
    return TEMPLATES.get_template(template).render(values).strip()
