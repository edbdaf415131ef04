"""Indexes of what the dashboard asks after each change: the latest gradings, and the answers that wait for a person."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the indexes. The second one is on nbgrader's table and changes nothing there."""
    op.create_index("ix_syncpoint_notebooks_graded_at", "syncpoint_notebooks", ["graded_at"])
    op.create_index(
        "ix_syncpoint_unread",
        "grade",
        ["cell_id", "needs_manual_grade"],
        sqlite_where=sa.text("needs_manual_grade = 1"),
        postgresql_where=sa.text("needs_manual_grade"),
    )
