"""One parser for times from people and other programs; it accepts only unambiguous times.

A time is ISO 8601 with an offset (``2026-03-01T12:00+02:00``), the same with a zone of the IANA database
(``2026-03-01 12:00 Europe/Berlin``), or without both where the course has a zone: ``c.Exchange.timezone``.
"""

import difflib
import functools
import re
import zoneinfo
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from traitlets.config import Config

from .errors import UnreadableTime

ISO = re.compile(
    r"(?P<local>\d{4}-\d\d-\d\d(?:[Tt]| +)\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?|\d{8}[Tt]\d{4}(?:\d\d)?)\s*(?P<zone>\S*)",
    re.ASCII,
)
OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>\d\d)(?::?(?P<minutes>[0-5]\d))?", re.ASCII)
FARTHEST = timedelta(hours=14)  # the largest UTC offset on Earth
QUOTED_CHARACTERS = 60  # characters of a text that a message repeats
SECTIONS = ("Exchange", "NbGraderAPI")  # nbgrader's settings that contain the course's time zone
MINUTE = "%Y-%m-%d %H:%M"
OWN_NAMES = ("UTC", "GMT", "Z", "z")  # names without a slash that are unambiguous


_zones = functools.cache(zoneinfo.available_timezones)  # it searches files


@dataclass(frozen=True)
class Clock:
    """Reads and shows times as a course does."""

    zone: ZoneInfo | None = None  # its time zone; None if the course has not set one

    def read(self, text: str) -> datetime:
        """Return a typed time in UTC. Raises UnreadableTime if it has no meaning, or more than one."""
        return self._read(text, by_name=False)

    def read_stamp(self, text: str) -> datetime:
        """As `read`, for a time of nbgrader's: its ``%Z`` may also be the name of the course's zone at that time."""
        return self._read(text, by_name=True)

    def show(self, time: datetime) -> str:
        """Format a time for people, in the course's zone and in UTC; without a zone, only in UTC."""
        utc = time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        exact = MINUTE if utc.second == utc.microsecond == 0 else MINUTE + ":%S"
        if self.zone is None or self.zone.key == "UTC":
            return f"{utc:{exact}} UTC"
        return f"{utc.astimezone(self.zone):{exact} %z} in {self.zone.key} ({utc:{exact}} UTC)"

    def _read(self, text: str, *, by_name: bool) -> datetime:
        found = ISO.fullmatch(text.strip())
        if found is None:
            raise self._unreadable(text, "it must be YEAR-MONTH-DAY HOUR:MINUTE with a time zone")
        try:
            local = datetime.fromisoformat(re.sub(r"[Tt]| +", "T", found["local"]))
        except ValueError:
            raise self._unreadable(text, "there is no such day or hour") from None
        name = found["zone"]
        try:
            if offset := OFFSET.fullmatch(name):
                return self._at_offset(text, local, offset)
            if by_name and (named := self._called(local, name)):
                return named
            return self._in_zone(text, local, self._zone(text, name))
        except OverflowError:
            raise self._unreadable(text, "there is no such year") from None

    def _at_offset(self, text: str, local: datetime, offset: re.Match[str]) -> datetime:
        away = timedelta(hours=int(offset["hours"]), minutes=int(offset["minutes"] or 0))
        if away > FARTHEST:
            raise self._unreadable(text, f"no time zone is {offset[0]} from UTC")
        return (local - away if offset["sign"] == "+" else local + away).replace(tzinfo=UTC)

    def _called(self, local: datetime, name: str) -> datetime | None:
        """Return the local time in the course's own zone; None if there is no such time."""
        if self.zone is None:
            return None
        readings = {moment.astimezone(UTC) for moment in _readings(local, self.zone) if moment.tzname() == name}
        return readings.pop() if len(readings) == 1 else None

    def _zone(self, text: str, name: str) -> ZoneInfo:
        if not name:
            if self.zone is None:
                why = "it has no time zone, and the course has none (c.Exchange.timezone in nbgrader_config.py)"
                raise self._unreadable(text, why)
            return self.zone
        if name in OWN_NAMES:
            return ZoneInfo("UTC")
        if "/" in name and name in _zones():
            return ZoneInfo(name)
        if "/" not in name:
            raise self._unreadable(
                text, f"{name[:QUOTED_CHARACTERS]!r} may mean more than one offset from UTC, or none"
            )
        near = {zone.casefold(): zone for zone in _zones()}
        alike = difflib.get_close_matches(name.casefold(), near, n=1)
        guess = f" (did you mean {near[alike[0]]}?)" if alike else ""
        raise self._unreadable(text, f"{name[:QUOTED_CHARACTERS]!r} is not a time zone{guess}")

    def _in_zone(self, text: str, local: datetime, zone: ZoneInfo) -> datetime:
        first, second = _readings(local, zone)
        if first.utcoffset() == second.utcoffset():
            return first.astimezone(UTC)
        exists = first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == local
        why = f"{'exists twice' if exists else 'does not exist'} in {zone.key}, where the clocks change"
        ways = [
            f"{_iso(moment)} ({moment.astimezone(UTC).astimezone(zone):{MINUTE} %z} there, "
            f"{moment.astimezone(UTC):{MINUTE}} UTC)"
            for moment in sorted((first, second), key=lambda moment: moment.astimezone(UTC))
        ]
        raise UnreadableTime(f"{text.strip()!r} {why}. Write {ways[0]} or {ways[1]}.")

    def _unreadable(self, text: str, why: str) -> UnreadableTime:
        shown = text.strip()
        shown = shown if len(shown) <= QUOTED_CHARACTERS else f"{shown[:QUOTED_CHARACTERS]}..."
        zone = self.zone.key if self.zone is not None and "/" in self.zone.key else "Europe/Berlin"
        return UnreadableTime(
            f"{shown!r} is not a valid time: {why}. "
            f"Write it as 2026-03-01T12:00+01:00, 2026-03-01 12:00 {zone} or 2026-03-01 12:00 UTC."
        )


WITHOUT_ZONE = Clock()


def clock_of(settings: Config) -> Clock:
    """Return the clock of a course, from its configuration, or raise UnreadableTime."""
    zones = {str(settings[name].timezone) for name in SECTIONS if name in settings and "timezone" in settings[name]}
    if not zones:
        return Clock()
    where = " and ".join(f"c.{name}.timezone" for name in SECTIONS)
    if len(zones) > 1:
        raise UnreadableTime(f"{where} in nbgrader_config.py name different time zones: use the same one.")
    (name,) = zones
    if name not in _zones():
        raise UnreadableTime(
            f"{name!r} is not a time zone ({where} in nbgrader_config.py): write it like Europe/Berlin."
        )
    return Clock(ZoneInfo(name))


def _readings(local: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return the moments that a local time may mean: two when the clocks change."""
    return local.replace(tzinfo=zone), local.replace(tzinfo=zone, fold=1)


def _iso(moment: datetime) -> str:
    exact = "minutes" if moment.second == moment.microsecond == 0 else "auto"
    return moment.isoformat(timespec=exact)
