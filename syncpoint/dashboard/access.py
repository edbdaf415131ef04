"""Who gets in: whoever shows the token, as Jupyter does it, or whom Panel's own logins know.

Bokeh asks the provider at its pages, its websocket, its metadata and its autoload script; our own handlers ask it, too.
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
TOKEN_USER = "teacher"  # whoever has shown it
WITHOUT_OAUTH = {"password", "pam"}


class TokenAuth(AuthProvider):
    """Lets in who showed the token once.  From then on a signed cookie says so, until the server ends.

    Args:
        cookie: Its name; servers on one machine share their cookies, so each needs a name of its own.
    """

    def __init__(self, token: str, cookie: str):
        self._token, self.cookie = token.encode(), cookie
        super().__init__()

    def knows(self, token: str) -> bool:
        """Whether this is the token; how long it takes does not tell how much of it is right."""
        return hmac.compare_digest(token.encode(), self._token)

    def has_entered(self, handler: RequestHandler) -> bool:
        """Whether the browser showed the token before."""
        return handler.get_signed_cookie(self.cookie) is not None

    @property
    def get_user(self) -> Callable[[Any], Any]:
        """The user of a request.  An address with a token passes through the login, which takes the token out of it."""
        return lambda handler: (
            TOKEN_USER if self.has_entered(handler) and TOKEN not in handler.request.query_arguments else None
        )

    @property
    def get_user_async(self) -> None:
        """There is nothing to wait for."""
        return None

    @property
    def login_url(self) -> str:
        """Where Bokeh sends everybody else."""
        return "/login"

    @property
    def get_login_url(self) -> None:
        """``login_url`` says it."""
        return None

    @property
    def login_handler(self) -> type[RequestHandler]:
        """The page that asks for the token."""
        return TokenLogin

    @property
    def logout_url(self) -> None:
        """The cookie dies with the server."""
        return None

    @property
    def logout_handler(self) -> None:
        """There is none."""
        return None


class TokenLogin(RequestHandler):
    """Asks for the token, or finds it in the address that somebody came with, and sends them on without it."""

    application: Any  # Bokeh's: it knows the provider and the prefix

    def get(self) -> None:
        """Enter with the token in ``next``, or show the form."""
        target, token = _without_token(self.get_argument("next", ""))
        provider: TokenAuth = self.application.auth_provider
        if provider.knows(token):
            self._enter(target)
        elif provider.has_entered(self):
            self._send_on(target)
        else:
            self._ask(target, "That token does not fit: it is of an earlier start." if token else "")

    def post(self) -> None:
        """Enter with the token that was typed."""
        target, _ = _without_token(self.get_argument("next", ""))
        if self.application.auth_provider.knows(self.get_argument(TOKEN, "").strip()):
            self._enter(target)
        else:
            self._ask(target, "That is not the token.")

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
        """Go to an address of this server; anything else becomes its first page."""
        home = f"{self.application.prefix}/"
        self.redirect(target if target.startswith(home) and not target.startswith("//") else home)


def _without_token(address: str) -> tuple[str, str]:
    """An address as a path and query of this server without a token, and the token it had."""
    try:
        parts = urlsplit(address.replace("\\", "/"))
    except ValueError:  # what is no address, as http://[ is none
        return "", ""
    if parts.scheme or parts.netloc:
        return "", ""
    query = parse_qsl(parts.query)
    rest = urlencode([(name, value) for name, value in query if name != TOKEN])
    return f"{parts.path}?{rest}" if rest else parts.path, dict(query).get(TOKEN, "")


class AllowedOnly(OAuthProvider):
    """Panel's OAuth, for these people only: whoever has an account somewhere is not yet a teacher of this course."""

    def __init__(self, provider: str, allowed: frozenset[str]):
        known = sorted(AUTH_PROVIDERS.keys() - WITHOUT_OAUTH)
        if provider not in known:
            raise DashboardError(f"Panel knows no OAuth provider {provider}; it knows {', '.join(known)}.")
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
