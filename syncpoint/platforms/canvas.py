"""Canvas: how it names files, and the CSV file that its Gradebook imports.

Files: ``lovelaceada_LATE_4711_90210_work.ipynb``: the name, whether it was late, the ids of user and file, the file.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from traitlets import Enum

from ..core.names import some
from ..nbgrader_hooks.export_plugin import ExportError
from ..records.grades import StudentGrades
from .download import Download, Member, Platform, Sender, Upload, like
from .export import LmsExport, name_of, number

IDENTITIES = ("ID", "SIS User ID", "SIS Login ID")
EXCUSED = "EX"
# Titles that lib/gradebook_importer.rb treats as student data or as computed columns.
RESERVED = (
    r"^(student( name)?|id|sis user id|sis login id|integration id|root account|section|notes)( \(\d+\))?$"
    r"|^\W*(current|final|unposted|override)\b"
    r"|\b(current|final|override) (score|grade|points|status)\b|^points possible$|\(read only\)"
)
FILE = re.compile(
    r"(?P<who>(?:(?P<name>\w*?)_)??(?:(?P<late>late)_)?(?:anon_\w+?|(?P<user>[0-9]+)))_"
    r"(?:(?P<file>[0-9]+)_(?P<called>.+)|(?:text|link)\.html)",
    re.IGNORECASE,
)
IDS = re.compile(r"(?=(?:^|_)([0-9]+)_(?:([0-9]+)_|(?:text|link)\.html$))", re.IGNORECASE)  # the ids of user and file
MUCH_SMALLER = 10  # times: Canvas numbers all files consecutively, so those of a class have similar numbers
TWO_READINGS = "its name is ambiguous: the user's id may be {}"


class CanvasExport(LmsExport):
    """The columns of Canvas's own export: the student, three ids, the section, one column for each assignment.

    The line below the titles has the maximum points.  Canvas finds an assignment by its title, or by
    ``title (number)``, and offers to create one that it does not find.  A student without points has an empty cell, an
    excused student has EX.

    Formats: https://community.canvaslms.com/t5/Instructor-Guide/How-do-I-import-grades-in-the-Gradebook/ta-p/807, and
    lib/gradebook_importer.rb in https://github.com/instructure/canvas-lms.
    """

    file, reserved = "canvas.csv", RESERVED
    odd_title = (
        "{name}: the title {title!r} {why}, so Canvas ignores the column or reads it as something else. "
        "Give the assignment a title such as 'Homework {name}' in Canvas and in CanvasExport.titles."
    )
    id_column = Enum(IDENTITIES, "ID", help="The column of Canvas's file that contains the LMS ids.").tag(config=True)

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        yield ["Student", *IDENTITIES, "Section", *map(self.title, assignments)]
        yield ["Points Possible", "", "", "", "", *map(number, assignments.values())]
        for student in students:
            ids = [student.lms_id if column == self.id_column else "" for column in IDENTITIES]
            yield [name_of(student), *ids, "", *(_cell(student, name) for name in assignments)]

    def check_ids(self, students: Sequence[StudentGrades]) -> Iterator[str]:
        """Check that the column ID has Canvas's numbers: the school's may be those of other people there."""
        schools = [student.id for student in students if student.lms_id and student.lms_id == student.school_id]
        if schools and self.id_column == "ID":
            raise ExportError(
                f"the LMS id of {some(schools)} is the school id, because the roster has no other: enroll Canvas's "
                'gradebook, or set c.CanvasExport.id_column = "SIS User ID".'
            )
        yield from super().check_ids(students)


def _cell(student: StudentGrades, assignment: str) -> str:
    if assignment in student.excused:
        return EXCUSED
    return number(student.points[assignment]) if assignment in student.points else ""


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders; None if Canvas did not make it.

    The first ids in a name are Canvas's, unless the sender's own name looks like ids. What comes later may be part of
    the file's name, so it only raises doubts; no id of a file is much smaller than those of all other senders.
    """
    if not all(len(member.path) == 1 for member in members):
        return None
    found: dict[tuple[str, bool], list[tuple[re.Match[str], Member]]] = defaultdict(list)
    left_out = []
    named = [(FILE.fullmatch(member.path[0]), member) for member in members]
    smallest: dict[str, int] = {}  # sender -> smallest id of a file
    for match, _ in named:
        if match and match["file"]:
            smallest[match["who"]] = min(smallest.get(match["who"], int(match["file"])), int(match["file"]))
    for match, member in named:
        if match:
            found[match["who"], _is_doubtful(match, smallest)].append((match, member))
        else:
            left_out.append((member.path[0], "its name does not follow Canvas's pattern"))
    uploads = []
    for (who, doubtful), files in found.items():
        first, _ = files[0]
        later = [user for match, _ in files for user, _ in IDS.findall(match.string) if user != first["user"]]
        others = tuple(dict.fromkeys(later))
        doubt = TWO_READINGS.format(" or ".join(filter(None, (first["user"], *others)))) if doubtful else ""
        shown = first.string if doubtful and (who, False) in found else who
        ids = tuple(filter(None, [first["user"]]))
        late = bool(first["late"])
        this = Upload(Sender(shown, ids, first["name"] or "", others, doubt, late=late, kind="none", numbers=ids))
        for match, member in sorted(files, key=lambda pair: int(pair[0]["file"] or 0)):
            if not match["file"]:
                left_out.append((member.path[0], "text typed into Canvas, not a file"))
                continue
            left_out += this.add((match["called"],), replace(member, order=int(match["file"])))
        uploads.append(this)
    return Download(PLATFORM.name, uploads, left_out) if uploads else None


def _is_doubtful(match: re.Match[str], smallest: Mapping[str, int]) -> bool:
    """Whether the ids may be later in the name, after a sender's name that looks like ids."""
    least = min((file for who, file in smallest.items() if who != match["who"]), default=0)
    later = IDS.findall(match.string[match.start("user") :])[1:] if match["user"] else []
    return any(not file or MUCH_SMALLER * int(file) >= least for _, file in later)


PLATFORM = Platform("Canvas", like(FILE, flat=True), read)
