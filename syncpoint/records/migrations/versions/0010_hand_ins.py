"""The queue of what is graded when it is handed in."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_hand_ins",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.Text, nullable=False, index=True),
        sa.Column("assignment", sa.Text, nullable=False),
        sa.Column("work", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False, index=True),
        sa.Column("seen_at", sa.DateTime, nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("tried_at", sa.DateTime),
        sa.Column("done_at", sa.DateTime),
        sa.Column("shown", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.UniqueConstraint("student", "assignment", "work"),
    )
