"""The settings in hub.toml: where the hub listens, and the graders and students of each course."""

import re
import tomllib
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from syncpoint.core.errors import SyncpointError
from syncpoint.lms.session import LOOPBACK, is_safe
from syncpoint.records.roster_file import read_roster

NAME = re.compile(r"[a-z_][a-z0-9_.-]*")
COURSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
KERNELS = Path("share", "jupyter")  # where Jupyter looks for kernels below a folder


class HubError(Exception):
    """The hub cannot be set up or started; the message says why and what to do."""


def _account(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a valid Linux account name: use a-z, 0-9, _, - and dots")
    return name


def _absolute(path: Path) -> Path:
    if not path.is_absolute():
        raise ValueError(f"{path} must be an absolute path, beginning with /")
    return path


def _ldap(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("ldap", "ldaps") or not parts.hostname or parts.path.strip("/"):
        raise ValueError(f"{address!r} is not the address of a directory, such as ldaps://ldap.school.example")
    return address


def _distinguished(name: str) -> str:
    if name.count("{username}") != 1 or "=" not in name:
        raise ValueError(f"{name!r} must name a person in the directory: uid={{username}},ou=people,dc=...")
    return name


def _safe_address(url: str) -> str:
    if not is_safe(url):
        raise ValueError(f"{url!r} must begin with https://")
    return url


Address = Annotated[str, AfterValidator(_safe_address)]
Account = Annotated[str, AfterValidator(_account)]
Folder = Annotated[Path, AfterValidator(_absolute)]


class Lti(BaseModel):
    """The school's learning platform, from which users may come by LTI 1.3.

    Attributes:
        issuer: The platform's own name for itself.
        authorize_url: The address that says who clicked.
        token_url: The address where a course requests access to roster and marks.
        jwks_url: Its public keys.
        user: The claim that names a hub's user: ``ext.user_username`` in Moodle, else ``lis.person_sourcedid``,
            ``sub``, or ``custom.<name>`` if only the platform's administrators can set that.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuer: str
    authorize_url: Address
    token_url: Address
    jwks_url: Address
    user: Annotated[str, Field(pattern=r"^(sub|ext\.user_username|lis\.person_sourcedid|custom\.[a-z0-9_]+)$")]


class LtiOfCourse(BaseModel):
    """A course on the learning platform.

    Attributes:
        client_id: The platform's id for the hub as a tool.
        deployment_id: The platform's id for this installation of the tool.
        context_id: The platform's id for the course.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    client_id: str
    deployment_id: str
    context_id: str


class CourseOfHub(BaseModel):
    """One course of a hub.

    Attributes:
        folder: The course folder: it belongs to the account and is closed to everybody else.
        account: The account under which formgrader, dashboard and grading run; nobody logs in with it.
        graders: The instructors and TAs, who may open formgrader and dashboard.
        students: The students, who see the course's assignments.
        roster: A file of more students, as `syncpoint roster` reads it; their ids are the names of their accounts.
        lti: The same course on the learning platform, if its links open here.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Folder
    account: Account
    graders: Annotated[tuple[Account, ...], Field(min_length=1)]
    students: tuple[Account, ...] = ()
    roster: Folder | None = None
    lti: LtiOfCourse | None = None


class Directory(BaseModel):
    """A directory (LDAP) with everybody's password.

    Attributes:
        server: Its address: ldaps://HOST[:PORT], or ldap:// for a server that begins TLS on request.
        user: A person's name in the directory, with {username} for the name that they log in with.
        ca: A file of certificates that vouch for the server; by default those of the system.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    server: Annotated[str, AfterValidator(_ldap)]
    user: Annotated[str, AfterValidator(_distinguished)]
    ca: Folder | None = None


class Hub(BaseModel):
    """All of hub.toml.

    Attributes:
        bind: The address where it listens for browsers, or for the web server in front of it that does TLS.
        host: Host[:port] in the browser's address line; that of ``bind`` by default.
        exchange: nbgrader's exchange: the folder for assignments, submissions and feedback.
        state: The hub's own folder: its database, its secrets, and the kernels.
        engine: The engine whose Python is the default kernel of notebooks.
        accounts: Whether people are users of this Linux, with their passwords; False only for a trial on one's own
            machine, where everybody is the same Linux user.
        directory: The directory in which people's passwords are checked; by default PAM, with those of the accounts.
        servers: How many people may have a server at once; 0 for no limit.
        memory_mib: How much memory each process of a student may allocate, such as a notebook's kernel; 0 for no limit.
        idle_minutes: After this time without activity, a notebook's kernel ends, and then a server without any.
        hub_port: The hub's port for servers, on 127.0.0.1.
        proxy_port: The proxy's port for the hub, on 127.0.0.1.
        lti: The learning platform whose links open courses and assignments.
        courses: The courses by name, nbgrader's ``course_id``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    bind: str = "http://127.0.0.1:8000"
    host: str = ""
    exchange: Folder
    state: Folder
    engine: str = "torch"
    accounts: bool = True
    directory: Directory | None = None
    servers: Annotated[int, Field(ge=0)] = 0
    memory_mib: Annotated[int, Field(ge=0)] = 4096
    idle_minutes: Annotated[float, Field(gt=0)] = 60
    hub_port: int = 8081
    proxy_port: int = 8001
    admins: tuple[Account, ...] = ()
    lti: Lti | None = None
    courses: dict[str, CourseOfHub]

    @model_validator(mode="after")
    def _fits_together(self) -> "Hub":
        odd = sorted(name for name in self.courses if not COURSE.fullmatch(name))
        if odd:
            raise ValueError(f"{odd[0]!r} is not a valid course name: use letters, digits, _, - and dots")
        for name, course in self.courses.items():
            if course.account in self.people:
                raise ValueError(f"{course.account} is both a person and the account of the course {name}: use two")
            both = sorted(set(course.graders) & set(course.students))
            if both:
                raise ValueError(f"{both[0]} is both a grader and a student of the course {name}: remove one entry")
            if course.lti and not self.lti:
                raise ValueError(f"the course {name} has lti, but [lti] with the platform itself is missing")
        return self

    @property
    def people(self) -> frozenset[str]:
        """Return everybody who may log in."""
        taught = [name for course in self.courses.values() for name in (*course.graders, *course.students)]
        return frozenset((*self.admins, *taught))

    @property
    def origin(self) -> str:
        """Return host[:port] as browsers see it."""
        return self.host or urlsplit(self.bind).netloc

    @property
    def scheme(self) -> str:
        """Return the browsers' protocol for the hub, if links of a learning platform open here."""
        return "http" if urlsplit(f"//{self.origin}").hostname in LOOPBACK else "https"

    @property
    def private(self) -> Path:
        """Return the folder that only the hub may read: database, cookies, and the password of a trial."""
        return self.state / "private"

    @property
    def kernels(self) -> Path:
        """Return the folder of JUPYTER_PATH with the engines' kernels."""
        return self.state / KERNELS

    @property
    def new_passwords(self) -> Path:
        """Return the file with the first passwords of the accounts that were created."""
        return self.private / "new-passwords.csv"

    @property
    def password_file(self) -> Path:
        """Return the file with everybody's password in a trial."""
        return self.private / "password"


def _enrolled(roster: Path) -> list[str]:
    """Return the students of a roster, by their ids."""
    try:
        people = read_roster(roster)
    except SyncpointError as problem:
        raise HubError(str(problem)) from None
    for person in people:
        if not NAME.fullmatch(person.id):
            raise HubError(
                f"{roster}, line {person.line}: {person.id!r} is not a valid Linux account name: use a-z, 0-9, _, - "
                "and dots. Add a column `id` with the names that students log in with."
            )
    return [person.id for person in people]


def read_hub(path: Path) -> Hub:
    """Read hub.toml.

    Returns:
        The settings.

    Raises:
        HubError: If it cannot be used; the message names the file, the setting and the problem.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        courses = data.get("courses")
        for course in courses.values() if isinstance(courses, dict) else ():
            if isinstance(course, dict) and isinstance(course.get("roster"), str):
                course["students"] = [*course.get("students", ()), *_enrolled(Path(course["roster"]))]
        return Hub.model_validate(data)
    except ValidationError as problem:
        lines = [f"  {'.'.join(map(str, error['loc'])) or 'hub'}: {error['msg']}" for error in problem.errors()]
        raise HubError("\n".join([f"{path} has errors:", *lines])) from None
    except (OSError, ValueError) as problem:
        raise HubError(f"{path} cannot be read: {problem}.") from None
