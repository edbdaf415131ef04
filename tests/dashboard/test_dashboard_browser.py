"""The dashboard in a real browser: open, log in, filter, drill down, download, and see what is graded meanwhile."""

import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import tab_to, tabbed, violations
from dashboard_server import TOKEN, dashboard, free_port
from generated_class import Size, generate
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime
from sqlalchemy import create_engine, select, text
from written_answers import give_mark, leave_empty, write_answer

from syncpoint.course.folder import Course
from syncpoint.dashboard.url_state import VIEWS
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.pseudonyms import pseudonym, read_key
from syncpoint.records.regrade import ask
from syncpoint.records.tables import RegradeRequest

pytestmark = pytest.mark.slow
PATIENCE = 120_000  # milliseconds, on a busy machine
TRIES = 4
HOSTILE = '<img src=x onerror="window.ran=1">'
FORMULA = "=1+1"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of 60, two of whom have names that are not real names."""
    root = generate(tmp_path_factory.mktemp("shown") / "course", Size(60, exercises=3, tests=3))
    with create_engine(f"sqlite:///{root}/gradebook.db").begin() as connection:
        rows = connection.execute(text("SELECT student_id FROM submitted_assignment ORDER BY student_id LIMIT 2"))
        for student, name in zip(rows.scalars().all(), (HOSTILE, FORMULA), strict=True):
            connection.execute(
                text("UPDATE student SET first_name = :name, last_name = '' WHERE id = :id"),
                {"name": name, "id": student},
            )
        connection.execute(text("UPDATE syncpoint_incidents SET message = :s"), {"s": HOSTILE})
    return root


@pytest.fixture(scope="module")
def home(course: Path) -> Iterator[str]:
    """The address of the dashboard."""
    port = free_port()
    with dashboard(course, "--port", str(port)):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def known(browser: Browser, home: str) -> BrowserContext:
    """A browser that showed the token before."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.request.get(f"{home}/login?next=/?token={TOKEN}", max_redirects=0)
    return context


@pytest.fixture
def page(known: BrowserContext) -> Iterator[Page]:
    page = known.new_page()
    yield page
    page.close()


def rows(page: Page) -> Locator:
    return page.locator(".tabulator-row")


def test_the_printed_address_opens_the_class_and_asks_no_other_host(browser: Browser, home: str):
    with browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{home}/?token={TOKEN}")
        page.get_by_text("All assignments").wait_for()
        rows(page).first.wait_for()
        assert TOKEN not in page.url
        assert [address for address in asked if not address.startswith((home, "data:", "blob:"))] == []


def test_a_token_is_asked_for_and_opens_what_was_asked_for(browser: Browser, home: str):
    with browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{home}/?view=health")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Log in").click()
        page.get_by_text("Suspicious acts, for you to judge").wait_for()
        assert page.url == f"{home}/?view=health"


def test_the_students_can_be_searched(page: Page, home: str):
    page.goto(f"{home}/?view=students")
    rows(page).nth(5).wait_for()
    page.get_by_label("Search an id or a name").fill("img src")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1, timeout=PATIENCE)
    assert "search=img+src" in page.url


def test_back_leads_to_the_view_before(page: Page, home: str):
    page.goto(f"{home}/?view=class")
    page.get_by_role("button", name="Grading health").click()
    page.get_by_text("Suspicious acts, for you to judge").wait_for()
    page.wait_for_url("**view=health**")
    page.go_back()
    page.get_by_text("All assignments").wait_for()
    assert "view=health" not in page.url


def test_a_score_can_be_seen_on_a_phone(known: BrowserContext, home: str):
    page = known.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{home}/?view=students")
    total = page.locator(".tabulator-cell[tabulator-field=total]").first
    # The table may be drawn twice: what is looked at once may be gone.
    expect(total).to_be_in_viewport(ratio=1, timeout=PATIENCE)
    page.close()


def test_html_in_a_name_and_in_a_sentence_is_text(page: Page, home: str):
    page.goto(f"{home}/?view=students&search=img+src")
    page.get_by_text(HOSTILE).first.wait_for()
    rows(page).get_by_text(HOSTILE).first.click()
    page.get_by_text("Each assignment").wait_for()
    page.get_by_role("heading", name=re.compile("img src")).wait_for()
    page.goto(f"{home}/?view=health")
    page.get_by_text(HOSTILE).first.wait_for()
    assert page.evaluate("window.ran") is None


def test_a_click_opens_the_history_of_a_student_and_so_does_its_address(page: Page, home: str):
    page.goto(f"{home}/?view=students")
    rows(page).nth(5).wait_for()
    ids = page.locator(".tabulator-cell[tabulator-field=student]")
    first = ids.first.inner_text()
    page.get_by_role("button", name="Next Page").click()
    expect(ids.first).not_to_have_text(first, timeout=PATIENCE)
    cell = ids.nth(3)
    student = cell.inner_text()
    cell.click()
    # The history is at the top, and the row may have been far below it.
    expect(page.get_by_role("heading", name=student)).to_be_in_viewport(timeout=PATIENCE)
    page.goto(page.url)
    page.get_by_role("heading", name=student).wait_for()
    assert page.get_by_role("link", name="formgrader").first.get_attribute("href").startswith("http://127.0.0.1:8888/")


def test_a_misconception_opens_its_explanation(page: Page, home: str):
    page.goto(f"{home}/?view=misconceptions")
    heading = page.get_by_role("heading", level=4)
    # A page shows its tables before it listens: on a busy machine a first click may go to nobody.
    for _ in range(TRIES):
        page.locator(".tabulator-cell[tabulator-field=slug]").first.click()
        with contextlib.suppress(NotInTime):
            heading.wait_for(timeout=PATIENCE / TRIES)
            break
    expect(heading).to_be_in_viewport(timeout=PATIENCE)
    assert "misconception=" in page.url


def test_a_table_downloads_without_formulas(page: Page, home: str, tmp_path: Path):
    page.goto(f"{home}/?view=students")
    rows(page).nth(5).wait_for()
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_text("CSV").last.click()
    download.value.save_as(tmp_path / "students.csv")
    lines = (tmp_path / "students.csv").read_text().splitlines()
    assert lines[0].startswith("student,name,total,share,notes,points: test_benchmark")
    assert len(lines) == 61
    assert [line.split(",")[1] for line in lines if FORMULA in line] == [f"'{FORMULA}"]


def test_what_is_graded_meanwhile_appears_by_itself(page: Page, home: str, course: Path):
    page.goto(f"{home}/?view=health")
    page.get_by_text("Suspicious acts, for you to judge").wait_for()
    with create_engine(f"sqlite:///{course}/gradebook.db").begin() as connection:
        connection.execute(
            text(
                "INSERT INTO syncpoint_acts (notebook_id, kind, message) "
                "SELECT id, 'seen live', 'Cell 1 did something new.' FROM syncpoint_notebooks LIMIT 1"
            )
        )
        connection.execute(text("UPDATE syncpoint_notebooks SET graded_at = '2027-01-01 00:00:00.000000' WHERE id = 1"))
    page.get_by_text("Cell 1 did something new.").wait_for()


def test_a_live_update_does_not_scroll(page: Page, home: str, course: Path):
    page.goto(f"{home}/?view=students")
    rows(page).nth(20).wait_for()
    main = page.locator("#main")
    main.evaluate("element => element.scrollTo(0, 200)")
    with create_engine(f"sqlite:///{course}/gradebook.db").begin() as connection:
        connection.execute(
            text(
                "UPDATE student SET last_name = 'Seenlive' WHERE id IN "
                "(SELECT student_id FROM submitted_assignment ORDER BY student_id LIMIT 1 OFFSET 5)"
            )
        )
    page.get_by_text("Seenlive").wait_for()
    assert main.evaluate("element => element.scrollTop") == 200


def test_a_dashboard_that_has_ended_says_so(known: BrowserContext, course: Path):
    port, page = free_port(), known.new_page()
    with dashboard(course, "--port", str(port)):
        page.goto(f"http://127.0.0.1:{port}/?token={TOKEN}")
        rows(page).first.wait_for()
    page.get_by_text("The dashboard has stopped").first.wait_for()
    page.close()


@pytest.mark.axe
def test_the_login_keeps_to_wcag(browser: Browser, home: str):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{home}/")
        page.get_by_label("Token").wait_for()
        assert violations(page) == []


CELLS = """cells => cells.map(cell => [
    getComputedStyle(cell).backgroundColor, getComputedStyle(cell, "::before").content
])"""


def test_a_cell_that_waits_for_a_reader_is_not_marked_by_color_alone(page: Page, home: str):
    page.goto(f"{home}/?view=students&only=unread")
    rows(page).first.wait_for()
    page.locator(".tabulator-cell[style*='60, 140, 220']").first.wait_for()  # cells are painted once they are there
    looks = page.locator(".tabulator-row .tabulator-cell >> visible=true").evaluate_all(CELLS)
    assert [look for look in looks if ("60, 140, 220" in look[0]) != ("?" in look[1])] == []


def test_a_cell_that_waits_for_a_reader_shows_its_number_as_well(page: Page, home: str, course: Path):
    with create_engine(f"sqlite:///{course}/gradebook.db").begin() as connection:
        essays = "SELECT id FROM base_cell WHERE name = 'time_model'"
        unread = f"UPDATE grade SET manual_score = 1.5 WHERE needs_manual_grade AND cell_id IN ({essays})"
        connection.execute(text(unread))
    page.goto(f"{home}/?view=students&only=unread")
    rows(page).nth(2).wait_for()
    cells = page.locator(".tabulator-cell[style*='60, 140, 220']")
    expect(cells.nth(2)).to_contain_text("1.5", timeout=PATIENCE)
    heights = cells.evaluate_all("cells => cells.map(cell => [cell.scrollHeight, cell.clientHeight])")
    assert len(heights) > 2 and all(whole <= seen for whole, seen in heights)


@pytest.mark.axe
@pytest.mark.parametrize(
    "view", [pytest.param(view, marks=() if view == "students" else pytest.mark.exhaustive) for view in VIEWS]
)
def test_every_view_keeps_to_wcag_in_light_and_dark(page: Page, home: str, view: str):
    for theme in ("default", "dark"):
        page.goto(f"{home}/?view={view}&theme={theme}")
        # What Panel's tables lack is put right once they are there.
        page.locator(".tabulator-tableholder[role=rowgroup] >> visible=true").first.wait_for()
        page.locator("#theme-switch[aria-label]").wait_for()
        expect(page.locator(".tabulator-table:not([role=none]) >> visible=true")).to_have_count(0)
        assert violations(page) == []


def test_the_keyboard_alone_leads_to_a_student_and_to_every_view(page: Page, home: str):
    page.goto(f"{home}/?view=students")
    rows(page).first.wait_for()
    reached = tabbed(page, most=80)
    assert [title for title in VIEWS.values() if f"button: {title}" not in reached] == []
    assert {"select: Assignment", "button: CSV"} <= {*reached}
    page.reload()
    first = page.locator(".tabulator-row[tabindex='0']").first
    first.wait_for()
    student = first.locator(".tabulator-cell[tabulator-field=student]").inner_text()
    tab_to(page, f"row: {student}")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=student).wait_for()
    tab_to(page, "button: Grading health")
    page.keyboard.press("Enter")
    page.get_by_text("Suspicious acts, for you to judge").wait_for()


def test_the_keyboard_alone_sorts_filters_explains_and_changes_the_colours(page: Page, home: str):
    page.goto(f"{home}/?view=students")
    totals = page.locator(".tabulator-cell[tabulator-field=total]")
    page.locator(".tabulator-col[tabulator-field=total][tabindex='0']").wait_for()
    tab_to(page, "columnheader: total")
    page.keyboard.press("Enter")
    page.locator(".tabulator-col[tabulator-field=total][aria-sort=ascending]").wait_for()
    # The head says how the table is sorted before the rows have come.
    ends, seen = time.monotonic() + PATIENCE / 1000, [1.0, 0.0]
    while seen != sorted(seen) and time.monotonic() < ends:
        page.wait_for_timeout(100)
        seen = [float(total) for total in totals.all_inner_texts() if total.strip("\u00b7 ")]
    assert len({*seen}) > 3 and seen == sorted(seen)
    page.reload()
    rows(page).first.wait_for()
    tab_to(page, "input: Search an id or a name")
    page.keyboard.type("img src")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1, timeout=PATIENCE)
    page.goto(f"{home}/?view=misconceptions")
    page.locator(".tabulator-row[tabindex='0']").first.wait_for()
    expect(page.locator(".tabulator-cell[tabindex='0'] >> visible=true")).to_have_count(0, timeout=PATIENCE)
    tab_to(page, "row: ", dead_ends=False)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=4)).to_be_in_viewport(timeout=PATIENCE)
    tab_to(page, "switch: Light theme")
    page.keyboard.press("Space")
    page.wait_for_url("**theme=dark**")


@pytest.mark.engine
def test_the_keyboard_alone_marks_an_answer_and_replies_to_a_question(browser: Browser, course_with_answer: Course):
    course = course_with_answer
    with open_gradebook(course) as gradebook:
        number = ask(gradebook, "ada", "async", "double", "Why so few points?")
    port = free_port()
    with dashboard(course.root, "--port", str(port)), browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        context.request.get(f"http://127.0.0.1:{port}/login?next=/?token={TOKEN}", max_redirects=0)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/?view=answers")
        rows(page).first.wait_for()
        tab_to(page, "row: ada")
        page.keyboard.press("Enter")
        page.get_by_text("Since it waits.").wait_for()
        tab_to(page, "input: names the wait (2)")
        page.keyboard.press("Space")
        tab_to(page, "textarea: Note")
        page.keyboard.type("Well said.")
        tab_to(page, "button: Save")
        page.keyboard.press("Enter")
        page.locator(".notyf__message", has_text="ada, why: 2 points.").wait_for()
        page.goto(f"http://127.0.0.1:{port}/?view=questions")
        rows(page).first.wait_for()
        tab_to(page, "row: ada")
        page.keyboard.press("Enter")
        tab_to(page, "textarea: Answer")
        page.keyboard.type("Look at the hint.")
        tab_to(page, "button: Answer and close")
        page.keyboard.press("Enter")
        page.locator(".notyf__message", has_text=f"Question {number} is closed.").wait_for()
    with open_gradebook(course) as gradebook:
        assert gradebook.find_grade("why", "work", "async", "ada").manual_score == 2
        assert "Well said." in gradebook.find_comment("why", "work", "async", "ada").manual_comment
        (asked,) = gradebook.db.execute(select(RegradeRequest.answer)).scalars()
        assert asked == "Look at the hint."


FIVE = ("ana", "bjorn", "chen", "dora", "emil")


@pytest.fixture
def five(course_with_answer: Course) -> Course:
    """Five students: ana and chen are read, dora wrote nothing, bjorn and emil wait."""
    course = course_with_answer
    with open_gradebook(course) as gradebook:
        gradebook.remove_student("ada")
        for student in FIVE:
            write_answer(course, gradebook, student, f"This is by {student}.")
        for student in ("ana", "chen"):
            give_mark(gradebook, student, 2.0, "[x] names the wait (2 of 2)\nWell.")
        leave_empty(gradebook, "dora")
        gradebook.db.commit()
    return course


def given(course: Course) -> dict[str, float | None]:
    with open_gradebook(course) as gradebook:
        return {name: gradebook.find_grade("why", "work", "async", name).manual_score for name in FIVE}


@pytest.mark.engine
def test_two_readers_in_turn_mark_whom_they_see_and_nobody_else(browser: Browser, five: Course):
    port = free_port()
    with dashboard(five.root, "--port", str(port)), browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        context.request.get(f"http://127.0.0.1:{port}/login?next=/?token={TOKEN}", max_redirects=0)
        pages = [context.new_page() for _ in range(2)]

        def choose(page: Page, student: str) -> None:
            page.locator(".tabulator-cell[tabulator-field=student]", has_text=student).click()
            page.get_by_text(f"This is by {student}.").wait_for()
            expect(page.get_by_role("heading", name=f"{student}, why")).to_be_visible()

        for page in pages:
            page.goto(f"http://127.0.0.1:{port}/?view=answers")
            rows(page).nth(4).wait_for()
            page.locator(".tabulator-row[tabindex='0']").first.wait_for()
        first, second = pages
        for student in (*FIVE, "chen", "bjorn", "ana", "bjorn"):  # read and unread in turn
            choose(first, student)
            box, note = first.get_by_label("names the wait (2)"), first.get_by_label("Note")
            expect(box).to_be_checked(checked=student in ("ana", "chen"), timeout=PATIENCE)
            expect(note).to_have_value({"ana": "Well.", "chen": "Well.", "dora": "No response."}.get(student, ""))
        choose(second, "bjorn")
        first.get_by_label("names the wait (2)").check()
        first.get_by_role("button", name="Save").click()
        first.locator(".notyf__message", has_text="bjorn, why: 2 points.").wait_for()
        assert given(five) == {"ana": 2, "bjorn": 2, "chen": 2, "dora": None, "emil": None}
        second.get_by_label("Note").fill("Too short.")
        second.get_by_role("button", name="Save").click()
        expect(second.get_by_role("alert").last).to_contain_text("Nothing was saved", timeout=PATIENCE)
        expect(second.get_by_label("Note")).to_have_value("Too short.")
        assert given(five)["bjorn"] == 2
        second.get_by_role("button", name="Save").click()  # what is there now was seen
        second.locator(".notyf__message", has_text="bjorn, why: 0 points.").wait_for()
        assert given(five) == {"ana": 2, "bjorn": 0, "chen": 2, "dora": None, "emil": None}


@pytest.mark.engine
def test_alt_and_n_open_the_next_answer_or_question(browser: Browser, five: Course):
    with open_gradebook(five) as gradebook:
        for student in ("ana", "emil"):
            ask(gradebook, student, "async", "double", f"Why, asks {student}?")
    port = free_port()
    with dashboard(five.root, "--port", str(port)), browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        context.request.get(f"http://127.0.0.1:{port}/login?next=/?token={TOKEN}", max_redirects=0)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/?view=answers")
        rows(page).nth(4).wait_for()
        for student in ("bjorn", "emil", "bjorn"):
            page.keyboard.press("Alt+n")
            expect(page.get_by_role("heading", name=f"{student}, why")).to_be_visible(timeout=PATIENCE)
            expect(page.get_by_label("Note")).to_be_visible(timeout=PATIENCE)
            page.get_by_label("Note").focus()  # also while somebody types
        page.goto(f"http://127.0.0.1:{port}/?view=questions")
        rows(page).nth(1).wait_for()
        rows(page).first.click()
        for student in ("ana", "emil", "ana"):
            expect(page.get_by_role("heading", name=f"{student}, double")).to_be_visible(timeout=PATIENCE)
            page.keyboard.press("Alt+n")


@pytest.fixture(scope="module")
def people(course: Path) -> list[tuple[str, str]]:
    """Ids and whole names of everybody, those with a name that is no name left out."""
    with create_engine(f"sqlite:///{course}/gradebook.db").connect() as connection:
        rows = connection.execute(text("SELECT id, first_name, last_name FROM student ORDER BY id")).all()
    return [(student, f"{first} {last}") for student, first, last in rows if last]


@pytest.fixture(scope="module")
def without_names(
    browser: Browser, course: Path, people: list[tuple[str, str]]
) -> Iterator[tuple[str, BrowserContext]]:
    """The address of an anonymous dashboard, and a browser that showed its token.  The fourth student has feedback."""
    student, name = people[3]
    page = course / "feedback" / student / "async" / "work.html"
    page.parent.mkdir(parents=True)
    page.write_text(f"<h1>{name}</h1><p>For {student}: well done.</p>")
    port = free_port()
    with dashboard(course, "--port", str(port), "--anonymous"), browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        context.request.get(f"http://127.0.0.1:{port}/login?next=/?token={TOKEN}", max_redirects=0)
        yield f"http://127.0.0.1:{port}", context


def test_nothing_that_an_anonymous_dashboard_sends_names_a_student(
    without_names: tuple[str, BrowserContext], course: Path, people: list[tuple[str, str]]
):
    home, context = without_names
    student = pseudonym(read_key(Course(course)), people[3][0])
    page, sent = context.new_page(), []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(_text(data))))
    for view in VIEWS:
        with page.expect_response(lambda response: response.url.startswith(home)) as response:
            page.goto(f"{home}/?view={view}&student={student}")
        sent.append(response.value.text())
        page.get_by_role("button", name=VIEWS[view], exact=True).wait_for()
        (page.locator(".tabulator").first if view in ("answers", "questions") else rows(page).first).wait_for()
        sent.append(page.content())
    page.goto(f"{home}/?view=students&student={student}")
    page.get_by_role("heading", name=student).wait_for()
    with context.expect_page() as opened:
        page.get_by_role("link", name="feedback").click()
    opened.value.get_by_text(f"For {student}: well done.").wait_for()
    assert opened.value.url == f"{home}/feedback/{student}/async/work"
    sent.append(opened.value.content())
    assert page.get_by_role("link", name="formgrader").count() == 0
    assert any(student in text for text in sent)
    for word in (word for person in people for word in person):
        assert not any(word in text for text in sent), word
    page.close()


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode("utf-8", "replace")


def test_an_anonymous_dashboard_knows_no_id_and_no_report(
    without_names: tuple[str, BrowserContext], course: Path, people: list[tuple[str, str]]
):
    home, context = without_names
    student = people[3][0]
    shown = pseudonym(read_key(Course(course)), student)
    report = course / ".syncpoint" / "similarity" / "async" / "report"
    report.mkdir(parents=True, exist_ok=True)
    (report / "pairs.csv").write_text(student)
    asked = [f"feedback/{shown}/async/work", f"feedback/{student}/async/work", "similarity/async/pairs.csv"]
    assert [context.request.get(f"{home}/{path}").status for path in asked] == [200, 404, 404]


@pytest.mark.exhaustive
def test_a_similarity_report_opens_from_grading_health(page: Page, home: str, course: Path):
    report = course / ".syncpoint" / "similarity" / "async" / "report"
    (report / "tool").mkdir(parents=True, exist_ok=True)
    (report / "tool" / "pairs.html").write_text("<p>two alike</p><script>document.title = 'ran'</script>")
    page.goto(f"{home}/?view=health")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="report", exact=True).click()
    opened.value.get_by_role("link", name="tool/pairs.html").click()
    opened.value.get_by_text("two alike").wait_for()
    assert opened.value.title() != "ran"
    opened.value.close()


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_fits_a_phone_and_is_named_after_the_course(
    known: BrowserContext, home: str, view: str, course: Path
):
    page = known.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{home}/?view={view}&theme=dark")
    page.locator(".tabulator-tableholder[role=rowgroup] >> visible=true").first.wait_for()
    assert page.title() == f"Syncpoint: {Course(course).id}"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    buttons = page.locator(".bk-btn >> visible=true").all()
    boxes = [(button.inner_text(), button.bounding_box()) for button in buttons]
    assert {*VIEWS.values(), "CSV"} <= {name for name, _ in boxes}
    assert [name for name, box in boxes if box["x"] < 0 or box["x"] + box["width"] > 390] == []
    # No word reaches into the next button.
    assert [button.inner_text() for button in buttons if button.evaluate("e => e.scrollWidth > e.offsetWidth")] == []
    page.close()
