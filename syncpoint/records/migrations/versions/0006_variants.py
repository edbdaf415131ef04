"""The variants of assignments that students have."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_variants",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("assignment", sa.Text, primary_key=True, index=True),
        sa.Column("variant", sa.Text, nullable=False),
    )
