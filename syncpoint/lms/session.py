"""Requests to a learning platform: repeated if it is overloaded, and never redirected elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

from authlib.common.errors import AuthlibBaseError
from requests import RequestException, Response, Session
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from ..core.errors import SyncpointError
from ..core.strip import strip_control

SECONDS = 30  # seconds to wait for one response of a platform
OVERLOADED = (429, 500, 502, 503, 504)
# Waits of 1, 2, 4, 8 s, or as long as the platform requests, up to a minute. A score may be sent twice, because it
# stays the same.
PATIENCE = Retry(
    total=4,
    redirect=0,
    status_forcelist=OVERLOADED,
    allowed_methods=None,
    backoff_factor=1,
    raise_on_status=False,
    raise_on_redirect=False,
    retry_after_max=60,
)
MOST_PAGES = 1000
SHOWN = 200  # characters of a response in a message
LOOPBACK = ("127.0.0.1", "localhost", "::1")
S = TypeVar("S", bound=Session)


class PlatformError(SyncpointError):
    """The platform refused a request, or its response differs from its documentation."""

    def __init__(self, text: str, status: int = 0):
        super().__init__(text)
        self.status = status  # the response's status; 0 if there is another problem


class NoReply(PlatformError):
    """The platform cannot be reached or is overloaded, after several tries."""


def patient(session: S) -> S:
    """Make a session repeat requests that a platform may answer later."""
    for scheme in ("https://", "http://"):
        session.mount(scheme, HTTPAdapter(max_retries=PATIENCE))
    return session


def is_safe(url: str) -> bool:
    """Whether data sent to an address cannot be read on the way."""
    parts = urlsplit(url)
    return bool(parts.hostname) and (parts.scheme == "https" or parts.hostname in LOOPBACK)


def ask(session: Session, method: str, url: str, **options: Any) -> Response:
    """Send a request and return the response, or raise NoReply, or PlatformError if it is refused or redirected."""
    if not is_safe(url):
        raise PlatformError(f"{_shown(url)} does not begin with https://, so nothing was sent: others could read it.")
    try:
        response = session.request(method, url, timeout=SECONDS, allow_redirects=False, **options)
    except (RequestException, AuthlibBaseError) as problem:
        raise NoReply(f"{_shown(url)} does not answer: {_short(str(problem))}") from None
    if response.status_code in OVERLOADED:
        raise NoReply(f"{_shown(url)} answered {response.status_code} each time: {_short(response.text)}")
    if not response.ok or response.is_redirect:
        text = f"{_shown(url)} answered {response.status_code}: {_short(response.text)}"
        raise PlatformError(text, response.status_code)
    return response


def data_of(response: Response) -> Any:
    """Return the JSON of a response, or raise PlatformError."""
    try:
        return response.json()
    except ValueError:
        raise PlatformError(f"{_shown(response.url)} did not answer with JSON: {_short(response.text)}") from None


@contextmanager
def as_documented(place: str) -> Iterator[None]:
    """Raise PlatformError if the block does not find in a response what the documentation promises."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as problem:
        raise PlatformError(f"{_shown(place)} sent an unexpected answer ({problem!r}).") from None


def pages(session: Session, url: str, **options: Any) -> Iterator[Any]:
    """Yield the JSON of each page of a list (RFC 8288, ``rel="next"``), or raise PlatformError."""
    home = urlsplit(url)
    for _ in range(MOST_PAGES):
        response = ask(session, "GET", url, **options)
        yield data_of(response)
        following = response.links.get("next", {}).get("url")
        if not following:
            return
        url = urljoin(url, following)
        if urlsplit(url)[:2] != home[:2]:
            raise PlatformError(f"the list at {_shown(home.geturl())} continues on another server, {_shown(url)}.")
        options.pop("params", None)  # the address of the next page contains them
    raise PlatformError(f"the list at {_shown(home.geturl())} has more than {MOST_PAGES} pages.")


def _shown(url: str) -> str:
    return strip_control(url.partition("?")[0])


def _short(text: str) -> str:
    return strip_control(" ".join(text.split()))[:SHOWN] or "no text"
