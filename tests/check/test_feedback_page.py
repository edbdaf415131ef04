"""The feedback on a student's own Jupyter server: a form under each exercise asks about its mark."""

import re
from collections.abc import Iterator

import pytest
from accessibility import violations
from bs4 import BeautifulSoup, Tag
from classroom import BIN, SmallCourse
from exchange import EARLIER, hand_in, inbound, page_of, speak, with_exchange
from own_server import TOKEN, Visitor, own_server
from playwright.sync_api import Browser, expect

from syncpoint.check.ask import MAX_QUESTION_CHARACTERS
from syncpoint.course.check_wheel import check_wheel
from syncpoint.course.folder import Course
from syncpoint.records.gradebook import open_gradebook
from syncpoint.records.regrade import answer, questions

pytestmark = pytest.mark.slow
PAGE = "/syncpoint/async/work"
EXERCISES = ["test_queue_work", "test_double", "why"]
FORGED = """<form id="f" method="post"><input name="question" value="x"></form><button form="f">Send</button>
<div data-ask="{mark}" data-exercise="test_double"><p>x</p></div><script>document.forms[0].submit()</script>
<meta http-equiv="refresh" content="0">"""


def syncpoint(course: SmallCourse, *arguments: str) -> str:
    done = course.must_run(str(BIN / "syncpoint"), *arguments)
    return done.stdout


@pytest.fixture(scope="module")
def course(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    """A course that has given back the work of two students and not yet that of a third."""
    folder = tmp_path_factory.mktemp("asked")
    course = with_exchange(released.copy(folder / "course"), folder / "exchange")
    course.configure("c.ExchangeCollect.check_owner = False\n")
    hand_in(course, "ada", EARLIER, course.solved(why=FORGED))
    hand_in(course, "ben", EARLIER, course.solved())
    syncpoint(course, "watch", "--once", "--workers", "1")
    return course


@pytest.fixture(scope="module")
def ada(course: SmallCourse) -> Iterator[Visitor]:
    with own_server(course, "ada") as visitor:
        yield visitor


@pytest.fixture(autouse=True)
def unasked(course: SmallCourse) -> Iterator[None]:
    """Each test begins without questions."""
    yield
    for path in [*inbound(course).glob("question-*"), *course.root.parent.glob("home of */cache/*/*/questions.jsonl")]:
        path.unlink()


def sent(course: SmallCourse) -> list[str]:
    """The questions in the exchange."""
    return sorted(path.name for path in inbound(course).glob("question-*"))


def forms(page: BeautifulSoup) -> list[str]:
    return [form.find("input", {"name": "exercise"})["value"] for form in page.find_all("form")]


def below(page: BeautifulSoup, exercise: str) -> Tag:
    """Return the part of a page with an exercise's form."""
    (found,) = [part for part in page.find_all(class_="ask") if part.find("input", {"value": exercise})]
    return found


def test_a_question_goes_from_the_form_to_the_queue_and_its_answer_comes_back_to_the_page(
    course: SmallCourse, ada: Visitor
):
    page = ada.page(PAGE)
    assert forms(page) == EXERCISES and "%syncpoint ask" not in page.text
    sending = ada.post(PAGE, "test_double", "Why <b>0</b>?\r\nIt is *right*.")
    assert sending.status_code == 303
    target, _, anchor = sending.headers["Location"].partition("#")
    assert target == f"/user/ada/syncpoint/feedback{PAGE}"
    page = ada.page(PAGE)
    waiting = page.find(id=anchor)
    assert waiting in below(page, "test_double").children
    assert "You asked: Why <b>0</b>?\nIt is *right*." in waiting.text and "not been answered yet" in waiting.text

    syncpoint(course, "watch", "--once", "--workers", "1")
    with open_gradebook(Course(course.root)) as gradebook:
        (asked,) = questions(gradebook.db())
        assert (asked.student, asked.exercise) == ("ada", "test_double")
        assert asked.question == "Why <b>0</b>?\nIt is *right*."
        answer(gradebook.engine, asked.id, "See line 3.", "grace")
    for command in ("generate_feedback", "release_feedback"):
        course.must_run("nbgrader", command, "async")
    page = ada.page(PAGE)
    assert page.find(id=anchor) is None and "See line 3." in page.text and forms(page) == EXERCISES
    assert page.text.count("It is *right*.") == 1


def test_a_page_in_a_file_has_no_form_and_says_how_to_ask(course: SmallCourse):
    page = page_of(course, "ada")
    assert "<form" not in page and "<textarea" not in page and "<script" not in page
    assert "form-action 'none'" in page and page.count("<code>%syncpoint ask ") == len(EXERCISES)


def test_what_a_student_wrote_becomes_no_form_and_runs_nothing(course: SmallCourse, ada: Visitor):
    """The work of a group is shown to all its members."""
    answer = ada.get(PAGE)
    page = BeautifulSoup(answer.text, "html.parser")
    assert forms(page) == EXERCISES and page.find("script") is None
    assert len(page.find_all(["button", "textarea"])) == 2 * len(EXERCISES)
    assert [one["http-equiv"] for one in page.find_all("meta", {"http-equiv": True})] == ["Content-Security-Policy"]
    for policy in (answer.headers["Content-Security-Policy"], page.find("meta", {"http-equiv": True})["content"]):
        assert "default-src 'none'" in policy and "script-src" not in policy and "form-action 'self'" in policy
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("who", ["a stranger", "a forger"])
def test_only_the_student_asks_and_only_from_their_own_page(course: SmallCourse, ada: Visitor, who: str):
    if who == "a stranger":
        other = Visitor(ada.url)
        assert "login" in other.get(PAGE).url
        assert other.get(f"{PAGE}?token=wrong").url.split("?")[0].endswith("login")
        assert other.post(PAGE, "test_double", "Why?").status_code == 403
    else:  # another site, of which the student's browser sends the form
        assert ada.post(PAGE, "test_double", "Why?", _xsrf="").status_code == 403
        assert ada.post(PAGE, "test_double", "Why?", _xsrf="2|1|2|3").status_code == 403
    assert sent(course) == []


@pytest.mark.parametrize(
    "path",
    [
        *("/syncpoint/async/other", "/other/async/work", "/syncpoint/other/work", "/syncpoint/*/work"),
        *("/syncpoint/async/..%2F..%2Fwork", "/syncpoint/..%2Fasync/work", "/..%2F/async/work", "/%2e%2e/%2e%2e/work"),
        *("/syncpoint/async/work%00", "/syncpoint/async/work.html", "/syncpoint/async/%2Fetc%2Fpasswd"),
    ],
)
def test_there_is_nothing_but_the_own_pages(course: SmallCourse, ada: Visitor, path: str):
    ada.page(PAGE)
    assert ada.get(path).status_code == 404
    assert ada.post(path, "test_double", "Why?").status_code == 404
    assert sent(course) == []


def test_the_list_has_the_own_pages_and_leads_to_the_only_one(ada: Visitor):
    assert [link["href"] for link in ada.page().find_all("a")] == [f"/user/ada/syncpoint/feedback{PAGE}"]
    assert ada.get("/syncpoint/async").url.endswith(PAGE)
    assert ada.page(PAGE).find("nav").a["href"] == "/user/ada/syncpoint/feedback"
    assert ada.page("/other/async").find_all("a") == []


def test_without_feedback_there_is_an_empty_list(course: SmallCourse):
    hand_in(course, "cleo", EARLIER, course.solved())
    try:
        with own_server(course, "cleo") as cleo:
            assert "There is no feedback for you yet." in cleo.page().text
            assert cleo.get(PAGE).status_code == 404
    finally:
        for folder in inbound(course).glob("cleo+*"):
            folder.rename(course.root.parent / folder.name)


@pytest.mark.parametrize("question", ["", "  \r\n ", "x" * (MAX_QUESTION_CHARACTERS + 1), "y" * 3_000_000])
def test_a_text_that_is_none_or_too_long_is_not_sent_and_stays_in_the_form(
    course: SmallCourse, ada: Visitor, question: str
):
    ada.page(PAGE)
    answer = ada.post(PAGE, "test_double", question)
    part = below(BeautifulSoup(answer.text, "html.parser"), "test_double")
    assert answer.status_code == 400 and sent(course) == []
    assert part.details.has_attr("open") and part.textarea.text == question.strip()[:MAX_QUESTION_CHARACTERS]
    assert part.find(role="alert").text.startswith(f"Write at most {MAX_QUESTION_CHARACTERS} characters.")


def test_only_an_exercise_of_the_page_can_be_asked_about(course: SmallCourse, ada: Visitor):
    ada.page(PAGE)
    for exercise in ("", "double", "test_other", "../test_double", "test_double\x1b[2J"):
        assert ada.post(PAGE, exercise, "Why?").status_code == 400
    assert sent(course) == []


def test_a_question_that_cannot_be_sent_says_why_and_stays_in_the_form(course: SmallCourse, ada: Visitor):
    ada.page(PAGE)
    inbound(course).rename(inbound(course).with_name("elsewhere"))
    try:
        part = below(BeautifulSoup(ada.post(PAGE, "why", "Why?").text, "html.parser"), "why")
    finally:
        inbound(course).with_name("elsewhere").rename(inbound(course))
    assert part.find(role="alert").text.startswith("Your question was not sent: No such file")
    assert part.textarea.text == "Why?" and "You asked:" not in part.text


def test_a_form_that_is_sent_twice_asks_once(course: SmallCourse, ada: Visitor):
    ada.page(PAGE)
    for _ in range(3):
        assert ada.post(PAGE, "test_queue_work", "Again?").status_code == 303
    assert ada.page(PAGE).text.count("You asked: Again?") == 1
    syncpoint(course, "questions")
    with open_gradebook(Course(course.root)) as gradebook:
        assert [one.question for one in questions(gradebook.db())].count("Again?") == 1


@pytest.mark.parametrize(("language", "words"), [("pt_BR", "Acho que esta nota está errada"), ("zh_CN", "我认为")])
def test_the_form_is_in_the_language_of_the_page(course: SmallCourse, language: str, words: str):
    hand_in(course, language, EARLIER, course.solved())
    speak(course, language, language)
    syncpoint(course, "watch", "--once", "--workers", "1")
    with own_server(course, language) as student:
        page = student.page(PAGE)
        assert page.html["lang"] == language.replace("_", "-")
        assert all(words in part.summary.text for part in page.find_all(class_="ask"))
        assert student.page().html["lang"] == language.replace("_", "-")


def test_the_wheel_of_a_release_has_the_same_pages(course: SmallCourse):
    with own_server(course, "ben", check_wheel()[1]) as ben:
        assert forms(ben.page(PAGE)) == EXERCISES
        assert ben.post(PAGE, "why", "Why?").status_code == 303 and len(sent(course)) == 1
        assert "You asked: Why?" in below(ben.page(PAGE), "why").text


@pytest.mark.axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_keyboard_asks_on_a_phone_too(course: SmallCourse, ada: Visitor, browser: Browser, scheme: str):
    screen = {"width": 360, "height": 800}
    with browser.new_context(color_scheme=scheme, viewport=screen) as context:
        page = context.new_page()
        page.goto(f"{ada.url}/syncpoint/feedback?token={TOKEN}")
        assert violations(page) == []
        page.get_by_role("link").click()
        summary = page.locator(".ask summary").nth(1)
        summary.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        box = page.get_by_role("textbox", name="Your question about double")
        expect(box).to_be_focused()
        expect(box).to_have_accessible_description(re.compile(f"^Write at most {MAX_QUESTION_CHARACTERS} characters"))
        page.keyboard.type(f"Why, in the {scheme}?")
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        asked = page.locator("[id^=asked-]", has_text=f"You asked: Why, in the {scheme}?")
        expect(asked).to_be_focused()
        assert len(sent(course)) == 1
        summary.press("Enter")
        assert violations(page) == []
