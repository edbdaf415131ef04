"""Excuses, time factors, and what stands behind extensions."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "syncpoint_time_factors",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("factor", sa.Double, nullable=False),
    )
    op.create_table(
        "syncpoint_extensions",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("assignment", sa.Text, primary_key=True),
        sa.Column("given", sa.Double, nullable=False),
        sa.Column("written", sa.Double, nullable=False),
    )
    op.create_table(
        "syncpoint_excuses",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("assignment", sa.Text, primary_key=True),
        sa.Column("reason", sa.Text, nullable=False),
    )
