"""The commands for translators: update the catalogues and check them."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from .options import HERE, InCourse, course_around, in_one_line

translations = typer.Typer(
    help="Update and check the course's translations, the files locale/<language>/<catalogue>.po."
)
Only = Annotated[
    str, typer.Option("--catalogue", help="Only this catalogue, such as report, or the name of an assignment.")
]
In = Annotated[
    str, typer.Option("--language", help="Only this language, such as pt_BR. A new language gets new catalogues.")
]


@translations.command()
def extract(catalogue: Only = "", language: In = "", folder: InCourse = HERE) -> None:
    """Update the catalogues and the student guides. New messages are empty, changed ones are marked fuzzy."""
    with in_one_line():
        from ..core.atomic_write import write_whole
        from ..translations.catalogue import path_of, update
        from ..translations.localize import students_page_in
        from ..translations.source_messages import STUDENTS, students_page

        course = course_around(folder)
        changed = False
        for spoken, name in list(_wanted(course, catalogue, language)):
            if update(course, spoken, name):
                changed = True
                print(f"changed  {path_of(course, spoken, name).relative_to(course.root)}")
            page = students_page(course, spoken)
            text = students_page_in(course, spoken) if name == STUDENTS else None
            if text and not (page.is_file() and page.read_text(encoding="utf-8") == text):
                write_whole(page, text.encode(), mode=0o644)
                changed = True
                print(f"changed  {page.relative_to(course.root)}")
        if not changed:
            print("Nothing has changed: each catalogue is up to date.")


@translations.command()
def reword(old: str, new: str, folder: InCourse = HERE) -> None:
    """Keep a text's translations when you change its English words but not its meaning. Run `extract` afterwards."""
    with in_one_line():
        from ..course.folder import CourseError
        from ..translations.catalogue import reword as reword_in

        course = course_around(folder)
        changed = reword_in(course, old, new)
        if not changed:
            raise CourseError("no catalogue has this text: give the old text exactly as in `msgid`.")
        for path in changed:
            print(f"changed  {path.relative_to(course.root)}")


@translations.command()
def check(catalogue: Only = "", language: In = "", folder: InCourse = HERE) -> None:
    """Report what each language lacks; fail if a catalogue is out of date or changes code, numbers or placeholders."""
    with in_one_line():
        from ..core.errors import SyncpointError
        from ..translations.catalogue import lacking, languages, stale
        from ..translations.check import problems

        course = course_around(folder)
        if not languages(course) and not language:
            print(
                "The course is only in English. Start a language with `syncpoint translations extract --language es`."
            )
        wrong = []
        for spoken, name in _wanted(course, catalogue, language):
            wrong += [f"{spoken}/{name}: {problem}" for problem in problems(course, spoken, name)]
            if changed := stale(course, spoken, name):
                wrong.append(f"{spoken}/{name}: run `syncpoint translations extract`: {'; '.join(changed[:3])}")
        for assignment in course.assignments():
            if catalogue in ("", assignment):
                for spoken in [language] if language else languages(course):
                    missing = lacking(course, spoken, assignment)
                    print(f"{spoken}  {assignment}: " + (f"{len(missing)} messages to go" if missing else "complete"))
        if wrong:
            raise SyncpointError("\n".join(wrong))


def _wanted(course: Any, catalogue: str, language: str) -> Iterator[tuple[str, str]]:
    from babel import Locale, UnknownLocaleError

    from ..core.language import SOURCE
    from ..course.errors import CourseError
    from ..translations.catalogue import languages, path_of
    from ..translations.source_messages import catalogues, is_package, messages

    names = catalogues(course)
    if catalogue and catalogue not in names:
        raise CourseError(f"there is no catalogue {catalogue}: choose one of {', '.join(names)}.")
    if language == SOURCE:
        raise CourseError("the source is already English: name another language, such as es or pt_BR.")
    begins = bool(language) and language not in languages(course)
    if begins:
        try:
            Locale.parse(language)
        except (ValueError, UnknownLocaleError):
            raise CourseError(f"{language!r} is not a language: write it like es or pt_BR.") from None
    for spoken in [language] if language else languages(course):
        for name in names:
            # In an existing language, an assignment without any translation has no catalogue.
            begun = messages(course, name) if begins else path_of(course, spoken, name).is_file() or is_package(name)
            if name == catalogue or (not catalogue and begun):
                yield spoken, name
