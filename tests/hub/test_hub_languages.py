"""What students read on the hub's pages: in the language of the roster, else in the one that their browser asks for."""

import asyncio
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jupyterhub
import psutil
import pytest
from bs4 import BeautifulSoup
from classroom import ROOT, SmallCourse
from hub import COURSE, PATIENCE, Hub, in_course, logged_in, make_folder, prepare, running_hub, write_hub
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from playwright.sync_api import Browser, expect
from tornado.httputil import HTTPHeaders

from deploy.languages import AsksFor, PageTexts, Readers, asked_for, known, words_for
from deploy.settings import read_hub

LANGUAGES = ("pt_BR", "zh_CN")
OURS = ROOT / "deploy" / "templates"
SAME = {"JupyterHub", "Token", "ada", "OK", "0%"}  # names, and what is the same everywhere
READ = ("aria-label", "title", "alt", "placeholder")  # attributes with words


def templates() -> Environment:
    """JupyterHub's templates with ours before them, as the hub loads them."""
    (theirs,) = {Path(path) for path in (f"{jupyterhub.__file__}/../../../../../share/jupyterhub/templates",)}
    usual = FileSystemLoader(theirs.resolve())
    loader = ChoiceLoader([PrefixLoader({"templates": usual}, "/"), FileSystemLoader(OURS), usual])
    return Environment(loader=loader, autoescape=True)


def page(name: str, language: str, **values: Any) -> str:
    user = SimpleNamespace(name="ada", json_escaped_name="ada", spawner=SimpleNamespace(options_form=None))
    services = [SimpleNamespace(name="JupyterHub", href="/", info={})]
    usual = {
        "base_url": "/hub/",
        "static_url": lambda path, **_: path,
        "user": user,
        "services": services,
        "parsed_scopes": (),
        "default_server": SimpleNamespace(active=False),
        "say": known()[language],
    }
    return templates().get_template(name).render({**usual, **values})


PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "login": ("login.html", {"user": None, "login_error": "Invalid username or password"}),
    "logout": ("logout.html", {"user": None}),
    "starting": ("spawn_pending.html", {}),
    "stopping": ("stop_pending.html", {}),
    "not running": ("not_running.html", {}),
    "restarts": ("not_running.html", {"implicit_spawn_seconds": 1}),
    "failed": ("not_running.html", {"failed": True}),
    "home": ("home.html", {}),
    "home of a running server": ("home.html", {"default_server": SimpleNamespace(active=True)}),
    "no page": ("404.html", {"status_code": 404}),
    "nothing there": (
        "404.html",
        {"status_code": 404, "status_message": "No access to resources or resources not found"},
    ),
    "forbidden": ("error.html", {"status_code": 403, "status_message": "Forbidden"}),
    "error": ("error.html", {"status_code": 500, "status_message": "Internal Server Error"}),
    "unavailable": (
        "error.html",
        {
            "status_code": 503,
            "status_message": "Service Unavailable",
            "message": "Failed to reach your server. Please try again later. Contact admin if the issue persists.",
        },
    ),
}


def read_of(text: str) -> set[str]:
    """What people read of a page: texts, labels and buttons, without what scripts replace before anybody reads it."""
    soup = BeautifulSoup(text, "html.parser")
    for part in soup.select("script, style, #noscript, #error-dialog .btn-close, .modal-title, .ajax-error, head"):
        part.decompose()
    for toggler in soup.select(".navbar-toggler"):
        del toggler["aria-label"]
    words = {*soup.stripped_strings, *(part["value"] for part in soup.select("[type=submit]"))}
    words |= {part[name] for name in READ for part in soup.select(f"[{name}]")}
    return {" ".join(one.split()) for one in words} - SAME


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_a_student_has_english_left(name: str, language: str):
    template, values = PAGES[name]
    english, translated = (page(template, spoken, **values) for spoken in ("en", language))
    words = {one for one in read_of(english) if re.search("[A-Za-z]{2}", one)}
    assert words and words & read_of(translated) == set()
    assert f'documentElement.lang = "{known()[language].tag}"' in translated


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_jupyterhubs_texts_in_english(name: str):
    """What our templates say in English is what JupyterHub's own say: a new version that says more is found here."""
    template, values = PAGES[name]
    theirs = read_of(page(f"templates/{template}", "en", authenticator=SimpleNamespace(request_otp=False), **values))
    ours = " ".join(sorted(read_of(page(template, "en", **values))))
    missing = {one for one in theirs if one not in ours} - {"404 : None", "404 :"}
    assert {
        one for one in missing if not re.fullmatch(r"\d+ : .*|Would you like to .*|Start|My Server|Server.*", one)
    } == set()


def test_what_somebody_typed_is_escaped():
    assert 'value="&lt;b&gt;&#34;"' in page("login.html", "zh_CN", user=None, username='<b>"')


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt_BR"),
        ("pt-PT", "pt_BR"),
        ("en;q=0.5, zh-CN", "zh_CN"),
        ("zh-Hant-TW,zh;q=0.9", "zh_CN"),
        ("en-GB,zh-CN;q=0.9", "en"),
        ("fr,pt;q=0.3", "pt_BR"),
        ("fr", "en"),
        ("*", "en"),
        ("", "en"),
        (";;q=,=,q=1.2.3", "en"),
    ],
)
def test_a_browser_asks_for_a_language(accepted: str, language: str):
    assert asked_for(accepted) == language


def words_of(name: str, accepted: str, **languages: str) -> PageTexts:
    """The words of a page for a person, whose browser asks for languages; "" has not logged in."""
    request: Any = SimpleNamespace(headers=HTTPHeaders({"Accept-Language": accepted}))
    _, headers, _ = AsksFor(request).transform_first_chunk(200, HTTPHeaders({"Content-Type": "text/html"}), b"", True)
    assert headers["Vary"] == "Accept-Language"
    readers: Any = SimpleNamespace(of=lambda name: languages.get(name, ""))
    return words_for(readers, SimpleNamespace(name=name) if name else None)


def test_the_roster_goes_before_the_browser():
    assert words_of("ada", "zh-CN", ada="pt_BR").tag == "pt-BR"
    assert words_of("ada", "zh-CN", ada="en").tag == "en"
    assert words_of("ben", "zh-CN", ada="pt_BR").tag == words_of("", "zh-CN").tag == "zh-CN"
    assert words_of("", "fr").tag == "en"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A hub with two courses; the roster of one gives ada Portuguese, and somebody who is not of the course Chinese."""
    folder = make_folder(tmp_path_factory.mktemp("hub") / "hub")
    course = SmallCourse.make(folder / COURSE)
    path = write_hub(folder)
    prepare(path)
    (course.root / "roster.csv").write_text("id,language\nada,pt_BR\nben,\nines,zh_CN\n")
    for command in (("nbgrader", "generate_assignment", "async"), ("syncpoint", "roster", "roster.csv")):
        done = in_course(course.root, *command)
        assert done.returncode == 0, done.stderr
    with running_hub(path) as running:
        yield running


@pytest.mark.slow
@pytest.mark.hub
def test_the_hub_knows_what_the_rosters_say_of_their_own_students(hub: Hub):
    readers = Readers(read_hub(hub.folder / "hub.toml"))
    assert readers.of("ada") == ""
    asyncio.run(readers.refresh())
    readers.read()  # to its end, however busy the machine is
    assert [readers.of(name) for name in ("ada", "ben", "ines", "olga")] == ["pt_BR", "", "", ""]
    done = in_course(hub.course.root, "sh", "-c", "printf 'id,language\nada,zh_CN\n' > r.csv && syncpoint roster r.csv")
    assert done.returncode == 0, done.stderr
    readers.read()
    assert readers.of("ada") == "zh_CN"
    config = hub.course.root / "nbgrader_config.py"
    text = config.read_text()
    try:
        config.write_text("raise SystemExit(1)")
        readers.read()
        assert readers.of("ada") == "zh_CN"  # what was known
    finally:
        config.write_text(text)
        done = in_course(hub.course.root, "syncpoint", "roster", "roster.csv")
    assert done.returncode == 0, done.stderr


def test_a_class_that_logs_in_at_once_is_looked_up_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    path = write_hub(tmp_path)
    readers, times = Readers(read_hub(path)), []
    monkeypatch.setattr(readers, "_roster", lambda folder, account: times.append(account) or {"ada": "pt_BR"})

    async def log_in() -> None:
        await asyncio.gather(*(readers.refresh() for _ in range(5)))
        await readers.refresh()

    asyncio.run(log_in())
    assert times == ["grader", "grader2"] and readers.of("ada") == "pt_BR" and readers.of("olga") == ""


@pytest.mark.slow
@pytest.mark.hub
def test_a_student_logs_in_and_waits_in_their_language(hub: Hub, browser: Browser):
    context = browser.new_context(locale="zh-CN")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{hub.url}/hub/login")
    for words in ("用户名：", "密码："):
        expect(page.get_by_text(words).first).to_be_visible()
    page.fill("input[name=username]", "ada")
    page.fill("input[name=password]", "wrong")
    page.get_by_role("button", name="登录", exact=True).click()
    expect(page.get_by_text("用户名或密码不正确")).to_be_visible()
    event = 'data: {"progress": 50, "message": "Spawning server..."}\n\n'
    page.route("**/progress*", lambda route: route.fulfill(content_type="text/event-stream", body=event))
    page.fill("input[name=username]", "ada")
    page.fill("input[name=password]", hub.password)
    page.get_by_role("button", name="登录", exact=True).click()
    expect(page.get_by_text("Seu servidor está sendo iniciado.")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "pt-BR"
    expect(page.get_by_role("progressbar", name="Inicialização do servidor")).to_have_count(1)
    expect(page.locator("#progress-message")).to_have_text(known()["pt_BR"]["spawning"])
    context.close()


def spoken_by_servers(hub: Hub) -> dict[str, str]:
    """The language that the environment of each person's server names, in which their kernels are."""
    found = {}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            environment = process.environ()
            if environment.get("SYNCPOINT_EXCHANGE") == f"{hub.folder}/exchange":
                found[environment.get("JUPYTERHUB_USER", "")] = environment.get("SYNCPOINT_LANGUAGE", "")
    return found


@pytest.mark.slow
@pytest.mark.hub
def test_the_pages_behind_the_login_are_in_the_language_of_the_roster(hub: Hub, browser: Browser):
    with logged_in(browser, hub, "ada") as context:
        page = context.new_page()
        for path, words in (("home", "Meu servidor"), ("nowhere", "Voltar à sua página")):
            page.goto(f"{hub.url}/hub/{path}")
            expect(page.get_by_text(words).first).to_be_visible(timeout=PATIENCE)
        assert spoken_by_servers(hub)["ada"] == "pt_BR"
    with logged_in(browser, hub, "ben") as context:
        page = context.new_page()
        page.goto(f"{hub.url}/hub/home")
        expect(page.get_by_text("My Server").first).to_be_visible(timeout=PATIENCE)
