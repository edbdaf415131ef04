"""A real Moodle and a real hub: links, roster and marks.  `make test-lms MOODLE=FOLDER` runs this.

It also takes the pictures of docs/gallery.md, into build/lms; `PICTURES=1` puts them into docs/images.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator

import pytest
from benchmarks.postgresql import MISSING
from classroom import ROOT, SmallCourse
from hub import (
    COURSE,
    LTI,
    PATIENCE,
    Hub,
    give_marks,
    hub_with_release,
    in_course,
    make_folder,
    wait_for_lab,
    write_hub,
)
from moodle_site import PASSWORD, SOURCE, Moodle, running_moodle
from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.lms,
    pytest.mark.exhaustive,
    pytest.mark.hub,
    pytest.mark.skipif(not SOURCE, reason="$MOODLE does not name Moodle's source; see `make test-lms`"),
    pytest.mark.skipif(bool(MISSING) or not shutil.which("php"), reason="Moodle needs PHP and PostgreSQL"),
]
PICTURES = ROOT / ("docs/images" if os.environ.get("PICTURES") else "build/lms")


@pytest.fixture(scope="module")
def moodle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Moodle]:
    with running_moodle(tmp_path_factory.mktemp("moodle")) as moodle:
        yield moodle


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory, moodle: Moodle) -> Iterator[Hub]:
    folder = make_folder(tmp_path_factory.mktemp("hub") / "hub")
    SmallCourse.make(folder / COURSE)
    path = write_hub(folder)
    about = moodle.prepare(re.search(r'bind = "(.*)"', path.read_text())[1], COURSE)
    (folder / "moodle.json").write_text(json.dumps(about))
    with hub_with_release(path, LTI.format(course=COURSE, **about)) as running:
        yield running


def launch(browser: Browser, hub: Hub, moodle: Moodle, name: str) -> Page:
    """Log in to Moodle and click on the link in the course."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{moodle.url}/login/index.php")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("#loginbtn")
    page.wait_for_url(re.compile(r"/my/"), wait_until="commit")  # logged in; the page itself may take its time
    module = json.loads((hub.folder / "moodle.json").read_text())["module"]
    page.goto(f"{moodle.url}/mod/lti/launch.php?id={module}&triggerview=0")  # what the link in the course opens
    return page


def test_links_roster_and_marks(hub: Hub, moodle: Moodle, browser: Browser):
    PICTURES.mkdir(parents=True, exist_ok=True)
    of_ada = launch(browser, hub, moodle, "ada")
    of_ada.wait_for_url(re.compile(rf"/user/ada/lab/.*tree/{COURSE}/async/work\.ipynb$"), timeout=PATIENCE)
    wait_for_lab(of_ada)
    of_ada.locator(".jp-NotebookPanel .jp-Spinner").wait_for(state="detached")
    of_ada.locator(".jp-NotebookPanel .jp-Cell .jp-InputArea-editor").first.wait_for()
    of_ada.screenshot(path=PICTURES / "lti-launch.png")
    page = launch(browser, hub, moodle, "ines")
    page.wait_for_url(re.compile(rf"/services/{COURSE}/formgrader/manage_submissions/async"), timeout=PATIENCE)
    page.context.close()

    course = hub.course.root
    done = in_course(course, "syncpoint", "roster", "--lti")
    assert done.returncode == 0 and "2 added" in done.stdout, done.stdout + done.stderr
    give_marks(course, ada=(4.0, 2.0, 1.0), ben=(1.0, 0.0, 0.0))
    done = in_course(course, "syncpoint", "send-marks", "async", "--send")
    assert done.returncode == 0, done.stdout + done.stderr
    comment = f"{{}} of 8 points. Your feedback: {hub.url}/hub/lti13/course/{COURSE}/async"
    assert moodle.grades("lti") == {"ada": (7, comment.format(7)), "ben": (1, comment.format(1))}

    give_marks(course, ada=(4.0, 1.0, 1.0), ben=(1.0, 0.0, 0.0))
    done = in_course(course, "syncpoint", "send-marks", "async", "--send")
    assert "lower      ada: 7 -> 6 of 8" in done.stdout and "same       ben" in done.stdout, done.stdout + done.stderr
    assert moodle.grades("lti")["ada"] == (6, comment.format(6))

    done = in_course(course, "syncpoint", "excuse", "ben", "async", "--because", "ill")
    done = in_course(course, "syncpoint", "send-marks", "async", "--send")
    assert "taken back ben" in done.stdout, done.stdout + done.stderr
    assert moodle.grades("lti")["ben"][0] is None

    context_id = json.loads((hub.folder / "moodle.json").read_text())["context_id"]
    of_ada.goto(f"{moodle.url}/course/view.php?id={context_id}")
    of_ada.locator("li.activity.modtype_lti").wait_for()
    of_ada.screenshot(path=PICTURES / "lti-link.png", clip={"x": 400, "y": 80, "width": 840, "height": 440})
    of_ada.set_viewport_size({"width": 1800, "height": 1000})
    of_ada.goto(f"{moodle.url}/grade/report/user/index.php?id={context_id}")
    of_ada.locator("table.user-grade").screenshot(path=PICTURES / "lti-moodle.png")
    of_ada.context.close()


def test_course_totals(hub: Hub, moodle: Moodle):
    """With the marks that the test before has left, of which ben's is excused."""
    hub.course.configure('c.CourseTotal.weights = {"async": 1}\n')
    for output in ("new        ada: 75 of 100", "same       ada: unchanged"):
        done = in_course(hub.course.root, "syncpoint", "send-marks", "--send")
        assert done.returncode == 0 and output in done.stdout, done.stdout + done.stderr
    found = moodle.grades("Syncpoint: course total", "itemname")
    assert found["ada"] == (75, "The whole course so far: 75%.") and found.get("ben", (None, ""))[0] is None


def test_marks_with_a_token(hub: Hub, moodle: Moodle):
    """The other way, with the marks and logins that the test before has left."""
    course, about = hub.course, json.loads((hub.folder / "moodle.json").read_text())
    page = f"{moodle.url}/mod/assign/view.php?id={about['assignment']}"
    token = hub.folder / "token"
    token.write_text(about["token"])
    token.chmod(0o600)
    course.configure(f'c.SendMarks.columns = {{"async": "{page}"}}\nc.SendMarks.token_file = "{token}"\n')
    course.configure(
        'c.SendMarks.identity = "login"\nc.SendMarks.feedback = "https://hub.school.example/{assignment}"\n'
    )
    done = in_course(course.root, "syncpoint", "send-marks", "async", "--send")
    assert done.returncode == 0, done.stdout + done.stderr
    assert moodle.grades("assign")["ada"] == (6, "6 of 8 points. Your feedback: https://hub.school.example/async")
    done = in_course(course.root, "syncpoint", "send-marks", "async", "--send")
    assert "same       ada" in done.stdout, done.stdout + done.stderr
