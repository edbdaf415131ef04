"""The hub's data on a course on a learning platform, from checked launches.

The hub writes it into the course folder under the course's own account; `syncpoint roster` and `send-marks` read it.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from ..core.atomic_write import write_whole
from ..core.errors import SyncpointError
from ..course.folder import Course
from .keys import folder
from .session import is_safe

NOTHING = (
    "no launch from the learning platform has reached the hub yet: open one of the course's links there as a "
    "teacher (docs/how-to/lti.md)."
)


class Registration(BaseModel):
    """A course on a platform."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuer: str  # the platform
    client_id: str  # the hub's name on the platform
    deployment_id: str  # the hub's installation on the platform
    token_url: str  # the address that issues access tokens
    context_id: str  # the course on the platform
    user: str  # the claim that names a hub's user, such as ``ext.user_username``
    memberships: str = ""  # the address of the roster; "" if the platform gives none
    line_items: str = ""  # the address of all columns of the course in the gradebook; "" if the platform gives none
    columns: dict[str, dict[str, str]] = {}  # by assignment, its columns' addresses there, each with the link's id
    links: dict[str, str] = {}  # by assignment, the address of a launch

    def over(self, older: "Registration | None") -> "Registration":
        """Return the data after this launch; data of an earlier platform, course or installation are dropped."""
        if older is None or older.place != self.place:
            return self
        return self.model_copy(
            update={
                "memberships": self.memberships or older.memberships,
                "line_items": self.line_items or older.line_items,
                "columns": {
                    name: {**older.columns.get(name, {}), **self.columns.get(name, {})}
                    for name in {**older.columns, **self.columns}
                },
                "links": {**older.links, **self.links},
            }
        )

    @property
    def place(self) -> tuple[str, ...]:
        """The part that identifies the registration."""
        return self.issuer, self.client_id, self.deployment_id, self.token_url, self.context_id


def read_registration(course: Course) -> Registration:
    """Return the stored registration, or raise SyncpointError."""
    path = _path(course)
    try:
        return Registration.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise SyncpointError(NOTHING) from None
    except (OSError, ValidationError) as problem:
        raise SyncpointError(
            f"cannot read {path} ({type(problem).__name__}): remove it, then open a link on the platform again."
        ) from None


def learn(course: Course, launched: Registration) -> None:
    """Add the data of a launch. Raises SyncpointError if older data cannot be read, or an address is not safe."""
    addresses = [launched.token_url, launched.memberships, launched.line_items]
    addresses += [url for of in launched.columns.values() for url in of]
    unsafe = [url for url in addresses if url and not is_safe(url)]
    if unsafe:
        raise SyncpointError(f"the platform sent the address {unsafe[0]}, which does not begin with https://.")
    older = read_registration(course) if _path(course).exists() else None
    write_whole(_path(course), launched.over(older).model_dump_json(indent=1).encode())


def _path(course: Course) -> Path:
    return folder(course) / "course.json"
