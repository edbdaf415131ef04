"""The students' groups, and all their tries."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "syncpoint_groups",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_table(
        "syncpoint_tries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.Text, nullable=False, index=True),
        sa.Column("assignment", sa.Text, nullable=False, index=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("submitted_at", sa.DateTime),
        sa.Column("graded_at", sa.DateTime, nullable=False),
        sa.Column("submitter", sa.Text, nullable=False),
        sa.Column("points", sa.Double, nullable=False),
        sa.Column("max_points", sa.Double, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("chosen", sa.Boolean, nullable=False),
        sa.Column("results", sa.JSON, nullable=False),
        sa.Column("exercises", sa.JSON, nullable=False),
        sa.UniqueConstraint("student", "assignment", "digest"),
    )
