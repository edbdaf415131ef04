"""Checks the questions themselves: asks a class of the bank's right solutions, and measures each answer again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..core.variants import fill
from ..course.folder import Course
from ..judge.job import NotebookJob
from ..vet.bank import Solution, read_bank, read_text
from ..vet.trial import notebook_for, variant_of
from ..vet.vet_bank import processes
from .ask_class import ask
from .choose import COUNT
from .measure import Lab, Question, Work
from .own_questions import read_choice

HEAD = """# Questions about students' own code

A *viva* asks students three questions about their own code: what would it do after a small change? `syncpoint viva`
finds each answer in three ways: it runs the changed code twice, and the hidden tests judge the changed code. A question
is *left out* if the three results disagree.

`syncpoint vet viva` checks the answers. The command makes a class whose students submit the bank's right solutions,
and prepares questions for them like `syncpoint viva`. Then it runs the original and the changed code again, in new
sandboxes with other inputs. An answer is *wrong* if this run gives another answer.

"""
COLUMNS = (
    "assignment",
    "students",
    "with three own questions",
    "answers",
    "wrong",
    "not repeated for lack of time",
    "left out",
    "same set as the neighbor",
    '"it breaks" is right',
)
TOTAL = "**all**"


@dataclass(frozen=True)
class Proof:
    """The findings on one assignment."""

    assignment: str  # its name
    students: int  # how many students were asked
    three: int  # how many of them got three questions about their own code
    answers: int  # how many questions were asked
    wrong: tuple[str, ...]  # sentences on the questions whose second measurement differs
    unrepeated: int  # how many questions could not be measured a second time, for example for lack of time
    unconfirmed: int  # how many measured answers the second measurement or the hidden tests did not confirm; not asked
    neighbors: int  # how many neighbors have the same set of questions
    breaking: int  # how many questions have the answer "it breaks"
    first: int = 1  # the number of the first student; the page has the ones before already

    def plain(self) -> dict[str, Any]:
        return asdict(self)


def prove(
    course: Course, assignment: str, students: int, seed: str, jobs: int, show: Callable[[str], None], first: int = 1
) -> Proof:
    """Ask this many students from the bank, and measure each answer a second time, or raise CourseError."""
    lab = Lab.of(course, assignment)
    right = [one for one in read_bank(None, course) if one.assignment == assignment and one.right]
    works = [_student(course, lab, right, number) for number in range(first - 1, first - 1 + students)]
    by_name = {work.name: work for work in works}
    with processes(jobs) as do:
        asked = ask(course, assignment, works, seed, read_choice(course, assignment), do, show)
        pairs = [(name, question) for name, some in asked.questions.items() for question in some]
        calls = [partial(_again, course.root, assignment, by_name[name], question, seed) for name, question in pairs]
        again = list(do(calls))
    wrong: list[str] = []
    unrepeated = 0
    for name, question, answer in again:
        if answer is None:
            unrepeated += 1
            show(f"{name}: {question.name} could not be measured again")
        elif answer != question.answer:
            wrong.append(f"{name}: {question.name}: {question.change.sentence}")
            show(f"WRONG {wrong[-1]}\n  {question.answer}\n  {answer}")
    sets = [{question.alike for question in some} for some in asked.questions.values()]
    return Proof(
        assignment,
        len(works),
        sum(len(some) == COUNT for some in asked.questions.values()),
        len(pairs),
        tuple(wrong),
        unrepeated,
        asked.unconfirmed,
        sum(bool(one) and one == other for one, other in pairwise(sets)),
        sum(question.kind == "breaks" for _, question in pairs),
        first,
    )


def page(proofs: Sequence[Proof], before: str) -> str:
    """Return the results as a page of the documentation.

    Rows for other assignments on the page so far stay, and a row grows if the proof goes on with its class.
    """
    lines = [line for line in before.splitlines() if line.startswith("| ")]
    rows = {line.split("|")[1].strip(): _counts(line) for line in lines[1:-1]}
    for proof in proofs:
        known = rows.get(proof.assignment) if proof.first > 1 else None
        rows[proof.assignment] = _sum(filter(None, (known, _figures(proof))))
    shown = [_row(name, rows[name]) for name in sorted(rows)]
    lines = [_joined(COLUMNS), f"|{'---|' * len(COLUMNS)}", *shown, _row(TOTAL, _sum(rows.values()))]
    return HEAD + "\n".join(lines) + "\n"


def _counts(row: str) -> list[int]:
    return [int(cell.split()[0]) for cell in row.strip("| ").split("|")[1:]]


def _sum(rows: Iterable[list[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _figures(proof: Proof) -> list[int]:
    asked = [proof.students, proof.three, proof.answers, len(proof.wrong)]
    return [*asked, proof.unrepeated, proof.unconfirmed, proof.neighbors, proof.breaking]


def _row(name: str, counts: Sequence[int]) -> str:
    students, three, answers, *others, breaking = counts
    return _joined((name, students, _share(three, students), answers, *others, _share(breaking, answers)))


def _joined(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _share(count: int, total: int) -> str:
    return f"{count} ({count / total:.0%})" if total else "0"


def _student(course: Course, lab: Lab, right: Sequence[Solution], number: int) -> Work:
    """Return a student with one of the bank's right solutions for each exercise; the next student has the next."""
    jobs = []
    source = course.source(lab.spec.assignment)
    for place, exercise in enumerate(lab.exercises):
        mine = [one for one in right if one.exercise == exercise]
        if mine:
            solution = mine[(number + place) % len(mine)]
            variant = variant_of(course, solution)
            reference = source.notebook(source.notebook_with(f"test_{exercise}"), variant)
            notebook, _ = notebook_for(reference, exercise, fill(read_text(solution.path), variant))
            jobs.append((exercise, NotebookJob.of("notebook", notebook, (), (), lab.spec, variant)))
    return Work(f"student {number + 1}", tuple(jobs))


def _again(
    root: Path, assignment: str, work: Work, question: Question, seed: str
) -> tuple[str, Question, tuple[Any, ...] | None]:
    inputs = sum(map(ord, f"{seed}/{work.name}/again"))
    lab = Lab.of(Course(root), assignment)
    return work.name, question, lab.again(dict(work.jobs)[question.exercise], question, inputs)
