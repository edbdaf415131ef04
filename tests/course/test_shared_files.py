"""Files of a release that many students' folders contain are on the disk once."""

import os
from pathlib import Path

import pytest

from syncpoint.course.shared_files import SharedFiles

DATA, OTHER = b"d" * 8, b"o" * 8


@pytest.fixture
def root(tmp_path: Path) -> Path:
    released = tmp_path / "release" / "async"
    released.mkdir(parents=True)
    (released / "data.csv").write_bytes(DATA)
    for student in ("ada", "bob"):
        folder = tmp_path / "submitted" / student / "async"
        folder.mkdir(parents=True)
        (folder / "data.csv").write_bytes(DATA)
        (folder / "own.csv").write_bytes(OTHER)
    return tmp_path


def work(root: Path, student: str, name: str) -> Path:
    return root / "submitted" / student / "async" / name


def test_equal_files_are_linked_and_own_work_is_not(root: Path):
    assert SharedFiles(root, "async").share(root / "submitted") == 2 * len(DATA)
    ada, bob = (work(root, student, "data.csv") for student in ("ada", "bob"))
    assert ada.samefile(bob) and ada.read_bytes() == DATA
    assert not ada.samefile(root / "release" / "async" / "data.csv")  # a release that changes changes no work
    assert not work(root, "ada", "own.csv").samefile(work(root, "bob", "own.csv"))
    assert SharedFiles(root, "async").share(root / "submitted") == 0


def test_a_file_that_replaces_a_link_is_in_one_folder(root: Path):
    shared = SharedFiles(root, "async")
    shared.share(root / "submitted")
    other = root / "other.csv"
    other.write_bytes(OTHER)
    shared.copy(other, work(root, "ada", "data.csv"))
    assert work(root, "ada", "data.csv").read_bytes() == OTHER
    assert work(root, "bob", "data.csv").read_bytes() == DATA


def test_a_copy_that_somebody_has_changed_is_linked_to_no_more(root: Path):
    SharedFiles(root, "async").share(root / "submitted" / "ada")
    (copy,) = (path for path in (root / ".syncpoint" / "shared").iterdir())
    copy.chmod(0o644)
    copy.write_bytes(OTHER)
    SharedFiles(root, "async").share(root / "submitted" / "bob")
    assert work(root, "bob", "data.csv").read_bytes() == DATA


def test_files_of_an_earlier_release_stay_linked_until_no_folder_has_them(root: Path):
    SharedFiles(root, "async").share(root / "submitted" / "ada")
    (root / "release" / "async" / "data.csv").write_bytes(OTHER)
    later = SharedFiles(root, "async")
    later.share(root / "submitted" / "bob")
    assert work(root, "ada", "data.csv").samefile(work(root, "bob", "data.csv"))
    assert later.sweep() == 0
    work(root, "ada", "data.csv").unlink()
    work(root, "bob", "data.csv").unlink()
    assert later.sweep() == len(DATA)


def test_links_that_lead_elsewhere_are_not_followed(root: Path, tmp_path: Path):
    outside = tmp_path / "outside.csv"
    outside.write_bytes(DATA)
    (root / "submitted" / "ada" / "async" / "link.csv").symlink_to(outside)
    SharedFiles(root, "async").share(root / "submitted")
    assert os.stat(outside).st_nlink == 1 and (root / "submitted" / "ada" / "async" / "link.csv").is_symlink()


def test_where_links_are_impossible_files_are_copied(root: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*paths: object) -> None:
        raise OSError("Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    shared = SharedFiles(root, "async")
    assert shared.share(root / "submitted") == 0
    shared.copy(work(root, "bob", "data.csv"), work(root, "ada", "own.csv"))
    assert work(root, "ada", "own.csv").read_bytes() == DATA
