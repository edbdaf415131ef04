"""The variants that students have: drawn once, and kept even if assignment.toml changes."""

from nbgrader.api import Gradebook
from sqlalchemy import select
from sqlalchemy.orm import Session

from ..course.errors import CourseError
from ..course.folder import Course
from .database import one_transaction
from .student_details import groups
from .tables import VariantRecord

NO_VARIANTS = "{name} has no variants: grader_tests/{name}/assignment.toml has no values below [variants]."
NOT_RELEASED = (
    "release/{name} is missing, or was made without these variants: run `nbgrader generate_assignment {name} --force`."
)


def drawn(session: Session, assignment: str) -> dict[str, str]:
    """Return the variant of each student who has one, by id."""
    rows = select(VariantRecord.student, VariantRecord.variant).where(VariantRecord.assignment == assignment)
    return {row.student: row.variant for row in session.execute(rows)}


def draw(course: Course, gradebook: Gradebook, assignment: str) -> dict[str, str]:
    """Draw a variant for each student without one, and return all.

    Students who have submitted keep the values of the release. In group work, a group of the roster shares a variant.

    Raises:
        CourseError: If there is no such assignment, if it has no variants, or if there is no release of it.
    """
    course.check_assignment(assignment)
    settings = course.graders(assignment).settings()
    if not settings.variants.choices:
        raise CourseError(NO_VARIANTS.format(name=assignment))
    if settings.variants.unused(course.release(assignment).folder):
        raise CourseError(NOT_RELEASED.format(name=assignment))
    with one_transaction(gradebook) as session:
        found = drawn(session, assignment)
        team = groups(session) if settings.groups else {}
        of_team = {team[student]: variant for student, variant in found.items() if student in team}
        submitted = {one.parent.name for one in (course.root / "submitted").glob(f"*/{assignment}")}
        new = {one.id for one in gradebook.students} - found.keys()
        # those who have submitted come first: their group gets their variant
        for student in sorted(new, key=lambda one: (one not in submitted, one)):
            variant = settings.variants.number() if student in submitted else settings.variants.draw()
            if student in team:
                of_group = of_team.setdefault(team[student], variant)
                variant = variant if student in submitted else of_group
            session.add(VariantRecord(student=student, assignment=assignment, variant=variant))
            found[student] = variant
    return {student: settings.variants.now(variant) for student, variant in found.items()}
