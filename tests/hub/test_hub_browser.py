"""A class on a hub, in a real browser: fetch, solve, check, validate, hand in; collect, grade, mark; read."""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import nbformat
import psutil
import pytest
from accessibility import violations
from classroom import DOUBLE, QUEUE_WORK, ROOT, SmallCourse, nbgrader_cell, source_notebook
from hub import (
    COURSE,
    PATIENCE,
    Hub,
    begun_in_course,
    hub_with_release,
    in_course,
    lab,
    logged_in,
    make_folder,
    wait_for_lab,
    write_hub,
)
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, BrowserContext, Page, expect

from syncpoint.engines.find import find

pytestmark = [pytest.mark.slow, pytest.mark.hub]
CHECK = """%syncpoint check queue_work


def check_double():
    assert double(2) == 4
    print("the check passed")


check_double()"""
VISIBLE = ROOT / "grader_tests" / "async" / "visible" / "test_queue_work.py"
ANSWER = "Because the back end works while the front end writes orders."
SOLVED = {"queue_work": QUEUE_WORK, "double": DOUBLE}
RUN_BOTH = """import sys, simgpu, torch
def run_both(x, y):
    current, side = torch.simgpu.current_stream(), torch.simgpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with torch.simgpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
print(sys.prefix)
%syncpoint check run_both
%syncpoint status"""
WAITS = "def queue_work(x):\n    y = nd.dot(x, x).sum()\n    y.wait_to_read()\n    return y"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A hub with two courses, in one of which an assignment is handed out."""
    folder = make_folder(tmp_path_factory.mktemp("hub") / "hub")
    course = SmallCourse.make(folder / COURSE)
    notebook = source_notebook()
    notebook.cells.insert(4, nbgrader_cell(new_code_cell, CHECK, "check_double", locked=True))
    nbformat.write(notebook, course.root / "source" / "async" / "work.ipynb")
    (course.root / "grader_tests" / "async" / "visible").mkdir()
    shutil.copy(VISIBLE, course.root / "grader_tests" / "async" / "visible")
    with hub_with_release(write_hub(folder)) as running:
        yield running


def open_list(page: Page) -> None:
    """The menu Nbgrader > Assignment List."""
    page.locator('#jp-menu-panel div.lm-MenuBar-itemLabel:text-is("Nbgrader")').click()
    page.locator('#jp-mainmenu-nbgrader li[data-command="nbgrader:open-assignment-list"]').click()


def cell(page: Page, number: int):
    """A cell of the notebook that is seen, counted from 0: JupyterLab opens those of the last time, too."""
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook .jp-Cell").nth(number)


def write(page: Page, number: int, text: str) -> None:
    """Type a cell anew."""
    if cell(page, number).locator(".jp-MarkdownOutput").is_visible():
        cell(page, number).locator(".jp-MarkdownOutput").dblclick()
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def open_notebook(page: Page) -> None:
    """The notebook, from the list of assignments, in which the folder is open."""
    page.locator(f"#nbgrader-{COURSE}-async").get_by_text("work", exact=True).click()
    cell(page, 6).wait_for()


def run_cell(page: Page, number: int, text: str):
    """Type a cell anew and run it, as soon as the kernel is there; returns where its output appears."""
    page.get_by_text(re.compile(r"\| Idle$")).first.wait_for()
    write(page, number, text)
    page.keyboard.press("Control+Enter")
    return cell(page, number).locator(".jp-OutputArea")


def hand_in_again(context: BrowserContext, hub: Hub, name: str) -> None:
    """Press Submit once more."""
    page = lab(context, hub, name)
    open_list(page)
    button = page.locator("#fetched_assignments_list .list_item", has_text="async").get_by_text("Submit", exact=True)
    with page.expect_response(re.compile(r"/assignments/submit\b")) as answer:
        button.click()
    assert answer.value.json()["success"], answer.value.json()
    page.close()


def hand_in(context: BrowserContext, hub: Hub, name: str, answers: dict[str, str]) -> dict[str, str]:
    """Everything that a student does; what they saw on the way."""
    seen = {}
    page = lab(context, hub, name)
    open_list(page)
    page.locator('#released_assignments_list button:text-is("Fetch")').click()
    page.locator('#fetched_assignments_list a:text-is("async")').click()
    open_notebook(page)
    for number, exercise in ((1, "queue_work"), (3, "double"), (6, "why")):
        if exercise in answers:
            write(page, number, answers[exercise])
    page.get_by_text(re.compile(r"\| Idle$")).first.wait_for()  # the kernel is there: before, nothing runs
    page.locator('#jp-menu-panel div.lm-MenuBar-itemLabel:text-is("Run")').click()
    page.locator('li[data-command="runmenu:run-all"]').click()
    outputs = cell(page, 4).locator(".jp-OutputArea")
    outputs.get_by_text(re.compile("the check passed|Traceback")).first.wait_for()
    seen["check"] = outputs.inner_text()
    seen["pictures"] = str(outputs.locator("svg[role=img]:visible").count())
    page.locator(".validate-button").click()
    dialog = page.locator(".nbgrader-SuccessDialog, .nbgrader-ErrorDialog")
    dialog.wait_for()
    seen["validate"] = dialog.inner_text()
    dialog.get_by_role("button").last.click()

    page.locator('.lm-TabBar-tabLabel:text-is("Assignments")').click()
    page.locator('#fetched_assignments_list button:text-is("Submit")').click()
    page.locator("#submitted_assignments_list .list_item").first.wait_for()
    page.close()
    return seen


@pytest.fixture(scope="module")
def submitted(hub: Hub, browser: Browser) -> dict[str, dict[str, str]]:
    """Ada solves everything; Ben waits where he must not, and leaves the other exercise as it is."""
    seen = {}
    for name, answers in (("ada", {**SOLVED, "why": ANSWER}), ("ben", {"queue_work": WAITS})):
        with logged_in(browser, hub, name) as context:
            seen[name] = hand_in(context, hub, name, answers)
    return seen


def test_the_visible_checks_run_in_the_engine(submitted: dict[str, dict[str, str]]):
    right, wrong = submitted["ada"]["check"], submitted["ben"]["check"]
    assert "1 of 1 property" in right and "the check passed" in right
    assert "0 of 1 propert" in wrong and "queue_work waited for its input" in wrong and "wait_to_read" in wrong
    assert "Hint: " in wrong and submitted["ben"]["pictures"] == "1"  # the timeline
    assert "NotImplementedError" in wrong or "NoneType" in wrong


def test_validate_says_who_may_hand_in(submitted: dict[str, dict[str, str]]):
    assert "Success" in submitted["ada"]["validate"]
    assert "Success" not in submitted["ben"]["validate"]


def open_page(context: BrowserContext, hub: Hub, title: str, course: str = COURSE) -> Page:
    """A page of a course, by the hub's menu: in a tab of its own."""
    page = context.new_page()
    page.goto(f"{hub.url}/hub/home")
    page.get_by_text("Services", exact=True).click()
    with context.expect_page() as opened:
        page.get_by_role("link", name=f"{course} {title}", exact=True).click()
    page.close()
    opened.value.wait_for_load_state()
    return opened.value


def press(page: Page, button: str) -> None:
    """Press a button of a row of formgrader's, and close the box that says that it went well."""
    page.locator(button).click()
    box = page.locator(".modal.in")
    box.wait_for()
    output = box.inner_text()
    assert "Success" in output, output
    box.get_by_role("button", name="Close").last.click()
    expect(box).to_have_count(0, timeout=PATIENCE)


@pytest.fixture(scope="module")
def graded(hub: Hub, browser: Browser, submitted: dict[str, dict[str, str]]) -> None:
    """The instructor collects and grades one, `syncpoint watch` the other; a TA marks, the instructor gives back."""
    with logged_in(browser, hub, "ines") as context:
        page = open_page(context, hub, "formgrader")
        press(page, "td.collect a")
        page.locator("td.num-submissions a").click()
        press(page, 'tr:has(td.student-id:text-is("ben")) td.autograde a')
    done = in_course(hub.course.root, "syncpoint", "watch", "--once", "--workers", "1")
    assert "feedback released to ada" in done.stdout and "feedback released to ben" not in done.stdout, done.stderr
    with logged_in(browser, hub, "tom") as context:
        page = open_page(context, hub, "formgrader")
        page.goto(re.sub(r"/formgrader.*", "/formgrader/manage_students/ada/async", page.url))
        page.get_by_role("link", name="work", exact=True).click()
        page.get_by_text(ANSWER).wait_for()
        page.wait_for_load_state("networkidle")  # formgrader fetches the marks before it takes new ones
        page.locator("input#why").fill("1.5")
        with page.expect_response("**/formgrader/api/grade/**"):
            page.keyboard.press("Tab")
    with logged_in(browser, hub, "ines") as context:
        page = open_page(context, hub, "formgrader")
        press(page, "td.generate-feedback a")
        press(page, "td.release-feedback a")


def test_formgrader_and_watch_grade_with_the_judge(hub: Hub, graded: None):
    assert hub.course.scores() == {"ada": (4.0, 2.0), "ben": (pytest.approx(1.0), 0.0)}


def test_a_mark_of_a_ta_appears_in_the_dashboard(hub: Hub, browser: Browser, graded: None):
    with logged_in(browser, hub, "tom") as context:
        page = open_page(context, hub, "dashboard")
        page.goto(re.sub(r"\?.*|$", "?view=students", page.url.split("#")[0], count=1))
        expect(page.get_by_text("7.5").first).to_be_visible(timeout=PATIENCE)


def test_a_student_reads_the_feedback(hub: Hub, browser: Browser, graded: None):
    with logged_in(browser, hub, "ada") as context:
        page = lab(context, hub, "ada")
        open_list(page)
        page.locator('#submitted_assignments_list button:text-is("Fetch Feedback")').first.click()
        page.get_by_text("View Feedback").first.wait_for()
        (written,) = (hub.home("ada") / COURSE / "async" / "feedback").glob("*/work.html")
        page.goto(f"{hub.url}/user/ada/files/{written.relative_to(hub.home('ada'))}")
        for text in ("TITLE-OF-WAITING", ANSWER, "1.5"):
            expect(page.get_by_text(text).first).to_be_visible(timeout=PATIENCE)


def test_a_student_asks_on_the_page_of_the_feedback(hub: Hub, browser: Browser, graded: None):
    with logged_in(browser, hub, "ada") as context:
        page = lab(context, hub, "ada", "?reset")  # a notebook of the last time would close the menu as it opens
        page.locator('#jp-menu-panel div.lm-MenuBar-itemLabel:text-is("Help")').click()
        with context.expect_page() as opened:
            page.locator("#jp-mainmenu-help").get_by_text("Feedback and Questions", exact=True).click()
        page = opened.value
        page.get_by_role("link", name=f"{COURSE}/async/work").click()
        page.locator(".ask", has_text="double").locator("summary").click()
        page.get_by_label("Your question about double").fill("Why is this right?")
        page.get_by_role("button", name="Send the question").locator("visible=true").click()
        expect(page.get_by_text("Why is this right?")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text("It has not been answered yet.")).to_be_visible(timeout=PATIENCE)
        address = re.sub(r"#.*", "", page.url)
        assert context.request.post(address, form={"exercise": "test_double", "question": "?"}).status == 403
    with logged_in(browser, hub, "ben") as context:
        answer = context.request.get(address)
        assert answer.status == 403
        page = context.new_page()
        page.goto(f"{hub.url}/hub/home")
        page.get_by_role("link", name="Feedback and Questions").click()
        assert_shows(page, page.url, f"{COURSE}/async/work")
    done = in_course(hub.course.root, "syncpoint", "questions")
    assert "Why is this right?" in done.stdout and "ada" in done.stdout, done.stderr


def is_second(notes: Path) -> bool:
    """Whether somebody is told that one is before them."""
    for path in notes.glob("*.json"):
        with suppress(FileNotFoundError):  # newer work has the place
            if '"place": 2' in path.read_text():
                return True
    return False


@contextmanager
def stopped_while_somebody_waits(hub: Hub) -> Iterator[None]:
    """`syncpoint watch --once`, as the course's account, which stands still in the block: somebody is the second."""
    with begun_in_course(hub.course.root, "syncpoint", "watch", "--once", "--workers", "1") as watching:
        while not is_second(hub.folder / "exchange" / COURSE / "feedback"):
            assert watching.status() != psutil.STATUS_ZOMBIE
            time.sleep(0.02)
        watching.suspend()
        try:
            yield
        finally:
            watching.resume()


@pytest.mark.exhaustive
def test_a_student_reads_their_place_and_then_what_came_of_it_in_the_notebook(hub: Hub, browser: Browser, graded: None):
    """With users of Linux, the note is the file of another one, in a folder that nobody can list."""
    with logged_in(browser, hub, "ada") as context:
        hand_in_again(context, hub, "ada")
    with logged_in(browser, hub, "ben") as context:
        hand_in_again(context, hub, "ben")
        page = lab(context, hub, "ben", f"/tree/{COURSE}/async/work.ipynb")
        cell(page, 6).wait_for()
        with stopped_while_somebody_waits(hub):
            output = run_cell(page, 1, "%syncpoint status")
            expect(output).to_contain_text("Your submission is number 2 of 2 in the queue.", timeout=PATIENCE)
        output = run_cell(page, 1, "%syncpoint status")
        for text in ("Your submission is graded. The full feedback is in the assignment list", "TITLE-OF-WAITING"):
            expect(output.get_by_text(text).first).to_be_visible(timeout=PATIENCE)


@pytest.mark.exhaustive
def test_an_assignment_on_another_engine_is_worked_on_in_its_python(hub: Hub, browser: Browser, graded: None):
    """The click that docs/how-to/hub.md names, and then everything that `%syncpoint` does."""
    torch = "torch_streams"
    for paths, folder in (
        ([ROOT / "source" / torch], "source"),
        ([ROOT / "grader_tests" / torch], "grader_tests"),
        ([ROOT / "docs" / "students" / "misconceptions.md"], "docs/students"),
    ):
        done = in_course(hub.course.root, "mkdir", "-p", folder)
        assert done.returncode == 0, done.stderr
        done = in_course(hub.course.root, "cp", "-r", *map(str, paths), folder)
        assert done.returncode == 0, done.stderr
    for command in ("generate_assignment", "release_assignment"):
        done = in_course(hub.course.root, "nbgrader", command, torch)
        assert done.returncode == 0, done.stderr
    with logged_in(browser, hub, "ada") as context:
        page = lab(context, hub, "ada")
        open_list(page)
        with page.expect_response(re.compile(r"/assignments/fetch\b")):
            page.locator("#released_assignments_list .list_item", has_text=torch).get_by_text("Fetch").click()
        page.close()
        # Without the notebooks of before: of several, the line below may tell of another one's kernel.
        page = lab(context, hub, "ada", f"/tree/{COURSE}/{torch}/streams.ipynb?reset")
        cell(page, 2).wait_for()
        page.get_by_text(re.compile(r" \| Idle$")).first.wait_for()  # the first kernel: else it may come last
        page.locator('#jp-menu-panel div.lm-MenuBar-itemLabel:text-is("Kernel")').click()
        page.locator('li[data-command="kernelmenu:change"]').click()
        page.locator(".jp-Dialog select").select_option(label=find("torch").title)
        page.locator(".jp-Dialog button.jp-mod-accept").click()
        page.get_by_text(re.compile(rf"{re.escape(find('torch').title)} \| Idle$")).first.wait_for()
        cell(page, 2).locator(".jp-InputPrompt").click()
        page.keyboard.press("Escape")
        page.keyboard.press("a")  # a cell above
        output = run_cell(page, 2, RUN_BOTH)
        for text in ("/.venv-torch", "2 of 2 properties", f"No status for {torch}"):
            expect(output).to_contain_text(text, timeout=PATIENCE)


@pytest.mark.exhaustive
def test_an_assignment_is_made_in_the_terminal_of_the_course(hub: Hub, browser: Browser):
    """Step 4 of the page, typed as it stands there."""
    page_of_docs = (ROOT / "docs" / "how-to" / "hub.md").read_text()
    (typed,) = re.findall(r"\*\*4\. .*?```bash\n(.*?)```", page_of_docs, re.DOTALL)
    released = hub.folder / "exchange" / "other" / "outbound" / "steps"
    with logged_in(browser, hub, "otto") as context:
        page = open_page(context, hub, "files", "other")
        wait_for_lab(page)
        page.locator('#jp-menu-panel div.lm-MenuBar-itemLabel:text-is("File")').click()
        page.locator('#jp-mainmenu-file li[data-type="submenu"]:has-text("New")').first.hover()
        page.locator('li[data-command="terminal:create-new"]').first.click()
        page.locator(".jp-Terminal .xterm-screen").click()
        page.keyboard.type(typed)
        ends = time.monotonic() + 5 * PATIENCE / 1000
        while not (released / "steps.ipynb").is_file():
            assert time.monotonic() < ends
            time.sleep(0.1)


@pytest.mark.parametrize("name", ["ada", "otto"])
def test_who_does_not_grade_a_course_cannot_open_it(hub: Hub, browser: Browser, name: str):
    with logged_in(browser, hub, name) as context:
        for path in ("formgrader", "dashboard/", "lab", "files/gradebook.db"):
            answer = context.request.get(f"{hub.url}/services/{COURSE}/{path}")
            assert answer.status == 403, path


def test_a_student_of_another_course_is_offered_no_assignment_of_this_one(hub: Hub, browser: Browser):
    for name, offered in (("ada", True), ("olga", False)):
        with logged_in(browser, hub, name) as context:
            answer = context.request.get(f"{hub.url}/user/{name}/assignments?course_id={COURSE}").json()
            assert answer["success"], answer
            assert ("async" in {entry["assignment_id"] for entry in answer["value"]}) is offered
            assert offered or answer["value"] == []


def test_who_is_not_in_hub_toml_cannot_log_in(hub: Hub, browser: Browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{hub.url}/hub/login")
    page.fill("input[name=username]", "mallory")
    page.fill("input[name=password]", hub.password)
    page.click("input[type=submit], button[type=submit]")
    expect(page.locator(".login_error")).to_be_visible(timeout=PATIENCE)
    context.close()


@pytest.mark.axe
def test_the_pages_of_the_hub_keep_to_wcag(hub: Hub, browser: Browser):
    page = browser.new_page()
    page.goto(f"{hub.url}/hub/login")
    assert violations(page) == []
    page.close()
    with logged_in(browser, hub, "tom") as context:
        page = context.new_page()
        page.goto(f"{hub.url}/hub/home")
        page.get_by_text("Services", exact=True).click()
        page.get_by_role("link", name=f"{COURSE} dashboard", exact=True).wait_for()
        assert violations(page) == []


def assert_shows(page: Page, address: str, words: str | re.Pattern[str]) -> None:
    """Open a page of the hub's, and wait until it says what it is about."""
    page.goto(address)
    expect(page.get_by_text(words).first).to_be_visible(timeout=PATIENCE)


def failed_login(page: Page, hub: Hub) -> None:
    """The login, which has refused somebody."""
    page.goto(f"{hub.url}/hub/login")
    page.fill("input[name=username]", "mallory")
    page.fill("input[name=password]", "wrong")
    page.click("input[type=submit], button[type=submit]")
    expect(page.locator(".login_error")).to_be_visible(timeout=PATIENCE)


def starting(page: Page, hub: Hub) -> None:
    """The page that waits for a server, held where it waits: it hears nothing of how far the server is."""
    page.route("**/progress*", lambda route: None)
    assert_shows(page, f"{hub.url}/hub/spawn/ines", "Your server is starting up")


NOT_YOURS = re.compile(r"\b40[34]\b")  # there is no such server, or it runs and is another's
PAGES: dict[str, tuple[str, Callable[[Page, Hub], None]]] = {
    "failed login": ("", failed_login),
    "another's course": ("ada", lambda page, hub: assert_shows(page, f"{hub.url}/services/{COURSE}/lab", "403")),
    "another's server": ("ada", lambda page, hub: assert_shows(page, f"{hub.url}/user/ben/lab", NOT_YOURS)),
    "no page": ("ada", lambda page, hub: assert_shows(page, f"{hub.url}/hub/nowhere", "404: Not found")),
    "home": ("tom", lambda page, hub: assert_shows(page, f"{hub.url}/hub/home", "Services")),
    "tokens": ("ada", lambda page, hub: assert_shows(page, f"{hub.url}/hub/token", "Request new API token")),
    "not running": ("tom", lambda page, hub: assert_shows(page, f"{hub.url}/user/tom/lab", "Server not running")),
    "starting": ("ines", starting),
}


@pytest.mark.exhaustive
@pytest.mark.axe
@pytest.mark.parametrize("title", PAGES)
def test_each_page_that_people_meet_keeps_to_wcag_light_and_dark_and_on_a_phone(hub: Hub, browser: Browser, title: str):
    name, show = PAGES[title]
    with logged_in(browser, hub, name) if name else browser.new_context() as context:
        page = context.new_page()
        show(page, hub)
        for width, height in ((1280, 900), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)  # as the hub follows it
                expect(page.locator(f"html[data-bs-theme={theme}]")).to_have_count(1)
                page.screenshot(path=hub.folder / f"{title}-{theme}-{width}.png")
                assert violations(page) == [], (theme, width)
                assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (theme, width)
