"""Launches: links on a learning platform that open a course and assignment on the hub (LTI 1.3).

ltiauthenticator speaks with the platform.  Added here is what it leaves to the hub: a login that may be used once only,
the course with its own client, installation and context, the user, and what the course has to know of the platform.
"""

import asyncio
import json
import re
import secrets
import sys
import time
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jupyterhub.auth import Authenticator
from jupyterhub.handlers import BaseHandler
from jupyterhub.utils import maybe_future
from ltiauthenticator.lti13.auth import LTI13Authenticator
from ltiauthenticator.lti13.error import ValidationError
from ltiauthenticator.lti13.handlers import (
    LTI13CallbackHandler,
    LTI13LoginInitHandler,
    _deserialize_state,
    _serialize_state,
)
from tornado.log import app_log
from tornado.web import HTTPError, authenticated

from deploy.settings import CourseOfHub, Hub
from deploy.words import WORDS
from syncpoint.core.atomic_write import write_whole

HELPER = Path(__file__).with_name("lti_course.py")
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
LINK = re.compile(r"lti13/course/(?P<course>[A-Za-z0-9][A-Za-z0-9_.-]*)/(?P<assignment>[A-Za-z0-9_][A-Za-z0-9_.-]*)")
LEEWAY = 10  # seconds that clocks may differ
LONGEST = 600  # seconds from the click on the platform to the answer; the age that ltiauthenticator allows a token
MOST = 10_000  # logins that may be in progress
SECONDS = 60  # for the course's account to read or note something, on a busy machine
FRESH = 60  # seconds that published keys are remembered


class Refused(HTTPError):
    """A rejected launch: the user reads one sentence, and the hub's log has the reason."""

    def __init__(self, why: str):
        super().__init__(HTTPStatus.FORBIDDEN)
        app_log.warning("launch refused: %s", why)
        self.jupyterhub_message = WORDS["launch refused"]


class Launches:
    """The launches of a hub: the users allowed for each link, and the stored data."""

    def __init__(self, hub: Hub):
        assert hub.lti is not None
        self.hub, self.lti = hub, hub.lti
        self._nonces: dict[str, float] = {}  # nonces of logins in progress, and when they expire
        self._users = hub.private / "lti_users.json"
        self._reported: dict[str, dict[str, Any]] = {}  # what each course has stored, by link
        self._keys: dict[str, tuple[float, Any]] = {}

    # --- each login counts once ---

    def expect(self, nonce: str) -> None:
        """Store a login that begins."""
        now = time.monotonic()
        for old in [old for old, until in self._nonces.items() if until < now][:MOST]:
            del self._nonces[old]
        while len(self._nonces) >= MOST:
            del self._nonces[next(iter(self._nonces))]
        self._nonces[nonce] = now + LONGEST

    def use(self, nonce: str) -> None:
        """Complete a login, once.

        Raises:
            Refused: If none of this name is under way: it has ended, is too old, or never began here.
        """
        if self._nonces.pop(nonce, float("-inf")) < time.monotonic():
            raise Refused("this login has expired or was already used: open the link again")

    # --- the content of a link and a token ---

    def course_at(self, address: str) -> tuple[str, str]:
        """Return course and assignment of a link.

        Raises:
            Refused: If it is none of this hub, or of a course without launches.
        """
        parts = urlsplit(address)
        found = LINK.fullmatch(parts.path.removeprefix("/hub/"))
        if parts.netloc != self.hub.origin or parts.scheme != self.hub.scheme or parts.query or not found:
            raise Refused(f"{address!r} is not a link of {self.hub.scheme}://{self.hub.origin}/hub/lti13/course/...")
        course = self.hub.courses.get(found["course"])
        if course is None or course.lti is None:
            raise Refused(f"hub.toml has no course {found['course']!r} with lti")
        return found["course"], found["assignment"]

    def check(self, token: dict[str, Any], begun_at: str) -> tuple[str, str, str]:
        """Return course, assignment and user of a token whose signature, times, issuer and audience are right.

        Args:
            token: Its claims.
            begun_at: The link for which the login began.

        Raises:
            Refused: If they do not fit together.
        """
        target = _text(token, f"{CLAIM}target_link_uri")
        if target != begun_at:
            raise Refused(f"the login began for {begun_at!r}, but the token is for {target!r}")
        name, assignment = self.course_at(target)
        course = self.hub.courses[name]
        assert course.lti is not None
        if token.get(f"{CLAIM}message_type") != "LtiResourceLinkRequest":
            raise Refused("the message is not the launch of a link to an assignment")
        audience = token["aud"] if isinstance(token["aud"], list) else [token["aud"]]
        client = course.lti.client_id
        if client not in audience or token.get("azp", client) != client:
            raise Refused(f"the token is for {audience} and {token.get('azp')!r}, not for the client of {name}")
        for what, wanted, found in (
            ("installation (deployment_id)", course.lti.deployment_id, token.get(f"{CLAIM}deployment_id")),
            ("course on the platform (context_id)", course.lti.context_id, _at(token, f"{CLAIM}context", "id")),
        ):
            if found != wanted:
                raise Refused(f"the {what} is {found!r}, but hub.toml has {wanted!r} for {name}")
        return name, assignment, self._user(token, name, course)

    def _user(self, token: dict[str, Any], name: str, course: CourseOfHub) -> str:
        """Return the token's user, who is always the same person on the platform."""
        person, (kind, _, key) = _text(token, "sub"), self.lti.user.partition(".")
        if not person:
            raise Refused("the token names no user")
        user = str(_at(token, f"{CLAIM}{kind}", key) or "") if key else person
        if user not in (*course.graders, *course.students):
            raise Refused(f"{self.lti.user} is {user!r}, but hub.toml has nobody of this name in {name}")
        known: dict[str, str] = json.loads(self._users.read_text()) if self._users.exists() else {}
        before = next((other for other, whom in known.items() if whom == user), person)
        if known.get(person, user) != user or before != person:
            earlier = f"it was {known[person]!r}, and not" if person in known else f"{before!r} was"
            raise Refused(
                f"{person!r} on the platform cannot be {user!r} here: in earlier launches {earlier} {user!r}; if this "
                f"has changed, remove the line from {self._users}"
            )
        if person not in known:
            write_whole(self._users, json.dumps({**known, person: user}, indent=1).encode())
        return user

    # --- what the course's account stores ---

    async def report(self, name: str, assignment: str, token: dict[str, Any]) -> None:
        """Let the course store where its roster and this assignment's column are, if that is new."""
        lti = self.hub.courses[name].lti
        assert lti is not None
        column = str(_at(token, AGS, "lineitem") or "")
        link = str(_at(token, f"{CLAIM}resource_link", "id") or "")
        about = {
            "issuer": self.lti.issuer,
            "client_id": lti.client_id,
            "deployment_id": lti.deployment_id,
            "token_url": self.lti.token_url,
            "context_id": lti.context_id,
            "user": self.lti.user,
            "memberships": str(_at(token, NRPS, "context_memberships_url") or ""),
            "line_items": str(_at(token, AGS, "lineitems") or ""),
            "columns": {assignment: {column: link}} if column else {},
            "links": {assignment: _text(token, f"{CLAIM}target_link_uri")},
        }
        place = f"{name}/{assignment}/{link}"
        if self._reported.get(place) != about and await self._as_course(name, "learn", about) is not None:
            self._reported[place] = about

    async def keys(self, name: str) -> Any:
        """Return the published keys of a course; None if it has none."""
        at, found = self._keys.get(name, (float("-inf"), None))
        if time.monotonic() - at > FRESH:
            found = await self._as_course(name, "keys", {})
            self._keys[name] = (time.monotonic(), found)
        return found

    async def _as_course(self, name: str, act: str, about: dict[str, Any]) -> Any:
        """Run lti_course.py under the course's own account; None if it fails."""
        course = self.hub.courses[name]
        become = ["runuser", "-u", course.account, "--"] if self.hub.accounts else []
        command = ["timeout", "--kill-after=1", str(SECONDS), *become, sys.executable, str(HELPER)]
        # Without the hub's own environment, which contains secrets.
        path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        running = await asyncio.create_subprocess_exec(
            *command,
            act,
            str(course.folder),
            cwd=course.folder,
            env={"PATH": path},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        out, _ = await running.communicate(json.dumps(about).encode())
        try:
            return json.loads(out) if running.returncode == 0 else None
        except ValueError:
            return None


def _text(token: dict[str, Any], claim: str) -> str:
    found = token.get(claim)
    return found if isinstance(found, str) else ""


def _at(token: dict[str, Any], claim: str, key: str) -> Any:
    found = token.get(claim)
    return found.get(key) if isinstance(found, dict) else None


# --- the pages ---------------------------------------------------------------------------------------------------


class Begin(LTI13LoginInitHandler):
    """A click on a link: asks the platform who clicked."""

    def get(self) -> None:
        """Begin a login for one course.

        Raises:
            Refused: If the platform or the link is unknown.
        """
        launches: Launches = self.authenticator.launches
        if self.get_argument("iss", "") != launches.lti.issuer:
            raise Refused(f"{self.get_argument('iss', '')!r} is not the platform in hub.toml")
        name, _ = launches.course_at(self.get_argument("target_link_uri", ""))
        course = launches.hub.courses[name].lti
        assert course is not None
        self.client = course.client_id
        super().post()

    post = get

    def get_state(self) -> str:
        """Return the state, with the link of this login."""
        state: str = _serialize_state(
            {"state_id": secrets.token_urlsafe(), "link": self.get_argument("target_link_uri")}
        )
        return state

    def generate_nonce(self) -> str:
        """Return a nonce that may be used once."""
        nonce: str = super().generate_nonce()
        self.authenticator.launches.expect(nonce)
        return nonce

    def authorize_redirect(self, **arguments: Any) -> None:
        """Redirect to the platform, as this course's client."""
        super().authorize_redirect(**{**arguments, "client_id": self.client})

    def _set_oauth_cookie(self, key: str, value: str) -> None:
        # The platform's answer is a form from another site, and browsers send it no other cookies.
        secure = {"secure": True, "samesite": "None"} if self.authenticator.launches.hub.scheme == "https" else {}
        self._set_cookie(key, value, expires_days=1, httponly=True, encrypted=True, **secure)


class Answer(LTI13CallbackHandler):
    """The platform's answer: a token."""

    async def post(self) -> None:
        """Check the token, log the user in, and show the assignment.

        Raises:
            Refused: If something is wrong with it.
        """
        launches: Launches = self.authenticator.launches
        try:
            # In a thread, because it requests the platform's keys.
            token = await asyncio.to_thread(self.decode_and_validate_launch_request)
        # ValueError: there are no keys
        except (ValidationError, HTTPError, OSError, HTTPException, ValueError) as problem:
            raise Refused(str(problem)) from None
        launches.use(_text(token, "nonce"))
        begun_at = _deserialize_state(self.get_argument("state")).get("link", "")
        course, assignment, name = launches.check(token, begun_at)
        user = await self.login_user({"name": name})
        if user is None:
            raise Refused(f"{name} may not log in")
        await launches.report(course, assignment, token)
        self.redirect(landing(self, course, assignment, name))


class Link(BaseHandler):
    """The same link in a comment on the platform: for users who are logged in, or use a password."""

    @authenticated
    def get(self, course: str, assignment: str) -> None:
        """Show the assignment."""
        self.redirect(landing(self, course, assignment, self.current_user.name))


class Keys(BaseHandler):
    """The public keys of a course, for the platform."""

    async def get(self, course: str) -> None:
        """Send a JSON Web Key Set.

        Raises:
            HTTPError: If there is no such course.
        """
        about = self.authenticator.launches.hub.courses.get(course)
        keys = await self.authenticator.launches.keys(course) if about is not None and about.lti else None
        if keys is None:
            raise HTTPError(HTTPStatus.NOT_FOUND)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(keys))


def landing(handler: BaseHandler, course: str, assignment: str, user: str) -> str:
    """Return where a user works on an assignment: graders in formgrader, others on their own server."""
    about = handler.authenticator.launches.hub.courses.get(course)
    if about is not None and user in about.graders:
        return f"{handler.base_url}services/{course}/formgrader/manage_submissions/{assignment}"
    return f"{handler.hub.base_url}user-redirect/syncpoint/open/{course}/{assignment}"


def with_launches(base: type[Authenticator], hub: Hub) -> type[Authenticator]:
    """Return an authenticator with the hub's launches in addition to the password login."""

    class WithLaunches(LTI13Authenticator, base):
        login_service = ""
        launches = Launches(hub)

        def login_url(self, base_url: str) -> str:
            return str(base.login_url(self, base_url))

        def get_handlers(self, app: Any) -> list[Any]:
            link = LINK.pattern.removeprefix("lti13/course")
            return [
                *base.get_handlers(self, app),
                ("/lti13/oauth_login", Begin),
                ("/lti13/oauth_callback", Answer),
                (f"/lti13/course{link}", Link),
                ("/lti13/jwks/([^/]+)", Keys),
            ]

        async def authenticate(self, handler: BaseHandler, data: dict[str, str]) -> Any:
            """Return the user of a checked token, or the one with the right password."""
            if isinstance(handler, Answer):
                return data["name"]
            return await maybe_future(base.authenticate(self, handler, data))

    return WithLaunches


def settings_of(hub: Hub) -> dict[str, Any]:
    """Return the settings of LTI13Authenticator that all courses share."""
    assert hub.lti is not None
    return {
        "issuer": hub.lti.issuer,
        "authorize_url": hub.lti.authorize_url,
        "jwks_endpoint": hub.lti.jwks_url,
        "client_id": {course.lti.client_id for course in hub.courses.values() if course.lti},
        "uri_scheme": hub.scheme,
    }
