"""Group work of each platform that has groups: every member of the roster's group has it, and nobody else."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from nbgrader.api import Student
from test_collect_schools import zipped

from syncpoint.collect.archive import open_archive
from syncpoint.collect.collection import best_reading
from syncpoint.collect.match import Roster, match

CLASS = [
    Student(id="ada", first_name="Ada", last_name="Lovelace", lms_user_id="4711"),
    Student(id="bob", first_name="Anne-Bob", last_name="Byron", lms_user_id="4712"),
    Student(id="cy", first_name="Cy", last_name="Twombly", lms_user_id="4713"),
    Student(id="eve", first_name="Eve", last_name="Goodman", lms_user_id="4714"),
]
GROUPS = {"ada": "Lab Team 1", "bob": "Lab Team 1", "cy": "Lab Team 2"}
BOTH = ["ada", "bob"]
BLACKBOARD = "Homework 1_{0}_attempt_2026-03-01-23-59-10{1}"
GRADESCOPE = "submission_1:\n  :submitters:\n  - :sid: '{}'\n  - :sid: '{}'\n"
Found = Callable[..., tuple[list[str], dict[str, str]]]


@pytest.fixture
def found(tmp_path: Path) -> Found:
    """Return whose the work in a zip file is, and why the other work is nobody's."""

    def read(
        files: Mapping[str, str], groups: Mapping[str, str] = GROUPS, together: bool = True, **chosen: str
    ) -> tuple[list[str], dict[str, str]]:
        (tmp_path / "all.zip").write_bytes(zipped(files))
        with open_archive(tmp_path / "all.zip") as archive:
            _, download = best_reading(archive, Roster(CLASS, groups=groups))
            whose, unmatched = match(download.uploads, CLASS, chosen, groups=groups, together=together)
            return sorted(whose), unmatched

    return read


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"labteam1_4711_9001_work.ipynb": "", "goodmaneve_4714_9002_work.ipynb": ""}, id="Canvas"),
        pytest.param(
            {
                BLACKBOARD.format("Lab Team 1", ".txt"): "Name: Lab Team 1 (Lab Team 1)\n",
                BLACKBOARD.format("Lab Team 1", "_work.ipynb"): "",
                BLACKBOARD.format("eve", ".txt"): "Name: Eve Goodman (eve)\n",
                BLACKBOARD.format("eve", "_work.ipynb"): "",
            },
            id="Blackboard",
        ),
        pytest.param(
            {
                "105-7 - Lab Team 1 - Mar 1, 2026 900 AM/work.ipynb": "",
                "106-7 - Eve Goodman - Mar 1, 2026 900 AM/work.ipynb": "",
            },
            id="Brightspace",
        ),
        pytest.param(
            {
                "Team 12/Lovelace_Ada_ada_99/work.ipynb": "",
                "Team 13/Goodman_Eve_4714_98/work.ipynb": "",
                "Goodman_Eve_eve_98/work.ipynb": "",
            },
            id="ILIAS",
        ),
        pytest.param(
            {"hw-submissions/hw-lab-team-1/work.ipynb": "", "hw-submissions/hw-eve/work.ipynb": ""},
            id="GitHub Classroom",
        ),
    ],
)
def test_the_roster_says_who_is_in_a_group_that_a_platform_names(found: Found, files: Mapping[str, str]):
    assert found(files)[0] == [*BOTH, "eve"]
    whose, why = found(files, together=False)
    assert whose == ["eve"] and any("Lab Team 1, but the assignment is not for groups" in text for text in why.values())
    assert set(found(files, groups={})[0]) <= {"ada", "eve"}  # Canvas names one member


def test_nobody_is_a_group_by_a_name_that_they_gave_themselves(found: Found):
    # Eve, who calls herself as the group of others.
    assert found({"labteam1_4714_9001_work.ipynb": "", "twomblycy_4713_9002_work.ipynb": ""})[0] == ["cy", "eve"]
    # Two members of different groups in one team.
    whose, why = found(
        {"Team 12/Lovelace_Ada_ada_99/work.ipynb": "", "Team 12/Twombly_Cy_cy_98/data.csv": "", "A_B_c_1/x.ipynb": ""}
    )
    assert whose == [] and "names only the members who uploaded something" in why["Team 12"]


def test_a_member_with_two_submissions_gets_none_of_them(found: Found):
    names = ("105-7 - Lab Team 1", "106-7 - Ada Lovelace")
    whose, why = found({f"{name} - Mar 1, 2026 900 AM/work.ipynb": name for name in names})
    assert whose == ["bob"]
    assert all("match ada, who has only one submission" in why[name] for name in names)


def test_moodle_has_a_folder_for_each_group_and_one_for_all_who_are_in_none(found: Found):
    files = {
        "Lab Team 1_17_assignsubmission_file/work.ipynb": "",
        "Lab-Team_18_assignsubmission_file/work.ipynb": "",
        "Default group_assignsubmission_file/work.ipynb": "",
    }
    whose, why = found(files)
    assert whose == BOTH and list(why) == ["Lab-Team_18", "Default group"]
    assert found(files, **{"Default group": ("eve",)})[0] == [*BOTH, "eve"]


def test_older_moodle_gives_each_member_a_copy_and_puts_the_group_before_the_name(found: Found):
    files = {
        f"{name}_{number}_assignsubmission_file/work.ipynb": ""
        for number, name in enumerate(
            ["Lab-Team 1-Ada Lovelace", "Lab-Team 1-Anne-Bob Byron", "Default group-Eve Goodman"]
        )
    }
    assert found(files)[0] == ["ada", "bob", "eve"]
    alone = {**files, "Cy Twombly_9_assignsubmission_file/work.ipynb": ""}  # then a dash is the person's own
    assert found(alone)[0] == ["cy"]


def test_partners_that_a_student_chose_on_gradescope_are_confirmed_by_the_roster(found: Found):
    def handed(*ids: str) -> dict[str, str]:
        return {"export/submission_metadata.yml": GRADESCOPE.format(*ids), "export/submission_1/work.ipynb": ""}

    assert found(handed("4711", "4712"))[0] == BOTH
    for other in ("4713", "4714"):
        whose, why = found(handed("4711", other))
        assert whose == [] and all("who are not in one group in the roster" in text for text in why.values())
        assert found(handed("4711", other), groups={})[0] != []  # without groups, the platform's word stands
