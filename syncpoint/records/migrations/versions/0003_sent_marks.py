"""The log of marks that were sent to a learning platform."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_sent_marks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("student", sa.Text, nullable=False, index=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("assignment", "place")),
        sa.Column("points", sa.Double),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("begun_at", sa.DateTime, nullable=False),
        sa.Column("taken_at", sa.DateTime),
    )
