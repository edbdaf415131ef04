"""The queue of questions about marks."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_regrade_requests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("student", sa.Text, nullable=False, index=True),
        sa.Column("assignment", sa.Text, nullable=False, index=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("exercise", "question")),
        sa.Column("answered_at", sa.DateTime),
        *(sa.Column(name, sa.Text) for name in ("answered_by", "answer")),
    )
