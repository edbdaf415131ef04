"""Who sits in the sample class: each student's answers come from the bank of right and wrong solutions."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..judge.course import Course, CourseError
from . import mischief
from .papers import Papers, reference_solutions

ASSIGNMENT = "async"
PREFIX = "demo_"
BANK = "tests/bank"

ESSAY = (
    "In the synchronous loop every step pays for writing the order, for the work and for telling that it is done, "
    "one after the other: n(t1 + t2 + t3). In the asynchronous loop the front end writes the next orders while the "
    "back end works, so only the first order and the last answer are not hidden: t1 + n t2 + t3. That is right only "
    "if the back end never runs out of orders, so if n t2 > (n - 1) t1."
)
SHORT_ESSAY = "Because the steps overlap, the front end's time is hidden behind the back end's."


@dataclass(frozen=True)
class Pupil:
    """One student.

    answers: the bank's file for an exercise; the reference solution stands for all others.
    spoil: what happens to the papers afterwards.  essay: the answer to time_model, or nothing.
    """

    name: str
    answers: dict[str, str] = field(default_factory=dict)
    spoil: Callable[[Papers], None] | None = None
    essay: str = ESSAY


@dataclass(frozen=True)
class IdlePupil(Pupil):
    """A student who solved nothing."""

    essay: str = ""


PERFECT = (
    Pupil(
        "perfect_as_taught",
        {
            "benchmark": "01_ok_book",
            "queue_work": "01_ok_book",
            "sync_functions": "01_ok_book",
            "loops": "01_ok_book",
            "get_mem": "01_ok_book",
            "train_sync": "01_ok_book",
            "train_async": "01_ok_book",
            "train_bounded": "01_ok_deque_after",
        },
    ),
    Pupil(
        "perfect_contextlib",
        {
            "benchmark": "03_ok_contextlib",
            "queue_work": "02_ok_two_steps",
            "sync_functions": "02_ok_converters_wait_too",
            "loops": "02_ok_wait_for_last",
            "get_mem": "02_ok_status",
            "train_sync": "02_ok_waitall_each_batch",
            "train_async": "02_ok_sums_the_loss",
            "train_bounded": "02_ok_deque_before",
        },
    ),
    Pupil(
        "perfect_own_way",
        {
            "benchmark": "04_ok_context_decorator",
            "queue_work": "04_ok_into_a_buffer",
            "sync_functions": "04_ok_by_hand",
            "loops": "05_ok_in_place",
            "get_mem": "03_ok_statm",
            "train_sync": "05_ok_while_numpy",
            "train_async": "04_ok_losses_kept",
            "train_bounded": "03_ok_list_index",
        },
    ),
    Pupil(
        "perfect_warnings",
        {
            "benchmark": "07_ok_default_timer_and_warning",
            "queue_work": "06_ok_warning",
            "sync_functions": "06_ok_buffers_and_warning",
            "loops": "06_ok_one_helper",
            "get_mem": "04_ok_psutil",
            "train_sync": "04_ok_wait_for_a_parameter",
            "train_async": "06_ok_deque",
            "train_bounded": "08_ok_class",
        },
    ),
)

MISCONCEPTIONS = (
    Pupil("clock_that_waits", {"benchmark": "14_bad_waits_at_exit"}),
    Pupil("waits_for_result", {"queue_work": "11_bad_waits_for_result"}),
    Pupil("waits_for_everything", {"sync_functions": "14_bad_one_uses_waitall"}),
    Pupil("waits_every_step", {"loops": "15_bad_async_waits_every_step"}, essay=SHORT_ESSAY),
    Pupil("peak_not_present", {"get_mem": "11_bad_peak_rusage"}),
    Pupil("forgot_to_wait", {"train_sync": "11_bad_no_wait_in_the_loop"}, essay=SHORT_ESSAY),
    Pupil("reads_each_loss", {"train_async": "11_bad_asscalar_each_batch"}),
    Pupil("one_batch_too_many", {"train_bounded": "11_bad_one_too_many"}),
    Pupil(
        "fixed_batch_size",
        {
            "train_sync": "15_bad_first_batch_size",
            "train_async": "21_bad_first_batch_size",
            "train_bounded": "22_bad_first_batch_size",
        },
    ),
)

ACCIDENTS = (
    IdlePupil("untouched"),
    Pupil("syntax_error", spoil=mischief.syntax_error),
    Pupil("endless_loop", spoil=mischief.endless_loop),
    Pupil("hang_in_c", spoil=mischief.hang_in_c),
    Pupil("kernel_exit", spoil=mischief.kernel_exit),
    Pupil("memory_hog", spoil=mischief.memory_hog),
    Pupil("deleted_cell", spoil=mischief.deleted_cell),
    Pupil("not_json", spoil=mischief.not_json),
    Pupil("missing_notebook", spoil=mischief.missing_notebook),
)

CHEATS = (
    IdlePupil("edited_metadata", spoil=mischief.edited_metadata),
    IdlePupil("forger", spoil=mischief.forger),
)

CLASS: tuple[Pupil, ...] = (*PERFECT, *MISCONCEPTIONS, *ACCIDENTS, *CHEATS)


def papers_of(pupil: Pupil, course: Course) -> Papers:
    """The filled-in notebooks of one student.  Raises CourseError if the bank lacks an answer."""
    papers = Papers.released(course, ASSIGNMENT)
    if not isinstance(pupil, IdlePupil):
        for exercise, solution in reference_solutions(course, ASSIGNMENT).items():
            papers.cell(exercise).source = solution
    for exercise, variant in pupil.answers.items():
        path = course.root / BANK / ASSIGNMENT / exercise / f"{variant}.py"
        if not path.is_file():
            raise CourseError(f"{path} is missing: the sample class needs the bank of solutions.")
        papers.cell(exercise).source = path.read_text()
    if pupil.essay:
        papers.cell("time_model").source = pupil.essay
    if pupil.spoil is not None:
        pupil.spoil(papers)
    return papers


def submission_folder(course: Course, pupil: Pupil) -> Path:
    """Where this student's submission lies."""
    return course.root / "submitted" / f"{PREFIX}{pupil.name}" / ASSIGNMENT


def write_class(course: Course) -> None:
    """Write everybody's submission afresh.  Raises CourseError."""
    for pupil in CLASS:
        folder = submission_folder(course, pupil)
        shutil.rmtree(folder, ignore_errors=True)
        papers_of(pupil, course).write(folder)
