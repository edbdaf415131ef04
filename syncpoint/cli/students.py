"""The commands on students: ``roster``, ``variants``, ``who``, ``similarity``."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_gradebook, in_one_line


def roster(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A CSV file with id, names, email and other ids, or the gradebook that a platform exports."
        ),
    ] = None,
    lti: Annotated[
        bool, typer.Option("--lti", help="Get the roster from the learning platform to which the hub is connected.")
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Update the gradebook's students from a roster. Nobody is removed, and you can run it again."""
    if lti != (file is None):
        raise typer.BadParameter("name a FILE, or --lti for the roster of the learning platform.")
    with in_one_line():
        from ..records.roster import describe, enrol
        from ..records.roster_file import read_roster

        people = read_roster(file) if file else ()
        with in_gradebook(folder) as (course, gradebook):
            if not file:
                from ..lms.lti import read_members
                from ..lms.registration import read_registration

                people = read_members(course, read_registration(course))
            print(*describe(enrol(gradebook, people, fixed="lti" if lti else "")), sep="\n")


def variants(
    assignment: str,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Draw no values, but list wrong answers that are right for another student's values."
        ),
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Draw values for each student once, and write each student's release to variants/STUDENT/ASSIGNMENT/."""
    if check:
        _check(assignment, folder)
        return
    with in_gradebook(folder) as (course, gradebook):
        from ..course.release import write_variants
        from ..records.variants import draw

        found = draw(course, gradebook, assignment)
        write_variants(course, assignment, found)
        print(f"{assignment}: variants/ has the releases of {len(found)} students.")


def _check(assignment: str, folder: Path) -> None:
    with in_one_line():
        from ..sandbox import check_sandbox
        from ..viva.others_values import right_for_others

        course = course_around(folder)
        check_sandbox()
        found = 0
        for sentence in right_for_others(course, assignment):
            found += 1
            print(sentence, flush=True)
        print(f"Wrong answers that are right for other values: {found}.")


def who(
    pseudonym: Annotated[str, typer.Argument(help="A pseudonym that `syncpoint dashboard --anonymous` shows.")],
    folder: InCourse = HERE,
) -> None:
    """Print the student behind a pseudonym of the anonymous dashboard."""
    with in_gradebook(folder) as (course, gradebook):
        from ..records.pseudonyms import describe

        print(describe(course, gradebook, pseudonym))


def similarity(assignment: str, folder: InCourse = HERE) -> None:
    """Export the code that students wrote, and run the tool in `c.Similarity.command` to compare it."""
    with in_gradebook(folder) as (course, _):
        from ..exports.similarity import Similarity, compare, describe

        compared = compare(course, assignment)
        print(*describe(compared, bool(Similarity(config=course.settings()).command)), sep="\n")
