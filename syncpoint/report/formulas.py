"""Formulas as MathML, which browsers show without scripts or network."""

from html import escape, unescape
from typing import Any
from xml.etree import ElementTree

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer

MAX_FORMULA_CHARACTERS = 1000  # characters of one formula
MAX_PAGE_FORMULAS = 1000  # formulas on a page
SPACE = "{http://www.w3.org/1998/Math/MathML}"
# The elements that a formula may contain.  latex2mathml passes the content of \text, \href and \style through.
TAGS = frozenset(
    """math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup
    msubsup munder mover munderover mmultiscripts mtable mtr mtd mlabeledtr""".split()
)
ATTRIBUTES = frozenset(
    """display mathvariant stretchy fence separator form lspace rspace minsize maxsize symmetric largeop movablelimits
    accent accentunder linethickness columnalign rowspacing columnspacing columnlines rowlines notation width height
    depth scriptlevel displaystyle""".split()
)


def mathml(formula: str, block: bool = False) -> str | None:
    r"""Return LaTeX (without dollar signs) as MathML; None if that is not possible. A block has its own line."""
    if len(formula) > MAX_FORMULA_CHARACTERS:
        return None
    try:
        tree = ElementTree.fromstring(convert(formula, display="block" if block else "inline"))
    except Exception:  # the library raises its own error for many formulas, and Python's for the rest
        return None
    for element in tree.iter():
        name = element.tag.removeprefix(SPACE)
        odd = name == "mi" and (element.text or "").startswith("\\")  # an unknown command
        if name not in TAGS or odd or not element.tag.startswith(SPACE):
            return None
        element.tag = name
        element.attrib = {key: value for key, value in element.attrib.items() if key in ATTRIBUTES}
    return ElementTree.tostring(tree, encoding="unicode")


class FormulaRenderer(IPythonRenderer):
    """nbconvert's Markdown with formulas as MathML, else as typed. ``left`` holds how many the page may have."""

    def __init__(self, left: list[int], **more: Any) -> None:
        super().__init__(**more)
        self._left = left

    def block_math(self, body: str) -> str:
        """A formula on a line of its own."""
        return self._shown(body, f"$${body}$$", block=True)

    def inline_math(self, body: str) -> str:
        return self._shown(body, f"${body}$", block=False)

    def latex_environment(self, name: str, body: str) -> str:
        r"""A formula between \begin and \end."""
        whole = rf"\begin{{{name}}}{body}\end{{{name}}}"
        return self._shown(whole, whole, block=True)

    def _shown(self, formula: str, typed: str, block: bool) -> str:
        formula, typed = unescape(formula), unescape(typed)  # the text was cleaned as HTML
        self._left[0] -= 1
        made = mathml(formula, block) if self._left[0] >= 0 else None
        return made or f"<code>{escape(typed)}</code>"
