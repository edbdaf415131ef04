"""Makes the site: the documentation and the released notebooks as web pages, in each language."""

import importlib
import json
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Annotated, Any
from unicodedata import east_asian_width

import nbformat
import typer
from traitlets.config import Configurable

from syncpoint.core.language import SOURCE
from syncpoint.core.texts import PLURALS, TEXTS
from syncpoint.course.folder import Course
from syncpoint.report.misconceptions_page import PICTURES, SECTION, in_columns
from syncpoint.translations.catalogue import languages, translated
from syncpoint.translations.localize import misconceptions_in

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "docs" / "site"
PYTHON = ROOT / ".venv-site" / "bin" / "python"
# Pages outside docs/, at their places in the repository, so that their links stay valid.
PAGES = (
    *("CHANGELOG.md", "scripts/requirements/README.md", "scripts/requirements/mxnet_compat/README.md"),
    *("simgpu/README.md", "simgpu/docs/*.md"),
)
HOME = "docs/index.md"  # the first page of the site
MISCONCEPTIONS = "docs/students/misconceptions.md"
# Former places of pages; their addresses redirect.
MOVED = {
    "docs/index": "index",
    "docs/architecture": "docs/explanation/architecture",
    "docs/gates": "docs/explanation/gates",
    "docs/trust": "docs/explanation/trust",
    "docs/grading": "docs/explanation/architecture",
    "docs/timeline": "docs/reference/observation",
    "docs/engines": "docs/how-to/add-an-engine",
    "docs/terms": "docs/reference/terms",
    "docs/performance": "docs/results/performance",
    "docs/experiments": "docs/results/experiments",
    "docs/accessibility": "docs/results/accessibility",
    "docs/first-class": "docs/tutorials/first-class",
    "docs/instructors": "docs/how-to/write-an-exercise",
    "docs/bank": "docs/how-to/write-an-exercise",
    "docs/operators": "docs/how-to/install",
    "docs/jupyterhub": "docs/how-to/hub",
    "docs/exports": "docs/how-to/collect-and-export",
    "docs/tas": "docs/how-to/grade",
    "docs/dashboard": "docs/how-to/marking",
    "docs/translating": "docs/how-to/translate",
    "docs/students": "docs/students/guide",
    "docs/misconceptions": "docs/students/misconceptions",
    "docs/course": "docs/course/assignments",
    "docs/torch-course": "docs/course/assignments",
    "reference/index": "docs/reference/index",
    "reference/commands": "docs/reference/cli",
    "reference/settings": "docs/reference/configuration",
    "reference/graders": "docs/reference/graders",
    "reference/engine": "docs/reference/engine",
    "reference/simgpu": "docs/reference/simgpu",
    "reference/terms": "docs/reference/glossary",
    "teach": "how-to",
    "write": "how-to",
    "trust": "explanation",
}
REDIRECT = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<title>Syncpoint</title>
<script>location.replace("{target}" + location.hash)</script>
<meta http-equiv="refresh" content="0; url={target}">
<p><a href="{target}">{target}</a></p>
</html>
"""
TRANSLATION = re.compile(r"\.[a-z]{2}_[A-Z]{2}\.md$")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>$', re.MULTILINE)
FENCE = re.compile(r"^( *)(```+).*?^\1\2$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"\w+\.draw_\w+\(\)")


class BrokenLink(Exception):
    """A link of a page leads to nothing."""


# --- pages --------------------------------------------------------------------------------------------------------


def pages() -> dict[str, Path]:
    """Return the English pages by their place in the site, which equals that in the repository."""
    docs = [path for path in sorted((ROOT / "docs").rglob("*.md")) if SITE not in path.parents]
    found = [path for path in docs if not TRANSLATION.search(path.name)]
    found += [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    return {path.relative_to(ROOT).as_posix(): path for path in found}


def page(text: str, place: str, here: set[str], language: str = SOURCE) -> str:
    """Return a page for Sphinx: with its anchors, and links to pages of the site.

    Args:
        text: Markdown as on GitHub.
        place: Its place in the repository.
        here: The places of all pages of this language.
        language: Which one.

    Returns:
        Markdown for MyST.

    Raises:
        BrokenLink: If a link leads to nothing.
    """

    def link(match: re.Match[str]) -> str:
        label, target = match.groups()
        if re.match(r"\w+:", target) or target.startswith("#"):
            return match[0]
        path, _, part = target.partition("#")
        found = (ROOT / place).parent.joinpath(path).resolve()
        if not found.exists():
            raise BrokenLink(f"{place} leads to {target}, and there is no such file.")
        name = found.relative_to(ROOT).as_posix()
        if name in ("README.md", HOME) or TRANSLATION.search(name):  # the home page represents them
            back = "../" * place.count("/")
            return f"[{label}]({back}index.md)"
        if name in here:
            return match[0]
        if name in pages():
            back = "../" * (place.count("/") + 1)
            return f"[{label}](other:{back}{SOURCE}/{name.removesuffix('.md')}.html#{part})"
        return label if name in label or f"`{name}" in label else f"{label} (`{name}`)"

    return _outside_fences(text, lambda prose: ANCHOR.sub(r"(\1)=", LINK.sub(link, prose)))


def _outside_fences(text: str, change: Any) -> str:
    out, last = [], 0
    for fence in FENCE.finditer(text):
        out += [change(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*out, change(text[last:])])


def misconceptions(course: Course, language: str) -> str:
    """Return the page on misconceptions in a language; the part above its sections is translated by hand."""
    own, english = SITE / language / "docs" / "students" / "misconceptions.md", course.misconceptions_page
    head, *_ = SECTION.split((own if own.is_file() else english).read_text(encoding="utf-8"))
    found = misconceptions_in(course, language)
    texts = {one.slug: PICTURES.sub(_picture_of_letters, one.text) for one in found.values()}
    sections = [f"({one.slug})=\n## {one.title}\n\n{texts[one.slug]}\n" for one in found.values()]
    return f"{head.strip()}\n\n" + "\n".join(sections)


def _picture_of_letters(block: re.Match[str]) -> str:
    """Return a text picture unchanged, or as HTML if it has wide letters, which no font draws exactly two wide."""
    if not any(east_asian_width(letter) in "WF" for letter in block[1]):
        return block[0]
    return f'<pre tabindex="0">{in_columns(block[1].rstrip())}</pre>'


# --- the book -----------------------------------------------------------------------------------------------------


def released(course: Course, assignment: str, language: str) -> Path:
    """Return the release folder in a language; in English if the language is missing."""
    release = course.root / "release" / assignment
    other = release / "languages" / language
    return other if other.is_dir() else release


def shown_in(course: Course) -> list[str]:
    """Return the site's languages: English, and those with their own pages; new ones are reported."""
    found = [SOURCE]
    for language in languages(course):
        lacks = [path for path in (SITE / language / "index.md", *_sources(language).values()) if not path.is_file()]
        if lacks:
            names = " and ".join(path.relative_to(ROOT).as_posix() for path in lacks)
            print(f"site: {language} is left out until there is {names}: see docs/how-to/translate.md", file=sys.stderr)
        else:
            found.append(language)
    return found


def book(course: Course, into: Path, spoken: list[str]) -> None:
    """Return the released notebooks in these languages, with pictures that need no engine, and contents."""
    chapters = [
        (language, assignment, released(course, assignment, language))
        for language in spoken
        for assignment in course.assignments()
    ]
    pictures = _draw([folder for *_, folder in chapters])
    for (language, assignment, folder), drawn in zip(chapters, pictures, strict=True):
        place = into / language / "book" / assignment
        place.mkdir(parents=True)
        for path in sorted(folder.glob("*.ipynb")):
            nbformat.write(_illustrated(nbformat.read(path, as_version=4), drawn), place / path.name)
        title = course.graders(assignment).settings().title
        if language != SOURCE:
            title = translated(course, language, assignment).translator("title")(title)
        names = "\n".join(path.stem for path in sorted(folder.glob("*.ipynb")))
        (place / "index.md").write_text(f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n")


def _draw(folders: list[Path]) -> list[dict[str, list[str]]]:
    wanted = [
        {
            "folder": str(folder),
            "statements": sorted({s for path in folder.glob("*.ipynb") for s in _pictures(path)}),
        }
        for folder in folders
    ]
    done = subprocess.run(
        [PYTHON, SITE / "draw.py"], input=json.dumps(wanted), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"site: the pictures could not be drawn:\n{done.stderr}")
    return json.loads(done.stdout)


def _pictures(path: Path) -> list[str]:
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source.strip() for cell in cells if PICTURE.fullmatch(cell.source.strip())]


def _illustrated(notebook: Any, drawn: dict[str, list[str]]) -> Any:
    for cell in notebook.cells:
        pictures = drawn.get(cell.source.strip())
        if pictures and cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": picture}) for picture in pictures]
            cell.metadata["tags"] = ["remove-input"]
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return notebook


# --- the reference ------------------------------------------------------------------------------------------------


def commands() -> str:
    """Return all commands, from the program itself."""
    done = subprocess.run(
        [sys.executable, "-m", "typer", "syncpoint.cli", "utils", "docs", "--name", "syncpoint"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.replace("# `syncpoint`", "# Commands", 1)


def settings() -> str:
    """Return our settings of nbgrader_config.py, from their classes."""
    for path in sorted((ROOT / "syncpoint").rglob("*.py")):
        if "config=True" in path.read_text(encoding="utf-8"):  # a class is registered when its module is imported
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    from syncpoint.course.settings import SECTION, SettingTraits

    classes = {SECTION: SettingTraits, **{kind.__name__: kind for kind in _ours(Configurable)}}
    lines = ["## Settings of `nbgrader_config.py`", "", "Syncpoint adds these settings to nbgrader's own.", ""]
    for name, kind in classes.items():
        own = {trait: value for trait, value in kind.class_traits(config=True).items() if _is_ours(value)}
        if own and not name.startswith("_") and (name == SECTION or not issubclass(kind, SettingTraits)):
            lines += [f"### {name}", "", "| setting | default | meaning |", "|---|---|---|"]
            for trait, value in own.items():
                meaning = escape(" ".join(value.help.split()), quote=False)
                lines += [f"| `c.{name}.{trait}` | `{value.default_value_repr()}` | {meaning} |"]
            lines += [""]
    return "\n".join([*lines, ""])


def _ours(base: type) -> list[type]:
    below = [kind for child in base.__subclasses__() for kind in (child, *_ours(child))]
    return sorted({k for k in below if k.__module__.startswith("syncpoint.")}, key=lambda kind: kind.__name__)


def _is_ours(trait: Any) -> bool:
    return trait.this_class.__module__.startswith("syncpoint.")


def messages() -> str:
    """Return every sentence for people, by its code."""
    lines = ["# Messages", "", "Sentences by their codes, from `syncpoint/core/texts.py`.", ""]
    lines += ["| code | sentence | for one |", "|---|---|---|"]
    for code, text in TEXTS.items():
        lines += [f"| `{code}` | {_plain(text)} | {_plain(PLURALS[code].one) if code in PLURALS else ''} |"]
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    return re.sub(r"([^\w\s.,:;'-])", r"\\\1", " ".join(text.split()))


def glossary() -> str:
    """Return the glossary as a page."""
    rows = (ROOT / "locale" / "glossary.tsv").read_text(encoding="utf-8").splitlines()
    table = [row.split("\t")[:3] for row in rows]
    lines = ["# Glossary", "", "From `locale/glossary.tsv`, which also names the sources.", ""]
    lines += ["| English | 中文 | Português |", "|---|---|---|"]
    lines += [f"| {en} | {zh} | {pt} |" for en, zh, pt in table[1:]]
    return "\n".join([*lines, ""])


MADE = {
    "docs/reference/cli.md": commands,
    "docs/reference/configuration.md": settings,
    "docs/reference/messages.md": messages,
    "docs/reference/glossary.md": glossary,
}


# --- everything ---------------------------------------------------------------------------------------------------


def lay_out(into: Path) -> None:
    """Write everything that Sphinx reads, one folder for each language."""
    course = Course(ROOT)
    spoken = shown_in(course)
    book(course, into, spoken)
    for language in spoken:
        own = {path.relative_to(SITE / language).as_posix() for path in (SITE / language).rglob("*.md")}
        places = {*own, *_sources(language), MISCONCEPTIONS, *(MADE if language == SOURCE else ())} - {HOME}
        _write(into / language, places, language)


def part(into: Path, places: tuple[str, ...], language: str = SOURCE) -> None:
    """Write part of a language's site for Sphinx, so that a changed page can be seen within seconds.

    Args:
        into: As of :func:`lay_out`.
        places: Places of pages, such as ``docs/students/guide.md`` and ``docs/reference/graders.md``.
        language: Which one.
    """
    _write(into / language, {*places}, language)
    names = "\n".join(name.removesuffix(".md") for name in places)
    (into / language / "index.md").write_text(f"# Syncpoint\n\n```{{toctree}}\n{names}\n```\n", encoding="utf-8")


def _write(into: Path, places: set[str], language: str) -> None:
    shutil.copytree(ROOT / "docs" / "images", into / "docs" / "images")
    for name in places:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        (into / name).write_text(_text_of(name, places, language), encoding="utf-8")


def _text_of(name: str, here: set[str], language: str) -> str:
    """Return a page: the repository's text, then the site's, then the generated part."""
    if name == MISCONCEPTIONS and language != SOURCE:
        return misconceptions(Course(ROOT), language)
    found, parts = _sources(language), []
    if name == "index.md" and HOME in found:
        text = page(found[HOME].read_text(encoding="utf-8"), HOME, here, language)
        parts.append(re.sub(r"\]\((?!\w+:|#)", "](docs/", text))
    elif name in found:
        parts.append(page(found[name].read_text(encoding="utf-8"), name, here, language))
    if (added := SITE / language / name).is_file():
        parts.append(added.read_text(encoding="utf-8"))
    if name in MADE:
        parts.append(MADE[name]())
    return "\n\n".join(parts)


def _sources(language: str) -> dict[str, Path]:
    """Return a language's pages in the repository."""
    if language == SOURCE:
        return pages()
    return {"docs/students/guide.md": ROOT / "docs" / "students" / f"guide.{language}.md"}


def build(source: Path, html: Path, only: tuple[str, ...] = (), in_part: bool = False, builder: str = "html") -> None:
    """Let Sphinx make each language's pages; a warning, such as a broken link, is an error.

    With the builder ``linkcheck`` it makes none, and asks each outside address that the pages lead to.
    """
    for folder in sorted(path for path in source.iterdir() if (path / "index.md").is_file()):
        if only and folder.name not in only:
            continue
        command = [PYTHON, "-m", "sphinx", "-b", builder, "-q", "-n", "-W", "--keep-going", "-c", SITE]
        command += ["-d", source / "trees" / folder.name, "-D", f"language={folder.name}", folder, html / folder.name]
        command += ["-t", "reference"] if (folder / "docs" / "reference" / "simgpu.md").is_file() else []
        command += ["-t", "part"] if in_part else []
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"site: the pages of {folder.name} are not in order; the lines above say why.")
        if builder == "html":
            redirect(html / folder.name)
    if builder == "html":
        shutil.copy(SITE / "index.html", html)


def redirect(html: Path) -> None:
    """Redirect old addresses of a language's pages to the new ones, with the place in the page."""
    for old, new in MOVED.items():
        if (html / f"{new}.html").is_file() and not (place := html / f"{old}.html").exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            target = f"{'../' * old.count('/')}{new}.html"
            place.write_text(REDIRECT.format(language=html.name.replace("_", "-"), target=target), encoding="utf-8")


def main(
    into: Annotated[
        Path, typer.Option(help="The folder of the site; its old contents are removed.", file_okay=False)
    ] = (ROOT / "build" / "site"),
    language: Annotated[list[str], typer.Option(help="Only this language; may be given more than once.")] = [],  # noqa: B006
    page: Annotated[
        list[str],
        typer.Option(help="Only this page of one language, such as docs/students/guide.md; may be repeated."),
    ] = [],  # noqa: B006
    outside: Annotated[
        bool, typer.Option("--outside", help="Make no pages, but check the links to other sites. Needs a network.")
    ] = False,
) -> None:
    """Make the site: the documentation and the released notebooks as web pages, in each language."""
    shutil.rmtree(into, ignore_errors=True)
    try:
        part(into / "source", tuple(page), *language) if page else lay_out(into / "source")
    except BrokenLink as error:
        raise SystemExit(f"site: {error}") from None
    if outside:
        build(into / "source", into / "outside", tuple(language), bool(page), "linkcheck")
        return
    build(into / "source", into / "html", tuple(language), bool(page))
    print(into / "html" / "index.html")


if __name__ == "__main__":
    typer.run(main)
