"""The feedback of the sample classes, of every assignment: everybody can read it."""

from pathlib import Path

import pytest
from accessibility import violations
from classroom import ROOT, SmallCourse
from playwright.sync_api import Browser, Page
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


def held(page: Page, path: Path) -> list[str]:
    """Return the WCAG violations of a page with everything open, and whether it is wider than the window."""
    found = []
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 390)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(box => box.open = true)")
        name = f"{path.parent.parent.name}/{path.name} {scheme} {width}"
        found += [f"{name}: {one}" for one in violations(page)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{name}: is wider")
    return found


@pytest.mark.parametrize("assignment", assignments_with_a_class(COURSE))
def test_feedback_of_every_kind_of_mistake_keeps_to_wcag(assignment: str, tmp_path: Path, browser: Browser):
    course, page = shown(tmp_path / "course", assignment), browser.new_page()
    pages = sorted((course / "feedback").glob(f"*/{assignment}/*.html"))
    assert len(pages) > 3
    # Not every class has a mistake of which a timeline is drawn; those of the two first assignments have.
    if assignment in ("async", "torch_async"):
        assert any("<svg" in path.read_text(encoding="utf-8") for path in pages)
    assert [one for path in [course / "index.html", *pages] for one in held(page, path)] == []
    page.close()
