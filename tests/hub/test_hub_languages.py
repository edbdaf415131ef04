"""What students read on the hub's pages: in the language of the roster, else in the one that their browser asks for."""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jupyterhub
import psutil
import pytest
from classroom import ROOT, SmallCourse
from hub import COURSE, PATIENCE, Hub, in_course, logged_in, make_folder, prepare, running_hub, write_hub
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader
from playwright.sync_api import Browser, expect
from tornado.httputil import HTTPHeaders

from deploy.languages import PART, InTheirLanguage, Readers, asked_for, event_in, known, page_in
from deploy.settings import read_hub

LANGUAGES = ("pt_BR", "zh_CN")
OURS = ROOT / "deploy" / "templates"
ATTRIBUTES = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"|type="submit"[^>]*value=\'([^\']*)\'')
SET_BY_SCRIPTS = re.compile(r"""\.text\('([^']+)'\)|"title", \w+ \? "([^"]+)" : "([^"]+)\"""")
LEFT = {"JupyterHub", "Token", "ada", "OK", "0%", "JavaScript"}  # names, and what is the same everywhere


# --- no page of a student's has English left ----------------------------------------------------------------------


def templates() -> Environment:
    """JupyterHub's templates with ours before them, as the hub loads them."""
    (theirs,) = {Path(path) for path in (f"{jupyterhub.__file__}/../../../../../share/jupyterhub/templates",)}
    usual = FileSystemLoader(theirs.resolve())
    loader = ChoiceLoader([PrefixLoader({"templates": usual}, "/"), FileSystemLoader(OURS), usual])
    return Environment(loader=loader, autoescape=True)


def page(name: str, **values: Any) -> str:
    user = SimpleNamespace(name="ada", json_escaped_name="ada", spawner=SimpleNamespace(options_form=None))
    common = {
        "base_url": "/hub/",
        "static_url": lambda path, **_: path,
        "user": user,
        "services": [],
        "parsed_scopes": (),
    }
    authenticator = SimpleNamespace(request_otp=False)
    stopped = SimpleNamespace(active=False)
    usual = {**common, "authenticator": authenticator, "default_server": stopped, "reader_language": ""}
    return templates().get_template(name).render({**usual, **values})


PAGES = {
    "login": lambda: page("login.html", user=None, login_error="Invalid username or password"),
    "logout": lambda: page("logout.html", user=None),
    "starting": lambda: page("spawn_pending.html"),
    "stopping": lambda: page("stop_pending.html"),
    "not running": lambda: page("not_running.html"),
    "restarts": lambda: page("not_running.html", implicit_spawn_seconds=1),
    "failed": lambda: page("not_running.html", failed=True),
    "home": lambda: page("home.html"),
    "home of a running server": lambda: page("home.html", default_server=SimpleNamespace(active=True)),
    "no page": lambda: page("404.html", status_code=404),
    "nothing there": lambda: page(
        "404.html", status_code=404, status_message="No access to resources or resources not found"
    ),
    "forbidden": lambda: page("error.html", status_code=403, status_message="Forbidden"),
    "error": lambda: page("error.html", status_code=500, status_message="Internal Server Error"),
    "unavailable": lambda: page("error.html", status_code=503, status_message="Service Unavailable"),
}


def read_of(text: str) -> Iterator[str]:
    """What people read of a page: between tags, in labels, and what its scripts write."""
    for found in PART.finditer(text):
        part = found[0]
        if part.startswith("<script"):
            yield from (said for groups in SET_BY_SCRIPTS.findall(part) for said in groups if said)
        elif part.startswith("<"):
            yield from (said for groups in ATTRIBUTES.findall(part) for said in groups if said)
        elif not part.startswith("<style"):
            yield " ".join(unescape(part).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_a_student_has_english_left(name: str, language: str):
    english = PAGES[name]()
    said = page_in(english, known()[language])
    words = {one for one in read_of(english) if re.search("[A-Za-z]{2}", one)} - LEFT
    assert words and words & set(read_of(said)) == set()
    assert f'<html lang="{known()[language].tag}"' in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_changes_in_nothing_but_its_words(language: str):
    """Each tag, script and value stays where it is: what somebody has typed is not read as one of our words."""
    english = page("login.html", user=None, username="Home", login_error="")
    said = page_in(english, known()[language])
    assert english != said and 'value="Home"' in said
    for kept in (r"</?\w+", r'(?:name|id|class|href|action)="[^"]*"'):
        assert re.findall(kept, said) == re.findall(kept, english)


def test_what_a_page_is_told_of_a_server_that_starts():
    chinese = known()["zh_CN"]
    event = {"progress": 100, "ready": True, "message": "Server ready at /user/ada/", "url": "/user/ada/"}
    event["html_message"] = 'Server ready at <a href="/user/ada/">/user/ada/</a>'
    said = json.loads(event_in(f"data: {json.dumps(event)}", chinese).removeprefix("data: "))
    assert said["message"] == "服务器已就绪：/user/ada/" and said["url"] == event["url"] and said["ready"] is True
    assert [event_in(line, chinese) for line in ("", "data: {", ": 1", "data: 1")] == ["", "data: {", ": 1", "data: 1"]


# --- whose language -----------------------------------------------------------------------------------------------


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


def sent(readers: Readers, text: str, path: str = "/hub/home", kind: str = "text/html", accepted: str = "zh-CN") -> str:
    """What comes of a page on its way to a browser."""
    request: Any = SimpleNamespace(path=path, headers=HTTPHeaders({"Accept-Language": accepted}))
    headers = HTTPHeaders({"Content-Type": kind, "Content-Length": "1"})
    _, headers, chunk = InTheirLanguage(readers, request).transform_first_chunk(200, headers, text.encode(), True)
    assert kind != "text/html" or headers["Vary"] == "Accept-Language"
    assert headers["Content-Length"] in ("1", str(len(chunk)))
    return chunk.decode()


def of(**languages: str) -> Any:
    return SimpleNamespace(of=lambda name: languages.get(name, ""))


def test_the_roster_goes_before_the_browser():
    assert "Voltar" in sent(of(), page("404.html", status_code=404, reader_language="pt_BR"))
    assert "返回" in sent(of(), page("404.html", status_code=404))
    english = page("404.html", status_code=404, reader_language="en")
    assert sent(of(), english) == english
    event = 'data: {"message": "Server requested"}\n\n'
    path = "/hub/api/users/ada/server/progress"
    assert "Servidor solicitado" in sent(of(ada="pt_BR"), event, path, "text/event-stream")
    assert sent(of(), event, path, "text/event-stream", "fr") == event


def test_what_is_no_page_is_left_alone():
    for kind in ("application/json", "text/css"):
        assert sent(of(), ">Home<", kind=kind) == ">Home<"


# --- a hub --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A hub with two courses; the roster of one gives ada Portuguese, and somebody who is not of the course Chinese."""
    folder = make_folder(tmp_path_factory.mktemp("hub") / "hub")
    course = SmallCourse.make(folder / COURSE)
    path = write_hub(folder)
    made = prepare(path)
    assert made.returncode == 0, made.stderr
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
    page.route("**/progress*", lambda route: None)  # it hears nothing of how far the server is
    page.fill("input[name=username]", "ada")
    page.fill("input[name=password]", hub.password)
    page.get_by_role("button", name="登录", exact=True).click()
    expect(page.get_by_text("Seu servidor está sendo iniciado.")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "pt-BR"
    expect(page.get_by_role("progressbar", name="Início do servidor")).to_have_count(1)
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
    heard: list[str] = []
    with logged_in(browser, hub, "ada") as context:
        answer = context.request.get(f"{hub.url}/hub/api/users/ada/server/progress")
        heard.append(answer.text())
        page = context.new_page()
        for path, words in (("home", "Meu servidor"), ("nowhere", "Voltar à sua página")):
            page.goto(f"{hub.url}/hub/{path}")
            expect(page.get_by_text(words).first).to_be_visible(timeout=PATIENCE)
        assert spoken_by_servers(hub)["ada"] == "pt_BR"
    assert "O servidor está pronto em /user/ada/" in json.loads(heard[0].removeprefix("data: "))["message"]
    with logged_in(browser, hub, "ben") as context:
        page = context.new_page()
        page.goto(f"{hub.url}/hub/home")
        expect(page.get_by_text("My Server").first).to_be_visible(timeout=PATIENCE)
