"""Removes unused parts of a page: nbgrader's pages contain all of Bootstrap, and a span for each comma."""

import re
from functools import cache

import tinycss2

SHEET = re.compile(r"(<style[^>]*>)(.*?)(</style>)", re.DOTALL)
CLASSES = re.compile(r"""\bclass\s*=\s*(?:"([^"]*)"|'([^']*)')""")
SPAN = re.compile(r'<span class="(\w+)">([^<]*)</span>')  # Pygments writes this for each piece of code
NAMED, NOT = re.compile(r"\.(-?[A-Za-z_][\w-]*)"), re.compile(r":not\([^)]*\)")


def without_unused_styles(page: str) -> str:
    """Return a page without unused rules, spans without a style, and embedded fonts."""
    head, end, body = page.partition("</head>")
    used = {name for found in CLASSES.findall(body) for names in found for name in names.split()}
    head = SHEET.sub(lambda sheet: sheet[1] + _used(sheet[2], frozenset(used)) + sheet[3], head)
    styled = set(NAMED.findall(head))
    return head + end + SPAN.sub(lambda span: span[0] if span[1] in styled else span[2], body)


@cache
def _parsed(sheet: str) -> list[tinycss2.ast.Node]:
    return list(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True))


def _used(sheet: str, used: frozenset[str]) -> str:
    return "\n".join(filter(None, (_shortened(rule, used) for rule in _parsed(sheet))))


def _shortened(rule: tinycss2.ast.Node, used: frozenset[str]) -> str:
    """Return a rule for the selectors that may match; "" if none may."""
    if rule.type == "qualified-rule":
        selectors = [
            selector.strip()
            for selector in tinycss2.serialize(rule.prelude).split(",")
            if used.issuperset(NAMED.findall(NOT.sub("", selector)))
        ]
        return f"{','.join(selectors)}{{{tinycss2.serialize(rule.content).strip()}}}" if selectors else ""
    if rule.type == "at-rule" and rule.lower_at_keyword == "font-face":
        return ""
    if rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content is not None:
        inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        rules = "".join(_shortened(one, used) for one in inside)
        return f"@media{tinycss2.serialize(rule.prelude)}{{{rules}}}" if rules else ""
    return str(rule.serialize())
