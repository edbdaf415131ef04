"""Downloads that could give a student somebody else's work: each one is asked about, whatever else fits."""

import io
from collections.abc import Sequence

import pytest
from nbgrader.api import Student

from syncpoint.collect.match import Roster, match
from syncpoint.platforms import read_download
from syncpoint.platforms.download import Member

NOBODY = "nobody in the gradebook has this"
Names = Sequence[str]


def student(id: str, name: str = "", lms_id: str = "") -> Student:
    first, _, last = name.rpartition(" ")
    return Student(id=id, first_name=first or last, last_name=last if first else "", lms_user_id=lms_id or None)


ADA = student("ada", "Ada Lovelace", "101")
BOB = student("bob", "Bob Byron", "102")
EVE = student("eve", "Eve Goodman", "103")
# The first student's id is the LMS id of the second, and so on.
RING = [student(str(number), lms_id=str(number % 6 + 1)) for number in range(1, 7)]


def found(names: Names, people: Sequence[Student], **groups: str) -> tuple[dict[str, str], dict[str, str]]:
    """Whose each upload is, and why others are nobody's; ``groups``: the group of each student."""
    members = [Member(tuple(name.split("/")), io.BytesIO) for name in names]
    uploads = read_download(members, Roster(people, groups=groups).is_student).uploads
    whose, unmatched = match(uploads, people, {}, groups=groups)
    return {name: one.sender.shown for name, one in whose.items()}, unmatched


@pytest.mark.parametrize(
    ("names", "people", "right", "why"),
    [
        pytest.param(
            ["lovelaceada_102_90_w.ipynb", "byronbob_101_91_w.ipynb", "goodmaneve_103_92_w.ipynb"],
            [ADA, BOB, EVE],
            {"eve": "goodmaneve_103"},
            "its id is that of bob, but its name is that of ada",
            id="LMS ids swapped in the roster",
        ),
        pytest.param(
            ["HW_bob_attempt_2026-03-01-00-00-00_w.ipynb", "HW_bob_attempt_2026-03-01-00-00-00.txt"],
            [ADA, BOB],
            {"bob": "HW_bob"},
            "",
            id="a user name of Blackboard's",
        ),
        pytest.param(
            ["goodmaneve_4711_90_w.ipynb", "byronbob_102_91_w.ipynb"],
            [student("4711", "Ada Lovelace"), student("102", "Bob Byron")],
            {"102": "byronbob_102"},
            NOBODY,
            id="a number of Canvas that is a school's number of somebody else",
        ),
        pytest.param(
            ["HW/Goodman_Eve_eve_4711/w.ipynb", "HW/Byron_Bob_bob_17/w.ipynb"],
            [student("4711", "Ada Lovelace"), BOB],
            {"bob": "Byron_Bob_bob_17"},
            NOBODY,
            id="a number of ILIAS that is a school's number of somebody else",
        ),
        pytest.param(
            ["Muessig_Joerg_jm_4711/w.ipynb"],
            [student("4711", "Jörg Müßig")],
            {"4711": "Muessig_Joerg_jm_4711"},
            "",
            id="a number of ILIAS with the student's name",
        ),
        pytest.param(
            [f"{number}/w.ipynb" for number in range(1, 7)],
            RING,
            {},
            "its id is the LMS id of one student and the id of another one: 1, 2",
            id="ids and LMS ids from the same numbers",
        ),
        pytest.param(
            ["Ada Lovelace/w.ipynb", "bob/w.ipynb"],
            [student("Ada Lovelace", "Eve Goodman"), student("al", "Ada Lovelace"), BOB],
            {"bob": "bob"},
            "its id is that of Ada Lovelace, but its name is that of al",
            id="an id that is somebody else's name",
        ),
        pytest.param(
            ["wei/w.ipynb", "bob/w.ipynb"],
            [student("wei", "Chen Long"), student("w2", "Wei"), BOB],
            {"bob": "bob"},
            "its id is that of wei, but its name is that of w2",
            id="an id that is the only name of somebody else",
        ),
        pytest.param(
            ["Li Wei_17_assignsubmission_file/w.ipynb"],
            [student("a", "Wei Li"), student("b", "Li Wei")],
            {},
            "it may belong to a, b",
            id="the same names in the other order",
        ),
        pytest.param(
            ["Jean-Paul Sartre_7_assignsubmission_file/w.ipynb"],
            [student("paul", "Paul Sartre"), BOB],
            {},
            "what is before the dash in its name may be",
            id="a name that ends as somebody else's",
        ),
        pytest.param(
            [f"{number}-6 - Ada Lovelace - Mar 1, 2026 900 AM/w.ipynb" for number in (1, 2)],
            [ADA, BOB],
            {},
            "match ada, who has only one submission",
            id="a namesake who is not in the roster",
        ),
    ],
)
def test_work_of_unclear_origin_is_nobodys(names: Names, people: Sequence[Student], right: dict[str, str], why: str):
    whose, unmatched = found(names, people)
    assert whose == right
    assert bool(unmatched) == bool(why) and any(why in text for text in unmatched.values()) == bool(why), unmatched


MOODLE = "{}_{}_assignsubmission_file/w.ipynb"


@pytest.mark.parametrize(
    ("names", "groups", "right"),
    [
        pytest.param(
            [MOODLE.format("Ada Lovelace", 17), MOODLE.format("Bob Byron", 18)],
            {"eve": "Ada Lovelace"},
            {"bob": "Bob Byron_18"},
            id="a group with the name of a student who is in none",
        ),
        pytest.param(
            [MOODLE.format("Ada Lovelace", 17), MOODLE.format("Team 2", 18)],
            {"eve": "Ada Lovelace", "ada": "Team 2", "bob": "Team 2"},
            {"ada": "Team 2_18", "bob": "Team 2_18"},
            id="a group with the name of a student who is in another one",
        ),
        pytest.param(
            ["ada/w.ipynb", "bob/w.ipynb"],
            {"eve": "Ada", "bob": "Bob"},
            {"bob": "bob"},
            id="a group with the id of a student who is not in it",
        ),
        pytest.param(
            ["team1_101_90_w.ipynb", "goodmaneve_103_91_w.ipynb"],
            {"bob": "Team 1", "ada": "Team 2"},
            {"eve": "goodmaneve_103"},
            id="a student who has changed the group since",
        ),
        pytest.param(
            ["team1_999_90_w.ipynb", "goodmaneve_103_91_w.ipynb"],
            {"bob": "Team 1", "ada": "Team 1"},
            {"eve": "goodmaneve_103"},
            id="somebody outside of the class who is called as a group",
        ),
    ],
)
def test_the_name_of_a_group_decides_nothing_if_it_is_also_that_of_somebody_else(
    names: Names, groups: dict[str, str], right: dict[str, str]
):
    whose, unmatched = found(names, [ADA, BOB, EVE], **groups)
    assert whose == right and len(unmatched) == 2 - len({*right.values()})
