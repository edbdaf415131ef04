"""The log notes a late penalty, too, that goes with its submission."""

from alembic import op

from syncpoint.records.triggers import install

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the trigger."""
    install(op.get_bind())
