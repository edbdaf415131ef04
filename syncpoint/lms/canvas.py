"""Canvas's own API, without installing a tool there: https://canvas.instructure.com/doc/api/submissions."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from requests import Session

from .column import Entry, Mark, unique
from .session import PlatformError, ask, data_of, pages, patient

PAGE = re.compile(r"(https?://[^/?#]+)/courses/([0-9]+)/assignments/([0-9]+)/?")
IDENTITIES = {"lms_user_id": "id", "school_id": "sis_user_id", "login": "login_id"}  # by the name in the roster


class CanvasColumn:
    """The assignment of Canvas on a page; ``kind``, a key of IDENTITIES, is the roster's id of its users."""

    excuses = complete = True

    def __init__(self, page: re.Match[str], token: str, kind: str):
        site, course, assignment = page.groups()
        self.place, self.kind = page[0], kind
        self._address = f"{site}/api/v1/courses/{course}/assignments/{assignment}"
        self._identity = IDENTITIES[kind]
        self._session = patient(Session())
        self._session.headers["Authorization"] = f"Bearer {token}"

    def entries(self, possible: float) -> Mapping[str, Entry]:
        about = data_of(ask(self._session, "GET", self._address))
        if about.get("group_category_id") and not about.get("grade_group_students_individually"):
            raise PlatformError(
                f"{self.place} gives each mark to the whole group of a student: choose 'Assign Grades to Each Student "
                "Individually' there."
            )
        most = about["points_possible"]
        if most != possible:
            raise PlatformError(
                f"{self.place} has {most} points, and marks are out of {possible:g}: enter {possible:g} there."
            )
        found = []
        query = {"per_page": "100", "include[]": "user"}
        for page in pages(self._session, f"{self._address}/submissions", params=query):
            for one in page:
                score, user = one["score"], one["user"]
                id = user.get(self._identity)
                if id and one["user_id"] == user["id"]:
                    points = None if score is None else float(score)
                    name, excused = str(user.get("name", "")), bool(one.get("excused"))
                    found.append((str(id), Entry(str(user["id"]), points, name, excused)))
        return unique(found)

    def write(self, user: str, mark: Mark) -> None:
        grade = "" if mark.points is None else f"{mark.points:.10g}"
        fields = {"submission[excuse]": "true"} if mark.excused else {"submission[posted_grade]": grade}
        if mark.comment:
            fields["comment[text_comment]"] = mark.comment
        address = f"{self._address}/submissions/{quote(user, safe='')}"
        if str(data_of(ask(self._session, "PUT", address, data=fields))["user_id"]) != user:
            raise PlatformError(f"{self.place} did not confirm the mark.")
