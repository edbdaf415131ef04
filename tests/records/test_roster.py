"""The roster: safe to repeat, never removes anybody, and says in which line something is wrong."""

import os
import shutil
from pathlib import Path

import pytest
from classroom import BIN, ROOT, SmallCourse
from nbgrader.api import Gradebook

from syncpoint.course.errors import CourseError
from syncpoint.records.roster import Enrolment, Person, describe, enrol, read_roster

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
        with Gradebook(f"sqlite:///{path}") as gradebook:
            gradebook.add_student("ada")
            gradebook.add_student("eve", first_name="Eve", lms_user_id="666")
    return path


@pytest.fixture
def gradebook(known: Path, tmp_path: Path):
    """A gradebook that knows ada and eve, for this test alone."""
    with Gradebook(f"sqlite:///{shutil.copy(known, tmp_path)}") as gradebook:
        yield gradebook


def reopened(gradebook: Gradebook) -> dict[str, tuple[str | None, ...]]:
    """What the database holds."""
    with Gradebook(str(gradebook.engine.url)) as again:
        return {s.id: (s.first_name, s.last_name, s.email, s.lms_user_id) for s in again.students}


# --- the file -----------------------------------------------------------------------------------------------------


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
    ("content", "said"),
    [
        ("id,points\nada,3\n", "line 1: unknown column 'points'"),
        ("first name,email\nAda,a@b\n", "line 1: no column is named id"),
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
def test_what_cannot_be_used_is_refused_with_its_line(write, content: str | bytes, said: str):
    with pytest.raises(CourseError, match=rf"roster\.csv, {said}"):
        read_roster(write(content))


def test_names_may_hold_characters_that_join_their_neighbours(write):
    (person,) = read_roster(write("id,first name\nada,\u0646\u06cc\u200c\u0645\n"))
    assert "\u200c" in person.first_name


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(CourseError, match=r"nowhere\.csv cannot be read"):
        read_roster(tmp_path / "nowhere.csv")


# --- the gradebook ------------------------------------------------------------------------------------------------


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
    assert describe(done)[:2] == [
        "added    Eve (the gradebook also has eve: is that somebody else?)",
        "added    bob",
    ]


# --- the command --------------------------------------------------------------------------------------------------


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
    said = describe(enrol(gradebook, [Person(2, ids[0]), Person(3, ids[1]), Person(4, "xenia")]))
    assert [line.endswith(": is that somebody else?)") for line in said[:3]] == [True, True, False]


def test_it_asks_about_addresses_that_people_take_for_one(gradebook: Gradebook):
    people = [Person(2, "u", email="Zoe@x.org"), Person(3, "v", email="zoe@x.org"), Person(4, "w", email="c@x.org")]
    said = describe(enrol(gradebook, people))
    assert [line for line in said if line.startswith("asked")] == [
        "check    u, v: their email differs only in case, Unicode form or leading zeros: are they the same person?"
    ]
