"""The bench: what it measures, and how it holds the figures against goals and budgets."""

import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from bench_figures import bare, figures, parts, run, stock
from classroom import BIN, ENGINE, ROOT, SmallCourse
from rich.console import Console

from benchmarks import keep, meter, plan
from benchmarks.baselines import Otter, run_bare, run_stock
from benchmarks.courses import Classroom, our_classroom, stock_classroom, with_asserts
from benchmarks.figures import Figures, Machine
from benchmarks.goals import NOT_MEASURED, Goal, goals
from benchmarks.report import markdown, sheets, table
from benchmarks.run import measure
from benchmarks.trivial import TRIVIAL, trivial_course
from syncpoint.course.folder import Course, CourseError
from syncpoint.course.nbgrader_command import CommandFailed
from syncpoint.report.scores import read_scores

# --- the meter ------------------------------------------------------------------------------------------------------

BURN = "import time\nwhile time.process_time() < 0.7: pass"


def metered(source: str, folder: Path) -> meter.Reading:
    """What a piece of Python costs."""
    return meter.read([sys.executable, "-c", source], folder, dict(os.environ))


def test_a_shortened_plan_keeps_the_smallest_class_and_the_trivial_ones():
    trivial, large, small = plan.shortened(
        [
            plan.Plan(TRIVIAL, {20: 3, 1000: 1}, (1,), stock=1),
            plan.Plan("a", {20: 3, 100: 1}, (1,), stock=1),
            plan.Plan("b", {50: 2}, (1,), stock=1),
        ],
        rounds=1,
        most=20,
    )
    assert (trivial.sizes, large.sizes, small.sizes) == ({20: 1, 1000: 1}, {20: 1}, {50: 1})


def test_the_meter_counts_a_process_whose_parent_is_gone(tmp_path: Path):
    orphan = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {BURN!r}])"
    assert metered(orphan, tmp_path).cpu >= 0.7


def test_the_meter_does_not_count_itself(tmp_path: Path):
    assert metered("import time; time.sleep(1)", tmp_path).cpu < 0.5


def test_a_command_that_fails_is_reported_with_its_words(tmp_path: Path):
    with pytest.raises(CommandFailed, match=r"exit status 3\):\n(.*\n)*WHAT-IT-SAID"):
        metered("import sys; print('WHAT-IT-SAID'); sys.exit(3)", tmp_path)


def test_the_meter_sees_the_memory_of_the_command(tmp_path: Path):
    hold = "held = bytearray(150 * 2**20)\n" + BURN.replace("0.7", "2")
    assert metered(hold, tmp_path).peak.coordinator >= 150


def test_memory_is_told_apart_by_where_a_process_stands():
    me = os.getpid()
    parents = {10: (me, "syncpoint"), 11: (10, "python"), 12: (11, "bwrap"), 13: (12, "python"), 9: (1, "other")}
    assert dict(reversed(pair) for pair in meter.roles(10, parents)) == {
        10: "coordinator",
        11: "worker",
        12: "kernel",
        13: "kernel",
    }


# --- the classes ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def classroom(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """The small course's assignment in a classroom of the bench; seat a class in it first."""
    course = released.copy(tmp_path_factory.mktemp("bench") / "course")
    course.configure('\nc.CourseDirectory.db_url = "postgresql+psycopg://nowhere/real"\n')
    return our_classroom(Course(course.root), "async", course.root.parent / "ours")


def test_no_two_submissions_are_alike(classroom: Classroom):
    classroom.seat(3)
    notebooks = [path.read_text() for path in classroom.root.glob("submitted/*/async/work.ipynb")]
    assert len(set(notebooks)) == len(notebooks) == 3


def test_a_new_class_finds_nothing_graded(classroom: Classroom):
    for folder in ("autograded/student_0001/async", ".syncpoint/results"):
        (classroom.root / folder).mkdir(parents=True)
    classroom.seat(1)
    assert not (classroom.root / "autograded").exists() and not (classroom.root / ".syncpoint").exists()


def test_the_bench_never_writes_into_the_gradebook_of_the_course(classroom: Classroom):
    url = classroom.course.settings().CourseDirectory.db_url
    assert url == f"sqlite:///{classroom.root}/gradebook.db"


def test_a_notebook_that_was_not_graded_is_not_overlooked(classroom: Classroom):
    classroom.seat(2)
    with pytest.raises(CommandFailed, match="2 of 2 notebooks of async were not graded"):
        classroom.finished()


def cell(identity: str, source: str) -> dict:
    """A cell as plain data."""
    return {"source": source, "metadata": {"nbgrader": {"grade_id": identity}}}


def test_the_asserts_of_the_check_stand_in_the_place_of_the_hidden_tests():
    hidden = "# seen\n### BEGIN HIDDEN TESTS\nraise RuntimeError\n### END HIDDEN TESTS"
    notebook = with_asserts({"cells": [cell("check_x", "assert x() == 1"), cell("test_x", hidden)]})
    expected = "# seen\n### BEGIN HIDDEN TESTS\nassert x() == 1\n### END HIDDEN TESTS"
    assert [cell["source"] for cell in notebook["cells"]] == ["assert x() == 1", expected]


# --- what it is held against ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trivial(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The trivial course, with the engine of this repository."""
    return trivial_course(Course(ROOT), tmp_path_factory.mktemp("trivial") / "course")


@pytest.fixture(scope="module")
def trivial_room(trivial: Course, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """The trivial assignment in a classroom; seat a class in it first."""
    return our_classroom(trivial, TRIVIAL, tmp_path_factory.mktemp("trivial") / "ours")


@pytest.mark.exhaustive
@pytest.mark.engine
@pytest.mark.slow
def test_stock_nbgrader_gives_the_trivial_notebook_its_point(trivial: Course, tmp_path: Path):
    room = stock_classroom(trivial, TRIVIAL, tmp_path / "stock")
    room.seat(1)
    run_stock(room)
    assert [row.total for row in read_scores(room.course, TRIVIAL).rows] == [1.0]


@pytest.mark.exhaustive
@pytest.mark.engine
def test_the_bare_process_tells_the_cells_from_the_import(trivial_room: Classroom):
    trivial_room.seat(1)
    cost = run_bare(trivial_room)
    assert 0 < cost.cells < 0.5 < cost.process


@pytest.mark.engine
def test_cells_that_fail_in_the_bare_process_are_an_error(trivial_room: Classroom):
    trivial_room.seat(1)
    notebook = trivial_room.root / "submitted" / "student_0001" / TRIVIAL / "trivial.ipynb"
    notebook.write_text(notebook.read_text().replace("return x * 2", "return nowhere"))
    with pytest.raises(CommandFailed, match=r"trivial\.ipynb .*NameError"):
        run_bare(trivial_room)


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".venv-otter").is_dir(), reason="only `make bench` makes .venv-otter")
def test_otter_grades_the_trivial_notebook(tmp_path: Path):
    otter = Otter(Course(ROOT), tmp_path / "otter")
    otter.seat(1)
    assert [reading.left_over for reading in otter.run()] == [0]


# --- figures and goals ----------------------------------------------------------------------------------------------


def goal(seen: Figures, words: str) -> Goal:
    """The one goal whose words begin so."""
    return next(goal for goal in goals(seen) if goal.words.startswith(words))


def test_figures_come_back_from_their_json(tmp_path: Path):
    seen = figures(run(), stock(), bare=(bare("multi_gpu", 1, 2),), parts=(parts(20, 1024),))
    (tmp_path / "bench.json").write_bytes(seen.to_json())
    assert keep.read_figures(tmp_path / "bench.json") == seen


def test_a_file_without_figures_is_named(tmp_path: Path):
    (tmp_path / "bench.json").write_text('{"machine": 1}')
    with pytest.raises(CourseError, match=r"bench\.json holds no figures"):
        keep.read_figures(tmp_path / "bench.json")


def test_the_steady_rate_leaves_the_start_out():
    assert stock(rate=30).steady_rate == pytest.approx(30)


def test_ratios_are_taken_within_a_round_and_their_median_counts():
    # Ours is always 240 a minute; the machine was slow for stock nbgrader in two rounds.
    rounds = [stock(rate=rate, round=number) for number, rate in enumerate((20.0, 30.0, 60.0))]
    ours = [run(round=number) for number in range(3)]
    assert figures(*rounds, *ours).ratio(ours) == pytest.approx(8)


@pytest.mark.parametrize(("rate", "met"), [(15.5, True), (16.5, False)])
def test_the_trivial_notebook_is_fifteen_times_as_fast(rate: float, met: bool):
    assert goal(figures(run(), stock(rate=rate)), "trivial: rate of a new class").met is met


@pytest.mark.parametrize(("rate", "met"), [(7.9, True), (8.1, False)])
def test_a_small_class_is_six_times_as_fast(rate: float, met: bool):
    seen = figures(run(submissions=20, wall=25.0), stock(rate=rate), run(how="stock", submissions=1, wall=60.0))
    assert goal(seen, "trivial: rate of a class of 20").met is met


@pytest.mark.parametrize(("wall", "met"), [(4.7, True), (4.9, False)])
def test_one_student_takes_a_fifth_more_than_by_stock_nbgrader(wall: float, met: bool):
    alone = run(how="stock", submissions=1, wall=4.0)
    seen = figures(run(how="warm", submissions=1, wall=wall), alone, stock())
    assert goal(seen, "trivial: seconds of one student").met is met


@pytest.mark.parametrize(("cpu", "met"), [(189.0, True), (191.0, False)])
def test_a_trivial_submission_costs_a_fifth_of_a_second(cpu: float, met: bool):
    assert goal(figures(run(submissions=1000, cpu=cpu)), "trivial: processor time of each").met is met


@pytest.mark.parametrize(("kernels", "met"), [(0.85, True), (0.75, False)])
def test_processor_time_is_held_against_what_the_kernels_did(kernels: float, met: bool):
    seen = figures(run("multi_gpu", work=(kernels,) * 3), bare=(bare("multi_gpu", 0.1, 5.0),))
    found = [goal.met for goal in goals(seen) if goal.words.startswith("multi_gpu")]
    assert found == [False, met, True]


@pytest.mark.parametrize(("mib", "met"), [(110.0, True), (130.0, False)])
def test_memory_is_flat(mib: float, met: bool):
    large = run(submissions=1000, peak=meter.Memory(mib, 200, 300))
    assert goal(figures(run(), large), "trivial: most memory of the coordinator").met is met


@pytest.mark.parametrize(("wall", "met"), [(260, True), (300, False)])
def test_the_rate_is_constant(wall: float, met: bool):
    assert goal(figures(run(), run(submissions=1000, wall=wall)), "trivial: rate without the start").met is met


@pytest.mark.parametrize(("wall", "met"), [(19.0, True), (21.0, False)])
def test_a_thousand_unchanged_submissions_take_twenty_seconds(wall: float, met: bool):
    seen = figures(run(how="unchanged", submissions=1000, wall=wall, finished=()))
    assert goal(seen, "trivial: 1,000 submissions once more").met is met


@pytest.mark.parametrize(("wall", "met"), [(1.9, True), (2.1, False)])
def test_the_command_starts_in_two_seconds(wall: float, met: bool):
    seen = figures(run(how="unchanged", submissions=20, wall=wall, finished=()))
    assert goal(seen, "trivial: 20 submissions once more").met is met


def test_what_was_not_measured_is_neither_met_nor_missed():
    assert {(goal.seen, goal.met) for goal in goals(figures(run("other")))} == {(NOT_MEASURED, None)}


# --- the report -----------------------------------------------------------------------------------------------------


def shown(seen: Figures) -> str:
    """All tables on a terminal with colours."""
    screen = Console(width=200, color_system="standard", force_terminal=True, file=io.StringIO())
    with screen.capture() as captured:
        for sheet in sheets(seen):
            screen.print(table(sheet))
    return captured.get()


@pytest.mark.parametrize(("seconds", "colour", "sign"), [(10, 32, "✓"), (9.9, 31, "✗")])
def test_seconds_are_held_against_the_budget(seconds: float, colour: int, sign: str):
    seen = figures(run("async"), parts=(parts(seconds, 1024),))
    assert re.search(rf"\x1b\[{colour}m *{sign} 10\.00\x1b", shown(seen))


@pytest.mark.parametrize(("memory_mib", "colour", "sign"), [(300, 32, "✓"), (299, 31, "✗")])
def test_memory_is_held_against_the_budget(memory_mib: float, colour: int, sign: str):
    seen = figures(run("async"), parts=(parts(20, memory_mib),))
    assert re.search(rf"\x1b\[{colour}m *{sign} 300\x1b", shown(seen))


def test_points_that_the_reference_solution_lost_are_seen():
    assert "✗ 75%" in shown(figures(run("async"), parts=(parts(20, 1024, points=0.75),)))


def test_the_page_names_machine_load_and_command():
    words = "2 cores (A Processor), 24 GiB, Linux 6, Python 3.11.7, load 0.1 at the start, 2026-01-02 03:04 UTC"
    assert markdown(figures(run())).startswith(f"{words}: `python -m benchmarks`.")


LOOKS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import matplotlib
matplotlib.use("Agg")
import plot
figure = plot.drawn(json.load(open(sys.argv[2]))["runs"])
figure.canvas.draw()
rates, *others = figure.axes
names = [label.get_window_extent() for label in rates.get_xticklabels()]
print(json.dumps({
    "bars": [bars.patches[0].get_hatch() for bars in rates.containers if hasattr(bars, "patches")],
    "lines": [[(line.get_linestyle(), line.get_marker()) for line in axes.lines] for axes in others],
    "crossing": sum(bool(left.x1 + 4 > right.x0) for left, right in zip(names, names[1:])),
}))
"""


@pytest.mark.engine
def test_graders_and_classes_are_told_apart_without_colours_and_no_name_covers_another(tmp_path: Path):
    seen = tuple((float(second), meter.Memory(100, 200, 300)) for second in range(3))
    classes = [run(submissions=size, series=seen) for size in (1, 20, 100, 1000)]
    ways = [run(name, how) for name in Course(ROOT).assignments() for how in ("cold", "unchanged", "stock", "otter")]
    (tmp_path / "bench.json").write_bytes(figures(*classes, *ways).to_json())
    argv = [ENGINE / "bin" / "python", "-c", LOOKS, ROOT / "benchmarks", tmp_path / "bench.json"]
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(set(found["bars"])) == len(found["bars"]) == 4
    progress, memory = ({*map(tuple, lines)} for lines in found["lines"])
    assert (len(progress), len(memory), found["crossing"]) == (4, 8, 0)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A course's page about performance, with a place for the figures."""
    path = tmp_path / keep.PAGE
    path.parent.mkdir(parents=True)
    path.write_text(f"BEFORE\n{keep.BEGIN}\nOLD\n{keep.END}\nAFTER\n")
    return path


def test_figures_are_published_between_the_marks_and_nowhere_else(page: Path, tmp_path: Path):
    keep.publish(figures(run()), Course(tmp_path), tmp_path)
    before, _, rest = page.read_text().partition(keep.BEGIN)
    inside, _, after = rest.partition(keep.END)
    assert (before, after) == ("BEFORE\n", "\nAFTER\n") and "A Processor" in inside and "OLD" not in inside


def test_a_page_without_the_marks_is_left_alone(page: Path, tmp_path: Path):
    page.write_text("no marks here")
    with pytest.raises(CourseError, match="has no place for the figures"):
        keep.publish(figures(run()), Course(tmp_path), tmp_path)
    assert page.read_text() == "no marks here"


@pytest.mark.parametrize(
    ("command", "moved"),
    [([BIN / "syncpoint", "bench"], True), ([sys.executable, "-m", "benchmarks"], False)],
    ids=["old", "new"],
)
def test_the_command_has_an_old_name_that_says_the_new_one(command: list[str | Path], moved: bool):
    done = subprocess.run([*command, "--from", "nowhere.json"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert ("is `python -m benchmarks` now" in done.stderr) is moved
    assert "nowhere.json holds no figures of a bench that can be read" in done.stderr


# --- plans and all together -----------------------------------------------------------------------------------------


def test_the_full_plan_holds_what_the_goals_ask_for():
    plans = {each.assignment: each for each in plan.full(["async", "hybridize", "multi_gpu"])}
    assert list(plans) == [TRIVIAL, "async", "multi_gpu", "hybridize"]
    assert set(plans[TRIVIAL].sizes) == {1, 20, 100, 1000}
    assert set(plans["async"].sizes) == set(plans["multi_gpu"].sizes) == {20, 100}


def test_the_full_plan_holds_every_assignment_whose_rate_is_a_goal_against_stock_nbgrader():
    plans = {each.assignment: each for each in plan.full(list(plan.RATES))}
    assert list(plan.RATES.items())[-4:] == [
        ("torch_async", 3.0),
        ("torch_streams", 3.0),
        ("torch_parallel", 1.5),
        ("torch_memory", 1.5),
    ]
    for name in plan.RATES:
        assert max(plans[name].sizes) >= 12 and plans[name].rounds == 3 and plans[name].stock > 3
        assert any(goal.words.startswith(f"{name}: rate of a new class") for goal in goals(figures(run("other"))))


def test_an_assignment_that_is_named_is_measured_and_nothing_else():
    plans = plan.full(["torch_memory"])
    assert [each.assignment for each in plan.only(plans, None)] == [TRIVIAL, "torch_memory"]
    assert [each.assignment for each in plan.only(plans, ["torch_memory"])] == ["torch_memory"]
    assert [each.assignment for each in plan.only(plan.full([TRIVIAL]), [TRIVIAL])] == [TRIVIAL]
    with pytest.raises(CourseError, match="the short round has no torch_memory"):
        plan.only(plan.quick(["torch_memory"]), ["torch_memory"])


def test_the_quick_plan_is_one_round():
    assert {each.rounds for each in plan.quick(["async", "hybridize", "multi_gpu"])} == {1}


def test_figures_of_another_machine_are_not_continued():
    here = replace(figures(run()), machine=replace(Machine.here(), cores=999))
    with pytest.raises(CourseError, match="taken on another machine"):
        measure(Course(Path.cwd()), [], Console(file=io.StringIO()), here)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_what_fails_is_told_and_the_rest_goes_on(course: SmallCourse, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise CommandFailed("WHAT-HAPPENED")

    for name in ("run_bare", "run_stock", "meter.read"):
        monkeypatch.setattr(f"benchmarks.run.{name}", fail)
    with pytest.raises(CommandFailed, match=r"nothing could be measured\.( async, round 1: WHAT-HAPPENED){3}$"):
        measure(Course(course.root), [plan.Plan("async", {1: 1}, (1,), stock=1)], Console(file=io.StringIO()))


@pytest.mark.engine
@pytest.mark.sandbox
@pytest.mark.exhaustive
def test_the_bench_measures_every_way_of_grading(course: SmallCourse, tmp_path: Path):
    screen = Console(file=io.StringIO())
    seen = measure(Course(course.root), [plan.Plan("async", {2: 1}, (2,), stock=1)], screen)
    assert [(each.how, each.submissions) for each in seen.runs] == [
        ("stock", 1),
        ("cold", 2),
        ("warm", 2),
        ("unchanged", 2),
    ]
    assert [len(each.work) for each in seen.runs] == [1, 2, 2, 0]
    more = measure(Course(course.root), [plan.Plan("async", {2: 2}, (2,), stock=1)], screen, seen)
    assert more.runs[:4] == seen.runs
    assert [each.round for each in more.runs] == [0] * 4 + [1] * 4
    assert more.rest[0].startswith("Further rounds: load ")
    assert measure(Course(course.root), [plan.Plan("async", {2: 2}, (2,), stock=1)], screen, more) == more
    assert [(each.graded, each.points) for each in seen.parts] == [(2, 1.0)]
    keep.keep(seen, Course(course.root), tmp_path / "into", screen)
    assert sorted(path.name for path in (tmp_path / "into").iterdir()) == [keep.FIGURES, keep.TABLES, keep.PICTURE]
