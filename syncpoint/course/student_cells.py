"""Puts a student's cells into the released notebook, and decides which of several copies of a cell counts.

The rule, for all kinds of cells: locked cells and their order come from the release.  Of several copies of a code
answer the last changed one that runs before its test counts; a written answer counts wherever it is.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from ..core.messages import Message, Value, listed
from ..core.results import Note
from ..judge.cells import is_autograded
from ..judge.job import new_cell
from .cells import as_released, claimed_id, grade_id, is_locked, is_written_answer, plain
from .damage import lasting_calls, odd_cell

# A cell's top-level definitions. Student code is never parsed here: a pattern's time is limited by the text's length.
DEFINED = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
BOUND = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*=(?!=)", re.MULTILINE)
STUB = "NotImplementedError"
COMPARED = 400  # characters of a text that are compared with the release
LIKE = 0.6  # from 0 to 1: a text this similar to the release comes from an older release


@dataclass(eq=False)
class _Place:
    """A cell of the new notebook."""

    raw: dict[str, Any] | None  # the student's cell; None for one that is added
    number: int = 0  # its place in the student's file, counted from 1
    identity: str = ""  # the released cell that it claims to be; "" for none
    original: NotebookNode | None = None  # the released cell that it replaces, once decided
    runs: bool = True
    joined: list[str] = field(default_factory=list)  # texts of cells above it that belong to the same answer

    @property
    def source(self) -> str:
        return self.raw["source"] if self.raw else ""

    def cell(self) -> NotebookNode:
        if self.original is not None:
            cell = as_released(self.original)
            if self.raw and not is_locked(self.original):
                cell.source = "\n\n".join([*self.joined, self.raw["source"]])
        else:
            assert self.raw is not None
            kind = self.raw["cell_type"]
            cell = new_cell(kind if self.runs or kind != "code" else "raw", self.raw["source"])
        if cell.cell_type == "markdown" and self.raw and self.raw["attachments"]:
            cell.attachments = NotebookNode(self.raw["attachments"])
        return cell


@dataclass
class _Frame:
    """A submission's cells while they are put into the release's order."""

    name: str
    released: Sequence[NotebookNode]  # the released cells with an id, in order
    texts: frozenset[str]  # the texts of all released cells, converted by :func:`.cells.plain`
    places: list[_Place]
    notes: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = [grade_id(cell) for cell in self.released]
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
        answer = place.original is not None and not is_locked(place.original)
        kind = place.original.cell_type if place.original is not None else place.raw and place.raw["cell_type"]
        if kind != "code" or place.raw is None or not (answer or place.original is None):
            return
        if plain(place.source) in self.texts or not place.runs:
            return
        if answer and (why := odd_cell(place.source)):
            self.say(why.having(number=place.number, cell=place.identity), place.identity)
        for message in lasting_calls(place.source, self.texts):
            self.say(message.having(number=place.number))

    def note(self, code: str, cell: str, **parameters: Value) -> None:
        """Add a note on a cell to the report of its exercise."""
        self.say(Message.of(code, cell=cell, **parameters), cell)

    def say(self, message: Message, cell: str = "") -> None:
        """Add a note to the report of a cell's exercise, or to every report."""
        self.notes.append(Note(message, self.test_of[cell] if cell else ""))

    def changed(self, place: _Place, original: NotebookNode) -> bool:
        """Whether the student wrote something there."""
        text = plain(place.source)
        if original.cell_type == "code" and text.count(STUB) >= original.source.count(STUB) > 0:
            return False  # a stub with another comment or in another language
        pictures = bool(place.raw and place.raw["attachments"])
        return pictures or (bool(text) and text != plain(original.source) and text not in self.texts)

    def _place_locked(self) -> None:
        """Find each locked cell's place, in the release's order; other copies of it are ignored."""
        previous = -1
        for identity, original in self.by_id.items():
            if not is_locked(original):
                continue
            own = [n for n, place in enumerate(self.places) if self._is_answer_before(place, identity)]
            low = max([previous, *own[:1]]) + 1
            copies = [n for n, place in enumerate(self.places) if place.identity == identity and place.raw]
            found = self._in_place(identity, original, [n for n in copies if n >= low])
            for number in copies:
                place = self.places[number]
                if number == found:
                    place.original = original
                else:  # the course's own code does not run twice; student code is an ordinary cell
                    place.runs, place.identity = self.changed(place, original), ""
            if found is None:
                changed = [n for n in own if self.changed(self.places[n], self.by_id[self.places[n].identity])]
                found = self._add(identity, max([low, *(n + 1 for n in changed)]))
                if not copies:
                    self.note("added_cell", identity)
                elif is_autograded(original):  # other cells move only because a test has moved
                    self.note("moved_cell", identity)
            elif len(copies) > 1:
                self.note("copied_cell", identity)
            previous = found

    def _is_answer_before(self, place: _Place, identity: str) -> bool:
        """Whether a cell claims to be an answer of the same exercise that comes earlier in the release."""
        claimed = self.by_id.get(place.identity)
        if claimed is None or is_locked(claimed) or self.test_of[place.identity] != self.test_of[identity]:
            return False
        return self.rank[place.identity] < self.rank[identity]

    def _in_place(self, identity: str, original: NotebookNode, copies: list[int]) -> int | None:
        """Return the copy to keep, if possible an untouched one; a cell that is not a test must precede the next."""
        if not is_autograded(original):
            ranks = (
                (n, self._rank(place)) for n, place in enumerate(self.places) if not self._is_written_answer(place)
            )
            after = (number for number, rank in ranks if rank > self.rank[identity])
            end = next(after, len(self.places))
            copies = [number for number in copies if number < end]
        untouched = [number for number in copies if not self.changed(self.places[number], original)]
        return next(iter(untouched or copies), None)

    def _is_written_answer(self, place: _Place) -> bool:
        original = self.by_id.get(place.identity)
        return original is not None and is_written_answer(original)

    def _rank(self, place: _Place) -> int:
        return self.rank.get(place.identity, -1)

    def _add(self, identity: str, low: int = 0) -> int:
        """Insert a released cell before the first cell that follows it in the release."""
        later = (n for n in range(low, len(self.places)) if self._rank(self.places[n]) > self.rank[identity])
        place = next(later, len(self.places))
        self.places.insert(place, _Place(None, identity=identity, original=self.by_id[identity]))
        return place

    def _place_answer(self, identity: str, original: NotebookNode) -> None:
        copies = [number for number, place in enumerate(self.places) if self._is_copy(place, identity, original)]
        is_text = is_written_answer(original)
        if is_text:
            chosen = self._chosen_text(copies, original) if copies else self._lost(identity, original)
        else:
            chosen = self._choose_code(identity, copies, original)
        for number in copies:
            self.places[number].identity = ""
        if chosen is not None:
            self.places[chosen].original = original
            self.places[chosen].identity = identity
        elif is_text:
            self._add(identity)
            self.note("added_cell", identity)
        elif not self._defines(set(DEFINED.findall(original.source)), self._test(identity)):
            self.note("missing_cell", identity)  # its stub would overwrite work that the student moved to another cell
        if chosen is not None:
            self._say_which(identity, original, copies, chosen)

    def _say_which(self, identity: str, original: NotebookNode, copies: list[int], chosen: int) -> None:
        """Note which of several copies counts, and which one is too late."""
        counts, test = self.places[chosen].number, self._test(identity)
        early = [number for number in copies if number < test]
        numbers = listed(str(self.places[number].number) for number in early)
        is_text = is_written_answer(original)
        if chosen not in copies:
            if is_text:
                self.note("text_below", identity, number=counts)
        elif self.places[chosen].joined:
            self.note("written_parts", identity, numbers=numbers)
        elif len(early) > 1 and self.changed(self.places[chosen], original):
            self.note("written_copies" if is_text else "code_copies", identity, numbers=numbers, number=counts)
        for number in copies:
            late = self.places[number]
            if number > test and self.changed(late, original):
                if number == chosen:
                    self.note("late_answer", identity, number=late.number)
                else:
                    self.note("late_copy", identity, number=late.number, counts=counts)

    def _is_copy(self, place: _Place, identity: str, original: NotebookNode) -> bool:
        """Whether a cell claims to be an answer, or makes no claim and defines what the answer defines."""
        if place.identity or place.original is not None or place.raw is None:
            return place.identity == identity and place.original is None
        if original.cell_type != "code" or place.raw["cell_type"] != "code" or not place.runs:
            return False
        wanted = set(DEFINED.findall(original.source))
        return bool(wanted) and wanted <= set(DEFINED.findall(place.source))

    def _chosen_text(self, copies: list[int], original: NotebookNode) -> int | None:
        """Return the last changed copy with those right above it; else the new text right below an untouched one."""
        changed = [number for number in copies if self.changed(self.places[number], original)]
        if changed:
            first = last = changed[-1]
            while first - 1 in changed:
                first -= 1
            self.places[last].joined = [place.source for place in self.places[first:last]]
            return last
        for number in reversed(copies if original.cell_type == "markdown" else []):
            below = self.places[number + 1] if number + 1 < len(self.places) else None
            if below is not None and self._is_new_text(below):
                return number + 1
        return copies[0] if copies else None

    def _lost(self, identity: str, original: NotebookNode) -> int | None:
        """Return the last new text where an answer is missing; None if there is none."""
        if original.cell_type != "markdown":
            return None
        rank, ranks = self.rank[identity], [self._rank(place) for place in self.places]
        low = max((n for n, other in enumerate(ranks) if -1 < other < rank), default=-1)
        high = next((n for n, other in enumerate(ranks) if other > rank and n > low), len(ranks))
        return max((n for n in range(low + 1, high) if self._is_new_text(self.places[n])), default=None)

    def _is_new_text(self, place: _Place) -> bool:
        """Whether a text is the student's own, and not from this or an older release."""
        if place.raw is None or place.identity or place.original is not None or place.raw["cell_type"] == "code":
            return False
        text = plain(place.source)
        like = difflib.get_close_matches(text[:COMPARED], [one[:COMPARED] for one in self.texts], n=1, cutoff=LIKE)
        return bool(text) and not like

    def _choose_code(self, identity: str, copies: list[int], original: NotebookNode) -> int | None:
        """Return the last changed copy that runs before the tests; else the first one.

        Copies that would replace it do not run, and an untouched stub may move: then ``copies`` has its new place.
        """
        test = self._test(identity)
        changed = [number for number in copies if self.changed(self.places[number], original)]
        code = [n for n in changed if (raw := self.places[n].raw) and raw["cell_type"] == "code"]
        changed = code or changed  # text cells do not run
        before = [number for number in changed if number < test]
        if not before:
            return self._above_what_defines_it(original, copies, test)
        for number in copies:  # a later stub would replace it
            self.places[number].runs &= number in changed or number < before[-1]
        return before[-1]

    def _above_what_defines_it(self, original: NotebookNode, copies: list[int], test: int) -> int | None:
        """Move an untouched stub above student cells that define the same names, or it would overwrite them."""
        if not copies or copies[0] > test:
            return next(iter(copies), None)
        wanted = set(DEFINED.findall(original.source))
        first = next((n for n in range(copies[0]) if self._bound(self.places[n]) & wanted), copies[0])
        self.places.insert(first, self.places.pop(copies[0]))
        copies[:] = [first, *(number for number in copies[1:])]
        return first

    def _bound(self, place: _Place) -> set[str]:
        """Return the names that a student's cell defines."""
        ours = place.original is not None and is_locked(place.original)
        if ours or place.raw is None or place.raw["cell_type"] != "code" or not place.runs:
            return set()
        return {name for found in BOUND.findall(place.source) for name in found if name}

    def _defines(self, wanted: set[str], test: int) -> bool:
        """Whether the student's cells before a test define all of these names."""
        return bool(wanted) and wanted <= set().union(*map(self._bound, self.places[:test]))

    def _test(self, identity: str) -> int:
        """Return where an answer's tests run; a written answer has none, so it counts anywhere."""
        if is_written_answer(self.by_id[identity]):
            return len(self.places)
        return next((n for n, place in enumerate(self.places) if self._is_test(place, identity)), len(self.places))

    def _is_test(self, place: _Place, identity: str) -> bool:
        return place.original is not None and grade_id(place.original) == self.test_of[identity]


def arrange(
    cells: Iterable[dict[str, Any]], name: str, released: Sequence[NotebookNode], texts: frozenset[str]
) -> tuple[list[NotebookNode], list[Note]]:
    """Put a student's checked cells into the released notebook; return also messages about the changes.

    The result has each released cell once, locked ones with the text of the release; a missing answer is not added.
    ``released`` are the release's cells with an id, in order; ``texts`` are those of all, see :func:`.cells.plain`.
    """
    known = set(map(grade_id, released))
    claims = [(raw, claimed_id(raw)) for raw in cells]
    places = [_Place(raw, n, claim if claim in known else "") for n, (raw, claim) in enumerate(claims, 1)]
    frame = _Frame(name, released, texts, places)
    frame.arrange()
    claimed = {claim for _, claim in claims}
    if claimed & known and known - claimed and (foreign := sorted(claimed - known - {""})):
        frame.say(Message.of("older_release", cells=listed(cell[:40] for cell in foreign[:5])))
    return [place.cell() for place in frame.places], frame.notes


def _tests(released: Sequence[NotebookNode]) -> Iterator[tuple[str, str]]:
    """Return for each released cell the grade cell whose report mentions it: the next one, or itself."""
    waiting: list[str] = []
    for cell in released:
        identity = grade_id(cell)
        if is_written_answer(cell):
            yield identity, identity
            continue
        waiting.append(identity)
        if is_autograded(cell):
            yield from ((name, identity) for name in waiting)
            waiting = []
    yield from ((name, "") for name in waiting)
