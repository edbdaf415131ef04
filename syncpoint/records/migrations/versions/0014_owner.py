"""Which course folder a gradebook belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_owner",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("folder", "machine")),
        sa.Column("inode", sa.BigInteger, nullable=False),
    )
