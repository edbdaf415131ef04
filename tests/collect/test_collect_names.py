"""Names in zip files of unknown encoding, zip files in each other, and folders around a class."""

import io
import struct
import subprocess
import unicodedata
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest
from nbgrader.api import Student
from zipped import zipped

from syncpoint.collect.archive import open_archive
from syncpoint.collect.collection import best_reading
from syncpoint.collect.match import Roster, match, read_pairs
from syncpoint.collect.packed import unpacked
from syncpoint.platforms import read_download
from syncpoint.platforms.download import CollectError, Member, Sender, Upload

CLASS = [
    Student(id="daniel", first_name="Daniël", last_name="Núñez"),
    Student(id="wang", first_name="小明", last_name="王"),
    Student(id="jose", first_name="José", last_name="Ñandú"),
    Student(id="jorg", first_name="Jörg", last_name="Müßig"),
    Student(id="sato", first_name="健", last_name="佐藤"),
    Student(id="kim", first_name="민수", last_name="김"),
    Student(id="ivan", first_name="Иван", last_name="Жуков"),
    Student(id="ada", first_name="Ada", last_name="Lovelace", lms_user_id="4711"),
    Student(id="bob", first_name="Bob", last_name="Byron", lms_user_id="4712"),
]
FOLDER = "{}_{}_assignsubmission_file/{}"


def entry(name: bytes, flags: int = 0, extra: bytes = b"") -> bytes:
    """A whole zip file with one empty file of this name, byte for byte."""
    head = struct.pack("<HHHHHLLLHH", 20, flags, 0, 0, 33, 0, 0, 0, len(name), len(extra)) + name + extra
    local = b"PK\3\4" + head
    middle = struct.pack("<HHHHHHLLLHHHHHLL", 20, 20, flags, 0, 0, 33, 0, 0, 0, len(name), len(extra), 0, 0, 0, 0, 0)
    central = b"PK\1\2" + middle + name + extra
    return local + central + b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(central), len(local), 0)


def unflagged(path: Path, names: list[str], encoding: str, others: Mapping[str, bytes] | None = None) -> Path:
    """A zip file with names in this encoding, which says nothing of it, as many programs write them."""
    stand_ins = {f"{number:03}": name.encode(encoding) for number, name in enumerate(names)}
    stand_ins |= dict(others or {})
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for stand_in, raw in stand_ins.items():
            file.writestr(stand_in.ljust(len(raw), "#"), "{}")
    found = content.getvalue()
    for stand_in, raw in stand_ins.items():
        found = found.replace(stand_in.ljust(len(raw), "#").encode(), raw)
    path.write_bytes(found)
    return path


def found_in(path: Path) -> dict[str, set[str]]:
    """Student -> paths; unmatched ones under "?"."""
    with open_archive(path) as archive:
        _, download = best_reading(archive, Roster(CLASS))
        found, unmatched = match(download.uploads, CLASS, {})
    paths = {student: {"/".join(file) for file in one.files} for student, one in found.items()}
    return {**paths, **({"?": set(unmatched)} if unmatched else {})}


@pytest.mark.parametrize(
    ("encoding", "people"),
    [
        ("utf-8", {"Daniël Núñez": "daniel", "小明 王": "wang", "José Ñandú": "jose"}),
        ("cp437", {"Daniël Núñez": "daniel", "Jörg Müßig": "jorg"}),
        ("cp850", {"Daniël Núñez": "daniel", "José Ñandú": "jose"}),
        ("cp1252", {"Jörg Müßig": "jorg", "José Ñandú": "jose"}),
        ("gbk", {"小明 王": "wang", "Ada Lovelace": "ada"}),
        ("big5", {"小明 王": "wang", "佐藤 健": "sato"}),
        ("cp932", {"佐藤 健": "sato", "Bob Byron": "bob"}),
        ("cp949", {"김 민수": "kim", "Bob Byron": "bob"}),
        ("cp866", {"Иван Жуков": "ivan", "Bob Byron": "bob"}),
        ("cp1251", {"Иван Жуков": "ivan", "Bob Byron": "bob"}),
    ],
)
def test_names_of_unknown_encoding_are_read_as_the_class_is_called(
    tmp_path: Path, encoding: str, people: dict[str, str]
):
    form = "NFD" if encoding == "utf-8" else "NFC"  # macOS writes accents apart
    names = [unicodedata.normalize(form, FOLDER.format(name, 1234 + n, "w.ipynb")) for n, name in enumerate(people)]
    assert found_in(unflagged(tmp_path / "all.zip", names, encoding)) == {id: {"w.ipynb"} for id in people.values()}


def test_a_file_name_that_is_not_utf_8_affects_no_other_name(tmp_path: Path):
    names = [FOLDER.format("Daniël Núñez", 1, "w.ipynb"), FOLDER.format("小明 王", 2, "w.ipynb")]
    odd = {"odd": FOLDER.format("Ada Lovelace", 3, "").encode() + "Übung.ipynb".encode("cp1252")}
    found = found_in(unflagged(tmp_path / "all.zip", names, "utf-8", odd))
    assert found.keys() == {"daniel", "wang", "ada"}


@pytest.mark.parametrize("program", ["zip", "python"])
def test_what_real_programs_write_is_read(tmp_path: Path, program: str):
    for name in ("Daniël Núñez", "小明 王", "Ada Lovelace"):
        file = tmp_path / "in" / FOLDER.format(unicodedata.normalize("NFD", name), 7, "w.ipynb")
        file.parent.mkdir(parents=True)
        file.write_text("{}")
    archive = tmp_path / "all.zip"
    if program == "zip":
        try:
            subprocess.run(["zip", "-qr", archive, "."], cwd=tmp_path / "in", check=True)
        except FileNotFoundError:
            pytest.skip("no zip here")
    else:
        with zipfile.ZipFile(archive, "w") as file:
            for path in (tmp_path / "in").rglob("*.ipynb"):
                file.write(path, path.relative_to(tmp_path / "in"))
    assert found_in(archive) == {key: {"w.ipynb"} for key in ("daniel", "wang", "ada")}
    assert found_in(tmp_path / "in") == {key: {"w.ipynb"} for key in ("daniel", "wang", "ada")}


def test_the_unicode_path_of_info_zip_is_believed_if_it_belongs_to_the_name(tmp_path: Path):
    right = FOLDER.format("小明 王", 2, "w.ipynb").encode()
    raw = FOLDER.format("?? ?", 2, "w.ipynb").encode() + b"\xff"
    for checksum, expected in ((zlib.crc32(raw), {"wang"}), (1, {"?"})):
        field = struct.pack("<BL", 1, checksum) + right
        extra = struct.pack("<HH", 0x5455, 1) + b"\0" + struct.pack("<HH", 0x7075, len(field)) + field
        (tmp_path / "all.zip").write_bytes(entry(raw, extra=extra))
        assert found_in(tmp_path / "all.zip").keys() == expected
    (tmp_path / "all.zip").write_bytes(entry(right[:-8] + b"\xff.ipynb", flags=0x800))
    with pytest.raises(CollectError, match="its names are not valid UTF-8"):
        found_in(tmp_path / "all.zip")


def test_names_that_two_encodings_give_to_two_students_are_asked_about(tmp_path: Path):
    raw = "小明 王".encode("gbk")
    twins = [Student(id="a", first_name="小明", last_name="王")]
    other = raw.decode("cp437").split(" ")
    twins.append(Student(id="b", first_name=other[0], last_name=other[1]))
    path = unflagged(tmp_path / "all.zip", [FOLDER.format("小明 王", 1, "w.ipynb")], "gbk")
    with open_archive(path) as archive, pytest.raises(CollectError, match="unknown encoding: some can be read as"):
        best_reading(archive, Roster(twins))


def opened(files: Mapping[str, bytes], most: int = 10**6) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    members = {
        tuple(name.split("/")): Member(tuple(name.split("/")), lambda content=content: io.BytesIO(content))
        for name, content in files.items()
    }
    found, left_out = unpacked(Upload(Sender("x"), members), {"work"}, most)
    return {"/".join(path): member.read(10**6) for path, member in found.items()}, left_out


def test_a_zip_file_in_a_submission_is_opened():
    inner = zipped({"week3/work.ipynb": b"1", "__MACOSX/week3/._work.ipynb": b"", "week3/data.csv": b"2"})
    for files in ({"abgabe.zip": inner}, {"outer.ZIP": zipped({"abgabe.zip": inner})}):
        found, left_out = opened(files)
        assert (found, left_out) == ({"week3/work.ipynb": b"1", "week3/data.csv": b"2"}, [])


def test_a_zip_file_next_to_the_notebook_is_data():
    files = {"work.ipynb": b"1", "data.zip": zipped({"work.ipynb": b"2"})}
    assert opened(files) == (files, [])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK torn", "it cannot be opened as a zip file"),
        (zipped({f"{n}.ipynb": b"" for n in range(201)}), "has more than 200 files"),
        (zipped({"big.bin": bytes(range(256)) * 8000}) + b"#" * 10**6, "too large"),
        (zipped({}), "is empty"),
    ],
)
def test_a_zip_file_out_of_bounds_is_named(content: bytes, why: str):
    found, left_out = opened({"a.zip": content, "b.zip": zipped({"work.ipynb": b"1"})})
    assert found == {"work.ipynb": b"1"}
    assert [name for name, _ in left_out] == ["a.zip"] and why in left_out[0][1]


def test_paths_in_an_inner_zip_file_lead_nowhere_else_and_depth_is_bounded():
    found, left_out = opened({"a.zip": zipped({"../../evil.ipynb": b"", "ok.ipynb": b""})})
    assert list(found) == ["ok.ipynb"] and left_out == [
        ("a.zip/../../evil.ipynb", "its path leads out of the download")
    ]
    content = zipped({"work.ipynb": b"1"})
    for _ in range(6):
        content = zipped({"a.zip": content})
    assert list(opened({"a.zip": content})[0]) == ["a.zip"]


def whose(*names: str, **chosen: str) -> dict[str, set[str]]:
    members = [Member(tuple(name.split("/")), io.BytesIO) for name in names]
    download = read_download(members, Roster(CLASS).is_student)
    found, unmatched = match(download.uploads, CLASS, {name: (one,) for name, one in chosen.items()})
    paths = {student: {"/".join(file) for file in one.files} for student, one in found.items()}
    return {**paths, **({"?": set(unmatched)} if unmatched else {})}


@pytest.mark.parametrize("around", ["", "Abgaben/", "Exercise 1/Abgaben/", "a/b/c/d/e/"])
@pytest.mark.parametrize(
    "people", [("ada", "bob"), ("Lovelace_Ada_ada_4711", "Byron_Bob_bob_4712"), ("x-ada", "x-bob")]
)
def test_folders_around_all_students_are_looked_into_at_any_depth(around: str, people: tuple[str, str]):
    names = [f"{around}{person}/{file}" for person in people for file in ("a.ipynb", "src/b.ipynb")]
    both = {"a.ipynb", "src/b.ipynb"}
    assert whose(*names) == {"ada": both, "bob": both}
    assert whose(*names, f"{around}README.md") == {"ada": both, "bob": both}


def test_ilias_puts_a_time_before_names_and_the_later_file_is_taken():
    folder = "Abgaben/{}/{}_w.ipynb"
    names = [folder.format("Lovelace_Ada_ada_4711", time) for time in (20260301235910, 20260228000000)]
    names += [folder.format("Byron_Bob_bob_4712", 20260301235910), folder.format("Goodman_Eve_eve_4711x", 1)]
    assert whose(*names) == {"ada": {"w.ipynb"}, "bob": {"w.ipynb"}, "?": {"Goodman_Eve_eve_4711x"}}
    # A login that another student's name ends in.
    eve = folder.format("Love_lace_Ada_eve_99", 20260301235910)
    assert whose(*names[2:], eve) == {"bob": {"w.ipynb"}, "?": {"Love_lace_Ada_eve_99", "Goodman_Eve_eve_4711x"}}


def test_a_folder_of_several_students_matches_nobody_even_if_a_person_names_one():
    sections = ("A/ada/w.ipynb", "A/bob/w.ipynb", "B/wang/w.ipynb")
    assert whose(*sections) == {"?": {"A", "B"}}
    for name, student in (("A", "ada"), ("B", "ada")):
        with pytest.raises(CollectError, match=f"--match: '{name}' has folders of several people"):
            whose(*sections, **{name: student})
    unknown = ("A/x/w.ipynb", "A/y/w.ipynb", "B/z/w.ipynb")
    with pytest.raises(CollectError, match="has folders of several people"):
        whose(*unknown, A="ada")
    assert whose(*unknown, B="wang") == {"wang": {"z/w.ipynb"}, "?": {"A"}}
    # A folder of a class that is called like a student.
    assert whose("ada/bob/w.ipynb", "ada/wang/w.ipynb", "sato/w.ipynb") == {"sato": {"w.ipynb"}, "?": {"ada"}}


def test_one_work_in_folders_of_its_own_is_not_that_of_several():
    names = ("hw-torvalds/a/1.ipynb", "hw-torvalds/b/2.ipynb", "hw-ada/w.ipynb", "hw-ada/old/w.ipynb")
    found = whose(*names, **{"hw-torvalds": "bob"})
    assert found == {"bob": {"a/1.ipynb", "b/2.ipynb"}, "ada": {"w.ipynb", "old/w.ipynb"}}


@pytest.mark.parametrize(
    ("typed", "output"),
    [
        (["a=ada", "b=ada"], "'ada' twice"),
        (["a=ada", "a=ada"], "'ada' twice"),
        (["a"], "needs NAME=STUDENT"),
        (["=ada"], "needs NAME=STUDENT"),
    ],
)
def test_one_student_has_one_work(typed: list[str], output: str):
    with pytest.raises(CollectError, match=output):
        read_pairs(typed)
    assert read_pairs(["x=y=ada", "Danie\u0308l=b"]) == {"x=y": ("ada",), "Daniël": ("b",)}
    assert read_pairs(["Group 1=ada", "Group 1=bob"]) == {"Group 1": ("ada", "bob")}
