"""Removes unused rules of a page's style sheets: nbgrader's pages contain all of Bootstrap."""

import re
from dataclasses import dataclass
from functools import cache

import tinycss2

NAMED, NOT = re.compile(r"\.(-?[A-Za-z_][\w-]*)"), re.compile(r":not\([^)]*\)")
NO_ELEMENT = re.compile(r"\[[^\]]*\]|::?[\w-]+(?:\([^)]*\))?|[.#][\w-]+")
ELEMENT = re.compile(r"[A-Za-z][\w-]*")
PART = re.compile(r"""\[class[*^$|~]?=["']?([\w-]+)""")  # of a class's name
PREFIX = re.compile(r"-(?:webkit|moz|ms|o)-")
CODE = re.compile(r"\.highlight \.(\w+)")  # Pygments has such a rule for each kind of word
COLORS = re.compile(r"(?:(?:color|font-weight|font-style):[^;]*;?)+")


@dataclass(frozen=True)
class Used:
    """What a page has: the names of its classes and elements, and whether anything moves."""

    classes: frozenset[str]
    elements: frozenset[str]
    animated: bool


def used_rules(sheet: str, used: Used) -> str:
    """Return a style sheet's rules that may match, without embedded fonts."""
    return "\n".join(filter(None, (_shortened(rule, used) for rule in _parsed(sheet))))


@dataclass(frozen=True)
class Look:
    """The look of a word of code: its declarations, and the first class with them."""

    name: str
    declared: str


def looks_of_words(sheet: str) -> dict[str, Look]:
    """Return the look of each class of words in code that sets a color, and nothing else except its font."""
    looks: dict[str, str] = {}
    other: set[str] = set()  # classes with further rules
    for rule in _parsed(sheet):
        for selector in _selectors(rule) if rule.type == "qualified-rule" else ():
            found, look = CODE.fullmatch(selector), _declarations(rule)
            if found and found[1] not in looks and COLORS.fullmatch(look) and "color:" in look:
                looks[found[1]] = look
            elif found:
                other.add(found[1])
            else:
                other |= set(NAMED.findall(selector))
    first: dict[str, str] = {}
    return {name: Look(first.setdefault(look, name), look) for name, look in looks.items() if name not in other}


@cache
def _parsed(sheet: str) -> list[tinycss2.ast.Node]:
    return list(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True))


def _selectors(rule: tinycss2.ast.Node) -> list[str]:
    return [selector.strip() for selector in tinycss2.serialize(rule.prelude).split(",")]


def _shortened(rule: tinycss2.ast.Node, used: Used) -> str:
    """Return a rule for the selectors that may match; "" if none may."""
    if rule.type == "qualified-rule":
        selectors = [selector for selector in _selectors(rule) if _may_match(selector, used)]
        return f"{','.join(selectors)}{{{_declarations(rule)}}}" if selectors else ""
    keyword = rule.lower_at_keyword if rule.type == "at-rule" else ""
    if keyword == "font-face" or keyword.startswith("-ms-") or (keyword.endswith("keyframes") and not used.animated):
        return ""
    if keyword == "media" and rule.content is not None:
        inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        rules = "".join(_shortened(one, used) for one in inside)
        return f"@media{tinycss2.serialize(rule.prelude)}{{{rules}}}" if rules else ""
    return str(rule.serialize())


def _may_match(selector: str, used: Used) -> bool:
    elements = {name.lower() for name in ELEMENT.findall(NO_ELEMENT.sub(" ", selector))}
    return (
        used.classes.issuperset(NAMED.findall(NOT.sub("", selector)))
        and used.elements.issuperset(elements)
        and all(any(part in name for name in used.classes) for part in PART.findall(selector))
    )


def _declarations(rule: tinycss2.ast.Node) -> str:
    """Return what a rule declares, without a browser's own name for a property that is also there by its usual one."""
    declared = [
        (one.name, tinycss2.serialize(one.value).strip() + "!important" * one.important)
        for one in tinycss2.parse_declaration_list(rule.content, skip_comments=True, skip_whitespace=True)
        if one.type == "declaration"
    ]
    usual = {name for name, _ in declared}
    return ";".join(
        f"{name}:{value}" for name, value in declared if PREFIX.sub("", name, count=1) not in usual - {name}
    )
