"""`syncpoint grade`: the scores of autograde, and nothing is done twice."""

import contextlib
import json
import shutil
from pathlib import Path

import psutil
import pytest
from classroom import SmallCourse
from graded_class import RUN, SCORES, grade, hold, running, stored, submit_all

from syncpoint.course.folder import Course
from syncpoint.grading.claims import Claims
from syncpoint.records.read_results import read_graded


@pytest.fixture(scope="module")
def done(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """The class after one run with two workers.  Read only."""
    course = released.copy(tmp_path_factory.mktemp("done") / "course")
    submit_all(course)
    (course.folder("bob") / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC")
    (course.folder("cleo") / "data.txt").write_text("mine")
    became = grade(course, "--workers", "2")
    assert became == {**dict.fromkeys(RUN, "graded"), "eve": "from the store"}
    return course


@pytest.fixture
def taught(course: SmallCourse) -> SmallCourse:
    """The class, not graded yet."""
    submit_all(course)
    return course


@pytest.fixture
def again(done: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The class after that run, for this test alone."""
    return done.copy(tmp_path / "course")


def test_autograde_takes_the_results_from_the_store_and_writes_the_same(again: SmallCourse):
    before = {path: path.stat().st_mtime_ns for path in stored(again)}
    files = {path: path.read_bytes() for path in (again.root / "autograded").rglob("*.*") if path.is_file()}
    shutil.rmtree(again.root / "autograded")
    again.must_run("nbgrader", "autograde", "async")
    assert {path: path.stat().st_mtime_ns for path in stored(again)} == before
    assert {path: path.read_bytes() for path in files} == files  # nbgrader's own conversions write the same
    assert again.scores() == SCORES


def test_every_notebook_that_was_run_is_judged_once_and_everything_is_written(done: SmallCourse):
    assert (len(stored(done)), done.scores()) == (len(RUN), SCORES)
    for student in SCORES:
        (record,) = read_graded(Course(done.root), student, "async")
        assert tuple(exercise.points for exercise in record.notebook_result.exercises) == SCORES[student]
    assert (done.root / "autograded" / "cleo" / "async" / "data.txt").read_text() == "mine"
    assert (done.root / "autograded" / "bob" / "async" / "timestamp.txt").exists()


def test_an_unchanged_class_is_left_alone(again: SmallCourse):
    first = grade(again)  # the copy of the course has new files
    assert set(first.values()) == {"from the store"}
    notebooks = {path: path.stat().st_ino for path in (again.root / "autograded").rglob("*.ipynb")}
    assert set(grade(again).values()) == {"unchanged"}
    assert {path: path.stat().st_ino for path in (again.root / "autograded").rglob("*.ipynb")} == notebooks


@pytest.mark.exhaustive
def test_a_changed_written_answer_is_written_and_not_run(again: SmallCourse):
    grade(again)
    notebook = json.loads((again.folder("ada") / "work.ipynb").read_text())
    notebook["cells"][-1]["source"] = "Because."
    again.submit("ada", notebook)
    before = stored(again)
    assert grade(again) == {**dict.fromkeys(SCORES, "unchanged"), "ada": "from the store"}
    assert stored(again) == before
    assert "Because." in (again.root / "autograded" / "ada" / "async" / "work.ipynb").read_text()


@pytest.mark.exhaustive
def test_a_changed_due_date_writes_everybody_again(again: SmallCourse):
    grade(again)
    assert set(grade(again).values()) == {"unchanged"}
    with again.gradebook() as gradebook:
        gradebook.update_or_create_assignment("async", duedate="2026-01-01 12:00 UTC")
    assert set(grade(again).values()) == {"from the store"}


@pytest.mark.exhaustive
def test_changed_work_is_judged_again_without_force(again: SmallCourse):
    again.submit("bob", again.solved())
    assert grade(again, "--student", "bob") == {"bob": "from the store"}  # ada's work is the same
    assert again.scores()["bob"] == SCORES["ada"]


@pytest.mark.exhaustive
def test_a_changed_grader_judges_everybody_again(again: SmallCourse):
    path = again.grader("test_double")
    path.write_text(path.read_text() + "\nCHANGED = True\n")
    assert grade(again) == {**dict.fromkeys(RUN, "graded"), "eve": "from the store"}


@pytest.mark.exhaustive
def test_force_judges_again(again: SmallCourse):
    before = {path: path.stat().st_mtime_ns for path in stored(again)}
    assert grade(again, "--force", "--student", "a*", "--student", "dan") == {"ada": "graded", "dan": "graded"}
    after = {path: path.stat().st_mtime_ns for path in stored(again)}
    assert after.keys() == before.keys()
    assert sum(after[path] != before[path] for path in before) == 2


@pytest.mark.exhaustive
def test_a_killed_force_run_goes_on_where_it_stopped(again: SmallCourse):
    before = {path: path.stat().st_mtime_ns for path in stored(again)}
    with running(again, "--force") as run:
        run.until_ended(1)
        family = run.family()
        run.process.kill()
        psutil.wait_procs(family)
    judged = [path for path in before if path.stat().st_mtime_ns != before[path]]
    assert judged
    with running(again, "--force") as run:
        events = run.end()
    became = [event["outcome"] for event in events if event["event"] == "ended"]
    assert became.count("graded") == len(RUN) - len(judged)
    assert any("--force run that began at" in event.get("text", "") for event in events)
    assert list(grade(again, "--force").values()).count("graded") == len(RUN)
    assert again.scores() == SCORES


@pytest.mark.exhaustive
def test_equal_work_is_judged_once(course: SmallCourse):
    for student in ("ada", "bob", "cleo"):
        course.submit(student, course.solved())
    assert set(grade(course, "--workers", "2").values()) == {"graded"}
    assert len(stored(course)) == 1
    assert set(course.scores().values()) == {SCORES["ada"]}


@pytest.mark.exhaustive
def test_what_another_run_is_at_is_waited_for_and_the_others_are_graded_meanwhile(again: SmallCourse):
    grade(again)
    other = Claims(again.root / "autograded")
    assert other.take_if_alone("ada/async")
    (again.folder("bob") / "more.txt").write_text("new")
    with running(again, "--student", "a*", "--student", "bob") as run:
        assert run.until_ended(1) == ["bob"]
        assert run.until_noted("Another run is grading these now: ada.")
        other.release("ada/async")
        events = run.end()
    assert [(event["student"], event["outcome"]) for event in events if event["event"] == "ended"] == [
        ("ada", "unchanged")
    ]


def test_two_runs_at_once_judge_nothing_twice(taught: SmallCourse):
    hold(taught, "bob")
    with running(taught, "--workers", "1") as first:
        kernel = first.held()
        with running(taught, "--workers", "1") as second:
            assert second.until_noted("Another run is grading these now")
            kernel.resume()
            judged = [event["outcome"] for event in first.end() if event["event"] == "ended"]
            events = second.end()
    assert judged.count("graded") == len(RUN)
    assert {event["outcome"] for event in events if event["event"] == "ended"} == {"unchanged"}
    assert (first.process.returncode, second.process.returncode) == (0, 0)
    assert taught.scores() == SCORES


@pytest.mark.exhaustive
def test_who_waits_for_another_run_can_be_asked_to_end(course: SmallCourse):
    course.submit("ada", course.solved())
    other = Claims(course.root / "autograded")
    assert other.take_if_alone("ada/async")
    with running(course) as run:
        assert run.until_noted("Another run is grading these now: ada.")
        run.process.terminate()
        run.end()
    assert run.process.returncode == 1
    assert "Stopped by SIGTERM" in run.message
    assert "Traceback" not in run.message


@pytest.mark.exhaustive
def test_what_a_killed_run_was_at_goes_to_the_one_that_waits(taught: SmallCourse):
    hold(taught, "bob")
    with running(taught, "--workers", "1") as first:
        first.held()
        with running(taught, "--workers", "1") as second:
            assert second.until_noted("Another run is grading these now")
            for process in [*first.family(), first.process]:
                with contextlib.suppress(psutil.NoSuchProcess):  # some end with another one of them
                    process.kill()
            second.held().resume()
            second.end()
    assert second.process.returncode == 0, second.message
    assert taught.scores() == SCORES
    assert len(stored(taught)) == len(RUN)


@pytest.mark.exhaustive
def test_a_name_that_nbgrader_treats_as_a_pattern_harms_nobody(course: SmallCourse):
    course.submit("ada", course.solved())
    grade(course)
    before = (course.root / "autograded" / "ada" / "async" / "work.ipynb").stat().st_ino
    course.submit("ad*", course.solved())
    with running(course) as run:
        events = run.end()
    became = {event["student"]: event["outcome"] for event in events if event["event"] == "ended"}
    assert became == {"ada": "unchanged", "ad*": "not graded"}
    assert (course.root / "autograded" / "ada" / "async" / "work.ipynb").stat().st_ino == before
    assert course.nbgrader("autograde", "async", "--force").returncode == 1
    assert course.scores() == {"ada": SCORES["ada"]}


@pytest.mark.exhaustive
def test_a_student_who_is_named_twice_is_graded_once(course: SmallCourse):
    course.submit("ada", course.solved())
    with running(course, "--student", "ada", "--student", "a*", "--student", "ada") as run:
        events = run.end()
    assert [event["student"] for event in events if event["event"] == "ended"] == ["ada"]


@pytest.mark.exhaustive
def test_who_handed_in_an_empty_folder_is_graded_though_nobody_else_is_there(course: SmallCourse):
    (course.root / "submitted" / "zoe" / "async").mkdir(parents=True)
    assert grade(course) == {"zoe": "from the store"}
    assert course.scores() == {"zoe": (0, 0)}


@pytest.mark.exhaustive
def test_unknown_names_are_reported_and_the_others_are_graded(course: SmallCourse):
    course.submit("ada", course.solved())
    course.submit("bob", course.solved())
    course.configure("c.CourseDirectory.student_id_exclude = 'bob'\n")
    with running(course, *(word for name in ("../ada", "ada", "", "bob") for word in ("--student", name))) as run:
        events = run.end()
    assert {event["student"]: event["outcome"] for event in events if event["event"] == "ended"} == {
        "ada": "graded",
        "../ada": "not graded",
        "": "not graded",
        "bob": "not graded",
    }
    assert "'bob' is not graded: the configuration excludes this student" in run.message
    assert "no student matching '' has submitted async" in run.message
    assert "did you mean 'ada'?" in run.message
    assert run.process.returncode == 1


@pytest.mark.exhaustive
def test_what_a_fault_of_ours_went_into_is_said_and_judged_again(course: SmallCourse):
    course.submit("ada", course.solved())
    path = course.grader("test_double")
    mended = path.read_text()
    path.write_text(mended + "\n\ndef test_broken(student):\n    raise AttributeError('ours')\n")
    for _ in range(2):
        with running(course) as run:
            events = run.end()
        assert run.process.returncode == 1
        assert [event["outcome"] for event in events if event["event"] == "ended"] == ["provisional"]
        assert any("test_broken itself failed to run" in event["text"] for event in events if event["event"] == "note")
    path.write_text(mended)
    assert grade(course) == {"ada": "graded"}


@pytest.mark.exhaustive
def test_settings_of_whoever_grades_count_as_they_do_for_autograde(
    course: SmallCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    other_place = f"sqlite:///{tmp_path}/mine.db"
    (tmp_path / "jupyter").mkdir()
    (tmp_path / "jupyter" / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.db_url = {other_place!r}\nc.CourseDirectory.course_id = 'another'\n"
    )
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "jupyter"))
    course.submit("ada", course.solved())
    course.must_run("nbgrader", "generate_assignment", "async", "--force")
    assert grade(course) == {"ada": "graded"}
    assert not (tmp_path / "mine.db").exists()  # the course's own file counts more
    with course.gradebook() as gradebook:
        assert gradebook.find_submission("async", "ada").score > 0


@pytest.mark.parametrize("name", ["as*", "nothing"])
def test_an_unknown_assignment_is_refused_with_the_known_ones(course: SmallCourse, name: str):
    done = course.run("syncpoint", "grade", name)
    assert done.returncode == 1
    assert f"the course has no assignment {name!r}: it has async." in done.stderr


@pytest.mark.exhaustive
def test_an_unknown_assignment_does_not_stop_the_others(course: SmallCourse):
    course.submit("ada", course.solved())
    done = course.run("syncpoint", "grade", "nothing", "async")
    assert done.returncode == 1
    assert "the course has no assignment 'nothing'" in done.stderr
    assert course.scores() == {"ada": SCORES["ada"]}
