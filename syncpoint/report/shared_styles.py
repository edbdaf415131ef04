"""Writes the styles of a notebook's reports once: a class's disk holds reports of each exercise of each student.

A style has one class in all notebooks, because a page may show the reports of several.
"""

import re
from collections.abc import Sequence

from .row import AMBER, GREEN, RED, STYLE

COLORED = [f"{STYLE[name]};background:{color}" for name in ("points", "mark") for color in (GREEN, AMBER, RED)]
STYLES = *STYLE.values(), *COLORED, "min-width:0"
NAMES = {style: f"z{number}" for number, style in enumerate(dict.fromkeys(STYLES))}
# Reports escape all texts and values, so only an element's own attributes look like this.
TAG = re.compile(r'(?P<element><\w+)(?P<attributes>(?:\s[\w-]+="[^"<>]*")*)(?P<end>\s*/?>)')
ATTRIBUTE = re.compile(r'\s([\w-]+)="([^"]*)"')


def share_styles(reports: Sequence[str]) -> list[str]:
    """Return reports that look the same if they are shown together: the first one has the rules of all."""
    used: dict[str, str] = {}

    def short(tag: re.Match[str]) -> str:
        attributes = dict(ATTRIBUTE.findall(tag["attributes"]))
        name = NAMES.get(attributes.get("style", ""))
        if name is None:
            return tag[0]
        used[name] = attributes.pop("style")
        classes = f'"{attributes.pop("class")} {name}"' if "class" in attributes else name
        others = "".join(f' {key}="{value}"' for key, value in attributes.items())
        return f"{tag['element']} class={classes}{others}{tag['end']}"

    first, *others = [TAG.sub(short, report) for report in reports] or [""]
    # With the id of an element that is not there, a rule is stronger than a page's rules for classes, as a style is.
    rules = "".join(f".{name}:not(#_){{{style}}}" for name, style in used.items())
    return [f"<style>{rules}</style>{first}" if rules else first, *others][: len(reports)]
