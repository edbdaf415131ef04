"""The site: every link of the docs leads somewhere, its pages can be made, and everybody can read them."""

import ast
import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from unicodedata import east_asian_width
from urllib.parse import urlencode

import pytest
from accessibility import violations_on
from classroom import ROOT
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page

from syncpoint import graders
from syncpoint.core.limits import Limits
from syncpoint.judge.student import Student
from syncpoint.report.misconceptions_page import read_misconceptions

# Not by its folder: names there are those of helpers here, too.
SPEC = importlib.util.spec_from_file_location("site_pages", ROOT / "scripts" / "site_pages.py")
assert SPEC and SPEC.loader
site_pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site_pages)

PAGES = site_pages.pages()
LINK = re.compile(r"\]\(([^()\s]+)\)")
SCHEMES = ("light", "dark")


def anchors(path: Path) -> set[str]:
    """What links may lead to within a page, as GitHub names headings."""
    text = path.read_text(encoding="utf-8")
    tokens = MarkdownIt().parse(text)
    heads = ["".join(part.content for part in tokens[at + 1].children or ()) for at, token in enumerate(tokens)
             if token.type == "heading_open"]  # fmt: skip
    slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
    return slugs | {*re.findall(r'<a id="([\w-]+)">', text)}


@pytest.mark.parametrize("place", [*PAGES, "README.md", "docs/README.zh_CN.md", "docs/README.pt_BR.md"])
def test_every_link_of_a_page_leads_somewhere(place: str):
    text = site_pages.FENCE.sub("", (ROOT / place).read_text(encoding="utf-8"))
    lost = []
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        path, _, part = target.partition("#")
        found = (ROOT / place).parent / path if path else ROOT / place
        if re.match(r"\w+:", target):
            continue
        if not found.exists() or (part and found.suffix == ".md" and part not in anchors(found)):
            lost.append(target)
    assert lost == []


def test_each_picture_has_words_which_are_the_same_wherever_it_stands():
    output: dict[str, set[str]] = {}
    for place in [
        *PAGES,
        "README.md",
        *(str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "site" / "en").rglob("*.md")),
    ]:
        for words, target in re.findall(r"!\[([^\]]*)\]\(([^()\s]+)\)", (ROOT / place).read_text(encoding="utf-8")):
            output.setdefault(Path(target).name, set()).add(words)
    assert {"performance.png", "feedback.png", "dashboard-class.png"} <= {*output}
    assert [name for name, words in output.items() if len(words) != 1 or len(min(words)) < 25] == []


def test_a_link_to_nothing_stops_the_site():
    with pytest.raises(site_pages.BrokenLink, match="nowhere"):
        site_pages.page("[x](nowhere.md)", "docs/SECURITY.md", set(PAGES))


def test_a_link_to_what_is_no_page_becomes_its_name():
    reported = site_pages.page("see [the units](../deploy/systemd/), [it](gallery.md)", "docs/SECURITY.md", set(PAGES))
    assert reported == "see the units (`deploy/systemd`), [it](gallery.md)"


def test_each_page_is_in_a_list_of_contents():
    folder, listed = ROOT / "docs" / "site" / "en", set()
    for path in folder.rglob("*.md"):
        for contents in re.findall(r"```{toctree}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL):
            names = [line for line in contents.splitlines() if line and not line.startswith(":")]
            listed |= {os.path.relpath(path.parent / name, folder) for name in names}
    wanted = {*PAGES, *site_pages.MADE} - {site_pages.HOME}
    assert [name for name in sorted(wanted) if name.removesuffix(".md") not in listed] == []


def test_each_old_address_leads_to_a_page():
    folder = ROOT / "docs" / "site" / "en"
    there = {*PAGES, *site_pages.MADE, *(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))}
    assert [new for new in site_pages.MOVED.values() if f"{new}.md" not in there] == []
    assert [old for old in site_pages.MOVED if f"{old}.md" in there - {site_pages.HOME}] == []


def test_an_old_address_keeps_the_place_in_the_page(tmp_path: Path):
    (tmp_path / "pt_BR" / "docs" / "students").mkdir(parents=True)
    (tmp_path / "pt_BR" / "docs" / "students" / "misconceptions.html").touch()
    site_pages.redirect(tmp_path / "pt_BR")
    text = (tmp_path / "pt_BR" / "docs" / "misconceptions.html").read_text()
    assert 'lang="pt-BR"' in text and '"../docs/students/misconceptions.html" + location.hash' in text
    assert not (tmp_path / "pt_BR" / "docs" / "gates.html").exists()


def test_messages_are_shown_as_they_are():
    assert site_pages._plain("{who:capital} raised `x|y` <b>") == r"\{who:capital\} raised \`x\|y\` \<b\>"


def test_a_book_holds_no_solution(monkeypatch: pytest.MonkeyPatch):
    folders = {site_pages.released(site_pages.Course(ROOT), "torch_async", name) for name in ("en", "zh_CN", "xx")}
    assert {folder.relative_to(ROOT).parts[0] for folder in folders} == {"release"}


@pytest.mark.parametrize("language", ["zh_CN", "pt_BR"])
def test_each_language_says_what_the_pictures_of_misconceptions_are_made_of(language: str):
    english, reported = (site_pages.misconceptions(site_pages.Course(ROOT), name) for name in ("en", language))
    head, english_head = reported.partition("\n(")[0], english.partition("\n(")[0]
    signs = re.findall("`[^`]+`", english_head)
    assert len(signs) == 3 and [sign for sign in signs if sign not in head] == []
    assert not {*head.splitlines()} & {*filter(None, english_head.splitlines())}


def test_a_language_that_has_just_begun_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(site_pages, "languages", lambda course: ["es", "pt_BR"])
    assert site_pages.shown_in(site_pages.Course(ROOT)) == ["en", "pt_BR"]
    output = "es is left out until there is docs/site/es/index.md and docs/students/guide.es.md: "
    output += "see docs/how-to/translate.md"
    assert output in capsys.readouterr().err


def test_what_stands_around_a_page_is_there_in_each_language_of_the_site():
    tree = ast.parse((ROOT / "docs" / "site" / "conf.py").read_text(encoding="utf-8"))
    output = {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("LANGUAGES", "PARTS")}  # fmt: skip
    spoken = {*site_pages.shown_in(site_pages.Course(ROOT))}
    assert spoken == {*output["LANGUAGES"]} == {*output["PARTS"]} >= {"en", "pt_BR", "zh_CN"}


def make(into: Path, *options: str) -> Path:
    command = [sys.executable, ROOT / "scripts" / "site_pages.py", "--into", into, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return into / "html"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smallest language: the pages for students and the book."""
    return make(tmp_path_factory.mktemp("small") / "site", "--language", "pt_BR")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


PARTS = {
    "en": (
        "docs/students/guide.md",
        "docs/students/misconceptions.md",
        "docs/results/accessibility.md",
        "docs/gallery.md",
        "docs/reference/graders.md",
        "docs/reference/messages.md",
    ),
    "zh_CN": ("docs/students/guide.md", "docs/students/misconceptions.md"),
    "pt_BR": ("docs/students/guide.md", "docs/students/misconceptions.md"),
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Some pages of each language, without the book."""
    return {
        language: make(
            tmp_path_factory.mktemp(language) / "site", "--language", language, *(f"--page={name}" for name in names)
        )
        / language
        for language, names in PARTS.items()
    }


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("language", PARTS)
def test_feedback_of_each_language_can_lead_to_each_misconception(parts: dict[str, Path], language: str):
    text = (parts[language] / "docs" / "students" / "misconceptions.html").read_text()
    slugs = read_misconceptions(ROOT / "docs" / "students" / "misconceptions.md")
    assert f'<html lang="{language.replace("_", "-")}"' in text
    assert slugs and [slug for slug in slugs if f'id="{slug}"' not in text] == []


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("language", ["zh_CN", "pt_BR"])
@pytest.mark.parametrize("name", ["docs/students/guide.html", "search.html"])
def test_what_stands_around_a_page_is_in_its_language(parts: dict[str, Path], language: str, name: str):
    """A screen reader reads it with the voice of the page's language."""
    (theme,) = (ROOT / ".venv-site").glob("lib/python*/site-packages/pydata_sphinx_theme/locale/sphinx.pot")
    words = {*re.findall(r'^msgid "(.+)"$', theme.read_text(encoding="utf-8"), re.MULTILINE), "Language"}
    text = re.sub(r' rel="\w+"', "", (parts[language] / name).read_text(encoding="utf-8"))
    assert [word for word in sorted(words) if re.search(rf'[>"]\s*{re.escape(word)}\s*[<"]', text)] == []
    assert "Search the docs" not in text


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("language", ["zh_CN", "pt_BR"])  # in English these pages have neighbors on the whole site
def test_no_navigation_next_to_a_page_is_empty(parts: dict[str, Path], page: Page, language: str):
    for path in sorted((parts[language] / "docs").rglob("*.html")):
        page.goto(path.as_uri())
        beside = page.locator("nav.bd-docs-nav").all()
        assert [path.name for part in beside if part.locator("a").count() == 0] == []


# Of each line of a picture made of letters: its text, and how many columns from the left its last sign stands.
COLUMNS = """pre => {
    const found = [], range = document.createRange(), style = getComputedStyle(pre)
    const ruler = pre.appendChild(document.createElement("span"))
    ruler.textContent = "0".repeat(100)
    const wide = ruler.getBoundingClientRect().width / 100
    ruler.remove()
    const left = pre.getBoundingClientRect().left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft)
    const walk = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT)
    let line = "", last = 0
    while (walk.nextNode())
        for (let at = 0; at < walk.currentNode.data.length; at++) {
            const sign = walk.currentNode.data[at]
            range.setStart(walk.currentNode, at)
            range.setEnd(walk.currentNode, at + 1)
            if (sign !== "\\n") last = (range.getBoundingClientRect().left - left) / wide
            else { found.push([line, last]); line = "" }
            if (sign !== "\\n") line += sign
        }
    return [...found, [line, last]].filter(([line]) => line.trim())
}"""


def has_chinese_font() -> bool:
    found = shutil.which("fc-list") and subprocess.run(["fc-list", ":lang=zh"], capture_output=True, text=True).stdout
    return bool(found)


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("language", PARTS)
def test_the_columns_of_the_pictures_of_misconceptions_meet(parts: dict[str, Path], page: Page, language: str):
    if language.startswith("zh") and not os.environ.get("CI") and not has_chinese_font():
        pytest.skip("no Chinese font (Debian: apt install fonts-noto-cjk)")
    page.goto((parts[language] / "docs" / "students" / "misconceptions.html").as_uri())
    pictures = [picture.evaluate(COLUMNS) for picture in page.locator("article pre").all()]
    assert len(pictures) >= len(read_misconceptions(ROOT / "docs" / "students" / "misconceptions.md"))
    apart = {
        line: at - sum(1 + (east_asian_width(sign) in "WF") for sign in line[:-1])
        for picture in pictures
        for line, at in picture
    }
    assert {line: columns for line, columns in apart.items() if abs(columns) > 0.3} == {}


@pytest.mark.slow
@pytest.mark.site
def test_all_that_a_grader_uses_is_in_the_reference(parts: dict[str, Path]):
    text = (parts["en"] / "docs" / "reference" / "graders.html").read_text()
    output = {name.rpartition(".")[2] for name in re.findall(r'<dt[^>]* id="([\w.]+)"', text)}
    student = {name for name in dir(Student) if not name.startswith("_")} - {*Student.__dataclass_fields__}
    assert student >= {"call", "results_gated", "beside_unrelated_work", "using", "resident_bytes"}
    assert ({*graders.__all__} | student) - output == set()


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize(
    ("language", "query", "name"),
    [
        ("en", "screen reader", "docs/results/accessibility"),
        ("en", "results_gated", "docs/reference/graders"),
        ("pt_BR", "equívocos", "docs/students/misconceptions"),
        ("zh_CN", "误解", "docs/students/misconceptions"),
        ("zh_CN", "核函数", "docs/students/guide"),  # for a dictionary these are two words
        ("zh_CN", "笔记本 nbgrader", "docs/students/guide"),
    ],
)
def test_the_search_finds_words_of_each_language(
    parts: dict[str, Path], page: Page, language: str, query: str, name: str
):
    page.goto(f"{(parts[language] / 'search.html').as_uri()}?{urlencode({'q': query})}")
    page.wait_for_selector("#search-results li a")
    assert any(f"{name}.html" in (link.get_attribute("href") or "") for link in page.locator("#search-results a").all())


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize("language", PARTS)
def test_the_search_finds_nothing_where_nothing_is(parts: dict[str, Path], page: Page, language: str):
    page.goto(f"{(parts[language] / 'search.html').as_uri()}?{urlencode({'q': '并函 zzyzx'})}")
    page.wait_for_function("document.querySelector('#search-results .search-summary')?.innerText")
    assert page.locator("#search-results li").count() == 0


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.axe
def test_an_english_page_keeps_to_wcag_and_fits_a_phone(parts: dict[str, Path], page: Page):
    assert violations_on(page, parts["en"] / "docs" / "results" / "accessibility.html", "accessibility") == []


class Outside(BaseHTTPRequestHandler):
    """Another site, of which one page is there."""

    def do_HEAD(self) -> None:
        self.send_response(200 if self.path == "/there" else 404)
        self.end_headers()

    do_GET = do_HEAD

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.slow
@pytest.mark.site
@pytest.mark.parametrize(("name", "found"), [("there", True), ("gone", False)])
def test_other_sites_are_asked_whether_they_have_what_pages_lead_to(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, found: bool
):
    with ThreadingHTTPServer(("127.0.0.1", 0), Outside) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        folder = tmp_path / "source" / "en"
        folder.mkdir(parents=True)
        (folder / "index.md").write_text(f"# Page\n\n[it](http://127.0.0.1:{server.server_port}/{name})\n")
        with contextlib.nullcontext() if found else pytest.raises(SystemExit, match="not in order"):
            site_pages.build(tmp_path / "source", tmp_path / "outside", builder="linkcheck")
        server.shutdown()
    assert (f"/{name}" in capfd.readouterr().err) != found


def test_each_setting_is_in_the_reference():
    reported = site_pages.settings()
    names = {field.name for field in fields(Limits)}
    for path in (ROOT / "syncpoint").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and ast.unparse(node.value).endswith(".tag(config=True)"):
                names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    assert {"misconceptions_url", "isolation", "memory_mib"} <= names
    assert [name for name in sorted(names) if f".{name}`" not in reported] == []


@pytest.mark.exhaustive
@pytest.mark.site
@pytest.mark.axe
@pytest.mark.parametrize("name", ["index", "book/torch_async/asynchronous", "docs/students/misconceptions"])
def test_a_page_keeps_to_wcag_and_fits_a_phone(small: Path, page: Page, name: str):
    assert violations_on(page, small / "pt_BR" / f"{name}.html", name) == []


@pytest.mark.exhaustive
@pytest.mark.site
def test_the_book_has_pictures_with_words_formulas_and_its_language(small: Path):
    text = (small / "pt_BR" / "book" / "torch_async" / "asynchronous.html").read_text()
    assert '<html lang="pt-BR"' in text
    assert "<math" in text and "NotImplementedError" in text
    pictures = re.findall(r'<img alt="([^"]+)"[^>]*src="data:image/svg', text)
    assert len(pictures) >= 6 and all(len(alt) > 20 for alt in pictures)
    assert any("uma seta de a * b para + 2" in alt for alt in pictures)
    assert not re.search(r"(src|href)=\"https?://[^\"]*\.(js|css)", text)


@pytest.mark.exhaustive
@pytest.mark.site
@pytest.mark.axe
def test_all_pages_of_all_languages_keep_to_wcag(tmp_path: Path, page: Page):
    html = make(tmp_path / "site")
    pages = sorted(path for path in html.glob("*/**/*.html") if "_static" not in path.parts)
    assert len(pages) > 90
    assert [one for path in pages for one in violations_on(page, path, path.name)] == []
