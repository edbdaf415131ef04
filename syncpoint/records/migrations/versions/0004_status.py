"""How a test ended; of what was graded before it is known whether it passed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("syncpoint_outcomes", sa.Column("status", sa.Text, nullable=False, server_default="failed"))
    op.execute("UPDATE syncpoint_outcomes SET status = 'passed' WHERE passed")
