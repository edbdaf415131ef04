"""One notebook of one submission: runs its cells in order in one sandboxed kernel, within the limits."""

import re
import unicodedata
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode

from ..core.limits import Limits
from ..core.messages import Message
from ..core.results import Incident, Note, SuspiciousAct
from ..engines.terms import use_terms
from ..sandbox.spec import SandboxSpec
from .act_collector import ActCollector
from .errors import DeadKernelError
from .kernel import Kernel, Reply
from .output_limit import execution_count
from .student import Deadline, Student

ODD = re.compile(r"U\+([0-9A-F]{4,6})")  # how Python names an invalid character
# Python 3.11.2 does not name one after a digit, as in `f(1\uff0c 2)`.
NOT_NAMED, AFTER_DIGIT = "invalid decimal literal", re.compile(r"[0-9]([^\x00-\x7f])")

MOST_RESTARTS = 3
"""New kernels between the tests of two consecutive exercises, if code makes its device end the session; the start of
each counts as the judge's time."""


def is_autograded(cell: NotebookNode) -> bool:
    """Whether hidden tests grade this cell."""
    marks = _marks(cell)
    return cell.cell_type == "code" and bool(marks.get("grade")) and not marks.get("solution")


def _marks(cell: NotebookNode) -> dict[str, Any]:
    marks: dict[str, Any] = cell.metadata.get("nbgrader", {})
    return marks


def cell_name(index: int, cell: NotebookNode) -> Message:
    """Return a cell's name in messages: its place, counted from 1, and its id if it has one."""
    identity = _marks(cell).get("grade_id", "")
    if identity:
        return Message.of("named_cell", number=index + 1, name=identity)
    return Message.of("cell", number=index + 1)


def _odd_character(source: str, message: str) -> tuple[int, str, str] | None:
    """Return the line, code and Unicode name of the character that a SyntaxError is about; None for another error.

    The error's text is not believed: the character must be in the cell.
    """
    if found := ODD.search(message[:1000]):
        character = chr(min(int(found[1], 16), 0x10FFFF))
    else:
        after_digit = AFTER_DIGIT.search(source) if message.startswith(NOT_NAMED) else None
        character = after_digit[1] if after_digit else ""
    if not character or character not in source:
        return None
    code, name = f"U+{ord(character):04X}", unicodedata.name(character, "").lower()
    return source.count("\n", 0, source.index(character)) + 1, code, name


def _raised(who: Message, source: str, content: dict[str, Any], limits: Limits) -> Incident:
    """Return the message on a cell's exception, with the limit or the character that probably caused it."""
    name, text = str(content.get("ename"))[:60], str(content.get("evalue"))
    if name == "SyntaxError" and (odd := _odd_character(source, text)):
        line, code, character = odd
        message = Message.of("raised_character", who=who, error=name, line=line, character=code, name=character)
        return Incident("raised", message)
    if name == "MemoryError":
        return Incident("memory", Message.of("raised_memory", who=who, error=name, mib=limits.memory_mib))
    if "[Errno 27]" in text or "[Errno 28]" in text:
        return Incident("disk", Message.of("raised_disk", who=who, error=name, mib=limits.disk_mib))
    if "[Errno 11]" in text or text == "can't start new thread":
        message = Message.of("raised_processes", who=who, error=name, processes=limits.processes)
        return Incident("processes", message)
    return Incident("raised", Message.of("raised", who=who, error=name))


@dataclass
class SubmissionRun:
    """A running notebook. Use it as a context manager, then call :meth:`advance_to`."""

    notebook: NotebookNode  # gets the outputs
    sandbox_spec: SandboxSpec
    # Everything that stopped a cell.  Later cells still run, unless the kernel has ended.
    incidents: list[Incident] = field(default_factory=list)
    intake: list[Note] = field(default_factory=list)  # the notes of the intake about this notebook
    act_collector: ActCollector = field(default_factory=ActCollector)
    without_device: bool = False  # whether the device has ended the session; the next exercise gets a new device
    kernels: list[Kernel] = field(default_factory=list)  # the kernels in which its cells have run, in order
    _failed_checks: list[tuple[int, Incident]] = field(default_factory=list)  # each with the place of the check's cell

    @property
    def acts(self) -> list[SuspiciousAct]:
        """Suspicious acts so far; processes left running are added at the end."""
        return self.act_collector.acts

    def __enter__(self) -> "SubmissionRun":
        self._stack = ExitStack()
        self._position = 0
        self._restarts = 0  # restarts since the last hidden tests
        self._left_out: set[int] = set()
        self._last = 0  # the last cell that ran, or whose hidden tests ran
        self._start()
        # The time limit starts here: on a busy machine the start takes long, which is not the student's fault.
        self.deadline = Deadline(self.sandbox_spec.limits.notebook_seconds, self.kernel.meter)
        return self

    def __exit__(self, *exception: Any) -> None:
        with self._stack:
            self.kernel.check_leftovers()

    def _start(self, cpu_seconds: float = 0.0) -> None:
        """Start a kernel, with its device if there is one, after kernels that used this much processor time."""
        kernel = Kernel(self.sandbox_spec, self.act_collector, cpu_seconds=cpu_seconds)
        self.kernels.append(self._stack.enter_context(kernel))

    @property
    def kernel(self) -> Kernel:
        return self.kernels[-1]

    @property
    def lost(self) -> str:
        """Return why this run may not be the student's fault, see :attr:`Kernel.lost`."""
        return next((kernel.lost for kernel in self.kernels if kernel.lost), "")

    def _restart_if_cut_off(self, place: int) -> bool:
        """If the device ignores the notebook, run the cells before it again, on a new device and kernel."""
        noted = self.without_device
        if is_autograded(self.notebook.cells[place]):
            self._restarts, self.without_device = 0, False
        why = self.kernel.cut_off
        if not why or self.without_device:
            return False
        self._left_out.add(place)
        self.without_device = self._restarts == MOST_RESTARTS
        if not noted:
            code = "device_cut_off_last" if self.without_device else "device_cut_off"
            who = cell_name(place, self.notebook.cells[place])
            self.incidents.append(Incident("cut off", Message.of(code, who=who, why=why), place))
        if self.without_device:
            return False
        self._restarts += 1
        self._replace_the_kernel()
        return True

    def _replace_the_kernel(self) -> None:
        """Run the cells so far in a new kernel with the remaining limits; their output was already counted."""
        share, cpu_seconds, output_left = self.deadline.share, self.kernel.usage().cpu_seconds, self.kernel.output_left
        with self.deadline.stopped():
            self._stack.close()
            self._start(cpu_seconds)
        self.deadline.go_on_with(self.kernel.meter, share)
        self.act_collector.threads = 0  # these were threads of the old kernel
        for index in range(self._position):
            if index in self._left_out or is_autograded(self.notebook.cells[index]) or self.deadline.remaining <= 0:
                continue
            _, incident = self._execute(index)
            if incident is not None and all(incident.message != known.message for known in self.incidents):
                self._note(index, replace(incident, message=Message.of("ran_again", message=incident.message)))
            if self._restart_if_cut_off(index):
                break
        self.kernel.output_left = output_left

    def run_cell(self, index: int) -> None:
        """Run one cell and keep its outputs in the notebook.  Never raises for what student code does."""
        cell = self.notebook.cells[index]
        if cell.cell_type != "code":
            return
        self._last = index
        reply, incident = self._execute(index)
        cell.outputs, cell.execution_count = reply.outputs, execution_count(reply.content.get("execution_count"))
        if incident is not None:
            self._note(index, incident)

    def _note(self, index: int, incident: Incident) -> None:
        self.incidents.append(incident)
        if incident.cell is None and self._is_visible_check(index):
            self._failed_checks.append((index, incident))

    def _execute(self, index: int) -> tuple[Reply, Incident | None]:
        """Run one cell; return the outcome, and the fault or exception."""
        cell, limits = self.notebook.cells[index], self.sandbox_spec.limits
        name = cell_name(index, cell)
        if cell.cell_type != "code" or not cell.source.strip() or self.kernel.fault is not None:
            return Reply(), None
        if self.deadline.remaining <= 0:
            message = Message.of("not_run", who=name, seconds=self.deadline.seconds)
            return Reply(), Incident("not run", self.deadline.ran_out(message), index)
        deadline = self.deadline.within(limits.cell_seconds)
        self.act_collector.moment = Message.of("after_cell", cell=name)
        try:
            reply = self.kernel.execute(cell.source, deadline.seconds, keep_names=self._is_visible_check(index))
        except DeadKernelError as gone:
            message = Message.of("kernel_gone", who=name, why=gone.fault.message)
            message = deadline.ran_out(message) if gone.fault.kind == "hang" else message
            return Reply(), Incident(gone.fault.kind, message, index)
        if reply.fault is not None:
            message = reply.fault.message.having(who=name)
            if reply.fault.kind == "timeout":
                if deadline.seconds < limits.cell_seconds:
                    message = Message.of("last_time", who=name, seconds=self.deadline.seconds)
                message = deadline.ran_out(message)
            return reply, Incident(reply.fault.kind, message, index)
        raised = reply.content.get("status") == "error"
        return reply, _raised(name, cell.source, reply.content, limits) if raised else None

    def notes(self, exercise: str) -> list[Message]:
        """Return what stopped or disturbed the notebook so far, for the next exercise.

        A check that failed, and a note on its cells, are said in the report of their exercise alone.
        """
        before = [index for index in range(self._position) if is_autograded(self.notebook.cells[index])]
        reported = [incident for index, incident in self._failed_checks if before and index < before[-1]]
        others = [note.message for note in self.intake if note.exercise not in ("", exercise)]
        return [
            incident.message
            for incident in self.incidents
            if incident.message not in others and not any(incident is other for other in reported)
        ]

    def advance_to(self, index: int) -> None:
        """Run every cell before ``index`` that has not run yet, except autograded ones."""
        while self._position < index:
            cell = self.notebook.cells[self._position]
            if cell.cell_type == "code" and not is_autograded(cell):
                self._restart_if_cut_off(self._last)
                self.run_cell(self._position)
            self._position += 1

    def student(self) -> Student:
        """Return the student for the tests of one exercise, with that exercise's share of the time."""
        cell_seconds = self.sandbox_spec.limits.cell_seconds
        self.kernel.begin_exercise(min(cell_seconds, self.deadline.remaining))
        while self._restart_if_cut_off(self._last):
            self.kernel.begin_exercise(min(cell_seconds, self.deadline.remaining))
        self._last = self._position
        cell = cell_name(self._position, self.notebook.cells[self._position])
        self.act_collector.moment = Message.of("in_tests", cell=cell)
        use_terms(self.sandbox_spec.engine.words)
        return Student(self.kernel, self.deadline.within(cell_seconds))

    def _is_visible_check(self, index: int) -> bool:
        """Return whether a cell of the course is between a solution and its hidden tests.

        If it uses the same name, it must not replace what the solution calls.
        """
        if not _marks(self.notebook.cells[index]).get("locked"):
            return False
        ours = [number for number, cell in enumerate(self.notebook.cells) if _marks(cell).get("solution")]
        tested = [number for number, cell in enumerate(self.notebook.cells) if number > index and is_autograded(cell)]
        before = [number for number in ours if number < index]
        after = [number for number in ours if number > index]
        return bool(before and tested) and (not after or tested[0] < after[0])
