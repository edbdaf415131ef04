"""The page with the figures about the questions."""

from syncpoint.viva.prove import HEAD, Proof, page


def test_the_page_keeps_the_rows_of_other_assignments_and_sums_all():
    first = page([Proof("b", 4, 4, 12, (), 0, 1, 0, 6)], "")
    both = page([Proof("a", 6, 3, 9, ("one",), 1, 0, 2, 3)], first)
    assert both.startswith(HEAD)
    assert both.splitlines()[-3:] == [
        "| a | 6 | 3 (50%) | 9 | 1 | 1 | 0 | 2 | 3 (33%) |",
        "| b | 4 | 4 (100%) | 12 | 0 | 0 | 1 | 0 | 6 (50%) |",
        "| **all** | 10 | 7 (70%) | 21 | 1 | 1 | 1 | 2 | 9 (43%) |",
    ]
    assert page([Proof("b", 4, 4, 12, (), 0, 1, 0, 6)], both) == both
    longer = page([Proof("b", 4, 2, 12, (), 0, 1, 1, 6, first=5)], both)
    assert longer.splitlines()[-2] == "| b | 8 | 6 (75%) | 24 | 0 | 0 | 2 | 1 | 12 (50%) |"
