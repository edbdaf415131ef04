"""The course folder that owns a gradebook: a copied or restored folder must not write into the live one.

A gradebook file in the course folder is copied with the folder, and belongs to it.  Any other gradebook stores the path
and the inode of its course folder.  A folder that was moved or mounted at another place keeps its inode, so it is the
same course; a copy has another path and another inode.  A copy of the database still names its original course.
"""

import platform
from pathlib import Path

from sqlalchemy import Connection, create_engine, delete, insert, inspect, make_url, select
from sqlalchemy.exc import SQLAlchemyError

from ..course.folder import CONFIG
from .database import locked, upgrade
from .errors import GradebookError
from .tables import OwnerRecord

MIN_INODE = 1024  # a lower inode may belong to a disk's first folders, and be the same on another disk
OTHER_COURSE = "the gradebook {name} belongs to the course in {owner}, not to {here}, so nothing was written"
FIX = (
    "to give this copy its own gradebook, run `syncpoint move-gradebook URL` here with the address of an empty "
    "database; if the course has moved to this folder, run `syncpoint adopt-gradebook`"
)


def shown(url: str) -> str:
    """Return a gradebook's address without its password."""
    try:
        return make_url(url).render_as_string()
    except SQLAlchemyError:
        return "(not the address of a database)"


def check_owner(url: str, root: Path) -> None:
    """Raise GradebookError if a gradebook belongs to another course folder; one without an owner is claimed."""
    root, address = root.resolve(), make_url(url)
    if address.get_backend_name() == "sqlite":
        file = Path(address.database or "")
        home = next((folder for folder in file.resolve().parents if (folder / CONFIG).is_file()), None)
        if home is not None and home != root:
            raise GradebookError(OTHER_COURSE.format(name=shown(url), owner=home, here=root), FIX)
        if home is not None or not file.is_file():
            return
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            known = inspect(connection)
            if not known.has_table("student"):
                return
            owner = _owner(connection) if known.has_table(OwnerRecord.__tablename__) else None
        if owner is None:
            upgrade(engine)
            with locked(engine) as connection:
                owner = _owner(connection)
                if owner is None:
                    _write(connection, root)
                    return
        here = _machine(), str(root)
        same = owner.inode == root.stat().st_ino >= MIN_INODE or (owner.machine, owner.folder) == here
        if not same:
            raise GradebookError(OTHER_COURSE.format(name=shown(url), owner=owner.folder, here=root), FIX)
    finally:
        engine.dispose()


def adopt(url: str, root: Path) -> None:
    """Give a gradebook to a course folder, whatever its previous owner."""
    engine = create_engine(url)
    try:
        upgrade(engine)
        with locked(engine) as connection:
            _write(connection, root.resolve())
    finally:
        engine.dispose()


def _owner(connection: Connection) -> OwnerRecord | None:
    row = connection.execute(select(OwnerRecord.__table__)).mappings().first()
    return OwnerRecord(**row) if row else None


def _write(connection: Connection, root: Path) -> None:
    connection.execute(delete(OwnerRecord))
    about = {"folder": str(root), "machine": _machine(), "inode": root.stat().st_ino}
    connection.execute(insert(OwnerRecord).values(id=1, **about))


def _machine() -> str:
    """Return this machine's id; only its name if the system has no number."""
    try:
        return Path("/etc/machine-id").read_text().strip() or platform.node()
    except OSError:
        return platform.node()
