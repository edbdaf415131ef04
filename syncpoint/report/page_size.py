"""Makes a page small: a class's disk holds one for each notebook of each student.

What has no effect on a page's look is removed, and a style that repeats is written once.  A page still needs no other
file.
"""

import re
from collections import Counter
from dataclasses import replace

from .page_styles import NAMED, PART, Look, Used, looks_of_words, used_rules

SHEET = re.compile(r"(<style[^>]*>)(.*?)(</style>)", re.DOTALL)
TAG = re.compile(r"""<([a-zA-Z]\w*)(?:[^<>"']|"[^"]*"|'[^']*')*>""")
# A student writes titles and pictures: what looks like an attribute inside another one's value is none.
BEFORE = r"""\A(?P<before><(?:[^"']|"[^"]*"|'[^']*')*?)\s"""
CLASS = re.compile(BEFORE + r"""class=(?:"([^"]*)"|'([^']*)'|([\w-]+))""")
STYLE = re.compile(BEFORE + r'style="(?P<style>[^"]*)"')
SPAN = re.compile(r'<span class="(\w+)">([^<]*)</span>')  # Pygments writes this for each word of code
BEFORE_CODE = re.compile(r"<pre><span></span>(?!\n)")  # Pygments writes it for code that begins with an empty line
NEIGHBOURS = re.compile(r'<span class="(\w+)">[^<]*</span>(?:\s*<span class="\1">[^<]*</span>)+')
BETWEEN = re.compile(r"</span>(\s*)<span[^>]*>")
ANCHOR = re.compile(r'<a class="anchor-link"[^>]*>¶</a>')
HIDDEN = re.compile(r"(?:^|\})\s*\.anchor-link\s*\{\s*display:\s*none")
# A student's text may have a style: nothing in it can leave the braces of a rule.
HARMLESS = re.compile(r"[\w\s#%.,:;-]+")
ADDED = frozenset("html body form label textarea button nav details summary".split())  # Jupyter's server adds a form
PLAIN = re.compile(r"[A-Za-z][\w-]*")  # needs no quotes
KEPT = frozenset(("tex2jax_ignore", "mathjax_ignore"))  # other programs know these classes
BARE = {"b": "font-weight:normal;", "u": "text-decoration:none;"}  # short elements, without their own look
OURS = "y{}"  # the class for a style that repeats


def small(page: str) -> str:
    """Return a page that looks the same, with fewer bytes."""
    head, end, body = page.partition("</head>")
    sheet = "\n".join(found[2] for found in SHEET.finditer(head))
    looks = looks_of_words(sheet)
    body, usual = _as_words(_fewer_spans(body, looks, set(NAMED.findall(sheet))), looks)
    body = ANCHOR.sub("", body) if HIDDEN.search(sheet) else body
    tags = [(found[1].lower(), found[0]) for found in TAG.finditer(body)]
    used = Used(
        frozenset(name for _, tag in tags for name in _classes(tag)),
        ADDED | {element for element, _ in tags},
        animated=False,
    )
    still = _with_used_rules(head, used)
    moves = "animation" in still + body
    head = _with_used_rules(head, replace(used, animated=True)) if moves else still
    styles = _repeated([tag for _, tag in tags])
    sheets = [found[2] for found in SHEET.finditer(head + body)]
    styled = used.classes if any(map(PART.search, sheets)) else KEPT.union(*map(NAMED.findall, sheets))
    body = TAG.sub(lambda found: _shorter(found[0], styled, styles), body)
    # With the id of an element that is not there, such a rule is stronger than those for classes, as a style is.
    rules = usual + "".join(f".{name}:not(#_){{{style}}}" for style, name in styles.items())
    return head + (f"<style>{rules}</style>" if rules else "") + end + body


def _with_used_rules(head: str, used: Used) -> str:
    return SHEET.sub(lambda found: found[1] + used_rules(found[2], used) + found[3], head)


def _fewer_spans(body: str, looks: dict[str, Look], styled: set[str]) -> str:
    """Return a body without spans that show nothing, and with one span for neighbours that look the same."""

    def shown(span: re.Match[str]) -> str:
        name, text = span[1], span[2]
        if name not in styled or (name in looks and not text.strip()):
            return text
        return f'<span class="{looks[name].name if name in looks else name}">{text}</span>'

    def together(spans: re.Match[str]) -> str:
        return BETWEEN.sub(r"\1", spans[0]) if spans[1] in looks else spans[0]

    return NEIGHBOURS.sub(together, SPAN.sub(shown, BEFORE_CODE.sub("<pre>", body)))


def _as_words(body: str, looks: dict[str, Look]) -> tuple[str, str]:
    """Return a body with a short element for each colored word of code, and the rules for those without a class."""
    count = Counter(word[1] for word in SPAN.finditer(body))
    often = [name for name, _ in count.most_common() if name in looks]
    # The other words are <i class=...>, so what is for every <i> must not set a font.
    usual = next((name for name in often if "font-" not in looks[name].declared), "")
    rest = zip((name for name in often if name != usual), BARE, strict=False)
    elements = {usual: "i"} | dict(rest)

    def short(word: re.Match[str]) -> str:
        name, text = word.groups()
        if name not in looks:
            return word[0]
        element = elements.get(name, "i")
        return f"<{element}{'' if name in elements else f' class={name}'}>{text}</{element}>"

    bare = {name: BARE.get(element, "") + looks[name].declared for name, element in elements.items() if name}
    return SPAN.sub(short, body), "".join(f".highlight {elements[name]}{{{rule}}}" for name, rule in bare.items())


def _classes(tag: str) -> list[str]:
    found = CLASS.match(tag)
    return next(filter(None, found.groups()[1:]), "").split() if found else []


def _repeated(tags: list[str]) -> dict[str, str]:
    """Return the name of a class for each style that several elements have."""
    found = (style["style"] for tag in tags if (style := STYLE.match(tag)))
    count = Counter(filter(HARMLESS.fullmatch, found))
    repeated = [style for style, times in count.items() if times > 1]
    return {style: OURS.format(number) for number, style in enumerate(repeated)}


def _shorter(tag: str, styled: frozenset[str], styles: dict[str, str]) -> str:
    """Return an element's first tag without classes that have no rule, and with a class for a style that repeats."""
    if "class=" not in tag and "style=" not in tag:
        return tag
    names = [name for name in _classes(tag) if name in styled]
    style = STYLE.match(tag)
    if style and style["style"] in styles:
        tag = STYLE.sub(r"\g<before>", tag)
        names.append(styles[style["style"]])
    tag = CLASS.sub(r"\g<before>", tag)
    element, rest = re.match(r"(<\w+)(.*)", tag, re.DOTALL).groups()  # type: ignore[union-attr]
    said = names[0] if len(names) == 1 and PLAIN.fullmatch(names[0]) else f'"{" ".join(names)}"'
    return f"{element} class={said}{rest}" if names else tag
