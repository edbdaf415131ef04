"""overlap_report(spans): which pieces of work overlapped, from the events before and after each."""

from itertools import combinations

import numpy as np
import pytest

from syncpoint.graders import core, hint, kind_of, misconception, saw, weight
from syncpoint.graders.unchanged import check_containers_stay

# Names are texts: with signs that somebody may put between two, or told apart by a letter's case alone.
NAMES = ["copy", "forward and backward", "Copy", "step: 1", "loss, mean", "augment-2", "save", "log"]
APART = (True, True, False, False), (False, False, True, True)  # how two pieces lie that do not overlap; see `way`


@pytest.fixture(scope="module")
def ask(run):
    """``ask(names, shown, chain)``: the pairs that overlap_report names, those that are right, and how many
    dicts it changed.

    names: of pieces of work, each twice: where it stands first the work begins, where it stands again it ends.  shown:
    the names in the order in which the report gets them; else it is drawn.  chain: names of pieces of which each begins
    at the event at which the one before ends.
    """
    rng = np.random.default_rng()

    def called(names, shown=None, chain=()):
        order = [[name, int(name in names[:place])] for place, name in enumerate(names)]
        shown = shown or [str(name) for name in rng.permutation(sorted(set(names)))]
        lanes = list(range(len(shown)))
        seen = run("overlap_report", names=shown, lanes=lanes, order=order, chain=list(chain))
        times = [moment.seconds for moment in seen["moments"]]
        spans = {name: (times[2 * place], times[2 * place + 1]) for place, name in enumerate(shown)}
        right = sorted(
            [a, b] for a in spans for b in spans if a < b and spans[a][0] < spans[b][1] and spans[b][0] < spans[a][1]
        )
        return seen["pairs"], right, seen["containers_changed"]

    return called


@pytest.fixture(scope="module")
def together(ask):
    """The answer of ``ask`` for pieces of work that all overlap."""
    return ask(all_at_once(np.random.default_rng()))


def drawn(rng, count):
    """The names of this many pieces of work, each twice, in a drawn order."""
    return [str(name) for name in rng.permutation(2 * list(rng.permutation(NAMES)[:count]))]


def varied(rng):
    """Six such pieces, and an order for the report: in it, and in the alphabet, is each way for two to lie.

    In both, a piece comes before one apart from it, and that one before one that overlaps the first: code that stops
    where something did not overlap misses the last one.
    """
    while True:
        names = drawn(rng, 6)
        shown = [str(name) for name in rng.permutation(sorted(set(names)))]
        if all(len(ways(names, order)) == 6 and goes_on(names, order) for order in (shown, sorted(shown))):
            return names, shown


def ways(names, order):
    """How two pieces are placed in time, for all pairs; the first one in this order comes first."""
    return {way(names, *pair) for pair in combinations(order, 2)}


def way(names, first, second):
    """How two pieces are placed in time: which of the four places are those of the first."""
    return tuple(name == first for name in names if name in (first, second))


def goes_on(names, order):
    """Whether in this order there are a piece, one apart from it and one that overlaps it, in both possible orders."""
    three = [(way(names, a, b), way(names, a, c)) for a, b, c in combinations(order, 3)]
    return all(any(one == apart and other not in APART for one, other in three) for apart in APART)


def all_at_once(rng):
    """Five pieces that all begin before the first one ends; some of them inside others, and some not."""
    names = ends = [str(name) for name in rng.permutation(NAMES[:5])]
    while ends in (names, names[::-1]):
        ends = [str(name) for name in rng.permutation(names)]
    return names + ends


def several(pairs):
    """What a report names in addition to a piece of work with itself; nothing where there is no report."""
    return [pair for pair in pairs or () if len(set(pair)) > 1]


def check(pairs, right):
    """Fail unless these are the right pairs, in whatever order and however often; a name with itself is no pair."""
    named = {tuple(pair) for pair in several(pairs)}
    missing, more = len({*map(tuple, right)} - named), len(named - {*map(tuple, right)})
    with saw(
        "Pairs that overlapped and are missing: {missing}. Pairs in the report that did not overlap: {more}.",
        missing=missing,
        more=more,
    ):
        assert not missing and not more, (pairs, right)


def check_names_some(pairs):
    """Fail if a report is empty though all pieces of work overlap: such a report is no answer to anything."""
    with saw("All pieces of work overlap, but the report is empty."):
        assert pairs


@core
@weight(4)
@hint("Two pieces of work overlap if each of them begins before the other one ends. Try it with two bars on paper.")
@misconception("overlap")
def test_value(ask, rng):
    """The report is right for pieces of work that begin and end in any order."""
    names, shown = varied(rng)
    in_turn = [name for name in shown for _ in range(2)]  # the same names, of pieces that do not overlap this time
    for asked in ([drawn(rng, 3)], [names, shown], [in_turn, shown], [all_at_once(rng)]):
        check(*ask(*asked)[:2])


@core
@weight(2)
@hint(
    "There are three cases: one piece inside another, one after another, and two that overlap "
    "only in part (the first to begin is also the first to end)."
)
@misconception("overlap")
def test_each_way(ask):
    """The report is right however two pieces of work are placed in time."""
    for names in ("abba", "baab", "abab", "baba", "aabb", "bbaa"):
        # In one order: else the faults of those who take it for that of the starts would hang on what was drawn.
        check(*ask(["copy" if name == "a" else "step" for name in names], ["copy", "step"])[:2])


@hint(
    "With no piece of work, with one, or with pieces one after another, nothing overlaps: the report is empty. Two "
    "pieces do not overlap if one begins at the very event at which the other ends."
)
@misconception("reads-the-task")
def test_nothing_overlaps(ask, together):
    """If nothing overlaps, the report is empty."""
    check_names_some(together[0])
    for names, chain in (([], ()), (["copy"], ()), (NAMES[:4], NAMES[1:4])):
        pairs, *_ = ask([name for name in names for _ in range(2)], names[::-1], chain)
        with saw("Nothing overlaps, but overlap_report returned {kind}.", kind=kind_of(pairs)):
            assert pairs is not None
        pairs = several(pairs)
        with saw("Nothing overlaps, but the report names pairs. Number of pairs: {count}.", count=len(pairs)):
            assert not pairs


@hint("List each pair once, in either order, and never pair a piece of work with itself.")
@misconception("reads-the-task")
def test_each_pair_once(together):
    """Each pair is in the report once."""
    pairs, *_ = together
    check_names_some(pairs)
    different = {tuple(pair) for pair in pairs}
    with saw(
        "Entries of the report: {pairs}; different pairs: {different}.", pairs=len(pairs), different=len(different)
    ):
        assert len(pairs) == len(different)
    with saw("The report pairs a piece of work with itself, or has an entry that is not a pair."):
        assert all(len(set(pair)) == 2 for pair in pairs)


@hint("A list or dict that you are given belongs to the caller: change a copy of it.")
@misconception("reads-the-task")
def test_dict_stays(together):
    """The dict of pieces of work stays as it is."""
    pairs, _, changed = together
    check_names_some(pairs)
    check_containers_stay(changed)
