"""Checks the English that people read: long sentences and paragraphs, British spelling, words that have better ones.

It reads the documentation, the notebooks, all sentences that have translations, the help of commands and settings,
`make help`, and docstrings' first paragraphs.  `scripts/prose.toml` has the patterns and the exceptions.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import nbformat
import typer
from markdown_it import MarkdownIt

from syncpoint.core.texts import TEXTS
from syncpoint.course.folder import Course
from syncpoint.translations.source_messages import catalogues, messages

ROOT = Path(__file__).resolve().parent.parent
RULES = tomllib.loads((ROOT / "scripts" / "prose.toml").read_text(encoding="utf-8"))
TRANSLATION = re.compile(r"\.[a-z]{2}_[A-Z]{2}\.md$")
CODE = re.compile(r"`+[^`]*`+|\{[^{}]*\}")
SENTENCE = re.compile(r"[.!?:;][)\"']*\s+(?=[(\"']*[A-Z\d$])|\s*·\s*")


def paragraphs(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield a page's paragraphs without code, each with its line; table cells are paragraphs as well."""
    for token in MarkdownIt().enable("table").parse(markdown):
        if token.type == "inline" and token.map:
            parts = (child for child in token.children or () if child.type in ("text", "softbreak", "code_inline"))
            # A name in code is a word, whatever it is.
            words = ("X" if child.type == "code_inline" else child.content or " " for child in parts)
            yield token.map[0] + 1, "".join(words)


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text with its place."""
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / name for name in RULES["pages"])]
    for pattern in ("docs/**/*.md", "simgpu/*.md", "simgpu/docs/*.md"):
        pages += sorted(ROOT.glob(pattern))
    for page in pages:
        name = page.relative_to(ROOT).as_posix()
        if not TRANSLATION.search(page.name) and name not in RULES["generated"]:
            yield from ((f"{name}:{line}", text) for line, text in paragraphs(page.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "source").glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown":
                yield from ((f"{path.relative_to(ROOT)}, cell {cell.id}", text) for _, text in paragraphs(cell.source))
    yield from ((f"syncpoint/core/texts.py, {code}", text) for code, text in TEXTS.items())
    course = Course(ROOT)
    for one in (one for name in catalogues(course) for one in messages(course, name)):
        if not one.file.startswith(("docs/", "source/", "syncpoint/core/texts.py")):
            yield one.file, one.text if isinstance(one.text, str) else one.text[-1]
    for number, line in enumerate((ROOT / "Makefile").read_text(encoding="utf-8").splitlines(), 1):
        if found := re.match(r"[a-z-]+:.*## (.*)", line):
            yield f"Makefile:{number}", found[1]
    for folder in ("syncpoint", "simgpu/src", "grader_tests", "source", "deploy", "scripts"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "bank" not in path.relative_to(ROOT).parts:
                yield from ((f"{path.relative_to(ROOT)}, {name}", text) for name, text in _in_code(path.read_bytes()))


def _in_code(source: bytes) -> Iterator[tuple[str, str]]:
    """Yield the first paragraph of each docstring, and each text that is an argument `help`, with a name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
            yield getattr(node, "name", "module"), text.split("\n\n")[0].replace("\n", " ")
        if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
            yield "help", str(node.value.value)


def problems(text: str) -> Iterator[str]:
    """Yield a text's problems, each in a few words."""
    text = CODE.sub("X", text)
    if (count := len(text.split())) > RULES["paragraph_words"]:
        yield f"a paragraph of {count} words"
    for sentence in SENTENCE.split(text):
        if (count := len(sentence.split())) > RULES["sentence_words"]:
            yield f"a sentence of {count} words: {sentence[:60]}..."
    for pattern, instead in RULES["patterns"].items():
        if found := re.search(pattern, text, re.IGNORECASE):
            yield f"{found[0]!r}: {instead}"


def main() -> None:
    """Print a line for each problem in the English that people read, and end with status 1 if there is one."""
    found = [
        f"{place}: {problem}"
        for place, text in texts()
        for problem in problems(text)
        if not any(text.startswith(start) for start in RULES["allowed"])
    ]
    print("\n".join(found) or "The prose is in order.")
    raise typer.Exit(bool(found))


if __name__ == "__main__":
    typer.run(main)
