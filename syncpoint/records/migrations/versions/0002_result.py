"""The key of the result that a notebook's record is."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column."""
    op.add_column("syncpoint_notebooks", sa.Column("result", sa.Text))
