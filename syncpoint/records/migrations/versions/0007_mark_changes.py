"""The log of changes of marks, and the triggers that write it."""

import sqlalchemy as sa
from alembic import op

from syncpoint.records.triggers import install

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make tables and triggers."""
    texts = ("student", "assignment", "notebook", "exercise", "mark")
    op.create_table(
        "syncpoint_mark_changes",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("who", "how", "why")),
        *(sa.Column(name, sa.Text, nullable=False, index=name in ("student", "assignment")) for name in texts),
        sa.Column("before", sa.Double),
        sa.Column("after", sa.Double),
    )
    op.create_table(
        "syncpoint_actor",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("who", "how", "why")),
    )
    install(op.get_bind())
