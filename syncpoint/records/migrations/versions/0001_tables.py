"""The tables of 1.0.0, which a new gradebook gets from :mod:`syncpoint.records.tables`; migrations begin after it."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Change nothing."""
