"""The command that has a tool compare what students wrote."""

from .options import HERE, InCourse, course_around, in_one_line


def similarity(assignment: str, folder: InCourse = HERE) -> None:
    """Export what students wrote in their own cells, and have the tool of `c.Similarity.command` compare it."""
    with in_one_line():
        from ..exports.similarity import Similarity, compare, describe

        course = course_around(folder)
        compared = compare(course, assignment)
        print(*describe(compared, bool(Similarity(config=course.settings()).command)), sep="\n")
