"""The command that compares students' code with an external tool."""

from .options import HERE, InCourse, course_around, in_one_line


def similarity(assignment: str, folder: InCourse = HERE) -> None:
    """Export what students wrote in their own cells, and compare it with the tool in `c.Similarity.command`."""
    with in_one_line():
        from ..exports.similarity import Similarity, compare, describe

        course = course_around(folder)
        compared = compare(course, assignment)
        print(*describe(compared, bool(Similarity(config=course.settings()).command)), sep="\n")
