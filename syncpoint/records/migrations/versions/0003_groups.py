"""The students' groups."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_groups",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
