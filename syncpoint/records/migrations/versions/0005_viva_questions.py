"""The questions about students' own code, with the first predictions."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_viva_questions",
        sa.Column("student", sa.Text, primary_key=True),
        sa.Column("assignment", sa.Text, primary_key=True, index=True),
        sa.Column("number", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("exercise", "language", "question", "answer", "kind")),
        sa.Column("worth", sa.Double, nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("prediction", sa.Text),
        sa.Column("why", sa.Text),
        sa.Column("predicted_at", sa.DateTime, index=True),
    )
