"""Exports: the file has the gradebook's content, in the columns that other programs read."""

import csv
import os
import shutil
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pandas
import pytest
from classroom import BIN, ROOT, SmallCourse
from nbgrader.api import Gradebook
from results import result_of

from syncpoint import exports, platforms
from syncpoint.core.results import ExerciseResult, NotebookResult, Versions
from syncpoint.course.errors import CourseError
from syncpoint.exports import (
    BlackboardExport,
    BrightspaceExport,
    CanvasExport,
    MoodleExport,
    OutcomesCsvExport,
    OutcomesParquetExport,
)
from syncpoint.exports.outcomes import TYPES, read_outcomes
from syncpoint.nbgrader_hooks.export_plugin import Export, ExportError
from syncpoint.records.database import upgrade
from syncpoint.records.grades import ExportSelection
from syncpoint.records.save_verdicts import save_verdicts
from syncpoint.records.student_details import set_student_id

JUDGED = NotebookResult(
    Versions("mxnet 1.9.1", "0123456789ab"),
    (
        ExerciseResult(
            "test_queue_work",
            4.0,
            (
                result_of("test_value", "=1+1, the sum", "", 1.0, True, "", "", 0.25),
                result_of("test_waits", "It waits, at the end", "", 3.0, False, "seen", "SECRET", 0.5, "waits-inside"),
            ),
        ),
        ExerciseResult("test_double", 2.0, ()),
    ),
)
POINTS = {  # student, assignment, cell: points by the tests, points by a person
    ("ada", "async", "test_queue_work"): (3.3333, None),
    ("ada", "async", "why"): (None, 2.0),
    ("ada", "multi", "test_sum"): (5.0, None),
    ("bob", "async", "test_queue_work"): (0.0, None),
    ("bob", "async", "why"): (None, None),
    ("bob", "multi", "test_sum"): (None, None),
}


def fill(gradebook: Gradebook) -> None:
    """Ada is late in multi.  Of bob's work one answer is unread and one notebook not graded.  Cy handed in nothing."""
    for assignment, cells in {"async": {"test_queue_work": 4, "why": 2}, "multi": {"test_sum": 5}}.items():
        gradebook.add_assignment(assignment)
        gradebook.add_notebook("work", assignment)
        for cell, points in cells.items():
            kind = "markdown" if cell == "why" else "code"
            gradebook.add_grade_cell(cell, "work", assignment, max_score=points, cell_type=kind)
    gradebook.add_student("ada", first_name="Ada", last_name='Lovelace, "Countess"', email="a@b.c", lms_user_id="00101")
    gradebook.add_student("bob", first_name="=HYPERLINK(1)", last_name="Ünal", lms_user_id="+102")
    gradebook.add_student("cy", lms_user_id="103")
    for student, assignment in dict.fromkeys(key[:2] for key in POINTS):
        gradebook.add_submission(assignment, student)
    for (student, assignment, cell), (by_tests, by_hand) in POINTS.items():
        grade = gradebook.find_grade(cell, "work", assignment, student)
        grade.auto_score, grade.manual_score = by_tests, by_hand
        grade.needs_manual_grade = cell == "why" and by_hand is None
    gradebook.find_submission_notebook("work", "multi", "ada").late_submission_penalty = 0.5
    gradebook.db.commit()
    upgrade(gradebook.engine)
    save_verdicts(gradebook.db(), "async", [("ada", "work", JUDGED, None)])
    gradebook.db.commit()


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(BIN), prepend=os.pathsep)  # nbgrader calls alembic as a program
        with Gradebook(f"sqlite:///{path}", "syncpoint") as gradebook:
            fill(gradebook)
    return path


@pytest.fixture
def gradebook(filled: Path, tmp_path: Path):
    with Gradebook(f"sqlite:///{shutil.copy(filled, tmp_path)}", "syncpoint") as gradebook:
        yield gradebook


@pytest.fixture
def export(gradebook: Gradebook, tmp_path: Path):
    """Export with these options; the file."""

    def write(kind: type[Export], **options) -> Path:
        kind(to=str(tmp_path / "exported"), **options).export(gradebook)
        return tmp_path / "exported"

    return write


@pytest.fixture
def refusal(gradebook: Gradebook):
    """Why an export with these options does not happen."""

    def read(kind: type[Export], **options) -> str:
        plugin = kind(**options)
        with pytest.raises((ExportError, CourseError)) as refused:
            plugin.content(gradebook, plugin.selection(gradebook))
        return str(refused.value)

    return read


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_canvas_reads_its_own_columns(export):
    assert rows(export(CanvasExport)) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "async", "multi"],
        ["Points Possible", "", "", "", "", "6", "5"],
        ['Lovelace, "Countess", Ada', "00101", "", "", "", "5.3333", "4.5"],
        ["Ünal, =HYPERLINK(1)", "+102", "", "", "", "0", ""],
        ["cy", "103", "", "", "", "", ""],
    ]


def test_canvas_finds_students_by_another_id_and_assignments_by_its_title(export):
    options = {"id_column": "SIS Login ID", "titles": {"async": "Homework 1 (4711)"}}
    head, _, *students = rows(export(CanvasExport, student=["ada"], **options))
    assert head[5:] == ["Homework 1 (4711)", "multi"]
    assert [row[1:4] for row in students] == [["", "", "00101"]]


@pytest.mark.parametrize("chosen", [[], ["multi"]])
@pytest.mark.parametrize(
    ("titles", "output"),
    [
        ({"asnc": "Homework 1"}, "CanvasExport.titles names asnc, but the gradebook has async, multi: fix the name."),
        (
            {"async": "Homework", "multi": "Homework"},
            "async, multi have the same title 'Homework': give each its own title in CanvasExport.titles.",
        ),
        (
            {"async": "multi"},
            "async, multi have the same title 'multi': give each its own title in CanvasExport.titles.",
        ),
    ],
)
def test_titles_of_no_assignment_or_of_two_are_refused(refusal, titles: dict[str, str], output: str, chosen: list[str]):
    assert refusal(CanvasExport, titles=titles, assignment=chosen) == output


@pytest.mark.parametrize("chosen", [[], ["multi"]])
@pytest.mark.parametrize("total", ["async", "multi", "Homework 1"])
def test_a_course_total_has_neither_the_name_nor_the_title_of_an_assignment(refusal, total: str, chosen: list[str]):
    output = refusal(CanvasExport, total=total, titles={"async": "Homework 1"}, assignment=chosen)
    assert output == f"CanvasExport.total: the title {total!r} is that of an assignment. Choose another one."


def test_a_title_of_an_assignment_that_was_not_chosen_may_stay(export):
    head, *_ = rows(export(CanvasExport, titles={"async": "Homework 1"}, assignment=["multi"]))
    assert head[5:] == ["multi"]


def test_moodle_reads_its_own_columns(export):
    person = ["First name", "Surname", "ID number", "Institution", "Department", "Email address"]
    assert rows(export(MoodleExport)) == [
        [*person, "async", "multi"],
        ["Ada", 'Lovelace, "Countess"', "00101", "", "", "a@b.c", "5.3333", "4.5"],
        ["'=HYPERLINK(1)", "Ünal", "+102", "", "", "", "0", "-"],
        ["", "", "103", "", "", "", "-", "-"],
    ]


def test_blackboard_and_brightspace_find_students_by_their_user_names(gradebook: Gradebook, export, capsys):
    set_student_id(gradebook.db(), "ada", "login", "al1")
    gradebook.update_or_create_student("cy", lms_user_id="")
    assert rows(export(BlackboardExport, titles={"async": "HW 1 [Total Pts: 6 Score] |4711"})) == [
        ["Last Name", "First Name", "Username", "HW 1 [Total Pts: 6 Score] |4711", "multi"],
        ['Lovelace, "Countess"', "Ada", "al1", "5.3333", "4.5"],
        ["Ünal", "'=HYPERLINK(1)", "bob", "0", ""],
        ["", "", "cy", "", ""],
    ]
    (output,) = [line for line in capsys.readouterr().out.splitlines() if "BlackboardExport.titles" in line]
    assert output.startswith("multi: Blackboard finds a column by the number in its title")
    assert rows(export(BrightspaceExport, titles={"async": "HW 1"})) == [
        ["Username", "HW 1 Points Grade", "multi Points Grade", "End-of-Line Indicator"],
        ["al1", "5.3333", "4.5", "#"],
        ["bob", "0", "", "#"],
        ["cy", "", "", "#"],
    ]


def test_names_are_no_formulas_and_ids_stay_as_they_are(gradebook: Gradebook, export):
    gradebook.update_or_create_student("bob", last_name="@SUM(1)", lms_user_id="=102")
    (bob,) = [row for row in rows(export(CanvasExport)) if row[1] == "=102"]
    assert bob[0] == "'@SUM(1), =HYPERLINK(1)"


@pytest.mark.parametrize("sign", "=+-@\t\r\n")
def test_no_name_begins_as_a_formula_does(gradebook: Gradebook, export, sign: str):
    gradebook.update_or_create_student("bob", first_name=f"{sign}1+1")
    assert [row[0] for row in rows(export(MoodleExport)) if row[2] == "+102"] == [f"'{sign}1+1"]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(export, tmp_path: Path, capsys):
    (tmp_path / "exported" / "in the way").mkdir(parents=True)
    with pytest.raises(SystemExit):
        export(MoodleExport)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_file_is_as_open_as_any_other(export, tmp_path: Path):
    (tmp_path / "other").touch()
    assert export(MoodleExport).stat().st_mode == (tmp_path / "other").stat().st_mode


def test_students_without_an_lms_id_are_reported(gradebook: Gradebook, refusal):
    gradebook.update_or_create_student("cy", lms_user_id="")
    gradebook.add_student("di")
    output = "no LMS id for cy, di: put it into a roster and run `syncpoint roster FILE`"
    assert refusal(MoodleExport).startswith(output)


def test_where_nobody_has_an_lms_id_moodle_finds_students_by_their_email_address(
    gradebook: Gradebook, refusal, export, capsys: pytest.CaptureFixture[str]
):
    for student in ("ada", "bob", "cy"):
        gradebook.update_or_create_student(student, lms_user_id="", email=f"{student}@x.org")
    assert [row[2:6:3] for row in rows(export(MoodleExport))[1:]] == [
        ["", f"{name}@x.org"] for name in ("ada", "bob", "cy")
    ]
    assert "Nobody has an LMS id: in Moodle's import, choose Map from 'Email address'" in capsys.readouterr().out
    assert refusal(CanvasExport).startswith("no LMS id for ada, bob, cy")
    gradebook.update_or_create_student("cy", email="ADA@x.org")
    assert refusal(MoodleExport).startswith("no LMS id for ada, bob, cy")


def test_a_number_of_the_school_is_none_of_canvas(gradebook: Gradebook, refusal, export):
    upgrade(gradebook.engine)
    set_student_id(gradebook.db(), "cy", "school_id", "103")
    gradebook.db.commit()
    assert refusal(CanvasExport).startswith("the LMS id of cy is the school id")
    assert rows(export(CanvasExport, id_column="SIS User ID"))[-1][:3] == ["cy", "", "103"]


def test_two_students_with_one_lms_id_are_refused(gradebook: Gradebook, refusal):
    gradebook.update_or_create_student("bob", lms_user_id="103")
    assert refusal(CanvasExport) == (
        "bob, cy have the same LMS id '103': fix the roster, or leave one of them out (see "
        "docs/how-to/collect-and-export.md)."
    )


def test_two_students_with_one_user_name_are_refused(gradebook: Gradebook, refusal, export):
    """An id without a login, and a login that differs in nothing but its case."""
    set_student_id(gradebook.db(), "cy", "login", "Ada")
    assert refusal(BlackboardExport).startswith("ada, cy have the same user name 'ada': fix the roster, or leave one")
    assert [row[0] for row in rows(export(BrightspaceExport, student=["bob", "cy"]))] == ["Username", "bob", "Ada"]


def test_user_names_come_from_a_roster_file_and_a_note_names_whose_is_the_id(export, tmp_path: Path, capsys):
    (tmp_path / "roster.csv").write_text("id,login\nada,al1\nbob,\ncy,c3\n")
    found = rows(export(BrightspaceExport, roster=str(tmp_path / "roster.csv")))
    assert [row[0] for row in found] == ["Username", "al1", "bob", "c3"]
    assert "\nno login for bob: the file has their id as the user name.\n" in capsys.readouterr().out
    export(BrightspaceExport)
    assert "no login" not in capsys.readouterr().out


def test_a_roster_file_replaces_the_ids_of_the_gradebook(export, tmp_path: Path):
    roster = tmp_path / "roster.csv"
    roster.write_text("id;LMS id\nada;a1\nbob;b2\ncy;c3\n")
    assert [row[1] for row in rows(export(CanvasExport, roster=str(roster)))[2:]] == ["a1", "b2", "c3"]


def test_a_roster_file_may_have_students_who_were_not_chosen(export, tmp_path: Path):
    (tmp_path / "roster.csv").write_text("id,LMS id\nada,a1\nbob,b2\n")
    (bob,) = rows(export(CanvasExport, student=["bob"], roster=f"{tmp_path}/roster.csv"))[2:]
    assert bob[1] == "b2"


@pytest.mark.parametrize(
    ("roster", "output"),
    [
        ("id,LMS id\nada,1\ncy,2\n", ".csv: bob. Add them"),
        ("id,LMS id\nada,1\nbob,2\ncy,3\nCy,4\ndi,5\n", "but not in the gradebook: Cy, di. Fix"),
        ("id,LMS id\nada,1\nbob,\ncy,2\n", "no LMS id for bob: add it in "),
        ("id,LMS id\nada,1\nbob,1\ncy,2\n", "line 3: the LMS id '1' is also in line 2"),
    ],
)
def test_a_roster_file_that_is_not_right_is_refused(refusal, tmp_path: Path, roster: str, output: str):
    (tmp_path / "roster.csv").write_text(roster)
    assert output in refusal(CanvasExport, roster=str(tmp_path / "roster.csv"))


def test_it_says_what_is_not_final(export, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    export(CanvasExport)
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path}/exported: async, multi; students: 3.",
        "async: answers of bob have not been read yet; their points may still grow.",
        "async: nothing is graded for cy; their cells are empty, not 0.",
        "multi: nothing is graded for bob, cy; their cells are empty, not 0.",
    ]


def test_the_long_table_has_a_row_for_each_test(export):
    table = pandas.read_parquet(export(OutcomesParquetExport))
    reported = ["student", "exercise", "test", "outcome", "weight", "points", "max_points", "misconception"]
    assert table[reported].values.tolist() == [
        ["ada", "test_queue_work", "test_value", "passed", 1.0, 1.0, 1.0, ""],
        ["ada", "test_queue_work", "test_waits", "failed", 3.0, 0.0, 3.0, "waits-inside"],
        ["ada", "test_double", "", "not tested", 0.0, 0.0, 2.0, ""],
    ]


def test_the_points_of_the_rows_are_those_of_the_exercise(filled: Path, tmp_path: Path):
    tests = [(9.0, True, "core"), (2.0, True, ""), (3.0, True, "core"), (1.0, False, "value")]
    reported = [
        result_of(f"test_{n}", weight=w, passed=ok, **{mark: True} if mark else {})
        for n, (w, ok, mark) in enumerate(tests)
    ]
    verdicts = ExerciseResult("test_sum", 5.0, tuple(reported)), ExerciseResult("test_double", 2.0, ())
    path = shutil.copy(filled, tmp_path)
    with Gradebook(f"sqlite:///{path}", "syncpoint") as gradebook:
        save_verdicts(gradebook.db(), "multi", [("ada", "work", NotebookResult(Versions("", ""), verdicts), None)])
        gradebook.db.commit()
        table = read_outcomes(gradebook, ExportSelection(("multi",), ("ada",)))
    assert list(table["core"]) == [True, False, True, False, False]
    assert list(table["value"]) == [False, False, False, True, False]
    sums = table.groupby("exercise")[["points", "max_points"]].sum().round(4)
    assert sums.loc["test_sum"].tolist() == [verdicts[0].points, 5.0] == [3.75, 5.0]
    assert sums.loc["test_double"].tolist() == [0.0, 2.0]


def test_parquet_keeps_the_types(export):
    table = pandas.read_parquet(export(OutcomesParquetExport))
    assert {name: str(kind) for name, kind in table.dtypes.items()} == TYPES


def test_csv_and_parquet_hold_the_same(export):
    parquet = pandas.read_parquet(export(OutcomesParquetExport))
    texts = {name: kind for name, kind in TYPES.items() if kind != "datetime64[us, UTC]"}
    table = pandas.read_csv(export(OutcomesCsvExport), dtype=texts, keep_default_na=False).astype(TYPES)
    assert list(table["title"]) == ["'=1+1, the sum", "It waits, at the end", ""]
    pandas.testing.assert_frame_equal(table.drop(columns="title"), parquet.drop(columns="title"))


@pytest.mark.parametrize("kind", [OutcomesCsvExport, OutcomesParquetExport])
def test_it_counts_the_students_who_are_in_the_long_table(export, capsys: pytest.CaptureFixture[str], kind):
    path = export(kind)
    assert capsys.readouterr().out == f"{path}: async, multi; students: 1.\n"


def test_the_long_table_tells_no_assertion(export):
    assert b"SECRET" not in export(OutcomesCsvExport).read_bytes()


def test_records_of_a_removed_submission_are_not_exported(gradebook: Gradebook, refusal):
    gradebook.remove_submission("async", "ada")
    assert refusal(OutcomesCsvExport).startswith("nothing has been graded yet")


@pytest.mark.parametrize(
    ("options", "output"),
    [
        ({"student": ["eve"]}, "the gradebook has no student eve: it has ada, bob, cy."),
        ({"assignment": ["asinc"]}, "the gradebook has no assignment asinc: it has async, multi."),
    ],
)
def test_unknown_names_are_refused(refusal, options: dict[str, list[str]], output: str):
    assert refusal(MoodleExport, **options) == output


def test_a_failed_export_leaves_the_last_file(gradebook: Gradebook, export, tmp_path: Path):
    before = export(CanvasExport).read_bytes()
    gradebook.add_student("di")
    with pytest.raises(SystemExit):
        export(CanvasExport)
    assert (tmp_path / "exported").read_bytes() == before


@pytest.fixture
def course(filled: Path, tmp_path: Path) -> SmallCourse:
    """A folder with the configuration of the course and the gradebook, and nothing else."""
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copy(filled, tmp_path)
    return SmallCourse(tmp_path)


@pytest.mark.slow
def test_nbgrader_export_takes_its_own_options_and_ours(course: SmallCourse):
    chosen = (
        "--assignment=['multi']",
        "--CourseDirectory.student_id_exclude=bob,eve",
        "--CanvasExport.id_column=SIS User ID",
    )
    course.must_run("nbgrader", "export", "--exporter=syncpoint.exports.CanvasExport", *chosen)
    assert rows(course.root / "canvas.csv")[2:] == [
        ['Lovelace, "Countess", Ada', "", "00101", "", "", "4.5"],
        ["cy", "", "103", "", "", ""],
    ]


@pytest.mark.slow
def test_nbgrader_export_says_in_one_line_what_is_wrong(course: SmallCourse):
    done = course.nbgrader("export", "--exporter=syncpoint.exports.MoodleExport", "--student=['eve']")
    assert done.returncode == 1
    assert done.stderr.strip().endswith("Nothing was exported: the gradebook has no student eve: it has ada, bob, cy.")
    assert "Traceback" not in done.stderr and not (course.root / "moodle.csv").exists()


@pytest.mark.slow
def test_nbgraders_own_file_is_whole_and_spoken_of(course: SmallCourse):
    usual = course.nbgrader("export", "--to", "stock.csv", "--exporter=nbgrader.plugins.CsvExportPlugin")
    done = course.nbgrader("export", "--to", "before.csv")
    assert (done.returncode, done.stdout) == (0, "before.csv: async, multi; students: 3.\n"), usual.stderr + done.stderr
    assert (course.root / "before.csv").read_bytes() == (course.root / "stock.csv").read_bytes()
    course.must_run("nbgrader", "export", "--assignment=['multi']", "--student=['ada']")
    assert [line[:4:3] for line in rows(course.root / "grades.csv")] == [["assignment", "student_id"], ["multi", "ada"]]


@pytest.mark.slow
def test_an_export_may_go_to_the_terminal_which_stays_what_it_is(course: SmallCourse):
    (course.root / "terminal").symlink_to("/dev/stdout")
    done = course.nbgrader("export", "--to", "terminal")
    assert (done.returncode, done.stderr) == (0, "terminal: async, multi; students: 3.\n")
    assert done.stdout.startswith("assignment,") and (course.root / "terminal").is_symlink()


@pytest.mark.slow
def test_nbgraders_own_file_that_cannot_be_written_is_one_line(course: SmallCourse):
    done = course.nbgrader("export", "--to", "nosuch/before.csv")
    assert (done.returncode, done.stdout) == (1, "")
    output = "Nothing was exported: nosuch/before.csv cannot be written (No such file or directory); name another file"
    assert output in done.stderr and "Traceback" not in done.stderr


def test_every_platform_is_asked_and_its_export_has_a_short_name():
    modules = [import_module(f"{platforms.__name__}.{found.name}") for found in iter_modules(platforms.__path__)]
    asked = [module.PLATFORM for module in modules if hasattr(module, "PLATFORM")]
    assert len(asked) > 8 and set(asked) == set(platforms.PLATFORMS), "PLATFORMS in platforms/__init__.py"
    known = [thing for module in modules for thing in vars(module).values() if isinstance(thing, type)]
    names = {kind.__name__ for kind in known if issubclass(kind, Export) and kind.file}
    assert {"CanvasExport", "MoodleExport"} <= names <= set(exports.__all__), "exports/__init__.py"
