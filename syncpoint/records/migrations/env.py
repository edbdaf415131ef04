"""Alembic's entry: runs migrations on the connection that :mod:`syncpoint.records.database` hands over."""

from alembic import context

from syncpoint.records.database import VERSION_TABLE
from syncpoint.records.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
