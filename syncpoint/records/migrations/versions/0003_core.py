"""Whether a test is one of what its exercise is named after; in what was graded before, none is."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column("syncpoint_outcomes", sa.Column("core", sa.Boolean, nullable=False, server_default=sa.false()))
