"""What hub.toml says: where the hub listens, and who teaches and learns in which course."""

import re
import tomllib
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

NAME = re.compile(r"[a-z_][a-z0-9_.-]*")
COURSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
KERNELS = Path("share", "jupyter")  # below a folder: where Jupyter looks for kernels


class HubError(Exception):
    """The hub cannot be set up or started; the text says why and what to do."""


def _account(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be an account of Linux's: use a-z, 0-9, _, - and dots")
    return name


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"{path} must begin with /")
    return path


Account = Annotated[str, AfterValidator(_account)]
Folder = Annotated[Path, AfterValidator(_absolute)]


class CourseOfHub(BaseModel):
    """One course of a hub.

    Attributes:
        folder: The course folder: the account's own, closed to everybody else.
        account: Under which formgrader, dashboard and grading run; nobody logs in as it.
        graders: Who may open them: instructors and TAs.
        students: Who sees the course's assignments.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Folder
    account: Account
    graders: Annotated[tuple[Account, ...], Field(min_length=1)]
    students: tuple[Account, ...] = ()


class Hub(BaseModel):
    """All of hub.toml.

    Attributes:
        bind: Where it listens: what a browser, or the server that does TLS before it, asks.
        host: Host[:port] in the browser's address line; that of ``bind`` if it is not given.
        exchange: Where assignments, work and feedback change hands.
        state: The hub's own folder: its database, its secrets, and the kernels.
        engine: Whose Python is the kernel that notebooks open on.
        accounts: Whether people are users of this Linux, with their passwords; False only for a try on one's own
            machine, in which everybody is one and the same user.
        hub_port: Where servers find the hub, on 127.0.0.1.
        proxy_port: Where the hub finds its proxy, on 127.0.0.1.
        courses: By their names: nbgrader's ``course_id``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bind: str = "http://127.0.0.1:8000"
    host: str = ""
    exchange: Folder
    state: Folder
    engine: str = "torch"
    accounts: bool = True
    hub_port: int = 8081
    proxy_port: int = 8001
    admins: tuple[Account, ...] = ()
    courses: dict[str, CourseOfHub]

    @model_validator(mode="after")
    def _fits_together(self) -> "Hub":
        odd = sorted(name for name in self.courses if not COURSE.fullmatch(name))
        if odd:
            raise ValueError(f"{odd[0]!r} cannot be the name of a course: use letters, digits, _, - and dots")
        for name, course in self.courses.items():
            if course.account in self.people:
                raise ValueError(f"{course.account} is the account of the course {name} and a person: take two names")
            both = sorted(set(course.graders) & set(course.students))
            if both:
                raise ValueError(f"{both[0]} grades the course {name} and is a student of it: take one name out")
        return self

    @property
    def people(self) -> frozenset[str]:
        """Everybody who may log in."""
        taught = [name for course in self.courses.values() for name in (*course.graders, *course.students)]
        return frozenset((*self.admins, *taught))

    @property
    def origin(self) -> str:
        """Host[:port] as browsers see it."""
        return self.host or urlsplit(self.bind).netloc

    @property
    def private(self) -> Path:
        """What nobody but the hub may read: database, cookies, and the password of a try."""
        return self.state / "private"

    @property
    def kernels(self) -> Path:
        """A folder of JUPYTER_PATH, in which the engines' kernels lie."""
        return self.state / KERNELS

    @property
    def password_file(self) -> Path:
        """The password that everybody has in a try."""
        return self.private / "password"


def read_hub(path: Path) -> Hub:
    """Read hub.toml.

    Returns:
        What it says.

    Raises:
        HubError: If it cannot be used; the text names the file, the place and what is wrong there.
    """
    try:
        return Hub.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValidationError as problem:
        lines = [f"  {'.'.join(map(str, error['loc'])) or 'hub'}: {error['msg']}" for error in problem.errors()]
        raise HubError("\n".join([f"{path} cannot be used:", *lines])) from None
    except (OSError, ValueError) as problem:
        raise HubError(f"{path} cannot be read: {problem}.") from None
