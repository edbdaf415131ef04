"""A release in another language has no English left except code, names, and titles of English works."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from syncpoint.course.folder import Course
from syncpoint.translations import catalogue, code
from syncpoint.translations.localize import notebook_in
from syncpoint.translations.pictures import drawn_by, modules

COURSE = Course(Path(__file__).resolve().parents[2])
SHIPPED = [(language, name) for language in ("pt_BR", "zh_CN") for name in COURSE.assignments()]
WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}")
SENTENCE = re.compile(r"(?:[A-Za-z][A-Za-z'-]*[ ,]+){4,}[A-Za-z'-]+")
NO_WORDS = re.compile(r"`[^`]*`|\$[^$]*\$|https?://\S+|<[^>]*>|\{[^{}]*\}|\[[^\]]*\]\([^)]*\)|\*[^*]+\*")
START = r"(def|import|from|print|class|with|File) "
CODE = re.compile(rf'^\s*{START}|\n\s*{START}|^MX|<\w+ |\w="|sans-serif|aten::')
LEFT = {
    "front end",  # the name of a lane in a record, which code asks for
    "an error inside the block",  # which a check raises itself
    *("Microsoft YaHei", "PingFang SC", "Noto Sans CJK SC", "Noto Sans CJK JP", "WenQuanYi Micro Hei", "DejaVu Sans"),
    "\nTensor was allocated with stack trace:\n",  # what a tool of PyTorch prints
    "where, sum",  # names of operations
    "y * 2, where, relu",
    "Scala, Java, R, Julia, Perl",
}


def texts(source: str) -> Iterator[str]:
    """All texts and comments of code, but docstrings of modules that nobody reads."""
    source = re.sub(r"^%.*$", "pass", source, flags=re.MULTILINE)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def bare(line: str) -> str:
    """A line of Markdown without code, links, titles and the star of an item."""
    return NO_WORDS.sub("", line.strip().removeprefix("* "))


def is_english(text: str) -> bool:
    """Whether a text that is the same in another language has words that should not be."""
    return bool(WORDS.search(bare(text))) and not CODE.search(text) and text not in LEFT


@pytest.mark.parametrize(("language", "name"), SHIPPED)
def test_the_code_of_a_notebook_has_no_english_words(language: str, name: str):
    left = []
    for path in sorted(COURSE.source(name).folder.glob("*.ipynb")):
        source, other = (nbformat.read(path, as_version=4) for _ in range(2))
        notebook_in(catalogue.translated(COURSE, language, name), path.stem, other)
        for ours, theirs in zip(source.cells, other.cells, strict=True):
            if ours.cell_type == "code":
                same = set(texts(released(ours.source))) & set(texts(released(theirs.source)))
                left += [(ours.id, text) for text in same if is_english(text)]
    assert left == []


@pytest.mark.parametrize(("language", "name"), SHIPPED)
def test_the_text_of_a_notebook_has_no_english_lines(language: str, name: str):
    left = []
    for path in sorted(COURSE.source(name).folder.glob("*.ipynb")):
        source, other = (nbformat.read(path, as_version=4) for _ in range(2))
        notebook_in(catalogue.translated(COURSE, language, name), path.stem, other)
        for ours, theirs in zip(source.cells, other.cells, strict=True):
            if ours.cell_type == "markdown":
                lines = set(released(ours.source).split("\n"))
                for line in re.sub(r"```.*?```", "", released(theirs.source), flags=re.DOTALL).split("\n"):
                    is_same = line in lines and WORDS.search(bare(line))
                    has_english = language == "zh_CN" and SENTENCE.search(bare(line))
                    left += [(ours.id, line)] if is_same or has_english else []
    assert left == []


@pytest.mark.parametrize(("language", "name"), SHIPPED)
def test_the_pictures_have_no_english_words(language: str, name: str):
    left = []
    for module in modules(COURSE, name):
        text = module.read_text(encoding="utf-8")
        output = catalogue.translated(COURSE, language, name).translator(module.name)
        here = without_docstrings(code.translate(text, output, drawn_by(COURSE, module)))
        left += [(module.name, one) for one in without_docstrings(text) & here if is_english(one)]
    assert left == []


def released(source: str) -> str:
    """Return a cell as students get it."""
    return re.sub(r"### BEGIN (SOLUTION|HIDDEN TESTS|MARK SCHEME).*?### END \1", "pass", source, flags=re.DOTALL)


def without_docstrings(source: str) -> set[str]:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


@pytest.mark.parametrize(("text", "left"), [("wait for it", True), ("`wait for it` 等待", False), ("x = wait", False)])
def test_words_are_known_from_code(text: str, left: bool):
    assert is_english(text) == left
