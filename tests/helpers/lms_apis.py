"""Fakes of the parts of Canvas' and Moodle's own APIs that `syncpoint send-marks` uses, made after their documentation.

Canvas: https://canvas.instructure.com/doc/api/submissions.html and .../assignments.html.  Moodle: the definitions in
course/externallib.php, enrol/externallib.php and mod/assign/externallib.php of its source.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from lms_platform import serving

TOKEN = "1234~secret"
PAGE = 2


class Fake(BaseHTTPRequestHandler):
    """What both have in common."""

    people: list[dict[str, Any]]  # as the platform's users
    grades: dict[int, dict[str, Any]]  # by the platform's number
    comments: list[tuple[int, str]]
    most: float
    busy: int  # requests that are refused first
    addresses: list[str]

    def log_message(self, *arguments: Any) -> None:
        self.addresses.append(self.path)

    def _form(self) -> dict[str, str]:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        return {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}

    def _send(self, data: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        text = json.dumps(data).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _is_busy(self) -> bool:
        cls = type(self)
        cls.busy -= 1
        if cls.busy >= 0:
            self._send({"message": "busy"}, 429, {"Retry-After": "0"})
        return cls.busy >= 0


class FakeCanvas(Fake):
    """Course 7, assignment 42."""

    base = "/api/v1/courses/7/assignments/42"
    about: dict[str, Any]

    def do_GET(self) -> None:
        if not self._may():
            return
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == self.base:
            about = {"group_category_id": None, "grade_group_students_individually": False, **self.about}
            self._send({"id": 42, "name": "Homework", "points_possible": self.most, **about})
        elif parts.path == f"{self.base}/submissions" and query["include[]"] == "user":
            begin = int(query.get("page", 0)) * PAGE
            rows = [self._submission(user) for user in self.people[begin : begin + PAGE]]
            more = f"http://{self.headers['Host']}{parts.path}?include[]=user&per_page=2&page={begin // PAGE + 1}"
            there = begin + PAGE < len(self.people)
            self._send(rows, headers={"Link": f'<{more}>; rel="next"'} if there else {})
        else:
            self._send({"errors": [{"message": "The specified resource does not exist."}]}, 404)

    def do_PUT(self) -> None:
        form = self._form()
        if not self._may():
            return
        number = int(urlsplit(self.path).path.removeprefix(f"{self.base}/submissions/"))
        user = next(one for one in self.people if one["id"] == number)
        grade: dict[str, Any] = {"excused": form.get("submission[excuse]") == "true", "score": None}
        if form.get("submission[posted_grade]"):
            grade["score"] = float(form["submission[posted_grade]"])
        self.grades[number] = grade
        if "comment[text_comment]" in form:
            self.comments.append((number, form["comment[text_comment]"]))
        self._send(self._submission(user))

    def _may(self) -> bool:
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self._send({"errors": [{"message": "Invalid access token."}]}, 401)
            return False
        return not self._is_busy()

    def _submission(self, user: dict[str, Any]) -> dict[str, Any]:
        grade = self.grades.get(user["id"], {"score": None, "excused": False})
        return {"user_id": user["id"], "assignment_id": 42, "user": user, **grade}


class FakeMoodle(Fake):
    """The assignment of course module 57, in course 7."""

    def do_POST(self) -> None:
        form = self._form()
        if self._is_busy():
            return
        if form.pop("wstoken") != TOKEN:
            self._send({"exception": "moodle_exception", "errorcode": "invalidtoken", "message": "Invalid token"})
            return
        assert self.path == "/webservice/rest/server.php" and form.pop("moodlewsrestformat") == "json"
        self._send(getattr(self, form.pop("wsfunction"))(form))

    def core_course_get_course_module(self, form: dict[str, str]) -> Any:
        assert form == {"cmid": "57"}
        return {
            "cm": {"id": 57, "course": 7, "modname": "assign", "instance": 5, "name": "Homework", "grade": self.most},
            "warnings": [],
        }

    def core_enrol_get_enrolled_users(self, form: dict[str, str]) -> Any:
        assert form == {"courseid": "7"}
        return self.people

    def mod_assign_get_grades(self, form: dict[str, str]) -> Any:
        assert form == {"assignmentids[0]": "5"}
        grades = [
            {"id": number, "userid": number, "attemptnumber": 0, "grade": f"{one['grade']:.5f}", "grader": 2}
            for number, one in self.grades.items()
        ]
        return {"assignments": [{"assignmentid": 5, "grades": grades}], "warnings": []}

    def mod_assign_save_grade(self, form: dict[str, str]) -> Any:
        assert form["assignmentid"] == "5" and form["attemptnumber"] == "-1" and form["workflowstate"] == ""
        assert form["addattempt"] == form["applytoall"] == "0"
        number = int(form["userid"])
        if float(form["grade"]) <= self.most:  # else Moodle keeps the old grade, and says nothing
            self.grades[number] = {"grade": float(form["grade"])}
        self.comments.append((number, form["plugindata[assignfeedbackcomments_editor][text]"]))
        return None


@contextmanager
def running_fake(kind: type[Fake]) -> Iterator[type[Fake]]:
    """A fake with nobody in its course; ``kind.url`` is where it is."""
    state = {"people": [], "grades": {}, "comments": [], "most": 10.0, "busy": 0, "addresses": [], "about": {}}
    fake: Any = type(kind.__name__, (kind,), state)
    with serving(fake) as url:
        fake.url = url
        yield fake
