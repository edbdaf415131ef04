"""Authentication: by a token, as in Jupyter, or by one of Panel's own logins.

Bokeh asks the provider for its pages, its websocket, its metadata and its autoload script; our handlers also ask it.
"""

import hmac
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import panel as pn
from bokeh.server.auth_provider import AuthProvider
from panel.auth import AUTH_PROVIDERS, OAuthProvider
from tornado.web import HTTPError, RequestHandler

from .html import render
from .settings import DashboardError

TOKEN = "token"
TOKEN_USER = "teacher"  # the name of every user who logged in with the token
WITHOUT_OAUTH = {"password", "pam"}


class TokenAuth(AuthProvider):
    """Accepts a browser after it showed the token once; a signed cookie records this until the server ends.

    Args:
        cookie: The cookie's name.  Servers on one machine share cookies, so each server needs its own name.
    """

    def __init__(self, token: str, cookie: str):
        self._token, self.cookie = token.encode(), cookie
        super().__init__()

    def knows(self, token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return hmac.compare_digest(token.encode(), self._token)

    def has_entered(self, handler: RequestHandler) -> bool:
        """Whether the browser has already logged in with the token."""
        return handler.get_signed_cookie(self.cookie) is not None

    @property
    def get_user(self) -> Callable[[Any], Any]:
        """The user of a request.  An address with a token goes through the login, which removes the token from it."""
        return lambda handler: (
            TOKEN_USER if self.has_entered(handler) and TOKEN not in handler.request.query_arguments else None
        )

    @property
    def get_user_async(self) -> None:
        """None: ``get_user`` answers without waiting."""
        return None

    @property
    def login_url(self) -> str:
        """Where Bokeh sends users who have not logged in."""
        return "/login"

    @property
    def get_login_url(self) -> None:
        """None: ``login_url`` is used."""
        return None

    @property
    def login_handler(self) -> type[RequestHandler]:
        """The page that asks for the token."""
        return TokenLogin

    @property
    def logout_url(self) -> None:
        """None: the cookie becomes invalid when the server ends."""
        return None

    @property
    def logout_handler(self) -> None:
        """None: there is no logout page."""
        return None


class TokenLogin(RequestHandler):
    """Takes the token from the address or asks for it, then redirects to the address without the token."""

    application: Any  # Bokeh's application, with the provider and the prefix

    def get(self) -> None:
        """Enter with the token in ``next``, or show the form."""
        target, token = _without_token(self.get_argument("next", ""))
        provider: TokenAuth = self.application.auth_provider
        if provider.knows(token):
            self._enter(target)
        elif provider.has_entered(self):
            self._send_on(target)
        else:
            self._ask(target, "This token is no longer valid: the dashboard has been restarted." if token else "")

    def post(self) -> None:
        """Enter with the token that was typed."""
        target, _ = _without_token(self.get_argument("next", ""))
        if self.application.auth_provider.knows(self.get_argument(TOKEN, "").strip()):
            self._enter(target)
        else:
            self._ask(target, "This is not the token.")

    def _ask(self, target: str, problem: str) -> None:
        self.set_status(401 if problem else 200)
        self.set_header("Cache-Control", "no-store")
        self.finish(render("login.html", next=target, problem=problem))

    def _enter(self, target: str) -> None:
        self.set_signed_cookie(
            self.application.auth_provider.cookie,
            "entered",
            expires_days=None,
            httponly=True,
            samesite="Lax",
            secure=self.request.protocol == "https",
            path=f"{self.application.prefix}/",
        )
        self._send_on(target)

    def _send_on(self, target: str) -> None:
        """Redirect to an address of this server; any other address is replaced by the first page."""
        home = f"{self.application.prefix}/"
        self.redirect(target if target.startswith(home) and not target.startswith("//") else home)


def _without_token(address: str) -> tuple[str, str]:
    """Return an address as a path and query of this server without the token, and its token."""
    try:
        parts = urlsplit(address.replace("\\", "/"))
    except ValueError:  # not a valid address, such as http://[
        return "", ""
    if parts.scheme or parts.netloc:
        return "", ""
    query = parse_qsl(parts.query)
    rest = urlencode([(name, value) for name, value in query if name != TOKEN])
    return f"{parts.path}?{rest}" if rest else parts.path, dict(query).get(TOKEN, "")


class AllowedOnly(OAuthProvider):
    """Panel's OAuth for a list of people: an account at the provider does not make someone a teacher of this course."""

    def __init__(self, provider: str, allowed: frozenset[str]):
        known = sorted(AUTH_PROVIDERS.keys() - WITHOUT_OAUTH)
        if provider not in known:
            raise DashboardError(f"Panel has no OAuth provider {provider}; choose one of {', '.join(known)}.")
        self._allowed = allowed
        pn.config.oauth_provider = provider  # type: ignore[misc]
        super().__init__()

    @property
    def get_user_async(self) -> Callable[[Any], Any]:
        """The user of a request, if they are allowed."""
        ask = super().get_user_async

        async def get_user(handler: RequestHandler) -> str | None:
            user = await ask(handler)
            if user is not None and user not in self._allowed:
                raise HTTPError(403, "%s is not on the list of --allow", user)
            return user

        return get_user
