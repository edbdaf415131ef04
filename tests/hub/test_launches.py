"""Links of a learning platform that open the hub: real launches to a real JupyterHub, right ones and wrong ones."""

import base64
import hmac
import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from classroom import SmallCourse
from hub import (
    ACCOUNTS,
    COURSE,
    LTI,
    PATIENCE,
    Hub,
    give_marks,
    hub_with_release,
    in_course,
    make_folder,
    wait_for_lab,
    write_hub,
)
from joserfc import jwt
from joserfc.jwk import RSAKey
from lms_platform import AGS, CLAIM, TEACHER, Platform, running_platform, signed
from playwright.sync_api import Browser
from requests import Response, Session

from syncpoint.lms.keys import read_keys
from syncpoint.lms.registration import read_registration

pytestmark = [
    pytest.mark.slow,
    pytest.mark.hub,
    pytest.mark.skipif(ACCOUNTS, reason="the platform listens outside the network of that test"),
]


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with running_platform() as platform:
        for name in ("ada", "ben", "olga"):
            platform.add(f"u-{name}", name, name.title(), "Test")
        platform.add("u-ines", "ines", "Ines", "Teacher", TEACHER)
        platform.add("u-tom", "tom", "Tom", "Teacher", TEACHER)
        yield platform


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory, platform: Platform) -> Iterator[Hub]:
    """A hub with two courses, one of which the platform has."""
    folder = make_folder(tmp_path_factory.mktemp("hub") / "hub")
    SmallCourse.make(folder / COURSE)
    ids = {"client_id": "tool-1", "deployment_id": "installation-1", "context_id": "course-7"}
    url = platform.url
    urls = {"issuer": url, "authorize_url": f"{url}/auth", "token_url": f"{url}/token", "jwks_url": f"{url}/jwks"}
    with hub_with_release(write_hub(folder), LTI.format(course=COURSE, **ids, **urls)) as running:
        yield running


@pytest.fixture(autouse=True)
def as_it_should_be(platform: Platform) -> Iterator[None]:
    """Undo what a test changes of the platform."""
    yield
    platform.change, platform.sign = (lambda claims: None), signed


def link(hub: Hub, course: str = COURSE, assignment: str = "async") -> str:
    return f"{hub.url}/hub/lti13/course/{course}/{assignment}"


class Visitor(Session):
    """A browser without a screen: it follows the login up to the platform's form."""

    def form(self, hub: Hub, platform: Platform, user: str = "u-ada", at: str = "", **changed: str) -> dict[str, str]:
        """The fields that the platform answers with."""
        page = self.get(platform.login(hub.url, user, at or link(hub), **changed), timeout=60)
        assert page.ok, page.text
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page.text))
        assert fields.keys() == {"id_token", "state"}
        return fields

    def answer(self, hub: Hub, fields: dict[str, str]) -> Response:
        return self.post(f"{hub.url}/hub/lti13/oauth_callback", data=fields, allow_redirects=False, timeout=60)

    def launch(self, hub: Hub, platform: Platform, user: str = "u-ada", at: str = "") -> Response:
        return self.answer(hub, self.form(hub, platform, user, at))

    def is_logged_in(self, hub: Hub) -> bool:
        return "login" not in self.get(f"{hub.url}/hub/home", timeout=60).url


def check_refused(visitor: Visitor, hub: Hub, done: Response, why: str) -> None:
    """Fail unless the reason is in the hub's log, and not on the user's page."""
    assert done.status_code in (400, 401, 403), done.headers
    assert "Open it again on your learning platform" in done.text and why not in done.text
    assert why in (hub.folder / "hub.log").read_text() and not visitor.is_logged_in(hub)


def test_a_student_lands_in_the_assignment_of_the_link(hub: Hub, platform: Platform, browser: Browser):
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(platform.login(hub.url, "u-ben", link(hub)))
        page.wait_for_url(re.compile(rf"/user/ben/lab/.*tree/{COURSE}/async/work\.ipynb$"), timeout=PATIENCE)
        wait_for_lab(page)
        page.locator(".jp-NotebookPanel").wait_for()
        assert (hub.home("ben") / COURSE / "async" / "work.ipynb").is_file()
        page.goto(link(hub))  # as in the comment on the platform
        page.wait_for_url(re.compile(rf"/user/ben/lab/.*tree/{COURSE}/async/work\.ipynb$"), timeout=PATIENCE)
    finally:
        context.close()


def test_a_grader_lands_at_the_submissions_of_the_assignment(hub: Hub, platform: Platform):
    done = Visitor().launch(hub, platform, "u-ines")
    wanted = f"/services/{COURSE}/formgrader/manage_submissions/async"
    assert (done.status_code, urljoin(hub.url, done.headers["Location"])) == (302, f"{hub.url}{wanted}")


def test_the_course_learns_where_roster_and_marks_are(hub: Hub, platform: Platform):
    assert Visitor().launch(hub, platform).status_code == 302
    known = read_registration(hub.course_folder)
    assert known.memberships == f"{platform.url}/members" and known.links == {"async": link(hub)}
    assert known.line_items == f"{platform.url}/columns"
    assert known.columns == {"async": {platform.column("async"): "link-async"}}


def test_the_platform_finds_the_keys_with_which_the_course_signs(hub: Hub):
    found = Session().get(f"{hub.url}/hub/lti13/jwks/{COURSE}", timeout=60).json()["keys"]
    signs, following = read_keys(hub.course_folder)
    assert [one["kid"] for one in found] == [signs.kid, following.kid]
    assert all(one.keys() == {"kty", "n", "e", "kid", "alg", "use"} for one in found)
    for other in ("other", "nobody"):
        assert Session().get(f"{hub.url}/hub/lti13/jwks/{other}", timeout=60).status_code == 404


def test_the_password_still_counts(hub: Hub):
    visitor = Visitor()
    page = visitor.get(f"{hub.url}/hub/login", timeout=60).text
    xsrf = re.search(r'name="_xsrf" value="([^"]*)"', page)[1]
    fields = {"username": "tom", "name": "ada", "password": "wrong", "_xsrf": xsrf}
    assert visitor.post(f"{hub.url}/hub/login", data=fields, timeout=60).status_code == 403
    visitor.post(f"{hub.url}/hub/login", data={**fields, "password": hub.password}, timeout=60)
    assert visitor.is_logged_in(hub)


def claims(**changed: Any) -> Callable[[dict[str, Any]], None]:
    """A change of claims; None takes one away."""

    def change(found: dict[str, Any]) -> None:
        for name, value in changed.items():
            name = name if name in found or name in ("azp",) else CLAIM + name
            if value is None:
                del found[name]
            else:
                found[name] = value(found.get(name)) if callable(value) else value

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (claims(nonce="another"), "OAuth nonce mismatch"),
        (claims(nonce=None), 'missing the "nonce" claim|arg nonce not in request'),
        (claims(aud="tool-2"), "Audience doesn't match"),
        (claims(aud=["tool-1", "tool-2"]), "azp claim is missing"),
        (claims(aud=["tool-1", "tool-2"], azp="tool-2"), "azp claim does not match"),
        (claims(azp="tool-2"), "and 'tool-2', not for the client"),
        (claims(iss="https://evil.example"), "Invalid issuer"),
        (claims(exp=lambda now: now - 400), "Signature has expired"),
        (claims(exp=None), "arg exp not in request"),
        (claims(iat=lambda now: now + 3600), r"not yet valid \(iat\)"),
        (claims(iat=lambda now: now - 3600), "issued too long ago"),
        (claims(deployment_id="installation-2"), r"installation \(deployment_id\) is 'installation-2'"),
        (claims(context={"id": "course-8", "label": "C8"}), r"\(context_id\) is 'course-8'"),
        (claims(context=None), r"\(context_id\) is None"),
        (claims(target_link_uri=lambda link: link.replace("async", "hybridize")), "the login began for"),
        (
            claims(message_type="LtiDeepLinkingRequest", azp="tool-1", tool_platform={}, launch_presentation={}),
            "not the launch of a link to an assignment",
        ),
        (claims(sub=None), "the token names no user"),
        (claims(ext={"user_username": "olga"}), "'olga', but hub.toml has nobody of this name"),
        (claims(ext=None), "'', but hub.toml has nobody of this name"),
    ],
    ids=lambda one: re.sub(r"\W+", "-", one)[:40] if isinstance(one, str) else "",
)
def test_a_token_that_says_something_else_is_refused(
    hub: Hub, platform: Platform, change: Callable[[dict[str, Any]], None], why: str
):
    platform.change = change
    visitor = Visitor()
    done = visitor.launch(hub, platform)
    said = re.search(why, (hub.folder / "hub.log").read_text())
    assert said, (hub.folder / "hub.log").read_text()[-2000:]
    check_refused(visitor, hub, done, said[0])


def forged(platform: Platform, found: dict[str, Any]) -> str:
    """Signed with another key of the platform's name."""
    return jwt.encode({"alg": "RS256", "kid": platform.keys[0].kid}, found, RSAKey.generate_key(2048, private=True))


def unknown(platform: Platform, found: dict[str, Any]) -> str:
    """Signed with a key that the platform does not publish."""
    return jwt.encode({"alg": "RS256", "kid": "mine"}, found, RSAKey.generate_key(2048, private=True))


def unsigned(platform: Platform, found: dict[str, Any]) -> str:
    """Not signed at all, ``alg`` none."""
    return ".".join(map(_part, ({"alg": "none", "kid": platform.keys[0].kid}, found))) + "."


def confused(platform: Platform, found: dict[str, Any]) -> str:
    """Signed with the platform's public key, as if that were a secret (HS256)."""
    text = ".".join(map(_part, ({"alg": "HS256", "kid": platform.keys[0].kid}, found)))
    return f"{text}.{_base64(hmac.digest(platform.keys[0].as_pem(private=False), text.encode(), 'sha256'))}"


def _part(data: dict[str, Any]) -> str:
    return _base64(json.dumps(data).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def changed(platform: Platform, found: dict[str, Any]) -> str:
    """Signed for somebody else, then changed."""
    head, _, signature = signed(platform, found).split(".")
    found[f"{CLAIM}ext"] = {"user_username": "ines"}
    return f"{head}.{_part(found)}.{signature}"


@pytest.mark.parametrize(
    ("sign", "why"),
    [
        (forged, "Signature verification failed"),
        (unknown, "Unable to find a signing key"),
        (unsigned, "The specified alg value is not allowed"),
        (confused, "The specified alg value is not allowed"),
        (changed, "Signature verification failed"),
    ],
)
def test_a_token_that_the_platform_has_not_signed_is_refused(hub: Hub, platform: Platform, sign: Any, why: str):
    platform.sign = sign
    visitor = Visitor()
    begun = (hub.folder / "hub.log").stat().st_size
    done = visitor.launch(hub, platform)
    with (hub.folder / "hub.log").open() as log:
        log.seek(begun)
        said = re.search(why, log.read())
    assert said
    check_refused(visitor, hub, done, said[0])


def test_a_platforms_new_key_counts_at_once(hub: Hub, platform: Platform):
    old = platform.keys
    platform.keys = [RSAKey.generate_key(2048, private=True, auto_kid=True), *old]
    try:
        assert Visitor().launch(hub, platform).status_code == 302
    finally:
        platform.keys = old


def test_an_answer_counts_once(hub: Hub, platform: Platform):
    visitor = Visitor()
    fields = visitor.form(hub, platform)
    cookies = visitor.cookies.copy()
    assert visitor.answer(hub, fields).status_code == 302
    thief = Visitor()
    thief.cookies.update(cookies)  # of the login, as its own browser sent them
    check_refused(thief, hub, thief.answer(hub, fields), "this login has expired or was already used")


def test_an_answer_of_another_browser_is_refused(hub: Hub, platform: Platform):
    fields = Visitor().form(hub, platform)
    victim = Visitor()
    check_refused(victim, hub, victim.answer(hub, fields), "OAuth state missing from cookies")
    victim.form(hub, platform)
    check_refused(victim, hub, victim.answer(hub, fields), "OAuth state mismatch")


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ("{hub}/hub/lti13/course/other/async", "hub.toml has no course 'other' with lti"),
        ("{hub}/hub/lti13/course/nobody/async", "hub.toml has no course 'nobody' with lti"),
        ("https://evil.example/hub/lti13/course/syncpoint/async", "'https://evil.example"),
        ("{hub}/hub/lti13/course/syncpoint/../../home", "is not a link of"),
        ("{hub}/hub/lti13/course/syncpoint/async?next=https://evil.example", "is not a link of"),
        ("{hub}/hub/home", "is not a link of"),
    ],
)
def test_a_login_for_another_place_does_not_begin(hub: Hub, platform: Platform, there: str, why: str):
    visitor = Visitor()
    done = visitor.get(platform.login(hub.url, "u-ada", there.format(hub=hub.url)), allow_redirects=False, timeout=60)
    check_refused(visitor, hub, done, why)


def test_a_login_of_another_platform_does_not_begin(hub: Hub, platform: Platform):
    visitor = Visitor()
    address = platform.login(hub.url, "u-ada", link(hub), iss="https://evil.example")
    check_refused(visitor, hub, visitor.get(address, allow_redirects=False, timeout=60), "is not the platform in")


def test_a_name_stays_with_the_person_who_came_first(hub: Hub, platform: Platform):
    assert Visitor().launch(hub, platform, "u-ada").status_code == 302
    platform.change = claims(sub="u-somebody-else")
    visitor = Visitor()
    check_refused(visitor, hub, visitor.launch(hub, platform), "earlier launches 'u-ada' was 'ada'")
    platform.change = claims(ext={"user_username": "ines"})
    visitor = Visitor()
    check_refused(visitor, hub, visitor.launch(hub, platform), "launches it was 'ada', and not 'ines'")
    users = hub.folder / "state" / "private" / "lti_users.json"
    assert json.loads(users.read_text())["u-ada"] == "ada" and users.stat().st_mode & 0o777 == 0o600


def test_columns_and_roster_of_another_launch_are_not_lost(hub: Hub, platform: Platform):
    platform.change = lambda found: found.pop(AGS)
    assert Visitor().launch(hub, platform, at=link(hub, assignment="second")).status_code == 302
    known = read_registration(hub.course_folder)
    assert known.links.keys() >= {"second"} and "second" not in known.columns


def test_marks_and_the_total_go_to_the_columns_that_launches_named(hub: Hub, platform: Platform):
    """The commands know nothing but what the hub has noted."""
    platform.tool_keys = lambda: Session().get(f"{hub.url}/hub/lti13/jwks/{COURSE}", timeout=60).json()
    assert Visitor().launch(hub, platform, "u-ines").status_code == 302
    platform.change = lambda found: found[AGS].pop("lineitems")  # as a link without the right to columns
    assert Visitor().launch(hub, platform).status_code == 302

    course = hub.course
    enrolled = in_course(course.root, "syncpoint", "roster", "--lti")
    assert enrolled.returncode == 0 and "3 added" in enrolled.stdout, enrolled.stdout + enrolled.stderr
    give_marks(course.root, ada=(4.0, 2.0, 1.0), ben=(1.0, 0.0, 0.0))
    course.configure('c.CourseTotal.weights = {"async": 1}\n')
    for arguments in (["async"], []):
        done = in_course(course.root, "syncpoint", "send-marks", *arguments, "--send")
        assert done.returncode == 0, done.stdout + done.stderr
    marks = {
        column: {user: one["resultScore"] for user, one in scores.items()}
        for column, scores in platform.results.items()
    }
    assert marks == {"async": {"u-ada": 7, "u-ben": 1}, "made1": {"u-ada": 87.5, "u-ben": 12.5}}
    assert [one["id"] for one in platform.line_items] == [platform.column("made1")]
