"""The roster: safe to repeat, never removes anybody, and says in which line something is wrong."""

import io
import os
import shutil
from pathlib import Path

import pytest
from classroom import BIN, ROOT, SmallCourse
from nbgrader.api import Gradebook

from syncpoint.collect.match import match
from syncpoint.course.errors import CourseError
from syncpoint.platforms import read_download
from syncpoint.platforms.download import Member
from syncpoint.records.gradebook import gradebook_at
from syncpoint.records.roster import Enrolment, describe, enrol
from syncpoint.records.roster_file import Person, read_roster
from syncpoint.records.student_details import groups, student_ids

ROSTER = """id,first name,last name,email,LMS id
ada,Ada,"Lovelace, Countess",ada@example.org,00101
bob,Bób,Ünal,bob@example.org,102
"""
PEOPLE = (
    Person(2, "ada", "Ada", "Lovelace, Countess", "ada@example.org", "00101"),
    Person(3, "bob", "Bób", "Ünal", "bob@example.org", "102"),
)


@pytest.fixture
def write(tmp_path: Path):
    """A roster with this content."""

    def write_roster(content: str | bytes) -> Path:
        path = tmp_path / "roster.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_roster


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook that knows ada by her id alone, and eve."""
    path = tmp_path_factory.mktemp("known") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(BIN), prepend=os.pathsep)  # nbgrader calls alembic as a program
        with gradebook_at(f"sqlite:///{path}") as gradebook:
            gradebook.add_student("ada")
            gradebook.add_student("eve", first_name="Eve", lms_user_id="666")
    return path


@pytest.fixture
def gradebook(known: Path, tmp_path: Path):
    """A gradebook that knows ada and eve, for this test alone."""
    with Gradebook(f"sqlite:///{shutil.copy(known, tmp_path)}") as gradebook:
        yield gradebook


def reopened(gradebook: Gradebook) -> dict[str, tuple[str | None, ...]]:
    """Return the content of the database."""
    with Gradebook(str(gradebook.engine.url)) as again:
        return {s.id: (s.first_name, s.last_name, s.email, s.lms_user_id) for s in again.students}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_commas_with_and_without_a_byte_order_mark(write, encoding: str, ending: str):
    assert read_roster(write(ROSTER.replace("\n", ending).encode(encoding))) == PEOPLE


def test_semicolons(write):
    text = ROSTER.replace('"Lovelace, Countess"', "Lovelace/ Countess").replace(",", ";").replace("/", ",")
    assert read_roster(write(text)) == PEOPLE


def test_columns_stand_in_any_order_and_may_be_missing_but_the_id(write):
    assert read_roster(write("LMS_user_ID, ID\n7,ada\n\n,bob\n")) == (
        Person(2, "ada", lms_user_id="7"),
        Person(4, "bob"),
    )


@pytest.mark.parametrize(
    ("content", "output"),
    [
        ("id,points\nada,3\n", "line 1: unknown column 'points'"),
        ("first name,points\nAda,3\n", "line 1: no column is named id"),
        ("", "line 1: no column is named id"),
        ("id,email,email address\nada,a,b\n", "line 1: two columns have the same name"),
        ("id,email\nada,a@b\nbob\n", "line 3: 1 values for 2 columns"),
        ("id,email\nada,a@b\n ,c@d\n", "line 3: the id is missing"),
        ("id\nada\nbob\nada\n", "line 4: the id 'ada' is also in line 2"),
        ("id,LMS id\nada,7\nbob,7\n", "line 3: the LMS id '7' is also in line 2"),
        ("id\n../ada\n", "line 2: the id '../ada' cannot be used as the name of the student's folder"),
        ("id,email\nada,a\0b\n", "line 2: 'a\\\\x00b' contains a character that is not text"),
        ("id\nada\nada\u200b\n", r"line 3: the id 'ada\\u200b' contains an invisible character; type it again"),
        ("id,LMS id\nada,\u20667\n", r"line 2: the LMS id '\\u20667' contains an invisible character"),
        (f"id\n{'a' * 129}\n", "line 2: .* is longer than 128 characters"),
        ('id,email\nada,"a@b\n', "line 2: this is not CSV"),
        (b"id,first name\nada,Ada\nbob,B\xf3b\n", "line 3: this is not UTF-8"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(write, content: str | bytes, output: str):
    with pytest.raises(CourseError, match=rf"roster\.csv, {output}"):
        read_roster(write(content))


def test_names_may_hold_characters_that_join_their_neighbors(write):
    (person,) = read_roster(write("id,first name\nada,\u0646\u06cc\u200c\u0645\n"))
    assert "\u200c" in person.first_name


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(CourseError, match=r"cannot read .*nowhere\.csv"):
        read_roster(tmp_path / "nowhere.csv")


CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (4711),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,10,(read only)
"Lovelace, Ada",101,s1,ada@x.org,01,7,70
"Byron, Bób",102,s2,bob@x.org,01,,
"Student, Test",999,,4f7c,01,,
"""
MOODLE = {
    "en": "First name,Last name,ID number,Institution,Department,Email address,Assignment: HW 1 (Real),Last downloaded",
    "de": "Vorname,Nachname,ID-Nummer,Institution,Abteilung,E-Mail-Adresse,Aufgabe: HW 1 (Punkte),Zuletzt geladen",
    "fr": "Prénom,Nom de famille,Numéro d\u2019identification,Institution,Département,Adresse de courriel,Devoir,x",
    "pt": "Nome,Sobrenome,Número de identificação,Instituição,Departamento,Endereço de email,Tarefa: HW 1 (Real),x",
    "zh": "名,姓氏,学号,机构,院系,电子邮件地址,作业: HW 1,x",
}
CANVAS_IN_TWO_COLUMNS = """\
\ufeffLastName;FirstName;ID;SIS Login ID;Section;Homework 1 (4711)
;;;;;Manual Posting
    Points Possible;;;;;10
Lovelace;Ada;101;ada@x.org;01;7
Byron;Bób;102;bob@x.org;01;N/A
Student;Test;999;;01;
"""
GRADESCOPE = """\
First Name,Last Name,SID,Email,Role,Sections
Ada,Lovelace,s1,ada@x.org,Student,A
Bób,Byron,s2,bob@x.org,Student,
Ines,Teacher,,ines@x.org,Instructor,
Tom,Helper,s9,tom@x.org,TA,
"""
GOOGLE = """\
Last Name,First Name,Email Address,Homework 1
Date,,,2026-03-01
Points,,,10
Class Average,,,7
Lovelace,Ada,ada@x.org,7
Date,Bób,bob@x.org,
"""
BRIGHTSPACE = """\
OrgDefinedId,Username,Last Name,First Name,Email,HW 1 Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator
#s1,#ada,Lovelace,Ada,ada@x.org,7,#
#s2,#bob,Byron,Bób,bob@x.org,,#
"""
BLACKBOARD = """\
"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\t"HW 1 [Total Pts: 10 Score] |12"
"Lovelace"\t"Ada"\t"ada"\t"s1"\t"2026-03-01"\t"Yes"\t"7.00"
"Byron"\t"Bób"\t"bob"\t"s2"\t"2026-03-01"\t"Yes"\t""
"Test_PreviewUser"\t"Ines_PreviewUser"\t"ines_previewuser"\t""\t"2026-03-01"\t"Yes"\t""
"""
CLASSROOM = 'identifier,github_username,github_id,name\n"{}",adal,1,Countess\n{},bb,2,\ncy,,,\n'


def output(people: tuple[Person, ...]) -> list[tuple[str, ...]]:
    return [(p.id, p.first_name, p.last_name, p.email, p.lms_user_id, p.school_id, p.login) for p in people]


def test_a_gradebook_of_canvas_has_lines_about_nobody(write):
    assert output(read_roster(write(CANVAS))) == [
        ("ada@x.org", "Ada", "Lovelace", "", "101", "s1", "ada@x.org"),
        ("bob@x.org", "Bób", "Byron", "", "102", "s2", "bob@x.org"),
    ]


def test_a_gradebook_of_canvas_with_first_and_last_names_apart(write):
    assert output(read_roster(write(CANVAS_IN_TWO_COLUMNS))) == [
        ("ada@x.org", "Ada", "Lovelace", "", "101", "", "ada@x.org"),
        ("bob@x.org", "Bób", "Byron", "", "102", "", "bob@x.org"),
    ]


def test_a_roster_of_gradescope_has_teachers_who_are_not_enrolled(write):
    assert output(read_roster(write(GRADESCOPE))) == [
        ("s1", "Ada", "Lovelace", "ada@x.org", "", "s1", ""),
        ("s2", "Bób", "Byron", "bob@x.org", "", "s2", ""),
    ]
    with pytest.raises(CourseError, match="unknown column 'role'"):
        read_roster(write("id,role\nada,Student\n"))


def test_grades_of_google_classroom_have_lines_about_nobody(write):
    assert [person.fields() for person in read_roster(write(GOOGLE))] == [
        {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@x.org"},
        {"first_name": "Bób", "last_name": "Date", "email": "bob@x.org"},
    ]


@pytest.mark.parametrize("language", MOODLE)
@pytest.mark.parametrize(("encoding", "delimiter"), [("utf-8", ","), ("utf-16", ";"), ("utf-16-le", "\t")])
def test_a_gradebook_of_moodle_in_five_languages(write, language: str, encoding: str, delimiter: str):
    lines = [MOODLE[language], "Ada,Lovelace,s1,,,ada@x.org,7,1", "Bób,Byron,s2,,,bob@x.org,-,1"]
    if encoding == "utf-16-le" and language == "zh":
        lines[0] = lines[0].replace(
            "名,", "First name,", 1
        )  # what begins so and has no mark is told by its first letter
    text = "\n".join(lines).replace(",", delimiter)
    assert output(read_roster(write(text.encode(encoding)))) == [
        ("s1", "Ada", "Lovelace", "ada@x.org", "", "s1", ""),
        ("s2", "Bób", "Byron", "bob@x.org", "", "s2", ""),
    ]


def test_gradebooks_of_brightspace_and_blackboard(write):
    assert output(read_roster(write(BRIGHTSPACE)))[0] == ("ada", "Ada", "Lovelace", "ada@x.org", "", "s1", "ada")
    _, bob = output(read_roster(write(BLACKBOARD.encode("utf-16"))))  # and no student of a teacher's
    assert bob == ("bob", "Bób", "Byron", "", "", "s2", "bob")


def test_the_id_is_what_everybody_has(write):
    head = MOODLE["en"]
    people = read_roster(write(f"{head}\nAda,Lovelace,,,,ada@x.org,7,1\nBob,Byron,s2,,,bob@x.org,7,1\n"))
    assert [person.id for person in people] == ["ada@x.org", "bob@x.org"]
    with pytest.raises(CourseError, match="not everybody has one of school id, email, so none can be the id"):
        read_roster(write(f"{head}\nAda,Lovelace,,,,ada@x.org,7,1\nBob,Byron,s2,,,,7,1\n"))


def test_names_of_germans_and_portuguese_in_their_columns_and_in_one(write):
    assert read_roster(write("Name;Vorname;Matrikelnummer\nMüßig;Jörg;7\n"))[0].fields() == {
        "first_name": "Jörg",
        "last_name": "Müßig",
    }
    assert read_roster(write("Nome;Matrícula\nAda Augusta Lovelace;7\n"))[0].fields() == {
        "first_name": "Ada Augusta",
        "last_name": "Lovelace",
    }
    assert read_roster(write("姓名,学号\n王小明,7\n"))[0].fields() == {"last_name": "王小明"}


def test_a_class_of_canvas_that_submits_by_github_needs_nobody_to_say_who_is_who(gradebook: Gradebook, write):
    enrol(gradebook, read_roster(write(CANVAS)))
    done = enrol(gradebook, read_roster(write(CLASSROOM.format("Lovelace, Ada", "bob@x.org"))))
    assert (done.added, done.unknown) == ((), ("cy",))
    assert done.changed == {"ada@x.org": ("GitHub",), "bob@x.org": ("GitHub",)}
    assert "unknown  'cy': nobody in the gradebook has this id, email address or name" in describe(done)
    members = [Member((f"hw-{user}", "w.ipynb"), io.BytesIO) for user in ("adal", "bb", "s1", "eve")]
    students, ids = list(gradebook.students), student_ids(gradebook.db())
    found, unmatched = match(read_download(members).uploads, students, {}, ids=ids)
    assert {student: one.sender.shown for student, one in found.items()} == {
        "ada@x.org": "hw-adal",
        "bob@x.org": "hw-bb",
    }
    assert list(unmatched) == ["hw-s1", "hw-eve"]


def test_an_export_finds_the_students_who_are_there_already(gradebook: Gradebook, write):
    enrol(gradebook, [Person(2, "s1", "Ada", "Lovelace"), Person(3, "bob", email="BOB@x.org"), Person(4, "cy")])
    done = enrol(gradebook, read_roster(write(CANVAS)))
    assert (done.added, list(done.changed)) == ((), ["s1", "bob"])
    assert reopened(gradebook)["bob"] == ("Bób", "Byron", "BOB@x.org", "102")
    again = enrol(gradebook, read_roster(write(CANVAS)))
    assert again.left == ("s1", "bob")


def test_it_asks_about_a_new_student_with_the_name_of_one_who_is_there(gradebook: Gradebook, write):
    enrol(gradebook, [Person(2, "u17", "Lovelace", "ADA"), Person(3, "102")])
    done = enrol(gradebook, read_roster(write(CANVAS)))
    assert describe(done)[0] == "added    ada@x.org (the gradebook also has u17: is that somebody else?)"
    assert (done.added, list(done.changed)) == (("ada@x.org",), ["102"])


def test_it_asks_about_a_login_that_was_given_to_another_person(gradebook: Gradebook, write):
    enrol(gradebook, [Person(2, "ada", "Ada", "Li", "ada@x.org"), Person(3, "bob", "Bob", "Byron", "bob@x.org")])
    text = "First name,Last name,Username,Email\n{},Li,ada,{}@x.org\nBob,Byron-Shelley,bob,bob@x.org\n"
    done = enrol(gradebook, read_roster(write(text.format("Wei", "wei"))))
    assert done.strangers == ("ada",) and any(line.startswith("check    ada: the name has") for line in describe(done))
    assert enrol(gradebook, read_roster(write(text.format("Wei", "wei.li")))).strangers == ()


def test_a_list_of_ones_own_with_a_column_student_is_no_export_of_canvas(write):
    assert read_roster(write('id,student,email\nada,"Lovelace, Ada",a@x\n'))[0].id == "ada"


def test_a_school_id_is_the_lms_id_of_who_has_no_other(gradebook: Gradebook, write):
    enrol(gradebook, read_roster(write(BRIGHTSPACE)))
    enrol(gradebook, [Person(2, "bob", lms_user_id="102")])
    enrol(gradebook, read_roster(write(BRIGHTSPACE)))
    assert (reopened(gradebook)["ada"][-1], reopened(gradebook)["bob"][-1]) == ("s1", "102")


def test_what_may_be_two_students_is_refused_and_nothing_is_written(gradebook: Gradebook, write):
    enrol(gradebook, [Person(2, "s2", "Eve", "Goodman")])
    with pytest.raises(CourseError, match="line 5 of the roster: s2 has another name in the gradebook"):
        enrol(gradebook, read_roster(write(CANVAS)))
    enrol(gradebook, [Person(2, "x", lms_user_id="101"), Person(3, "y", email="ada@x.org")])
    before = reopened(gradebook)
    with pytest.raises(CourseError, match="line 4 of the roster: x, y may be meant; add a column id"):
        enrol(gradebook, read_roster(write(CANVAS)))
    enrol(gradebook, [Person(2, "x", github="adal")])
    with pytest.raises(CourseError, match="the GitHub 'adal' belongs to x"):
        enrol(gradebook, [Person(2, "y", github="adal")])
    assert reopened(gradebook) == before


def test_who_is_new_is_added_and_what_is_new_is_changed(gradebook: Gradebook):
    done = enrol(gradebook, PEOPLE)
    assert done == Enrolment(("bob",), {"ada": ("first name", "last name", "email", "LMS id")}, (), ("eve",))
    assert reopened(gradebook) == {
        "ada": ("Ada", "Lovelace, Countess", "ada@example.org", "00101"),
        "bob": ("Bób", "Ünal", "bob@example.org", "102"),
        "eve": ("Eve", None, None, "666"),
    }


def test_a_second_time_changes_nothing(gradebook: Gradebook):
    enrol(gradebook, PEOPLE)
    before = reopened(gradebook)
    with Gradebook(str(gradebook.engine.url)) as again:
        assert enrol(again, PEOPLE) == Enrolment((), {}, ("ada", "bob"), ("eve",))
    assert reopened(gradebook) == before


def test_what_the_roster_does_not_say_stays(gradebook: Gradebook):
    done = enrol(gradebook, [Person(2, "eve", email="eve@example.org")])
    assert done.changed == {"eve": ("email",)}
    assert reopened(gradebook)["eve"] == ("Eve", None, "eve@example.org", "666")


def test_an_lms_id_of_somebody_else_is_refused_and_nothing_is_written(gradebook: Gradebook):
    with pytest.raises(CourseError, match="line 3 of the roster: the LMS id '666' belongs to eve"):
        enrol(gradebook, [Person(2, "ada", "Ada"), Person(3, "bob", lms_user_id="666")])
    assert reopened(gradebook) == {"ada": (None, None, None, None), "eve": ("Eve", None, None, "666")}


def test_two_students_may_swap_their_lms_ids(gradebook: Gradebook):
    enrol(gradebook, [Person(2, "ada", lms_user_id="666"), Person(3, "eve", lms_user_id="7")])
    assert {name: values[-1] for name, values in reopened(gradebook).items()} == {"ada": "666", "eve": "7"}


def test_it_says_who_was_added_changed_and_left():
    done = Enrolment(("bob",), {"ada": ("email", "LMS id")}, ("cy", "di"), ("eve",))
    assert describe(done) == [
        "added    bob",
        "changed  ada: email, LMS id",
        "roster: 1 added, 1 changed, 2 unchanged; 1 more in the gradebook are kept.",
    ]


def test_it_asks_about_an_id_that_differs_from_a_known_one_only_in_case(gradebook: Gradebook):
    done = enrol(gradebook, [Person(2, "Eve"), Person(3, "bob")])
    assert describe(done)[:2] == ["added    Eve (the gradebook also has eve: is that somebody else?)", "added    bob"]


@pytest.mark.slow
def test_the_command_enrols_and_refuses_in_one_line(known: Path, write, tmp_path: Path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copy(known, tmp_path)
    done = SmallCourse(tmp_path).run("syncpoint", "roster", str(write("id;LMS id\nada;1\nbob;2\n")))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "added    bob",
        "changed  ada: LMS id",
        "roster: 1 added, 1 changed, 0 unchanged; 1 more in the gradebook are kept.",
    ]
    refused = SmallCourse(tmp_path).run("syncpoint", "roster", str(write("id\nada\nada\n")))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == f"syncpoint: {tmp_path}/roster.csv, line 3: the id 'ada' is also in line 2.\n"


@pytest.mark.parametrize(
    "ids", [("Zoe", "zoe"), ("b.o", "B.O"), ("MÜLLER", "müller"), ("\uff5aoe", "zoe"), ("s007", "s7")]
)
def test_it_asks_about_two_ids_of_one_roster_that_people_take_for_one(gradebook: Gradebook, ids: tuple[str, str]):
    output = describe(enrol(gradebook, [Person(2, ids[0]), Person(3, ids[1]), Person(4, "xenia")]))
    assert [line.endswith(": is that somebody else?)") for line in output[:3]] == [True, True, False]


def test_it_asks_about_addresses_that_people_take_for_one(gradebook: Gradebook):
    people = [Person(2, "u", email="Zoe@x.org"), Person(3, "v", email="zoe@x.org"), Person(4, "w", email="c@x.org")]
    output = describe(enrol(gradebook, people))
    assert [line for line in output if line.startswith("check")] == [
        "check    u, v: their email differs only in case, Unicode form or leading zeros: are they the same person?"
    ]


def test_a_student_is_in_one_group_which_a_later_roster_changes_or_takes_away(gradebook: Gradebook, write):
    def groups_after(text: str) -> dict[str, str]:
        enrol(gradebook, read_roster(write(text)))
        gradebook.db.expire_all()
        return groups(gradebook.db())

    assert groups_after("id,Group\nada,g1\neve,g1\n") == {"ada": "g1", "eve": "g1"}
    assert groups_after("id\nada\neve\n") == {"ada": "g1", "eve": "g1"}  # it does not speak of groups
    assert groups_after("id,gruppe\nada,g2\neve,\n") == {"ada": "g2"}
    with pytest.raises(CourseError, match="ada"):
        groups_after("id,group\nada,g1\nada,g2\n")
    # Canvas's file of a set of groups
    file = "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id\nEve,666,1,eve,S,Lab 1,7\n"
    assert groups_after(file)["eve"] == "Lab 1"
