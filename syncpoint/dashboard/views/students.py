"""The students: everybody's points in every exercise, and one student's history over the assignments."""

import numpy as np
import pandas as pd
import panel as pn

from ...core.results import exercise_name
from ...records.mark_log import UNKNOWN_ACTOR
from .. import queries, verdicts
from ..html import Html, render
from ..item_analysis import wide
from ..source import Source
from ..tabulator import COUNT, NUMBER, SHARE, TEXT, TO_READ, Column, Table, shaded, without_unread
from ..url_state import FILTERS, UrlState
from .view import View, come_into_sight

# Narrow enough for a phone to show the student next to the points.
WHO = [Column("student", "student", TEXT, 100), Column("name", "name", TEXT, 110)]
TOTAL = [Column("total", "total", NUMBER, 65), Column("share", "share", SHARE, 70)]
NOTES = [Column("notes", "notes", TEXT, 150)]
COURSE = [Column("course", "course total", TEXT, 110)]
EXPLAINED = [Column("explained", "right predictions", TEXT, 120)]
POINTS = "points: "  # before an exercise in the name of its column; a written answer may be called "late" or "total"
NOTHING = "<p>Nothing submitted, or nothing graded yet.</p>"


class StudentsView(View):
    """Students x exercises of one assignment, and the history of the chosen student."""

    def __init__(self, source: Source, url_state: UrlState):
        super().__init__(source, url_state)
        self._class, self._columns = pd.DataFrame(), [*WHO, *TOTAL, *NOTES]
        self._colors = pd.DataFrame()
        self._search = pn.widgets.TextInput.from_param(
            url_state.param.search,
            label="Search a pseudonym" if source.people.anonymous else "Search an id or a name",
            width=240,
            placeholder="then Enter",
        )
        self._only = pn.widgets.Select.from_param(
            url_state.param.only, label="Show", options={text: key for key, text in FILTERS.items()}, width=240
        )
        self._table = Table(
            "students",
            "Students",
            self._columns,
            paint=self._paint,
            choose=lambda row: url_state.open(student=row.student),
        )
        self._history = History(source, url_state)
        self._which = Html("")
        everybody = pn.widgets.Button(label="Show everybody", width=140)
        everybody.on_click(lambda _: url_state.open(failed=""))
        self._failed = pn.FlexBox(self._which, everybody, align_items="center", gap="12px", visible=False)
        self.layout = pn.Column(
            pn.FlexBox(self._search, self._only),
            self._failed,
            self._history.layout,
            self._table.layout,
            sizing_mode="stretch_width",
        )
        url_state.param.watch(lambda *_: self._filter(), ["search", "only", "failed"])

    def update(self) -> None:
        """Read the assignment, and the history of the chosen student."""
        source, chosen = self.source, self.url_state.student
        exercises = source.exercises(self.url_state.assignment)
        depends = source.cache.number, source.folders
        self._class, self._colors = source.result(_with_totals, self.url_state.assignment, *depends)
        columns = [
            Column(POINTS + name, f"{exercise_name(name)} ({worth:g})", NUMBER, 9 * len(exercise_name(name)) + 30)
            for name, worth in zip(exercises.exercise, exercises.max_points, strict=True)
        ]
        course = [] if source.result(_totals, "", *depends) is None else COURSE
        explained = EXPLAINED if self._class.explained.any() else []
        self._columns = [*(WHO[:1] if source.people.anonymous else WHO), *TOTAL, *explained, *NOTES, *course, *columns]
        self._filter()
        name = " ".join(self._class.name[self._class.student == chosen]) if chosen else ""
        self._history.show(name)

    def _filter(self) -> None:
        rows, wanted = self._class, self.url_state.search.strip().casefold()
        exercise, _, test = self.url_state.failed.partition("/")
        self._failed.visible = bool(exercise)
        if rows.empty:
            return
        if exercise:
            outcomes = self.source.cache.rows(verdicts.outcomes, self.url_state.assignment)
            rows = rows[rows.student.isin(verdicts.failed(outcomes, exercise, test))]
            self._which.object = render("failed.html", exercise=exercise_name(exercise), test=test, number=len(rows))
        if wanted:
            rows = rows[(rows.student + " " + rows.name).str.casefold().str.contains(wanted, regex=False)]
        if self.url_state.only == "all":
            self._table.show(rows, self._columns)
            return
        selection = {
            "unread": rows.unread > 0,
            "late": rows.late.eq(True),
            "weak": (rows.share < 0.5) & ~rows.excused,
            "missing": rows.graded_at.isna() & ~rows.excused,
            "disturbed": rows.disturbed,
        }[self.url_state.only]
        self._table.show(rows[selection], self._columns)

    def _paint(self, shown: pd.DataFrame) -> pd.DataFrame:
        """Return colors: green for all points, red for none, blue with a question mark for an answer still to read."""
        css = np.full(shown.shape, "", dtype=object)
        known = self._colors.reindex(shown.student, fill_value="")
        for number, name in enumerate(shown.columns):
            if name in known.columns:
                css[:, number] = known[name].to_numpy()
        return pd.DataFrame(css, shown.index, shown.columns, dtype=object)


class History:
    """One student's results over the assignments, with links to their pages."""

    def __init__(self, source: Source, url_state: UrlState):
        self._source, self._url_state = source, url_state
        self._heading, self._links = Html(), Html(sizing_mode="stretch_width")
        come_into_sight(self._heading)
        close = pn.widgets.Button(label="Close", width=80)
        close.on_click(lambda _: url_state.open(student=""))
        self._table = Table(
            "history",
            "Each assignment",
            [
                Column("assignment", "assignment", TEXT, 130),
                Column("points", "points", NUMBER),
                Column("max_points", "of", NUMBER, 70),
                Column("share", "share", SHARE, 80),
                Column("unread", "to mark by hand", COUNT, 120),
                Column("notes", "notes", TEXT, 120),
                Column("graded", "graded (UTC)", TEXT, 150),
            ],
            paint=lambda shown: pd.DataFrame("", shown.index, shown.columns).assign(
                share=shaded(shown[["share"]]).share.to_numpy()
            ),
        )
        self._changes = Table(
            "changes",
            "Changes to marks",
            [
                Column("when", "when (UTC)", TEXT, 150),
                Column("who", "who", TEXT, 120),
                Column("how", "how", TEXT, 110),
                Column("assignment", "assignment", TEXT, 110),
                Column("exercise", "exercise", TEXT, 130),
                Column("mark", "mark", TEXT, 110),
                Column("before", "before", NUMBER, 80),
                Column("after", "after", NUMBER, 80),
                Column("why", "why", TEXT, 220),
            ],
        )
        self._predictions = Table(
            "predictions",
            "Predictions about the student's own code",
            [
                Column("assignment", "assignment", TEXT, 125),
                Column("number", "question", COUNT, 105),
                Column("exercise", "exercise", TEXT, 130),
                Column("prediction", "predicted", TEXT, 115),
                Column("measured", "measured", TEXT, 115),
                Column("why", "why", TEXT, 320),
            ],
        )
        self._parts = [
            pn.Row(self._heading, pn.Spacer(sizing_mode="stretch_width"), close),
            self._table.layout,
            self._links,
            self._predictions.layout,
            self._changes.layout,
        ]
        self.layout = pn.Column(visible=False, sizing_mode="stretch_width")

    def show(self, name: str) -> None:
        """Show the chosen student, if any, with their name and submissions."""
        student = self._url_state.student
        self.layout.visible = bool(student)
        if not student:
            return
        names = self._source.read(queries.assignments, "").assignment
        each = self._source.cache.rows_of_all(queries.submissions, names).values()
        found = pd.concat([rows[rows.student == student] for rows in each])
        if not len(self.layout):  # created only when first needed
            self.layout[:] = self._parts
        self._table.layout.visible = not found.empty
        self._heading.object = render("student.html", student=student, name=name)
        self._links.object = NOTHING if found.empty else self._source.links(student)
        predictions = queries.predictions(self._source.engine, student)
        self._predictions.layout.visible = not predictions.empty
        self._predictions.show(predictions)
        changes = queries.mark_changes(self._source.engine, student)
        self._changes.layout.visible = not changes.empty
        self._changes.show(
            changes.assign(
                when=pd.to_datetime(changes["at"]).dt.strftime("%Y-%m-%d %H:%M"),
                who=changes.who.replace("", UNKNOWN_ACTOR),
                exercise=changes.exercise.map(exercise_name),
            )
        )
        self._table.show(
            found.assign(
                notes=found.late.map({True: "late", False: ""}).mask(found.excused, "excused"),
                graded=found.graded_at.dt.strftime("%Y-%m-%d %H:%M").fillna("not graded"),
            )
        )


def _class(source: Source, assignment: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the class's table, and the colors of students x exercises."""
    exercises, marks = source.exercises(assignment), source.cache.rows(queries.marks, assignment)
    names, of_it = source.result(_named, ""), source.cache.rows(queries.submissions, assignment)
    rows = of_it.drop(columns=["assignment", "excused"]).set_index("student").reindex(names.student)
    incidents, acts = (source.cache.rows(query, assignment) for query in (verdicts.incidents, verdicts.acts))
    students, disturbed = names.student.tolist(), {*incidents.student, *acts.student}
    excused = source.read(queries.excused, assignment)
    explained = _explained(source.read(queries.explained, assignment))
    about = {
        "total": rows.points.to_numpy(),
        "explained": pd.Series([explained.get(student, "") for student in students], dtype=object),
        "excused": np.array([student in excused for student in students], dtype=bool),
        "disturbed": np.array([student in disturbed for student in students], dtype=bool),
    }
    pairs = zip(about["excused"], rows.late, strict=True)
    late = ["excused" if free else "late" if one is True else "" for free, one in pairs]
    about["notes"] = pd.Series(_notes(students, late, rows.unread, incidents, acts), dtype=object)
    points, unread = wide(marks, list(exercises.exercise), "points", "unread")
    points = without_unread(points, unread > 0)
    colors = shaded(points / exercises.max_points.to_numpy()).mask(unread > 0, TO_READ)
    parts = (rows, points.reindex(names.student).add_prefix(POINTS))
    found = pd.concat([names, *(part.reset_index(drop=True) for part in parts)], axis=1)
    return found.assign(**about), colors.add_prefix(POINTS)


def _with_totals(source: Source, assignment: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return what `_class` returns, with each student's course total if the course has one."""
    shown, colors = source.result(_class, assignment)
    totals = source.result(_totals, "", source.cache.number, source.folders)
    return shown if totals is None else shown.assign(course=shown.student.map(totals).fillna("")), colors


def _totals(source: Source, _: str) -> pd.Series | None:
    """Return each student's course total for people."""
    return source.totals()


def _explained(found: pd.DataFrame) -> dict[str, str]:
    """Return for each student how many first predictions about their own code were right, such as "2 of 3"."""
    return {
        one.student: f"{one.right} of {one.asked}"
        + (f", {one.asked - one.predicted} open" * (one.asked > one.predicted))
        for one in found.itertuples()
    }


def _named(source: Source, _: str) -> pd.DataFrame:
    """Return all students, each with a name."""
    rows = source.read(queries.students, "")
    return rows.assign(name=(rows.first_name.fillna("") + " " + rows.last_name.fillna("")).str.strip())


def _notes(
    students: list[str], late: list[str], unread: pd.Series, incidents: pd.DataFrame, acts: pd.DataFrame
) -> list[str]:
    """Summarize each row: excused or late, answers to read, and what interrupted or disturbed grading (with a !)."""
    kinds: dict[str, set[str]] = {student: {"flagged"} for student in acts.student}
    for student, kind in zip(incidents.student, incidents.kind, strict=True):
        kinds.setdefault(student, set()).add(kind)
    seen = {student: "! " + ", ".join(sorted(found)) for student, found in kinds.items()}
    to_read = [f"{number:g} to read" if number > 0 else "" for number in unread]
    notes = zip(late, to_read, (seen.get(student, "") for student in students), strict=True)
    return [" ".join(filter(None, parts)) for parts in notes]
