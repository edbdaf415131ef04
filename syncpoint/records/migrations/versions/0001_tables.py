"""All tables of 1.0.0, and the triggers that write the log of marks."""

import sqlalchemy as sa
from alembic import op

from syncpoint.records.triggers import install

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make tables and triggers."""
    _results()
    _accommodations()
    _marks()
    _hand_ins()
    _people()
    _viva()
    op.create_table(
        "syncpoint_owner",
        _id(),
        *_texts("folder", "machine"),
        sa.Column("inode", sa.BigInteger, nullable=False),
    )
    install(op.get_bind())


def _results() -> None:
    op.create_table(
        "syncpoint_notebooks",
        _id(),
        *_texts("student", "assignment", "notebook", index=("assignment",)),
        sa.Column("graded_at", sa.DateTime, nullable=False),
        *_texts("engine", "graders"),
        *(sa.Column(name, sa.Double) for name in ("kernel_start", "kernel_busy", "kernel_stop", "total", "peak_mib")),
        sa.Column("result", sa.Text),
        sa.UniqueConstraint("student", "assignment", "notebook"),
    )
    op.create_index("ix_syncpoint_notebooks_graded_at", "syncpoint_notebooks", ["graded_at"])
    for name in ("syncpoint_incidents", "syncpoint_acts"):
        op.create_table(name, _id(), _of("syncpoint_notebooks", "notebook_id"), *_texts("kind", "message"))
    op.create_table(
        "syncpoint_verdicts",
        _id(),
        _of("syncpoint_notebooks", "notebook_id"),
        *_texts("exercise", index=("exercise",)),
        sa.Column("points", sa.Double, nullable=False),
        sa.Column("max_points", sa.Double, nullable=False),
        sa.Column("notes", sa.JSON, nullable=False),
    )
    op.create_table(
        "syncpoint_outcomes",
        _id(),
        _of("syncpoint_verdicts", "verdict_id"),
        *_texts("name", "title", "hint"),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("passed", sa.Boolean, nullable=False),
        *_texts("message", "detail", "misconception"),
        sa.Column("seconds", sa.Double, nullable=False),
        *(sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()) for name in ("core", "value")),
        sa.Column("status", sa.Text, nullable=False, server_default="failed"),
    )
    op.create_table(
        "syncpoint_answers",
        *_keys("student", "assignment", "notebook", "cell"),
        *_texts("text", "digest"),
        *(sa.Column(name, sa.Text) for name in ("marked_text", "marked_digest")),
    )
    op.create_index(  # of the answers that wait for a person; on nbgrader's table, which it does not change
        "ix_syncpoint_unread",
        "grade",
        ["cell_id", "needs_manual_grade"],
        sqlite_where=sa.text("needs_manual_grade = 1"),
        postgresql_where=sa.text("needs_manual_grade"),
    )


def _accommodations() -> None:
    op.create_table("syncpoint_time_factors", *_keys("student"), sa.Column("factor", sa.Double, nullable=False))
    op.create_table(
        "syncpoint_extensions",
        *_keys("student", "assignment"),
        *(sa.Column(name, sa.Double, nullable=False) for name in ("given", "written")),
    )
    op.create_table("syncpoint_languages", *_keys("student"), *_texts("language"))
    op.create_table("syncpoint_excuses", *_keys("student", "assignment"), *_texts("reason"))


def _marks() -> None:
    op.create_table(
        "syncpoint_mark_changes",
        _id(),
        sa.Column("at", sa.DateTime, nullable=False),
        *_texts("who", "how", "why"),
        *_texts("student", "assignment", "notebook", "exercise", "mark", index=("student", "assignment")),
        *(sa.Column(name, sa.Double) for name in ("before", "after")),
    )
    op.create_table("syncpoint_actor", _id(), *_texts("who", "how", "why"))
    op.create_table(
        "syncpoint_sent_marks",
        _id(),
        *_texts("student", "assignment", "place", index=("student",)),
        sa.Column("points", sa.Double),
        *_texts("comment"),
        sa.Column("begun_at", sa.DateTime, nullable=False),
        sa.Column("taken_at", sa.DateTime),
    )
    op.create_table(
        "syncpoint_regrade_requests",
        _id(),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        *_texts("student", "assignment", "exercise", "question", index=("student", "assignment")),
        sa.Column("answered_at", sa.DateTime),
        *(sa.Column(name, sa.Text) for name in ("answered_by", "answer")),
    )


def _hand_ins() -> None:
    op.create_table(
        "syncpoint_hand_ins",
        _id(),
        *_texts("student", "assignment", "work", "state", index=("student", "state")),
        sa.Column("seen_at", sa.DateTime, nullable=False),
        sa.Column("place", sa.Integer),
        *(sa.Column(name, sa.DateTime) for name in ("tried_at", "done_at")),
        *_texts("shown", "note"),
        sa.UniqueConstraint("student", "assignment", "work"),
    )
    op.create_table(
        "syncpoint_tries",
        _id(),
        *_texts("student", "assignment", "digest", index=("student", "assignment")),
        sa.Column("submitted_at", sa.DateTime),
        sa.Column("graded_at", sa.DateTime, nullable=False),
        *_texts("submitter"),
        *(sa.Column(name, sa.Double, nullable=False) for name in ("points", "max_points")),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("counts", "chosen")),
        *(sa.Column(name, sa.JSON, nullable=False) for name in ("results", "exercises")),
        sa.UniqueConstraint("student", "assignment", "digest"),
    )


def _people() -> None:
    op.create_table("syncpoint_student_ids", *_keys("student", "kind"), *_texts("value"))
    op.create_table("syncpoint_groups", *_keys("student"), *_texts("name"))
    op.create_table("syncpoint_variants", *_keys("student", "assignment", index=("assignment",)), *_texts("variant"))


def _viva() -> None:
    op.create_table(
        "syncpoint_viva_questions",
        *_keys("student", "assignment", index=("assignment",)),
        sa.Column("number", sa.Integer, primary_key=True),
        *_texts("exercise", "language", "question", "answer", "kind"),
        sa.Column("worth", sa.Double, nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        *(sa.Column(name, sa.Text) for name in ("prediction", "why")),
        sa.Column("predicted_at", sa.DateTime, index=True),
    )


def _id() -> sa.Column:
    return sa.Column("id", sa.Integer, primary_key=True)


def _of(table: str, column: str) -> sa.Column:
    return sa.Column(column, sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=False, index=True)


def _keys(*names: str, index: tuple[str, ...] = ()) -> list[sa.Column]:
    return [sa.Column(name, sa.Text, primary_key=True, index=name in index) for name in names]


def _texts(*names: str, index: tuple[str, ...] = ()) -> list[sa.Column]:
    return [sa.Column(name, sa.Text, nullable=False, index=name in index) for name in names]
