"""A class of six on each platform, named as its documentation says: attempts, late work, groups, accents, namesakes."""

import io
import tarfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from nbgrader.api import Student
from zipped import zipped

from syncpoint.collect.archive import open_archive
from syncpoint.collect.collection import Account, Times, best_reading, describe
from syncpoint.collect.match import Roster, match
from syncpoint.platforms import PLATFORMS, read_download
from syncpoint.platforms.download import CollectError, Download, Member

CLASS = [
    Student(id="ada", first_name="Ada", last_name="Lovelace"),
    Student(id="bob", first_name="Bób", last_name="Byron"),
    Student(id="jorg", first_name="Jörg", last_name="Müßig"),
    Student(id="li1", first_name="Wei", last_name="Li"),
    Student(id="li2", first_name="Wei", last_name="Li"),
    Student(id="zoe_q", first_name="Zoë", last_name="O'Neill Quill"),
]
Files = Mapping[str, str | bytes]


@pytest.fixture
def download(tmp_path: Path) -> Callable[[Files], Download]:
    """What a zip file of these files holds."""

    def read(files: Files) -> Download:
        (tmp_path / "all.zip").write_bytes(zipped(files))
        with open_archive(tmp_path / "all.zip") as found:
            _, download = best_reading(found, Roster(CLASS))
            for one in download.uploads:  # before it is closed
                for path, member in one.files.items():
                    content = member.read(10**6)
                    one.files[path] = Member(member.path, lambda content=content: io.BytesIO(content), member.order)
            return download

    return read


def whose(found: Download, *, believe_names: bool = False, **chosen: str) -> dict[str, dict[str, str]]:
    """Student -> files and what is in them."""
    groups = {name: tuple(students.split()) for name, students in chosen.items()}
    matched, _ = match(found.uploads, CLASS, groups, believe_names)
    return {
        student: {"/".join(path): member.read(999).decode(errors="replace") for path, member in one.files.items()}
        for student, one in matched.items()
    }


def nobodys(found: Download) -> dict[str, str]:
    return match(found.uploads, CLASS, {})[1]


ATTEMPT = "Homework 1_{}_attempt_2026-03-0{}-23-59-10{}"


def blackboard(user: str, day: int, name: str, file: str = "work.ipynb", label: str = "Name") -> Files:
    text = f"{label}: {name} ({user})\nAssignment: Homework 1\n\nFiles:\n\tOriginal filename: {file}\n"
    return {ATTEMPT.format(user, day, ".txt"): text, ATTEMPT.format(user, day, f"_{file}"): f"{user} {day}"}


def test_blackboard_takes_the_newest_attempt_and_knows_when_it_came(download):
    found = download(
        blackboard("ada", 1, "Ada Lovelace")
        | blackboard("ada", 3, "Ada Lovelace")
        | blackboard("ada", 2, "Ada Lovelace", "data.csv")
        | blackboard("li1", 1, "Wei Li", label="姓名")
        | blackboard("li2", 1, "Wei Li")
        | blackboard("zoe_q", 1, "Zoë O'Neill (Zo) Quill")
        | {ATTEMPT.format("jorg", 1, ".txt"): "Name\uff1a Jörg Müßig (jorg)\r\n"}
    )
    assert found.platform == "Blackboard"
    assert whose(found) == {
        "ada": {"work.ipynb": "ada 3", "data.csv": "ada 2"},
        "li1": {"work.ipynb": "li1 1"},
        "li2": {"work.ipynb": "li2 1"},
        "zoe_q": {"work.ipynb": "zoe_q 1"},
        "jorg": {},
    }
    assert found.left_out == [(ATTEMPT.format("ada", 1, "_work.ipynb"), "there is a newer one of this name")]
    times = {one.sender.shown: one.sender.local for one in found.uploads}
    assert times["Homework 1_ada"] == datetime(2026, 3, 3, 23, 59, 10)


def test_a_group_of_blackboard_is_asked_about_and_may_be_given_to_each_of_its_members(download):
    found = download(blackboard("Group 1", 1, "Group 1") | blackboard("jorg", 1, "Jörg Müßig"))
    assert whose(found) == {"jorg": {"work.ipynb": "jorg 1"}}
    assert list(nobodys(found)) == ["Homework 1_Group 1"]
    same = {"work.ipynb": "Group 1 1"}
    assert whose(found, **{"Homework 1_Group 1": "ada bob"}) == {
        "jorg": {"work.ipynb": "jorg 1"},
        "ada": same,
        "bob": same,
    }


@pytest.mark.parametrize(
    "eve",
    [
        {"HW_eve_attempt_2026-03-01-00-00-00_x_ada_attempt_2026-03-01-00-00-00.txt": "Name: Ada Lovelace (ada)"},
        {"HW_eve_attempt_2026-03-01-00-00-00_ada_attempt_2026-03-01-00-00-00_work.ipynb": ""},
        {"HW_eve_attempt_2026-03-01-00-00-00.txt": "Name: Eve (ada)"},
        {"HW_eve_ada_attempt_2026-03-01-00-00-00_w.ipynb": ""},  # the user may be called eve_ada
    ],
)
def test_blackboard_takes_nobody_for_a_student_by_what_they_chose(download, eve: Files):
    assert "ada" not in whose(download(eve))
    assert "ada" not in whose(download(eve | {"HW_bob_attempt_2026-03-01-00-00-00_work.ipynb": ""}))


def test_without_texts_blackboards_users_come_after_the_common_name_of_the_assignment(download):
    names = [f"Lab_1_{user}_attempt_2026-03-01-00-00-00_w.ipynb" for user in ("ada", "zoe_q", "eve")]
    found = download(dict.fromkeys(names, ""))
    assert list(whose(found)) == ["ada", "zoe_q"] and list(nobodys(found)) == ["Lab_1_eve"]


def test_what_may_be_of_two_platforms_is_asked_about(download):
    # Canvas's user 66, with a file that is called as Blackboard calls one of ada's.
    found = download({"evegoodman_66_91_x_ada_attempt_2026-03-01-00-00-00_work.ipynb": ""})
    assert whose(found) == {}
    assert next(iter(nobodys(found).values())).startswith("its name also fits ")


@pytest.mark.parametrize("around", ["", "Homework 1 Download Mar 2, 2026 900 AM/"])
@pytest.mark.parametrize("apart", ["/", " - "])
def test_brightspace_takes_what_came_last(download, around: str, apart: str):
    def name(person: str, date: str, file: str = "work.ipynb") -> str:
        return f"{around}{person} - {date}{apart}{file}"

    found = download(
        {
            f"{around}index.html": "",
            name("101-7 - Ada Lovelace", "Mar 1, 2026 1159 PM"): "late",
            name("101-7 - Ada Lovelace", "Mar 1, 2026 901 AM"): "early",
            name("102-7 - Byron, Bób", "Mar 1, 2026 1205 AM"): "bob",
            name("103-7 - Wei Li", "Mar 1, 2026 900 AM"): "one Li",
            name("104-7 - Wei Li", "Mar 1, 2026 900 AM"): "the other Li",
            name("105-7 - Group 3", "Mar 1, 2026 900 AM"): "group",
            name("106-7 - Jörg Müßig", "1 März 2026 2359"): "jorg",
            name("107-7 - Zoë O'Neill Quill", "1 March, 2026 1159 PM"): "zoe",
        }
    )
    assert found.platform == "Brightspace"
    alone = {"ada": "late", "bob": "bob", "jorg": "jorg", "zoe_q": "zoe"}
    assert whose(found) == {student: {"work.ipynb": work} for student, work in alone.items()}
    assert list(nobodys(found)) == ["103-7 - Wei Li", "104-7 - Wei Li", "105-7 - Group 3"]
    assert nobodys(found)["103-7 - Wei Li"].startswith("it may belong to li1, li2")
    times = {one.sender.shown: one.sender.local for one in found.uploads}
    assert times["101-7 - Ada Lovelace"] == datetime(2026, 3, 1, 23, 59)
    assert times["102-7 - Byron, Bób"] == datetime(2026, 3, 1, 0, 5)
    assert times["106-7 - Jörg Müßig"] is None


def test_what_came_last_is_asked_about_where_the_dates_cannot_be_read(download):
    names = [f"101-7 - Ada Lovelace - {day} Feber 2026 2359/work.ipynb" for day in (1, 2)]
    found = download(dict.fromkeys(names, ""))
    assert whose(found) == {} and "not all of the dates can be read" in nobodys(found)["101-7 - Ada Lovelace"]


@pytest.mark.parametrize("around", ["", "Homework 1/Abgaben/"])
def test_ilias_has_late_files_and_teams_of_which_not_all_are_named(download, around: str):
    found = download(
        {
            f"{around.partition('/')[0] or '.'}/Homework_1.xlsx".removeprefix("./"): "",
            f"{around}Lovelace_Ada_ada_4711/Late Submission - work.ipynb": "ada",
            f"{around}Muessig_Joerg_jorg_4713/Verspaetete Abgabe - work.ipynb": "jorg",
            f"{around}O'Neill Quill_Zoe_zoe_q_4714/work.ipynb": "zoe",
            f"{around}Byron_Bob_bob_4712/work.ipynb": "early",
            f"{around}Byron_Bob_bob_4712/Late Submission - work.ipynb": "bob",
            f"{around}Team 12/Li_Wei_li1_4715/work.ipynb": "team",
        }
    )
    assert found.platform == "ILIAS"
    alone = {name: {"work.ipynb": name} for name in ("ada", "jorg", "bob")}
    assert whose(found) == alone
    why = nobodys(found)
    assert list(why) == ["O'Neill Quill_Zoe_zoe_q_4714", "Team 12"]
    assert "names only the members who uploaded something; it may belong to li1" in why["Team 12"]
    team = {name: {"work.ipynb": "team"} for name in ("li1", "li2")}
    assert whose(found, **{"Team 12": "li1 li2"}) == alone | team
    late = [one.sender.shown for one in found.uploads if one.sender.late]
    assert late == ["Lovelace_Ada_ada_4711", "Muessig_Joerg_jorg_4713", "Byron_Bob_bob_4712"]


@pytest.mark.parametrize("around", ["", "Homework 1/"])
def test_names_in_google_drive_count_only_if_a_person_believes_them(download, around: str):
    files = {
        f"{around}Ada Lovelace - work.ipynb": "ada",
        f"{around}Jörg Müßig - work.ipynb": "jorg",
        f"{around}Bób Byron - work.ipynb": "bob",
        f"{around}Bób Byron - work(1).ipynb": "bob or another one",
        f"{around}Wei Li - work.ipynb": "a Li",
        f"{around}work.ipynb": "whoever",
    }
    found = download(files)
    assert found.platform == "Google Classroom"
    assert whose(found) == {}
    assert nobodys(found)["Ada Lovelace"].endswith("can give a file any name; it may belong to ada")
    assert whose(found, **{"Ada Lovelace": "ada"}) == {"ada": {"work.ipynb": "ada"}}
    named = {name: {"work.ipynb": name} for name in ("ada", "jorg")}
    assert whose(found, believe_names=True) == named
    assert whose(found, believe_names=True, **{"work.ipynb": "zoe_q"}) == named | {"zoe_q": {"work.ipynb": "whoever"}}


BY_NAME = {
    "Ada Lovelace/work.ipynb": "ada",
    "Byron, Bób/work.ipynb": "bob",
    "Müßig_Jörg/src/work.ipynb": "jorg",
    "Li Wei/work.ipynb": "a Li",
    "Wei Chen/work.ipynb": "nobody",
    "zoe_q/work.ipynb": "zoe",
}
FOUND = {
    "ada": {"work.ipynb": "ada"},
    "bob": {"work.ipynb": "bob"},
    "jorg": {"src/work.ipynb": "jorg"},
    "zoe_q": {"work.ipynb": "zoe"},
}


@pytest.mark.parametrize("around", ["", "Homework 1/"])
def test_folders_are_named_after_students_or_their_ids(download, around: str):
    found = download({around + name: content for name, content in BY_NAME.items()} | {f"{around}notes.txt": ""})
    assert whose(found) == FOUND
    assert list(nobodys(found)) == ["Li Wei", "Wei Chen"]


def test_a_zip_file_for_each_student(download):
    files = {f"{name.partition('/')[0]}.zip": zipped({"work.ipynb": ""}) for name in BY_NAME}
    found = download({f"Homework 1/{name}": content for name, content in files.items()})
    assert whose(found).keys() == FOUND.keys()
    assert list(nobodys(found)) == ["Li Wei.zip", "Wei Chen.zip"]
    assert {path for one in found.uploads for path in one.files} == {(name,) for name in files}


@pytest.mark.parametrize("times", [1, 2])
def test_a_download_that_was_packed_again_is_looked_into(download, times: int):
    content: Files = BY_NAME
    for _ in range(times):
        content = {"all of it/Download (1).ZIP": zipped(content), "__MACOSX/._x": ""}
    assert whose(download(content)) == FOUND


def test_a_zip_file_of_one_student_in_a_folder_is_theirs_alone(download):
    found = download({"ada.zip": zipped({"lovelaceada_4711_90_work.ipynb": "1", "byronbob_4712_91_work.ipynb": "2"})})
    assert whose(found).keys() == {"ada"}


def test_other_kinds_of_archives_are_named(tmp_path: Path):
    with tarfile.open(tmp_path / "all.tgz", "w:gz"):
        pass
    (tmp_path / "all.7z").write_bytes(b"7z\xbc\xaf\x27\x1c\0\4")
    for name, kind in (("all.tgz", r"tar\.gz"), ("all.7z", "7z")):
        with pytest.raises(CollectError, match=f"is a {kind} file. Unpack it"), open_archive(tmp_path / name):
            pass
    (tmp_path / "all.zip").write_bytes(zipped({"inner.zip": b"PK torn"}))
    with (
        pytest.raises(CollectError, match=r"inner\.zip cannot be opened as a zip file"),
        open_archive(tmp_path / "all.zip"),
    ):
        pass


def test_it_says_what_it_saw(download):
    with pytest.raises(CollectError, match=r"It contains 'essay\.ipynb', 'work\.ipynb'\.") as output:
        download({"work.ipynb": "", "essay.ipynb": ""})
    assert all(platform.name in str(output.value) for platform in PLATFORMS)


@pytest.mark.parametrize("around", ["Ada Lovelace", "Lovelace, Ada", "Lovelace_Ada"])
def test_a_folder_of_a_students_name_is_not_looked_into(around: str):
    names = [f"{around}/101-7 - {name} - Mar 1, 2026 900 AM/w.ipynb" for name in ("Bób Byron", "Jörg Müßig")]
    members = [Member(tuple(name.split("/")), io.BytesIO) for name in names]
    found = read_download(members, Roster(CLASS).is_student)
    assert [one.sender.shown for one in found.uploads] == [around]


IDS = {"ada": {"school_id": "4711", "login": "al1", "github": "adal"}, "bob": {"login": "bb2"}}


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("HW_al1_attempt_2026-03-01-00-00-00_w.ipynb", "ada"),
        ("HW_4711_attempt_2026-03-01-00-00-00_w.ipynb", "ada"),
        ("Lovelace_Ada_al1_9/w.ipynb", "ada"),
        ("4711/w.ipynb", "ada"),
        ("hw-adal/w.ipynb", "ada"),
        ("hw-al1/w.ipynb", ""),  # at GitHub, anybody may be called as somebody else is called elsewhere
        ("hw-bb2/w.ipynb", ""),
        ("evegoodman_4711_90_w.ipynb", ""),  # Canvas's number, not the school's
        ("Goodman_Eve_eve_4711/w.ipynb", ""),
        ("adal/w.ipynb", ""),
    ],
)
def test_an_id_counts_where_it_is_from(download, name: str, student: str):
    found, _ = match(download({name: ""}).uploads, CLASS, {}, ids=IDS)
    assert "".join(found) == student


def test_a_time_without_a_zone_is_read_in_the_zone_of_the_course_or_not_at_all(download):
    (one,) = download(blackboard("ada", 1, "Ada Lovelace")).uploads
    berlin = Times(zone=ZoneInfo("Europe/Berlin")).of(one)
    assert berlin is not None and berlin.astimezone(UTC) == datetime(2026, 3, 1, 22, 59, 10, tzinfo=UTC)
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert (Times().of(one), Times(all=noon).of(one)) == (None, noon)
    account = Account("Blackboard", "async", [], {}, [], [], [], local=True, zone="Europe/Berlin")
    assert "The times of Blackboard have no time zone: they are read as Europe/Berlin." in describe(account)
