"""Moodle's own web services, without installing a tool there: https://docs.moodle.org/dev/Web_services.

The functions that a token must allow are in :data:`FUNCTIONS`.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from requests import Session

from .column import Entry, Mark, unique
from .session import PlatformError, ask, data_of, patient

PAGE = re.compile(r"(https?://[^?#]+?)/mod/assign/view\.php\?id=([0-9]+)")
IDENTITIES = {"lms_user_id": "id", "school_id": "idnumber", "login": "username"}  # by the name in the roster
FUNCTIONS = (
    "core_course_get_course_module",
    "core_enrol_get_enrolled_users",
    "mod_assign_get_grades",
    "mod_assign_save_grade",
)
HTML = 1  # FORMAT_HTML, which all Moodle editors write
NEWEST = -1  # attempt
NO_GRADE = -1


class MoodleColumn:
    """The assignment of Moodle on a page; ``kind``, a key of IDENTITIES, is the roster's id of its users."""

    excuses, complete = False, True

    def __init__(self, page: re.Match[str], token: str, kind: str):
        site, module = page.groups()
        self.place, self.kind = page[0], kind
        self._address = f"{site}/webservice/rest/server.php"
        self._module, self._token, self._identity = module, token, IDENTITIES[kind]
        self._assignment = ""
        self._session = patient(Session())

    def entries(self, possible: float) -> Mapping[str, Entry]:
        module = self._call("core_course_get_course_module", cmid=self._module)["cm"]
        if module.get("modname") != "assign":
            raise PlatformError(f"{self.place} is not an assignment.")
        if module.get("grade") != possible:
            raise PlatformError(
                f"{self.place} has {module.get('grade')} points, and marks are out of {possible:g}: enter "
                f"{possible:g} there."
            )
        self._assignment = str(module["instance"])
        answer = self._call("mod_assign_get_grades", **{"assignmentids[0]": self._assignment})
        grades = {
            str(one["userid"]): float(one["grade"])
            for of in answer["assignments"]
            for one in sorted(of["grades"], key=lambda grade: int(grade.get("attemptnumber", 0)))
            if str(of["assignmentid"]) == self._assignment and math.isfinite(float(one["grade"]))
        }
        found = []
        for user in self._call("core_enrol_get_enrolled_users", courseid=module["course"]):
            id, number = user.get(self._identity), str(user["id"])
            if id:
                grade = grades.get(number, NO_GRADE)
                points = grade if grade >= 0 else None
                found.append((str(id), Entry(number, points, str(user.get("fullname", "")))))
        return unique(found)

    def write(self, user: str, mark: Mark) -> None:
        """Save the grade of the newest attempt."""
        self._call(
            "mod_assign_save_grade",
            **{
                "assignmentid": self._assignment,
                "userid": user,
                # Moodle silently keeps the old grade if a new one is above the maximum.
                "grade": NO_GRADE if mark.points is None else f"{min(mark.points, mark.possible):.10g}",
                "attemptnumber": NEWEST,
                "addattempt": 0,
                "workflowstate": "",
                "applytoall": 0,
                "plugindata[assignfeedbackcomments_editor][text]": mark.comment,
                "plugindata[assignfeedbackcomments_editor][format]": HTML,
            },
        )

    def _call(self, function: str, **parameters: object) -> Any:
        """Call a function, or raise PlatformError. The token is in the body, because addresses appear in logs."""
        data = {"wstoken": self._token, "wsfunction": function, "moodlewsrestformat": "json", **parameters}
        answer = data_of(ask(self._session, "POST", self._address, data=data))
        if isinstance(answer, dict) and "exception" in answer:
            raise PlatformError(f"{self._address} refuses {function}: {answer.get('message', '')}")
        return answer
