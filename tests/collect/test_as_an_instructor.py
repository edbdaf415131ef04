"""A class of six on each platform as its instructor has it: the roster that it exports, then its download, by commands.

There are two students of one name, accents, late work, second attempts, zip files, and files that other systems add.
"""

import csv
import io
import re
import shutil
import subprocess
import unicodedata
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from classroom import ROOT
from generated_class import empty_gradebook
from nbgrader.api import Gradebook
from test_collect_schools import Files, zipped
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.exports import BlackboardExport, BrightspaceExport, CanvasExport, MoodleExport

PEOPLE = {
    "ada": ("Ada", "Lovelace"),
    "bob": ("Bób", "Byron"),
    "jorg": ("Jörg", "Müßig"),
    "li1": ("Wei", "Li"),
    "li2": ("Wei", "Li"),
    "zoe": ("Zoë", "O'Neill Quill"),
}
EVERYBODY = set(PEOPLE)
NAMESAKES = {"li1", "li2"}


@dataclass(frozen=True)
class School:
    """A platform's files."""

    roster: str
    download: Files
    encoding: str = "utf-8"
    ids: Mapping[str, str] = field(default_factory=dict)  # of the gradebook, if they are not the names above
    options: tuple[str, ...] = ()
    asks: Mapping[str, str] = field(default_factory=dict)  # by sender, whom a person has to name
    late: str = ""  # a word of the report on late work


def rows(head: str, line: str, *more: str, **columns: str) -> str:
    """A CSV file: a line for each student."""
    made = [
        line.format(login=login, first=names[0], last=names[1], number=number, **columns)
        for number, (login, names) in enumerate(PEOPLE.items(), 101)
    ]
    return "\n".join([head, *more, *made, ""])


def work(login: str, again: str = "") -> str:
    return f'{{"cells": [], "metadata": {{"of": "{login}{again}"}}, "nbformat": 4, "nbformat_minor": 5}}'


def canvas() -> School:
    names = {
        "ada": "lovelaceada",
        "bob": "byronbób_LATE",
        "jorg": "müßigjörg",
        "li1": "liwei",
        "li2": "liwei",
        "zoe": "oneillquillzoë",
    }
    files = {
        f"{names[login]}_{number}_{9000 + number}_work.ipynb": work(login) for number, login in enumerate(PEOPLE, 101)
    }
    files["lovelaceada_101_9001_work-1.ipynb"] = files.pop("lovelaceada_101_9101_work.ipynb")  # her second attempt
    files["oneillquillzoë_106_9200_data.zip"] = zipped({"data.csv": "1"})
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (4711),Current Score"
    line = '"{last}, {first}",{number},s{number},{login},01,,'
    return School(
        rows(head, line, ",,,,,Manual Posting,", "    Points Possible,,,,,10,(read only)"),
        files,
        "utf-8-sig",
        late="Canvas marks bob as late",
    )


def moodle() -> School:
    files = {
        f"{first} {last}_{number}_assignsubmission_file/work.ipynb": work(login)
        for number, (login, (first, last)) in enumerate(PEOPLE.items(), 2001)
    }
    files["Zoë O'Neill Quill_2006_assignsubmission_onlinetext/onlinetext.html"] = "Hello"
    head = "Vorname;Nachname;ID-Nummer;Institution;Abteilung;E-Mail-Adresse;Aufgabe: HW 1 (Punkte);Zuletzt"
    ids = {login: f"{login}@school.example" for login in PEOPLE}
    asks = {"Wei Li_2004": ids["li1"], "Wei Li_2005": ids["li2"]}
    return School(rows(head, "{first};{last};;;;{login}@school.example;-;1"), files, ids=ids, asks=asks)


def blackboard() -> School:
    files: dict[str, str | bytes] = {}
    for login, (first, last) in PEOPLE.items():
        for day in (1, 2) if login == "ada" else (1,):
            start = f"HW_1_{login}_attempt_2026-03-0{day}-23-59-10"
            files[f"{start}.txt"] = f"Name: {first} {last} ({login})\nAssignment: HW_1\n"
            files[f"{start}_work.ipynb"] = work(login, "" if day == 2 or login != "ada" else " before")
    head = '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Availability"\t"HW 1 [Total Pts: 10] |12"'
    return School(rows(head, '"{last}"\t"{first}"\t"{login}"\t"s{number}"\t"Yes"\t""'), files, "utf-16")


def brightspace() -> School:
    files = {
        f"{number}-640 - {first} {last} - Mar 1, 2026 1159 PM/work.ipynb": work(login)
        for number, (login, (first, last)) in enumerate(PEOPLE.items(), 5001)
    }
    files["5001-640 - Ada Lovelace - Mar 1, 2026 901 AM/work.ipynb"] = work("ada", " before")
    files["index.html"] = "<html>"
    head = "OrgDefinedId,Username,Last Name,First Name,Email,HW 1 <Numeric MaxPoints:10>,End-of-Line Indicator"
    asks = {"5004-640 - Wei Li": "li1", "5005-640 - Wei Li": "li2"}
    return School(rows(head, "#s{number},#{login},{last},{first},{login}@x.org,,#"), files, asks=asks)


def ilias_folders() -> dict[str, str]:
    plain = str.maketrans({"ö": "oe", "ü": "ue", "ß": "ss", "ó": "o", "ë": "e"})
    return {
        login: f"{last}_{first}_{login}_{number}".translate(plain)
        for number, (login, (first, last)) in enumerate(PEOPLE.items(), 7001)
    }


def ilias() -> School:
    files = {f"HW 1/{folder}/work.ipynb": work(login) for login, folder in ilias_folders().items()}
    files["HW 1/Byron_Bob_bob_7002/Verspaetete Abgabe - work.ipynb"] = files.pop("HW 1/Byron_Bob_bob_7002/work.ipynb")
    files["HW 1/HW_1.xlsx"] = "PK"
    head = "Role/Status;Login;First name;Last name;E-Mail;Matriculation number"
    line = "Course Member;{login};{first};{last};{login}@x.org;{number}"
    return School(rows(head, line), files, late="ILIAS marks bob as late")


def gradescope() -> School:
    files, about = {}, []
    for number, (login, (first, last)) in enumerate(PEOPLE.items(), 101):
        files[f"assignment_7_export/submission_{number}/work.ipynb"] = work(login)
        about.append(
            f"submission_{number}:\n  :submitters:\n  - :name: {first} {last}\n    :sid: '{number}'\n"
            f"    :email: {login}@x.org\n  :created_at: 2026-03-01 12:00:00.123456789 Z\n  :score: 0.0\n"
        )
    files["assignment_7_export/submission_metadata.yml"] = "".join(about)
    line = "{first},{last},{number},{login}@x.org,Student,"
    ids = {login: str(number) for number, login in enumerate(PEOPLE, 101)}
    return School(
        rows("First Name,Last Name,SID,Email,Role,Sections", line, "Ines,Teacher,,i@x.org,Instructor,"), files, ids=ids
    )


def github() -> School:
    files = {f"hw-submissions/hw-{login}-gh/work.ipynb": work(login) for login in PEOPLE}
    files["hw-submissions/hw-ada-gh/.git/config"] = "[core]"
    return School(rows("identifier,github_username,github_id,name", '"{login}","{login}-gh","{number}",""'), files)


def google() -> School:
    files = {
        f"{first} {last} - work.ipynb": work(login) for login, (first, last) in PEOPLE.items() if login not in NAMESAKES
    }
    files |= {"Wei Li - work.ipynb": work("li1"), "Wei Li - work (1).ipynb": work("li2")}
    ids = {login: f"{login}@x.org" for login in PEOPLE}
    text = rows(
        "Last Name,First Name,Email Address,HW 1", "{last},{first},{login}@x.org,", "Date,,,2026-03-01", "Points,,,10"
    )
    return School(
        text,
        {f"Homework 1/{name}": one for name, one in files.items()},
        ids=ids,
        options=("--believe-names",),
        asks={"Wei Li - work.ipynb": ids["li1"], "Wei Li - work (1).ipynb": ids["li2"]},
    )


SCHOOLS = {
    school.__name__: school for school in (canvas, moodle, blackboard, brightspace, ilias, gradescope, github, google)
}


@dataclass(frozen=True)
class Course:
    root: Path

    def syncpoint(self, *words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, [*words, "--course", str(self.root)])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.exit_code, done.output

    def work(self) -> dict[str, str]:
        """What is in each student's notebook."""
        return {path.parents[1].name: path.read_text() for path in self.root.glob("submitted/*/async/work.ipynb")}


class OfWindows(zipfile.ZipInfo):
    """An entry whose name is in the encoding of Windows in Western Europe, of which the file says nothing."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode("cp850"), self.flag_bits & ~0x800


def imported(name: str, text: str) -> dict[str, str]:
    """What each platform's import enters, by the login of the person: it looks for the person and for the column."""
    quoted = all(line.startswith('"') and line.endswith('"') for line in text.splitlines())
    head, *lines = csv.reader(io.StringIO(text, newline=""))
    lines = [dict(zip(head, line, strict=True)) for line in lines]
    by = dict(enumerate(PEOPLE, 101))
    match name:
        case "canvas":
            assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
            assert lines.pop(0) == {**dict.fromkeys(head, ""), "Student": "Points Possible", "Homework 1 (4711)": "10"}
            return {by[int(line["ID"])]: line["Homework 1 (4711)"] for line in lines}
        case "moodle":  # Map from: Email address, because this school has no ID numbers
            return {line["Email address"].removesuffix("@school.example"): line["HW 1"] for line in lines}
        case "blackboard":
            assert quoted
            return {line["Username"]: line["HW 1 [Total Pts: 10] |12"] for line in lines}
        case "brightspace":
            assert head[-1] == "End-of-Line Indicator" and all(line[head[-1]] == "#" for line in lines)
            return {line["Username"]: line["HW 1 Points Grade"] for line in lines}
    return {}


def as_downloaded(folder: Path, files: Files) -> Path:
    (folder / "download.zip").write_bytes(zipped(files))
    return folder / "download.zip"


def unpacked(folder: Path, files: Files) -> Path:
    with zipfile.ZipFile(as_downloaded(folder, files)) as file:
        file.extractall(folder / "Homework 1")
    return folder / "Homework 1"


def packed_again_on_a_mac(folder: Path, files: Files) -> Path:
    again = {unicodedata.normalize("NFD", f"Homework 1/{name}"): content for name, content in files.items()}
    again |= {f"__MACOSX/{name.replace('/', '/._')}": b"\0\5\x16\7" for name in again} | {"Homework 1/.DS_Store": b"\0"}
    return as_downloaded(folder, again)


def packed_again_on_windows(folder: Path, files: Files) -> Path:
    with zipfile.ZipFile(folder / "Homework 1 (2).zip", "w") as file:
        for name, content in files.items():
            file.writestr(OfWindows(f"Homework 1/{name}"), content)
    return folder / "Homework 1 (2).zip"


WAYS = {way.__name__: way for way in (as_downloaded, unpacked, packed_again_on_a_mac, packed_again_on_windows)}


@pytest.fixture
def course(tmp_path: Path) -> Course:
    root = tmp_path / "course"
    (root / "source" / "async").mkdir(parents=True)
    (root / "source" / "async" / "work.ipynb").write_text(work(""))
    shutil.copy(ROOT / "nbgrader_config.py", root)
    (root / "gradebook.db").write_bytes(empty_gradebook())
    return Course(root)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SCHOOLS)
def test_a_class_of_six_gets_in_by_the_two_commands_of_the_documentation(
    course: Course, tmp_path: Path, name: str, way: str
):
    school = SCHOOLS[name]()
    if name == "github":  # its roster only adds to one that is there
        (tmp_path / "mine.csv").write_text(rows("id,first name,last name", "{login},{first},{last}"))
        assert course.syncpoint("roster", str(tmp_path / "mine.csv"))[0] == 0
    (tmp_path / "roster.csv").write_text(school.roster, encoding=school.encoding)
    status, output = course.syncpoint("roster", str(tmp_path / "roster.csv"))
    assert status == 0, output
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        there = {student.id: (student.first_name, student.last_name) for student in gradebook.students}
    ids = {login: school.ids.get(login, login) for login in PEOPLE}
    assert there == {ids[login]: names for login, names in PEOPLE.items()}

    download = str(WAYS[way](tmp_path, school.download))
    status, output = course.syncpoint("collect", download, "async", *school.options)
    found = EVERYBODY - NAMESAKES if school.asks else EVERYBODY
    assert course.work() == {ids[login]: work(login) for login in found}, output
    assert school.late in output
    assert {who for who in school.asks if f"unmatched {who!r}" in output} == {*school.asks}
    pairs = [f"--match={sender}={student}" for sender, student in school.asks.items() if student]
    if pairs:
        status, output = course.syncpoint("collect", download, "async", *school.options, *pairs)
        assert course.work() == {ids[login]: work(login) for login in PEOPLE}, output
    assert status == 0, output


EXPORTS = {
    "canvas": (CanvasExport, {"async": "Homework 1 (4711)"}),
    "moodle": (MoodleExport, {"async": "HW 1"}),
    "blackboard": (BlackboardExport, {"async": "HW 1 [Total Pts: 10] |12"}),
    "brightspace": (BrightspaceExport, {"async": "HW 1"}),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_the_marks_of_a_class_of_six_get_out_again(course: Course, tmp_path: Path, name: str):
    school, (kind, titles) = SCHOOLS[name](), EXPORTS[name]
    (tmp_path / "roster.csv").write_text(school.roster, encoding=school.encoding)
    assert course.syncpoint("roster", str(tmp_path / "roster.csv"))[0] == 0
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        gradebook.add_assignment("async")
        gradebook.add_notebook("work", "async")
        gradebook.add_grade_cell("test_a", "work", "async", max_score=10, cell_type="code")
        for points, login in enumerate(PEOPLE):
            if login != "zoe":  # who has submitted nothing
                gradebook.add_submission("async", school.ids.get(login, login))
                grade = gradebook.find_grade("test_a", "work", "async", school.ids.get(login, login))
                grade.auto_score, grade.needs_manual_grade = points + 0.5, False
        gradebook.db.commit()
        kind(to=str(tmp_path / "marks.csv"), titles=titles).export(gradebook)
    marks = imported(name, (tmp_path / "marks.csv").read_bytes().decode("utf-8"))
    nothing = "-" if name == "moodle" else ""
    assert marks == {"ada": "0.5", "bob": "1.5", "jorg": "2.5", "li1": "3.5", "li2": "4.5", "zoe": nothing}


def test_the_feedback_pages_of_a_class_go_into_the_folders_of_ilias(tmp_path: Path):
    page = (ROOT / "docs" / "how-to" / "collect-and-export.md").read_text(encoding="utf-8")
    commands = next(block for block in re.findall(r"```bash\n(.*?)```", page, re.DOTALL) if "multi_feedback" in block)
    for login, folder in ilias_folders().items():
        (tmp_path / "multi_feedback_HW_1_17" / folder).mkdir(parents=True)
        (tmp_path / "feedback" / login / "async").mkdir(parents=True)
        (tmp_path / "feedback" / login / "async" / "work.html").write_text(login)
    subprocess.run(["bash", "-e", "-c", commands], cwd=tmp_path, check=True, capture_output=True)
    with zipfile.ZipFile(tmp_path / "feedback.zip") as made:
        pages = {name: made.read(name).decode() for name in made.namelist() if not name.endswith("/")}
    assert pages == {f"multi_feedback_HW_1_17/{folder}/work.html": login for login, folder in ilias_folders().items()}
