"""The sentences about a change: what is said of two runs, and what is left out."""

from syncpoint.check.effects import Difference, Facts, Race
from syncpoint.core.messages import Message

MM, COPY, SUM = (3, "mm"), (5, "copy to the host"), (0, "sum")


def said(before: Facts, after: Facts) -> list[str]:
    return [str(sentence) for sentence in Difference(before, after).sentences()]


def run(**fields) -> Facts:
    return Facts(**{"operations": 3, "places": frozenset({MM, COPY, SUM})} | fields)


def test_two_operations_that_lose_or_gain_their_overlap_are_named():
    assert said(run(beside={(MM, COPY): 2}), run())[1:] == [
        "Can no longer run at the same time: `mm` in line 3 and `copy to the host` in line 5."
    ]
    assert said(run(), run(beside={(SUM, COPY): 1}))[1:] == [
        "May now run at the same time: the caller's `sum` and `copy to the host` in line 5."
    ]
    assert said(run(beside={(MM, MM): 6}), run(beside={(MM, MM): 2}))[1:] == [
        "Cases in which two runs of `mm` in line 3 may run at the same time: 2 (before: 6)."
    ]


def test_an_operation_that_is_gone_is_counted_and_not_said_to_be_in_order():
    after = run(operations=2, places=frozenset({MM, SUM}))
    assert said(run(beside={(MM, COPY): 2}), after)[1:] == ["Operations of the call: 2 (before: 3)."]


def test_of_a_program_that_is_wrong_only_its_numbers_its_races_and_its_first_wait_are_told():
    race = Race(False, COPY, SUM)
    after = run(
        races=(race, Race(True, COPY, (7, "fill_"))),
        waits=2,
        unfinished=4,
        peak=9,
        beside={(MM, COPY): 2},
        first_wait=("item", 2),
    )
    assert said(run(), after) == [
        "The numbers are no longer right every time.",
        "Race: the caller's `sum` and `copy to the host` in line 5 use the same memory without a fixed order.",
        "First wait of the host: `item`, after 2 operations (before: none).",
    ]


def test_races_of_other_places_are_told_as_well():
    first, second = Race(False, COPY, SUM), Race(True, MM, (7, "fill_"))
    assert said(run(), run(races=(first, second)))[2] == (
        "Race: `fill_` in line 7 gets memory that `mm` in line 3 may still use."
    )


def test_one_wait_more_or_less_is_told_once():
    assert len(said(run(), run(waits=1, first_wait=("item", 2)))) == 2
    assert len(said(run(), run(waits=2, first_wait=("item", 2)))) == 3


def test_nothing_changes_only_if_the_operations_are_the_same():
    assert said(run(), run())[0].startswith("Nothing changes")
    assert "Operations" in said(run(), run(operations=4))[1]


def test_operations_that_may_all_be_unfinished_are_counted_once():
    assert said(run(unfinished=3), run(operations=4, unfinished=4))[1:] == ["Operations of the call: 4 (before: 3)."]
    assert len(said(run(unfinished=3), run(operations=4, unfinished=3))) == 2
    assert "unfinished at the return: 2" in said(run(unfinished=3), run(unfinished=2))[1]


def test_fewer_operations_are_no_other_order():
    def kind(before: Facts, after: Facts) -> str:
        return Difference(before, after).kind

    assert kind(run(unfinished=3, peak=8), run(operations=2, unfinished=2, peak=9)) == "memory"
    assert kind(run(first_wait=("item", 3), waits=1), run(operations=2, first_wait=("item", 2), waits=1)) == "nothing"
    assert kind(run(unfinished=3), run(operations=4, unfinished=2)) == "order"
    assert kind(run(first_wait=("item", 3), waits=1), run(first_wait=("item", 2), waits=1)) == "order"
    assert kind(run(first_wait=("item", 3), waits=1), run(operations=2, first_wait=("cpu", 3), waits=1)) == "order"


def test_an_exception_is_the_whole_answer():
    error = Message("what_if_wrong")
    assert said(run(), Facts(error=error)) == [str(error)]


def test_wrong_numbers_are_bad_luck_if_only_a_wait_is_gone():
    before, after = run(results=(1.0,)), run(results=(2.0,))
    assert [str(Difference(before, after, pure).sentences()[0]) for pure in (False, True)] == [
        "The numbers are wrong.",
        "The numbers are no longer right every time.",
    ]
    assert Difference(before, after, True).kind == "breaks"
