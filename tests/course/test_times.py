"""Typed times: one meaning is read, and everything else is refused with an example."""

from zoneinfo import ZoneInfo

import pytest
from traitlets.config import Config

from syncpoint.course.errors import UnreadableTime
from syncpoint.course.times import Clock, clock_of

BERLIN = Clock(ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-03-01 12:00 +0200", "10:00"),
        ("2026-03-01 12:00 +02:00", "10:00"),
        ("2026-03-01T12:00-05:00", "17:00"),
        ("20260301T120000Z", "12:00"),
        ("2026-03-01 12:00 UTC", "12:00"),
        ("2026-03-01 12:00 America/New_York", "17:00"),
        ("2026-07-01 12:00 Europe/Berlin", "10:00"),
        ("2026-03-01 12:00:30.25 Asia/Kolkata", "06:30"),
    ],
)
def test_an_offset_or_a_zone_gives_a_time_one_meaning_in_every_course(text: str, utc: str):
    assert [f"{clock.read(text):%H:%M}" for clock in (Clock(), BERLIN)] == [utc, utc]


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01 12:00 CEST",
        "2026-03-01 12:00 PST",
        "2026-03-01 12:00 EST",
        "2026-03-01 12:00 Europe/Berln",
        "2026-03-01 12:00 europe/berlin",
        "2026-03-01 12:00 UTC+2",
        "2026-03-01 12:00 -5",
        "2026-03-01 12:00 +2000",
        "2026-03-01 12:00 ../UTC",
        "2026-03-01 12:00 PM",
        "2026-03-01T12:00+01:00[Europe/Berlin]",
        "03.04.2026 12:00 UTC",
        "03/04/2026",
        "12:00",
        "2026-03-01",
        "2026-02-30 12:00 UTC",
        "2026-03-01 24:00 UTC",
        "0001-01-01 00:00 +0500",
        "1772366400",
        "now",
        "",
    ],
)
def test_what_has_more_than_one_meaning_or_none_is_refused_with_an_example(text: str):
    for clock in (Clock(), BERLIN):
        with pytest.raises(UnreadableTime, match="Write it as 2026-03-01T12:00"):
            clock.read(text)


def test_a_time_without_a_zone_is_read_in_the_zone_of_the_course_alone():
    assert f"{BERLIN.read('2026-03-01 12:00'):%H:%M}" == "11:00"
    with pytest.raises(UnreadableTime, match=r"c\.Exchange\.timezone"):
        Clock().read("2026-03-01 12:00")


@pytest.mark.parametrize(
    ("text", "words", "readings"),
    [
        ("2026-03-29 02:30", "does not exist", ("00:30", "01:30")),
        ("2026-10-25 02:30", "exists twice", ("00:30", "01:30")),
    ],
)
def test_an_hour_that_the_clocks_skip_or_repeat_is_asked_about_with_both_readings(text, words, readings):
    with pytest.raises(UnreadableTime, match=words) as refused:
        BERLIN.read(text)
    offered = [word for word in str(refused.value).split() if "T02:30" in word]
    assert tuple(f"{BERLIN.read(word):%H:%M}" for word in offered) == readings


def test_nbgraders_own_stamps_are_read_by_the_name_that_the_courses_zone_has_at_that_time():
    assert f"{BERLIN.read_stamp('2026-07-01 12:00:00.5 CEST'):%H:%M}" == "10:00"
    assert f"{BERLIN.read_stamp('2026-10-25 02:30:00 CET'):%H:%M}" == "01:30"
    assert f"{Clock().read_stamp('2015-02-02 15:58:23.948203 America/Los_Angeles'):%H:%M}" == "23:58"
    for clock, stamp in ((BERLIN, "2026-03-01 12:00 CEST"), (Clock(), "2026-07-01 12:00 CEST")):
        with pytest.raises(UnreadableTime):
            clock.read_stamp(stamp)


def test_a_time_is_shown_in_the_zone_of_the_course_and_in_utc():
    time = BERLIN.read("2026-07-01 12:00")
    assert BERLIN.show(time) == "2026-07-01 12:00 +0200 in Europe/Berlin (2026-07-01 10:00 UTC)"
    assert Clock().show(time) == "2026-07-01 10:00 UTC"


def test_the_zone_of_a_course_is_one_and_exists():
    assert clock_of(Config({"NbGraderAPI": {"timezone": "Europe/Berlin"}})) == BERLIN
    for output in (
        {"Exchange": {"timezone": "Europe/Berln"}},
        {"Exchange": {"timezone": "UTC"}, "NbGraderAPI": {"timezone": "Europe/Berlin"}},
    ):
        with pytest.raises(UnreadableTime, match="timezone"):
            clock_of(Config(output))
