"""Files next to a notebook: nothing is copied that is not a file, leads out of the folder, or fills the disk."""

import os
from pathlib import Path

import pytest
from classroom import SmallCourse

from syncpoint.course.attachments import MAX_FILES, rejected_files

MIB = 2**20


def test_ordinary_files_are_fit(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "data.csv").write_text("1,2")
    assert rejected_files(tmp_path, MIB) == []


@pytest.mark.parametrize("kind", ["link", "link to a folder", "broken link", "pipe"])
def test_what_is_no_file_is_unfit(tmp_path: Path, kind: str):
    odd = tmp_path / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to({"link": "/dev/zero", "link to a folder": "/etc", "broken link": "/nowhere"}[kind])
    (tmp_path / "data.csv").write_text("1,2")
    assert rejected_files(tmp_path, MIB) == [odd]


def test_a_name_that_is_no_text_is_unfit(tmp_path: Path):
    odd = tmp_path / os.fsdecode(b"caf\xe9.csv")
    odd.write_text("1,2")
    (tmp_path / "café.csv").write_text("1,2")
    assert rejected_files(tmp_path, MIB) == [odd]


def test_too_many_files_are_unfit(tmp_path: Path):
    for number in range(MAX_FILES + 1):
        (tmp_path / str(number)).touch()
    assert rejected_files(tmp_path, MIB) == [tmp_path]


def test_too_large_files_are_unfit_and_the_notebook_is_not(tmp_path: Path):
    (tmp_path / "work.ipynb").write_bytes(b"x" * 2 * MIB)
    (tmp_path / "large").write_bytes(b"x" * 2 * MIB)
    assert rejected_files(tmp_path, MIB) == [tmp_path / "large"]


def test_a_folder_that_is_a_link_is_refused_and_the_others_are_graded(course: SmallCourse):
    course.submit("ada", course.solved())
    submitted = course.root / "submitted"
    (submitted / "eve").mkdir()
    (submitted / "eve" / "async").symlink_to("../ada/async")
    (course.root / "outside").mkdir()
    (course.root / "outside" / "async").symlink_to("/")
    (submitted / "mallory").symlink_to(course.root / "outside")
    done = course.nbgrader("autograde", "async")
    assert done.returncode == 1
    assert [name for name in ("eve", "mallory") if f"{name}/async is a link to another folder" not in done.stderr] == []
    assert "traceback" not in done.stderr.lower()
    assert course.scores() == {"ada": (4, 2)}
