"""The feedback of the sample classes, of every assignment: everybody can read it."""

from pathlib import Path

import pytest
from accessibility import violations_on
from classroom import ROOT, SmallCourse
from playwright.sync_api import Browser
from small_class import syncpoint

from syncpoint.course.folder import Course
from syncpoint.demo.sample_class import assignments_with_a_class

COURSE = Course(ROOT)
pytestmark = [pytest.mark.axe, pytest.mark.exhaustive]


def shown(folder: Path, assignment: str) -> Path:
    """The course of a demo of this assignment."""
    course = COURSE.copy_to(folder)
    status, output, errors = syncpoint(SmallCourse(course.root), "demo", "--assignment", assignment, "--all")
    assert status == 0, output + errors
    return course.root / "build" / "demo"


@pytest.mark.parametrize("assignment", assignments_with_a_class(COURSE))
def test_feedback_of_every_kind_of_mistake_keeps_to_wcag(assignment: str, tmp_path: Path, browser: Browser):
    course, page = shown(tmp_path / "course", assignment), browser.new_page()
    pages = sorted((course / "feedback").glob(f"*/{assignment}/*.html"))
    assert len(pages) > 3
    # Not every class has a mistake of which a timeline is drawn; those of the two first assignments have.
    if assignment in ("async", "torch_async"):
        assert any("<svg" in path.read_text(encoding="utf-8") for path in pages)
    found = []
    for path in [course / "index.html", *pages]:
        found += violations_on(page, path, f"{path.parent.parent.name}/{path.name}", opened=True)
    assert found == []
    page.close()
