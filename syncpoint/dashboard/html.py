"""The dashboard's HTML: Jinja2 templates in ``templates/``, which escape every value."""

from typing import Any

import panel as pn
from bokeh.model import Model
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


class Html(pn.pane.HTML):
    """A pane of HTML of which a change sends the text only; Panel would set all properties, with new style sheets."""

    def _update(self, ref: str, model: Model) -> None:
        model.update(**self._process_param_change({"object": self.object}))
