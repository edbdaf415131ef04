"""LTI Advantage: the roster by Names and Roles, marks by Assignment and Grade Services.

https://www.imsglobal.org/spec/lti-nrps/v2p0, https://www.imsglobal.org/spec/lti-ags/v2p0 and, for access tokens,
https://www.imsglobal.org/spec/security/v1p0.
"""

import json
import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from requests import RequestException

from ..core.names import some
from ..course.errors import CourseError
from ..course.folder import Course
from ..records.roster_file import Person, people_of
from ..records.sent_marks import same_points
from .column import Entry, Mark
from .keys import read_keys
from .registration import Registration
from .session import SECONDS, NoReply, PlatformError, as_documented, ask, data_of, pages, patient

ROSTER = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
RESULTS = "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly"
LINE_ITEMS = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
CUSTOM = "https://purl.imsglobal.org/spec/lti/claim/custom"
MEMBERS_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
RESULTS_TYPE = "application/vnd.ims.lis.v2.resultcontainer+json"
LINE_ITEMS_TYPE = "application/vnd.ims.lis.v2.lineitemcontainer+json"
LINE_ITEM_TYPE = "application/vnd.ims.lis.v2.lineitem+json"
SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"
LEARNERS = ("Learner", "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner")
# The claims of a launch that can name a user -> the same field of a member.
CLAIMS = {"sub": "user_id", "ext.user_username": "ext_user_username", "lis.person_sourcedid": "lis_person_sourcedid"}
TOTAL = {"label": "Syncpoint: course total", "tag": "syncpoint-total"}  # the tag identifies it later
ALREADY_THERE = 409  # the platform has a score with this time or a later one


def connect(course: Course, at: Registration, *scopes: str) -> OAuth2Session:
    """Return a session with an access token, which it renews when that expires. Raises NoReply or PlatformError."""
    key, _ = read_keys(course)
    session = patient(
        OAuth2Session(
            at.client_id,
            key,
            token_endpoint_auth_method="private_key_jwt",
            token_endpoint=at.token_url,
            grant_type="client_credentials",
            scope=" ".join(scopes),
            default_timeout=SECONDS,
        )
    )
    session.register_client_auth_method(PrivateKeyJWT(at.token_url, headers={"kid": key.kid}))
    try:
        session.fetch_token(at.token_url, grant_type="client_credentials")
    except RequestException as problem:
        raise NoReply(f"{at.token_url} does not answer: {problem}") from None
    except (AuthlibBaseError, ValueError) as problem:
        raise PlatformError(
            f"{at.token_url} gives no access token ({problem}): check that the platform has the course's public keys "
            "and allows the tool to use its services (docs/how-to/lti.md)."
        ) from None
    return session


class LtiColumn:
    """A line item; without an address it does not exist yet."""

    kind = "lti"
    excuses = complete = False

    def __init__(self, session: OAuth2Session, place: str):
        self.place = place
        self._session = session
        self._granted = str(session.token.get("scope") or f"{SCORE} {RESULTS}").split()

    def entries(self, possible: float) -> Mapping[str, Entry] | None:
        """Return the results: people with a mark.  None if the platform does not let us read them."""
        if self.place and RESULTS not in self._granted:
            return None
        return {one.user: one for one in self._results(possible)} if self.place else {}

    def write(self, user: str, mark: Mark) -> None:
        """Send a score. A score without points removes an earlier one."""
        score: dict[str, Any] = {
            "userId": user,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "activityProgress": "Completed",
            "gradingProgress": "NotReady" if mark.points is None else "FullyGraded",
        }
        if mark.points is not None:
            score |= {"scoreGiven": mark.points, "scoreMaximum": mark.possible, "comment": mark.comment}
        try:
            ask(self._session, "POST", _below(self.place, "scores"), json=score, headers={"Content-Type": SCORE_TYPE})
        except PlatformError as problem:
            # The answer to an earlier attempt was lost, but the score arrived.
            if problem.status != ALREADY_THERE or RESULTS not in self._granted:
                raise
            there = next(self._results(mark.possible, user), Entry(user)).points
            if not same_points(there, mark.points):
                raise

    def _results(self, possible: float, user: str = "") -> Iterator[Entry]:
        options = {"params": {"user_id": user}} if user else {}
        accept = {"Accept": RESULTS_TYPE}
        for page in pages(self._session, _below(self.place, "results"), headers=accept, **options):
            for one in page:
                if user in ("", str(one["userId"])):
                    yield Entry(str(one["userId"]), _points(one, possible))


def column_of(course: Course, at: Registration, assignment: str) -> LtiColumn:
    """Return the platform's column for the link of an assignment, or raise CourseError or PlatformError."""
    columns = at.columns.get(assignment, {})
    if not columns:
        raise CourseError(
            f"no link to {assignment} with a column for marks has been opened on the platform yet: create the link, "
            "allow grades for it, and open it once as a teacher (docs/how-to/lti.md)."
        )
    if len(columns) > 1:
        raise CourseError(
            f"{assignment} has several links on the platform, each with its own column: {some(columns)}. Delete all "
            f"but one of the links, and remove their columns from {course.root / '.syncpoint' / 'lti' / 'course.json'}."
        )
    (place,) = columns
    sharing = [name for name, places in at.columns.items() if place in places]
    if len(sharing) > 1:
        raise CourseError(
            f"{some(sharing)} have the same column on the platform, {place}: a link was changed from one to the other. "
            f"Remove the column of the wrong one from {course.root / '.syncpoint' / 'lti' / 'course.json'}."
        )
    return LtiColumn(connect(course, at, SCORE, RESULTS), place)


def total_column(course: Course, at: Registration, possible: float, make: bool) -> LtiColumn:
    """Return the total's column; else one without an address or, with ``make``, a new one. Raises SyncpointError."""
    if not at.line_items:
        raise CourseError(
            "the platform has not sent the address of its columns: allow the tool to manage columns (in Moodle: grade "
            "sync and column management), then open a link again."
        )
    session = connect(course, at, LINE_ITEMS, SCORE, RESULTS)
    options = {"params": {"tag": TOTAL["tag"]}, "headers": {"Accept": LINE_ITEMS_TYPE}}
    with as_documented(at.line_items):
        rows = [one for page in pages(session, at.line_items, **options) for one in page]
        found = [str(one["id"]) for one in rows if one.get("tag") == TOTAL["tag"]]
        if not found and make:
            new = json.dumps({**TOTAL, "scoreMaximum": possible})
            answer = ask(session, "POST", at.line_items, data=new, headers={"Content-Type": LINE_ITEM_TYPE})
            found = [str(data_of(answer)["id"])]
    if len(found) > 1:
        raise CourseError(
            f"the platform has several columns for the course total: delete all but one of {some(found)}."
        )
    if any(urlsplit(place)[:2] != urlsplit(at.line_items)[:2] for place in found):
        raise PlatformError(f"the platform's column for the course total is on another server: {found[0]}.")
    return LtiColumn(session, found[0] if found else "")


def read_members(course: Course, at: Registration) -> tuple[Person, ...]:
    """Return the students of the course on the platform, for :func:`syncpoint.records.roster.enrol`.

    Their id is their name on the hub when they open a link.  If the platform does not send it for everybody, students
    are matched only by an exact id, because they can change their email addresses.

    Raises:
        CourseError: If the platform gives the hub no roster.
        PlatformError: If it does not answer, or if the answer is not a roster.
    """
    if not at.memberships:
        raise CourseError("the platform sends no roster: allow Names and Roles for the tool, then open a link again.")
    links = [link for columns in at.columns.values() for link in columns.values() if link]
    custom = at.user.startswith("custom.") and links
    options = {"params": {"rlid": links[0]}} if custom else {}  # custom parameters exist only with a link
    session = connect(course, at, ROSTER)
    found: list[dict[str, str]] = []
    for page in pages(session, at.memberships, headers={"Accept": MEMBERS_TYPE}, **options):
        with as_documented(at.memberships):
            found += [_fields(member, at.user) for member in page["members"] if _is_student(member)]
    named = all(one["id"] for one in found)
    if not named:
        found = [{**one, "id": "", "email": ""} for one in found]
    return people_of("the platform's roster", list(enumerate(found, 1)), named)


def _is_student(member: Mapping[str, Any]) -> bool:
    roles = member["roles"]
    return member.get("status", "Active") == "Active" and any(role in LEARNERS for role in roles)


def _fields(member: Mapping[str, Any], user: str) -> dict[str, str]:
    def text(key: str) -> str:
        return str(member.get(key) or "").strip()

    first, last = text("given_name"), text("family_name")
    if not (first or last):
        first, _, last = text("name").rpartition(" ")
    return {
        "id": _user_in(member, user),
        "first_name": first.strip(),
        "last_name": last,
        "email": text("email"),
        "school_id": text("lis_person_sourcedid"),
        "login": text("ext_user_username"),
        "lti": str(member["user_id"]),
    }


def _user_in(member: Mapping[str, Any], claim: str) -> str:
    if claim.startswith("custom."):
        found: dict[str, Any] = next((one[CUSTOM] for one in member.get("message") or () if CUSTOM in one), {})
        return str(found.get(claim.removeprefix("custom.")) or "")
    return str(member.get(CLAIMS[claim]) or "")


def _points(result: Mapping[str, Any], possible: float) -> float | None:
    score, most = result.get("resultScore"), result.get("resultMaximum") or 1
    points = None if score is None else float(score) / float(most) * possible
    if points is not None and not math.isfinite(points):
        raise ValueError(f"{score} of {most} is not a mark")
    return points


def _below(place: str, name: str) -> str:
    """Return an address below a line item, whose own address may have a query."""
    parts = urlsplit(place)
    return parts._replace(path=f"{parts.path.rstrip('/')}/{name}").geturl()
