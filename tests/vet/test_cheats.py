"""The bank of cheats: what its files say, what nbgrader gives them, and what people see of them in a browser."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from bank_list import only_listed
from classroom import ROOT, SmallCourse
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader.handlers import template_path
from playwright.sync_api import Browser

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.demo.sample_submission import SampleSubmission
from syncpoint.vet.cheat import Cheat, Deserved
from syncpoint.vet.cheat_bank import read_cheats
from syncpoint.vet.cheat_course import CheatTrial, try_cheats

COURSE = Course(ROOT)
BANK = read_cheats(None, COURSE)
USUAL = only_listed(BANK, "ci")
SHOWN = [cheat for cheat in BANK if cheat.kind == "feedback"]
KINDS = sorted({cheat.kind for cheat in BANK})
SYNCPOINT = Path(sys.executable).parent / "syncpoint"

IMPORT = "from syncpoint.vet.cheat import Cheat, at_most\n"
HONEST = IMPORT + "cheat = Cheat('async', deserves={deserves}, solves=['queue_work'], known={known!r})\n"


def write(tmp_path: Path, **files: str) -> Path:
    """A bank with these cheats."""
    folder = tmp_path / "bank" / "cheats" / "tricks"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return tmp_path / "bank"


NAMED = re.compile(r"`(\w+)/(\d\d+)`((?:(?:, | to )`\d\d+`)*)")  # `kind/01`, `02` to `05`


def named(page: str) -> set[str]:
    """The cheats that a page names, by kind and number."""
    found = set()
    for kind, number, more in NAMED.findall(page):
        last = int(number)
        found.add(f"{kind}/{last:02}")
        for sign, other in re.findall(r"(, | to )`(\d\d+)`", more):
            found |= {f"{kind}/{n:02}" for n in range(last + 1 if sign == " to " else int(other), int(other) + 1)}
            last = int(other)
    return found


def test_every_known_gap_is_named_in_the_docs():
    assert named("`a/01` to `03`, `07` and `b/109`") == {"a/01", "a/02", "a/03", "a/07", "b/109"}
    known = {f"{cheat.kind}/{cheat.name.split('/')[-1].split('_')[0]}" for cheat in BANK if cheat.known}
    assert known and not known - named((ROOT / "docs" / "explanation" / "trust.md").read_text())


def test_a_file_says_what_it_deserves_and_what_it_does(tmp_path):
    text = HONEST.format(deserves="{'queue_work': 2, 'loops': at_most(0.5)}", known="why")
    (cheat,) = read_cheats(write(tmp_path, **{"01_one": f"{text}cheat.before('loops', 'x = 1')\n"}), COURSE)
    shares = [cheat.share(exercise) for exercise in ("queue_work", "loops", "benchmark")]
    assert shares == [Deserved(2), Deserved(0.5, at_most=True), Deserved(0)]
    assert (cheat.known, cheat.student) == ("why", "tricks_01_one")
    jobs = SampleSubmission.released(COURSE, "async")
    cheat.hand_in(jobs, {"queue_work": "SOLVED"}, tmp_path / "handed_in")
    sources = [cell.source for cell in jobs.cells_around("loops")]
    assert "SOLVED" in [cell.source for cell in jobs.cells_around("queue_work")]
    assert sources[sources.index(jobs.cell("loops").source) - 1] == "x = 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("print(1)", "write `cheat = Cheat(<assignment>, deserves="),
        ("cheat = Cheat('async')", "does not run (TypeError: "),
        ("cheat = Cheat('async', deserves={})", "write `cheat = Cheat(<assignment>, deserves="),
        ("cheat = Cheat('nowhere', deserves={'queue_work': 0})", "write `cheat = Cheat(<assignment>, deserves="),
        ("cheat = Cheat('async', deserves={'queue_wrok': 0}, solves=['loops'])", "async has no exercise queue_wrok"),
        ("cheat = Cheat('async', deserves={'queue_work': 0})", "has no step; add one"),
        ("cheat = Cheat('async', deserves={'queue_work': 0}, solve=['loops'])", "unexpected keyword argument 'solve'"),
        (
            "cheat = Cheat('async', deserves={'queue_work': at_most(99)}, solves=['queue_work'])",
            "queue_work has 2 points; nobody deserves at most 99",
        ),
        ("cheat = Cheat('async', deserves={'queue_work': 0})\ncheat.beside('loops', '')", "no attribute 'beside'"),
    ],
)
def test_a_file_that_cannot_be_meant_is_an_error(tmp_path, text, message):
    with pytest.raises(CourseError, match=re.escape(message)):
        read_cheats(write(tmp_path, **{"01_one": IMPORT + text}), COURSE)


def test_a_step_that_fits_no_cell_names_the_file(tmp_path):
    text = HONEST.format(deserves="{'queue_work': 2}", known="") + "cheat.delete('nowhere')\n"
    (cheat,) = read_cheats(write(tmp_path, **{"01_one": text}), COURSE)
    with pytest.raises(CourseError, match=r"01_one\.py: a step at 'nowhere' cannot be applied"):
        cheat.hand_in(SampleSubmission.released(COURSE, "async"), {"queue_work": ""}, tmp_path / "handed_in")


@pytest.mark.parametrize("assignment", COURSE.assignments())
def test_each_assignment_has_an_honest_control(assignment):
    controls = [cheat for cheat in BANK if cheat.kind == "control" and cheat.assignment == assignment]
    assert [cheat.cells == set(cheat.solves) for cheat in controls] == [True]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "control"])
def test_each_kind_of_cheat_has_several_variants_of_which_some_are_usual(kind):
    assert len([cheat for cheat in BANK if cheat.kind == kind]) >= 4
    # To exhaust a machine takes a while: `make test-all` and `syncpoint vet cheats` try all of these.
    assert kind == "exhausting" or any(cheat.kind == kind for cheat in USUAL)


def trial(points, deserves=1.0, at_most=False, known="", at_times=False) -> CheatTrial:
    cheat = Cheat("a", {"e": Deserved(deserves, at_most)}, known=known, at_times=at_times, path=Path("tricks/01_x.py"))
    return CheatTrial(cheat, points, (), "", 0.1)


@pytest.mark.parametrize(
    ("tried", "complaint"),
    [
        (trial({"e": 1.0, "other": 0.0}), ""),
        (trial({"e": 2.0}), "got 2 for e, but deserves 1"),
        (trial({"e": 0.5}), "got only 0.5 for e, but deserves 1"),
        (trial({"e": 0.5}, at_most=True), ""),
        (trial({"e": 2.0}, at_most=True), "got 2 for e, but deserves at most 1"),
        (trial({"e": 1.0, "other": 0.5}), "got 0.5 for other, but deserves 0"),
        (trial({}), "was not graded"),
        (trial({"e": 2.0}, known="why"), ""),
        (trial({"e": 1.0}, known="why"), "is a known gap that no longer gains points"),
        (trial({"e": 1.0}, known="why", at_times=True), ""),
        (trial({"e": 2.0, "other": -1.0}, known="why"), "got only -1 for other, but deserves 0"),
    ],
)
def test_points_that_nobody_deserves_are_named(tried, complaint):
    assert tried.complaint.startswith(complaint) and bool(tried.complaint) is bool(complaint)


@pytest.mark.bank
@pytest.mark.slow
def test_the_command_names_what_pays_and_gaps_that_are_closed(tmp_path):
    bank = write(
        tmp_path,
        **{
            "01_gets_what_it_deserves": HONEST.format(deserves="{'queue_work': 2}", known=""),
            "02_gets_more": HONEST.format(deserves="{'queue_work': 1}", known=""),
            "03_pays_as_known": HONEST.format(deserves="{'queue_work': 0}", known="it is right"),
            "04_does_not_pay_any_more": HONEST.format(deserves="{'queue_work': 2}", known="it was wrong"),
        },
    )
    command = [SYNCPOINT, "vet", "cheats", "--bank", bank, "--json", tmp_path / "found.json"]
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True)
    found = json.loads((tmp_path / "found.json").read_text())
    assert done.returncode == 1, done.stdout + done.stderr
    assert sorted(found["complaints"]) == ["tricks/02_gets_more", "tricks/04_does_not_pay_any_more"]
    assert found["known"] == {"tricks/03_pays_as_known": "it is right (nothing suspicious detected)"}
    assert "tricks/02_gets_more got 2 for queue_work, but deserves 1." in done.stdout
    assert "4 cheats, 1 known gaps: NOT as the bank says." in done.stdout


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course in which everybody cheated."""
    return tmp_path_factory.mktemp("cheats") / "course"


@pytest.fixture(scope="module")
def trials(graded: Path, request: pytest.FixtureRequest) -> dict[str, CheatTrial]:
    """What nbgrader gave each cheat that a test of this run asks for."""
    called = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    asked = {cheat.name for params in called if isinstance(cheat := params.get("cheat"), Cheat)}
    cheats = [cheat for cheat in BANK if cheat.name in asked or cheat in SHOWN]
    graded.mkdir()
    return {trial.cheat.name: trial for trial in try_cheats(COURSE, cheats, graded, jobs=os.cpu_count() or 1)}


def usual_or_not(cheat: Cheat):
    """The cheat as a parameter; one that is not in ci.txt is graded by `make test-all`."""
    return pytest.param(cheat, id=cheat.name, marks=() if cheat in USUAL else pytest.mark.exhaustive)


@pytest.mark.bank
@pytest.mark.slow
@pytest.mark.parametrize("cheat", [usual_or_not(cheat) for cheat in BANK])
def test_nobody_gets_more_than_they_deserve(trials: dict[str, CheatTrial], cheat: Cheat):
    assert not trials[cheat.name].complaint, trials[cheat.name].log


class Actors(HTMLParser):
    """Collects what a browser would run, load or send: elements, handlers and addresses."""

    ELEMENTS = ("base", "button", "embed", "form", "iframe", "math", "object")
    ADDRESSES = ("action", "background", "data", "formaction", "href", "poster", "src", "srcdoc", "xlink:href")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script"
        if tag in self.ELEMENTS:
            self.found.append(tag)
        for name, value in attributes:
            address = re.sub(r"[\s\x00-\x20]", "", value or "").lower() if name in self.ADDRESSES else ""
            runs = address.startswith(("javascript:", "vbscript:", "data:text"))
            if name.startswith("on") or runs or ("192.0.2.1" in address and tag != "a"):
                self.found.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self._script and "canary" in data:
            self.found.append(f"script {data}")
        self._script = False


@pytest.fixture(scope="module")
def feedback(graded: Path, trials: dict[str, CheatTrial]) -> dict[str, Path]:
    """The page that each student gets who tried to have something run in it."""
    SmallCourse(graded).must_run("nbgrader", "generate_feedback", "async", "--student=feedback_*")
    return {cheat.name: next((graded / "feedback" / cheat.student).rglob("*.html")) for cheat in SHOWN}


@pytest.fixture(scope="module")
def formgrader(
    graded: Path, trials: dict[str, CheatTrial], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """The page that a TA gets of each of them, as formgrader's own exporter makes it."""
    exporter = HTMLExporter(template_name="formgrade", extra_template_basedirs=[template_path])
    names = ("assignment_id", "notebook_id", "submission_id", "base_url", "student", "last_name", "first_name")
    resources = {**dict.fromkeys((*names, "notebook_path"), "x"), "index": 0, "total": 1}
    folder, pages = tmp_path_factory.mktemp("formgrader"), {}
    for cheat in SHOWN:
        notebook = next((graded / "autograded" / cheat.student).rglob("*.ipynb"))
        pages[cheat.name] = folder / f"{cheat.student}.html"
        pages[cheat.name].write_text(exporter.from_filename(str(notebook), resources=dict(resources))[0])
    return pages


RUNS = (
    "<script>window.canary = 1</script>",
    "<img src=x: onerror='window.canary = 1'>",
    "<a href=' javascript:window.canary=1'>x</a>",
    "<iframe srcdoc='<script>parent.canary = 1</script>'></iframe>",
)


@pytest.mark.parametrize("html", RUNS)
def test_the_canary_sings_if_a_page_runs_something(browser: Browser, tmp_path: Path, html: str):
    parser = Actors()
    parser.feed(html)
    assert parser.found
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><body>{html}</body>")
    tab = browser.new_page()
    tab.goto((tmp_path / "page.html").as_uri())
    tab.evaluate(CLICK)
    tab.wait_for_function("window.canary === 1")
    tab.close()


@pytest.mark.bank
@pytest.mark.slow
@pytest.mark.parametrize("cheat", SHOWN, ids=lambda cheat: cheat.name)
def test_feedback_holds_nothing_that_a_browser_would_run(feedback: dict[str, Path], cheat: Cheat):
    parser = Actors()
    parser.feed(feedback[cheat.name].read_text())
    assert [one for one in parser.found if one != "math"] == []  # tests/report/test_page_alone.py looks into these


@pytest.mark.bank
@pytest.mark.slow
def test_formulas_are_set_in_the_safe_mode_of_mathjax(formgrader: dict[str, Path]):
    """It comes from another host, which no test reaches; its safe mode refuses links that would run a script."""
    written = formgrader["feedback/08_formulas"].read_text()
    loaded = re.findall(r'<script src="([^"]*mathjax[^"]*)"', written, re.IGNORECASE)
    assert loaded and all("Safe" in url.partition("?config=")[2].split(",") for url in loaded)


# Follows no link, and clicks on every one: what a link would run, runs.
CLICK = """
document.addEventListener("click", event => {
    if (!/^\\s*javascript:/i.test(event.target.closest("a")?.getAttribute("href") ?? "")) event.preventDefault();
}, true);
document.querySelectorAll("a, summary").forEach(element => { element.focus(); element.click(); });
"""


@pytest.mark.bank
@pytest.mark.slow
@pytest.mark.parametrize("page", ["feedback", "formgrader"])
@pytest.mark.parametrize("cheat", SHOWN, ids=lambda cheat: cheat.name)
def test_nothing_of_a_student_runs_in_a_browser(request, browser: Browser, page: str, cheat: Cheat):
    path = request.getfixturevalue(page)[cheat.name]
    tab = browser.new_page()
    asked: list[str] = []
    tab.on("request", lambda wanted: asked.append(wanted.url))
    tab.goto(path.as_uri(), wait_until="domcontentloaded")
    tab.evaluate(CLICK)
    assert tab.evaluate("window.canary") is None
    assert [url for url in asked if "192.0.2.1" in url or "javascript:" in url] == []
    tab.close()
