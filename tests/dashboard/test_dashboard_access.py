"""Access to the dashboard: without the token, no request of any kind shows a name."""

import asyncio
import http.client
import json
import socket
import stat
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from classroom import BIN
from dashboard_server import TOKEN, dashboard, free_port
from generated_class import Size, generate
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.web import Application, HTTPError, RequestHandler, create_signed_value
from tornado.websocket import websocket_connect

from syncpoint.course.folder import Course
from syncpoint.dashboard.access import AllowedOnly, _without_token
from syncpoint.dashboard.settings import DashboardError, Login, read_passwords
from syncpoint.records.gradebook import open_gradebook

STUDENT = "ada"  # whose feedback lies in the course
WORK = "what Ada wrote"
ENDPOINTS = [
    "/",
    "/?view=students",
    "/?token=wrong",
    "/autoload.js?bokeh-autoload-element=1",
    "/metadata",
    "/ws",
    "/login?next=/?view=students",
    "/favicon.ico",
    "/static/js/bokeh.min.js",
    "/static/extensions/panel/panel.min.js",
    "/static/../gradebook.db",
    "/static/%2e%2e/gradebook.db",
    "/rest/session_info",
    "/admin",
    f"/feedback/{STUDENT}/async/work",
    "/feedback/../../gradebook.db",
    "/similarity/async/",
    "/similarity/async/index.html",
    "/gradebook.db",
]


class Visitor:
    """A browser without scripts: it follows redirects and keeps cookies."""

    def __init__(self, home: str):
        self.home, self.cookies = home, CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str, **form: str) -> SimpleNamespace:
        """Return the response of an address: status, url, text, headers; with a form, to a POST."""
        data = urllib.parse.urlencode(form).encode() if form else None
        try:
            reply = self._opener.open(self.home + path, data, timeout=120)
        except urllib.error.HTTPError as problem:
            reply = problem
        with reply:
            return SimpleNamespace(
                status=reply.status, url=reply.url, text=reply.read().decode("utf-8", "replace"), headers=reply.headers
            )


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = generate(tmp_path_factory.mktemp("private") / "course", Size(20, exercises=2, tests=2))
    page = root / "feedback" / STUDENT / "async" / "work.html"
    page.parent.mkdir(parents=True)
    page.write_text(f"<p>{WORK}</p><script>document.title = 'ran'</script>")
    (root / "feedback" / "secret.html").write_text(WORK)
    report = root / ".syncpoint" / "similarity" / "async" / "report"
    (report / "tool").mkdir(parents=True)
    (report / "tool" / "a pair&.csv").write_text(WORK)
    (report / "index.html").write_text(f"<p>{WORK}</p><script>document.title = 'ran'</script>")
    (report / "way out").symlink_to(root / "feedback")
    (report / "way.html").symlink_to(root / "feedback" / "secret.html")
    (report.parent / "files").mkdir()
    (report.parent / "files" / "ada.py").write_text(WORK)
    (report.parent.parent / "linked").symlink_to(report.parent)
    return root


@pytest.fixture(scope="module")
def server(course: Path) -> Iterator[tuple[str, int]]:
    """The address of a running dashboard, and its process."""
    port = free_port()
    with dashboard(course, "--port", str(port)) as process:
        yield f"http://127.0.0.1:{port}", process.pid


@pytest.fixture
def stranger(server: tuple[str, int]) -> Visitor:
    return Visitor(server[0])


@pytest.fixture
def teacher(server: tuple[str, int]) -> Visitor:
    visitor = Visitor(server[0])
    assert visitor.get(f"/?token={TOKEN}").status == 200
    return visitor


@pytest.fixture(scope="module")
def private(course: Path) -> list[str]:
    """The texts that no stranger may read: ids, names, and students' answers."""
    with open_gradebook(Course(course)) as gradebook:
        people = [(student.id, f"{student.first_name} {student.last_name}") for student in gradebook.students]
    return [WORK, "SQLite format", *(text for person in people for text in person)]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_nobody_without_the_token_reads_a_name(stranger: Visitor, private: list[str], endpoint: str):
    seen = stranger.get(endpoint)
    assert [text for text in private if text in seen.text] == []


def test_nobody_without_the_token_gets_a_websocket(server: tuple[str, int]):
    session = generate_jwt_token(generate_session_id())
    request = HTTPRequest(
        server[0].replace("http", "ws") + "/ws",
        headers={"Origin": server[0], "Sec-WebSocket-Protocol": f"bokeh, {session}"},
        request_timeout=60,
    )
    with pytest.raises(HTTPClientError, match="403"):
        asyncio.run(_connect(request))


async def _connect(request: HTTPRequest) -> None:
    await websocket_connect(request)


def test_the_dashboard_listens_on_this_machine_only(server: tuple[str, int]):
    listening = [c.laddr.ip for c in psutil.Process(server[1]).net_connections() if c.status == psutil.CONN_LISTEN]
    assert listening == ["127.0.0.1"]


def test_the_token_opens_the_page_and_leaves_the_address(teacher: Visitor):
    assert urllib.parse.urlsplit(teacher.get(f"/?view=health&token={TOKEN}").url).query == "view=health"
    assert "Syncpoint: syncpoint" in teacher.get("/").text


def test_the_token_can_be_typed(stranger: Visitor):
    assert stranger.get("/login", token="wrong").status == 401
    assert "Syncpoint: syncpoint" in stranger.get("/login", token=TOKEN, next="/?view=health").text


def test_a_wrong_token_says_so(stranger: Visitor):
    seen = stranger.get("/?token=wrong")
    assert (seen.status, "has been restarted" in seen.text) == (401, True)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(teacher: Visitor):
    (cookie,) = teacher.cookies
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert cookie.get_nonstandard_attr("SameSite") == "Lax"


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example"])
def test_the_login_sends_nobody_to_another_site(stranger: Visitor, target: str):
    seen = stranger.get("/login", token=TOKEN, next=target)
    assert seen.url == f"{stranger.home}/"


def test_what_follows_the_token_stays_in_the_address():
    assert _without_token("/?search=a%26b&token=x&view=health") == ("/?search=a%26b&view=health", "x")


def test_feedback_is_shown_without_scripts_and_rights(teacher: Visitor):
    seen = teacher.get(f"/feedback/{STUDENT}/async/work")
    assert WORK in seen.text
    policy = seen.headers["Content-Security-Policy"]
    assert policy.startswith("sandbox") and "allow-scripts" not in policy and "default-src 'none'" in policy


@pytest.mark.parametrize(
    "path",
    [
        "../feedback/secret",
        "x/%2e%2e%2f%2e%2e/secret",
        "%2e%2e/feedback/secret",
        "x/../secret",
        "a%00b/x/y",
        f"{'a' * 5000}/x/y",
    ],
)
def test_no_address_leads_out_of_the_feedback(teacher: Visitor, path: str):
    assert teacher.get(f"/feedback/{path}").status == 404


def test_the_report_on_who_wrote_alike_is_listed_and_shown_without_scripts(teacher: Visitor):
    listed = teacher.get("/similarity/async/")
    assert 'href="tool/a%20pair%26.csv">tool/a pair&amp;.csv<' in listed.text and "way" not in listed.text
    types = {"index.html": "text/html; charset=utf-8", "tool/a%20pair%26.csv": "text/plain; charset=utf-8"}
    for name, kind in types.items():
        seen = teacher.get(f"/similarity/async/{name}")
        assert (seen.status, seen.headers["Content-Type"], seen.headers["X-Content-Type-Options"]) == (
            200, kind, "nosniff",
        )  # fmt: skip
        assert WORK in seen.text
        policy = seen.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox") and "allow-scripts" not in policy and "default-src 'none'" in policy


@pytest.mark.parametrize(
    "path",
    [
        "async/../files/ada.py",
        "async/%2e%2e/files/ada.py",
        "async/..%2ffiles%2fada.py",
        "async/%2fetc%2fpasswd",
        "async//etc/passwd",
        "async/way%20out/secret.html",
        "async/way.html",
        "async/tool",
        "async/tool/",
        "async/./index.html",
        "linked/",
        "linked/index.html",
        "%2e%2e/index.html",
        "async%2ffiles/ada.py",
        "none/",
        "async/a%00b",
        f"async/{'a' * 5000}",
    ],
)
def test_no_address_leads_out_of_the_report(teacher: Visitor, path: str):
    assert teacher.get(f"/similarity/{path}").status == 404


PREFIX = "/user/ada/dashboard"


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket, as a proxy speaks it."""

    def __init__(self, path: Path):
        super().__init__("hub.example", timeout=120)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


@pytest.fixture(scope="module")
def behind_a_proxy(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of a dashboard that asks for passwords."""
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "passwords.json").write_text(json.dumps({"grace": "hopper"}))
    options = ["--unix-socket", str(folder / "s"), "--prefix", PREFIX, "--passwords", str(folder / "passwords.json")]
    with dashboard(course, *options, "--origin", "hub.example"):
        yield folder / "s"


def ask(path: Path, address: str, cookie: str = "", **form: str) -> http.client.HTTPResponse:
    connection = UnixConnection(path)
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST" if form else "GET", address, urllib.parse.urlencode(form) or None, headers)
    return connection.getresponse()


def test_the_socket_is_its_owners(behind_a_proxy: Path):
    assert stat.S_IMODE(behind_a_proxy.stat().st_mode) == 0o600


def test_a_password_opens_the_page_behind_a_prefix(behind_a_proxy: Path):
    entered = ask(behind_a_proxy, f"{PREFIX}/login", username="grace", password="hopper")
    cookie = "; ".join(text.split(";")[0] for text in entered.headers.get_all("Set-Cookie"))
    seen = ask(behind_a_proxy, f"{PREFIX}/", cookie)
    assert (seen.status, "Syncpoint: syncpoint" in seen.read().decode()) == (200, True)


def test_a_wrong_password_opens_nothing(behind_a_proxy: Path):
    entered = ask(behind_a_proxy, f"{PREFIX}/login", username="grace", password="wrong")
    assert (entered.status, entered.headers.get_all("Set-Cookie")) == (302, None)
    assert ask(behind_a_proxy, f"{PREFIX}/").status == 302


def test_passwords_that_go_away_open_nothing(behind_a_proxy: Path):
    passwords = behind_a_proxy.parent / "passwords.json"
    passwords.unlink()
    entered = ask(behind_a_proxy, f"{PREFIX}/login", username="mallory", password=str(passwords))
    assert (entered.status, entered.headers.get_all("Set-Cookie")) == (302, None)


@pytest.mark.parametrize("text", ['"word"', "{}", '["ada"]', '{"ada": ""}', '{"ada": 1}', "no JSON"])
def test_a_file_that_holds_no_passwords_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "passwords.json"
    path.write_text(text)
    with pytest.raises(DashboardError, match=r"passwords\.json (must contain names|is not valid JSON)"):
        read_passwords(path)


@pytest.mark.exhaustive
def test_a_socket_that_is_in_use_is_left_alone(course: Path, behind_a_proxy: Path):
    done = subprocess.run(
        [BIN / "syncpoint", "dashboard", "--unix-socket", behind_a_proxy], cwd=course, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f"{behind_a_proxy} is in use by another dashboard: choose another socket." in done.stderr
    assert ask(behind_a_proxy, f"{PREFIX}/").status == 302


def test_the_token_of_a_socket_is_printed(course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dashboard_server.TOKEN", None)
    path = tmp_path / "s"
    with dashboard(course, "--unix-socket", str(path)) as process:
        output = process.stdout.readline() + process.stdout.readline()
        token = output.partition("token: ")[2].rstrip(")\n")
        entered = ask(path, "/login?" + urllib.parse.urlencode({"next": f"/?token={token}"}))
        assert (entered.status, entered.headers["Location"]) == (302, "/")


@pytest.mark.parametrize(("user", "enters"), [("ada", True), ("mallory", False)])
def test_oauth_lets_in_only_those_who_are_allowed(user: str, enters: bool, monkeypatch: pytest.MonkeyPatch):
    secret = "s" * 32
    monkeypatch.setenv("PANEL_COOKIE_SECRET", secret)
    cookies = {name: create_signed_value(secret, name, user).decode() for name in ("user", "access_token")}
    connection = SimpleNamespace(set_close_callback=lambda _: None)
    request = SimpleNamespace(
        cookies={name: SimpleNamespace(value=value) for name, value in cookies.items()},
        uri="/", headers={}, method="GET", connection=connection, arguments={}, path="/",
    )  # fmt: skip
    handler = RequestHandler(Application(cookie_secret=secret), request)
    asked = AllowedOnly("github", frozenset({"ada"})).get_user_async(handler)
    if enters:
        assert asyncio.run(asked) == "ada"
    else:
        with pytest.raises(HTTPError, match="not on the list"):
            asyncio.run(asked)


@pytest.mark.parametrize(
    ("login", "reason"),
    [
        ({"oauth": "github"}, "--allow"),
        ({"passwords": Path("/nowhere.json")}, "does not exist"),
        ({"passwords": Path(__file__), "oauth": "github"}, "cannot be used together"),
    ],
)
def test_a_login_that_lets_everybody_in_is_refused(login: dict, reason: str):
    with pytest.raises(DashboardError, match=reason):
        Login(**login)


@pytest.mark.parametrize("address", ["http://[", "//[", "http://[::1", "/?view=class#//[", "http://a]b["])
def test_what_is_no_address_leads_to_the_first_page(address: str):
    from syncpoint.dashboard.access import _without_token

    target, token = _without_token(address)
    assert not token and not target.startswith(("http", "//"))
