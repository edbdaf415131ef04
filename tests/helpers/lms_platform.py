"""A small learning platform of the tests' own that speaks LTI 1.3: a real web server on this machine.

It signs launches, gives access tokens to tools whose key it knows, and has a roster (Names and Roles) and columns of
marks (Assignment and Grade Services), both in pages.  Tests change what it has, and how it answers.
"""

import html
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
TEACHER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
PAGE = 2  # members or results
Sign = Callable[["Platform", dict[str, Any]], str]


def signed(platform: "Platform", claims: dict[str, Any]) -> str:
    """A token as it should be."""
    key = platform.keys[0]
    return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)


class Platform:
    """The platform, with one course."""

    client_id, deployment_id, context_id = "tool-1", "installation-1", "course-7"

    def __init__(self, url: str):
        self.url = url
        self.keys = [RSAKey.generate_key(2048, private=True, auto_kid=True)]
        self.members: list[dict[str, Any]] = []
        self.results: dict[str, dict[str, dict[str, Any]]] = {}  # of a column, by user
        self.scores: list[dict[str, Any]] = []  # all that were sent
        self.line_items: list[dict[str, Any]] = []  # columns that tools have made
        self.tool_keys: Callable[[], Any] = lambda: {"keys": []}
        self.refuse: Callable[[str, str], tuple[int, dict[str, str]] | None] = lambda path, body: None
        self.change: Callable[[dict[str, Any]], None] = lambda claims: None  # a launch that is not as it should be
        self.sign: Sign = signed
        self.next_page: Callable[[str], str] = lambda url: url
        self.seen: Counter[str] = Counter()
        self.scopes: str | None = None  # that are granted; None: all that are asked for
        self.lifetime = 3600
        self._tokens: dict[str, float] = {}
        self._assertions: set[str] = set()

    def add(self, user: str, login: str, first: str, last: str, role: str = LEARNER, **more: Any) -> None:
        """Enrol somebody."""
        self.members.append(
            {
                "user_id": user,
                "ext_user_username": login,
                "given_name": first,
                "family_name": last,
                "email": f"{login}@school.example",
                "roles": [role],
                "status": "Active",
                **more,
            }
        )

    def column(self, assignment: str) -> str:
        """The address of the column of an assignment; with a query, as Moodle has them."""
        return f"{self.url}/columns/{assignment}?type_id=1"

    def login(self, hub: str, user: str, link: str, **changed: str) -> str:
        """The address that a click on a link of the platform leads to."""
        query = {"iss": self.url, "login_hint": user, "target_link_uri": link, "lti_message_hint": link, **changed}
        return f"{hub}/hub/lti13/oauth_login?{urlencode(query)}"

    def launch(self, query: dict[str, str]) -> dict[str, str]:
        """The fields of the form with which a tool is answered."""
        member = next(one for one in self.members if one["user_id"] == query["login_hint"])
        now, link = int(time.time()), query["lti_message_hint"]
        assignment = link.rpartition("/")[2]
        claims: dict[str, Any] = {
            "iss": self.url,
            "aud": query["client_id"],
            "sub": member["user_id"],
            "nonce": query["nonce"],
            "iat": now,
            "exp": now + 300,
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}deployment_id": self.deployment_id,
            f"{CLAIM}target_link_uri": link,
            f"{CLAIM}roles": member["roles"],
            f"{CLAIM}context": {"id": self.context_id, "label": "C7", "title": "Course 7"},
            f"{CLAIM}resource_link": {"id": f"link-{assignment}", "title": assignment},
            f"{CLAIM}ext": {"user_username": member["ext_user_username"], "lms": "small-platform"},
            AGS: {"lineitem": self.column(assignment), "lineitems": f"{self.url}/columns", "scope": []},
            NRPS: {"context_memberships_url": f"{self.url}/members", "service_versions": ["2.0"]},
        }
        self.change(claims)
        return {"id_token": self.sign(self, claims), "state": query["state"]}

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """An access token for a tool that signs with a key of its own."""
        try:
            decoded = jwt.decode(form["client_assertion"], KeySet.import_key_set(self.tool_keys()), ["RS256"])
            claims = decoded.claims
            assert claims["iss"] == claims["sub"] == self.client_id and claims["aud"] == f"{self.url}/token"
            assert time.time() - 60 < claims["iat"] <= time.time() + 5 and claims["exp"] > time.time()
            assert claims["jti"] not in self._assertions and form["grant_type"] == "client_credentials"
        except Exception as problem:
            return 400, {"error": "invalid_client", "error_description": repr(problem)}
        self._assertions.add(claims["jti"])
        token = f"token-{len(self._assertions)}"
        self._tokens[token] = time.time() + self.lifetime
        scope = form["scope"] if self.scopes is None else self.scopes
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": self.lifetime, "scope": scope}

    def allows(self, authorization: str) -> bool:
        """Whether an access token is one of ours."""
        return self._tokens.get(authorization.removeprefix("Bearer "), 0) > time.time()

    def take(self, column: str, score: dict[str, Any]) -> int:
        """Note a score, as the specification of AGS wants it: none that is older than the one that is there."""
        results = self.results.setdefault(column, {})
        if score["userId"] not in {one["user_id"] for one in self.members}:
            return 404
        if score["timestamp"] <= results.get(score["userId"], {}).get("timestamp", ""):
            return 409
        self.scores.append(score)
        given = "scoreGiven" in score
        results[score["userId"]] = {
            "userId": score["userId"],
            "timestamp": score["timestamp"],
            **({"resultScore": score["scoreGiven"], "resultMaximum": score["scoreMaximum"]} if given else {}),
            **({"comment": score["comment"]} if given else {}),
        }
        return 200


class _Handler(BaseHTTPRequestHandler):
    platform: Platform

    def log_message(self, *arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        path, query = self._place()
        platform = self.platform
        if path == "/jwks":
            keys = [{**key.as_dict(private=False), "use": "sig"} for key in platform.keys]
            self._send(200, {"keys": keys})
        elif path == "/auth":
            fields = "".join(
                f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
                for name, value in platform.launch(query).items()
            )
            form = f'<form method="post" action="{html.escape(query["redirect_uri"])}">{fields}</form>'
            self._send_text(200, f"<!doctype html>{form}<script>document.forms[0].submit()</script>")
        elif self._troubled(path, ""):
            return
        elif path == "/members":
            self._page(query, platform.members, lambda rows: {"id": path, "context": {"id": "7"}, "members": rows})
        elif path == "/columns":
            tag = query.get("tag")
            self._page(query, [one for one in platform.line_items if tag in (None, one["tag"])], lambda rows: rows)
        elif path.endswith("/results"):
            found = platform.results.get(path.split("/")[2], {}).values()
            wanted = [one for one in found if query.get("user_id", one["userId"]) == one["userId"]]
            self._page(query, wanted, lambda rows: rows)
        else:
            self._send(404, {})

    def do_POST(self) -> None:
        path, _ = self._place()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if path == "/token":
            form = {name: values[0] for name, values in parse_qs(body).items()}
            if refused := self.platform.refuse(path, body):
                self._send(refused[0], {}, refused[1])
            else:
                self._send(*self.platform.token(form))
        elif self._troubled(path, body):
            return
        elif path == "/columns":
            assert self.headers["Content-Type"] == "application/vnd.ims.lis.v2.lineitem+json"
            address = self.platform.column(f"made{len(self.platform.line_items) + 1}")
            self.platform.line_items.append({"id": address, **json.loads(body)})
            self._send(201, self.platform.line_items[-1])
        else:
            self._send(self.platform.take(path.split("/")[2], json.loads(body)), {})

    def _place(self) -> tuple[str, dict[str, str]]:
        parts = urlsplit(self.path)
        self.platform.seen[f"{self.command} {parts.path}"] += 1
        return parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()}

    def _troubled(self, path: str, body: str) -> bool:
        if not self.platform.allows(self.headers.get("Authorization", "")):
            self._send(401, {"error": "invalid_token"})
            return True
        refused = self.platform.refuse(path, body)
        if refused:
            self._send(refused[0], {"error": "refused"}, refused[1])
        return bool(refused)

    def _page(self, query: dict[str, str], rows: Any, shown: Callable[[list[Any]], Any]) -> None:
        begin = int(query.get("page", 0)) * PAGE
        headers = {}
        if begin + PAGE < len(rows := list(rows)):
            more = urlencode({**query, "page": str(begin // PAGE + 1)})
            url = self.platform.next_page(f"{self.platform.url}{urlsplit(self.path).path}?{more}")
            headers = {"Link": f'<{url}>; rel="next"'}
        self._send(200, shown(rows[begin : begin + PAGE]), headers)

    def _send(self, status: int, data: Any, headers: dict[str, str] | None = None) -> None:
        self._send_text(status, json.dumps(data), {"Content-Type": "application/json", **(headers or {})})

    def _send_text(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """A web server on this machine, by its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def running_platform() -> Iterator[Platform]:
    """A platform with nobody in its course."""
    handler = type("Handler", (_Handler,), {})
    with serving(handler) as url:
        handler.platform = platform = Platform(url)
        yield platform
