"""The command that compares students' code with an external tool."""

from .options import HERE, InCourse, in_gradebook


def similarity(assignment: str, folder: InCourse = HERE) -> None:
    """Export the code that students wrote, and run the tool in `c.Similarity.command` to compare it."""
    with in_gradebook(folder) as (course, _):
        from ..exports.similarity import Similarity, compare, describe

        compared = compare(course, assignment)
        print(*describe(compared, bool(Similarity(config=course.settings()).command)), sep="\n")
