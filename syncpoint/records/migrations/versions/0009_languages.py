"""The languages of students."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_languages",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("language", sa.Text, nullable=False),
    )
