"""The command that gives each student a variant of an assignment."""

from .options import HERE, InCourse, in_gradebook


def variants(assignment: str, folder: InCourse = HERE) -> None:
    """Draw values for each student once, and write each student's release to variants/STUDENT/ASSIGNMENT/."""
    with in_gradebook(folder) as (course, gradebook):
        from ..course.release import write_variants
        from ..records.variants import draw

        found = draw(course, gradebook, assignment)
        write_variants(course, assignment, found)
        print(f"{assignment}: variants/ has the releases of {len(found)} students.")
