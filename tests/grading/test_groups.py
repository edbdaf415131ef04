"""Group work: everybody of a group has the mark, and nobody gets one from somebody who only wrote down their name."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from plain_class import WRONG, PlainCourse

from syncpoint.grading.groups import SubmittedFolder, read_partners, share_out

ROSTER = "id,group\nada,g1\nbob,g1\ncy,g1\ndora,g2\neve,\nfay,\ngus,\n"
FULL, HALF, NONE = (2.0, 3.0), (0.0, 3.0), (0.0, 0.0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, plain_engine: Path) -> PlainCourse:
    course = PlainCourse.make(tmp_path_factory.mktemp("groups") / "course")
    course.settings("groups = true\n")
    (course.root / "roster.csv").write_text(ROSTER)
    assert "7 added" in course.syncpoint("roster", "roster.csv")
    return course


@pytest.fixture
def course(made: PlainCourse, tmp_path: Path) -> PlainCourse:
    return made.copy(tmp_path / "course")


def keys(course: PlainCourse) -> set[str]:
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        return {key for (key,) in gradebook.execute("SELECT result FROM syncpoint_notebooks")}


pytestmark = pytest.mark.slow


def test_one_submission_of_a_rosters_group_is_judged_once_and_counts_for_each_member(course: PlainCourse):
    secret = {"submission_secret.txt": "of ada"}
    course.hand_in("ada", "2026-03-01 12:00:00 UTC", secret, **{"double": WRONG["double"]})
    course.hand_in("eve")
    output = course.syncpoint("grade", "async")
    assert "bob, cy: graded with the work of ada, as one group." in output
    assert course.scores() == {"ada": HALF, "bob": HALF, "cy": HALF, "eve": FULL}
    assert len(keys(course)) == 2
    graded = course.root / "autograded"
    assert (graded / "ada/async/submission_secret.txt").exists()
    assert not (graded / "bob/async/submission_secret.txt").exists()
    assert "4 unchanged" in course.syncpoint("grade", "async")


def test_lateness_extensions_and_excuses_stay_each_ones_own(course: PlainCourse):
    course.configure(
        'c.AssignLatePenalties.plugin_class = "syncpoint.nbgrader_hooks.late_rule.SharePerPeriod"\n'
        "c.SharePerPeriod.share = 0.5\n"
    )
    course.nbgrader("db", "assignment", "add", "async", "--duedate=2026-03-01 12:00 UTC")
    course.syncpoint("extend", "bob", "async", "--hours", "48")
    course.syncpoint("excuse", "cy", "async", "--because", "ill")
    course.hand_in("ada", "2026-03-02 11:00:00 UTC")
    course.syncpoint("grade", "async")
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        rows = gradebook.execute(
            "SELECT student_id, late_submission_penalty FROM submitted_notebook "
            "JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id"
        )
        assert dict(rows.fetchall()) == {"ada": 2.5, "bob": None, "cy": None}


def test_a_member_who_submitted_other_work_keeps_it_and_the_rest_has_the_newest(course: PlainCourse):
    course.hand_in("ada", "2026-03-01 12:00:00 UTC", **WRONG)
    course.hand_in("bob", "2026-03-02 12:00:00 UTC")
    output = course.syncpoint("grade", "async")
    assert "ada, bob are partners and submitted different work" in output
    assert "cy: graded with the work of bob, as one group." in output
    assert course.scores() == {"ada": NONE, "bob": FULL, "cy": FULL}


def test_partners_without_a_group_in_the_roster_must_all_name_each_other(course: PlainCourse):
    course.hand_in("eve", files={"group.txt": "fay\n"})
    course.submit("fay", course.release())
    (course.folder("fay") / "submission_secret.txt").write_text("of fay")
    output = course.syncpoint("grade", "async")
    assert "eve names fay in group.txt, but not all partners name each other" in output
    assert course.scores() == {"eve": FULL, "fay": NONE}
    (course.folder("fay") / "group.txt").write_text("eve")
    (course.folder("fay") / "timestamp.txt").write_text("2026-03-03 12:00:00 UTC")
    course.syncpoint("grade", "async", "--student", "fay")
    assert course.scores() == {"eve": FULL, "fay": FULL}
    graded = course.root / "autograded/fay/async"  # by these the exchange finds fay's page
    assert (graded / "submission_secret.txt").read_text() == "of fay"
    assert (graded / "timestamp.txt").read_text() == "2026-03-03 12:00:00 UTC"


def test_a_partner_is_graded_with_whoever_hands_in_for_them(course: PlainCourse):
    course.hand_in("ada")
    course.hand_in("eve")
    course.syncpoint("grade", "async", "--student", "ada")
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL}


def test_who_is_no_partner_any_more_loses_the_mark_and_nobody_else_does(course: PlainCourse):
    course.hand_in("ada")
    course.syncpoint("grade", "async")
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL}
    (course.root / "roster.csv").write_text(ROSTER.replace("cy,g1", "cy,g2"))
    course.syncpoint("roster", "roster.csv")
    output = course.syncpoint("grade", "async")
    assert "cy: removed the marks for the work of ada, because they are not one group any more." in output
    assert course.scores() == {"ada": FULL, "bob": FULL}
    assert not (course.root / "autograded/cy/async").exists()
    shutil.rmtree(course.root / "submitted/ada")  # that says nothing about partners
    course.hand_in("eve")
    course.syncpoint("grade", "async")
    assert course.scores() == {"ada": FULL, "bob": FULL, "eve": FULL}
    course.syncpoint("feedback", "--all", "async")
    assert "ada submitted this work for your group." in course.feedback_text("bob")
    assert "for your group" not in course.feedback_text("ada")


def test_work_that_was_collected_for_a_group_does_not_follow_a_member_into_another_one(course: PlainCourse):
    folder = course.root / "download" / "g1_17_assignsubmission_file"
    course.hand_in("ada")
    folder.parent.mkdir()
    shutil.move(course.root / "submitted/ada/async", folder)
    course.syncpoint("collect", "download", "async")
    (course.root / "roster.csv").write_text(ROSTER.replace("ada,g1", "ada,g2"))
    course.syncpoint("roster", "roster.csv")
    output = course.syncpoint("grade", "async")
    assert course.scores() == {"ada": FULL, "bob": FULL, "cy": FULL}, output  # and not dora of g2
    assert "ada: the work in submitted/ is that of the group g1, and counts for nobody else of the group g2." in output


def test_the_best_of_all_tries_is_none_of_a_former_partner(course: PlainCourse):
    course.configure('c.Tries.counts = "best"\n')
    course.hand_in("ada", "2026-03-01 12:00:00 UTC")
    course.syncpoint("grade", "async")
    course.hand_in("ada", "2026-03-02 12:00:00 UTC", **WRONG)
    course.syncpoint("grade", "async")
    assert course.scores() == dict.fromkeys(["ada", "bob", "cy"], FULL)
    (course.root / "roster.csv").write_text(ROSTER.replace("bob,g1", "bob,"))
    course.syncpoint("roster", "roster.csv")
    course.hand_in("bob", "2026-03-03 12:00:00 UTC", double=WRONG["double"])
    course.syncpoint("grade", "async")
    assert course.scores() == {"ada": FULL, "bob": HALF, "cy": FULL}


def test_without_groups_in_the_assignment_a_name_means_nothing(course: PlainCourse):
    course.settings("")
    course.hand_in("ada", files={"group.txt": "bob, cy, nobody"})
    assert "bob" not in course.syncpoint("grade", "async")
    assert course.scores() == {"ada": FULL}


def folders(**partners: str | None) -> dict[str, SubmittedFolder]:
    """Folders of students: the text of group.txt after the hour; `-` for one without work."""
    made = {}
    for student, text in partners.items():
        names = None if text in (None, "-") else frozenset((text or "").removeprefix("-").split())
        made[student] = SubmittedFolder(Path(student), (text or "").startswith("-"), datetime(2026, 3, 1), names)
    return made


GROUPS = {"ada": "g1", "bob": "g1", "cy": "g1", "dora": "g2"}


@pytest.mark.parametrize(
    ("submitted", "sources", "sentence"),
    [
        (folders(ada=None), {"bob": "ada", "cy": "ada"}, "bob, cy: graded with the work of ada"),
        (folders(ada="bob"), {"bob": "ada"}, "bob: graded with the work of ada"),  # cy did not take part
        (folders(ada=""), {}, ""),
        (folders(ada="bob ghost"), {"bob": "ada"}, "'ghost' in group.txt, but the gradebook has no such student"),
        (folders(ada="bob dora"), {"bob": "ada"}, "ada names dora in group.txt, but the roster does not have them"),
        (folders(ada="bob eve"), {"bob": "ada"}, "ada names eve in group.txt, but the roster does not have them"),
        (folders(eve="ada"), {}, "eve names ada in group.txt, but the roster does not have them"),
        (folders(ada="bob", bob="-cy"), {}, "ada names bob in group.txt, but bob names others"),
        (folders(eve="fay"), {}, "not all partners name each other"),
        (folders(eve="fay", fay="-eve"), {"fay": "eve"}, "fay: graded with the work of eve"),
        (folders(eve="fay gus", fay="-eve gus", gus="-eve"), {}, "not all partners name each other"),
        (folders(eve="fay gus", fay="-eve gus", gus="-fay eve"), {"fay": "eve", "gus": "eve"}, ""),
        (folders(eve="fay", fay="eve"), {}, "eve, fay are partners and submitted different work"),
        (
            folders(eve="fay", fay="-eve gus", gus="fay"),
            {},
            "not all partners name each other",
        ),  # a member of two groups
        (folders(ada=None, bob=None), {"cy": "bob"}, "ada, bob are partners and submitted different work"),
        (folders(ada="-", bob="-"), {}, ""),
        (folders(eve="-fay", fay="-eve"), {}, ""),
    ],
)
def test_a_mark_goes_to_confirmed_partners_alone(
    submitted: Mapping[str, SubmittedFolder], sources: dict[str, str], sentence: str
):
    known = {"ada", "bob", "cy", "dora", "eve", "fay", "gus"}
    found = share_out(submitted, GROUPS, known, lambda one, other: one == other)
    assert found.sources == sources
    assert any(sentence in text for _, text in found.notes) if sentence else True


def test_a_group_txt_is_text_of_the_students_own(tmp_path: Path):
    (tmp_path / "group.txt").write_text("\ufeffbob, cy\r\n\n dora ;eve\n")
    assert read_partners(tmp_path) == {"bob", "cy", "dora", "eve"}
    (tmp_path / "group.txt").write_bytes(b"\xff\xfe")
    assert read_partners(tmp_path) is None
    (tmp_path / "group.txt").write_text("x\n" * 9000)
    assert read_partners(tmp_path) is None
    (tmp_path / "group.txt").unlink()
    assert read_partners(tmp_path) is None
    (tmp_path / "group.txt").symlink_to(tmp_path.parent / "elsewhere.txt")
    (tmp_path.parent / "elsewhere.txt").write_text("bob")
    assert read_partners(tmp_path) is None
