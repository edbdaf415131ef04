"""Downloads of learning platforms: everybody gets their own work, nothing leads out, nothing is lost without a word."""

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from classroom import SmallCourse
from nbgrader.api import Student

from syncpoint import platforms
from syncpoint.collect import archive, place
from syncpoint.collect.archive import _parts, open_archive
from syncpoint.collect.match import Roster, match
from syncpoint.platforms import read_download
from syncpoint.platforms.download import CollectError, Download, Member, Oversized, Platform, Sender, Upload

ADA, BOB, CY = (
    Student(id="ada", first_name="Ada", last_name="Lovelace", lms_user_id="4711", email="ada@example.org"),
    Student(id="bob", first_name="Bób", last_name="Byron, Lord", lms_user_id="4712"),
    Student(id="cy", first_name="Cy", last_name="Twombly"),
)
METADATA = """\
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '4711'
    :email: x@example.org
  :created_at: 2026-02-27 17:34:00.861687000 Z
  :results:
    output: |-
      =====
submission_2:
  :submitters:
  - :sid: 4712
  - :name: Cy Twombly
    :email: cy@example.org
submission_3:
  :submitters: []
"""
Files = Mapping[str, str | bytes]


def zipped(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return path


@pytest.fixture
def download(tmp_path: Path) -> Callable[..., Download]:
    """Return the bytes of a zip file with these files, or with empty files of these names."""

    def read(*names: str, **files: str) -> Download:
        with open_archive(zipped(tmp_path / "all.zip", {**dict.fromkeys(names, ""), **files})) as found:
            return read_download(found.members, Roster([ADA, BOB, CY]).is_student)

    return read


def whose(download: Download, **chosen: str) -> dict[str, set[str]]:
    """Student -> paths; those that are nobody's under "?"."""
    found, unmatched = match(download.uploads, [ADA, BOB, CY], {name: (one,) for name, one in chosen.items()})
    paths = {student: {"/".join(path) for path in one.files} for student, one in found.items()}
    return {**paths, **({"?": set(unmatched)} if unmatched else {})}


def test_canvas_finds_students_by_its_id_and_takes_the_newest_file(download):
    found = download("lovelaceada_4711_90_work.ipynb", "lovelaceada_4711_95_work.ipynb", "x_LATE_4712_91_my file_2.csv")
    assert found.platform == "Canvas"
    assert whose(found) == {"ada": {"work.ipynb"}, "bob": {"my file_2.csv"}}
    assert [one.sender.late for one in found.uploads] == [False, True]
    assert found.uploads[0].files["work.ipynb",].path == ("lovelaceada_4711_95_work.ipynb",)
    assert found.left_out == [("lovelaceada_4711_90_work.ipynb", "there is a newer one of this name")]


def test_canvas_names_decide_where_the_gradebook_has_other_ids(download):
    assert whose(download("byronlordbób_88_90_work.ipynb", "lovelaceada_99_91_work.ipynb")) == {
        "bob": {"work.ipynb"},
        "ada": {"work.ipynb"},
    }


def test_whoever_calls_themselves_like_another_student_gets_no_folder_of_theirs(download):
    # One id fits, so ids are of this platform: ada has one, and it is not this one.
    found = download("byronlord_4712_90_work.ipynb", "lovelaceada_99_91_work.ipynb", "twomblycy_98_92_work.ipynb")
    assert whose(found) == {"bob": {"work.ipynb"}, "cy": {"work.ipynb"}, "?": {"lovelaceada_99"}}
    # A name that looks like an id: two students may be meant.
    assert whose(download("a_4711_5_4712_90_work.ipynb")) == {"?": {"a_4711"}}
    # And who comes twice gets neither.
    assert whose(download("ada_4711_90_work.ipynb", "x_4711_91_work.ipynb")) == {"?": {"ada_4711", "x_4711"}}


def test_anonymous_and_typed_submissions_of_canvas_are_named(download):
    found = download("anon_xYz12_90_work.ipynb", "LATE_anon_q_91_work.ipynb", "byronlordbob_4712_text.html")
    assert whose(found, anon_xYz12="ada") == {"ada": {"work.ipynb"}, "bob": set(), "?": {"LATE_anon_q"}}
    assert found.left_out == [("byronlordbob_4712_text.html", "text typed into Canvas, not a file")]


@pytest.mark.parametrize("ending", ["", "_"])
def test_moodle_names_folders_by_name_and_a_number_of_the_assignment(download, ending: str):
    folder = f"_1234_assignsubmission_file{ending}/"
    found = download(
        f"Ada Lovelace{folder}work.ipynb",
        f"Byron, Lord Bób{folder}sub/data.csv",
        "Cy Twombly_7_assignsubmission_onlinetext/onlinetext.html",
    )
    assert found.platform == "Moodle"
    assert whose(found) == {"ada": {"work.ipynb"}, "bob": {"sub/data.csv"}, "cy": set()}
    assert [why for _, why in found.left_out] == ["text typed into Moodle, not a file"]


def test_moodle_without_folders(download):
    assert whose(download("Ada Lovelace_1234_assignsubmission_file_work.ipynb")) == {"ada": {"work.ipynb"}}


@pytest.mark.parametrize("root", ["", "assignment_8046601_export/"])
def test_gradescope_says_whose_and_when_also_of_groups(download, root: str):
    files = {f"{root}submission_metadata.yml": METADATA}
    names = [f"{root}submission_{number}/work.ipynb" for number in (1, 2, 3, 4)]
    found = download(*names, f"{root}submission_1/sub/data.csv", **files)
    assert whose(found) == {
        "ada": {"work.ipynb", "sub/data.csv"},
        "bob": {"work.ipynb"},
        "cy": {"work.ipynb"},
        "?": {"submission_3"},
    }
    assert str(found.uploads[0].sender.time) == "2026-02-27 17:34:00.861687+00:00"
    assert found.left_out == [("submission_4/work.ipynb", "submission_metadata.yml does not name its student")]


def test_unmatched_work_is_shown_with_gradescopes_names(download):
    text = """\
submission_1:
  :submitters:
  - :name: "Eve \\e[2J Goodman"
    :sid: 66
    :email: eve@example.org
"""
    found = download("submission_1/work.ipynb", "submission_2/work.ipynb", **{"submission_metadata.yml": text})
    _, unmatched = match(found.uploads, [ADA, BOB, CY], {})
    assert unmatched["submission_1"].endswith("or name ('Eve \\x1b[2J Goodman', '66', 'eve@example.org')")
    found = download("evegoodman_66_90_work.ipynb")  # where the name says it all, nothing is said again
    assert match(found.uploads, [ADA, BOB, CY], {})[1]["evegoodman_66"].endswith("address or name")


def test_gradescope_metadata_is_data_and_nothing_else(download):
    with pytest.raises(CollectError, match="cannot be read"):
        download(**{"submission_metadata.yml": "a: !!python/object/apply:os.system ['true']"})


def test_github_classroom_folders(download):
    found = download("async-submissions/async-ada/work.ipynb", "async-submissions/async-lee-bob/work.ipynb")
    assert whose(found) == {"ada": {"work.ipynb"}, "?": {"async-lee-bob"}}
    assert whose(download("week-3-ada/work.ipynb", "week-3-cy/work.ipynb", "README.md")) == {
        "ada": {"work.ipynb"},
        "cy": {"work.ipynb"},
    }
    assert whose(download("hw-cy/work.ipynb")) == {"cy": {"work.ipynb"}}


def test_a_login_that_ends_like_a_students_is_somebody_elses(download):
    found = download("hw-ada/work.ipynb", "hw-lee-cy/work.ipynb", "hw-x-bob/work.ipynb")
    assert whose(found) == {"ada": {"work.ipynb"}, "?": {"hw-lee-cy", "hw-x-bob"}}
    assert whose(download("hw-lee-cy/work.ipynb")) == {"?": {"hw-lee-cy"}}


# Eve has the user number 66, is not in the gradebook, and chooses her file names and her own name; ada is 4711.
@pytest.mark.parametrize(
    "eve",
    [
        "evegoodman_66_91_x_4711_1_y.ipynb",
        "evegoodman_66_91_4711_1_work.ipynb",
        "evegoodman_66_91_lovelaceada_4711_99_work.ipynb",
        "evegoodman_LATE_66_91_lovelaceada_LATE_4711_99_work.ipynb",
        "evegoodman_66_91_Ada Lovelace_4711_assignsubmission_file_work.ipynb",
        "evegoodman_66_91_x_4711_text.html",
        # Her name is 4711, 4711_5, ... and Canvas's ids come after it.
        "4711_66_91_work.ipynb",
        "4711_5__66_91_work.ipynb",
        "lovelaceada_4711_5_66_91_work.ipynb",
        "lovelaceada_4711_999_LATE_66_91_work.ipynb",
        "lovelaceada_4711_66_91_work.ipynb",
        "lovelaceada_4711_999_66_85_work.ipynb",  # she was the first one to hand in
        "4711_66_85_work.ipynb",
        "anon_4711_91_work.ipynb",
    ],
)
def test_canvas_takes_nobody_for_a_student_by_what_they_chose(download, eve: str):
    found = whose(download("byronlordbob_4712_90_work.ipynb", "twomblycy_98_92_work.ipynb", eve))
    assert found.pop("?", set())
    assert found == {"bob": {"work.ipynb"}, "cy": {"work.ipynb"}}, found
    # Nor does it cost the student anything who has that number.
    found = whose(download("byronlordbob_4712_90_work.ipynb", "lovelaceada_4711_89_work.ipynb", eve))
    assert {"ada", "bob"} <= found.keys() and all(found[name] == {"work.ipynb"} for name in ("ada", "bob")), found


def test_digits_in_the_name_of_a_file_are_no_ids_where_other_files_show_that(download):
    found = download("lovelaceada_4711_90210_01_async_3_2_final.ipynb", "byronlordbob_4712_90211_2026_03_01_work.ipynb")
    assert whose(found) == {"ada": {"01_async_3_2_final.ipynb"}, "bob": {"2026_03_01_work.ipynb"}}
    # Another student's number in it: a person has to say.
    found = download("lovelaceada_4711_90210_x_4712_1_y.ipynb", "byronlordbob_4712_90211_work.ipynb")
    assert whose(found) == {"bob": {"work.ipynb"}, "?": {"lovelaceada_4711"}}


def test_a_student_id_is_no_user_number_of_canvas(download):
    twins = [Student(id="222", lms_user_id="900"), Student(id="901", lms_user_id="222"), Student(id="7")]
    found, unmatched = match(download("x_222_5_w.ipynb", "y_900_6_w.ipynb", "z_7_7_w.ipynb").uploads, twins, {})
    assert {name: one.sender.shown for name, one in found.items()} == {"901": "x_222", "222": "y_900", "7": "z_7"}
    found, unmatched = match(download("x_901_5_w.ipynb", "y_900_6_w.ipynb").uploads, twins, {})
    assert set(found) == {"222"} and set(unmatched) == {"x_901"}


@pytest.mark.parametrize(
    "eve",
    [
        "Ada Lovelace_123_assignsubmission_file__456_assignsubmission_file/work.ipynb",
        "Ad Alovelace_456_assignsubmission_file/work.ipynb",
        "Group-Ada Lovelace_456_assignsubmission_file/work.ipynb",
        "Eve_456_assignsubmission_file/Ada Lovelace_1_assignsubmission_file/work.ipynb",
        "4711_456_assignsubmission_file/work.ipynb",
        "lovelaceada_4711_90_456_assignsubmission_file/work.ipynb",
    ],
)
def test_moodle_takes_nobody_for_a_student_by_what_they_chose(download, eve: str):
    found = whose(download("Cy Twombly_8_assignsubmission_file/work.ipynb", eve))
    assert found == {"cy": {"work.ipynb"}, "?": {eve.partition("_assignsubmission_file/")[0]}}


def test_two_students_of_one_name_are_asked_about(download):
    twins = [
        Student(id="a", first_name="Cy", last_name="Twombly"),
        Student(id="b", first_name="Cy", last_name="Twombly"),
    ]
    found, unmatched = match(download("Cy Twombly_8_assignsubmission_file/w.ipynb").uploads, twins, {})
    assert (found, unmatched) == ({}, {"Cy Twombly_8": "it may belong to a, b"})


def test_a_number_that_a_student_typed_into_gradescope_is_not_believed_against_name_and_address(download):
    text = """\
submission_1:
  :submitters:
  - :name: Eve Goodman
    :sid: '4711'
    :email: eve@example.com
submission_2:
  :submitters:
  - :name: Ada Lovelace
    :sid: ''
    :email: eve@example.com
submission_3:
  :submitters:
  - :name: Bob
    :sid: '4712'
    :email: bob@example.com
"""
    found = download(*(f"submission_{n}/work.ipynb" for n in (1, 2, 3)), **{"submission_metadata.yml": text})
    found, unmatched = match(found.uploads, [ADA, BOB, CY], {})
    assert set(found) == {"bob"}
    assert unmatched["submission_1"].startswith("its id is that of ada, but the name and the email address are not (")
    assert unmatched["submission_2"].startswith("nobody in the gradebook has this")


@pytest.mark.parametrize(
    "inside",
    [
        ("lovelaceada_4711_90_work.ipynb",),
        ("submission_metadata.yml", "submission_1/work.ipynb"),
        ("Ada Lovelace_1_assignsubmission_file/work.ipynb",),
        ("x-submissions/x-ada/work.ipynb",),
        ("ada/work.ipynb", "work.ipynb"),
    ],
)
@pytest.mark.parametrize("around", ["hw-submissions/hw-eve/", "hw-eve/", "bob/"])
def test_what_lies_in_somebodys_folder_says_nothing_of_whose_it_is(download, around: str, inside: tuple[str, ...]):
    files = {name: METADATA if name.endswith(".yml") else "" for name in inside}
    found = whose(download(**{around + name: content for name, content in files.items()}))
    assert not found.keys() & {"ada", "cy"}, found


@pytest.mark.parametrize(
    "inside",
    [
        ("lovelaceada_4711_90_work.ipynb", "byronlordbob_4712_91_work.ipynb"),
        ("Ada Lovelace_1_assignsubmission_file/work.ipynb", "Byron, Lord Bób_2_assignsubmission_file/work.ipynb"),
        ("async-submissions/async-ada/work.ipynb", "async-submissions/async-bob/work.ipynb"),
    ],
)
@pytest.mark.parametrize("around", ["", "Course-Async-123/", "Downloads/Course-Async-123/"])
def test_folders_around_a_whole_download_are_taken_off(download, inside: tuple[str, ...], around: str):
    assert whose(download(*(around + name for name in inside))) == {"ada": {"work.ipynb"}, "bob": {"work.ipynb"}}


@pytest.mark.parametrize(
    "name", ["submission_metadata.yml", "x_4712_9_work.ipynb", "Cy Twombly_1_assignsubmission_file"]
)
def test_what_a_student_calls_a_file_says_nothing_of_the_download(download, name: str):
    found = download(f"async-submissions/async-ada/{name}", "async-submissions/async-bob/work.ipynb")
    assert whose(found) == {"ada": {name}, "bob": {"work.ipynb"}}
    found = download(f"Ada Lovelace_1_assignsubmission_file/{name}")
    assert whose(found) == {"ada": {name}}
    found = download(f"async-ada/{name}", "async-bob/work.ipynb")
    assert whose(found) == {"ada": {name}, "bob": {"work.ipynb"}}


def test_what_no_platform_names_so_is_refused(download):
    with pytest.raises(CollectError, match=r"fit none of these platforms: .* Canvas"):
        download("work.ipynb")


def test_a_mistyped_match_is_refused(download):
    found = download("lovelaceada_4711_90_work.ipynb")
    with pytest.raises(CollectError, match="the gradebook has no 'eve'"):
        whose(found, lovelaceada_4711="eve")
    with pytest.raises(CollectError, match="the download has no 'ada'"):
        whose(found, ada="lovelaceada_4711")


def test_a_new_platform_needs_its_file_and_its_line_alone(download, monkeypatch: pytest.MonkeyPatch):
    def sort(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download:
        return Download("Mail", [Upload(Sender(member.name, (member.path[-1][5:-6],))) for member in members], [])

    mail = Platform("Mail", len, sort, lambda folder: (folder.removeprefix("from "),))
    monkeypatch.setattr(platforms, "PLATFORMS", (*platforms.PLATFORMS, mail))
    assert whose(download("all/from ada.ipynb", "all/from bob.ipynb")) == {"ada": set(), "bob": set()}
    assert Roster([ADA]).is_student("from ada")


@pytest.mark.parametrize(
    "name",
    ["../evil.ipynb", "/etc/evil.ipynb", "a/../../evil", "C:\\evil", "..\\evil", "a//b", "a\nb", "a\x1b[2Jb", "x" * 300,
     "/".join("d" * 300)],
)  # fmt: skip
def test_paths_that_lead_elsewhere_are_left_out(tmp_path: Path, name: str):
    with open_archive(zipped(tmp_path / "all.zip", {name: "", "good.ipynb": ""})) as found:
        assert [member.path for member in found.members] == [("good.ipynb",)]
        assert len(found.left_out) == 1


def test_links_encrypted_files_and_seconds_are_left_out(tmp_path: Path):
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as file:
        link = zipfile.ZipInfo("link.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(link, "/etc/passwd")
        file.writestr("twice.ipynb", "first")
        with pytest.warns(UserWarning, match="Duplicate"):
            file.writestr("twice.ipynb", "second")
        file.writestr(".git/config", "")
    with open_archive(path) as found:
        assert [(member.path, member.read(99)) for member in found.members] == [(("twice.ipynb",), b"first")]
        assert [name for name, _ in found.left_out] == ["link.ipynb", "twice.ipynb"]


def test_links_in_a_folder_are_left_out(tmp_path: Path):
    folder = tmp_path / "all" / "async-ada"
    folder.mkdir(parents=True)
    (folder / "work.ipynb").write_text("{}")
    (folder / "link.ipynb").symlink_to("/etc/passwd")
    (folder / "etc").symlink_to("/etc")
    with open_archive(tmp_path / "all") as found:
        assert [member.path for member in found.members] == [("async-ada", "work.ipynb")]
        assert sorted(found.left_out) == [
            ("async-ada/etc", "a link or a device"),
            ("async-ada/link.ipynb", "a link or a device"),
        ]


def test_a_file_holds_no_more_than_was_asked_for_whatever_its_head_says(tmp_path: Path):
    with open_archive(zipped(tmp_path / "all.zip", {"bomb": b"0" * 10_000_000})) as found:
        with pytest.raises(Oversized):
            found.members[0].read(1000)
        found.members[0].open().close()


def test_a_huge_number_of_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archive, "MAX_MEMBERS", 10)
    with (
        pytest.raises(CollectError, match="more than 10 files"),
        open_archive(zipped(tmp_path / "all.zip", {f"{number}": "" for number in range(11)})),
    ):
        pass


@pytest.mark.parametrize("content", [b"", b"PK\3\4 torn"])
def test_what_is_no_zip_file_is_refused(tmp_path: Path, content: bytes):
    (tmp_path / "all.zip").write_bytes(content)
    with pytest.raises(CollectError, match="is not a zip file"), open_archive(tmp_path / "all.zip"):
        pass
    with pytest.raises(CollectError, match="there is no"), open_archive(tmp_path / "none.zip"):
        pass


@pytest.mark.parametrize("files", [{}, {"__MACOSX/._work.ipynb": ""}])
def test_what_is_empty_is_called_so(tmp_path: Path, files: Files):
    with pytest.raises(CollectError, match=r"all\.zip is empty"), open_archive(zipped(tmp_path / "all.zip", files)):
        pass


@pytest.fixture
def enrolled(course: SmallCourse) -> SmallCourse:
    """The small course with ada, bob and cy in its gradebook."""
    with course.gradebook() as gradebook:
        for student in (ADA, BOB, CY):
            names = ("first_name", "last_name", "email", "lms_user_id")
            gradebook.add_student(student.id, **{name: getattr(student, name) for name in names})
    return course


def collect(course: SmallCourse, files: Files, *options: str) -> tuple[int, str]:
    """Run the command on a zip file of these files; return its status and output."""
    done = course.run("syncpoint", "collect", str(zipped(course.root / "all.zip", files)), "async", *options)
    return done.returncode, done.stdout + done.stderr


def submitted(course: SmallCourse) -> set[str]:
    return {str(path.relative_to(course.root / "submitted")) for path in (course.root / "submitted").rglob("*.*")}


@pytest.mark.exhaustive
def test_what_was_collected_is_graded_with_its_time(enrolled: SmallCourse):
    enrolled.nbgrader("db", "assignment", "add", "async", "--duedate=2030-03-01 12:00:00 UTC")
    status, text = collect(
        enrolled,
        {
            "lovelaceada_4711_90_work-1.ipynb": json.dumps(enrolled.solved()),
            "byronlordbob_LATE_4712_91_work.ipynb": "no notebook",
            "byronlordbob_LATE_4712_93_timestamp.txt": "2001-01-01 12:00 UTC",
            "evegoodman_66_92_work.ipynb": "{}",
        },
        "--late-time",
        "2030-03-02 12:00 UTC",
    )
    assert status == 1
    assert "placed   ada: work.ipynb\n" in text and "placed   bob: timestamp.txt, work.ipynb\n" in text
    assert "left out bob: 'timestamp.txt': a student may not set a time stamp.\n" in text
    assert "unmatched 'evegoodman_66': nobody in the gradebook has this LMS id" in text
    assert "There is no time for ada: their work does not count as late" in text
    assert "async, from Canvas: 2 placed, 1 unmatched.\n" in text
    enrolled.must_run("nbgrader", "autograde", "async")
    assert enrolled.scores() == {"ada": (4.0, 2.0), "bob": (0.0, 0.0)}
    with enrolled.gradebook() as gradebook:
        late = {one.student.id: one.total_seconds_late for one in gradebook.assignment_submissions("async")}
    assert late == {"ada": 0, "bob": 24 * 3600}


@pytest.mark.slow
def test_a_class_of_brightspace_comes_from_its_gradebook_to_its_work_with_times(course: SmallCourse):
    course.configure('\nc.Exchange.timezone = "Europe/Berlin"\n')
    head = "OrgDefinedId,Username,Last Name,First Name,HW 1 Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator"
    roster = course.root / "export.csv"
    roster.write_text(f"{head}\n#s1,#ada,Lovelace,Ada,7,#\n#s2,#bob,Byron,Bób,,#\n", encoding="utf-16")
    assert "roster: 2 added, " in course.run("syncpoint", "roster", str(roster)).stdout
    names = ("1-7 - Ada Lovelace - Mar 1, 2026 1159 PM", "2-7 - Bób Byron - Feb 28, 2026 101 AM")
    status, text = collect(course, {"index.html": "", **{f"{name}/work.ipynb": "{}" for name in names}})
    assert status == 0 and "async, from Brightspace: 2 placed.\n" in text, text
    assert "The times of Brightspace have no time zone: they are read as Europe/Berlin.\n" in text
    times = [(course.folder(student) / "timestamp.txt").read_text() for student in ("ada", "bob")]
    assert times == ["2026-03-01 22:59:00 UTC", "2026-02-28 00:01:00 UTC"]


@pytest.mark.slow
def test_what_was_there_stays_until_somebody_says_otherwise_and_even_then_is_kept(enrolled: SmallCourse):
    file = "Ada Lovelace_1_assignsubmission_file/{}"
    assert collect(enrolled, {file.format("work.ipynb"): "1"})[0] == 0
    status, text = collect(enrolled, {file.format("work.ipynb"): "1"})
    assert (status, "same     ada" in text) == (0, True), text
    status, text = collect(enrolled, {file.format("work.ipynb"): "2"})
    assert (status, "kept     ada: submitted/ already has other work" in text) == (1, True), text
    work = enrolled.folder("ada") / "work.ipynb"
    assert work.read_text() == "1"
    status, text = collect(enrolled, {file.format("work.ipynb"): "2"}, "--replace")
    assert (status, "replaced ada: work.ipynb; the old files are in " in text) == (0, True), text
    assert work.read_text() == "2"
    (old,) = (enrolled.root / ".syncpoint" / "replaced" / "ada" / "async").glob("*/work.ipynb")
    assert old.read_text() == "1"
    assert submitted(enrolled) == {"ada/async/work.ipynb"}


@pytest.mark.slow
def test_a_folder_around_the_notebook_is_removed_and_extra_files_are_reported(enrolled: SmallCourse):
    enrolled.configure("c.GradeSubmission.disk_mib = 1\n")
    file = "Ada Lovelace_1_assignsubmission_file/{}"
    status, text = collect(
        enrolled,
        {
            file.format("homework/work (2).ipynb"): "{}",
            file.format("homework/data/small.csv"): "1",
            file.format("homework/large.bin"): os.urandom(2**20),
            file.format("beside.txt"): "",
        },
    )
    assert status == 0, text
    assert submitted(enrolled) == {"ada/async/work.ipynb", "ada/async/data/small.csv"}
    assert "left out ada: 'homework/large.bin': too large." in text
    assert "left out ada: 'beside.txt': outside the folder homework, which has the notebooks." in text


@pytest.mark.slow
def test_who_has_no_notebook_of_the_assignments_is_named_with_what_came(enrolled: SmallCourse):
    status, text = collect(enrolled, {"lovelaceada_4711_90_Untitled.ipynb": "{}", "x_4712_91_essay.pdf": ""})
    assert status == 1, text
    assert (
        "placed   ada: Untitled.ipynb\nmisnamed ada: none of the assignment's notebooks (work.ipynb) was submitted;"
        in text
    )
    assert "nothing  bob: there is no notebook, but essay.pdf\n" in text
    assert "async, from Canvas: 1 placed, 1 nothing, 1 misnamed.\n" in text
    assert submitted(enrolled) == {"ada/async/Untitled.ipynb"}
    status, text = collect(enrolled, {"lovelaceada_4711_90_Untitled.ipynb": "{}"})
    assert (status, "same     ada: Untitled.ipynb\nmisnamed ada: " in text) == (1, True), text
    typed = "Cy Twombly_7_assignsubmission_onlinetext/onlinetext.html"
    status, text = collect(enrolled, {typed: ""})
    assert (
        status == 1 and "nothing  cy: there is no notebook\n" in text and f"left out {typed!r}: text typed" in text
    ), text
    assert "async, from Moodle: 1 nothing.\n" in text


@pytest.mark.slow
def test_of_two_notebooks_of_one_name_the_later_one_is_taken_and_the_other_one_named(enrolled: SmallCourse):
    first, second = "lovelaceada_4711_{}_work (1).ipynb", "lovelaceada_4711_{}_work.ipynb"
    for later, earlier in ((first, second), (second, first)):
        later, earlier = later.format(90210), earlier.format(90209)
        status, text = collect(enrolled, {earlier: '"earlier"', later: '"later"'}, "--replace")
        assert status == 1, text
        assert f"left out ada: {earlier!r}: {later} is used as work.ipynb; it came later." in text
        assert (enrolled.folder("ada") / "work.ipynb").read_text() == '"later"'
    folder = "Byron, Lord Bób_1_assignsubmission_file"
    status, text = collect(enrolled, {f"{folder}/work.ipynb": "0", f"{folder}/work (1).ipynb": "1"})
    assert status == 1, text
    taken = f"{folder}/work (1).ipynb is used as work.ipynb; it is unknown which came later."
    assert f"left out bob: '{folder}/work.ipynb': {taken}" in text


@pytest.mark.slow
def test_what_a_person_placed_is_replaced_only_if_the_student_is_named(enrolled: SmallCourse):
    files = {"lovelaceada_4711_90_Untitled.ipynb": "1", "byronlordbob_4712_91_work.ipynb": "1"}
    status, text = collect(enrolled, files)
    assert (
        status == 1
        and "rename it in submitted/ada/async/. Or use --rename to take each student's only notebook" in text
    ), text
    work = enrolled.folder("ada") / "work.ipynb"
    (enrolled.folder("ada") / "Untitled.ipynb").rename(work)
    files["byronlordbob_4712_91_work.ipynb"] = "2"
    status, text = collect(enrolled, files, "--replace")
    assert status == 1, text
    assert (
        "kept     ada: a person placed or changed the files in submitted/ (Untitled.ipynb, work.ipynb); to "
        "replace them, name the student: --replace-edited ada\n" in text
    )
    assert "replaced bob: work.ipynb; the old files are in " in text and "1 replaced, 1 kept, 1 misnamed." in text
    assert submitted(enrolled) == {"ada/async/work.ipynb", "bob/async/work.ipynb"}
    # What has the assignment's notebook is never replaced by what has none.
    status, text = collect(enrolled, files, "--replace", "--replace-edited", "ada")
    assert (
        "kept     ada: the work in submitted/ has one of the assignment's notebooks, and the new work has none\n"
        in text
    ), text
    status, text = collect(enrolled, files, "--replace-edited", "ada", "--rename")
    assert status == 0 and "same     ada: work.ipynb\nrenamed  ada: 'Untitled.ipynb' was taken as" in text, text
    status, text = collect(enrolled, files, "--replace-edited", "adda")
    assert (status, text) == (1, "syncpoint: --replace-edited: the gradebook has no student 'adda'.\n")
    files["lovelaceada_4711_90_Untitled.ipynb"] = "3"
    status, text = collect(enrolled, files, "--replace-edited", "ada", "--rename")
    assert status == 0 and "replaced ada: work.ipynb; the old files are in " in text, text
    assert work.read_text() == "3"
    status, text = collect(enrolled, files, "--replace", "--rename")
    assert status == 0 and "same     ada" in text and "same     bob" in text, text


@pytest.mark.slow
def test_the_only_notebook_of_a_student_is_taken_as_the_assignments_for_the_whole_class(enrolled: SmallCourse):
    files = {
        "lovelaceada_4711_90_Untitled.ipynb": "1",
        "byronlordbob_4712_91_Woche 3 (final).ipynb": "2",
        "byronlordbob_4712_92_data.csv": "",
        "twomblycy_98_93_a.ipynb": "3",
        "twomblycy_98_94_b.ipynb": "4",
    }
    status, text = collect(enrolled, files, "--rename")
    assert status == 1, text
    assert (
        "renamed  ada: 'Untitled.ipynb' was taken" in text and "renamed  bob: 'Woche 3 (final).ipynb' was taken" in text
    )
    assert (
        "misnamed cy: none of the assignment's notebooks (work.ipynb) was submitted" in text and "--rename" not in text
    )
    assert (enrolled.folder("bob") / "work.ipynb").read_text() == "2"
    assert submitted(enrolled) == {
        *(f"{name}/async/work.ipynb" for name in ("ada", "bob")),
        *(f"cy/async/{name}.ipynb" for name in "ab"),
        "bob/async/data.csv",
    }


@pytest.mark.slow
def test_what_a_person_places_gets_its_time(enrolled: SmallCourse, tmp_path: Path):
    notebook = tmp_path / "by mail.ipynb"
    notebook.write_text("1")

    def run(path: Path, *options: str) -> str:
        done = enrolled.run("syncpoint", "collect", str(path), "async", *options)
        return done.stdout + done.stderr

    assert "If all of it belongs to one student, use --match 'by mail.ipynb=STUDENT'." in run(notebook)
    text = run(notebook, "--match", "by mail.ipynb=ada", "--rename", "--time", "2026-03-01 12:00 UTC")
    assert "placed   ada: timestamp.txt, work.ipynb\n" in text, text
    bob = enrolled.folder("bob")
    (bob / "work.ipynb").write_text("2")  # by hand
    text = run(bob, "--match", "async=bob", "--time", "2026-03-02 12:00 UTC")
    assert "timed    bob: submitted/ already has the same, and now also its time: " in text, text
    assert (bob / "timestamp.txt").read_text() == "2026-03-02 12:00:00 UTC"
    text = run(bob, "--match", "async=bob", "--time", "2026-03-03 12:00 UTC")  # another time is another thing
    assert "timed" not in text and (bob / "timestamp.txt").read_text() == "2026-03-02 12:00:00 UTC"
    # The same without a time is the same, and the time stays.
    (tmp_path / "x-submissions" / "x-bob").mkdir(parents=True)
    (tmp_path / "x-submissions" / "x-bob" / "work.ipynb").write_text("2")
    text = run(tmp_path / "x-submissions", "--replace")
    assert "same     bob" in text and (bob / "timestamp.txt").exists() and "There is no time" not in text, text


@pytest.mark.slow
def test_a_zip_file_that_a_student_sent_is_opened(enrolled: SmallCourse, tmp_path: Path):
    inner = zipped(tmp_path / "inner.zip", {"week3/work.ipynb": "{}", "week3/timestamp.txt": "2001-01-01"}).read_bytes()
    files = {"lovelaceada_4711_90_abgabe.zip": inner, "byronlordbob_4712_91_torn.zip": b"PK"}
    status, text = collect(enrolled, files)
    assert status == 1, text
    assert "placed   ada: work.ipynb\n" in text and "a student may not set a time stamp" in text
    assert (
        "nothing  bob: there is no notebook\nleft out bob: 'byronlordbob_4712_91_torn.zip': it cannot be opened" in text
    )
    assert submitted(enrolled) == {"ada/async/work.ipynb"}


@pytest.mark.slow
def test_a_link_in_the_place_of_a_folder_is_not_followed(enrolled: SmallCourse, tmp_path: Path):
    (enrolled.root / "submitted").mkdir(exist_ok=True)
    (tmp_path / "elsewhere").mkdir()
    (enrolled.root / "submitted" / "ada").symlink_to(tmp_path / "elsewhere")
    files = {"lovelaceada_4711_90_work.ipynb": "{}", "byronlordbob_4712_91_work.ipynb": "{}"}
    status, text = collect(enrolled, files)
    assert status == 1 and "failed   ada: " in text and "is a link to another folder" in text
    assert "placed   bob: work.ipynb" in text  # one never stops another
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("佐藤\u3000健_1_file/work.ipynb", ("佐藤 健_1_file", "work.ipynb")),
        ("Daniël\u00a0Núñez_3/work.ipynb", ("Daniël Núñez_3", "work.ipynb")),
        ("Jörg\u200c Müßig\u200b_1/work.ipynb", ("Jörg Müßig_1", "work.ipynb")),
    ],
)
def test_odd_blanks_in_a_name_lose_no_work(tmp_path: Path, name: str, read: tuple[str, ...]):
    assert _parts(name) == (read, "")


@pytest.mark.slow
def test_it_says_that_people_choose_their_names_on_github(enrolled: SmallCourse):
    note = "GitHub user names are taken as ids here"
    status, text = collect(enrolled, {"hw-ada/work.ipynb": "{}", "hw-bob/work.ipynb": "{}"})
    assert status == 0 and note in text
    (enrolled.root / "github.csv").write_text("id,github\nada,adal\n")
    enrolled.run("syncpoint", "roster", "github.csv")
    status, text = collect(enrolled, {"hw-adal/work.ipynb": "{}", "hw-bob/work.ipynb": "{}"})
    assert status == 1 and note not in text and "unmatched 'hw-bob'" in text


@pytest.mark.slow
def test_an_assignment_that_there_is_not_is_named(enrolled: SmallCourse):
    done = enrolled.run("syncpoint", "collect", str(zipped(enrolled.root / "all.zip", {})), "asink")
    assert (done.returncode, done.stderr) == (1, "syncpoint: the course has no assignment 'asink': it has async.\n")


def test_a_download_that_is_cut_off_in_the_middle_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, course: SmallCourse
):
    from syncpoint.course.folder import Course
    from syncpoint.course.shared_files import SharedFiles

    course.submit("ada", "1")
    upload = _upload(tmp_path)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    allowed, shared = place.Permissions(replace_edited=["ada"]), SharedFiles(course.root, "async")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CollectError, match="No space left on device"):
        place.place(Course(course.root), "async", "ada", upload, None, allowed, shared)
    assert submitted(course) == {"ada/async/work.ipynb"}


def _upload(tmp_path: Path) -> Any:
    content = io.BytesIO(b"2")
    member = Member(("work.ipynb",), lambda: content)
    return place.Upload(None, {("work.ipynb",): member})  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_typed_due_date_of_nbgraders_own_command_is_read_by_the_one_parser(enrolled: SmallCourse):
    enrolled.configure('\nc.Exchange.timezone = "Europe/Berlin"\n')
    add = ("db", "assignment", "add", "async")
    enrolled.must_run("nbgrader", *add, "--duedate=2026-10-24 20:00 +0200")
    for text in ("2026-10-24 20:00 CEST", "2026-10-25 02:30", "25.10.2026"):
        refused = enrolled.nbgrader(*add, f"--duedate={text}")
        assert refused.returncode == 1 and "Traceback" not in refused.stderr and "Write " in refused.stderr
    with enrolled.gradebook() as gradebook:
        assert str(gradebook.find_assignment("async").duedate) == "2026-10-24 18:00:00"


@pytest.mark.slow
@pytest.mark.parametrize("zone", [False, True])
def test_an_extension_until_a_time_is_in_elapsed_hours(enrolled: SmallCourse, zone: bool):
    enrolled.configure('\nc.Exchange.timezone = "Europe/Berlin"\n' if zone else "\n")
    enrolled.nbgrader("db", "assignment", "add", "async", "--duedate=2026-10-24 18:00 UTC")
    done = enrolled.run("syncpoint", "extend", "ada", "async", "--until", "2026-10-25 20:00 Europe/Berlin")
    assert "25 elapsed hours" in done.stdout and "2026-10-25 19:00 UTC" in done.stdout
    assert ("2026-10-25 20:00 +0100 in Europe/Berlin" in done.stdout) == zone
    early = enrolled.run("syncpoint", "extend", "ada", "async", "--until", "2026-10-24 19:00 Europe/Berlin")
    assert early.returncode == 1 and "not later" in early.stderr
