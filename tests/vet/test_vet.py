"""`syncpoint vet`: its input, its findings, and its exit status."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from classroom import ROOT
from rich.console import Console

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.course.graders import Graders
from syncpoint.vet.bank import Solution, read_bank, unbroken
from syncpoint.vet.cheat_bank import read_cheats
from syncpoint.vet.choice import choose
from syncpoint.vet.report import Report, check_writable, render
from syncpoint.vet.trial import Trial
from syncpoint.vet.untrue_sentences import Untrue

SYNCPOINT = Path(sys.executable).parent / "syncpoint"
UNTRUE = Untrue.of(ROOT / "grader_tests")

RIGHT = "def queue_work(x):\n    return nd.dot(x, x).sum()\n"
WAITS = "def queue_work(x):\n    y = nd.dot(x, x).sum()\n    y.wait_to_read()\n    return y\n"
HONEST = """\
from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
"""


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def bank(tmp_path: Path, **files: str) -> Path:
    write(tmp_path / "bank" / "async" / "queue_work", **files)
    return tmp_path / "bank"


def test_names_say_what_a_solution_is(tmp_path):
    folder = bank(tmp_path, **{"01_ok_plain": RIGHT, "11_bad_waits": "# kills: test_a, test_b\n" + WAITS})
    found = read_bank(folder, Course(ROOT))
    assert [(s.name, s.right, s.kills) for s in found] == [
        ("async/queue_work/01_ok_plain", True, None),
        ("async/queue_work/11_bad_waits", False, {"test_a", "test_b"}),
    ]


@pytest.mark.parametrize(
    ("folder", "file", "message"),
    [
        ("async/queue_wrok", "01_ok_plain", "async has no exercise queue_wrok"),
        ("queue_work", "01_ok_plain", "this place is not searched"),
        ("asink/queue_work", "01_ok_plain", "the course has no assignment asink"),
        ("async/queue_work", "1_ok_plain", "name it <nn>_ok_<slug>.py"),
        ("async/queue_work", "01_good_plain", "name it <nn>_ok_<slug>.py"),
        ("async", "01_ok_plain", "this place is not searched; put it into <assignment>/<exercise>/"),
        ("async/queue_work/more", "01_ok_plain", "this place is not searched"),
        (".", "01_ok_plain", "this place is not searched"),
    ],
)
def test_a_name_that_fits_nothing_is_an_error(tmp_path, folder, file, message):
    write(tmp_path / "bank" / folder, **{file: RIGHT})
    with pytest.raises(CourseError, match=message):
        read_bank(tmp_path / "bank", Course(ROOT))


def test_nothing_to_vet_is_an_error(tmp_path):
    with pytest.raises(CourseError, match="nothing to vet: there are none below"):
        choose([], [], tmp_path)


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        ([], [0, 1, 2]),
        (["async"], [0, 1]),
        (["async/queue_work", "*/get_params"], [0, 2]),
        (["async/*/02*"], [1]),
        (["async/loops/02_bad_x.py"], [1]),
        (["*_x"], [1]),
    ],
)
def test_solutions_are_chosen_by_name(tmp_path, patterns, chosen):
    write(tmp_path / "async" / "queue_work", **{"01_ok_plain": RIGHT})
    write(tmp_path / "async" / "loops", **{"02_bad_x": RIGHT})
    write(tmp_path / "multi_gpu" / "get_params", **{"01_ok_plain": RIGHT})
    found = sorted(read_bank(tmp_path, Course(ROOT)), key=lambda one: (one.assignment, one.exercise == "loops"))
    assert choose(found, patterns, tmp_path) == [found[number] for number in chosen]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("async/queue_wrok", "the bank has no async/queue_wrok; did you mean 'async/queue_work'"),
        ("xyz", "the bank has no xyz; see "),
    ],
)
def test_a_pattern_that_matches_nothing_is_named(tmp_path, pattern, message):
    found = read_bank(bank(tmp_path, **{"01_ok_plain": RIGHT}), Course(ROOT))
    with pytest.raises(CourseError, match=message):
        choose(found, ["async/queue_work", pattern], tmp_path)


def test_cheats_are_chosen_by_kind_or_assignment(tmp_path):
    write(tmp_path / "cheats" / "one", **{"01_honest": HONEST})
    write(tmp_path / "cheats" / "two", **{"01_honest": HONEST})
    found = read_cheats(tmp_path, Course(ROOT))
    assert [cheat.name for cheat in choose(found, ["two"], tmp_path)] == ["two/01_honest"]
    assert choose(found, ["async"], tmp_path) == found


@pytest.mark.parametrize("name", ["01_ok_plain.PY", "01_ok_plain.txt", "notes.Py"])
def test_a_solution_with_another_ending_is_not_passed_over(tmp_path, name):
    (bank(tmp_path, **{"02_ok_plain": RIGHT}) / "async" / "queue_work" / name).write_text(RIGHT)
    with pytest.raises(CourseError, match="name it <nn>_ok_<slug>"):
        read_bank(tmp_path / "bank", Course(ROOT))


@pytest.mark.parametrize("left", [".ipynb_checkpoints", "__pycache__"])
@pytest.mark.parametrize("place", [".", "async", "async/queue_work", "cheats", "cheats/printing"])
def test_what_tools_leave_behind_is_passed_over(tmp_path, place, left):
    folder = bank(tmp_path, **{"01_ok_plain": RIGHT})
    write(folder / place / left, **{"01_ok_plain-checkpoint": RIGHT, "02_ok_plain": RIGHT})
    assert [s.path.stem for s in read_bank(folder, Course(ROOT))] == ["01_ok_plain"]
    assert read_cheats(folder, Course(ROOT)) == []


@pytest.mark.parametrize(
    "name", ["01_printed.py", "printing/printed.py", "printing/more/01_printed.py", "printing/01_printed.PY"]
)
def test_a_cheat_in_the_wrong_place_is_reported(tmp_path, name):
    path = tmp_path / "cheats" / name
    path.parent.mkdir(parents=True)
    path.touch()
    with pytest.raises(CourseError, match="put a cheat into cheats/<kind>/"):
        read_cheats(tmp_path, Course(ROOT))


@pytest.mark.parametrize("comment", ["#kills: test_a", "# Kills:test_a", "#  KILLS :  test_a  "])
def test_what_must_fail_is_read_however_it_is_written(tmp_path, comment):
    (found,) = read_bank(bank(tmp_path, **{"11_bad_waits": f"{comment}\n{WAITS}"}), Course(ROOT))
    assert found.kills == {"test_a"}


@pytest.mark.parametrize("text", ['def f():\n    """\n# kills: test_a\n    """\n', "x = 1\n# kills: test_a\n"])
def test_what_must_fail_is_read_in_the_first_comments_only(tmp_path, text):
    (found,) = read_bank(bank(tmp_path, **{"11_bad_waits": f"# Waits.\n\n{text}"}), Course(ROOT))
    assert found.kills is None


@pytest.mark.parametrize("line", ["# kills:", "# kills: ,", "# misconception:  "])
def test_a_key_that_says_nothing_is_named(tmp_path, line):
    with pytest.raises(CourseError, match="is empty; write something after it, or delete the line"):
        read_bank(bank(tmp_path, **{"11_bad_waits": f"{line}\n{WAITS}"}), Course(ROOT))


def on_the_simulated_gpu(tmp_path: Path, **heads: str) -> list[Solution]:
    write(tmp_path / "torch_async" / "queue_work", **{name: f"{head}\n{RIGHT}" for name, head in heads.items()})
    return read_bank(tmp_path, Course(ROOT))


def test_the_promises_that_no_solution_breaks_by_itself_are_named(tmp_path):
    heads = {"11_bad_a": "# breaks: 1", "12_bad_b": "# breaks: 2, 3", "13_bad_c": "# Waits.", "14_bad_d": "# breaks: 4"}
    found = on_the_simulated_gpu(tmp_path, **heads)
    assert [solution.breaks for solution in found] == [{1}, {2, 3}, set(), {4}]
    assert unbroken(found, Course(ROOT)) == [
        "torch_async/queue_work: no wrong solution breaks only promise 2: It waits for nothing.",
        "torch_async/queue_work: no wrong solution breaks only promise 3: When it returns, the work is in the queue.",
    ]


@pytest.mark.parametrize("line", ["# breaks: waits for nothing", "# breaks: 0", "# breaks: 1, 99"])
def test_a_promise_that_is_not_there_is_named(tmp_path, line):
    with pytest.raises(CourseError, match=r"11_bad_a\.py: `# breaks:` names promises of promises\.toml by number"):
        on_the_simulated_gpu(tmp_path, **{"11_bad_a": line})


@pytest.mark.parametrize(("text", "message"), [("a = ", "cannot be read"), ("a = 'b'", "a: write a list of sentences")])
def test_promises_that_are_none_are_named(tmp_path, text, message):
    (tmp_path / "promises.toml").write_text(text)
    with pytest.raises(CourseError, match=message):
        Graders(tmp_path).promises()


@pytest.mark.parametrize("text", ["def queue_work(x)\n    return x\n", "return 1\n", "x = '\0'\n"])
def test_a_cell_that_does_not_compile_is_named(tmp_path, text):
    with pytest.raises(CourseError, match=r"11_bad_waits\.py does not compile .*; correct it"):
        read_bank(bank(tmp_path, **{"11_bad_waits": text}), Course(ROOT))


def test_a_cell_may_hold_what_notebooks_may(tmp_path):
    assert read_bank(
        bank(tmp_path, **{"01_ok_magic": "%%time\n!ls\n" + RIGHT, "02_ok_await": "await f()\n"}), Course(ROOT)
    )


@pytest.mark.parametrize("key", ["kill", "misconcepton"])
def test_a_mistyped_key_is_named(tmp_path, key):
    with pytest.raises(CourseError, match=f"`# {key}:` is unknown; did you mean"):
        read_bank(bank(tmp_path, **{"11_bad_waits": f"# {key}: test_a\n{WAITS}"}), Course(ROOT))


def test_a_solution_that_is_no_text_or_no_file_is_named(tmp_path):
    folder = bank(tmp_path) / "async" / "queue_work"
    (folder / "01_ok_plain.py").write_bytes(b"# \xff")
    with pytest.raises(CourseError, match="cannot be read as UTF-8 text"):
        read_bank(tmp_path / "bank", Course(ROOT))
    (folder / "01_ok_plain.py").unlink()
    (folder / "01_ok_plain.py").mkdir()
    with pytest.raises(CourseError, match="cannot be read"):
        read_bank(tmp_path / "bank", Course(ROOT))


def shown(report: Report) -> str:
    screen = Console(width=200)
    with screen.capture() as captured:
        screen.print(render(report))
    return captured.get()


def trial(kind="ok", score=2.0, failed=(), kills=None, broke=(), core=(), value=(), breaks_the_value=False) -> Trial:
    solution = Solution(Path(f"01_{kind}_x.py"), "a", "e", kind == "ok", kills, wrong_value=breaks_the_value)
    tests = {name: name not in failed for name in ("test_1", "test_2")}
    return Trial(solution, score, 2.0, tests, tuple(broke), (), 0.1, core=frozenset(core), value=frozenset(value))


@pytest.mark.parametrize(
    ("tried", "complaint"),
    [
        (trial("ok"), ""),
        (trial("ok", score=1), "is right and lost points"),
        (trial("bad", score=1, failed=["test_1"]), ""),
        (trial("bad"), "is wrong and lost no points"),
        (trial("bad", 1, ["test_1"], kills=frozenset({"test_1"})), ""),
        (trial("bad", 1, ["test_1"], kills=frozenset({"test_2"})), "should fail test_2 and no other test"),
        (trial("bad", 0, ["test_1", "test_2"], kills=frozenset({"test_1"})), "should fail test_1 and no other test"),
        (
            trial("bad", 1, ["test_1"], kills=frozenset({"test_3"})),
            "should fail test_3, which is not a test of this exercise",
        ),
        (trial("bad", 1, ["test_1"], broke=["test_1"]), "broke test_1"),
        (trial("bad", 1, ["test_1"], core=["test_1"]), ""),
        (trial("bad", 1.1, ["test_1"], core=["test_1"]), "fails test_1 and gets 1.1 of 2 points"),
        (trial("bad", 1.81, ["test_1"]), "has 1.81 of 2 points and must lose at least 10%"),
        (trial("bad", 1.6, ["test_1"], value=["test_1"]), "has 1.6 of 2 points and must lose at least 25%"),
        (trial("bad", 1.6, ["test_1"], breaks_the_value=True), "has 1.6 of 2 points and must lose at least 25%"),
        (trial("bad", 1.5, ["test_1"], value=["test_1"]), ""),
        (trial("bad", 1, ["test_2"], core=["test_1"]), ""),
        (trial("bad", 0.9, ["test_2"], core=["test_1"]), "fails no core test and gets 0.9 of 2 points"),
    ],
)
def test_a_verdict_that_disagrees_is_named(tried, complaint):
    assert tried.complaint == complaint
    assert Report((tried,)).agrees is not bool(complaint)


@pytest.mark.parametrize(
    "output",
    [
        ["wait_for_one waited for work on another stream. The first wait: none."],
        ["Waits in four steps: 2. The first wait: nowhere."],
        ["Operations that mixed devices: 0."],
        ["Your function changed 0 tensors of data_iter()."],
        ["f waited for another stream. The first wait: item.", "y was still in the queue when f returned."],
    ],
)
def test_a_report_that_cannot_be_true_is_named(output):
    (found,) = set(UNTRUE.among(output))
    tried = replace(trial("bad", score=1, failed=["test_1"]), untrue=found)
    assert tried.complaint == f"gets a sentence that cannot be true: {' '.join(output)}"


def test_a_report_that_can_be_true_is_not():
    output = (
        "",
        "Calls of consume: 0, for 4 matrices.",
        "Calls of work: 0.",
        "Right values: 0 of 9.",
        "Your loop began 8 of 8 batches before it first waited or returned. The first wait: none.",
        "f waited for another stream. The first wait: item.",
        "y was still in the queue when g returned.",
    )
    assert list(UNTRUE.among(output)) == []


def test_a_course_without_such_sentences_has_none(tmp_path: Path):
    assert list(Untrue.of(tmp_path).among(["Races: 0."])) == []
    (tmp_path / "untrue.toml").write_text("denies = ['(']")
    with pytest.raises(CourseError, match="regular expressions"):
        Untrue.of(tmp_path)


def test_a_verdict_that_changes_is_named():
    report = Report((trial("bad", 1, ["test_1"]), trial("bad", 1, ["test_2"]), trial("bad", 1, ["test_1"])))
    assert report.changed == {"a/e/01_bad_x": {"test_1": 2, "test_2": 1}}
    assert not report.agrees


def test_wrong_solutions_are_counted_by_whether_they_miss_the_core():
    bad = trial("bad", 0.5, ["test_1"], core=["test_1"])
    other = replace(trial("bad", 1.5, ["test_2"], core=["test_1"]), solution=replace(bad.solution, path=Path("12_bad")))
    reported = shown(Report((bad, bad, other, trial("ok", core=["test_1"]))))
    assert "half of the points: 1; others, with half of the points or more: 1." in reported
    assert "No test is marked" not in reported


def test_an_exercise_that_marks_no_core_test_is_named():
    assert "No test is marked @core: a/e." in shown(Report((trial("bad", 1, ["test_1"]),)))


def test_the_data_of_a_trial_say_why():
    (found,) = Report((trial("bad", 1, ["test_1"], kills=frozenset({"test_2"})),)).plain()["trials"]
    assert (found["kills"], found["failed"]) == (["test_2"], ["test_1"])
    assert (found["complaint"], found["acts"], found["details"]) == ("should fail test_2 and no other test", [], [])


def test_only_wrong_solutions_count_as_kills():
    report = Report((trial("ok", 1, ["test_2"]), trial("bad", 1, ["test_1"])))
    assert report.kills("a/e") == {"test_1": 1, "test_2": 0}


def run(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([SYNCPOINT, "vet", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)


def test_agreement_is_exit_status_0(tmp_path):
    folder = bank(tmp_path, **{"01_ok_plain": RIGHT, "11_bad_waits": WAITS, "12_bad_but_right": RIGHT})
    done = run(
        "solutions", "*/01_*", "*/11_*", "--bank", folder, "--repeat", 2, "--jobs", 2, "--json", tmp_path / "found.json"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 solutions, 4 verdicts: all as the bank says." in done.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["agrees"] and len(found["trials"]) == 4
    assert any(trial["details"] for trial in found["trials"])


@pytest.mark.exhaustive
def test_disagreement_is_exit_status_1_and_is_named(tmp_path):
    done = run("solutions", "--bank", bank(tmp_path, **{"01_ok_not_really": WAITS, "11_bad_but_right": RIGHT}))
    assert done.returncode == 1
    assert "async/queue_work/01_ok_not_really is right and lost points." in done.stdout
    assert "async/queue_work/11_bad_but_right is wrong and lost no points." in done.stdout
    assert "no wrong solution here fails" in done.stdout


@pytest.mark.exhaustive
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("kind", ["cheats", "solutions"])
def test_a_killed_vet_leaves_no_process_behind(tmp_path, kind, ending):
    folder = bank(tmp_path, **{f"{number:02}_ok_plain": RIGHT for number in range(20)})
    for folder_of_cheats in ("one", "two", "three"):
        write(folder / "cheats" / folder_of_cheats, **{"01_honest": HONEST})
    command = [SYNCPOINT, "vet", kind, "--bank", folder, "--jobs", "1"]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=unbuffered, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline()  # one is judged, so the others are being judged
        family = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(ending)
    assert len(family) > 2
    _, alive = psutil.wait_procs(family, timeout=30)
    for member in alive:
        member.kill()
    assert not alive


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["solutions", "checks", "cheats"])
def test_a_bank_that_cannot_be_read_is_one_line(tmp_path, kind):
    done = run(kind, "--bank", tmp_path / "nowhere")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "there is no bank" in done.stderr


def test_a_report_that_cannot_be_written_fails_before_anything_is_judged(tmp_path):
    done = run("solutions", "--bank", bank(tmp_path, **{"01_ok_plain": RIGHT}), "--json", tmp_path)
    assert (done.returncode, done.stdout, "directory" in done.stderr) == (2, "", True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", ["/proc/found.json", "/nowhere/found.json"])
def test_so_is_one_in_a_folder_that_takes_no_files(tmp_path, place):
    done = run("solutions", "--bank", bank(tmp_path, **{"01_ok_plain": RIGHT}), "--json", place)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert f"{place} cannot be written" in done.stderr


def test_looking_whether_a_report_can_be_written_leaves_nothing_behind(tmp_path):
    old = tmp_path / "old.json"
    old.write_text("{}")
    for path in (old, tmp_path / "new.json"):
        check_writable(path)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["{}"]


@pytest.mark.exhaustive
def test_a_right_solution_that_its_own_check_refuses_is_named(tmp_path):
    folder = bank(tmp_path, **{"01_ok_plain": RIGHT, "02_ok_not_really": RIGHT.replace("sum", "mean")})
    done = run("checks", "--bank", folder)
    assert done.returncode == 1
    assert "WRONG async/queue_work/02_ok_not_really" in done.stdout
    assert "1 of 2 right solutions pass the visible check of their notebook." in done.stdout
