"""overlap_report(record): which products ran while a copy ran, read from a record."""

import numpy as np
import pytest

from syncpoint.graders import core, hint, kind_of, misconception, saw, value, weight


def event(lane, name, index, start, end):
    """One event of a record, from whole microseconds."""
    device = "" if lane == "front end" else f"cpu({2 if lane == 'copy' else index % 2 + 1})"
    return {"lane": lane, "device": device, "name": name, "index": index, "start": start / 1e6, "end": end / 1e6}


def spans(rng, count):
    """Starts and ends of pieces of work one after another, with gaps: even numbers of microseconds."""
    steps = 2 * rng.integers(20, 400, size=2 * count).cumsum()
    return [(int(start), int(end)) for start, end in zip(steps[::2], steps[1::2], strict=True)]


def inside(rng, span):
    """Two odd moments inside a span, the first before the second: work there never touches other work."""
    first, second = sorted(rng.choice((span[1] - span[0]) // 2, size=2, replace=False))
    return span[0] + 2 * int(first) + 1, span[0] + 2 * int(second) + 1


def work(rng, count=12):
    """Products and copies: one inside a product, the next across the gap between two, and so on."""
    times = spans(rng, count)
    products = [event("compute", "dot", index, *span) for index, span in enumerate(times)]
    copies = []
    for index in range(count):
        start, end = inside(rng, times[index])
        if index % 2 == 0:
            end = inside(rng, times[index + 1])[0]
        copies.append(event("copy", "copy", index, start, end))
    return products, copies


def around(record, lane, name):
    """An event that begins before everything else in the record and ends after it."""
    start, end = min(e["start"] for e in record), max(e["end"] for e in record)
    return event(lane, name, 0, start * 1e6 - 1, end * 1e6 + 1)


def right(record):
    """The right report."""
    products = [e for e in record if e["lane"] == "compute" and e["name"] == "dot"]
    return {
        copy["index"]: sorted(p["index"] for p in products if p["start"] < copy["end"] and copy["start"] < p["end"])
        for copy in record
        if copy["lane"] == "copy"
    }


def check_dict(report):
    """Fail unless a dict was returned."""
    with saw("overlap_report returned {kind}.", kind=kind_of(report)):
        assert isinstance(report, dict), report


def plain(report):
    """The student's report with lists instead of tuples and NumPy arrays: test_form is about these."""
    check_dict(report)
    for products in report.values():
        with saw("One of the values in the report is {kind}.", kind=kind_of(products)):
            assert isinstance(products, (list, tuple, np.ndarray)), report
        for product in () if isinstance(products, np.ndarray) else products:
            with saw("In one of the lists in the report there is {kind}.", kind=kind_of(product)):
                assert isinstance(product, (int, float, np.generic)), report
    return {
        copy: sorted(products.ravel().tolist()) if isinstance(products, np.ndarray) else list(products)
        for copy, products in report.items()
    }


@pytest.fixture
def check(student):
    """``check(record)`` fails unless overlap_report reads the record correctly."""

    def check(record):
        report = plain(student.call("overlap_report", record).returned)
        with saw("The report names other copies than the record has."):
            assert set(report) == set(right(record)), (report, record)
        wrong = [copy for copy, products in right(record).items() if report[copy] != products]
        more = [copy for copy in wrong if set(report[copy]) - set(right(record)[copy])]
        fewer = [copy for copy in wrong if set(right(record)[copy]) - set(report[copy])]
        listed = len(set(wrong) - {*more, *fewer})
        with saw(
            "Copies with wrong products in the report: {wrong} of {total}. Copies for which a product is "
            "missing: {fewer}. Copies with a product that did not overlap them: {more}. Copies with the right "
            "products, but in a wrong order or listed twice: {listed}.",
            wrong=len(wrong),
            total=len(report),
            fewer=len(fewer),
            more=len(more),
            listed=listed,
        ):
            assert not wrong, (report, right(record), record)

    return check


def in_time(record):
    """The record as record_run returns it."""
    return sorted(record, key=lambda e: e["start"])


@core
@weight(2)
@hint("Two pieces of work overlap if each of them starts before the other one ends. Try it on paper with two bars.")
@misconception("overlap")
def test_value(rng, check):
    """The report is right for ordinary records."""
    # In the last record everything takes nanoseconds.
    for count, unit in ((12, 1), (60, 1), (12, 2.0**-10)):
        products, copies = work(rng, count)
        record = in_time(products + copies)
        check([{**one, "start": one["start"] * unit, "end": one["end"] * unit} for one in record])


@hint("The report is a dict, and each value is a list: no set, no numpy array, no number. Look at type(report[0]).")
@misconception("reads-the-task")
def test_form(student, rng):
    """overlap_report returns a dict with a list for each copy."""
    products, copies = work(rng)
    report = student.call("overlap_report", in_time(products + copies)).returned
    check_dict(report)
    with saw("The report is empty."):
        assert report
    for products in report.values():
        with saw("One of the values in the report is {kind}.", kind=kind_of(products)):
            assert isinstance(products, (list, tuple)), report


@hint("The record belongs to the caller: sorted gives a new list, and sort changes the list that you were given.")
@misconception("names-and-arrays")
def test_record_stays(student, rng):
    """The record stays as it is."""
    products, copies = work(rng)
    record = in_time(products + copies)[::-1]
    seen = student.call("overlap_report", record)
    plain(seen.returned)
    with saw("After the call, the record is not what it was."):
        assert seen.arguments[0] == record


@core
@hint("One copy may overlap several products: report all of them, including one that begins and ends during the copy.")
@misconception("overlap")
def test_several_products(rng, check):
    """A copy that overlaps several products is reported with all of them."""
    times = spans(rng, 10)
    first, last = int(rng.integers(0, 5)), 6
    copy = event("copy", "copy", 0, inside(rng, times[first])[0], inside(rng, times[last + 3])[1])
    check(in_time([copy, *(event("compute", "dot", index, *span) for index, span in enumerate(times))]))
    two_rows = [event("compute", "dot", index + 1, *span) for index, span in enumerate(times)]
    check(in_time([around(two_rows, "compute", "dot"), *two_rows, copy]))
    # Two products may begin, or end, at the same moment.
    pairs = [event("compute", "dot", 2 * place + row, *span) for place, span in enumerate(times) for row in (0, 1)]
    check(in_time([*pairs, copy]))


@hint("Every copy of the record is in the report. What does a copy get that overlapped no product?")
@misconception("overlap")
def test_nothing_overlaps(rng, check):
    """A copy that overlaps no product gets an empty list."""
    kinds = [("compute", "dot")] * 4 + [("copy", "copy")] * 4
    alone = [
        event(*kind, index % 4, *span) for index, (kind, span) in enumerate(zip(kinds, spans(rng, 8), strict=True))
    ]
    check(alone)
    check(alone[4:])
    check(alone[:4])


@value
@weight(2)
@hint(
    "A copy that starts at the moment when a product ends did not overlap it. A copy that is completely "
    "inside a product did, even if another product ends when the copy starts."
)
@misconception("overlap")
def test_touching(rng, check):
    """Work that only touches does not overlap."""
    a, b, c, d, e = (int(t) for t in rng.integers(1, 1000, size=5).cumsum())
    check([event("compute", "dot", 0, a, b), event("copy", "copy", 0, b, c), event("compute", "dot", 1, c, d)])
    check([event("compute", "dot", 0, a, c), event("compute", "dot", 1, b, e), event("copy", "copy", 0, c, d)])


@value
@hint("The events may be in any order in the list. Take the number of a copy or a product from its index.")
@misconception("reads-the-task")
def test_any_order(rng, check):
    """The order of the events in the list does not matter."""
    products, copies = work(rng)
    record = products + copies
    check(in_time(record)[::-1])
    check([record[place] for place in rng.permutation(len(record))])


@value
@weight(2)
@hint("A record holds more than products and copies: look at the lane and at the name of an event.")
@misconception("reads-the-task")
def test_other_events(rng, check):
    """The front end, and operations that are not products, are left out."""
    products, copies = work(rng)
    orders = [event("front end", "enqueue", index, 2 * index, 2 * index + 1) for index in range(20)]
    record = in_time(products + copies)
    check(in_time([*record, *orders, around(record, "front end", "wait")]))
    check(in_time([*record, around(record, "compute", "_plus_scalar")]))


@hint("Call record_run and look at the events of a real record: which keys do you use, and what do they hold?")
@misconception("reads-the-task")
def test_real_record(student, rng):
    """The report fits what the back end did in a real run."""
    values = rng.uniform(size=(64, 64)).astype(np.float32)
    seen = student.observe("report_of_a_run", function="overlap_report", values=values, device=1)
    record = seen["record"]
    # The clock of the record ticks in microseconds: what started and ended in one tick may be read in both ways.
    long = [e for e in record if e["start"] < e["end"]]
    counts = [sum((e["lane"], e["name"]) == kind for e in record) for kind in (("compute", "dot"), ("copy", "copy"))]
    assert counts == [10, 10], record
    report, wide, narrow = plain(seen["report"]), right(record), right(long)
    assert set(report) == set(wide), report
    for copy, products in report.items():
        assert set(narrow.get(copy, ())) <= set(products) <= set(wide[copy]), (copy, products, record)
