"""A course in another language than English, from its first catalogue to the feedback."""

import json
from pathlib import Path
from typing import Any

import pytest
from classroom import ROOT, SmallCourse

from syncpoint.check.languages import change
from syncpoint.check.visible_tests import Visible
from syncpoint.course.folder import Course
from syncpoint.translations import catalogue
from syncpoint.translations.source_messages import REPORT

TEXTS = "[pt] "  # what each message begins with in the other language
NOTE = "# Three arrays wait in the queue.\n"
MODULE = 'LABELS = ["wait for it"]\n'


def fill(course: Course, language: str, name: str) -> None:
    """Translate all of a catalogue."""
    path = catalogue.path_of(course, language, name)
    catalog = catalogue.read(path, language)
    for entry in catalog:
        if entry.id:
            entry.string = (
                TEXTS + entry.id if isinstance(entry.id, str) else tuple(TEXTS + entry.id[-1] for _ in range(2))
            )
            entry.flags.discard("fuzzy")
    path.write_bytes(catalogue.write(catalog))


def change_source(small: SmallCourse, old: str, new: str) -> None:
    path = small.root / "source" / "async" / "work.ipynb"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def begin(small: SmallCourse, language: str) -> Course:
    """Begin a language with the command, and translate everything."""
    small.must_run("syncpoint", "translations", "extract", "--language", language)
    course = Course(small.root)
    assert catalogue.path_of(course, language, REPORT).is_relative_to(small.root)
    for name in (REPORT, "async"):
        fill(course, language, name)
    return course


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The small course with a complete catalogue in Portuguese.  Read only: copy it."""
    small = SmallCourse.make(tmp_path_factory.mktemp("translated") / "course")
    change_source(small, '"from mxnet import nd"', json.dumps(NOTE + "from mxnet import nd"))
    (small.root / "source" / "async" / "drawing.py").write_text(MODULE)
    begin(small, "pt_BR")
    return small


@pytest.fixture
def small(translated: SmallCourse, tmp_path: Path) -> SmallCourse:
    return translated.copy(tmp_path / "course")


@pytest.mark.parametrize("language", ["en", "Spanish", "../es", "pt-BR"])
def test_what_cannot_be_begun_is_refused(small: SmallCourse, language: str):
    done = small.run("syncpoint", "translations", "extract", "--language", language)
    assert done.returncode == 1 and "es or pt_BR" in done.stderr
    assert sorted(path.name for path in (small.root / "locale").iterdir()) == ["pt_BR"]


def test_catalogues_of_the_sources_stay_as_they_are(small: SmallCourse):
    def stored() -> dict[str, bytes]:
        return {path.stem: path.read_bytes() for path in (small.root / "locale" / "pt_BR").iterdir()}

    before = stored()
    done = small.run("syncpoint", "translations", "extract")
    assert (done.returncode, stored()) == (0, before) and "changed  " not in done.stdout
    done = small.run("syncpoint", "translations", "check")
    assert (done.returncode, done.stdout) == (0, "pt_BR  async: complete\n")


def test_a_changed_source_is_in_doubt_until_somebody_has_read_it(small: SmallCourse):
    """Its translation of before is kept and not shown, and no release has the language."""
    hint = small.grader("test_double")
    hint.write_text(hint.read_text().replace("double of a vector", "double of a short vector"))
    done = small.run("syncpoint", "translations", "check")
    assert done.returncode == 1 and "run `syncpoint translations extract`" in done.stderr

    assert small.run("syncpoint", "translations", "extract").stdout == "changed  locale/pt_BR/async.po\n"
    done = small.run("syncpoint", "translations", "check")
    assert (done.returncode, done.stdout) == (0, "pt_BR  async: 1 messages to go\n")
    text = catalogue.path_of(Course(small.root), "pt_BR", "async").read_text()
    (entry,) = [entry for entry in text.split("\n\n") if "#, fuzzy" in entry and "msgctxt" not in entry]
    assert '#| msgid "TITLE-OF-SMALL: double of a vector."' in entry
    assert f'msgstr "{TEXTS}TITLE-OF-SMALL: double of a vector."' in entry

    course = Course(small.root)
    assert [why for why in catalogue.lacking(course, "pt_BR", "async") if "short vector" not in why] == []
    assert catalogue.shipped(course, "async") == []
    spoken = catalogue.spoken(course, "pt_BR", "async")
    assert spoken.word("TITLE-OF-SMALL: double of a short vector.").startswith("TITLE")
    assert spoken.word("TITLE-OF-LARGE: double of a matrix.").startswith(TEXTS)

    path = catalogue.path_of(course, "pt_BR", "async")
    path.write_text(path.read_text().replace("#, fuzzy\n#| msgid", "#| msgid"))
    assert catalogue.shipped(course, "async") == ["pt_BR"]


def test_an_untranslated_message_keeps_a_language_from_shipping(small: SmallCourse):
    path = catalogue.path_of(Course(small.root), "pt_BR", "async")
    text = path.read_text()
    path.write_text(text.replace(f'msgstr "{TEXTS}HINT-OF-DOUBLE"', 'msgstr ""'))
    assert path.read_text() != text
    assert catalogue.shipped(Course(small.root), "async") == []


def released(small: SmallCourse) -> dict[str, Any]:
    small.must_run("nbgrader", "generate_assignment", "async")
    return small.release()


def text_of(path: Path) -> str:
    return "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"])


def other_language(small: SmallCourse) -> Path:
    return small.root / "release" / "async" / "languages"


@pytest.fixture(scope="module")
def portuguese(translated: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The course in Portuguese, with its release.  Read only."""
    small = translated.copy(tmp_path_factory.mktemp("portuguese") / "course")
    small.configure('c.GradeSubmission.language = "pt_BR"\n')
    released(small)
    return small


@pytest.mark.slow
def test_the_release_is_in_the_language_of_the_course_and_english_lies_below(portuguese: SmallCourse):
    release = portuguese.root / "release" / "async"
    assert sorted(path.name for path in other_language(portuguese).iterdir()) == ["en"]
    assert portuguese.release()["metadata"]["syncpoint_language"] == "pt_BR"
    assert f"# {TEXTS}Three arrays wait" in text_of(release / "work.ipynb")
    assert (release / "drawing.py").read_text() == f'LABELS = ["{TEXTS}wait for it"]\n'
    english = other_language(portuguese) / "en"
    assert Visible(release / "visible").language.name == "pt_BR"  # without a visible test, too
    assert Visible(english / "visible").language.name == "en"
    assert NOTE.strip() in text_of(english / "work.ipynb") and (english / "drawing.py").read_text() == MODULE
    with portuguese.gradebook() as gradebook:
        (book,) = gradebook.find_assignment("async").notebooks
        assert [TEXTS in cell.source for cell in book.source_cells if cell.name == "imports"] == [True]


@pytest.mark.slow
def test_a_student_changes_to_english_and_back(portuguese: SmallCourse, tmp_path: Path):
    folder = portuguese.copy(tmp_path / "course").root / "release" / "async"

    def files() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

    before = files()
    for path in folder.iterdir():
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert "now in en" in change(folder, "en")
    assert NOTE.strip() in text_of(folder / "work.ipynb") and (folder / "drawing.py").read_text() == MODULE
    assert "now in pt_BR" in change(folder, "pt_BR")
    assert files() == before


def test_the_course_decides_for_the_assignments_that_come_with_this_package(tmp_path: Path):
    course = Course(ROOT).copy_to(tmp_path / "course")
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write('c.GradeSubmission.language = "pt_BR"\n')
    course = Course(course.root)
    assert {course.settings_of(name).language for name in course.assignments()} == {"pt_BR"}


@pytest.mark.slow
def test_an_assignment_goes_before_the_course(small: SmallCourse):
    small.configure('c.GradeSubmission.language = "pt_BR"\n')
    (small.root / "grader_tests" / "async" / "assignment.toml").write_text('language = "en"\n')
    assert "syncpoint_language" not in released(small)["metadata"]
    assert sorted(path.name for path in other_language(small).iterdir()) == ["pt_BR"]


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("es", "or start the language: `syncpoint translations extract --language es`"),
        ("../pt_BR", "there is only en, pt_BR. Remove the line"),
        ("pt_BR", "1 of its messages"),
    ],
)
def test_a_language_that_is_not_whole_makes_no_release(small: SmallCourse, language: str, why: str):
    path = catalogue.path_of(Course(small.root), "pt_BR", "async")
    path.write_text(path.read_text().replace(f'msgstr "{TEXTS}HINT-OF-DOUBLE"', 'msgstr ""'))
    (small.root / "grader_tests" / "async" / "assignment.toml").write_text(f'language = "{language}"\n')
    done = small.nbgrader("generate_assignment", "async")
    assert done.returncode != 0 and why in done.stderr and "Traceback" not in done.stderr
    assert not (small.root / "release" / "async").exists()


@pytest.mark.exhaustive
def test_work_is_graded_in_the_language_of_the_course_or_of_the_student(portuguese: SmallCourse, tmp_path: Path):
    small = portuguese.copy(tmp_path / "course")
    wrong = "def double(x):\n    return x * 3"
    small.submit("ada", small.solved(double=wrong))
    lost = small.solved(double=wrong)
    lost["metadata"] = {}
    small.submit("bob", lost)
    english = small.copy(tmp_path / "english")
    (english.root / "release" / "async" / "work.ipynb").unlink()
    (other_language(english) / "en" / "work.ipynb").rename(english.root / "release" / "async" / "work.ipynb")
    small.submit("cleo", english.solved(double=wrong))
    for command in ("autograde", "generate_feedback"):
        small.must_run("nbgrader", command, "async")
    assert len(set(small.scores().values())) == 1 and small.scores()["ada"] == (4, 0)
    pages = {student: small.feedback(student) for student in ("ada", "bob", "cleo")}
    assert {student: f"{TEXTS}HINT-OF-DOUBLE" in page for student, page in pages.items()} == {
        "ada": True,
        "bob": True,
        "cleo": False,
    }
    assert {student: f"{TEXTS}Three arrays" in page for student, page in pages.items()} == {
        "ada": True,
        "bob": True,
        "cleo": False,
    }
    assert '<html lang="en">' in pages["cleo"] and '<html lang="pt-BR">' in pages["ada"]
    done = small.run("syncpoint", "feedback", "ada", "async")
    assert done.returncode == 0 and f"{TEXTS}HINT-OF-DOUBLE" in done.stdout
