"""Puts a student's cells into the frame of the release, and decides which of several copies of a cell counts.

The rule, for all kinds of cells: locked cells and their order come from the release.  Of several copies of a code
answer the last changed one that runs before its test counts; a written answer counts wherever it is.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nbformat import NotebookNode

from ..core.messages import Message, Value
from ..core.results import Note
from ..judge.job import new_cell
from ..judge.submission import is_autograded
from .damage import lasting_calls, odd_cell

# What a cell defines at its top level.  Student code is never parsed here: a pattern takes no longer than its text.
DEFINED = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)


@dataclass(eq=False)
class _Place:
    """A cell of the notebook that is being made.

    Attributes:
        raw: The student's cell; None for one that is added.
        number: Its place in the student's file, counted from 1.
        identity: The released cell that it claims to be; "" for none.
        original: The released cell that it is to be, once that is decided.
        runs: Whether its code runs.
    """

    raw: dict[str, Any] | None
    number: int = 0
    identity: str = ""
    original: NotebookNode | None = None
    runs: bool = True

    @property
    def source(self) -> str:
        return self.raw["source"] if self.raw else ""

    def cell(self) -> NotebookNode:
        """The finished cell."""
        if self.original is not None:
            cell = as_released(self.original)
            if self.raw and not is_locked(self.original):
                cell.source = self.raw["source"]
        else:
            assert self.raw is not None
            kind = self.raw["cell_type"]
            cell = new_cell(kind if self.runs or kind != "code" else "raw", self.raw["source"])
        if cell.cell_type == "markdown" and self.raw and self.raw["attachments"]:
            cell.attachments = NotebookNode(self.raw["attachments"])
        return cell


class _Chain(NamedTuple):
    """Locked cells in the order of the release, as they lie in the submission; of two the greater one is better."""

    length: int
    untouched: int  # how many of them have the released text
    places: int  # the sum of all places, below 0: an earlier place is better
    last: tuple[str, int] | None
    before: _Chain | None


NO_CHAIN = _Chain(0, 0, 0, None, None)


@dataclass
class _Frame:
    """The cells of a submission on their way into the release's order.

    Attributes:
        name: Of the notebook.
        released: The released cells that have an id, in order.
        texts: The texts of all released cells, as :func:`plain` has them.
    """

    name: str
    released: Sequence[NotebookNode]
    texts: frozenset[str]
    places: list[_Place]
    notes: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = [identity_of(cell) for cell in self.released]
        self.by_id = dict(zip(self.ids, self.released, strict=True))
        self.rank = {identity: number for number, identity in enumerate(self.ids)}
        self.test_of = dict(_tests(self.released))

    def arrange(self) -> None:
        """Decide for each released cell which of the student's cells it is."""
        if not any(place.identity for place in self.places):
            self.say(Message.of("foreign_notebook", notebook=self.name))
        self._place_locked()
        for identity, original in self.by_id.items():
            if not is_locked(original):
                self._place_answer(identity, original)
        for place in self.places:
            self._look_at(place)

    def _look_at(self, place: _Place) -> None:
        """Say of a cell of the student's what is known to go wrong with it."""
        answer = place.original is not None and not is_locked(place.original)
        kind = place.original.cell_type if place.original is not None else place.raw and place.raw["cell_type"]
        if kind != "code" or place.raw is None or not (answer or place.original is None):
            return
        if plain(place.source) in self.texts or not place.runs:
            return
        if answer and (why := odd_cell(place.source)):
            self.say(why.having(number=place.number, cell=place.identity), place.identity)
        for said in lasting_calls(place.source, self.texts):
            self.say(said.having(number=place.number))

    def note(self, code: str, cell: str, **parameters: Value) -> None:
        """Say something of a cell, in the report of its exercise."""
        self.say(Message.of(code, cell=cell, **parameters), cell)

    def say(self, said: Message, cell: str = "") -> None:
        """Say something in the report of the exercise that a cell belongs to, or in every one."""
        self.notes.append(Note(said, self.test_of[cell] if cell else ""))

    def changed(self, place: _Place, original: NotebookNode) -> bool:
        """Whether the student wrote something there."""
        return bool(plain(place.source)) and plain(place.source) != plain(original.source)

    # --- locked cells -----------------------------------------------------------------------------------------

    def _place_locked(self) -> None:
        """Keep those that lie in the order of the release, and add the others where the release has them."""
        kept = self._kept()
        for number, place in enumerate(self.places):
            original = self.by_id.get(place.identity)
            if original is None or not is_locked(original):
                continue
            if kept.get(place.identity) == number:
                place.original = original
            else:  # the course's own text does not run twice; a text of the student's is an ordinary cell
                place.runs = self.changed(place, original)
                place.identity = ""
        copied = {identity for identity in kept if self._claimed[identity] > 1}
        for identity in self.ids:
            if is_locked(self.by_id[identity]) and identity not in kept:
                self._add(identity)
                if identity not in self._above:  # its answer says what there is to say
                    self.note("moved_cell" if identity in self._claimed else "added_cell", identity)
            elif identity in copied:
                self.note("copied_cell", identity)

    def _kept(self) -> dict[str, int]:
        """The places of the locked cells that stay: most of them, in the order of the release, each once."""
        self._claimed: dict[str, int] = {}
        self._above: set[str] = set()  # tests above their answers
        best = [NO_CHAIN] * (len(self.ids) + 1)  # of chains that end before this rank
        seen: set[str] = set()
        there = {place.identity for place in self.places}
        answered = {self.test_of[one] for one in there if one in self.by_id and not is_locked(self.by_id[one])}
        for number, place in enumerate(self.places):
            identity = place.identity
            original = self.by_id.get(identity)
            if original is None:
                continue
            if not is_locked(original):
                seen.add(self.test_of[identity])
                continue
            self._claimed[identity] = self._claimed.get(identity, 0) + 1
            if is_autograded(original) and identity in answered and identity not in seen:
                self._above.add(identity)  # a test stays only behind a copy of its answer
                continue
            rank = self.rank[identity]
            before = best[rank]
            untouched = before.untouched + (not self.changed(place, original))
            chain = _Chain(before.length + 1, untouched, before.places - number, (identity, number), before)
            for later in range(rank + 1, len(best)):
                if chain[:3] > best[later][:3]:
                    best[later] = chain
        kept, chain = {}, best[-1]
        while chain.last is not None and chain.before is not None:
            kept[chain.last[0]] = chain.last[1]
            chain = chain.before
        return kept

    def _add(self, identity: str) -> None:
        """Add a released cell: behind the answers that it tests, and before what comes after it in the release."""
        rank = self.rank[identity]
        low, high = 0, len(self.places)
        for number, place in enumerate(self.places):
            if place.original is not None and is_locked(place.original):
                if self.rank[place.identity] < rank:
                    low = number + 1
                else:
                    high = number
                    break
        own = [n for n in range(low, high) if self.test_of.get(self.places[n].identity) == identity]
        low = own[-1] + 1 if own else low
        later = (n for n in range(low, high) if self.rank.get(self.places[n].identity, -1) > rank)
        self.places.insert(next(later, high), _Place(None, identity=identity, original=self.by_id[identity]))

    # --- answers ----------------------------------------------------------------------------------------------

    def _place_answer(self, identity: str, original: NotebookNode) -> None:
        copies = [number for number, place in enumerate(self.places) if self._is_copy(place, identity, original)]
        written = bool(original.metadata.nbgrader.get("grade"))
        chosen = self._written(copies, original) if written else self._code(identity, copies, original)
        for number in copies:
            self.places[number].identity = ""
        if chosen is not None:
            self.places[chosen].original = original
            self.places[chosen].identity = identity
        elif written:
            self._add(identity)
            self.note("added_cell", identity)
        else:  # its stub would overwrite work that the student moved to another cell
            self.note("missing_cell", identity)
        if chosen is not None:
            self._say_which(identity, original, copies, chosen)

    def _say_which(self, identity: str, original: NotebookNode, copies: list[int], chosen: int) -> None:
        """Say which of several copies counts, and which one comes too late."""
        counts, test = self.places[chosen].number, self._test(identity)
        early = [number for number in copies if number < test]
        numbers = ", ".join(str(self.places[number].number) for number in early)
        written = bool(original.metadata.nbgrader.get("grade"))
        if chosen not in copies:
            self.note("text_below", identity, number=counts)
        elif len(early) > 1 and self.changed(self.places[chosen], original):
            self.note("written_copies" if written else "code_copies", identity, numbers=numbers, number=counts)
        for number in copies:
            late = self.places[number]
            if number > test and self.changed(late, original):
                if number == chosen:
                    self.note("late_answer", identity, number=late.number)
                else:
                    self.note("late_copy", identity, number=late.number, counts=counts)

    def _is_copy(self, place: _Place, identity: str, original: NotebookNode) -> bool:
        """Whether a cell claims to be an answer, or says nothing of itself and defines what the answer defines."""
        if place.identity or place.original is not None or place.raw is None:
            return place.identity == identity and place.original is None
        if original.cell_type != "code" or place.raw["cell_type"] != "code" or not place.runs:
            return False
        wanted = set(DEFINED.findall(original.source))
        return bool(wanted) and wanted <= set(DEFINED.findall(place.source))

    def _written(self, copies: list[int], original: NotebookNode) -> int | None:
        """The last changed copy, wherever it is; else the new text right below an untouched one."""
        changed = [number for number in copies if self.changed(self.places[number], original)]
        if changed:
            return changed[-1]
        for number in reversed(copies):
            below = self.places[number + 1] if number + 1 < len(self.places) else None
            if below is not None and self._is_new_text(below):
                return number + 1
        return copies[0] if copies else None

    def _is_new_text(self, place: _Place) -> bool:
        if place.raw is None or place.identity or place.original is not None or place.raw["cell_type"] == "code":
            return False
        return bool(plain(place.source)) and plain(place.source) not in self.texts

    def _code(self, identity: str, copies: list[int], original: NotebookNode) -> int | None:
        """The last changed copy that runs before the tests; else the first one."""
        test = self._test(identity)
        changed = [number for number in copies if self.changed(self.places[number], original)]
        before = [number for number in changed if number < test]
        if not before:
            return next(iter(copies), None)
        for number in copies:  # a stub behind it would take its place
            self.places[number].runs &= number in changed or number < before[-1]
        return before[-1]

    def _test(self, identity: str) -> int:
        """Where the tests of an answer run; a written one has none, and counts anywhere."""
        if self.by_id[identity].metadata.nbgrader.get("grade"):
            return len(self.places)
        return next((n for n, place in enumerate(self.places) if self._is_test(place, identity)), len(self.places))

    def _is_test(self, place: _Place, identity: str) -> bool:
        return place.original is not None and identity_of(place.original) == self.test_of[identity]


def arrange(
    cells: Iterable[dict[str, Any]], name: str, released: Sequence[NotebookNode], texts: frozenset[str]
) -> tuple[list[NotebookNode], list[Note]]:
    """Put a student's cells into the frame of the release.

    Args:
        cells: The student's, checked: each has a kind and a text.
        name: Of the notebook.
        released: The cells of the release that have an id, in order.
        texts: The texts of all its cells, as :func:`plain` has them.

    Returns:
        Cells in which each released one is there once, locked ones with the text of the release; and what to say of
        it.  An answer that is missing stays away.
    """
    known = set(map(identity_of, released))
    claims = [(raw, claimed_id(raw)) for raw in cells]
    places = [_Place(raw, n, claim if claim in known else "") for n, (raw, claim) in enumerate(claims, 1)]
    frame = _Frame(name, released, texts, places)
    frame.arrange()
    claimed = {claim for _, claim in claims}
    if claimed & known and known - claimed and (foreign := sorted(claimed - known - {""})):
        frame.say(Message.of("older_release", cells=", ".join(foreign[:5])[:200]))
    return [place.cell() for place in frame.places], frame.notes


def _tests(released: Sequence[NotebookNode]) -> Iterator[tuple[str, str]]:
    """For each released cell the grade cell in whose box something is said of it: the next one, or itself."""
    waiting: list[str] = []
    for cell in released:
        identity = identity_of(cell)
        if cell.metadata.nbgrader.get("grade") and cell.metadata.nbgrader.get("solution"):
            yield identity, identity
            continue
        waiting.append(identity)
        if is_autograded(cell):
            yield from ((name, identity) for name in waiting)
            waiting = []
    yield from ((name, "") for name in waiting)


def as_released(original: NotebookNode) -> NotebookNode:
    """A copy of a released cell."""
    cell = new_cell(original.cell_type, original.source)
    cell.metadata = copy.deepcopy(original.metadata)
    if is_locked(original):
        # nbgrader brings back the source with its hidden part, which has another checksum.
        cell.metadata.nbgrader.pop("checksum", None)
    return cell


def is_locked(cell: NotebookNode) -> bool:
    """Whether students may not change a released cell."""
    return bool(cell.metadata.nbgrader.get("locked"))


def identity_of(cell: NotebookNode) -> str:
    """The id of a released cell."""
    return str(cell.metadata.nbgrader.grade_id)


def claimed_id(raw: dict[str, Any]) -> str:
    """The id that a student's cell claims; "" for none."""
    metadata = raw["metadata"]
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    identity = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return identity if isinstance(identity, str) else ""


def plain(text: str) -> str:
    """A text without what an editor changes by itself: ends of lines, and blanks before them."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
