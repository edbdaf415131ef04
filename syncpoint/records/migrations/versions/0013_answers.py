"""What students wrote where a person gives marks, and what each mark was given for."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "syncpoint_answers",
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("student", "assignment", "notebook", "cell")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("text", "digest")),
        *(sa.Column(name, sa.Text) for name in ("marked_text", "marked_digest")),
    )
