"""Notebooks, incidents, flags, verdicts, outcomes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "syncpoint_notebooks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.Text, nullable=False),
        sa.Column("assignment", sa.Text, nullable=False, index=True),
        sa.Column("notebook", sa.Text, nullable=False),
        sa.Column("graded_at", sa.DateTime, nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("graders", sa.Text, nullable=False),
        *(sa.Column(name, sa.Double) for name in ("kernel_start", "kernel_busy", "kernel_stop", "total", "peak_mib")),
        sa.UniqueConstraint("student", "assignment", "notebook"),
    )
    for name in ("syncpoint_incidents", "syncpoint_flags"):
        op.create_table(
            name,
            sa.Column("id", sa.Integer, primary_key=True),
            _of("syncpoint_notebooks", "notebook_id"),
            sa.Column("kind", sa.Text, nullable=False),
            sa.Column("sentence", sa.Text, nullable=False),
        )
    op.create_table(
        "syncpoint_verdicts",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("syncpoint_notebooks", "notebook_id"),
        sa.Column("exercise", sa.Text, nullable=False, index=True),
        sa.Column("points", sa.Double, nullable=False),
        sa.Column("max_points", sa.Double, nullable=False),
        sa.Column("notes", sa.JSON, nullable=False),
    )
    op.create_table(
        "syncpoint_outcomes",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("syncpoint_verdicts", "verdict_id"),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "title", "hint")),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("passed", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("message", "detail", "misconception")),
        sa.Column("seconds", sa.Double, nullable=False),
    )


def _of(table: str, column: str) -> sa.Column:
    return sa.Column(column, sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=False, index=True)
