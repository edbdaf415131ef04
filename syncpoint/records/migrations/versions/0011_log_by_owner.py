"""The triggers of the log write with the rights of who owns it: a role that changes marks needs none on the log."""

from alembic import op

from syncpoint.records.triggers import install

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the triggers anew."""
    install(op.get_bind())
