"""What the intake does to a notebook is called by the word of the code."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Rename the kind of its incidents."""
    op.execute("UPDATE syncpoint_incidents SET kind = 'repaired' WHERE kind = 'mended'")
